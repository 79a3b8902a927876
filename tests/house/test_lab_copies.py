"""A reader's copies of the pages: made, renewed, never overwritten; nothing in them that only the build knows."""

import datetime
import json
import re

from tests.house.repository import ROOT
from tools.lab import copies, pages

DAY = datetime.date(2026, 11, 24)


def notebook(*texts):
    cells = [pages.markdown(f"cell-{place}", text) for place, text in enumerate(texts)]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_a_copy_is_made_renewed_and_never_overwritten(tmp_path):
    def renew(text):
        return copies.renew(tmp_path, {"a.ipynb": notebook(text)}, DAY)

    own = tmp_path / "a.ipynb"
    assert renew("one") == []
    own.write_text(json.dumps({**json.loads(notebook("one")), "metadata": {"run": 1}}), encoding="utf-8")
    assert renew("two") == []  # only run, not changed
    assert own.read_text(encoding="utf-8") == notebook("two")
    own.write_text(notebook("mine"), encoding="utf-8")
    beside = tmp_path / "a (edition of 2026-11-24).ipynb"
    for edition in ("two", "three", "three", "four"):
        renew(edition)
        assert own.read_text(encoding="utf-8") == notebook("mine")
        assert beside.exists() == (edition != "two")
    assert beside.read_text(encoding="utf-8") == notebook("four"), "one that nobody changed gave way"
    beside.write_text(notebook("mine too"), encoding="utf-8")
    assert "a (edition of 2026-11-24, 2).ipynb" in renew("five")[0]
    assert beside.read_text(encoding="utf-8") == notebook("mine too")
    own.write_text("{", encoding="utf-8")
    renew("six")
    assert own.read_text(encoding="utf-8") == "{"
    own.unlink()
    renew("six")
    assert own.read_text(encoding="utf-8") == notebook("six")


def test_copies_hold_nothing_that_jupyterlab_does_not_know():
    names = pages.pages()
    known = {"admonition", "exercise", "solution", "glossary", "math"}
    for name, path in names.items():
        if name.endswith(".py"):
            continue
        text = pages.page(name, path, names)
        cells = json.loads(text)["cells"] if name.endswith(".ipynb") else [pages.markdown("all", text)]
        for cell in cells:
            words = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                assert set(re.findall(r"^[`:]{3,}\{([\w-]+)\}", words, re.MULTILINE)) <= known, (name, words)
                assert not re.search(r"\{[\w:]+\}`", words), (name, words)
                for target in re.findall(r"\]\(([^)\s:#]+)[\s)#]", words):
                    place = (ROOT / name).parent.joinpath(target).resolve().relative_to(ROOT).as_posix()
                    assert place in names, (name, target)
