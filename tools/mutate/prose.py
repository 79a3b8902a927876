"""Mutants of what the book says: in its chapters, in the claims ledger, in the bibliography.

What people get wrong in sentences: two numbers exchanged, a digit, a "not" that is lost, all for most, rows for
columns, above for below, larger for smaller, a year.
"""

import json
import re
from functools import cache

from ledger.prose import of_markdown
from tools.mutate.mutant import edited, make

PAIRS = """
all/most  every/nearly every  always/often  never/seldom  nothing/little  nobody/few  none/some  only/mainly
row/column  rows/columns  query/key  queries/keys  input/output  inputs/outputs  encoder/decoder
above/below  before/after  first/last  earlier/later  left/right  up/down  upper/lower  over/under
larger/smaller  largest/smallest  higher/lower  highest/lowest  more/less  longer/shorter  longest/shortest
faster/slower  sharper/flatter  wider/narrower  nearer/farther  greater/less  increases/decreases  rises/falls
positive/negative  even/odd  sine/cosine  mean/variance  sum/product  maximum/minimum  same/opposite
multiply/divide  multiplied/divided  added/subtracted  with/without  inside/outside  at least/at most
two/three  half/twice  one/two  sum/difference
"""
WORDS = {}
for one, two in (pair.split("/") for pair in re.split(r"\s{2,}|\n", PAIRS.strip())):
    WORDS.setdefault(one, two)
    WORDS.setdefault(two, one)
WORD = re.compile(rf"\b({'|'.join(sorted(map(re.escape, WORDS), key=len, reverse=True))})\b", re.IGNORECASE)
NOT = re.compile(r"\b(?:not |cannot\b|can't\b|doesn't\b|don't\b|isn't\b|aren't\b|won't\b|no (?=\w))")
POSITIVE = {
    "not ": "", "no ": "a ", "cannot": "can", "can't": "can", "doesn't": "does", "don't": "do", "isn't": "is",
    "aren't": "are", "won't": "will",
}  # fmt: skip
NUMBER = re.compile(r"(?<![\w.,/^_{-])\d+(?:[.,]\d+)*(?![\w./}])")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# What isn't a sentence: code, directives and their options, addresses, citations, formulas.
SILENT = re.compile(
    r"```\{code.*?```|^```.*$|^:\w+:.*$|^\(\w+\)=$|`[^`]*`|\]\([^)]*\)|\{\w[\w:]*\}`[^`]*`|<[^>]+>|\$\$.*?\$\$|\$[^$\n]*\$",
    re.MULTILINE | re.DOTALL,
)


def spoken(text):
    """The text with all that isn't a sentence blanked out, place for place."""
    return SILENT.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)


def like(word, model):
    return word.capitalize() if model[:1].isupper() else word


def mutants(area, file, text, cell=""):
    """All mutants of a text, but of numbers that change places one for each number."""
    found, said = [], spoken(text)

    def add(kind, *edits):
        found.append(make(area, file, kind, text, list(edits), cell))

    for match in WORD.finditer(said):
        add("other word", (*match.span(), like(WORDS[match[0].lower()], match[0])))
    for match in NOT.finditer(said):
        add("not dropped", (*match.span(), POSITIVE[match[0]]))
    numbers = list(NUMBER.finditer(said))
    for match in numbers:
        digit = str((int(match[0][-1]) + 1) % 10)
        kind = "other year" if YEAR.fullmatch(match[0]) else "other digit"
        add(kind, (*match.span(), match[0][:-1] + digit))
    for place, match in enumerate(numbers):
        others = [other for other in numbers[place + 1 :] if other[0] != match[0]]
        if others:
            add("numbers exchanged", (*match.span(), others[0][0]), (*others[0].span(), match[0]))
    return found


def of_notebook(area, file, text):
    """The mutants of a notebook's prose."""
    found = []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "markdown":
            found += mutants(area, file, "".join(cell["source"]), cell["id"])
    return found


@cache
def sentences(text):
    """The sentences of a text, and which of them somebody has to have read."""
    return {sentence.text: sentence.needs_a_reading for sentence in of_markdown(text)}


def is_read(mutant, text):
    """Whether a mutant changes a sentence that somebody has to have read: it has a number or a strong word."""
    if mutant.file.endswith(".bib"):
        return True
    if mutant.cell:
        (cell,) = [cell for cell in json.loads(text)["cells"] if cell.get("id") == mutant.cell]
        text = "".join(cell["source"])
    left = {sentence.text for sentence in of_markdown(edited(text, mutant.edits))}
    return any(read for sentence, read in sentences(text).items() if sentence not in left)


def of_bibliography(area, file, text):
    """A year of one work more or less."""
    return [
        make(area, file, "other year", text, [(*match.span(1), str(int(match[1]) + 1))])
        for match in re.finditer(r"^\s*year\s*=\s*\{?(\d{4})", text, re.MULTILINE)
    ]


def of_ledger(area, file, text):
    """A sentence that says something else; a proof that is another's: a cell, a test or a source."""
    found = []
    for row in re.finditer(r'^says = "(.*)"$', text, re.MULTILINE):
        for mutant in mutants(area, file, row[1]):
            edits = [(start + row.start(1), end + row.start(1), new) for start, end, new in mutant.edits]
            found.append(make(area, file, mutant.kind, text, edits))
    for row in re.finditer(r"^text = (?:\"(.*)\"|'(.*)')$", text, re.MULTILINE):
        side = 1 if row[1] is not None else 2
        for mutant in mutants(area, file, row[side]):
            edits = [
                (start + row.start(side), end + row.start(side), new) for start, end, new in mutant.edits
            ]
            found.append(make(area, file, mutant.kind, text, edits))
    for key in ("cell", "test", "cite", "by"):
        rows = re.findall(rf"^{key} = \[(.*)\]$", text, re.MULTILINE)
        names = sorted({name for row in rows for name in re.findall(r'"([^"]+)"', row)})
        for row in re.finditer(rf"^{key} = \[(.*)\]$", text, re.MULTILINE):
            for name in re.finditer(r'"([^"]+)"', row[1]):
                start = row.start(1) + name.start(1)
                other = names[(names.index(name[1]) + 1) % len(names)]
                if other not in row[1]:
                    found.append(
                        make(area, file, f"other {key}", text, [(start, start + len(name[1]), other)])
                    )
    return found
