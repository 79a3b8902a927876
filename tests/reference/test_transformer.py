"""Normalizations, blocks and a whole transformer agree with PyTorch's to 1e-12 in float64."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.masks import causal_mask
from attn.multihead import MultiHeadAttention
from attn.transformer import Layer, Transformer, layer_norm, post_norm_block, pre_norm_block, rms_norm
from tests.reference.golden import Golden

case = Golden("transformer").case
agree = partial(assert_allclose, rtol=0, atol=1e-12)


def heads(vectors):
    names = ("in_proj_weight", "in_proj_bias", "out_proj_weight", "out_proj_bias")
    return MultiHeadAttention.from_packed(*(vectors[name] for name in names), int(vectors["n_heads"]))


def our_layer(vectors, norm):
    attention = heads(vectors)
    own = {
        name: getattr(attention, name) for name in ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")
    }
    own |= {name: vectors[name] for name in ("w_1", "b_1", "w_2", "b_2")}
    norms = [partial(layer_norm, gain=vectors[f"gain_{i}"], bias=vectors[f"bias_{i}"]) for i in (1, 2)]
    return Layer(**own, norm=norm, norm_1=norms[0], norm_2=norms[1])


@pytest.mark.parametrize("name", ["norm_unit", "norm_small", "norm_tiny"])
def test_norms(name):
    vectors = case(name)
    x, gain, bias = (vectors[key] for key in ("x", "gain", "bias"))
    agree(layer_norm(x), vectors["plain"])
    agree(layer_norm(x, gain, bias), vectors["layer"])
    agree(layer_norm(x, gain, bias, eps=1e-3), vectors["eps"])
    agree(rms_norm(x), vectors["rms_plain"])
    agree(rms_norm(x, gain), vectors["rms"])


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_layers(norm):
    vectors = case(norm)
    layer = our_layer(vectors, norm)
    agree(layer(vectors["x"])[0], vectors["output"])
    agree(layer(vectors["x"], causal_mask(5))[0], vectors["causal"])


@pytest.mark.parametrize(("norm", "block"), [("pre", pre_norm_block), ("post", post_norm_block)])
def test_blocks_make_the_layers(norm, block):
    vectors = case(norm)
    layer = our_layer(vectors, norm)
    x = block(vectors["x"], lambda x: heads(vectors)(x)[0], layer.norm_1)
    agree(block(x, layer.feed_forward, layer.norm_2), vectors["output"])


def test_the_whole_model():
    vectors, parts = case("model"), [case(f"model_{i}") for i in range(2)]
    model = Transformer(
        vectors["embedding"],
        [our_layer(part, "pre") for part in parts],
        vectors["unembedding"],
        vectors["places"],
        vectors["b_u"],
        partial(layer_norm, gain=vectors["gain"], bias=vectors["bias"]),
    )
    run = model(vectors["tokens"])
    agree(run.logits, vectors["logits"])
    for after, expected in zip(
        run.stream, [parts[0]["before"], *(part["after"] for part in parts)], strict=True
    ):
        agree(after, expected)
    expected = np.concatenate([np.moveaxis(part["weights"], 1, 0) for part in parts])
    agree(np.array(run.weights), expected)
    one = model(vectors["tokens"][0])
    agree(one.logits, vectors["logits"][0])
    assert [weights.shape for weights in one.weights] == [(5, 5)] * 6
