"""The sentences of a page, and those among them that say something which somebody has to have looked at.

A page's prose is its Markdown outside of fences of code and formulas; the strings of four words and more in its cells
of code, questions and explanations; and the captions and alt texts of its figures. Needs Python alone.
"""

import ast
import json
import re
from collections import Counter
from difflib import SequenceMatcher
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# A number that a reader could check: it has a decimal point, a thousands comma, or two digits and more.
NUMBER = re.compile(
    r"(?<![\w.,])\d+(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])\d+\.\d+(?!\.?\d)|(?<![\w.,])\d{2,}(?![\w.,]\d)(?!\w)"
)
NOT_PROSE = re.compile(
    r"\{cite:[pt]\}`[^`]*`|`[^`]*`|\]\([^)]*\)|<[^>]+>"
    r"|(?:section|chapters?|eq\.|version|sources?|NumPy|since) [\d.]+(?: and \d+)*"  # names and dates of things
    r"|10\^\{?-?\d+\}?|\\\\\[[\d.]+ex\]"  # the second is room between two lines of an equation
    r"|\d+ minutes|9[59](?:\.9)? % (?:confidence|interval)",
    re.IGNORECASE,
)
# Words that say something of all cases. "all", "no", "not" and "each" are not among them: see docs/chapter.md.
STRONG = re.compile(
    r"\b(?:never|always|every|everywhere|nothing(?! (?:else|around|added|to|but|scaled))|only|impossible"
    r"|can(?:no|['’])t|whatever|no matter|however (?:many|long|large)|no (?:\w+ ){1,5}(?:can|could|ever))\b",
    re.IGNORECASE,
)
# Terms, negations, quantifiers and numbers in words.
TERMS = r"""
    not no nor neither without unless if all each any both half one two three four five six seven eight nine ten eleven
    twelve twice double[sd]? quarter zero sums? products? means? averages? ratios? differences? sign(?:s|ed)? radians?
    factor amount geometric arithmetic linear affine continuous (?:a)?symmetric (?:in)?finite (?:in)?dependent rows?
    columns? quer(?:y|ies) keys? values? scores? weights? outputs? heads? layers? sines? cosines? roots? squared?s?
    softmax logarithms? exponentials? distances? offsets? positions? variances? deviations? rank numerator denominator
    plus minus
"""
# What stands in a sentence as in the line that shows it, in its order: these, formulas, code, numbers, strong words.
FIXED = re.compile(
    rf"\$[^$]+\$|`[^`]+`|[−-]?\d+(?:[.,]\d+)*|{STRONG.pattern}|n['’]t\b|\b(?:{'|'.join(TERMS.split())})\b",
    re.IGNORECASE,
)
# Words for one another among these.
ALIKE = {
    word: words.split()[0]
    for words in (
        "not n't n’t", "can't can’t cannot", "each every all", "mean average", "means averages",
        "zero 0", "one 1", "two 2 both", "three 3", "four 4",
    )
    for word in words.split()
}  # fmt: skip
# Any other word may give its place to another one, unless that is its opposite: on another side of one of these lines.
OPPOSITES = """
    more most increases increase increased / less least few fewer fewest decreases decrease decreased
    larger largest bigger biggest greater greatest longer higher highest / smaller smallest shorter lower lowest
    grows grow rises rise climbs climb raises gains / shrinks shrink falls fall drops drop lowers loses
    large big great long high wide strong sharp / small short low narrow weak flat little
    wider stronger sharper sharpest strongest / narrower weaker flatter flattest weakest
    up upward above over / down downward below under
    before earlier early previous preceded past behind / after later late next following followed future ahead
    first start starts begins begin top / last final end ends stops stop bottom
    left / right
    horizontal / vertical
    analogy / theorem
    inside within / outside beyond
    same equal similar alike identical equally agree / different other unequal opposite differ unlike unequally
    positive / negative
    fast faster suddenly quickly hot / slow slower slowly gradually cold
    near close closer nearer together toward / far farther apart away
    hidden masked / visible seen
    known old / unknown new
    fixed constant / random free
    true right correct / false wrong
    exact exactly / about approximately roughly nearly almost
    learns passes / stuck fails
    odd / even
    better best / worse worst
    often mostly usually many / seldom rarely hardly few
    everything / nothing
    moves changes / stays stay remains keeps
    adds add added / subtracts subtract subtracted removes / multiplies multiply multiplied / divides divide divided
    clockwise / counterclockwise
    forward / backward
    asks / answers
    gives / takes
    leads / trails
    sees / ignores
    weighted / plain
    along / against
    mirror / wall
    mixture / switch / blur
"""
PHRASES = {
    "each other": "one another",
    "as though": "as if",
    "add up to": "sum to",
    "adds up to": "sums to",
    "thrown away": "discarded",
    "no more than": "only",
}
EDGE = re.compile(r"[.!?:|\n]")
NOT = re.compile(r"\b(?:not|no|nor|never|without|nothing)\b|n['’]t\b", re.IGNORECASE)
LIKE = 0.7  # the share of its words that a sentence may not lose when it is reworded
# What claims nothing: a question, an instruction, what a reader has learned. So do headings, exercises and definitions.
QUESTION = re.compile(r"\?\W*$")
INSTRUCTION = re.compile(
    r"\W*(?:(?:Now|Then|So|First|Next|Next,|In the laboratory,|On your machine,) )?(?:You can now"
    r"|After it a student can|Back to|Add|Ask|Audit|Break|Build|Change|Choose|Compare|Compute|Count|Cut|Drag|Draw"
    r"|Fill|Find|Follow|Give|Go|Hand|Join|Keep|Leave|Let|Look|Make|Move|Open|Paint|Pick|Press|Print|Put"
    r"|Read|Repeat"
    r"|Replace|Rewire|Run|Say|See|Set|Show|Start|Switch|Take|Train|Try|Turn|Use|Write)\b",
    re.IGNORECASE,
)
ASKED = {"What they get wrong", "A show of hands"}  # headings of teachers' pages: what others might say
SAYS = "says"  # the tag of a cell that prints sentences
OF_PAGE = re.compile(r"\[([\w/]+)\] ")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
TO_PAGE = re.compile(r"\[[^\]]*\]\([^)]*\.(?:ipynb|md)[^)]*\)")  # its words are that page's
LEAST_WORDS = 4  # of a string in code that is read as prose


