"""What README, CONTRIBUTING and the set-up files say is so."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from numpy.testing import assert_allclose
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from attn.explore import SelfAttention
from bookext import fonts
from tests.house.repository import tracked
from tools import commands, pythons

ROOT = Path(__file__).resolve().parents[2]
DOCS = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_make_has_the_commands_and_no_others():
    targets = re.search(r"^TARGETS := (.+)$", read("Makefile"), re.MULTILINE).group(1).split()
    assert sorted(targets) == sorted(commands.COMMANDS)


@pytest.mark.parametrize("name", DOCS)
def test_documented_commands_exist(name):
    named = re.findall(
        r"(?:\bmake|-m tools) ([a-z]+)\b", "\n".join(re.findall(r"```.*?```|`[^`]+`", read(name), re.DOTALL))
    )
    assert named or name.startswith("docs/")
    assert set(named) <= set(commands.COMMANDS)


@pytest.mark.parametrize("name", DOCS)
def test_links_to_files_resolve(name):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", read(name))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if not ((ROOT / name).parent / link).exists()] == []


def test_the_ten_lines_of_the_readme_print_what_stands_below_them(capsys):
    """And it is the opening chapter's example."""
    code, printed = re.search(r"```python\n(.*?)```\n+```\n(.*?)```", read("README.md"), re.DOTALL).groups()
    scope = {}
    exec(code, scope)
    assert capsys.readouterr().out == printed
    assert_allclose(scope["output"], SelfAttention().output)
    assert f"*cat* {scope['weights'][2, 1]:.3f} of its weight" in read("README.md")


@pytest.mark.parametrize("name", DOCS)
def test_paths_in_code_style_exist(name):
    """`attn/masks.py` in the text is a file or a folder; `attn/NAME.py` and `_build/…` are not meant as one."""
    paths = re.findall(r"`((?:\.?[\w-]+/)+[\w.-]*)`", read(name))
    paths = [path for path in paths if not re.match(r"_build/|\.venv/|my_notebooks/", path)]
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_no_file_names_a_place_of_one_machine():
    place = re.compile(r"(?<![\w.:/-])/(?:work|root|home/\w+|Users/\w+)/[\w.]")
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture, a font
        found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in place.finditer(text)]
    assert found == []


def test_the_book_takes_no_python_that_the_package_does_not():
    package = SpecifierSet(tomllib.loads(read("pyproject.toml"))["project"]["requires-python"])
    assert pythons.versions() == sorted(pythons.versions(), key=Version, reverse=True)
    assert all(package.contains(python) for python in pythons.versions())


def asked_for():
    pyproject = tomllib.loads(read("pyproject.toml"))
    project = pyproject["project"]
    extras, groups = project["optional-dependencies"], pyproject["dependency-groups"]
    lists = [project["dependencies"], *extras.values(), *groups.values()]
    wanted = [Requirement(text) for texts in lists for text in texts if isinstance(text, str)]
    return [requirement for requirement in wanted if requirement.name != project["name"]]


@pytest.mark.parametrize("requirement", asked_for(), ids=str)
def test_the_lock_has_what_pyproject_asks_for(requirement):
    """What is installed is what requirements.txt lists (tools/environment.py)."""
    installed = version(requirement.name)
    assert requirement.specifier.contains(installed, prereleases=True), f"run `make lock`: {installed}"


def test_colab_opens_the_branch_that_the_workflow_writes():
    from bookext.elsewhere import BRANCH

    workflow = read(".github/workflows/book.yml")
    assert f"git init --quiet --initial-branch {BRANCH}\n" in workflow
    assert re.search(rf"git push .* {BRANCH}$", workflow, re.MULTILINE)


def test_citation_names_the_packages_version():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert f"version: {project['version']}\n" in read("CITATION.cff")


@pytest.mark.parametrize("path", sorted((ROOT / "chapters").rglob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_are_stored_clean(path):
    """As `make notebooks` writes them: run from top to bottom, nothing in them that varies."""
    import nbformat

    from tools import notebooks

    text = path.read_text(encoding="utf-8")
    book = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in book.cells if cell.cell_type == "code" and cell.source]
    assert counts == list(range(1, len(counts) + 1)), "run `make notebooks`"
    assert notebooks.text_of(notebooks.clean(book)) == text, "run `make notebooks`"
    assert json.loads(text)["nbformat_minor"] >= 5


def test_licenses_stand_beside_the_fonts():
    for _, path, _, _ in fonts.FACES:
        (license,) = (
            each for each in path.parent.glob("*LICENSE.txt") if path.name.startswith(each.name.split("-")[0])
        )
        assert "SIL OPEN FONT LICENSE" in license.read_text(encoding="utf-8").upper()
