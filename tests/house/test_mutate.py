"""*How much the tests see* shows what was stored; equivalents are there; sentences are changed as meant."""

import datetime
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import ledger
from attn.explore import _base
from bookext import explorables
from bookext.claims import AREAS, mutants_text, wilson
from ledger import proofs
from ledger.prose import of_markdown, sentences
from tools.mutate import __main__ as command
from tools.mutate import areas, prose, runner
from tools.mutate.__main__ import sample, without
from tools.mutate.mutant import make, shown
from tools.mutate.runner import FAILED

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "chapters" / "how_we_know.md").read_text(encoding="utf-8")


def test_the_page_shows_what_is_stored():
    rows = ledger.mutants()
    assert rows
    assert "```{mutants}\n```" in PAGE
    assert not re.search(r"\d", PAGE)  # each figure comes from the data
    text = mutants_text(rows)
    for row in rows:
        (line,) = [line for line in text if line.startswith(f"| {AREAS[row['area']]}")]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        part = f"{row['files']} of its {row['files_of_area']} files"
        assert (part in cells[0]) == (row["files"] < row["files_of_area"])
        assert cells[0].endswith(f", {row['mutants']:,} in all")
        assert cells[1] == f"{row['caught']} of {row['shown']}"
        share, low, high = map(
            int, re.fullmatch(r"(\d+) % \((\d+) to (\d+) % with so few\)", cells[2]).groups()
        )
        assert share == round(100 * row["caught"] / row["shown"])
        assert low <= share <= high
        assert cells[3] == f"{row['date']}, {row['seed']}, `{row['tree']}`"
    survived = sum(len(row["survivors"]) for row in rows)
    assert f"{survived} of {sum(row['shown'] for row in rows)} survived" in text[-2]


@pytest.mark.parametrize("row", ledger.mutants(), ids=lambda row: row["area"])
def test_what_is_stored_fits_together(row):
    assert 0 <= row["caught"] <= row["shown"] <= row["mutants"]
    assert row["shown"] >= 10
    assert len(row["survivors"]) == row["shown"] - row["caught"]
    assert datetime.date.fromisoformat(row["date"])
    assert re.fullmatch(r"[0-9a-f]{12}", row["tree"])
    assert all((ROOT / one["file"]).is_file() for one in row["survivors"])


def test_each_area_has_a_name_on_the_page_and_files():
    assert set(AREAS) == set(areas.AREAS)
    every = {area: set(areas.files(area)) for area in areas.AREAS}
    assert all(every.values())
    python = [every[area] for area in ("mathematics", "checkers", "figures")]
    assert sum(map(len, python)) == len(set.union(*python))  # no module in two of them


def test_wilsons_interval():
    """Against the roots of the equation that defines it: (p̂ − p)² = z² p (1 − p) / n."""
    for caught, count in ((9, 10), (0, 7), (7, 7), (40, 80)):
        for end in wilson(caught, count):
            assert (caught / count - end) ** 2 == pytest.approx(1.96**2 * end * (1 - end) / count, abs=1e-12)
        assert wilson(caught, count)[0] < 0.999 * wilson(caught, count)[1]


@pytest.mark.parametrize("row", ledger.equivalents(), ids=lambda row: row["was"][:60])
def test_an_equivalent_names_a_line_that_is_there(row):
    assert set(row) == {"area", "file", "was", "becomes", "why"}
    assert row["was"] != row["becomes"]
    assert len(row["why"].split()) > 3
    assert row["was"].splitlines()[0] in (ROOT / row["file"]).read_text(encoding="utf-8")


TEXT = "Of 12 rows 9 are not above 2.5 in 2017, all `k = 3`."


def changes(text):
    return {(mutant.kind, mutant.becomes) for mutant in prose.mutants("prose", "a.md", text)}


