"""What a row of `ledger/claims/` promises, and whether it keeps it: its sentences are there, its numbers are given.

A row names in `by` what shows it: a cell, a test, a script, a source, or another row. Only what it names counts, not
what else its page says. Needs Python alone.
"""

import ast
import re
from functools import cache
from typing import NamedTuple

import ledger
from ledger.prose import (
    LEAST_WORDS,
    LINK,
    ROOT,
    cells,
    even,
    not_printed,
    pages,
    place,
    prose_numbers,
    sentences,
    without,
)

KINDS = {
    "proved": "shown for all cases within the conditions that the page names, and attacked: a search for a "
    "counterexample within them finds none",
    "computed": "its page prints it from its own numbers, or a test calculates what the page can't",
    "measured": "drawn at random; the ledger says how many runs or draws there were",
    "history": "somebody else said or did it; the ledger names the place in the source, or who told us",
    "convention": "a name, a choice, or what an example sets",
}
KEYS = {"kind", "says", "text", "by", "place", "seen_by", "answer"}
# "200 runs", "50 seeds", "two hundred draws": how many a measurement had.
HOW_MANY = re.compile(
    r"\b(?:\d[\d,]*|ten|twenty|fifty|(?:a |two |five )?hundred|(?:a )?thousand)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:seed|run|draw|start|sample|trial|training|network|initialization|init|text|word|pair|vector|example|time|table|token|head|quer(?:y|ie))s?\b"
)
OF_WHAT = re.compile(r"\b(?:seeds?|starts?|draws?|drawn|drew|random\w*|samples?|runs?)\b")
FALSIFY = "tests/falsify/"


# ---------------------------------------------------------------- the sentence that a row quotes


def bare(quote):
    """A sentence as `place` compares it: without the addresses of its links, and commas between words."""
    return even(LINK.sub(r"\1", quote))


def quoted(page, quote):
    """The sentence of a page that says what a row quotes, or None."""
    return next((one for one in sentences(page) if place(bare(quote), bare(one.text))), None)


def unread(page):
    """The sentences of a page that need a row, have none, and do not print themselves, each once."""
    quotes = [bare(quote) for row in ledger.claims().get(page, []) for quote in row.get("text", [])]
    need = {one.text: one for one in sentences(page) if one.needs_a_reading}
    # One of the two may take out a part of what the other needs.
    return [
        one
        for one in need.values()
        if not_printed(page, without(quotes, one)).needs_a_reading
        and without(quotes, not_printed(page, one)).needs_a_reading
    ]


# ---------------------------------------------------------------- numbers


def numbers(text):
    """All numbers of a text, also those of one digit, without commas and underscores."""
    return re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d)[,_](?=\d{3})", "", text))


def rounds_to(number, known, hundredfold):
    """Whether one of the known numbers, or its hundredfold, is this one when it is rounded."""
    room = 0.5001 * 10.0 ** -len(number.partition(".")[2])
    factors = (1, 100) if hundredfold else (1,)
    return any(abs(factor * one - float(number)) <= room for one in known for factor in factors)


def not_given(text, known):
    """The numbers that a text states and that none of the known ones gives."""
    return [
        one for one in prose_numbers(text) if not rounds_to(one.replace(",", ""), known, f"{one} %" in text)
    ]


class WithoutProse(ast.NodeTransformer):
    """Code without what it only says: strings that are prose. A number in a sentence does not prove itself."""

    def visit_Constant(self, node):  # noqa: N802 - ast's name
        says = isinstance(node.value, str) and len(node.value.split()) >= LEAST_WORDS
        return ast.Constant("") if says else node

    def visit_JoinedStr(self, node):  # noqa: N802
        values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.Tuple(values, ast.Load())


@cache
def code_of(source):
    """What a source calculates with, without comments and prose."""
    source = re.sub(r"^[%!].*$", "", source, flags=re.MULTILINE)
    return ast.unparse(ast.fix_missing_locations(WithoutProse().visit(ast.parse(source))))


