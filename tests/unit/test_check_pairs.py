"""The checkers of the way back, from weights to queries and keys: any right pair passes, known mistakes get hints."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.unit.checkers import assert_hint, assert_passes

inf = np.inf


def weights_of(q, k):
    """By loops, apart from attn."""
    out = np.zeros((len(q), len(k)))
    for i, query in enumerate(q):
        e = [np.exp(sum(a * b for a, b in zip(query, key, strict=True)) / len(query) ** 0.5) for key in k]
        out[i] = np.array(e) / sum(e)
    return out


def turned(q, k):
    """All queries and keys turned by one angle in their first two numbers."""
    turn = np.eye(q.shape[1])
    turn[:2, :2] = [[0.6, -0.8], [0.8, 0.6]]
    return np.stack([q @ turn, k @ turn])


RIGHT = {
    "pair_for": [
        lambda w: np.stack([np.sqrt(len(w)) * np.log(w), np.eye(len(w))]),
        lambda w: np.stack([np.eye(len(w)), np.sqrt(len(w)) * np.log(w).T]),
        lambda w: np.stack([5 * np.log(7 * w), np.eye(len(w)) * np.sqrt(len(w)) / 5]),
        lambda w: np.stack([np.sqrt(len(w)) * np.log(w), np.eye(len(w))]).astype(np.float32),
        lambda w: [(np.sqrt(len(w)) * np.log(w)).tolist(), np.eye(len(w)).tolist()],
    ],
    "another_pair": [
        lambda q, k: np.stack([2 * q, k / 2]),
        lambda q, k: np.stack([-q, -k]),
        lambda q, k: np.stack([q, k + np.arange(1, k.shape[1] + 1)]),
        lambda q, k: np.stack([q[:, ::-1], k[:, ::-1]]),
        lambda q, k: turned(q, k).astype(np.float32),
        turned,
    ],
}
RIGHT_CASES = [(name, function) for name, functions in RIGHT.items() for function in functions]


@pytest.mark.parametrize(("name", "function"), RIGHT_CASES)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


def test_right_answers_are_right_by_loops():
    counts = np.random.default_rng(0).integers(1, 9, size=(4, 4))
    wanted = counts / counts.sum(axis=1, keepdims=True)
    for function in RIGHT["pair_for"]:
        assert_allclose(weights_of(*function(wanted)), wanted, atol=1e-6)
    q, k = np.random.default_rng(1).normal(size=(2, 4, 3))
    for function in RIGHT["another_pair"]:
        assert_allclose(weights_of(*function(q, k)), weights_of(q, k), atol=1e-6)


def back(q, k=None):
    return lambda w: np.stack([q(w), np.eye(len(w)) if k is None else k(w)])


WRONG = {
    "no root": ("pair_for", back(np.log), ["root missing", "√d_k"]),
    "no logarithm": ("pair_for", back(lambda w: w), ["exponential", "logarithms"]),
    "turned over": (
        "pair_for",
        back(lambda w: np.eye(len(w)), lambda w: np.sqrt(len(w)) * np.log(w)),
        ["turned over", "column"],
    ),
    "base 2": ("pair_for", back(lambda w: np.sqrt(len(w)) * np.log2(w)), ["base 2", "np.log"]),
    "times d_k": ("pair_for", back(lambda w: len(w) * np.log(w)), ["d_k itself"]),
    "nearly": ("pair_for", back(lambda w: 1.02 * np.sqrt(len(w)) * np.log(w)), ["gives word", "should be"]),
    "minus infinity": ("pair_for", back(lambda w: np.full(w.shape, -inf)), ["-inf", "finite"]),
    "one array": ("pair_for", np.log, ["shape"]),
    "both doubled": ("another_pair", lambda q, k: np.stack([2 * q, 2 * k]), ["give back", "halve"]),
    "added to the queries": ("another_pair", lambda q, k: np.stack([q + 1, k]), ["*queries*"]),
    "the same": ("another_pair", lambda q, k: np.stack([q, k]), ["were given", "change at least one"]),
    "too near": ("another_pair", lambda q, k: np.stack([q, k + 0.001]), ["were given"]),
    "only the queries turned": (
        "another_pair",
        lambda q, k: np.stack([turned(q, k)[0], k]),
        ["gives word", "should be"],
    ),
    "words in another order": ("another_pair", lambda q, k: np.stack([q[::-1], k[::-1]]), ["another order"]),
}


@pytest.mark.parametrize(("name", "function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=7, characters=900)
