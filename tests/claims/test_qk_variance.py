"""The claims of the variance chapter that no other test shows, with draws of their own."""

import re

import numpy as np
from numpy.testing import assert_allclose

from attn.explore.small.qk_variance import _rows
from attn.practice import cards
from attn.softmax import softmax
from attn.variance import saturation


def test_a_mean_of_norms_is_not_their_median():
    """Without a scale, at d_k = 256: a few near-ties carry the mean."""
    norms = saturation(softmax(_rows()[..., -1])).jacobian_norm
    assert np.median(norms) < norms.mean() / 5


def test_the_card_of_the_odds():
    told = [re.search(r"odds of (\d+) to 1 become (\d+) to 1", card.answer) for card in cards.deck("2")]
    ((odds, doubled),) = [map(int, found.groups()) for found in told if found]
    first, second = softmax(2 * np.log([odds, 1]))
    assert_allclose(first / second, doubled)
