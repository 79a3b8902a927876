"""The sweep of step sizes in chapter 2: a part of it is repeated, and what the page says of it holds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.looking import N_QUERIES, SCALES, adam, descend, recorded, slope, start
from attn.softmax import softmax

HEAD_SIZES = (16, 64, 256)
SIZES = 2.0 ** np.arange(-8, 11)
BOTH = ("÷ √d_k", "÷ d_k")


def at(size):
    (index,) = np.flatnonzero(size == SIZES)
    return index


def by_queries(d_k, scale, step_size, steps):
    """The queries themselves go down their gradient; the other way is to follow the eight scores."""
    q, k = start(d_k)
    for _ in range(steps):
        weights = softmax(scale * np.einsum("nkd,nd->nk", k, q))
        jacobian = weights[:, :, None] * np.eye(8) - weights[:, :, None] * weights[:, None]
        d_scores = np.einsum("nij,nj->ni", jacobian, weights - np.eye(8)[0])
        q = q - step_size * scale * np.einsum("nk,nkd->nd", d_scores, k)
    return softmax(scale * np.einsum("nkd,nd->nk", k, q))[:, 0]


def test_the_slope_by_finite_differences():
    rng, h = np.random.default_rng(0), 1e-6

    def loss(s):
        return 0.5 * ((softmax(s) - np.eye(8)[0]) ** 2).sum()

    for _ in range(20):
        s = rng.normal(scale=2, size=8)
        numeric = [(loss(s + h * e) - loss(s - h * e)) / (2 * h) for e in np.eye(8)]
        assert_allclose(slope(softmax(s)), numeric, atol=1e-9)


@pytest.mark.parametrize("name", SCALES)
def test_following_the_scores_is_following_the_queries(name):
    scale = SCALES[name](16)
    seen = descend(16, scale, [0.25, 1.0], [40])[0]
    for weights, step_size in zip(seen, (0.25, 1.0), strict=True):
        assert_allclose(weights, by_queries(16, scale, step_size, 40), atol=1e-6)


@pytest.mark.parametrize("d_k", HEAD_SIZES)
@pytest.mark.parametrize("name", SCALES)
def test_a_part_of_the_sweep_repeats(d_k, name):
    """300 steps of each seventh step size; large steps jump about, so a machine may send one or two elsewhere."""
    runs = recorded("plain", d_k, name)
    assert_allclose(runs.step_sizes, SIZES)
    assert_allclose(runs.steps, [300, 3_000, 30_000])
    some = [2, 8, 11, 16]
    weights = descend(d_k, SCALES[name](d_k), SIZES[some], [300])[0]
    assert len(weights[0]) == N_QUERIES == 200
    for index, w in zip(some, weights, strict=True):
        spare = 1 if SIZES[index] <= 1 else 4
        assert abs((w > 0.9).sum() - runs.learned[0, index]) <= spare
        assert abs((w < 0.01).sum() - runs.low[0, index]) <= spare


@pytest.mark.parametrize("name", SCALES)
def test_adam_repeats(name):
    runs = recorded("Adam", 64, name)
    (w,) = adam(64, SCALES[name](64), [0.1], [300])[0]
    assert runs.step_sizes[4] == 0.1
    assert abs((w > 0.9).sum() - runs.learned[0, 4]) <= 2


def test_one_step_at_one_size_is_what_the_page_prints():
    """Of 10: 4, 10 and 0 learn it, 6, 0 and 0 are below 0.01."""
    found = [recorded("plain", 64, name) for name in SCALES]
    assert [round(runs.learned[0, at(1)] / 20) for runs in found] == [4, 10, 0]
    assert [round(runs.low[0, at(1)] / 20) for runs in found] == [6, 0, 0]


def test_the_root_buys_one_step_size_for_all_head_sizes():
    good = {
        name: [SIZES[recorded("plain", d_k, name).learned[0] == 200] for d_k in HEAD_SIZES] for name in BOTH
    }
    for sizes in good["÷ √d_k"]:
        assert set(2.0 ** np.arange(1, 7)) <= set(sizes)  # 2, 4 … 64
    assert [sizes.min() for sizes in good["÷ d_k"]] == [32, 32, 128]
    assert all(sizes.max() == 1024 for sizes in good["÷ d_k"])  # none is too large, in this sweep
    assert recorded("plain", 64, "÷ √d_k").learned[0, at(1 / 8)] == 2
    assert len(SIZES) == 19
    assert (SIZES[0], SIZES[-1]) == (1 / 256, 1024)


def test_without_a_scale_no_step_size_of_the_sweep_does():
    best = {d_k: recorded("plain", d_k, "none").learned.max(axis=1) for d_k in HEAD_SIZES}
    assert best[64][0] == 101
    assert 160 < best[64][2] < 180
    assert best[256][2] < 100
    assert best[16][2] == 200
    assert SIZES[recorded("plain", 16, "none").learned[2] == 200].tolist() == [1, 2]
    q, k = start(64)
    weights = softmax(np.einsum("nkd,nd->nk", k, q))
    weights = weights[weights[:, 0] < 0.01]
    assert len(weights) == 159
    assert (np.abs(slope(weights)[:, 0]) <= 2 * weights[:, 0]).all()
    assert (np.linalg.norm(slope(weights), axis=1) > 2 * weights[:, 0]).all()  # the others still compete
    slow = recorded("plain", 64, "none")
    assert slow.low[2, at(0.5)] < 40  # so most of the 159 have come back


def test_adam_makes_up_for_the_divisor_and_not_for_the_start():
    for d_k in HEAD_SIZES:
        for name in BOTH:
            assert recorded("Adam", d_k, name).learned[0, 4] == 200
    assert recorded("Adam", 64, "none").learned.max() == 125
