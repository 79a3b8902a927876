"""The sweep of step sizes in chapter 2: a part of it is repeated."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.data.looking import N_QUERIES, SCALES, descend, recorded, slope, start
from attn.softmax import softmax
from research.step_sizes import adam

HEAD_SIZES = (16, 64, 256)
SIZES = 2.0 ** np.arange(-8, 11)


def by_queries(d_k, scale, step_size, steps):
    """The queries themselves go down their gradient; the other way is to follow the eight scores."""
    q, k = start(d_k)
    for _ in range(steps):
        weights = softmax(scale * np.einsum("nkd,nd->nk", k, q))
        jacobian = weights[:, :, None] * np.eye(8) - weights[:, :, None] * weights[:, None]
        d_scores = np.einsum("nij,nj->ni", jacobian, weights - np.eye(8)[0])
        q = q - step_size * scale * np.einsum("nk,nkd->nd", d_scores, k)
    return softmax(scale * np.einsum("nkd,nd->nk", k, q))[:, 0]


LOSSES = {
    "distance": lambda weights: 0.5 * ((weights - np.eye(8)[0]) ** 2).sum(),
    "log": lambda weights: -np.log(weights[0]),
}


@pytest.mark.parametrize("name", LOSSES)
def test_the_slope_by_finite_differences(name):
    rng, h, loss = np.random.default_rng(0), 1e-6, LOSSES[name]
    for _ in range(20):
        s = rng.normal(scale=2, size=8)
        numeric = [(loss(softmax(s + h * e)) - loss(softmax(s - h * e))) / (2 * h) for e in np.eye(8)]
        assert_allclose(slope(softmax(s), name), numeric, atol=1e-8)


@pytest.mark.parametrize("d_k", HEAD_SIZES)
def test_minus_the_logarithm_teaches_all_without_a_scale(d_k):
    assert (descend(d_k, 1.0, [2.0], [10], "log") > 0.9).all()
    assert (descend(d_k, 1.0, [2.0], [10]) > 0.9).sum() < 150


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
