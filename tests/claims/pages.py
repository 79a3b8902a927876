"""What the tests of claims share: a page's cells, and the tests and sources that it names."""

import json
import re
from pathlib import Path

from ledger.proofs import bibliography, functions_of

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
FURTHER = sorted((ROOT / "chapters" / "further").glob("*.ipynb"))
NOTEBOOKS = [*CHAPTERS, *FURTHER]
BIBLIOGRAPHY = bibliography()


def page_of(path):
    """A notebook's page, as the ledger and the table of contents name it."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def page_cells(page):
    path = ROOT / f"{page}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []


def assert_tests_are_there(tests):
    """Each test that an entry of the ledger names, as file::name, is there."""
    for test in tests:
        file, _, name = test.partition("::")
        assert name in functions_of(file), f"there is no test {test}"


def cited(text):
    """The keys of the bibliography that a text cites."""
    return {key for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", text) for key in keys.split(",")}
