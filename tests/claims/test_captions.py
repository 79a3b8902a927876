"""What captions and alt texts say of their pictures, computed once more."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn import xor
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


def test_where_the_source_ends():
    stands, meant = (xor.recorded_source_002(loss)[1][-1] for loss in ("probability", "log-probability"))
    assert len(stands) == len(meant) == 200
    bins = np.arange(0.23, 1.02, 0.02)
    counts = np.histogram(stands, bins)[0]
    assert min(stands.min(), meant.min()) > 0.24
    peaks = bins[:-1][counts >= 20] + 0.01
    assert_allclose([peaks[0], peaks[-1]], [0.61, 0.75], atol=0.011)
    assert counts[(bins[:-1] > 0.63) & (bins[:-1] < 0.71)].sum() < 12
    assert meant.max() < 0.65
    assert_allclose(np.median(meant), 0.5, atol=0.02)


def test_where_runs_end():
    for name in ("one head, no query bias", "two heads"):
        for rate in xor.RUN_RATES:
            end = np.asarray(xor.recorded_runs(name, loss="probability", learning_rate=rate)[0])
            assert len(end) == 200
            counts, edges = np.histogram(end, np.arange(0.49, 1.02, 0.02))
            assert edges[counts.argmax()] < 0.75 < edges[counts.argmax() + 1]
            if name == "two heads":
                assert 0 < (end > 0.76).sum() < 20
            else:
                assert (end > 0.76).sum() == 0
                assert ((end > 0.5) & (end < 0.74)).sum() > 0
    assert sorted(xor.RUN_RATES) == [0.01, 0.03, 0.1]
