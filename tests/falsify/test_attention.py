"""The theorems of chapter 0: attacked inside their conditions, broken just outside each of them."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, sliding_window_mask
from attn.positional import sinusoidal_encoding
from attn.softmax import softmax
from tests.falsify.attack import one_by_one

SHAPES = [(2, 1), (2, 3), (3, 2), (4, 2)]  # words, numbers in a vector
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def drawn(*shapes, spread=2.0):
    """A drawing of several arrays as one flat array, and how to take it apart."""
    sizes = [int(np.prod(shape)) for shape in shapes]

    def parts(x):
        pieces = np.split(x, np.cumsum(sizes)[:-1])
        return [piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)]

    return (lambda rng: spread * rng.normal(size=sum(sizes))), parts


def scores(q, k):
    return q @ k.T / np.sqrt(q.shape[1])


# Keys that are the queries -----------------------------------------------------------------------------------------


def both_prefer_the_other(s):
    """How far two words both score the other above themselves; above 0 breaks the claim."""
    return max(min(s[i, j] - s[i, i], s[j, i] - s[j, j]) for i, j in combinations(range(len(s)), 2))


def longest_looks_away(s, vectors):
    i = np.linalg.norm(vectors, axis=1).argmax()
    return np.delete(s[i], i).max() - s[i, i]


@each_shape
def test_shared_queries_and_keys_hold_inside(shape):
    draw, parts = drawn(shape)

    def violation(x):
        (q,) = parts(x)
        return max(both_prefer_the_other(scores(q, q)), longest_looks_away(scores(q, q), q))

    assert one_by_one(violation, draw)[0] < 1e-9


def test_shared_queries_and_keys_break_just_outside():
    draw, parts = drawn((2, 2), (2, 2))
    assert one_by_one(lambda x: both_prefer_the_other(scores(*parts(x))), draw)[0] > 1  # keys of their own
    q = np.array([[0.0, 1], [0.5, -1]])
    symmetric = scores(q, q * [1, -1])  # symmetric, but no square of a length
    assert_allclose(symmetric, symmetric.T)
    assert both_prefer_the_other(symmetric) > 0.5
    away = scores(q, q) - 5 * np.eye(2)  # something is added to the scores, as the Reformer's mask is
    assert both_prefer_the_other(away) > 1
    q = np.array([[1.0, 0], [0.9, 0.1]])
    assert longest_looks_away(scores(q, q * [[1], [2]]), q) > 0.1  # one key is longer than its query


@each_shape
def test_normalized_shared_keys_prefer_themselves_inside(shape):
    """The Reformer's keys: each word scores itself at least as high as any other."""
    draw, parts = drawn(shape)

    def violation(x):
        (q,) = parts(x)
        s = scores(q, q / (1e-12 + np.linalg.norm(q, axis=1, keepdims=True)))
        return (s - np.diag(s)[:, None]).max()

    assert one_by_one(violation, draw)[0] < 1e-9


def test_normalized_shared_keys_break_just_outside():
    q = np.array([[1.0, 0], [2, 1]])
    s = scores(q, q)  # not divided by their lengths
    assert s[0, 1] > s[0, 0] + 0.5
    s = scores(q, q / np.abs(q).sum(axis=1, keepdims=True) ** 2)  # divided by something else
    assert (s - np.diag(s)[:, None]).max() > 0.1
    masked = softmax(np.where(np.eye(2, dtype=bool), -np.inf, s))  # and with the mask they do look away
    assert_allclose(masked, [[0, 1], [1, 0]])


# Values that are the keys ------------------------------------------------------------------------------------------


def disagrees(q, k, v, **how):
    """How far the output agrees less with its query than the mean of the values; above 0 breaks the claim."""
    output = scaled_dot_product_attention(q, k, v, **how)[0]
    return float((q @ v.mean(axis=0) - (q * output).sum(axis=1)).max())


@each_shape
def test_shared_keys_and_values_hold_inside(shape):
    draw, parts = drawn((1, shape[1]), shape)

    def violation(x):
        q, k = parts(x)
        return disagrees(q, k, k)

    assert one_by_one(violation, draw)[0] < 1e-9


