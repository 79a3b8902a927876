"""The file to hand in: what the checkers saw, the last try of each exercise, and nothing that did not happen."""

import json
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import attn
from attn import check
from attn.check import results
from attn.softmax import softmax


@pytest.fixture(autouse=True)
def nothing_seen():
    results.clear()
    yield
    results.clear()


def right(q, k):
    return q @ k.T / np.sqrt(k.shape[-1])


def wrong(q, k):
    return q @ k.T / k.shape[-1]


def test_what_was_tried_is_written(tmp_path, capsys):
    check.scaled_scores(None)
    check.scaled_scores(wrong)
    check.masked_softmax(lambda scores, mask: softmax(scores))
    check.scaled_scores(right)
    capsys.readouterr()
    path = results.write(tmp_path / "ada.json", name="Ada Łovelace")
    assert capsys.readouterr().out == "ada.json: 1 of 2 exercises passed.\n"
    text = path.read_text(encoding="utf-8")
    assert "Łovelace" in text
    found = json.loads(text)
    assert list(found) == ["format", "name", "attn", "python", "written", "exercises"]
    assert found["format"] == "attn-results-1"
    assert (found["name"], found["attn"], found["python"]) == (
        "Ada Łovelace",
        attn.__version__,
        platform.python_version(),
    )
    first, second = found["exercises"]
    assert list(first) == ["exercise", "passed", "tries", "checked"]
    assert (first["exercise"], first["passed"], first["tries"]) == ("scaled_scores", True, 2)
    assert (second["exercise"], second["passed"], second["tries"]) == ("masked_softmax", False, 1)
    for when in (found["written"], first["checked"]):
        assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(when) < timedelta(minutes=5)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows: a process keeps its zone")
def test_times_are_in_utc_wherever_the_reader_is(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        assert results._now().endswith("+00:00")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_last_try_counts():
    check.scaled_scores(right)
    check.scaled_scores(wrong)
    assert [(entry["passed"], entry["tries"]) for entry in results.seen()] == [(False, 2)]


def test_with_a_file_they_outlive_python(tmp_path, monkeypatch):
    kept = tmp_path / "checked.jsonl"
    monkeypatch.setenv("ATTN_RESULTS", str(kept))
    check.scaled_scores(wrong)
    program = "from attn.check import results\nresults.record('scaled_scores', True)\n"
    subprocess.run([sys.executable, "-c", program + "results.record('masked_softmax', True)"], check=True)
    check.masked_softmax(None)  # a stub that runs again takes nothing back
    with kept.open("a") as file:
        file.write('{"exercise": "cut o\n[]\n')
    assert [(entry["exercise"], entry["passed"], entry["tries"]) for entry in results.seen()] == [
        ("scaled_scores", True, 2),
        ("masked_softmax", True, 1),
    ]
    results.read(results.write(tmp_path / "ada.json"))


@pytest.mark.parametrize("name", ["Ada", "مهدی\u200cزاده", "क्\u200dष", "\u200fدנה", "O’Brien-Łó", "A" * 200])
def test_a_name_that_is_written_is_read(tmp_path, name):
    check.scaled_scores(right)
    assert results.read(results.write(tmp_path / "x.json", name=name))["name"] == name


@pytest.mark.parametrize(
    "name", ["", " ", "Ada\tL", "Ada\nL", "Ada\u2028L", "A" * 201, "\ud800", "\x1b[2J", "a\u202eb"]
)
def test_a_name_that_can_not_be_read_is_not_written(tmp_path, name):
    check.scaled_scores(right)
    with pytest.raises(ValueError, match="name must be one line of 1 to 200 letters"):
        results.write(tmp_path / "x.json", name=name)
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_hand_in(tmp_path):
    with pytest.raises(ValueError, match="nothing to hand in yet: run a checker first"):
        results.write(tmp_path / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_wrong_calls_are_told(tmp_path):
    check.scaled_scores(right)
    with pytest.raises(ValueError, match="must end in .json, got 'x.txt'"):
        results.write(tmp_path / "x.txt")
    with pytest.raises(TypeError, match="name must be a string, got int"):
        results.write(tmp_path / "x.json", name=7)


ENTRY = {"exercise": "by-hand.a", "passed": True, "tries": 2, "checked": "2026-03-01T10:00:00.000Z"}
FILE = {
    "format": "attn-results-1", "name": "Ada", "attn": "0.1.0", "python": None,
    "written": "2026-03-01T10:00:00.000Z", "exercises": [ENTRY],
}  # fmt: skip


def read(tmp_path, content):
    path = tmp_path / "ada.json"
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content)).encode()
    path.write_bytes(content)
    return results.read(path)


def test_other_fields_are_left_out(tmp_path):
    assert read(tmp_path, FILE | {"grade": "A", "exercises": [ENTRY | {"points": 9}]}) == FILE


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "expected a file of results in JSON"),
        ("[" * 100_000, "expected a file of results in JSON"),
        ('{"format": ' + "9" * 5000 + "}", "expected"),
        ([FILE], "expected a file of results, got"),
        ({}, 'expected "format" to be "attn-results-1", got None'),
        (FILE | {"format": "attn-practice-1"}, "got 'attn-practice-1'"),
        ({key: FILE[key] for key in FILE if key != "attn"}, 'a file of results with "attn"'),
        (FILE | {"name": 7}, '"name" to be a line of text or null, got 7'),
        (FILE | {"name": "\ud800"}, '"name" to be a line'),
        (FILE | {"python": 3}, '"python" to be a version or null'),
        (FILE | {"attn": None}, '"attn" to be a version'),
        (FILE | {"written": "2026-03-01T10:00:00"}, '"written" to be a time with its zone'),
        (FILE | {"exercises": {"a": 1}}, '"exercises" to be a list'),
        (FILE | {"exercises": ["a"]}, "expected an exercise, got 'a'"),
        (FILE | {"exercises": [{"exercise": "a"}]}, 'an exercise with "passed"'),
        (FILE | {"exercises": [ENTRY | {"passed": 1}]}, '"passed" to be true or false, got 1'),
        (FILE | {"exercises": [ENTRY | {"tries": True}]}, '"tries" to be a count'),
        (FILE | {"exercises": [ENTRY | {"tries": 0}]}, '"tries" to be a count'),
        (FILE | {"exercises": [ENTRY | {"exercise": ""}]}, '"exercise" to be a name'),
        (FILE | {"exercises": [ENTRY | {"checked": 3}]}, '"checked" to be a time'),
        (FILE | {"exercises": [ENTRY, ENTRY]}, "each exercise once"),
        (json.dumps(FILE) + " " * 1_000_000, "expected at most 1,000,000 bytes"),
    ],
)
def test_what_is_no_such_file_is_told(tmp_path, content, said):
    with pytest.raises(ValueError, match=r"^ada\.json: ") as told:
        read(tmp_path, content)
    assert said in str(told.value)
    assert len(str(told.value)) < 400


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        results.read(tmp_path / "nobody.json")
