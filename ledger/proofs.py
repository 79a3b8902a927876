"""What an entry of `ledger/sentences/` promises, and whether it keeps it: its sentence is there, its numbers are given.

An entry names in `by` what gives the numbers of its sentence: a cell, a test, a source, or a row of `claims.toml`. Only
what it names counts, not what else its page says. Needs Python alone.
"""

import ast
import re
from functools import cache

import ledger
from ledger.prose import LEAST_WORDS, ROOT, cells, not_printed, pages, prose_numbers, sentences

FOLDER = ledger.FOLDER / "sentences"
KINDS = {
    "proved": "shown for all cases within the conditions that the page names, and attacked: a search for a "
    "counterexample within them finds none",
    "computed": "its page prints it from its own numbers, or a test calculates what the page can't",
    "measured": "drawn at random; its paragraph says how many runs or draws there were",
    "history": "somebody else said or did it; the ledger names the place in the source, or who told us",
    "convention": "a choice of this book, or of those who use the word",
    "no claim": "an instruction, a question, a plan, or what somebody might wrongly think",
}
KEYS = {"text", "kind", "by", "follows", "place", "seen_by"}
# "200 runs", "50 seeds", "two hundred draws": how many a measurement had.
HOW_MANY = re.compile(
    r"\b(?:\d[\d,]*|ten|twenty|fifty|(?:a |two |five )?hundred|(?:a )?thousand)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:seed|run|draw|start|sample|trial|training|network|initialization|init|text|word|pair|vector|example|time|table|token|head|quer(?:y|ie))s?\b"
)
OF_WHAT = re.compile(r"\b(?:seeds?|starts?|draws?|drawn|drew|random\w*|samples?|runs?)\b")
FALSIFY = "tests/falsify/"


def path_of(page):
    """The file with a page's entries."""
    return FOLDER / f"{page.removeprefix('chapters/')}.toml"


def entries(page):
    """The entries of a page, in the file's order, what claims nothing last; None if nobody has begun."""
    path = path_of(page)
    if not path.exists():
        return None
    file = ledger.loaded(path)
    nothing = [{"text": text, "kind": "no claim"} for text in file.get("no_claim", [])]
    return [*file.get("sentence", []), *nothing]


# ---------------------------------------------------------------- numbers


def numbers(text):
    """All numbers of a text, also those of one digit, without commas and underscores."""
    return re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d)[,_](?=\d{3})", "", text))


def rounds_to(number, known, hundredfold):
    """Whether one of the known numbers, or its hundredfold, is this one when it is rounded."""
    room = 0.5001 * 10.0 ** -len(number.partition(".")[2])
    return any(
        abs(factor * one - float(number)) <= room for one in known for factor in (1, 100)[: 1 + hundredfold]
    )


def outputs(cell):
    """What a cell printed, as plain text."""
    for output in cell.get("outputs", []):
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        yield "".join(text)


class WithoutProse(ast.NodeTransformer):
    """Code without what it only says: strings that are prose. A number in a sentence does not prove itself."""

    def visit_Constant(self, node):  # noqa: N802 - ast's name
        says = isinstance(node.value, str) and len(node.value.split()) >= LEAST_WORDS
        return ast.Constant("") if says else node

    def visit_JoinedStr(self, node):  # noqa: N802
        return ast.Tuple(
            [part.value for part in node.values if isinstance(part, ast.FormattedValue)], ast.Load()
        )


@cache
def code_of(source):
    """What a source calculates with, without comments and prose."""
    source = re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE)
    return ast.unparse(ast.fix_missing_locations(WithoutProse().visit(ast.parse(source))))