def test_shared_keys_and_values_break_just_outside():
    q, k = np.array([[1.0]]), np.array([[2.0], [0], [-2]])
    assert disagrees(q, k, k) < 0
    assert disagrees(q, k, -k) > 1  # values of their own
    assert disagrees(q, k, k, mask=np.array([[False, True, True]])) > 0.1  # a mask: the mean is over all
    assert disagrees(q, k, k, mask=np.array([[0.0, 0, 9]])) > 1  # something is added to the scores
    assert disagrees(q, k, k, scale=-1) > 1  # the scale is negative


# What the weights notice -------------------------------------------------------------------------------------------


def test_what_may_be_added_to_keys():
    draw, parts = drawn((2, 2), (3, 2), (1, 2))

    def violation(x):
        q, k, u = parts(x)
        return np.abs(softmax(scores(q, k + u)) - softmax(scores(q, k))).max() - 1e-9

    assert one_by_one(violation, draw)[0] < 0
    q, k, u = np.array([[1.0, 0]]), np.array([[1.0, 1], [0, 2], [2, 0]]), np.array([3.0, -1])
    here = softmax(scores(q, k))
    assert np.abs(softmax(scores(q, k + [u, u, 0 * u])) - here).max() > 0.1  # to all keys but one
    assert np.abs(softmax(scores(q + u, k)) - here).max() > 0.1  # to the queries
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (k, k + u)]
    assert (
        np.abs(softmax(4 * q @ unit[0].T) - softmax(4 * q @ unit[1].T)).max() > 0.1
    )  # before the keys are normalized


def order_lost(before, after):
    """How far two keys have changed their order; above 0 breaks the claim."""
    return max(
        after[j] - after[i] if before[i] > before[j] else -1.0
        for i in range(len(before))
        for j in range(len(before))
    )


@each_shape
def test_a_longer_query_keeps_the_order_inside(shape):
    draw, parts = drawn((1, shape[1]), shape, (1,), spread=1.0)

    def violation(x):
        q, k, c = parts(x)
        s = scores(q, k)[0]
        before, after = softmax(s), softmax((1 + abs(c)) * s)
        return max(order_lost(s, after), before.max() - after.max())

    assert one_by_one(violation, draw)[0] < 1e-9


def test_a_longer_query_breaks_just_outside():
    q, k = np.array([1.0, 0]), np.array([[1.0, 0], [0.5, 2]])
    s = k @ q
    assert order_lost(s, softmax(-2 * s)) > 0.1  # turned round
    assert order_lost(s, softmax(k @ np.array([2.0, 2]))) > 0.1  # longer, and in another direction
    assert order_lost(s, softmax(k * [[1], [4]] @ q)) > 0.1  # a key is longer, not the query
    added = np.array([0, 0.7])
    assert order_lost(s + added, softmax(2 * s + added)) > 0.1  # something is added to the scores


def test_a_longer_key_follows_its_angle():
    """Its score moves away from 0, to the side on which it is: up at an acute angle, down at an obtuse one."""
    draw, parts = drawn((1, 3), (1, 3), (1,))

    def violation(x, prepare=lambda key: key, scale=1):
        q, k, c = parts(x)
        before, after = (scale * scores(q, prepare(key)).item() for key in (k, (1 + abs(c)) * k))
        return before - after if (q @ k.T).item() > 0 else after - before

    assert one_by_one(violation, draw)[0] < 1e-9
    x = np.array([1.0, 0, 0, 1, 1, 0, 2])
    assert violation(x) < -0.1
    assert violation(x, scale=-1) > 0.1  # the scale is negative
    unit = violation(x, lambda key: key / np.linalg.norm(key))
    assert_allclose(unit, 0, atol=1e-12)  # keys are divided by their lengths first


def test_the_output_is_linear_in_values_that_are_values_alone():
    rng = np.random.default_rng(3)
    q, k, v, w = rng.normal(size=(4, 3, 2))

    def attend(values, keys=k):
        return scaled_dot_product_attention(q, keys, values)[0]

    assert_allclose(attend(2 * v - 3 * w), 2 * attend(v) - 3 * attend(w), atol=1e-12)
    assert np.abs(attend(2 * v, 2 * v) - 2 * attend(v, v)).max() > 0.1  # values that are keys too


