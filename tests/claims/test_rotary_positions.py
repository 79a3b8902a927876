"""Claims of chapter 8's pages that stand beside those of test_rotary.py: exercises, the show of hands, a bucket."""

import numpy as np
from numpy.testing import assert_allclose

from attn.bias import alibi_bias
from attn.positional import angular_frequencies
from attn.rotary import rotate
from attn.softmax import softmax


def test_independent_entries_keep_mean_and_variance_alone():
    """All four keys of coins: the score of a turned one has mean 0 and the same variance, and other values."""
    keys = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=float)
    query = np.array([1.0, 0])
    here, there = (rotate(keys, o, frequencies=[1.0]) @ query for o in (0, 1))
    for scores in (here, there):
        assert_allclose([scores.mean(), scores.var()], [0, 1], atol=1e-12)
    assert len(np.unique(here.round(9))) == 2
    assert len(np.unique(there.round(9))) == 4
    # with another mean, or unequal variances, neither stays
    ones, spread = np.ones(64), np.tile([2.0, 0.1], 32)
    (moved,) = rotate(ones[None], 20)
    assert_allclose(ones @ moved, 37.8, atol=0.05)
    every_second = np.tile([1.0, 0], 32)
    deviations = [np.linalg.norm(rotate(every_second[None], -o) * spread) for o in (0, 20)]
    assert_allclose(deviations, [11.3, 9.7], atol=0.05)


def test_halves_stay_after_50():
    """The show of hands: paired by halves, no score moves, in the first row or any other; nor does it get smaller."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 9, 16))
    here, later = (
        rotate(q, start + np.arange(9), layout="halves") @ rotate(k, start + np.arange(9), layout="halves").T
        for start in (0, 50)
    )
    assert_allclose(later, here, atol=1e-12)
    neighbors = rotate(q, np.arange(9)) @ rotate(k, np.arange(9)).T
    assert np.abs(here - neighbors).max() > 0.1  # they are not those of the paper's pairs, and they stay


def test_a_lead_against_a_slope():
    """Among words of which the one right before is `very`, `big` has more weight up to 8 back, and as much at 9."""
    for back in range(1, 15):
        content = np.zeros(back + 2)
        content[-1 - back] = 2
        weights = softmax(content + alibi_bias(1, back + 2, np.array([0.25]), offset=back + 1)[0, 0])
        big, very = weights[-1 - back], weights[-2]
        if back == 1:
            continue  # there it is the word right before
        assert (big > very * (1 + 1e-9)) == (back <= 8)
        if back == 9:
            assert_allclose(big, very)


SIXTY_FOUR = angular_frequencies(128)
