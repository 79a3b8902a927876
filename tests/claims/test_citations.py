"""Keys, authors and years: what a key says, what an entry says and what the prose says agree.

A source is known by several signs: a key with an author and a year, the entry's own fields, an arXiv number, which
begins with year and month, and the sentence that names it. A wrong year or name in one of them contradicts another.
"""

import codecs
import re
import unicodedata
from functools import cache

import latexcodec  # noqa: F401 (the codec ulatex)
import pytest
from pybtex.database import parse_file

from tests.claims.pages import NOTEBOOKS, ROOT, page_cells

PROSE = [
    *NOTEBOOKS, *ROOT.glob("*.md"), *(ROOT / "chapters").rglob("*.md"), *(ROOT / "ledger").rglob("*.toml")
]  # fmt: skip
NAME = r"[A-Z][^\W\d_]+(?:-[^\W\d_]+|[’'][A-Z][^\W\d_]+)*"
YEAR = r"(?:18|19|20)\d\d"
KNOWN_AS = {"press2022alibi"}  # a key with the name of a thing, which the title has not


def bare(text):
    """A name in plain letters, without TeX."""
    text = codecs.decode(text, "ulatex").replace("{", "").replace("}", "")
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).strip()


@cache
def bibliography():
    """key -> fields; the authors are their family names, and an institution is one name."""
    found = {}
    for key, entry in parse_file(ROOT / "references.bib").entries.items():
        names = [" ".join([*one.prelast_names, *one.last_names]) for one in entry.persons["author"]]
        found[key] = {**entry.fields, "kind": entry.type, "author": [bare(name) for name in names]}
    return found


def contradictions(found):
    """Sentences about entries that contradict themselves."""
    for key, entry in found.items():
        if not re.fullmatch(YEAR, entry.get("year", "")):
            yield f"{key} has the year {entry.get('year')!r}"
            continue
        year, first = int(entry["year"]), entry["author"][0]
        # name, year and a word of the title: what most keys are made of
        if made := re.fullmatch(rf"([a-z]+)({YEAR})([a-z]\w*)?", key):
            name, said, word = made.groups()
            course = entry["kind"] == "misc" and not first.lower().replace(" ", "").endswith(name)
            if int(said) != year:
                yield f"{key} is from {year}"
            if not course and not first.lower().replace(" ", "").endswith(name):
                yield f"{key} is by {first}"
            letters = re.sub(r"\W", "", bare(entry["title"]).lower())
            if (
                word
                and key not in KNOWN_AS
                and entry["kind"] != "misc"
                and re.sub(r"\W", "", word) not in letters
            ):
                yield f"{key} has the title {entry['title']}"
        elif re.search(YEAR, key) and re.search(YEAR, key)[0] != entry["year"]:
            yield f"{key} is from {year}"
        for number in re.findall(r"arXiv:(\d{4})\.\d{4,5}", " ".join(map(str, entry.values()))):
            sent, month = 2000 + int(number[:2]), int(number[2:])
            # A paper may come out a year or two after it was sent; as an arXiv paper it is of its own year.
            late = 0 if entry.get("journal", "").startswith("arXiv") else 2
            if not (1 <= month <= 12 and sent <= year <= sent + late):
                yield f"{key}: {number} was sent in {sent}, and the entry says {year}"
        for named in re.findall(YEAR, entry.get("booktitle", "") + entry.get("journal", "")):
            if int(named) != year and "arXiv" not in entry.get("journal", ""):
                yield f"{key}: {entry.get('booktitle') or entry.get('journal')}, and the year {year}"


def named_without_a_key(text, found):
    """Authors of the bibliography beside a year, "Vaswani et al. (2017)": a key says who and when, and is compared."""
    authors = "|".join(sorted({re.escape(author) for entry in found.values() for author in entry["author"]}))
    return re.findall(rf"\b(?:{authors})(?:(?:, {NAME})*,? (?:and|&) {NAME}| et al\.)?,? \(?{YEAR}\b", text)


def cited_beside(text, found):
    """A year or a name that stands beside a citation's role: "Shannon {cite:p}`…`", "{cite:t}`…` (1948)"."""
    for role, year in re.findall(rf"\{{cite:[pt]\}}`([^`,]+)` \(({YEAR})\)", text):
        if role in found and found[role]["year"] != year:
            yield f"{role} ({year}) is from {found[role]['year']}"
    for year, roles in re.findall(rf"({YEAR})\b[^.{{}}\n]{{0,40}}\{{cite:[pt]\}}`([^`]+)`", text):
        of = [found[role]["year"] for role in re.split(r",\s*", roles) if role in found]
        if of and year not in of:
            yield f"{year} {{cite:p}}`{roles}` is from {', '.join(of)}"
    for name, key in re.findall(rf"({NAME})(?: et al\.| and {NAME})? \{{cite:p\}}`([^`,]+)`", text):
        names = {bare(author) for entry in found.values() for author in entry["author"]}
        if key in found and name in names and name not in found[key]["author"]:
            yield f"{name} {{cite:p}}`{key}` is by {' and '.join(found[key]['author'][:3])}"


def prose(path):
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = page_cells(path.relative_to(ROOT).with_suffix("").as_posix())
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_the_bibliography_agrees_with_itself():
    found = bibliography()
    assert list(contradictions(found)) == []
    titles = [
        (re.sub(r"\W", "", bare(entry["title"]).lower()), entry["author"][0]) for entry in found.values()
    ]
    assert len(set(titles)) == len(titles), "a source stands twice"


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_names_and_years_in_prose_are_those_of_the_bibliography(path):
    assert named_without_a_key(re.sub(r"\s+", " ", bare(prose(path))), bibliography()) == []
    assert list(cited_beside(prose(path), bibliography())) == []
