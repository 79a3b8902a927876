"""The claims of the variance chapter that no other test shows, with draws of their own."""

import math
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore.small.qk_variance import _rows
from attn.practice import cards
from attn.softmax import softmax
from attn.variance import sample_scores, saturation


@pytest.fixture
def rng():
    return np.random.default_rng(22)


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
    assert_allclose([(tables < 4.86).mean(), (tables < 7.11).mean()], [0.27, 0.545], atol=0.01)
    counts, edges = np.histogram(tables, np.arange(0, 25, 0.5))
    assert 4 <= edges[counts.argmax()] <= 6  # the top of the histogram


def test_the_threshold(rng):
    """The largest weight at a spread of 1, at the root of 2 ln n and at 8: far above a few keys hold a share."""
    for n, threshold, *tops in ((8, 2.0, 0.36, 0.57), (128, 3.1, 0.07, 0.43), (2048, 3.9, 0.01, 0.38)):
        assert_allclose(math.sqrt(2 * math.log(n)), threshold, atol=0.05)
        draws = rng.normal(size=(1500, n))
        one, at, eight = (softmax(s * draws).max(axis=1).mean() for s in (1, threshold, 8))
        assert_allclose([one, at], tops, atol=0.02)
        assert eight > 0.65
    assert_allclose(2 * math.log(math.e**32), 64)


def test_a_mean_of_norms_is_not_their_median():
    """Without a scale, at d_k = 256: a few near-ties carry the mean."""
    norms = saturation(softmax(_rows()[..., -1])).jacobian_norm
    assert np.median(norms) < norms.mean() / 5


def test_the_card_of_the_odds():
    told = [re.search(r"odds of (\d+) to 1 become (\d+) to 1", card.answer) for card in cards.deck("2")]
    ((odds, doubled),) = [map(int, found.groups()) for found in told if found]
    first, second = softmax(2 * np.log([odds, 1]))
    assert_allclose(first / second, doubled)
