"""The ledger holds: each claim has a proof that is there, and the prose states no number that nothing computes."""

import ast
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LEDGER = tomllib.loads((ROOT / "tests" / "claims.toml").read_text(encoding="utf-8"))
CLAIMS = [(page, claim) for page, claims in LEDGER.items() for claim in claims]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
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
def test_functions(path):
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            names.add(node.name)
    return names


test_functions.__test__ = False


def test_every_chapter_has_claims():
    assert {f"chapters/{path.stem}" for path in CHAPTERS} <= set(LEDGER)


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
    for test in claim.get("test", []):
        file, _, name = test.partition("::")
        assert (ROOT / file).is_file(), f"{file} is gone"
        assert name in test_functions(ROOT / file), f"{file} has no test {name}"
    for key in claim.get("cite", []):
        assert key in BIBLIOGRAPHY, f"references.bib has no {key}"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_number_in_the_prose_is_computed(path):
    page = f"chapters/{path.stem}"
    cells = page_cells(page)
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert unproved(text, cells, LEDGER[page]) == []


def test_a_number_out_of_nowhere_is_found():
    cells = [{"cell_type": "code", "source": ["print(0.25)"], "outputs": [{"text": ["0.534\n"]}]}]
    claims = [{"says": "The sum is 1,024."}]
    text = "We saw 0.534, 0.25 and 1,024, in `code 7.5` {cite:p}`x2017`. But 0.333 and 4,097 and 37 come from nowhere."
    assert unproved(text, cells, claims) == ["0.333", "4,097", "37"]


def test_every_citation_resolves():
    for path in [*CHAPTERS, *ROOT.glob("*.md"), *(ROOT / "chapters").rglob("*.md")]:
        text = path.read_text(encoding="utf-8")
        for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", text):
            assert set(keys.split(",")) <= BIBLIOGRAPHY, f"{path.name} cites {keys}"


def test_every_reference_is_cited():
    text = "".join(
        path.read_text(encoding="utf-8") for path in [*CHAPTERS, *(ROOT / "chapters").rglob("*.md")]
    )
    cited = {key for keys in re.findall(r"\{cite:[pt]\}`([^`]+)`", text) for key in keys.split(",")}
    cited |= {key for _, claim in CLAIMS for key in claim.get("cite", [])}
    assert cited >= BIBLIOGRAPHY, f"never cited: {BIBLIOGRAPHY - cited}"


def test_the_table_of_contents_has_every_chapter():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = {entry["file"] for part in toc["parts"] for entry in part["chapters"]}
    assert {f"chapters/{path.stem}" for path in CHAPTERS} <= listed
