"""The claims of the variance chapter that no other test shows, with draws of their own."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore import SaturationByScale
from attn.explore.small.qk_variance import _rows
from attn.explore.variance import N_KEYS
from attn.softmax import softmax
from attn.transformer import rms_norm
from attn.variance import sample_scores, saturation


@pytest.fixture
def rng():
    return np.random.default_rng(22)


def eight_keys(rng, n, d_k):
    return rng.normal(size=(n, 1, d_k)), rng.normal(size=(n, N_KEYS, d_k))


def test_the_variance_of_one_table(rng):
    n = 100_000
    q, k = rng.normal(size=(2, n, 4, 8))
    tables = (q @ k.swapaxes(1, 2)).reshape(n, 16).var(axis=1)
    apart = sample_scores(rng, 16 * n, 8).reshape(n, 16).var(axis=1)
    for draws, low, high in ((tables, 2.24, 17.25), (apart, 2.80, 15.1)):
        error = 3.29 * draws.std() / math.sqrt(n)
        assert error < 0.05
        assert abs(draws.mean() - 7.5) < error
        assert abs(draws.mean() * 16 / 15 - 8) < error * 16 / 15
        assert_allclose(np.percentile(draws, [2.5, 97.5]), [low, high], atol=0.15)
    assert tables.std() > 1.15 * apart.std()
    assert_allclose([(tables < 4.859606).mean(), (tables < 7.112287).mean()], [0.27, 0.545], atol=0.01)


def test_scores_that_share_a_query_are_uncorrelated_but_not_independent(rng):
    q, one, two = rng.normal(size=(3, 200_000, 8))
    a, b = (q * one).sum(axis=1), (q * two).sum(axis=1)
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.01
    assert np.corrcoef(a**2, b**2)[0, 1] > 0.05


def test_the_threshold(rng):
    for n, threshold in ((8, 2.0), (128, 3.1), (2048, 3.9)):
        assert_allclose(math.sqrt(2 * math.log(n)), threshold, atol=0.05)
    assert_allclose(2 * math.log(2048), 15.2, atol=0.05)
    assert_allclose(2 * math.log(math.e**32), 64)
    top = {n: softmax(rng.normal(size=(400, n))).max(axis=1).mean() for n in (8, 128, 2048)}
    assert_allclose(list(top.values()), [0.36, 0.07, 0.01], atol=0.015)
    # Far above the threshold a few keys hold a finite share, however many there are; far below they do not.
    for sigma, low, high in ((1, 0, 0.02), (8, 0.6, 0.8)):
        share = softmax(sigma * rng.normal(size=(300, 4096))).max(axis=1).mean()
        assert low < share < high


@pytest.mark.parametrize(
    ("variance", "deviation"),
    [(0.02**2, 0.31), (1 / (3 * 768), 0.33), (2 / (768 + 3 * 768), 0.50), (2 / (768 + 768), 1.0)],
    ids=["GPT-2", "nn.Linear", "nn.MultiheadAttention", "Xavier, square"],
)
def test_what_real_models_start_with(rng, variance, deviation):
    """The spread is d_model σ² at every d_k, whatever the tokens: here one token and nearly the same once more."""
    assert_allclose(768 * variance, deviation, atol=5e-3)
    x = rng.normal(size=(2, 768))
    x[1] = x[0] + 0.1 * x[1]
    x -= x.mean(axis=1, keepdims=True)
    x /= x.std(axis=1, keepdims=True)
    for d_k in (4, 32):
        q, k = (
            np.einsum("nd,sdk->snk", x, math.sqrt(variance) * rng.normal(size=(300, 768, d_k))) for _ in "qk"
        )
        scores = (q @ k.swapaxes(1, 2)) / math.sqrt(d_k)
        assert_allclose(scores.std(), deviation, rtol=0.12)


def test_the_three_gauges(rng):
    dots = {}
    for d_k in (4, 64, 1024):
        q, k = eight_keys(rng, 500, d_k)
        dots[d_k] = (q @ k.swapaxes(1, 2))[:, 0]
    medians = {
        (d_k, power): [np.median(gauge) for gauge in saturation(softmax(scores / d_k**power))]
        for d_k, scores in dots.items()
        for power in (0, 0.5, 1)
    }
    assert_allclose(medians[1024, 0], [1, 0, 0], atol=1e-3)
    assert_allclose(medians[1024, 0.5], [0.33, 1.77, 0.37], atol=0.02)
    assert_allclose(medians[1024, 0.5], medians[64, 0.5], atol=0.03)
    assert_allclose(medians[1024, 1], [0.13, math.log(8), 0.33], atol=0.01)


def test_the_mean_hides_it(rng):
    norms = {}
    for d_k in (64, 256, 1024):
        q, k = eight_keys(rng, 3000, d_k)
        scores = (q @ k.swapaxes(1, 2))[:, 0]
        norms[d_k] = saturation(softmax(scores)).jacobian_norm
        second, first = np.sort(scores, axis=-1)[:, -2:].T
        near = first - second < 2
        assert 0.7 < norms[d_k][near].sum() / norms[d_k].sum() < 0.9
        assert_allclose(near.mean() * math.sqrt(d_k), 2.6, atol=0.6)
    flat = [norm.mean() * math.sqrt(d_k) for d_k, norm in norms.items()]
    assert_allclose(flat, 1.3, atol=0.2)
    assert np.median(norms[64]) > 50 * np.median(norms[1024])
    alive = norms[1024] > 0.05  # near ties carry the mean
    assert alive.mean() < 0.15
    assert norms[1024][alive].sum() > 0.8 * norms[1024].sum()


def test_the_picture_of_the_chapter_shows_means():
    """Sharp and flat says so; the medians of the same rows lie elsewhere."""
    assert len(_rows()) == 64
    norms = saturation(softmax(_rows()[..., -1])).jacobian_norm  # d_k = 256, undivided
    figure = SaturationByScale(log2_d_k=8).numbers()["norm_now"][0, 0]
    assert_allclose(figure, norms.mean())
    assert np.median(norms) < figure / 5


def test_what_the_softmax_sees(rng):
    d_k, mean_q, mean_k, var_q, var_k = 8, 1.5, 3.0, 0.5, 2.0
    q = mean_q + math.sqrt(var_q) * rng.normal(size=(2000, d_k))
    k = mean_k + math.sqrt(var_k) * rng.normal(size=(2000, d_k))
    within = (q @ k.T).var(axis=1).mean()
    assert_allclose(within, d_k * var_k * (var_q + mean_q**2), rtol=0.05)
    assert_allclose(softmax(q @ (k - mean_k).T), softmax(q @ k.T), atol=1e-10)


def test_the_ceiling_of_qk_norm(rng):
    for g, n in ((1.0, 1024), (4.0, 1024), (2.0, 8)):
        best = softmax(np.array([g] + [-g] * (n - 1)))[0]
        assert_allclose(best, math.exp(2 * g) / (math.exp(2 * g) + n - 1))
        q, k = rng.normal(size=(2, n, 6))
        cosines = (q / np.linalg.norm(q, axis=1, keepdims=True)) @ (
            k / np.linalg.norm(k, axis=1, keepdims=True)
        ).T
        assert softmax(g * cosines).max() <= best
    assert_allclose(np.exp(9.13) / (np.exp(9.13) + 1023), 0.9, atol=1e-3)


def test_a_norm_on_queries_and_keys_is_qk_norm_with_the_root(rng):
    """RMSNorm with gains of 1, then ÷ √d_k, is √d_k times the cosine; a softcap keeps the order and small scores."""
    q, k = 7 * rng.normal(size=(2, 9, 64))
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (q, k)]
    assert_allclose(rms_norm(q) @ rms_norm(k).T / 8, 8 * unit[0] @ unit[1].T, atol=1e-5)
    s, c = np.sort(rng.normal(scale=60, size=400)), 50
    capped = c * np.tanh(s / c)
    assert (np.diff(capped) > 0).all()
    assert np.abs(capped).max() < c
    assert_allclose(c * np.tanh(0.5 / c), 0.5, rtol=1e-4)
