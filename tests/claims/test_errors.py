"""Errors in the wild: each entry names a page that is there, sources that resolve, and tests that exist."""

import re
import tomllib

import pytest

from tests.claims.test_claims import BIBLIOGRAPHY, ROOT, test_functions

ERRORS = tomllib.loads((ROOT / "tests" / "errors.toml").read_text(encoding="utf-8"))
ENTRIES = [(page, entry) for page, entries in ERRORS.items() for entry in entries]


@pytest.mark.parametrize(("page", "entry"), ENTRIES, ids=[entry["error"][:60] for _, entry in ENTRIES])
def test_each_error_is_pinned(page, entry):
    assert set(entry) == {"error", "shows", "met", "test"}
    assert (ROOT / f"{page}.ipynb").is_file(), f"there is no page {page}"
    assert entry["test"], "an error needs a test"
    for test in entry["test"]:
        file, _, name = test.partition("::")
        assert (ROOT / file).is_file(), f"{file} is gone"
        assert name in test_functions(ROOT / file), f"{file} has no test {name}"
    for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", entry["met"]):
        assert set(keys.split(",")) <= BIBLIOGRAPHY
    assert not entry["error"].endswith(".")
    for text in (entry["shows"], entry["met"]):
        assert text.endswith(".")


def test_every_chapter_has_one():
    assert {path.stem for path in (ROOT / "chapters").glob("[0-9]*.ipynb")} == {
        page.split("/")[1] for page in ERRORS
    }