def test_sentences_are_changed_and_code_is_not():
    assert changes(TEXT) == {
        ("other word", TEXT.replace("rows", "columns")),
        ("other word", TEXT.replace("above", "below")),
        ("other word", TEXT.replace("all", "most")),
        ("not dropped", TEXT.replace("not ", "")),
        ("other digit", TEXT.replace("12", "13")),
        ("other digit", TEXT.replace("9", "0")),
        ("other digit", TEXT.replace("2.5", "2.6")),
        ("other year", TEXT.replace("2017", "2018")),
        ("numbers exchanged", TEXT.replace("12", "x").replace("9", "12").replace("x", "9")),
        ("numbers exchanged", TEXT.replace("9", "x").replace("2.5", "9").replace("x", "2.5")),
        ("numbers exchanged", TEXT.replace("2.5", "x").replace("2017", "2.5").replace("x", "2017")),
    }
    assert changes("```{code} python\nrows = 12\n```\n[all](all.md) $12 \\text{rows}$ {doc}`first`") == {
        ("other word", "[most](all.md) $12 \\text{rows}$ {doc}`first`")
    }


def test_a_notebook_is_changed_in_one_cell():
    book = {
        "cells": [{"id": name, "cell_type": "markdown", "source": ["# A\n", "all rows"]} for name in "ab"]
    }
    text = json.dumps(book)
    for mutant in prose.of_notebook("prose", "a.ipynb", text):
        after = json.loads(mutant.applied(text))
        (changed,) = [new for old, new in zip(book["cells"], after["cells"], strict=True) if old != new]
        assert changed["id"] == mutant.cell
        assert "".join(changed["source"]) in ("# A\nmost rows", "# A\nall columns")


def test_a_mutant_says_where_it_is_and_what_changed():
    text = "a = 1\nb = 2 + 3\nc = 4\n"
    mutant = make("mathematics", "a.py", "Integer", text, [(10, 11, "9")])
    assert (mutant.line, mutant.was, mutant.becomes) == (2, "b = 2 + 3", "b = 9 + 3")
    assert mutant.applied(text) == text.replace("2", "9")
    assert shown(mutant) == "b = 2 + 3 → b = 9 + 3"


def test_named_equivalents_are_not_drawn_and_stale_ones_are_told():
    mutants = prose.mutants("prose", "a.md", "all rows")
    rows = [
        {"file": "a.md", "was": "all rows", "becomes": "most rows"},
        {"file": "a.md", "was": "all rows", "becomes": "some rows"},
    ]
    kept, stale = without(mutants, rows)
    assert [mutant.becomes for mutant in kept] == ["all columns"]
    assert stale == rows[1:]


def test_the_draw_depends_on_the_seed_alone():
    mutants = prose.mutants("prose", "a.md", TEXT)
    assert sample(mutants, 4, "1 prose") == sample(mutants[::-1], 4, "1 prose")
    assert len({tuple(mutant.becomes for mutant in sample(mutants, 4, f"{seed}")) for seed in range(9)}) > 3
    assert len(sample(mutants, 99, "1")) == len(mutants)


def test_the_test_that_failed_is_read_from_what_pytest_says():
    said = "F\n=== short test summary info ===\nFAILED tests/unit/test_a.py::test_b[x - y] - assert 1 == 2\n"
    assert FAILED.findall(said) == ["tests/unit/test_a.py::test_b[x - y]"]


READ_AND_NOT = "All rows are short. It takes 12 of the rows."


def test_sentences_that_are_read_are_told_from_others():
    """A change counts for the sentence that it changes, not for the paragraph."""
    found = {
        (mutant.becomes, prose.is_read(mutant, READ_AND_NOT))
        for mutant in prose.mutants("prose", "a.md", READ_AND_NOT)
    }
    first, second = READ_AND_NOT.split(". ")
    assert found == {
        (f"Most rows are short. {second}", False),
        (f"All columns are short. {second}", False),
        (f"{first}. {second.replace('rows', 'columns')}", True),
        (f"{first}. {second.replace('12', '13')}", True),
    }
    both = "There are 5 rows. It takes 12 of them."  # two numbers that change places change both
    (turned,) = [one for one in prose.mutants("prose", "a.md", both) if one.kind == "numbers exchanged"]
    assert prose.is_read(turned, both)
    (year,) = prose.of_bibliography("prose", "a.bib", "  year = {2017}\n")
    assert prose.is_read(year, "  year = {2017}\n")


