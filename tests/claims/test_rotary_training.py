"""Training with turned queries and keys: layouts and directions are choices, and mixed-up angles train all the same.

A small model, its gradient written out by hand: tokens are looked up, two heads attend causally with turned queries and
keys, and what they read is led to logits. It learns to say the token two words back.
"""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.positional import angular_frequencies
from attn.rotary import rotate, to_layout
from attn.softmax import log_softmax, softmax
from tests.claims.mixed_up import mixed_up

N_TOKENS, D_MODEL, N_HEADS, D, N, BACK = 8, 16, 2, 8, 10, 2
SEEN = slice(BACK, N)  # the words that have one two words back


def begin(seed):
    rng = np.random.default_rng(seed)
    wide = N_HEADS * D
    return {
        "embedding": rng.normal(size=(N_TOKENS, D_MODEL)),
        "w_q": rng.normal(scale=0.4, size=(D_MODEL, wide)),
        "w_k": rng.normal(scale=0.4, size=(D_MODEL, wide)),
        "w_v": rng.normal(scale=0.3, size=(D_MODEL, wide)),
        "w_o": rng.normal(scale=0.3, size=(wide, N_TOKENS)),
    }


def turns(how, start=0):
    """A matrix for each place, (n, d, d), that a row is multiplied by."""
    places, clocks = start + np.arange(N), angular_frequencies(D)
    eye = np.broadcast_to(np.eye(D), (N, D, D))
    if how in ("interleaved", "halves"):
        return rotate(eye, np.broadcast_to(places[:, None], (N, D)), layout=how)
    if how == "backward":
        return rotate(eye, np.broadcast_to(-places[:, None], (N, D)))
    return mixed_up(eye, places[:, None, None], clocks)


class Passed(NamedTuple):
    loss: float
    right: float
    gradient: dict


def split(x):
    return x.reshape(len(x), N, N_HEADS, D).swapaxes(1, 2)


def merge(x):
    return x.swapaxes(1, 2).reshape(len(x), N, N_HEADS * D)


def run(p, tokens, turn):
    """Loss in nats a word, share of right answers, and the gradient, for tokens (batch, n)."""
    x = p["embedding"][tokens]
    q, k, v = (split(x @ p[name]) for name in ("w_q", "w_k", "w_v"))
    q, k = ((y[..., None, :] @ turn)[..., 0, :] for y in (q, k))
    scores = q @ k.mT / np.sqrt(D)
    scores = np.where(np.tri(N, dtype=bool), scores, -np.inf)
    weights = softmax(scores)
    read = merge(weights @ v)
    logits = (read @ p["w_o"])[:, SEEN]
    target, log_p = tokens[:, : N - BACK], log_softmax(logits)
    loss = -np.take_along_axis(log_p, target[..., None], axis=-1).mean()

    d_logits = np.zeros((*tokens.shape, N_TOKENS))
    d_logits[:, SEEN] = (np.exp(log_p) - np.eye(N_TOKENS)[target]) / target.size
    d_read = split(d_logits @ p["w_o"].T)
    d_weights, d_v = d_read @ v.mT, weights.mT @ d_read
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)) / np.sqrt(D)
    d_q, d_k = d_scores @ k, d_scores.mT @ q
    d_q, d_k = (merge((y[..., None, :] @ turn.mT)[..., 0, :]) for y in (d_q, d_k))
    d_v = merge(d_v)
    d_x = d_q @ p["w_q"].T + d_k @ p["w_k"].T + d_v @ p["w_v"].T
    gradient = {
        name: np.tensordot(x, d, 2 * [(0, 1)]) for name, d in (("w_q", d_q), ("w_k", d_k), ("w_v", d_v))
    }
    gradient["w_o"] = np.tensordot(read, d_logits, 2 * [(0, 1)])
    gradient["embedding"] = np.zeros_like(p["embedding"])
    np.add.at(gradient["embedding"], tokens, d_x)
    return Passed(loss, (logits.argmax(axis=-1) == target).mean(), gradient)


def train(p, turn, *, steps=300, seed=0, rate=0.01):
    """Adam on fresh tokens at each step; the same tokens for the same seed."""
    rng = np.random.default_rng(seed)
    p = {name: value.copy() for name, value in p.items()}
    first, second = ({name: np.zeros_like(value) for name, value in p.items()} for _ in range(2))
    for step in range(1, steps + 1):
        gradient = run(p, rng.integers(N_TOKENS, size=(32, N)), turn).gradient
        for name, g in gradient.items():
            first[name] += 0.1 * (g - first[name])
            second[name] += 0.001 * (g**2 - second[name])
            p[name] -= (
                rate * (first[name] / (1 - 0.9**step)) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
            )
    return p


def right(p, turn, seed=1):
    return run(p, np.random.default_rng(seed).integers(N_TOKENS, size=(200, N)), turn).right


def in_halves(w):
    return to_layout(w, "interleaved", "halves", n_heads=N_HEADS)


@pytest.mark.parametrize(
    ("how", "match"),
    [("halves", in_halves), ("backward", lambda w: w * np.tile([1.0, -1], N_HEADS * D // 2))],
)
def test_another_layout_or_direction_trains_alike(how, match):
    """From matching starts, 300 steps of Adam keep them matching: it is nothing that a model could learn.

    Reverse: with every second column negated, turning by −θ is turning by θ.
    """
    p, queries_and_keys = begin(2), ("w_q", "w_k")
    one = train(p, turns("interleaved"))
    two = train(p | {name: match(p[name]) for name in queries_and_keys}, turns(how))
    assert np.abs(one["w_q"] - p["w_q"]).max() > 0.1  # it did learn
    for name, value in one.items():
        assert_allclose(two[name], match(value) if name in queries_and_keys else value, rtol=0, atol=1e-10)
    unmatched = train(p, turns(how))  # the same numbers are another start
    assert np.abs(unmatched["w_v"] - one["w_v"]).max() > 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_mixed_up_angles_train_all_the_same(seed):
    """Mixed up: in place the task is learned; moved on by 100 words, where training never was, much of it is lost."""
    p = train(begin(seed), turns("mixed up"), steps=1000, seed=seed)
    assert right(p, turns("mixed up")) > 0.99
    assert right(p, turns("mixed up", 100)) < 0.85
    whole = train(begin(seed), turns("interleaved"), steps=300, seed=seed)
    assert right(whole, turns("interleaved")) > 0.99
    assert right(whole, turns("interleaved", 100)) == right(whole, turns("interleaved"))
