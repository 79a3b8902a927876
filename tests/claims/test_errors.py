"""Errors in the wild, and our own: each names a page that is there, sources that resolve, and tests that exist."""

import pytest

import ledger
from tests.claims.pages import BIBLIOGRAPHY, CHAPTERS, ROOT, assert_tests_are_there, cited, page_of

ERRORS = [(page, entry) for page, entries in ledger.errors().items() for entry in entries]
OWN = ledger.own_errors()


@pytest.mark.parametrize(("page", "entry"), ERRORS, ids=[entry["error"][:60] for _, entry in ERRORS])
def test_each_error_is_pinned(page, entry):
    assert set(entry) == {"error", "shows", "met", "test"}
    assert (ROOT / f"{page}.ipynb").is_file(), f"there is no page {page}"
    assert entry["test"], "an error needs a test"
    assert_tests_are_there(entry["test"])
    assert cited(entry["met"]) <= BIBLIOGRAPHY
    assert [entry[name].endswith(".") for name in ("error", "shows", "met")] == [False, True, True]


def test_every_chapter_has_one():
    assert set(map(page_of, CHAPTERS)) == set(ledger.errors())


@pytest.mark.parametrize("entry", OWN, ids=[entry["said"][:60] for entry in OWN])
def test_each_of_our_own_is_whole(entry):
    assert {"page", "said", "wrong", "caught"} <= set(entry) <= {"page", "said", "wrong", "caught", "test"}
    assert (ROOT / f"{entry['page']}.ipynb").is_file(), f"there is no page {entry['page']}"
    for name in ("said", "wrong", "caught"):
        assert entry[name].rstrip('"').endswith("."), entry[name]
    assert_tests_are_there(entry.get("test", []))
