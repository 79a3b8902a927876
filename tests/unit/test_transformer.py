"""The transformer: its products, and its scale. Its parts, switches and layers are PyTorch's: tests/reference."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.masks import causal_mask
from attn.transformer import Layer


@pytest.fixture
def rng():
    return np.random.default_rng(17)


def draw_layer(rng, d_model=6, n_heads=2, d_k=3, d_ff=5, **others):
    shapes = {
        "w_q": (n_heads, d_model, d_k),
        "w_k": (n_heads, d_model, d_k),
        "w_v": (n_heads, d_model, d_k),
        "w_o": (n_heads * d_k, d_model),
        "w_1": (d_model, d_ff),
        "b_1": (d_ff,),
        "w_2": (d_ff, d_model),
        "b_2": (d_model,),
    }
    return Layer(**{name: rng.normal(size=shape) for name, shape in shapes.items()}, **others)


def test_products_say_the_same_as_factors(rng):
    layer = replace(draw_layer(rng), norm="pre")
    others = {name: getattr(layer, name) for name in ("w_1", "b_1", "w_2", "b_2", "norm")}
    same = Layer.from_products(layer.w_qk, layer.w_ov, scale=3**-0.5, **others)
    x = rng.normal(size=(2, 5, 6))
    for ours, theirs in zip(same(x, causal_mask(5)), layer(x, causal_mask(5)), strict=True):
        assert_allclose(ours, theirs, atol=1e-12)
    assert_allclose(same.w_qk, layer.w_qk, atol=1e-14)
    assert_allclose(same.w_ov, layer.w_ov, atol=1e-14)
    one = Layer.from_products(layer.w_qk[0], layer.w_ov[0])
    assert one.n_heads == 1
    assert one.scale == 1


def test_a_scale_multiplies_the_scores_and_their_bias(rng):
    layer = replace(draw_layer(rng), b_q=rng.normal(size=(2, 3)), scale=0.7)
    x = rng.normal(size=(4, 6))
    q, k = x @ layer.w_q + layer.b_q[:, None], x @ layer.w_k
    scores = 0.7 * q @ np.swapaxes(k, 1, 2)
    expected = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    assert_allclose(layer(x)[1], expected, atol=1e-12)