class Sentence(NamedTuple):
    """A sentence as its page has it, in one line; whether it could be a claim where it stands."""

    text: str
    stated: bool = True

    @property
    def numbers(self):
        return prose_numbers(TO_PAGE.sub(" ", self.text))

    @property
    def strong(self):
        spoken = re.sub(r"\$[^$]*\$|`[^`]*`|<[^>]+>", " ", TO_PAGE.sub(" ", self.text))
        return [word.lower() for word in STRONG.findall(spoken)]

    @property
    def needs_a_reading(self):
        asks = QUESTION.search(self.text) or INSTRUCTION.match(self.text)
        return self.stated and not asks and bool(self.numbers or self.strong)


def prose_numbers(text):
    """The numbers that a text states, in its order."""
    return NUMBER.findall(NOT_PROSE.sub(" ", text))


def pages():
    """All pages that have sentences: "index", "chapters/00_attention", …"""
    paths = [ROOT / "index.md", *(ROOT / "chapters").rglob("*.ipynb"), *(ROOT / "chapters").rglob("*.md")]
    return sorted(
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in paths
        if ".ipynb_checkpoints" not in path.parts
    )


@cache
def cells(page):
    """The cells of a page: of a notebook as they are, of a Markdown file all as one."""
    path = ROOT / f"{page}.ipynb"
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = (ROOT / f"{page}.md").read_text(encoding="utf-8")
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    return [{"cell_type": "markdown", "source": text, "id": ""}]


def speaks(cell):
    """Whether a cell prints sentences."""
    return SAYS in cell.get("metadata", {}).get("tags", [])


@cache
def printed():
    """The sentences that notebooks print with their own numbers (`attn.says`): page -> lines.

    A line that begins with [chapters/teaching/03_masking] is that page's, any other its notebook's.
    """
    found = {page: [] for page in pages()}
    for page in pages():
        for line in printed_in(page):
            other = OF_PAGE.match(line)
            found[other[1] if other else page].append(even(line[other.end() if other else 0 :]))
    return found


def printed_in(page):
    """The lines that a notebook has printed, as they are."""
    outputs = [output for cell in filter(speaks, cells(page)) for output in cell["outputs"]]
    return "".join(text for one in outputs for text in one["text"]).splitlines()


def even(text):
    """A text without its commas between words and with one phrase for those that say the same."""
    for phrase, same in PHRASES.items():
        text = text.replace(phrase, same)
    return re.sub(r"(?<=[^\W\d]),(?= )", "", text)


def running(page):
    """A page's sentences, a line each, without the addresses of its links."""
    return running_of(cells(page))


def running_of(every):
    """The sentences of a list of cells, a line each, without the addresses of their links."""
    return "\n".join(even(LINK.sub(r"\1", sentence.text)) for sentence in sentences_of(every))


@cache
def fixed(text):
    """What is fixed in a text, in its order: what it says, where it begins and where it ends."""
    found = ((one[0].lower(), one.start(), one.end()) for one in FIXED.finditer(text))
    return [(ALIKE.get(word, word), start, end) for word, start, end in found]


