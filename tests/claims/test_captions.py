"""What captions and alt texts say of their pictures, computed once more."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.looking import SCALES, recorded
from attn.positional import sinusoidal_encoding
from attn.softmax import softmax


@pytest.fixture
def rng():
    return np.random.default_rng(77)


def test_how_alike_positions_are():
    alike = {}
    for d_model in (4, 64, 512):
        places = sinusoidal_encoding(101, d_model)
        alike[d_model] = places @ places[0] / (d_model / 2)
        assert_allclose(alike[d_model][0], 1)
    swings = alike[4]
    tops = 1 + np.flatnonzero((swings[1:-1] > swings[:-2]) & (swings[1:-1] > swings[2:]))
    assert set(np.diff(tops)) <= {6, 7}
    assert swings[:7].min() < 0.05
    assert swings[tops[0]] > 0.95
    assert swings[tops[-1]] < swings[tops[0]] - 0.1
    for d_model in (64, 512):
        assert 0.4 < alike[d_model][100] < 0.6
        assert np.diff(alike[d_model]).max() < 0.1


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


def test_the_sweep_of_step_sizes():
    learned = {n: {d: np.array(recorded("plain", d, n).learned[0]) for d in (16, 64, 256)} for n in SCALES}
    by_scale = list(learned.values())  # none, the root, d_k
    sizes = np.array(recorded("plain", 64, "none").step_sizes)
    assert (sizes[0], sizes[-1]) == (1 / 256, 1024)
    assert [curve.max() for curve in by_scale[0].values()] == [187, 101, 58]
    root = np.array(list(by_scale[1].values()))
    level = (sizes >= 2) & (sizes <= 64)
    assert (root[:, level] == 200).all()
    assert (root[:, sizes < 1 / 8] < 200).all()
    assert (root[:, sizes > 64] <= 200).all()
    assert (root[:, sizes > 64] < 200).any()
    halves = [sizes[np.argmax(curve >= 100)] for curve in by_scale[2].values()]
    assert halves[0] < halves[1] < halves[2]
    for curve in by_scale[2].values():
        assert (curve[np.argmax(curve == 200) :] == 200).all()
