"""The theorems of chapter 0: attacked inside their conditions, broken just outside each of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, sliding_window_mask
from attn.positional import sinusoidal_encoding
from attn.rotary import rotate
from attn.softmax import softmax
from tests.falsify.attack import TINY, each_breaks, normal, worst

each_shape = pytest.mark.parametrize(
    "shape", [(2, 1), (2, 3), (3, 2), (4, 2)], ids=str
)  # words, numbers of each
#: Not the default: a few numbers in small arrays need no more.
QUICK = {"n": 2000, "climbers": 20, "rounds": 60}


def scores(q, k):
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def weigh(q, k):
    return softmax(scores(q, k))


def attend(q, k, v, **how):
    return scaled_dot_product_attention(q, k, v, **how)[0]


def most(x, axes=(-2, -1)):
    return np.abs(x).max(axis=axes)


def unit(x):
    return x / (1e-12 + np.linalg.norm(x, axis=-1, keepdims=True))


# Keys that are the queries -----------------------------------------------------------------------------------------


def away(s):
    """How far each word scores each other above itself, (…, n, n); itself −∞."""
    own = np.diagonal(s, axis1=-2, axis2=-1)[..., None]
    return np.where(np.eye(s.shape[-1], dtype=bool), -np.inf, s - own)


def both_prefer_the_other(s):
    """How far two words both score the other above themselves."""
    return np.minimum(away(s), away(s).swapaxes(-1, -2)).max(axis=(-2, -1))


def longest_looks_away(s, vectors):
    longest = np.linalg.norm(vectors, axis=-1).argmax(axis=-1)[..., None, None]
    return np.take_along_axis(away(s), longest, axis=-2).max(axis=(-2, -1))


@each_shape
def test_shared_queries_and_keys(shape):
    def violation(p):
        s = scores(p["q"], p["q"])
        return np.maximum(both_prefer_the_other(s), longest_looks_away(s, p["q"])) / (1 + most(s))

    assert worst(normal(q=shape), violation, **QUICK) <= TINY
    rng = np.random.default_rng(0)
    own = max(both_prefer_the_other(scores(*rng.normal(size=(2, 50, 2, 2)))))
    q = np.array([[0.0, 1], [0.5, -1]])
    longer = np.array([[1.0, 0], [0.9, 0.1]])
    assert_allclose(scores(q, q * [1, -1]), scores(q, q * [1, -1]).T)
    outside = {
        "keys are the queries": own,
        "scores are squares of lengths, not only symmetric": both_prefer_the_other(scores(q, q * [1, -1])),
        "nothing is added to the scores, as the Reformer's mask is": both_prefer_the_other(
            scores(q, q) - 5 * np.eye(2)
        ),
        "no key is longer than its query": longest_looks_away(scores(longer, longer * [[1], [2]]), longer),
    }
    assert each_breaks(outside)


@each_shape
def test_normalized_shared_keys_prefer_themselves(shape):
    """The Reformer's keys: each word scores itself at least as high as any other."""

    def violation(p):
        s = scores(p["q"], unit(p["q"]))
        return away(s).max(axis=(-2, -1)) / (1 + most(s))

    assert worst(normal(q=shape), violation, **QUICK) <= TINY
    q = np.array([[1.0, 0], [2, 1]])
    squared = scores(q, q / np.abs(q).sum(axis=1, keepdims=True) ** 2)
    assert each_breaks(
        {"divided by their lengths": away(scores(q, q)).max(), "and by nothing else": away(squared).max()}
    )
    masked = softmax(np.where(np.eye(2, dtype=bool), -np.inf, scores(q, unit(q))))
    assert_allclose(masked, [[0, 1], [1, 0]])  # and with the mask they do look away


# Values that are the keys ------------------------------------------------------------------------------------------


def disagrees(q, k, v, **how):
    """How far the output agrees less with its query than the mean of the values."""
    means = q @ v.mean(axis=-2, keepdims=True).swapaxes(-1, -2)
    return (means[..., 0] - (q * attend(q, k, v, **how)).sum(axis=-1)).max(axis=-1)


@each_shape
def test_shared_keys_and_values(shape):
    def violation(p):
        return disagrees(p["q"], p["k"], p["k"]) / (1 + most(scores(p["q"], p["k"])))

    assert worst(normal(q=(1, shape[1]), k=shape), violation, **QUICK) <= TINY
    q, k = np.array([[1.0]]), np.array([[2.0], [0], [-2]])
    assert disagrees(q, k, k) < 0
    outside = {
        "values are the keys": disagrees(q, k, -k),
        "no mask: the mean is over all": disagrees(q, k, k, mask=np.array([[False, True, True]])),
        "nothing is added to the scores": disagrees(q, k, k, mask=np.array([[0.0, 0, 9]])),
        "the scale is positive": disagrees(q, k, k, scale=-1),
    }
    assert each_breaks(outside)


