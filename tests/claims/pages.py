"""What the tests of claims share: a page's cells, the numbers in its prose, the tests and sources that it names."""

import ast
import json
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
FURTHER = sorted((ROOT / "chapters" / "further").glob("*.ipynb"))
NOTEBOOKS = [*CHAPTERS, *FURTHER]
BIBLIOGRAPHY = set(
    re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text(encoding="utf-8"), re.M)
)


def page_of(path):
    """A notebook's page, as the ledger and the table of contents name it."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def page_cells(page):
    path = ROOT / f"{page}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []


@cache
def tests_in(file):
    """The names of the tests in a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return {name for name in functions if name.startswith("test")}


def assert_tests_are_there(tests):
    """Each test that an entry of the ledger names, as file::name, is there."""
    for test in tests:
        file, _, name = test.partition("::")
        assert (ROOT / file).is_file(), f"{file} is gone"
        assert name in tests_in(file), f"{file} has no test {name}"


def cited(text):
    """The keys of the bibliography that a text cites."""
    return {key for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", text) for key in keys.split(",")}