def place(said, text):
    """Where a text says this: (start, end), or None. Words may differ, if no opposite stands for one, and no fixed."""
    if (start := text.find(said)) >= 0:
        return start, start + len(said)
    own = re.findall(r"\w+", said.lower())
    anchors, found = fixed(said), fixed(text)
    starts, ends = [0, *(end for _, _, end in found)], [*(start for _, start, _ in found), len(text)]
    for at in range(len(found) - len(anchors) + 1) if len(own) > (2 if anchors else LEAST_WORDS) else ():
        if [word for word, _, _ in found[at : at + len(anchors)]] == [word for word, _, _ in anchors]:
            start, end = starts[at], ends[at + len(anchors)]
            if anchors:  # what stands in other lines is another sentence
                start = max(start, text.rfind("\n", 0, found[at][1]))
                end = min(end, (text.find("\n", found[at + len(anchors) - 1][2]) + 1) or end)
            words = list(re.finditer(r"\w+", text[start:end]))
            alike = SequenceMatcher(None, own, [one[0].lower() for one in words], autojunk=False)
            blocks = [one for one in alike.get_matching_blocks() if one.size]
            if sum(one.size for one in blocks) >= LIKE * len(own):
                first, last = blocks[0], blocks[-1]
                begin, stop = start + words[first.b].start(), start + words[last.b + last.size - 1].end()
                # A word lost at an edge was exchanged for what stands there, up to the edge of the sentence.
                if first.a:
                    whole = None if start else 0  # where a region begins that no edge parts
                    begin = max((one.end() for one in EDGE.finditer(text, start, begin)), default=whole)
                if last.a + last.size < len(own):
                    stop = next((one.start() for one in EDGE.finditer(text, stop, end)), None)
                if begin is not None and stop is not None:
                    here = re.findall(r"\w+", text[begin:stop].lower())
                    turned = len(NOT.findall(around(begin, stop, text))) > len(NOT.findall(said))
                    if not turned and not exchanged(alike) and not opposed(own, here):
                        return begin, stop
    return None


@cache
def sides_of(word):
    """The lines of opposites on which a word stands, and its side of each."""
    lines = [[side.split() for side in line.split("/")] for line in OPPOSITES.strip().splitlines()]
    return {(i, j) for i, line in enumerate(lines) for j, side in enumerate(line) if word in side}


def opposed(own, here):
    """Whether a word that was lost has an opposite among those that came."""
    lost, came = Counter(own) - Counter(here), Counter(here) - Counter(own)
    sides = [set().union(*map(sides_of, words)) for words in (lost, came)]
    return any(line == other and side != there for line, side in sides[0] for other, there in sides[1])


def exchanged(alike):
    """Whether two words have changed places: one stands for the other, and elsewhere the other for the one."""
    codes = (code for code in alike.get_opcodes() if code[0] == "replace")
    pairs = [(set(alike.a[i:j]), set(alike.b[start:end])) for _, i, j, start, end in codes]
    return any(one[0] & other[1] and one[1] & other[0] for one, other in combinations(pairs, 2))


def around(start, end, text):
    """The sentence that has these places of a text: a *not* before or after that place turns it as well."""
    begins = [one.end() for one in BREAK.finditer(text, max(0, start - 500), start + 2)]
    ends = BREAK.search(text, end)
    return text[begins[-1] if begins else max(0, start - 500) : ends.start() if ends else len(text)]


def missing(lines, text):
    """The printed lines of which a text lacks a sentence. What one says to the letter is not another's."""
    own = [said for line in lines for said in ([line] if line in text else split(line)) if said in text]
    left = text
    for said in sorted(own, key=len, reverse=True):
        left = left.replace(said, "\n", 1)
    return [
        line
        for line in lines
        if line not in text and not all(said in text or place(said, left) for said in split(line))
    ]


def not_printed(page, sentence):
    """What is left of a sentence when that part is taken out which the page prints."""
    return without(printed()[page], sentence)


def without(lines, sentence):
    """What is left of a sentence when that part is taken out which one of these lines says."""
    text = sentence.text
    for line in sorted(lines, key=len, reverse=True):
        bare = even(LINK.sub(r"\1", text))
        if bare in line or place(bare, line):
            text = bare = ""
        for said in split(line):
            if found := place(said, bare):
                text = bare = f"{bare[: found[0]]} {bare[found[1] :]}"
    return sentence._replace(text=text)


@cache
def sentences(page):
    """All sentences of a page, in its order."""
    return sentences_of(cells(page))


def sentences_of(every):
    """All sentences of a list of cells, in its order."""
    found = []
    for cell in every:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            found += of_markdown(source)
        elif not speaks(cell):
            found += of_code(source) + of_figure(cell)
    return found