@cache
def texts_of_tests(file):
    """The tests of a file, without comments and prose: name -> text."""
    if not (ROOT / file).is_file():
        return {}
    tree = ast.parse(code_of((ROOT / file).read_text(encoding="utf-8")))
    return {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def text_of_cell(cell):
    """What a cell calculates with and printed, without what a figure's prediction says."""
    outputs = [
        "".join(o.get("text") or o.get("data", {}).get("text/plain", "")) for o in cell.get("outputs", [])
    ]
    printed = [text for text in outputs if not text.startswith("<Predict:")]
    return "\n".join([code_of("".join(cell["source"])), *printed])


@cache
def bibliography():
    """The bibliography: key -> year."""
    text = (ROOT / "references.bib").read_text(encoding="utf-8")
    found = dict(re.findall(r"^@\w+\{([^,]+),\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    return {key: "".join(re.findall(r"year = \{(\d+)\}", fields)) for key, fields in found.items()}


# ---------------------------------------------------------------- what a row names


class Shown(NamedTuple):
    """What names of `by` stand for: the texts of cells and tests, keys, names of tests and of cells, complaints."""

    texts: list
    keys: list
    tests: list
    cells: list
    complaints: list


def cell_of(page, name):
    """The executed cell that a name stands for: "write-it", or another page's, "chapters/00_attention#write-it"."""
    other, _, name = name.rpartition("#")
    every = cells(other or page) if not other or other in pages() else []
    found = [one for one in every if one.get("id") == name and one.get("execution_count")]
    return found[0] if found else None


def rows_that_begin(page, words):
    """The rows whose `says` begins so: of this page, or else of all; (page, row) each."""
    claims = ledger.claims()
    every = [
        (other, row)
        for other, rows in claims.items()
        for row in rows
        if row.get("says", "").startswith(words)
    ]
    return [(other, row) for other, row in every if other == page] or every


def names(row):
    """What a row says that shows it, or else the sources that its sentences cite."""
    cited = re.findall(r"\{cite:[pt]\}`([^`]+)`", " ".join(row.get("text", [])))
    return row.get("by") or [key for keys in cited for key in keys.split(",")]


def shown(page, names):
    """What names of `by` stand for."""
    found = Shown([], [], [], [], [])
    for name in names:
        file, _, test = name.partition("::")
        if test:
            if text := texts_of_tests(file).get(test):
                found.texts.append(text)
                found.tests.append(name)
            else:
                found.complaints.append(f"there is no test {name}")
        elif name.endswith(".py") and (ROOT / name).is_file():
            found.texts.append(code_of((ROOT / name).read_text(encoding="utf-8")))
        elif name in bibliography():
            found.keys.append(name)
            found.texts.append(bibliography()[name])
        elif cell := cell_of(page, name):
            found.cells.append(name)
            found.texts.append(text_of_cell(cell))
        elif " " in name and len(rows := rows_that_begin(page, name)) == 1:
            for ours, theirs in zip(found, shown(rows[0][0], rows[0][1].get("by", [])), strict=True):
                ours += theirs
        else:
            found.complaints.append(
                f"{name!r} is no executed cell, no test, no script, no key of the bibliography, and no row begins so"
            )
    return found


# ---------------------------------------------------------------- what is wrong


def complaints(page, row):
    """What is wrong with a row, as sentences."""
    kind = row["kind"]
    if kind not in KINDS:
        yield f"its kind is {kind!r}, not one of {', '.join(KINDS)}"
        return
    if strange := set(row) - KEYS:
        yield f"it has {', '.join(sorted(strange))}, which nothing reads"
    for name in ("text", "by"):
        value = row.get(name, [])
        if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            yield f'{name} must be a list of texts, as {name} = ["…"], got {value!r}'
            return
    if not (row.get("says") or row.get("text")):
        yield "it has neither a text, which quotes its page, nor a claim that it says"
    found = shown(page, names(row))
    yield from found.complaints
    known = {float(one) for text in [*found.texts, row.get("place", "")] for one in numbers(text)}
    known |= numbers_of_cells(page) if kind == "convention" else set()
    for quote in row.get("text", []):
        if not (sentence := quoted(page, quote)):
            yield f"its page has no such sentence (any more): {quote}"
            continue
        if missing := not_given(not_printed(page, sentence).text, known):
            yield f"nothing in its `by` gives {', '.join(missing)}: {quote}"
    if missing := not_given(row.get("says", ""), known | numbers_of(page)):
        yield f"nothing in its `by`, and not its page, gives {', '.join(missing)}: {row['says']}"
    yield from complaints_of_kind(row, found)


@cache
def numbers_of_cells(page):
    """The numbers of a page's code, and of what it printed."""
    return {
        float(one)
        for cell in cells(page)
        if cell["cell_type"] == "code"
        for one in numbers(text_of_cell(cell))
    }


@cache
def numbers_of(page):
    """The numbers of a page's sentences."""
    return frozenset(float(one) for sentence in sentences(page) for one in numbers(sentence.text))


def complaints_of_kind(row, found):
    """What its kind promises and the row doesn't keep."""
    kind = row["kind"]
    if kind == "proved" and not any(name.startswith(FALSIFY) for name in found.tests):
        yield f"proved, but its `by` names no attack in {FALSIFY}"
    if kind == "computed" and not found.tests:
        yield "computed, but its `by` names no test: let its page print it (attn/says.py)"
    if kind == "measured":
        if not (found.cells or found.tests):
            yield "measured, but its `by` names no cell and no test"
        said = " ".join([row.get("says", ""), *row.get("text", [])])
        if not (HOW_MANY.search(said) and OF_WHAT.search(said)):
            yield "measured, but it does not say how many runs or draws there were"
    if kind == "history":
        if not found.keys:
            yield "history, but its `by` names no key of the bibliography"
        if not (row.get("place") or row.get("seen_by")):
            yield "history, but no `place` in the source, nor `seen_by` for who told us"
