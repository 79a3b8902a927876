"""Source 003's two heads: their numbers in the figure, and their raw scores. The page on them prints the rest."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore.multihead import PRESETS
from attn.positional import sinusoidal_encoding

E = np.array([[1, 2, 3, 4], [2, 3, 4, 5]], dtype=np.float64)
WK1 = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1], [0, 1, 0]])
WV1 = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 1], [0, 1, 0]])
WQ1 = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0]])
WK2 = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 1, 0]])
WV2 = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 1], [1, 0, 0]])
WQ2 = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]])
PRINTED = [[1.0, 3.0, 3.0, 5.0], [2.84147098, 3.99995, 4.0001, 6.0]]  # "E after adding"
Q, K, V = np.stack([WQ1, WQ2]), np.stack([WK1, WK2]), np.stack([WV1, WV2])
TOKENS = {"source": np.array(PRESETS["source"]["x"])[:2], "paper": E + sinusoidal_encoding(2, 4)}


def raw_scores(x):
    return x @ Q @ np.swapaxes(x @ K, 1, 2)


def test_the_figure_starts_from_the_sources_numbers():
    for name in ("source", "paper"):
        assert_array_equal(PRESETS[name]["w_q"], Q)
        assert_array_equal(PRESETS[name]["w_k"], K)
        assert_array_equal(PRESETS[name]["w_v"], V)
        assert_allclose(np.array(PRESETS[name]["x"])[:2], TOKENS[name], atol=1e-15)
    assert_allclose(TOKENS["source"], PRINTED, rtol=0, atol=0.5e-8)


def test_raw_scores():
    assert_allclose(raw_scores(TOKENS["source"])[0], [[68, 105.26], [88.00, 135.78]], rtol=0, atol=5e-3)
    assert_allclose(raw_scores(TOKENS["paper"])[0], [[68, 103.99], [82.52, 126.61]], rtol=0, atol=5e-3)
    assert_allclose(raw_scores(TOKENS["source"])[1], [[120, 175.78], [166.41, 243.64]], rtol=0, atol=5e-3)
    assert_allclose(raw_scores(TOKENS["paper"])[1], [[120, 171.30], [162.34, 230.76]], rtol=0, atol=5e-3)