# The hull ----------------------------------------------------------------------------------------------------------


def sticks_out(output, v, direction):
    return float((output @ direction).max() - (v @ direction).max())


@each_shape
def test_the_hull_holds_inside(shape):
    draw, parts = drawn(shape, shape, shape, (shape[1],))

    def violation(x):
        q, k, v, a = parts(x)
        return sticks_out(scaled_dot_product_attention(q, k, v)[0], v, a / (1e-9 + np.linalg.norm(a)))

    assert one_by_one(violation, draw)[0] < 1e-9


def test_the_hull_is_left_just_outside():
    q = k = np.array([[1.0, 0], [0, 1]])
    v, up = np.array([[1.0, 1], [1, 2]]), np.array([0.0, 1])
    output, weights = scaled_dot_product_attention(q, k, v)
    assert sticks_out(output, v, up) < 0
    assert sticks_out(output + q, v, up) > 0.1  # a residual connection
    assert sticks_out(output + output[::-1], v, up) > 0.1  # two heads that add up
    assert sticks_out(output + [0, 1], v, up) > 0.1  # a bias behind it
    assert sticks_out(np.tril(weights) @ v, v, -up) > 0.1  # masked after the softmax: sums below one
    assert sticks_out((3 * weights - 2 * weights[::-1]) @ v, v, up) > 0.1  # weights that may be negative


# The order of the words --------------------------------------------------------------------------------------------


def order_seen(f, x, order):
    """How far the outputs of shuffled words are from the shuffled outputs."""
    return float(np.abs(f(x[order]) - f(x)[order]).max())


def test_order_is_not_seen_inside():
    n, d = 4, 3
    draw, parts = drawn((n, d), (d, 2), (d, 2), (d, 2), (n,))

    def violation(x):
        x, w_q, w_k, w_v, keys = parts(x)

        def f(y):
            return scaled_dot_product_attention(y @ w_q, y @ w_k, y @ w_v)[0]

        return order_seen(f, x, np.argsort(keys)) - 1e-9

    assert one_by_one(violation, draw, rounds=15)[0] < 0


def test_order_is_seen_just_outside():
    x, order = np.random.default_rng(1).normal(size=(4, 3)), np.array([2, 0, 3, 1])

    def f(y, **how):
        return scaled_dot_product_attention(y, y, y, **how)[0]

    assert order_seen(f, x, order) < 1e-12
    assert order_seen(lambda y: f(y, mask=causal_mask(4)), x, order) > 0.1  # a mask that depends on places
    assert order_seen(lambda y: f(y, mask=sliding_window_mask(4, 2)), x, order) > 0.1
    apart = -np.abs(np.subtract.outer(np.arange(4), np.arange(4))).astype(float)
    assert order_seen(lambda y: f(y, mask=apart), x, order) > 0.1  # something in the scores does
    assert (
        order_seen(lambda y: f(y + sinusoidal_encoding(4, 4)[:, :3]), x, order) > 0.1
    )  # the words' numbers do
    rows = np.arange(1, 5)[:, None]
    assert (
        order_seen(lambda y: scaled_dot_product_attention(rows * y, y, y)[0], x, order) > 0.1
    )  # rows treated unlike


def test_only_the_product_counts():
    draw, parts = drawn((3, 2), (3, 2), (2, 2), spread=1.0)

    def violation(x):
        q, k, m = parts(x)
        m = m + 3 * np.eye(2)  # near enough to 3 to be invertible, mostly
        if np.linalg.cond(m) > 50:
            return -1.0
        here, there = softmax(scores(q, k)), softmax(scores(q @ m, k @ np.linalg.inv(m).T))
        return np.abs(here - there).max() - 1e-9

    assert one_by_one(violation, draw)[0] < 0
    q, k = np.random.default_rng(2).normal(size=(2, 3, 2))
    stretch = np.diag([2.0, 1])
    assert np.abs(softmax(scores(q @ stretch, k @ stretch)) - softmax(scores(q, k))).max() > 0.05  # no turn
    turn = np.array([[0.0, 1], [-1, 0]])
    assert np.abs(softmax(scores(q @ turn, k)) - softmax(scores(q, k))).max() > 0.05  # the queries alone
