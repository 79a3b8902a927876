"""The checker of rotated queries and keys: right answers of any style pass, each known mistake gets its own hint."""

import cmath

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.check._rotary import _right
from tests.unit.checkers import assert_hint, assert_passes

NAME = "rotary_scores"


def complex_score(query, key, p, j):
    """By complex numbers, apart from attn: a pair (a, b) is a + ib, and a turn is a factor."""
    d, score = len(query), 0.0
    for i in range(d // 2):
        turn = cmath.exp(-1j * 10000.0 ** (-2 * i / d) * (p - j))  # only the difference comes in
        one, two = complex(*query[2 * i : 2 * i + 2]), complex(*key[2 * i : 2 * i + 2])
        score += (one * turn * two.conjugate()).real
    return score


def by_complex_numbers(q, k, p, j):
    return [[complex_score(a, b, x, y) for b, y in zip(k, j, strict=True)] for a, x in zip(q, p, strict=True)]


def by_turning(q, k, p, j):
    def turn(x, positions):
        omega = np.exp(-np.arange(0, x.shape[1], 2) / x.shape[1] * np.log(10000))
        angle = positions[:, None] * omega
        a, b = x[:, 0::2], x[:, 1::2]
        return np.stack(
            [a * np.cos(angle) + b * np.sin(angle), b * np.cos(angle) - a * np.sin(angle)], -1
        ).reshape(x.shape)

    return turn(q, p) @ turn(k, j).T


def in_float32(q, k, p, j):
    return by_turning(
        q.astype(np.float32), k.astype(np.float32), p.astype(np.float32), j.astype(np.float32)
    ).astype(np.float32)


@pytest.mark.parametrize("function", [by_complex_numbers, by_turning, in_float32])
def test_right_answers_pass(function, capsys):
    assert_passes(NAME, function, capsys)


def test_what_is_called_right_is_right():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(3, 8)), rng.normal(size=(4, 8))
    p, j = rng.integers(0, 500, size=3), rng.integers(0, 500, size=4)
    assert_allclose(_right(q, k, p, j), by_complex_numbers(q, k, p, j), atol=1e-9)


WRONG = {
    "nothing turned": (lambda q, k, p, j: q @ k.T, ["turned", "plain"]),
    "against each other": (
        lambda q, k, p, j: by_turning(q, k, p, -j),
        ["*sum* of the positions", "same way"],
    ),
    "the other way round": (lambda q, k, p, j: by_turning(q, k, -p, -j), ["other way round", "−3"]),
    "degrees": (
        lambda q, k, p, j: by_turning(q, k, p * np.pi / 180, j * np.pi / 180),
        ["degrees", "radians"],
    ),
    "one key off by one": (
        lambda q, k, p, j: by_turning(q, k, p, j + (np.arange(len(j)) == 0)),
        ["position"],
    ),
    "only the queries": (
        lambda q, k, p, j: by_turning(q, k, p, 0 * j),
        ["Only the queries are turned", "query stands"],
    ),
    "only the keys": (
        lambda q, k, p, j: by_turning(q, k, 0 * p, j),
        ["Only the keys are turned", "key stands"],
    ),
    "scaled": (lambda q, k, p, j: by_turning(q, k, p, j) / q.shape[1] ** 0.5, ["without a scale"]),
    "nearly": (lambda q, k, p, j: 1.02 * by_turning(q, k, p, j), ["should be"]),
    "not a number": (lambda q, k, p, j: np.full((len(q), len(k)), np.nan), ["nan"]),
    "transposed": (lambda q, k, p, j: by_turning(q, k, p, j).T, ["(n_q, n_k)"]),
}


@pytest.mark.parametrize(("function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(function, words, capsys):
    assert_hint(NAME, function, words, capsys, lines=8, characters=900)
