"""The checker of what word2vec aims at: right answers pass, each known mistake gets its own hint."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.check.pmi._negatives import _right
from tests.unit.checkers import assert_hint, assert_passes

NAME = "negative_scores"


def by_descent(joint, k, power):
    """Newton's method on the loss itself, entry by entry: no formula of the answer is used."""
    rivals = joint.sum(axis=0) ** power
    noise = k * np.outer(joint.sum(axis=1), rivals / rivals.sum())
    s = np.zeros(joint.shape)
    for _ in range(60):
        p = 1 / (1 + np.exp(-s))
        s -= (noise * p - joint * (1 - p)) / ((noise + joint) * p * (1 - p))
    return s


def by_loops(joint, k, power):
    total = sum(column.sum() ** power for column in joint.T)
    table = np.zeros(joint.shape)
    for (i, j), p in np.ndenumerate(joint):
        rival = joint[:, j].sum() ** power / total
        table[i, j] = np.log(p) - np.log(joint[i].sum()) - np.log(rival) - np.log(k)
    return table


@pytest.mark.parametrize("function", [by_loops, by_descent, lambda *case: by_loops(*case).astype(np.float32)])
def test_right_answers_pass(function, capsys):
    assert_passes(NAME, function, capsys)


def test_what_is_called_right_is_where_the_loss_is_least():
    rng = np.random.default_rng(0)
    for power in (1.0, 0.75, 0.3):
        joint = rng.random((4, 3))
        joint /= joint.sum()
        assert_allclose(_right(joint, 7, power), by_descent(joint, 7, power), atol=1e-9)


WRONG = {
    "no power": (lambda joint, k, power: by_loops(joint, k, 1), ["power left out", "PMI − ln k"]),
    "chances that don't sum to one": (
        lambda joint, k, power: np.log(joint / joint.sum(1, keepdims=True) / joint.sum(0) ** power / k),
        ["sum to one"],
    ),
    "no ln k": (lambda joint, k, power: by_loops(joint, 1, power), ["ln k"]),
    "plus ln k": (lambda joint, k, power: by_loops(joint, 1 / k, power), ["sign of ln k"]),
    "bits": (lambda joint, k, power: by_loops(joint, k, power) / np.log(2), ["nats"]),
    "the wrong margin": (lambda joint, k, power: by_loops(joint.T, k, power).T, ["wrong margin"]),
    "shifted PPMI": (lambda *case: np.maximum(by_loops(*case), 0), ["cut off"]),
    "nearly": (lambda *case: 1.02 * by_loops(*case), ["the loss is least at"]),
    "one entry off": (
        lambda joint, k, power: by_loops(joint, k, power) + 1e-3 * np.eye(*joint.shape),
        ["row 0"],
    ),
    "not a number": (lambda joint, k, power: np.full(joint.shape, np.nan), ["nan"]),
}


@pytest.mark.parametrize(("function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(function, words, capsys):
    assert_hint(NAME, function, words, capsys, lines=8, characters=900)
