"""*What is wrong with my attention?*: its cells run, and each names the bug that was planted in it."""

import contextlib
import io
import re
from textwrap import dedent

import numpy as np
import pytest

from tests.claims.pages import ROOT

TEXT = (ROOT / "chapters" / "symptoms.md").read_text(encoding="utf-8")
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAID = {
    "NaN": ["Output 0 may look at nothing, and is NaN", "2 of 6 outputs"],
    "The loss is too good": ["5 of 15 hidden pairs leak", "one token of its own future"],
    "Gibberish, at once or after some tokens": ["Pairs are neighbors", "made for halves", "to_layout(w, 'halves'"],
    "With a cache, other answers than without": ["aligned top-left", "positions counted from 0"],
    "All heads alike": ["Heads 0 and 1 have the same weights", "3 pairs"],
    "One word takes all": ["multiplied by 1, not by 0.3536", "root missing"],
}


def sections():
    _, *parts = re.split(r"^## ", TEXT, flags=re.MULTILINE)
    return {part.partition("\n")[0]: CELL.findall(part) for part in parts}


def printed(title):
    names, said = {}, io.StringIO()
    cells = sections()
    rotary = "from attn.rotary import rotate\n"
    with contextlib.redirect_stdout(said):
        for cell in [*cells["Hand over your function"], rotary, *cells[title]]:
            exec(cell, names)
    assert max(map(len, said.getvalue().splitlines())) <= 76  # what a page's column holds
    return " ".join(said.getvalue().split())


@pytest.mark.parametrize("title", SAID)
def test_each_cell_names_its_bug(title):
    said = printed(title)
    assert [words for words in SAID[title] if words not in said] == []
    assert "Nothing wrong" not in said


def test_positions_of_a_padded_batch_count_from_the_first_real_token():
    (line,) = re.findall(r"`([^`]*cumsum[^`]*)`", TEXT)
    counted = eval(line, {"mask": np.array([[0, 0, 1, 1], [1, 1, 1, 1]])})
    assert counted[0, 2:].tolist() == [0, 1]
    assert counted[1].tolist() == [0, 1, 2, 3]


def test_every_symptom_of_the_table_has_its_section():
    targets = re.findall(r"^\| \[[^\]]+\]\(#([\w-]+)\)", TEXT, flags=re.MULTILINE)
    labels = re.findall(r"^\(([\w-]+)\)=$", TEXT, flags=re.MULTILINE)
    assert targets == labels
    assert set(SAID) <= set(sections())


def test_the_lines_to_copy_name_what_there_is():
    from attn import audit

    lines = dedent(re.search(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)[1])
    names = {
        name
        for found in re.findall(r"^from attn.audit import (.*)$", lines, re.MULTILINE)
        for name in found.split(", ")
    }
    assert names == {name for name in vars(audit) if name.endswith("_audit")} | {"leaks"}