def of_figure(cell):
    """The sentences of a cell's caption and alt text."""
    about = cell.get("metadata", {}).get("mystnb", {})
    said = about.get("figure", {}).get("caption", ""), about.get("image", {}).get("alt", "")
    return [Sentence(sentence) for text in said for sentence in split(text)]


# ---------------------------------------------------------------- Markdown

FENCE = re.compile(r"^\s*(`{3,}|:{3,})\s*(?:\{([\w-]+)\})?\s*(.*)$")
NO_TEXT = {"code-cell", "code", "code-block", "math", "mermaid", "raw", "eval-rst", "literalinclude"}
ITEM = re.compile(r"^\s*(?:[*+-]|\d+\.)\s+")
NO_BLOCK = re.compile(r"(?::\w+:|\([\w-]+\)=$|%|\|[\s:|-]+\|$|<!--)")
# What makes a word explain itself, or tie it to a figure, changes no sentence.
TIES = re.compile(r"\[([^\]]*)\]\((?:[./]|chapters/)*notation\.md#term-[^)]*\)|</?span[^>]*>")


def of_markdown(text):
    """The sentences of a Markdown text; a row of a table is one."""
    blocks = []  # [text, whether it could be a claim]
    within, unstated, asked = False, "", False
    lines = iter(TIES.sub(r"\1", text).split("\n"))
    for line in lines:
        bare, goes_on, within = line.strip(), within, False
        if fence := FENCE.match(line):
            mark, name, title = fence.groups()
            if (not name and title) or name in NO_TEXT:
                body = []
                while (inside := next(lines, mark)).strip() != mark:
                    body.append(inside)
                if name == "code-cell":
                    code = "\n".join(part for part in body if not re.match(r":\w+:", part))
                    blocks += [[sentence.text, True] for sentence in of_code(code)]
                continue
            if name in ("exercise", "exercise-start", "glossary"):
                unstated = "exercise-end" if name == "exercise-start" else mark
            elif unstated in (name, mark):
                unstated = ""
            blocks += [[title, False]] if title else []
        elif bare.startswith("$$"):
            rest = bare[2:]
            while "$$" not in rest:
                rest = next(lines, "$$")
        elif not bare or NO_BLOCK.match(bare):
            blocks += [[alt[1], True]] if (alt := re.match(r":alt: (.*)", bare)) else []
        elif bare.startswith("#"):
            asked = bare.lstrip("# ") in ASKED
            blocks.append([bare.lstrip("# "), False])
        elif bare.startswith("|"):
            blocks.append([bare, not asked])
        else:
            within, item = True, ITEM.match(line)
            if goes_on and not item:
                blocks[-1][0] += " " + bare
            else:
                text = bare[len(item[0].strip()) :] if item else bare.removeprefix("> ")
                blocks.append([text, not (unstated or asked)])
    return [
        Sentence(text, stated)
        for block, stated in blocks
        for text in ([" ".join(block.split())] if block.startswith("|") else split(block))
    ]


SILENT = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)")
SHORT = re.compile(r"\b(?:e\.g|i\.e|et al|cf|vs|eq|Fig|Sec|pp?|No)\.")
END = re.compile(r"[.!?]+[\"”’)\]*_]*(?: ∎)?(?= +[\"“‘(\[*_]*[A-Z0-9`$−])")
BREAK = re.compile(rf"{END.pattern}|\n")


def split(text):
    """The sentences of a paragraph."""
    text = " ".join(text.split())
    masked = SILENT.sub(lambda match: match[0][0] + "x" * (len(match[0]) - 2) + match[0][-1], text)
    masked = SHORT.sub(lambda match: match[0].replace(".", "x"), masked)
    ends = [0, *(match.end() for match in END.finditer(masked)), len(text)]
    parts = [text[start:end].strip() for start, end in zip(ends, ends[1:], strict=False)]
    return [part for part in parts if part]


# ---------------------------------------------------------------- code


def of_code(text):
    """The sentences in the strings of a cell: what a figure asks and says. Answers to choose from are none."""
    tree = ast.parse(re.sub(r"^[%!].*$", "", text, flags=re.MULTILINE))
    return [Sentence(sentence) for said in strings(tree) for sentence in split(said)]


def strings(node):
    """The strings of a syntax tree that are prose."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        parts = [
            part.value if isinstance(part, ast.Constant) else "{…}"
            for part in getattr(node, "values", [node])
        ]
        text = "".join(part if isinstance(part, str) else "{…}" for part in parts)
        if len(re.findall(r"[A-Za-z]{2,}", text)) >= LEAST_WORDS:
            yield text
        return
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        children = [value for key, value in pairs if getattr(key, "value", None) != "options"]
    for child in children:
        if getattr(child, "arg", None) != "options":
            yield from strings(child)
