"""The sentences of a page, and those among them that say something which somebody has to have looked at.

A page's prose is its Markdown outside of fences of code and formulas; the strings of four words and more in its cells
of code, questions and explanations; and the captions and alt texts of its figures. Needs Python alone.
"""

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# A number that a reader could check: it has a decimal point, a thousands comma, or two digits and more.
NUMBER = re.compile(
    r"(?<![\w.,])\d+(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])\d+\.\d+(?!\.?\d)|(?<![\w.,])\d{2,}(?![\w.,]\d)(?!\w)"
)
NOT_PROSE = [
    r"^```\{(?:exercise|solution|admonition)[^\n]*",  # the fence, not what it holds
    r"^:\w+:.*$",
    r"\{cite:[pt]\}`[^`]*`",
    r"`[^`]*`",
    r"\]\([^)]*\)",
    r"<[^>]+>",
    r"^(?:jupytext|kernelspec).*$",
    r"(?:section|chapters?|eq\.|version|sources?|NumPy|since) [\d.]+(?: and \d+)*",  # names and dates of things
    r"10\^\{?-?\d+\}?",
    r"\\\\\[[\d.]+ex\]",  # room between two lines of an equation
    r"\d+ minutes",
    r"9[59](?:\.9)? % (?:confidence|interval)",
]
# Words that say something of all cases. "all", "no", "not" and "each" are not among them: see docs/chapter.md.
STRONG = re.compile(
    r"\b(?:never|always|every(?:body|one|thing|where)?|nobody|no one|nothing|nowhere|none|only|exactly|impossible"
    r"|can(?:no|['’])t|whatever|whenever|no matter|however (?:many|long|large)|no (?:\w+ ){1,5}(?:can|could|ever))\b",
    re.IGNORECASE,
)
SAYS = "says"  # the tag of a cell that prints sentences
OF_PAGE = re.compile(r"\[([\w/]+)\] ")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
DRAFT = "DRAFT:"  # the mark of `make chapter`: not yet anybody's sentence
LEAST_WORDS = 4  # of a string in code that is read as prose


class Sentence(NamedTuple):
    """A sentence as its page has it, in one line; the paragraph that it stands in; the cell, if the page has cells."""

    text: str
    paragraph: str
    cell: str

    @property
    def numbers(self):
        return prose_numbers(self.text)

    @property
    def strong(self):
        spoken = re.sub(r"\$[^$]*\$|`[^`]*`|\]\([^)]*\)|<[^>]+>", " ", self.text)
        return [word.lower() for word in STRONG.findall(spoken)]

    @property
    def needs_a_reading(self):
        return DRAFT not in self.text and bool(self.numbers or self.strong)


def prose_numbers(text):
    """The numbers that a text states, in its order."""
    for pattern in NOT_PROSE:
        text = re.sub(pattern, " ", text, flags=re.MULTILINE | re.IGNORECASE)
    return NUMBER.findall(text)


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
    return [
        {"cell_type": "markdown", "source": re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL), "id": ""}
    ]


@cache
def printed():
    """The sentences that notebooks print with their own numbers (`attn.says`): page -> lines.

    A line that begins with [chapters/teaching/03_masking] is that page's, any other its notebook's.
    """
    found = {page: [] for page in pages()}
    for page in pages():
        for cell in cells(page):
            if SAYS in cell.get("metadata", {}).get("tags", []):
                for line in "".join(text for one in cell["outputs"] for text in one["text"]).splitlines():
                    other = OF_PAGE.match(line)
                    found[other[1] if other else page].append(line[other.end() if other else 0 :])
    return found


def running(page):
    """A page's sentences as one text, without the addresses of its links."""
    return " ".join(LINK.sub(r"\1", sentence.text) for sentence in sentences(page))


def not_printed(page, sentence):
    """What is left of a sentence when that part is taken out which the page prints."""
    text = LINK.sub(r"\1", sentence.text)
    for line in printed()[page]:
        text = "" if text in line else text.replace(line, " ")
    return sentence._replace(text=text)


@cache
def sentences(page):
    """All sentences of a page, in its order."""
    return sentences_of(cells(page))


