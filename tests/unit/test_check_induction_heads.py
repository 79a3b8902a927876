"""DRAFT: chapter 9's checkers. Right answers of every style pass; the wrong ones that people give get their hint."""

import numpy as np
import pytest

from attn import check
from attn.check import induction_heads as exercises
from tests.unit.checkers import (
    STUBS,
    assert_each_mistake_has_its_hint,
    assert_hint,
    assert_not_solved_yet,
)


def by_loops(scores, temperature):
    weights = np.zeros_like(scores)
    for i, row in enumerate(scores):
        e = [np.exp((score - max(row)) / temperature) for score in row]
        weights[i] = np.array(e) / sum(e)
    return weights


def by_logarithms(scores, temperature):
    x = scores / temperature
    return np.exp(x - np.logaddexp.reduce(x, axis=1, keepdims=True)).tolist()


RIGHT = [
    ("induction_heads_weights", by_loops),
    ("induction_heads_weights", by_logarithms),
    ("induction_heads_temperature", lambda difference, odds: difference / np.log(odds)),
    ("induction_heads_temperature", lambda difference, odds: [one / np.log(odds) for one in difference]),
]
WRONG = [
    ("induction_heads_weights", lambda scores, temperature: by_loops(scores, temperature).T, ["shape"]),
    ("induction_heads_weights", lambda scores, temperature: np.full(scores.shape, 0.5), ["column"]),
    ("induction_heads_weights", lambda scores, temperature: scores / 0 * temperature, ["Row 0"]),
    ("induction_heads_temperature", lambda difference, odds: 0 * difference, ["Entry 0", "not 2"]),
    ("induction_heads_temperature", lambda difference, odds: (difference / np.log(odds))[0], ["shape"]),
]


@pytest.mark.parametrize(("name", "function"), RIGHT)
def test_right_answers_pass(name, function, capsys):
    assert getattr(check, name)(function)
    assert capsys.readouterr().out == f"{name}: passed. It is right on every case that we tried.\n"


@pytest.mark.parametrize(("name", "function", "words"), WRONG)
def test_other_wrong_answers_are_rejected(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=6, characters=500)


@pytest.mark.parametrize(
    "exercise", [exercises._WEIGHTS, exercises._TEMPERATURE], ids=["weights", "temperature"]
)
def test_each_known_mistake_is_rejected_and_told_by_its_own_hint(exercise):
    assert len(exercise.mistakes) >= 3
    assert_each_mistake_has_its_hint(exercise)


@pytest.mark.parametrize("name", exercises.__all__)
@pytest.mark.parametrize("stub", STUBS)
def test_a_stub_is_not_solved_yet(name, stub, capsys):
    assert_not_solved_yet(name, stub, capsys)
