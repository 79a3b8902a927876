"""What a row of `ledger/claims/` promises, and whether it keeps it: its sentences are there, and so is what shows it.

A row names in `by` what shows it: a cell, a test, a script, a source, or another row. Needs Python alone.
"""

import re
from functools import cache
from typing import NamedTuple

import ledger
from ledger.prose import (
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


# ---------------------------------------------------------------- what a row names


@cache
def bibliography():
    """The keys of the bibliography."""
    text = (ROOT / "references.bib").read_text(encoding="utf-8")
    return set(re.findall(r"^@\w+\{([^,]+),", text, re.MULTILINE))


@cache
def functions_of(file):
    """The names of a Python file's functions, tests among them; none if there is no such file."""
    path = ROOT / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return set(re.findall(r"^ *def (\w+)", text, re.MULTILINE))


class Shown(NamedTuple):
    """What names of `by` stand for: keys of the bibliography, tests, cells; and what is wrong with the names."""

    keys: list
    tests: list
    cells: list
    complaints: list


def is_cell(page, name):
    """Whether an executed cell has this name: "write-it", or another page's, "chapters/00_attention#write-it"."""
    other, _, name = name.rpartition("#")
    every = cells(other or page) if not other or other in pages() else []
    return any(one.get("id") == name and one.get("execution_count") for one in every)


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
    found = Shown([], [], [], [])
    for name in names:
        file, _, test = name.partition("::")
        if test and test in functions_of(file):
            found.tests.append(name)
        elif test:
            found.complaints.append(f"there is no test {name}")
        elif name in bibliography():
            found.keys.append(name)
        elif is_cell(page, name):
            found.cells.append(name)
        elif " " in name and len(rows := rows_that_begin(page, name)) == 1:
            for ours, theirs in zip(found, shown(rows[0][0], rows[0][1].get("by", [])), strict=True):
                ours += theirs
        elif not (name.endswith(".py") and (ROOT / name).is_file()):
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
    for quote in row.get("text", []):
        if not quoted(page, quote):
            yield f"its page has no such sentence (any more): {quote}"
    if missing := [one for one in prose_numbers(row.get("says", "")) if one not in numbers_of(page)]:
        yield f"its page does not say {', '.join(missing)}: {row['says']}"
    yield from complaints_of_kind(row, found)


@cache
def numbers_of(page):
    """The numbers of a page's sentences."""
    return {one for sentence in sentences(page) for one in prose_numbers(sentence.text)}


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