def sentences_of(every):
    """All sentences of a list of cells, in its order."""
    found = []
    for cell in every:
        if SAYS in cell.get("metadata", {}).get("tags", []):
            continue
        source = "".join(cell["source"])
        read = of_markdown(source) if cell["cell_type"] == "markdown" else of_code(source) + of_figure(cell)
        found += [sentence._replace(cell=cell.get("id", "")) for sentence in read]
    return found


def of_figure(cell):
    """The sentences of a cell's caption and alt text, which are one paragraph."""
    about = cell.get("metadata", {}).get("mystnb", {})
    said = about.get("figure", {}).get("caption", ""), about.get("image", {}).get("alt", "")
    return [Sentence(sentence, " ".join(said), "") for text in said for sentence in split(text)]


# ---------------------------------------------------------------- Markdown

FENCE = re.compile(r"^\s*(`{3,}|:{3,})\s*(?:\{([\w-]+)\})?\s*(.*)$")
NO_TEXT = {"code-cell", "code", "code-block", "math", "mermaid", "raw", "eval-rst", "literalinclude"}
ITEM = re.compile(r"^\s*(?:[*+-]|\d+\.)\s+")


# What makes a word explain itself, or tie it to a figure, changes no sentence.
TIES = re.compile(r"\[([^\]]*)\]\((?:[./]|chapters/)*notation\.md#term-[^)]*\)|</?span[^>]*>")


def of_markdown(text):
    """The sentences of a Markdown text. A list or a table belongs to the paragraph before it."""
    text = TIES.sub(r"\1", text)
    blocks = []  # [text, number of the paragraph]
    within, group, code = False, 0, None
    lines = iter(text.split("\n"))
    for line in lines:
        if fence := FENCE.match(line):
            within = False
            mark, name, title = fence.groups()
            if (not name and title) or name in NO_TEXT:
                body = []
                for inside in lines:
                    if inside.strip() == mark:
                        break
                    body.append(inside)
                if name == "code-cell":
                    code = "\n".join(part for part in body if not re.match(r":\w+:", part))
                    group += 1
                    blocks += [[sentence.text, group] for sentence in of_code(code)]
            elif title:
                group += 1
                blocks.append([title, group])
            continue
        if line.lstrip().startswith("$$"):
            within = False
            rest = line.strip()[2:]
            while "$$" not in rest:
                rest = next(lines, "$$")
            continue
        bare = line.strip()
        if not bare or re.match(r"(?::\w+:|\([\w-]+\)=$|%|\|[\s:|-]+\|$|<!--)", bare):
            if alt := re.match(r":alt: (.*)", bare):
                group += 1
                blocks.append([alt[1], group])
            within = False
        elif bare.startswith("#"):
            within, group = False, group + 1
            blocks.append([bare.lstrip("# "), group])
        elif bare.startswith("|"):
            within = False
            blocks.append([bare, group])
        elif item := ITEM.match(line):
            within = True
            blocks.append([line[item.end() :], group])
        elif within:
            blocks[-1][0] += " " + bare
        else:
            within, group = True, group + (not line.startswith("  "))
            blocks.append([bare.removeprefix("> "), group])
    paragraphs = {}
    for block, number in blocks:
        paragraphs[number] = f"{paragraphs.get(number, '')} {block}".strip()
    return [
        Sentence(text, " ".join(paragraphs[number].split()), "")
        for block, number in blocks
        for text in ([" ".join(block.split())] if block.startswith("|") else split(block))
    ]


SILENT = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)")
SHORT = re.compile(r"\b(?:e\.g|i\.e|et al|cf|vs|eq|Fig|Sec|pp?|No)\.")
END = re.compile(r"[.!?]+[\"”’)\]*_]*(?: ∎)?(?= +[\"“‘(\[*_]*[A-Z0-9`$−])")


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
    try:
        tree = ast.parse(re.sub(r"^\s*[%!].*$", "", text, flags=re.MULTILINE))
    except SyntaxError:
        return []
    return of_tree(tree)


def of_tree(tree):
    """The sentences in the strings of a syntax tree."""
    found = []

    def visit(node):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{…}"
                for part in parts
            )
            if len(re.findall(r"[A-Za-z]{2,}", text)) >= LEAST_WORDS:
                found.append(" ".join(text.split()))
            return
        if isinstance(node, ast.keyword) and node.arg == "options":
            return
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if not (isinstance(key, ast.Constant) and key.value == "options"):
                    visit(value)
            return
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return [Sentence(sentence, said, "") for said in found for sentence in split(said)]