def test_the_average_score_grows_with_sharpness():
    """The step of the proof: the derivative of the average score under softmax(t s) is the variance of the scores."""

    def violation(p):
        s, t, h = p["s"], np.tanh(p["t"])[:, None], 1e-5
        below, here, above = ((softmax(factor * s) * s).sum(axis=1) for factor in (t - h, t, t + h))
        variance = (softmax(t * s) * (s - here[:, None]) ** 2).sum(axis=1)
        return np.abs((above - below) / (2 * h) - variance) / (1 + most(s, 1)) ** 2 - 1e-6

    assert worst(normal(s=(5,), t=()), violation, **QUICK) <= 0


# What the weights notice -------------------------------------------------------------------------------------------


def test_what_may_be_added_to_keys():
    def violation(p):
        moved = weigh(p["q"], p["k"] + p["u"]) - weigh(p["q"], p["k"])
        return most(moved) / (1 + most(scores(p["q"], p["k"])) + most(scores(p["q"], p["u"])))

    assert worst(normal(q=(2, 2), k=(3, 2), u=(1, 2)), violation, **QUICK) <= TINY
    q, k, u = np.array([[1.0, 0]]), np.array([[1.0, 1], [0, 2], [2, 0]]), np.array([3.0, -1])
    here = weigh(q, k)
    outside = {
        "to all keys": most(weigh(q, k + [u, u, 0 * u]) - here),
        "to keys": most(weigh(q + u, k) - here),
        "after the keys are normalized": most(weigh(4 * q, unit(k)) - weigh(4 * q, unit(k + u))),
    }
    assert each_breaks(outside)


def order_lost(before, after):
    """How far two keys have changed their order, by what they had before and after, (…, n)."""
    first = before[..., :, None] > before[..., None, :]
    return np.where(first, after[..., None, :] - after[..., :, None], -1).max(axis=(-2, -1))


@each_shape
def test_a_longer_query_keeps_the_order_and_sharpens(shape):
    def violation(p):
        s = scores(p["q"], p["k"])[:, 0]
        before, after = softmax(s), softmax((1 + np.abs(p["c"]))[:, None] * s)
        return np.maximum(order_lost(s, after), before.max(axis=-1) - after.max(axis=-1))

    assert worst(normal(q=(1, shape[1]), k=shape, c=()), violation, **QUICK) <= TINY
    k, added = np.array([[1.0, 0], [0.5, 2]]), np.array([0, 0.7])
    s = k @ [1.0, 0]
    assert_allclose(
        np.divide(*softmax(2 * s)), np.divide(*softmax(s)) ** 2
    )  # twice as long: ratios are squared
    outside = {
        "the factor is positive": order_lost(s, softmax(-2 * s)),
        "the direction stays": order_lost(s, softmax(k @ [2.0, 2])),
        "the query is longer, not a key": order_lost(s, softmax(k * [[1], [4]] @ [1.0, 0])),
        "nothing is added to the scores": order_lost(s + added, softmax(2 * s + added)),
    }
    assert each_breaks(outside)


def test_a_longer_key_follows_its_angle():
    """Its score moves away from 0, to the side on which it is: up at an acute angle, down at an obtuse one."""

    def violation(p, prepare=lambda key: key, scale=1):
        longer = (1 + np.abs(p["c"]))[:, None, None] * p["k"]
        before, after = (scale * scores(p["q"], prepare(key))[:, 0, 0] for key in (p["k"], longer))
        return (before - after) * np.sign(scores(p["q"], p["k"])[:, 0, 0])

    assert worst(normal(q=(1, 3), k=(1, 3), c=()), violation, **QUICK) <= TINY
    one = {"q": np.array([[[1.0, 0, 0]]]), "k": np.array([[[1.0, 1, 0]]]), "c": np.array([2.0])}
    assert violation(one)[0] < -0.1
    assert each_breaks({"the scale is positive": violation(one, scale=-1)[0]})
    assert_allclose(violation(one, unit), 0, atol=1e-12)  # keys are divided by their lengths first: nothing


def test_the_output_is_linear_in_values_that_are_values_alone():
    q, k, v, w = np.random.default_rng(3).normal(size=(4, 3, 2))
    assert_allclose(attend(q, k, 2 * v - 3 * w), 2 * attend(q, k, v) - 3 * attend(q, k, w), atol=1e-12)
    assert most(attend(q, 2 * v, 2 * v) - 2 * attend(q, v, v)) > 0.1  # values that are keys too


