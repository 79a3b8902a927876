"""The theorems of chapter 2: attacked inside their conditions, broken just outside each of them."""

import math
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.softmax import softmax, softmax_jacobian
from attn.variance import score_variance
from tests.falsify.attack import TINY, each_breaks, one_by_one

# The variance of a score -------------------------------------------------------------------------------------------


def exact(cases):
    """Mean and variance of q·k over equally likely cases."""
    scores = np.array([float(np.dot(q, k)) for q, k in cases])
    return scores.mean(), scores.var()


COINS = (-1.0, 1.0)


def test_the_closed_form_just_outside():
    """By listing all cases: no sampling, so nothing is left to luck."""
    free = [(c[:2], c[2:]) for c in product(COINS, repeat=4)]
    assert_allclose(exact(free), [0, score_variance(2)])  # inside: independent, means 0
    copied = [((a, a), (b, b)) for a, b in product(COINS, repeat=2)]
    assert_allclose(exact(copied)[1], 4)  # outside: the pairs are copies of each other; d_k² and not d_k
    shifted = [(c[:2], (c[2] + 1, c[3] + 1)) for c in product(COINS, repeat=4)]
    assert_allclose(exact(shifted)[1], 4)  # outside: a mean, for which the first formula has no term
    assert_allclose(score_variance(2, mean_k=1), 4)  # and the second has
    equal = [(c, c) for c in product(COINS, repeat=2)]
    assert_allclose(exact(equal)[1], 0, atol=1e-15)  # outside: correlated, and not normal: 1 − ρ², not 1 + ρ²
    assert_allclose(score_variance(2, correlation=1), 4)


def test_the_variance_of_a_table_just_outside():
    """7.5 rests on scores of one row being uncorrelated, and that on keys with mean 0."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 40_000, 4, 8))

    def table(q, k):
        return (q @ k.swapaxes(1, 2)).reshape(-1, 16).var(axis=1).mean()

    assert_allclose(table(q, k), 8 - 8 / 16, atol=0.1)
    whole = score_variance(8, mean_k=1)
    assert whole == 16
    assert table(q, k + 1) < whole * 15 / 16 - 1  # outside: keys with a mean
    same = np.repeat(q[:, :1], 4, axis=1)
    assert abs(table(same, k) - 7.5) > 1  # outside: rows that share their query


# What real models start with ---------------------------------------------------------------------------------------


def spread_at_start(x, *, tied=False, d_k=16, n=4000):
    """Mean and standard deviation of the scaled score of x[0] with x[1], over draws of W_Q and W_K."""
    rng = np.random.default_rng(1)
    d = x.shape[1]
    w_q, w_k = rng.normal(size=(2, n, d, d_k)) / math.sqrt(d)
    scores = np.einsum("nk,nk->n", x[0] @ w_q, x[1] @ (w_q if tied else w_k)) / math.sqrt(d_k)
    return scores.mean(), scores.std()


def test_the_start_just_outside():
    x = np.random.default_rng(2).normal(size=(2, 24))
    x /= np.sqrt((x**2).mean(axis=1, keepdims=True))
    for pair in (x, x[[0, 0]]):  # inside: two tokens, or a token with itself
        mean, deviation = spread_at_start(pair)
        assert abs(mean) < 0.08
        assert deviation == pytest.approx(1, abs=0.06)
    assert spread_at_start(2 * x)[1] > 3  # outside: no LayerNorm
    assert spread_at_start(x[[0, 0]], tied=True)[0] > 3  # outside: W_Q and W_K are one matrix


# The softmax's derivative ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 6])
def test_the_jacobian(n):
    """Its norm is at most a half, and that is reached where two keys share all."""
    found = one_by_one(
        lambda s: float(np.linalg.norm(softmax_jacobian(softmax(s)))) - 0.5,
        lambda rng: 3 * rng.normal(size=n),
    )
    assert -1e-2 < found.violation <= TINY
    assert np.sort(softmax(found.instance["x"]))[-2:] == pytest.approx([0.5, 0.5], abs=0.1)
    free, alone = np.array([1.0, 1]), np.full(9, 0.5)
    outside = {
        "no temperature below 1": 3 * softmax_jacobian([0.5, 0.5]),
        "weights sum to one": np.diag(free) - np.outer(free, free),
        "not a logistic function for each score": np.diag(alone * (1 - alone)),
    }
    assert each_breaks({dropped: np.linalg.norm(table) - 0.5 for dropped, table in outside.items()})


# Normalized queries and keys ---------------------------------------------------------------------------------------


def layer_norm(x):
    x = x - x.mean(axis=-1, keepdims=True)
    return x / x.std(axis=-1, keepdims=True)


def test_normalized_vectors_just_outside():
    rng, d = np.random.default_rng(3), 4
    formula = d**2 / (d - 1)
    fixed = layer_norm(np.arange(d, dtype=float))
    free = layer_norm(rng.normal(size=(100_000, d)))
    assert ((free @ fixed) ** 2).mean() == pytest.approx(formula, rel=0.02)  # inside: one of them is free
    assert (fixed @ fixed) ** 2 == pytest.approx(d**2)  # outside: none is
    both = layer_norm(fixed + 0.3 * rng.normal(size=(2, 100_000, d)))
    assert ((both[0] * both[1]).sum(axis=1) ** 2).mean() > formula + 1  # outside: both lean the same way
    raw = rng.normal(size=(2, 100_000, d))
    assert ((raw[0] * raw[1]).sum(axis=1) ** 2).mean() < formula - 1  # outside: not normalized


def ceiling(g, n):
    return math.exp(2 * g) / (math.exp(2 * g) + n - 1)


@pytest.mark.parametrize(("g", "n", "d"), [(1.0, 3, 2), (2.5, 5, 1), (4.0, 4, 3)])
def test_the_ceiling(g, n, d):
    def violation(x):
        q, k = x[:d], x[d:].reshape(n, d)
        cosine = k @ q / (1e-12 + np.linalg.norm(k, axis=1) * np.linalg.norm(q))
        return softmax(g * cosine).max() - ceiling(g, n)

    assert (
        -0.01 < one_by_one(violation, lambda rng: rng.normal(size=d * (n + 1))).violation <= TINY
    )  # and reached
    best = np.array([1.0, -1, -1, -1])
    assert softmax(best)[0] == pytest.approx(ceiling(1, 4))
    outside = {
        "keys are normalized": softmax(best + [1, 0, 0, 0])[0],
        "a mask leaves as many keys": softmax(best[:3])[0],
    }
    assert each_breaks({dropped: top - ceiling(1, 4) for dropped, top in outside.items()}, 0.05)
