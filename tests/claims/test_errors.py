"""Errors in the wild: each entry names a page that is there, sources that resolve, and tests that exist."""

import pytest

import ledger
from tests.claims.pages import BIBLIOGRAPHY, ROOT, assert_tests_are_there, cited

ERRORS = ledger.errors()
ENTRIES = [(page, entry) for page, entries in ERRORS.items() for entry in entries]


@pytest.mark.parametrize(("page", "entry"), ENTRIES, ids=[entry["error"][:60] for _, entry in ENTRIES])
def test_each_error_is_pinned(page, entry):
    assert set(entry) == {"error", "shows", "met", "test"}
    assert (ROOT / f"{page}.ipynb").is_file(), f"there is no page {page}"
    assert entry["test"], "an error needs a test"
    assert_tests_are_there(entry["test"])
    assert cited(entry["met"]) <= BIBLIOGRAPHY
    assert not entry["error"].endswith(".")
    for text in (entry["shows"], entry["met"]):
        assert text.endswith(".")


def test_every_chapter_has_one():
    assert {path.stem for path in (ROOT / "chapters").glob("[0-9]*.ipynb")} == {
        page.split("/")[1] for page in ERRORS
    }
