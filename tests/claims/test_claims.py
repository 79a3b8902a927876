"""The ledger holds: each claim has a proof that is there, and what is cited is there."""

import pytest
import yaml

import ledger
from tests.claims.pages import (
    BIBLIOGRAPHY,
    CHAPTERS,
    FURTHER,
    NOTEBOOKS,
    ROOT,
    assert_tests_are_there,
    cited,
    page_cells,
    page_of,
)

LEDGER = ledger.claims()
CLAIMS = [(page, claim) for page, claims in LEDGER.items() for claim in claims]


@pytest.mark.parametrize(("page", "claim"), CLAIMS, ids=[claim["says"][:60] for _, claim in CLAIMS])
def test_each_claim_is_shown(page, claim):
    known = {"says", "cell", "test", "cite"} | (
        {"answer"} if page.startswith("chapters/teaching/") else set()
    )
    assert set(claim) <= known, "unknown key"
    assert claim.get("cell") or claim.get("test") or claim.get("cite"), (
        "a claim needs a cell, a test or a citation"
    )
    cells = {cell.get("id"): cell for cell in page_cells(page)}
    for name in claim.get("cell", []):
        assert name in cells, f"{page} has no cell {name}"
        assert cells[name]["cell_type"] == "code"
        assert cells[name]["execution_count"], f"cell {name} was not executed"
    assert_tests_are_there(claim.get("test", []))
    for key in claim.get("cite", []):
        assert key in BIBLIOGRAPHY, f"references.bib has no {key}"


def test_every_citation_resolves():
    for path in [*NOTEBOOKS, *ROOT.glob("*.md"), *(ROOT / "chapters").rglob("*.md")]:
        unknown = cited(path.read_text(encoding="utf-8")) - BIBLIOGRAPHY
        assert unknown == set(), path.name


def test_every_reference_is_cited():
    text = "".join(
        path.read_text(encoding="utf-8")
        for path in [*NOTEBOOKS, *(ROOT / "chapters").rglob("*.md"), ROOT / "ledger" / "errors.toml"]
    )
    named = cited(text) | {key for _, claim in CLAIMS for key in claim.get("cite", [])}
    assert named >= BIBLIOGRAPHY, f"never cited: {BIBLIOGRAPHY - named}"


def test_the_table_of_contents_has_every_chapter():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [entry for part in toc["parts"] for entry in part["chapters"]]
    listed = {entry["file"] for entry in chapters}
    assert {page_of(path) for path in CHAPTERS} <= listed
    below = {section["file"]: entry["file"] for entry in chapters for section in entry.get("sections", [])}
    for path in FURTHER:  # 02_one_table stands below chapter 2
        assert below[page_of(path)].startswith(f"chapters/{path.stem.split('_')[0]}_")