def test_each_mutant_of_a_page_is_in_one_of_two_areas():
    page = "chapters/what_you_can_read"
    read, others = ({one.becomes for one in areas.mutants(area, page)} for area in ("prose", "other prose"))
    every = prose.mutants("prose", f"{page}.md", (ROOT / f"{page}.md").read_text(encoding="utf-8"))
    assert read
    assert others
    assert read | others == {one.becomes for one in every}
    quoted = [entry["text"] for entry in proofs.entries(page)]
    text = " ".join(sentence.text for sentence in sentences(page))
    for mutant in areas.mutants("prose", page):
        left = " ".join(
            one.text for one in of_markdown(mutant.applied((ROOT / mutant.file).read_text("utf-8")))
        )
        assert any(entry in text and entry not in left for entry in quoted), mutant.becomes


def test_entries_for_sentences_are_changed_too():
    one = '[[sentence]]\ntext = \'All "rows".\'\nby = ["a-cell", "b-cell"]\n'
    text = one + '\n[[sentence]]\ntext = "Two."\nby = ["c-cell"]\n'
    assert {(one.kind, one.becomes) for one in prose.of_ledger("ledger", "a.toml", text)} == {
        ("other word", "text = 'Most \"rows\".'"),
        ("other word", "text = 'All \"columns\".'"),
        ("other word", 'text = "Three."'),
        ("other by", 'by = ["a-cell", "c-cell"]'),
        ("other by", 'by = ["a-cell"]'),
    }


def test_a_module_that_only_imports_is_shown_to_a_test():
    mutant = make("mathematics", "attn/xor/__init__.py", "SimpleString", '"A",\n', [(1, 2, "B")])
    runs = areas.by_line(mutant, {"lines": {}, "tests": [], "seconds": []})
    assert runs[0] == [areas.PACKAGE]
    assert ["tests/falsify/test_xor_theorems.py"] in runs
    assert ["tests/falsify/test_pmi.py"] not in runs
    assert ["tests/falsify/test_pmi.py"] in areas.attacks_on("attn/pmi.py")


def test_a_file_with_a_test_of_its_name_is_shown_to_that_first():
    mutant = make("javascript", "attn/explore/js/draw/sentences.js", "ArrowFunction", "x", [(1, 2, "y")])
    assert areas.by_figure(mutant)[0] == ["tests/browser/test_sentences.py"]


def test_drawing_is_shown_to_the_tests_that_name_no_figure():
    """The tests of arcs and lanes are about one figure each, and their names don't say which."""
    mutant = make("javascript", "attn/explore/js/draw/arcs.js", "ArrowFunction", "x", [(1, 2, "y")])
    asked = [test for run in areas.by_figure(mutant) for test in run]
    assert "tests/browser/test_marks.py::test_arcs_lead_from_who_looks_to_who_is_looked_at" in asked
    assert not any(
        "::test_planes_have_everything_in_its_place" in test for test in asked
    )  # it has parameters


def test_a_module_of_many_figures_is_shown_to_the_drawing_of_all():
    mutant = make("javascript", "attn/explore/js/draw/pieces.js", "ArrowFunction", "x", [(77, 78, "y")])
    assert [f"tests/browser/test_{name}.py" for name in areas.DRAWN] in areas.by_figure(mutant)


def test_each_module_of_javascript_is_found_in_what_pages_carry():
    scripts = [_base.joined_module(view) for view in _base.view_names()]
    scripts += map(_base.module_source, (explorables.SENTENCES, explorables.PRACTICE))
    texts = {file: runner.joined(text) for file, text in areas.files("javascript").items()}
    assert [file for file, text in texts.items() if not any(text in script for script in scripts)] == []


def test_the_map_is_recorded_without_the_tests_of_checkers(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(command, "MAP", tmp_path / "map" / "lines.json")
    monkeypatch.setattr(
        command.subprocess, "run", lambda parts, **_: SimpleNamespace(returncode=asked.append(parts))
    )
    command.record(areas.MAPPED)
    parts = [str(part) for part in asked[0]]
    assert parts[-4:] == ["tests/unit", "tests/reference", "tests/seeds", "tests/claims"]
    left_out = {part.removeprefix("--ignore=") for part in parts if part.startswith("--ignore=")}
    assert {areas.EVERY_CHECKER, "tests/unit/test_check_masking.py"} <= left_out
    assert all((ROOT / file).is_file() for file in left_out)
