"""The menu that runs a chapter elsewhere: on a page whose address is known, as that of the book under test is not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiers
from tests.browser import book
from tests.browser.axe import all_violations

ADDRESSES = {
    "ATTN_REPOSITORY": "https://github.com/ada/attention",
    "ATTN_JUPYTERLAB": "https://hub.example.org/lab/tree/attention/",
}
MENU = ".dropdown-launch-buttons"
TOGGLE = f"{MENU} > button"
PLACES = f"{MENU} .dropdown-menu a"


def text(name, source):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


EXERCISE = [
    text("ex", "```{exercise} By hand\n:label: ex-hand\nTake a pencil.\n```\n\n"
         "```{exercise-start} In *code*\n:label: ex-code\n```\nWrite it."),
    {
        "cell_type": "code", "id": "ex-code-stub", "metadata": {"tags": ["remove-output"]}, "source": "x = ...",
        "execution_count": None, "outputs": [],
    },
    text("ex-end", "```{exercise-end}\n```"),
]  # fmt: skip


@pytest.fixture(scope="module")
def launching(tmp_path_factory):
    """A book of two short pages, built with this book's configuration and extension for an address on GitHub."""
    folder = tmp_path_factory.mktemp("a fork")
    for name in ("_config.yml", "references.bib"):
        shutil.copy(book.ROOT / name, folder)
    for name in ("bookext", "ledger"):
        shutil.copytree(book.ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: index\nchapters:\n  - file: chapter\n", encoding="utf-8"
    )
    (folder / "index.md").write_text("# Start\n\nOne page.\n", encoding="utf-8")
    notebook = {
        "cells": [
            {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A chapter\n\nSome words."},
            *EXERCISE,
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "chapter.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    built = subprocess.run(
        [
            Path(sys.executable).with_name("jupyter-book"),
            "build",
            folder,
            "--all",
            "-W",
            "-n",
            "--keep-going",
        ],
        env={**os.environ, "ATTN_PDF": "", **ADDRESSES},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    return folder / "_build" / "html"


@tiers.SLOW
@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)])
def test_the_menu_can_be_read_and_reached(visit, launching, width, dark):
    """axe is content; the keyboard opens, walks and closes; all of it is on the screen."""
    view = visit(
        (launching / "chapter.html").as_uri(), home=launching.as_uri(), width=width, height=640, dark=dark,
        reduced_motion="reduce",
    )  # fmt: skip
    toggle = view.locator(TOGGLE)
    toggle.focus()
    assert toggle.get_attribute("aria-label") == "Run this chapter elsewhere"
    view.keyboard.press("Enter")
    places = view.locator(PLACES)
    assert [place.inner_text().strip() for place in places.all()] == ["Colab", "Binder"]
    assert toggle.get_attribute("aria-expanded") == "true"
    assert all_violations(view) == []
    for place in places.all():
        box = place.bounding_box()
        assert box["height"] >= 24
        assert 0 <= box["x"] < box["x"] + box["width"] <= width
    assert view.evaluate("probe.wide()") == []
    for where in ("colab.research.google.com", "mybinder.org"):
        view.keyboard.press("ArrowDown")
        assert where in view.evaluate("document.activeElement.href")
    view.keyboard.press("Escape")
    assert toggle.get_attribute("aria-expanded") == "false"
    assert view.evaluate("document.activeElement.getAttribute('aria-label')") == "Run this chapter elsewhere"


@tiers.SLOW
@pytest.mark.parametrize("width", [360, 1280])
def test_an_exercise_in_code_opens_at_its_cell(visit, launching, width):
    """One line below its cell; the exercise by hand, which has no cell, has none."""
    view = visit((launching / "chapter.html").as_uri(), home=launching.as_uri(), width=width)
    links = view.locator(".exercise .abh-elsewhere a")
    assert [link.inner_text() for link in links.all()] == ["Colab", "Binder", "JupyterLab"]
    for link, name in zip(links.all(), ["#scrollTo=", "%23cell-id%3D", "#cell-id="], strict=True):
        assert link.get_attribute("href").endswith(f"chapter.ipynb{name}ex-code-stub")
        assert "In code" in link.get_attribute("aria-label")
        assert link.bounding_box()["height"] >= 20
    cell = view.locator(".exercise .cell").bounding_box()
    assert links.first.bounding_box()["y"] >= cell["y"] + cell["height"]
    assert view.evaluate("probe.wide()") == []
    assert all_violations(view) == []
