"""A number in a row of the ledger stands on its page, or in the test that the row names; so does a source.

It is written on the page, or it is rounded from what the row's own cells and tests have: 5.12 from 5.124554, 76 % from
0.76. A digit that is changed in a row alone is found so, unless the page has that number elsewhere.
"""

import re
from functools import cache

import pytest

import ledger
from ledger.proofs import numbers, outputs, rounds_to, text_of_test
from tests.claims.pages import ROOT, page_cells

ROWS = [(page, claim) for page, claims in ledger.claims().items() for claim in claims]
NAMES = re.compile(
    r"(?:sections?|chapters?|eq\.|version|sources?|NumPy|since|Theorems?) [\d.]+(?: and \d+)*", re.IGNORECASE
)
# Numbers that stand nowhere, since they follow from others of their sentence.
FOLLOW = {
    ("chapters/further/05_which_way_beats_what", "84"): "56 + 28",
}
# Sources that a page does not cite itself.
UNCITED = {}


def bare(number):
    """5.100 and 5.1 are the same number."""
    return number.rstrip("0").rstrip(".") if "." in number else number


@cache
def text_of_page(page):
    cells = page_cells(page)
    if not cells:
        return (ROOT / f"{page}.md").read_text(encoding="utf-8")
    return "\n".join(piece for cell in cells for piece in ("".join(cell["source"]), *outputs(cell)))


@cache
def written_on_page(page):
    return set(map(bare, numbers(text_of_page(page))))


@cache
def cells_of(page):
    return {cell.get("id"): cell for cell in page_cells(page)}


def shown(page, claim):
    """The numbers of the cells and tests that a claim names."""
    cells = cells_of(page)
    named = [cells[name] for name in claim.get("cell", []) if name in cells]
    pieces = [piece for cell in named for piece in ("".join(cell["source"]), *outputs(cell))]
    pieces += [text_of_test(test) for test in claim.get("test", [])]
    return {float(one) for piece in pieces for one in numbers(piece)}


def missing(page, claim):
    """The numbers of a claim that are neither written on its page nor rounded from what its cells and tests have."""
    said, known = NAMES.sub(" ", claim["says"]), shown(page, claim)
    return [
        one
        for one in numbers(said)
        if bare(one) not in written_on_page(page) and not rounds_to(one, known, f"{one} %" in said)
    ]


@pytest.mark.parametrize(("page", "claim"), ROWS, ids=[claim["says"][:60] for _, claim in ROWS])
def test_its_numbers_and_sources_stand_on_the_page(page, claim):
    assert [one for one in missing(page, claim) if (page, one) not in FOLLOW] == []
    for key in claim.get("cite", []):
        assert key in text_of_page(page) or (page, key) in UNCITED, f"{page} does not cite {key}"


def test_no_exception_is_stale():
    assert set(FOLLOW) == {(page, one) for page, claim in ROWS for one in missing(page, claim)}
    cited = {(page, key) for page, claim in ROWS for key in claim.get("cite", [])}
    assert set(UNCITED) == {(page, key) for page, key in cited if key not in text_of_page(page)}