# The hull ----------------------------------------------------------------------------------------------------------


def sticks_out(output, v, direction):
    a = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    return (output @ a[..., None])[..., 0].max(axis=-1) - (v @ a[..., None])[..., 0].max(axis=-1)


@each_shape
def test_the_hull(shape):
    def violation(p):
        q, k, v = (p[name] for name in "qkv")
        return sticks_out(attend(q, k, v), v, p["a"]) / (1 + most(v))

    assert worst(normal(q=shape, k=shape, v=shape, a=shape[1:]), violation, **QUICK) <= TINY
    q = k = np.eye(2)
    v, up = np.array([[1.0, 1], [1, 2]]), np.array([0.0, 1])
    output, weights = scaled_dot_product_attention(q, k, v)
    assert sticks_out(output, v, up) < 0
    outside = {
        "no residual connection": sticks_out(output + q, v, up),
        "one head": sticks_out(output + output[::-1], v, up),
        "no bias behind it": sticks_out(output + [0, 1], v, up),
        "weights sum to one, as they don't if masked after the softmax": sticks_out(
            np.tril(weights) @ v, v, -up
        ),
        "no weight is negative": sticks_out((3 * weights - 2 * weights[::-1]) @ v, v, up),
    }
    assert each_breaks(outside)


# The order of the words --------------------------------------------------------------------------------------------


def order_seen(f, x, order):
    """How far the outputs of shuffled words are from the shuffled outputs."""
    return most(f(x[order]) - f(x)[order])


def test_order_is_not_seen():
    def violation(p):
        def f(x):
            return attend(*(x @ p[name] for name in ("w_q", "w_k", "w_v")))

        x, order = p["x"], np.argsort(p["order"])[..., None]
        shuffled = f(np.take_along_axis(x, order, axis=1)) - np.take_along_axis(f(x), order, axis=1)
        return most(shuffled) / (1 + most(x @ p["w_v"]) + most(scores(x @ p["w_q"], x @ p["w_k"])))

    draw = normal(x=(4, 3), w_q=(3, 2), w_k=(3, 2), w_v=(3, 2), order=(4,))
    assert worst(draw, violation, **QUICK) <= TINY
    x, order, places = np.random.default_rng(1).normal(size=(4, 3)), [2, 0, 3, 1], np.arange(4)
    by_distance = -np.abs(np.subtract.outer(places, places)).astype(float)
    cases = {
        "no mask": lambda y: attend(y, y, y, mask=causal_mask(4)),
        "no mask, of any kind": lambda y: attend(y, y, y, mask=sliding_window_mask(4, 2)),
        "nothing in the scores depends on places": lambda y: attend(y, y, y, mask=by_distance),
        "nothing in the words does": lambda y: attend(*[y + sinusoidal_encoding(4, 4)[:, :3]] * 3),
        "all rows are treated alike": lambda y: attend((1 + places)[:, None] * y, y, y),
    }
    assert order_seen(lambda y: attend(y, y, y), x, order) < 1e-12
    assert each_breaks({dropped: order_seen(f, x, order) for dropped, f in cases.items()})


def test_only_the_product_counts():
    def violation(p):
        m = p["m"] + 3 * np.eye(2)  # near enough to 3 to be invertible, mostly
        fine = np.linalg.cond(m) < 50
        m = np.where(fine[:, None, None], m, np.eye(2))
        there = weigh(p["q"] @ m, p["k"] @ np.linalg.inv(m).swapaxes(-1, -2))
        return most(weigh(p["q"], p["k"]) - there) / (1 + most(scores(p["q"], p["k"])))

    assert worst(normal(q=(3, 2), k=(3, 2), m=(2, 2)), violation, **QUICK) <= TINY
    q, k = np.random.default_rng(2).normal(size=(2, 3, 2))
    stretch, turn = np.diag([2.0, 1]), np.array([[0.0, 1], [-1, 0]])

    def turned(q, k):
        return scores(rotate(q, np.arange(3)), rotate(k, np.arange(3)))

    outside = {
        "keys by the inverse's transpose": most(weigh(q @ stretch, k @ stretch) - weigh(q, k)),
        "both": most(weigh(q @ turn, k) - weigh(q, k)),
        "no turn by places in between": most(turned(q @ stretch, k / [2, 1]) - turned(q, k)),
    }
    assert each_breaks(outside, 0.05)
