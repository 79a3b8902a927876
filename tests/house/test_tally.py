"""`make tally`: files of notebooks and pages, one student's two files as one, nonsense told and left out."""

import csv
import json

import pytest

from tools import tally

NOON, BEFORE_NOON = "2026-03-01T12:00:00+00:00", "2026-03-01T12:30:00+01:00"  # half past noon in Berlin


def handed_in(path, name, **tried):
    """A file with an entry for each exercise=(passed, tries, when)."""
    entries = [
        {"exercise": exercise, "passed": passed, "tries": tries, "checked": when}
        for exercise, (passed, tries, when) in tried.items()
    ]
    content = {"format": "attn-results-1", "name": name, "attn": "0.1.0", "python": None, "written": NOON}
    path.write_text(json.dumps(content | {"exercises": entries}), encoding="utf-8")
    return str(path)


@pytest.fixture
def class_of(tmp_path):
    """The files of Ada, who hands in two, of one who gives no name, and of one with a name as given."""

    def files(name="Bo"):
        return [
            handed_in(tmp_path / "bo.json", name, a=(True, 1, NOON), b=(False, 4, NOON)),
            handed_in(tmp_path / "ada.json", "Ada", a=(True, 2, NOON)),
            handed_in(tmp_path / "ada-2.json", "Ada", a=(False, 1, BEFORE_NOON), c=(True, 1, NOON)),
            handed_in(tmp_path / "nobody.json", None, a=(False, 9, NOON)),
        ]

    return files


def test_a_table_a_student_and_a_table_an_exercise(class_of, capsys):
    """Ada's later try of a counts, whichever file comes first, and whatever the zone."""
    for files in (class_of(), class_of()[::-1]):
        assert tally.main(files) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert out == (
            "student      passed  tried  tries\n"
            "Ada               2      2      3\n"
            "Bo                1      2      5\n"
            "nobody.json       0      1      9\n"
            "\n"
            "exercise  passed by  tried by  tries\n"
            "a                 2         3     12\n"
            "b                 0         1      4\n"
            "c                 1         1      1\n"
        )


@pytest.mark.parametrize("name", ["Bo", "=1+1", "+1", "-1", "@x"])
def test_a_table_for_a_spreadsheet(class_of, tmp_path, capsys, name):
    """A name that it would run is made a text."""
    path = tmp_path / "class.csv"
    assert tally.main(["--csv", str(path), *class_of(name)]) == 0
    assert f"Written: {path}" in capsys.readouterr().out
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["student", "passed", "tried", "tries", "a", "b", "c"]
    assert sorted(rows) == sorted(
        [
            ["Ada", "2", "2", "3", "passed", "", "passed"],
            [name if name == "Bo" else f"'{name}", "1", "2", "5", "passed", "tried", ""],
            ["nobody.json", "0", "1", "9", "tried", "", ""],
        ]
    )


def test_nonsense_is_told_and_left_out(class_of, tmp_path, capsys):
    """What is wrong with a file, test_check_results.py asks."""
    (tmp_path / "cat.json").write_bytes(b"\x89PNG")
    assert tally.main([*class_of(), *(str(tmp_path / name) for name in ("cat.json", "gone.json", ""))]) == 1
    out, err = capsys.readouterr()
    assert "Ada" in out
    cat, gone, folder = err.splitlines()
    assert cat.startswith("Left out: cat.json: expected a file of results in JSON")
    assert "gone.json" in gone
    assert folder.startswith("Left out: ")
