"""A book that still holds a draft is built and tested, and not published."""

import json

import pytest

from tools import commands, drafts

MARK = drafts.MARK


@pytest.fixture
def book(tmp_path):
    """A small book: two files with marks, and two whose marks don't count."""
    for folder in ("attn", "chapters", "tools/chapter"):
        (tmp_path / folder).mkdir(parents=True)
    cells = [
        {"cell_type": "markdown", "id": "title", "source": ["# One\n", f"*{MARK} two*\n"]},
        {"cell_type": "code", "source": ["x = 1"], "outputs": [{"text": [f"{MARK} printed"]}]},
    ]
    (tmp_path / "chapters" / "07_x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (tmp_path / "attn" / "x.py").write_text(f'"""Done.\n\n{MARK} all of it."""\n', encoding="utf-8")
    (tmp_path / "attn" / "y.py").write_text('"""A draft: of wind."""\n', encoding="utf-8")
    (tmp_path / "tools" / "chapter" / "x.py").write_text(f'"""{MARK} a template."""\n', encoding="utf-8")
    return tmp_path


def test_each_mark_is_found_and_named(book):
    assert drafts.left(book) == [
        ("attn/x.py", "line 3", f"{MARK} all of it."),
        ("chapters/07_x.ipynb", "cell title", f"{MARK} two*"),
    ]


def test_drafts_are_refused_by_name(book, capsys):
    assert drafts.refuse("make pdf", book)
    said = capsys.readouterr().err
    for words in ("make pdf", "these 2 places", "attn/x.py", "line 3", "07_x.ipynb", "cell title"):
        assert words in said


def test_a_book_that_is_done_is_not_refused(book, capsys):
    for name in ("chapters/07_x.ipynb", "attn/x.py"):
        (book / name).unlink()
    assert not drafts.refuse("make pdf", book)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", ["pdf", "offline", "corpus"])
def test_what_publishes_or_freezes_refuses_drafts(monkeypatch, book, command):
    monkeypatch.setattr(drafts.refuse, "__defaults__", (book,))
    for name in ("build", "run"):
        monkeypatch.setattr(commands, name, lambda *_, **__: pytest.fail("went on"))
    monkeypatch.setattr(commands.environment, "ensure", lambda: pytest.fail("went on"))
    assert commands.main([command]) == 1
