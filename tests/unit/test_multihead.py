"""MultiHeadAttention: its shares, its invariances, its masks, and what it refuses."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.multihead import MultiHeadAttention


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def draw_layer(rng, n_heads=3, d_model=5, d_k=2, d_v=4, d_out=6, biases=True, dtype=np.float64):
    shapes = {
        "w_q": (n_heads, d_model, d_k),
        "w_k": (n_heads, d_model, d_k),
        "w_v": (n_heads, d_model, d_v),
        "w_o": (n_heads * d_v, d_out),
    }
    if biases:
        shapes |= {"b_q": (n_heads, d_k), "b_k": (n_heads, d_k), "b_v": (n_heads, d_v), "b_o": (d_out,)}
    return MultiHeadAttention(
        **{name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}
    )


def test_pruning_takes_a_share_away_and_nothing_else(rng):
    layer = draw_layer(rng)
    x = rng.normal(size=(2, 4, 5))
    for gone, kept in ((1, [0, 2]), ([0, 1], [2]), ([], [0, 1, 2])):
        pruned = layer.prune(gone)
        assert pruned.n_heads == len(kept)
        assert_allclose(pruned(x)[0], layer.shares(x)[:, kept].sum(axis=1) + layer.b_o, atol=1e-12)
        assert_array_equal(pruned(x)[1], layer(x)[1][:, kept])
    assert layer.n_heads == 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        layer.w_q = x


def test_a_query_that_may_look_at_nothing(rng):
    layer, x = draw_layer(rng), rng.normal(size=(4, 5))
    mask = np.arange(4)[:, None] > np.zeros(4)  # row 0 sees nothing
    output, weights = layer(x, mask=mask)
    assert_array_equal(weights[:, 0], 0)
    assert_array_equal(output[0], layer.b_o)  # nothing was heard: the bias alone


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 6, 12, 24])
def test_parameters_do_not_depend_on_the_number_of_heads(rng, n_heads):
    layer = MultiHeadAttention.init(rng, 24, n_heads)
    assert layer.n_parameters == 4 * 24**2
    assert layer.w_q.shape == (n_heads, 24, 24 // n_heads)
    assert layer(rng.normal(size=(3, 24)))[0].shape == (3, 24)


def test_init_keeps_the_variance(rng):
    layer = MultiHeadAttention.init(rng, 256, 4)
    q = np.einsum("nd,hde->hne", rng.normal(size=(200, 256)), layer.w_q)
    assert_allclose(q.var(), 1, atol=0.03)
    one, two = (MultiHeadAttention.init(np.random.default_rng(1), 4, 2) for _ in range(2))
    assert_array_equal(one.w_v, two.w_v)
