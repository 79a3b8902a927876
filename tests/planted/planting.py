"""How a bug of bugs.toml is planted in a copy of the book, and tests are run there."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ["attn", "bookext", "chapters", "ledger", "tests", "research", "tools"]
PARTS += ["_config.yml", "index.md", "references.bib", "pyproject.toml"]


def listed(root):
    """The bugs of a book's list, each with its file and its tests."""
    files = tomllib.loads((root / "tests/planted/bugs.toml").read_text(encoding="utf-8"))
    tests = files.pop("tests")
    return [
        {"file": file, "tests": tests.get(file, [])} | bug for file, bugs in files.items() for bug in bugs
    ]


BUGS = listed(ROOT)


def copy_book(folder):
    """The parts of the book that the tests need, in `folder`."""
    assert not folder.is_relative_to(ROOT)
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(
                ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
            )
        else:
            shutil.copy(ROOT / part, folder / part)
    return folder


def plant(bug, folder):
    path = folder / bug["file"]
    text = path.read_text(encoding="utf-8")
    assert text.count(bug["find"]) == 1, f"{bug['file']} has {text.count(bug['find'])} times: {bug['find']!r}"
    path.write_text(text.replace(bug["find"], bug["replace"]), encoding="utf-8")


def run_tests(folder, tests):
    """Run pytest on the copy in `folder`; return its exit code and what it printed."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= {
        "PYTHONPATH": str(folder),  # goes before the installed package
        "PYTHONDONTWRITEBYTECODE": "1",
        "ATTN_ALL": "1",  # the test that sees it, whatever the lot
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # quicker; these tests need no plugin
    }
    options = ["--rootdir", folder, "-c", folder / "pyproject.toml", "-p", "no:cacheprovider", "--tb=line"]
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "--exitfirst", *options, *tests],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert f"attn: {folder / 'attn'}," in answer.stdout, f"not the copy:\n{answer.stdout}{answer.stderr}"
    return answer.returncode, answer.stdout
