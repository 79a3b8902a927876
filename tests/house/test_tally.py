"""`make tally`: files of notebooks and pages, one student's two files as one, nonsense told and left out."""

import csv
import json

import pytest

from tools import tally

TIME = "2026-03-01T10:00:00Z"


def handed_in(folder, file, name, **passed):
    """A file: exercise=(passed, tries) or (passed, tries, day of March)."""
    entries = [
        {
            "exercise": exercise.replace("_", "."),
            "passed": ok,
            "tries": tries,
            "checked": f"2026-03-{(day or [1])[0]:02}T10:00:00Z",
        }
        for exercise, (ok, tries, *day) in passed.items()
    ]
    path = folder / file
    content = {"format": "attn-results-1", "name": name, "attn": "0.1.0", "python": None, "written": TIME}
    path.write_text(json.dumps(content | {"exercises": entries}), encoding="utf-8")
    return str(path)


@pytest.fixture
def three(tmp_path):
    return [
        handed_in(tmp_path, "bo.json", "Bo", a=(True, 1), b=(False, 4)),
        handed_in(tmp_path, "ada.json", "Ada", a=(True, 2, 3)),
        handed_in(tmp_path, "ada-2.json", "Ada", a=(False, 1, 2), c=(True, 1)),
        handed_in(tmp_path, "nobody.json", None, a=(False, 9)),
    ]


def test_a_table_a_student_and_a_table_an_exercise(three, capsys):
    """Ada's later try of a counts, whichever file comes first; who gives no name goes by the file's."""
    for files in (three, three[::-1]):
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


def test_the_later_try_counts_whatever_the_zone(tmp_path):
    """Half past noon in Berlin is before noon in London, though its text is after it."""
    files = [handed_in(tmp_path, f"{n}.json", "Ada", a=(passed, 1)) for n, passed in enumerate((True, False))]
    for file, time in zip(files, ("2026-03-01T12:00:00+00:00", "2026-03-01T12:30:00+01:00"), strict=True):
        content = json.loads((tmp_path / file).read_text(encoding="utf-8"))
        content["exercises"][0]["checked"] = time
        (tmp_path / file).write_text(json.dumps(content), encoding="utf-8")
    for order in (files, files[::-1]):
        assert tally.gathered(order)[0]["Ada"]["a"]["passed"] is True


def test_a_table_for_a_spreadsheet(three, tmp_path, capsys):
    path = tmp_path / "class.csv"
    assert tally.main(["--csv", str(path), *three]) == 0
    assert f"Written: {path}" in capsys.readouterr().out
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["student", "passed", "tried", "tries", "a", "b", "c"],
        ["Ada", "2", "2", "3", "passed", "", "passed"],
        ["Bo", "1", "2", "5", "passed", "tried", ""],
        ["nobody.json", "0", "1", "9", "tried", "", ""],
    ]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x"])
def test_a_name_that_a_spreadsheet_would_run_is_made_a_text(tmp_path, name):
    path = tmp_path / "class.csv"
    tally.main(["--csv", str(path), handed_in(tmp_path, "a.json", name, a=(True, 1))])
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1][0] == f"'{name}"


def test_nonsense_is_told_and_left_out(three, tmp_path, capsys):
    for name, content in (("cat.json", b"\x89PNG"), ("old.json", b'{"format": "attn-results-0"}')):
        (tmp_path / name).write_bytes(content)
    files = [
        *three,
        str(tmp_path / "cat.json"),
        str(tmp_path / "old.json"),
        str(tmp_path / "gone.json"),
        str(tmp_path),
    ]
    assert tally.main(files) == 1
    out, err = capsys.readouterr()
    assert "Ada" in out
    lines = err.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("Left out: cat.json: expected a file of results in JSON")
    assert lines[1].startswith('Left out: old.json: expected "format" to be "attn-results-1", got')
    assert "gone.json" in lines[2]
