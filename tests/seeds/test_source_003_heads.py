"""Source 003's two heads, carried on from q, k and v to the output, and the saturation that they run into."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore.multihead import PRESETS
from attn.multihead import MultiHeadAttention
from attn.positional import sinusoidal_encoding
from attn.softmax import softmax

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


@pytest.mark.parametrize(("name", "least"), [("source", 4.55e-10), ("paper", 9.48e-10)])
def test_the_softmax_saturates(name, least):
    layer = MultiHeadAttention(Q, K, V, np.vstack([np.eye(4), np.eye(4)[:2]]))
    output, weights = layer(TOKENS[name])
    assert_allclose(weights[0, 0, 0], least, rtol=2e-3)
    assert_allclose(weights[:, :, 1], 1, rtol=0, atol=1e-8)
    assert_allclose(output[0], output[1], rtol=0, atol=0.5e-8)  # both words say the same
    heads = np.hstack(layer.shares(TOKENS[name]))
    assert heads.shape == (2, 8)


def alive(x, least=0.005, steps=401):
    """The entries of W_Q and W_K that move some weight by `least` when swept over [−2, 2] alone."""
    found = []
    for which in (0, 1):
        for place in np.ndindex(2, 4, 3):
            seen = []
            for value in np.linspace(-2, 2, steps):
                swept = [Q.astype(float), K.astype(float)]
                swept[which][place] = value
                seen.append(softmax(x @ swept[0] @ np.swapaxes(x @ swept[1], 1, 2) / np.sqrt(3)))
            if np.ptp(seen, axis=0).max() >= least:
                found.append(("qk"[which], *(1 + index for index in place)))
    return found


def test_the_dead_sliders():
    source = [("q", 1, 4, 1), ("q", 1, 4, 3), ("q", 2, 4, 2), ("k", 1, 1, 1)]
    assert alive(TOKENS["source"]) == source
    assert alive(TOKENS["paper"]) == [*source, ("k", 2, 1, 2)]


@pytest.mark.parametrize(("name", "count"), [("source", 40), ("paper", 47)])
def test_normalized_nearly_all_are_alive(name, count):
    x = TOKENS[name]
    normal = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)
    assert len(alive(normal, steps=81)) == count
