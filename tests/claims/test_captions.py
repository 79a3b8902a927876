"""What captions and alt texts say of their pictures, computed once more."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.softmax import softmax


@pytest.fixture
def rng():
    return np.random.default_rng(77)


def test_one_table(rng):
    q, k = rng.normal(size=(2, 40_000, 4, 8))
    tables = (q @ k.swapaxes(1, 2)).reshape(-1, 16).var(axis=1)
    counts, edges = np.histogram(tables, np.arange(0, 25, 0.5))
    assert 4 <= edges[counts.argmax()] <= 6
    assert_allclose(np.percentile(tables, [2.5, 97.5]), [2, 17], atol=0.5)
    assert 4.86 < 7.11 < 7.5
    assert np.percentile(tables, 25) < 4.86
    assert np.percentile(tables, 75) > 7.11


def test_the_largest_weight(rng):
    for n, dot, height in ((8, 2.0, 0.57), (128, 3.1, 0.43), (2048, 3.9, 0.38)):
        threshold = np.sqrt(2 * np.log(n))
        assert_allclose(threshold, dot, atol=0.05)
        draws = rng.normal(size=(4000, n))
        at = {s: softmax(s * draws).max(axis=1).mean() for s in (1, threshold, 8)}
        assert_allclose(at[threshold], height, atol=0.015)
        assert at[1] < 0.37
        assert at[8] > 0.65
        assert np.sqrt(64) == 8