@cache
def texts_of_tests(file):
    """The tests of a file, without comments and prose: name -> text."""
    tree = ast.parse(code_of((ROOT / file).read_text(encoding="utf-8")))
    return {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def text_of_test(test):
    """What a test calculates with, "" if there is no such test."""
    file, _, name = test.partition("::")
    return texts_of_tests(file).get(name, "") if (ROOT / file).is_file() else ""


@cache
def bibliography():
    """The bibliography: key -> year."""
    text = (ROOT / "references.bib").read_text(encoding="utf-8")
    found = dict(re.findall(r"^@\w+\{([^,]+),\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    return {key: "".join(re.findall(r"year = \{(\d+)\}", fields)) for key, fields in found.items()}


# ---------------------------------------------------------------- what an entry names


def cell_of(page, name):
    """The executed cell that a name stands for: "write-it", or another page's, "chapters/00_attention#write-it"."""
    other, _, name = name.rpartition("#")
    if other and other not in pages():
        return None
    found = [cell for cell in cells(other or page) if cell.get("id") == name and cell["cell_type"] == "code"]
    return found[0] if found else None


def rows_that_begin(page, words):
    """The rows of the claims ledger whose sentence begins so: of this page, or else of all."""
    claims = ledger.claims()
    own = [(page, row) for row in claims.get(page, []) if row["says"].startswith(words)]
    return own or [
        (other, row) for other, rows in claims.items() for row in rows if row["says"].startswith(words)
    ]


def shown(page, names):
    """What names of `by` stand for: (texts of cells, texts of tests, keys, names of tests, complaints)."""
    found = {"cells": [], "tests": [], "keys": [], "test names": [], "complaints": []}
    for name in names:
        if "::" in name:
            if text := text_of_test(name):
                found["tests"].append(text)
                found["test names"].append(name)
            else:
                found["complaints"].append(f"there is no test {name}")
        elif name in bibliography():
            found["keys"].append(name)
        elif cell := cell_of(page, name):
            printed = [
                text for text in outputs(cell) if not text.startswith("<Predict:")
            ]  # its own words again
            found["cells"].append("\n".join([code_of("".join(cell["source"])), *printed]))
        elif " " in name and len(rows := rows_that_begin(page, name)) == 1:
            other, row = rows[0]
            more = [f"{other}#{cell}" for cell in row.get("cell", [])]
            inner = shown(other, [*more, *row.get("test", []), *row.get("cite", [])])
            for kind, values in inner.items():
                found[kind] += values
        else:
            found["complaints"].append(
                f"{name!r} is no cell, no test, no key of the bibliography, and not how one row of claims.toml begins"
            )
    return found


def given(entry, found):
    """The numbers that an entry's proofs give, as a set; a source gives its year and what the entry quotes of it."""
    texts = [*found["cells"], *found["tests"], *(bibliography()[key] for key in found["keys"])]
    texts += [entry.get("place", "")]
    known = {float(one) for text in texts for one in numbers(text)}
    for sum_ in entry.get("follows", []):
        if all(len(one) == 1 or rounds_to(one, known, hundredfold=False) for one in numbers(sum_)):
            known.add(value(sum_))
    return known


def value(sum_):
    """What an expression of numbers and + − * / ** is: "56 + 28"."""
    if not re.fullmatch(r"[\d\s.+\-*/()]+", sum_):
        return float("nan")
    return float(eval(sum_, {"__builtins__": {}}))  # digits and signs alone


# ---------------------------------------------------------------- what is wrong


def not_given(page, entry):
    """The numbers of an entry's sentence that nothing gives which the entry names."""
    known = given(entry, shown(page, entry.get("by", [])))
    said = prose_numbers(entry["text"])
    return [one for one in said if not rounds_to(one.replace(",", ""), known, f"{one} %" in entry["text"])]


def complaints(page, entry):
    """What is wrong with an entry, as sentences."""
    kind, place = entry.get("kind", ""), {sentence.text: sentence for sentence in sentences(page)}
    if kind not in KINDS:
        yield f"nobody has read it: its kind is {kind!r}, not one of {', '.join(KINDS)}"
        return
    if strange := set(entry) - KEYS:
        yield f"it has {', '.join(sorted(strange))}, which nothing reads: take it out once you have read it"
    for name in ("by", "follows"):
        value = entry.get(name, [])
        if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            yield f'{name} must be a list of texts, as {name} = ["…"], got {value!r}'
            return
    if entry["text"] not in place:
        yield "its page has no such sentence (any more)"
        return
    found = shown(page, entry.get("by", []))
    yield from found["complaints"]
    if kind != "no claim" and (missing := not_given(page, entry)):
        yield f"nothing in its `by` gives {', '.join(missing)}"
    yield from complaints_of_kind(kind, entry, found, place[entry["text"]].paragraph)


def complaints_of_kind(kind, entry, found, paragraph):
    """What its kind promises and the entry doesn't keep."""
    if kind == "proved" and not any(name.startswith(FALSIFY) for name in found["test names"]):
        yield f"proved, but its `by` names no attack in {FALSIFY}"
    if kind == "computed" and not found["tests"]:
        yield "computed, but its `by` names no test: let its page print it (attn/says.py)"
    if kind == "measured" and not (found["cells"] or found["tests"]):
        yield "measured, but its `by` names no cell and no test"
    if kind == "measured" and not (HOW_MANY.search(paragraph) and OF_WHAT.search(paragraph)):
        yield "measured, but its paragraph doesn't say how many runs or draws there were"
    if kind == "history":
        if not found["keys"]:
            yield "history, but its `by` names no key of the bibliography"
        if not (entry.get("place") or entry.get("seen_by")):
            yield "history, but no `place` in the source, nor `seen_by` for who told us"


def without_entry(page):
    """The sentences of a page that have no entry, each once."""
    have = {entry["text"] for entry in entries(page) or []}
    return list({s.text: s for s in sentences(page) if s.text not in have}.values())


def unread(page):
    """The sentences of a page that need an entry, have none, and do not print themselves."""
    return [one for one in without_entry(page) if not_printed(page, one).needs_a_reading]
