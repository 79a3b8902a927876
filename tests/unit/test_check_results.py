"""The file to hand in: what the checkers saw, the last try of each exercise, and nothing that did not happen."""

import json
import platform
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
    assert (first["exercise"], first["passed"], first["tries"]) == ("scaled_scores", True, 3)
    assert (second["exercise"], second["passed"], second["tries"]) == ("masked_softmax", False, 1)
    for time in (found["written"], first["checked"]):
        assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(time) < timedelta(minutes=5)


def test_the_last_try_counts():
    check.scaled_scores(right)
    check.scaled_scores(wrong)
    assert [(entry["passed"], entry["tries"]) for entry in results.seen()] == [(False, 2)]


def test_what_is_handed_out_can_be_changed_without_harm():
    check.scaled_scores(wrong)
    results.seen()[0]["passed"] = True
    assert results.seen()[0]["passed"] is False


def test_without_a_name(tmp_path):
    check.scaled_scores(right)
    assert json.loads(results.write(str(tmp_path / "x.json")).read_text(encoding="utf-8"))["name"] is None


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
