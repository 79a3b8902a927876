"""`make chapter`: what it makes passes the book's tests at once, and fails them as soon as a part is missing.

The book is copied, and the command runs in the copy. `make test ALL=1` runs its tests of claims, house and units there.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiers
from tests.house.repository import tracked
from tests.planted.planting import listed, plant
from tools import drafts

ROOT = Path(__file__).resolve().parents[2]
NAME, TITLE = "turned_pairs", "Turn the pairs"


def run(folder, *command, **variables):
    """Run a module of Python in a copy of the book, whose packages go before the installed ones."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "ATTN_"))}
    env |= {
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",
        **variables,
    }
    command = [sys.executable, "-m", *map(str, command)]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=3000)


def run_tests(folder, *tests):
    """Run pytest in a copy of the book; that it tests the copy is asserted from the line of tests/conftest.py."""
    options = [
        "--rootdir",
        folder,
        "-c",
        folder / "pyproject.toml",
        "-p",
        "no:cacheprovider",
        "-rfE",
        "--tb=short",
    ]
    done = run(folder, "pytest", *options, *tests, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert f"attn: {folder / 'attn'}," in done.stdout, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the book with one chapter more, and what the command said."""
    folder = tmp_path_factory.mktemp("book").resolve()
    for path in tracked():
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    # tests/house asks git for the book's files
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    done = run(folder, "tools.chapter", "--name", NAME, "--title", TITLE)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout


@pytest.fixture(scope="module")
def stem(copied):
    (path,) = (copied[0] / "chapters").glob(f"*_{NAME}.ipynb")
    return path.stem


def test_it_says_what_it_made(copied, stem):
    folder, said = copied
    named = re.findall(r"^  (new|changed) +(\S+)$", said, re.MULTILINE)
    new = [path for kind, path in named if kind == "new"]
    assert f"chapters/{stem}.ipynb" in new
    assert len(new) == 9
    for kind, path in named:
        assert (ROOT / path).exists() == (kind == "changed")
        assert (folder / path).read_text(encoding="utf-8").endswith("\n")
    before = {path.relative_to(ROOT).as_posix() for path in tracked()}
    after = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {path for path in after - before if not path.startswith((".git/", ".hypothesis/"))} == set(new)


def test_it_is_in_the_houses_style(copied):
    for command in (["check"], ["format", "--check", "--diff"]):
        done = run(copied[0], "ruff", *command, "--no-cache", ".")
        assert done.returncode == 0, done.stdout + done.stderr


@tiers.SLOW
def test_it_passes_all_tests_at_once(copied, stem):
    tests = ["tests/claims", "tests/house", "tests/unit", "--ignore=tests/house/test_chapter.py"]
    done = run_tests(copied[0], *tests)
    assert done.returncode == 0, done.stdout[-6000:]


@tiers.SLOW
def test_its_notebook_prints_what_it_stores(copied, stem):
    done = run(copied[0], "tools.notebooks", "--check", f"chapters/{stem}.ipynb")
    assert (done.returncode, done.stdout) == (0, f"{stem}.ipynb: same\n"), done.stdout + done.stderr


@tiers.SLOW
def test_its_planted_bugs_are_caught(copied, tmp_path):
    bugs = [bug for bug in listed(copied[0]) if bug["name"].startswith(f"{NAME}: ")]
    assert len(bugs) == 2
    for number, bug in enumerate(bugs):
        folder = tmp_path / str(number)
        shutil.copytree(copied[0], folder, ignore=shutil.ignore_patterns(".git", "chapters", "docs"))
        plant(bug, folder)
        done = run_tests(folder, *bug["tests"])
        assert done.returncode == 1, done.stdout
        assert re.search(r"\b[1-9]\d* failed\b", done.stdout)


def test_its_page_says_that_it_is_a_draft_and_is_not_published(copied, stem):
    left = drafts.left(copied[0])
    assert (f"chapters/{stem}.ipynb", "cell title") in {draft[:2] for draft in left}
    assert {f"chapters/teaching/{stem}.md", f"attn/{NAME}.py", "index.md"} <= {draft.file for draft in left}
    for command in ("pdf", "offline"):
        done = run(copied[0], "tools", command)
        assert done.returncode == 1
        assert f"chapters/{stem}.ipynb\n    cell title: {drafts.MARK}" in done.stderr
