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

# A number that a reader could check: it has a decimal point, a thousands comma, or two digits and more.
NUMBER = re.compile(
    r"(?<![\w.,])\d+(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])\d+\.\d+(?!\.?\d)|(?<![\w.,])\d{2,}(?![\w.,]\d)(?!\w)"
)
NOT_PROSE = [
    r"^```\{(?:exercise|solution|admonition)[^\n]*",  # the fence, not what it holds
    r"^:\w+:.*$",
    r"\{cite:[pt]\}`[^`]*`",
    r"`[^`]*`",
    r"\]\([^)]*\)",
    r"<[^>]+>",
    r"^(?:jupytext|kernelspec).*$",
    r"(?:section|chapters?|eq\.|version|sources?|NumPy|since) [\d.]+(?: and \d+)*",  # names and dates of things
    r"10\^\{?-?\d+\}?",
    r"\\\\\[[\d.]+ex\]",  # room between two lines of an equation
    r"\d+ minutes",
    r"9[59](?:\.9)? % (?:confidence|interval)",
]


def prose_numbers(text):
    """The numbers that a page's prose states, in the order of the page."""
    for pattern in NOT_PROSE:
        text = re.sub(pattern, " ", text, flags=re.M | re.I)
    return NUMBER.findall(text)


def page_of(path):
    """A notebook's page, as the ledger and the table of contents name it."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def plain(number):
    return number.replace(",", "")


def page_cells(page):
    path = ROOT / f"{page}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []


def outputs(cell):
    for output in cell.get("outputs", []):
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        yield "".join(text)


def computed(cells, claims):
    """All numbers that code states or prints on a page, or that a proved claim holds."""
    pieces = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    pieces += [text for cell in cells for text in outputs(cell)]
    pieces += [claim["says"] for claim in claims]
    return set(re.findall(r"\d+(?:\.\d+)?", " ".join(pieces).replace(",", "").replace("_", "")))


def bare(number):
    """5.100 and 5.1 are the same number."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def unproved(text, cells, claims):
    known = set(map(bare, computed(cells, claims)))
    return [number for number in prose_numbers(text) if bare(plain(number)) not in known]


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
