"""Each sentence with a number or a strong word prints itself or has a row of the ledger, and each row what shows it."""

import pytest
import yaml

import ledger
from ledger import proofs, prose
from tests.claims.pages import BIBLIOGRAPHY, CHAPTERS, FURTHER, NOTEBOOKS, ROOT, cited, page_of
from tools.sentences import problems

LEDGER = ledger.claims()
ROWS = [(page, row) for page, rows in LEDGER.items() for row in rows]
SPEAKING = [page for page in prose.pages() if prose.printed()[page]]


@pytest.mark.parametrize("page", SPEAKING)
def test_what_a_page_prints_stands_in_its_text(page):
    """What `attn.says` printed with the page's own numbers, and nbval compares; a synonym may differ."""
    missing = prose.missing(prose.printed()[page], prose.running(page))
    assert not missing, "\n".join(
        [
            *missing,
            f"If a number moved: `make notebooks`. If words changed: change them in {speakers(page)}, too",
        ]
    )


def speakers(page):
    """The notebooks whose last cells print sentences of a page."""
    own = [page] if (ROOT / f"{page}.ipynb").exists() else []
    lines = [(one, text) for one in prose.pages() for text in prose.printed_in(one)]
    others = [one for one, text in lines if text.startswith(f"[{page}] ")]
    return " or ".join(f"the last cell of {one}.ipynb" for one in dict.fromkeys([*own, *others]))


@pytest.mark.parametrize("page", prose.pages())
def test_each_sentence_is_read(page):
    assert not proofs.unread(page), "\n".join(problems(page))


@pytest.mark.parametrize(
    ("page", "row"), ROWS, ids=[(row.get("says") or row["text"][0])[:60] for _, row in ROWS]
)
def test_each_claim_is_shown(page, row):
    assert not (found := list(proofs.complaints(page, row))), "\n".join([f"{ledger.file_of(page)}:", *found])


def test_each_row_is_a_pages_and_quotes_what_does_not_print_itself():
    assert set(LEDGER) <= set(prose.pages())
    for page, row in ROWS:
        if row["kind"] == "computed":
            for quote in row.get("text", []):
                left = prose.not_printed(page, proofs.quoted(page, quote))
                assert left.text.strip(), f"{page} prints it, so it needs no row: {quote}"


def test_citations_resolve_and_every_reference_is_cited():
    used = {key for page, row in ROWS for key in proofs.shown(page, proofs.names(row)).keys}
    for path in [*NOTEBOOKS, *ROOT.glob("*.md"), *(ROOT / "chapters").rglob("*.md"), ledger.ERRORS]:
        here = cited(path.read_text(encoding="utf-8"))
        assert here <= BIBLIOGRAPHY, path.name
        used |= here
    assert used == BIBLIOGRAPHY, f"never cited: {BIBLIOGRAPHY - used}"


def test_the_table_of_contents_has_every_chapter():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [entry for part in toc["parts"] for entry in part["chapters"]]
    assert {page_of(path) for path in CHAPTERS} <= {entry["file"] for entry in chapters}
    below = {section["file"]: entry["file"] for entry in chapters for section in entry.get("sections", [])}
    for path in FURTHER:  # 02_one_table stands below chapter 2
        assert below[page_of(path)].startswith(f"chapters/{path.stem.split('_')[0]}_")
