"""Turned vectors, layouts, biases and buckets against PyTorch's golden vectors (made by make_rotary.py), to 1e-12."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.bias import alibi_bias, alibi_slopes, t5_bucket
from attn.masks import causal_mask, to_additive
from attn.multihead import split_heads
from attn.positional import angular_frequencies
from attn.rotary import rotary_attention, rotate, stretch, to_layout
from tests.reference.golden import Golden

DRAWN, GOLDEN = Golden("rotary").cases("places"), Golden("rotary").arrays
agree = partial(assert_allclose, rtol=0, atol=1e-12)
LAYOUTS = ("interleaved", "halves")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", DRAWN)
def test_turning(name, layout):
    q, k, v, places = (GOLDEN[f"{name}/{key}"] for key in ("q", "k", "v", "places"))
    n_rotary, base = GOLDEN[f"{name}/settings"]
    how = {"layout": layout, "n_rotary": int(n_rotary), "base": base}
    agree(rotate(q, places, **how), GOLDEN[f"{name}/{layout}/q"])
    agree(rotate(k, places, **how), GOLDEN[f"{name}/{layout}/k"])
    output, _ = rotary_attention(q, k, v, places, causal_mask(len(places)), **how)
    agree(output, GOLDEN[f"{name}/{layout}/output"])


def test_layouts():
    x, scores = GOLDEN["layouts/x"], GOLDEN["layouts/scores"]
    stored = [GOLDEN[f"layouts/{name}"].T for name in ("w_q", "w_k")]
    moved = [to_layout(w, "interleaved", "halves", n_heads=3) for w in stored]
    for w, name in zip(moved, ("w_q_halves", "w_k_halves"), strict=True):
        assert_array_equal(w.T, GOLDEN[f"layouts/{name}"])
    for (w_q, w_k), layout in ((stored, "interleaved"), (moved, "halves")):
        q, k = (rotate(split_heads(x @ w, 3), np.arange(5), layout=layout) for w in (w_q, w_k))
        agree(q @ k.mT, scores)


@pytest.mark.parametrize("n_heads", [8, 16])
def test_slopes(n_heads):
    agree(alibi_slopes(n_heads), GOLDEN[f"slopes/{n_heads}/power"])


@pytest.mark.parametrize("rule", ["sentence", "code"])
@pytest.mark.parametrize("n_heads", [6, 12, 20])
def test_slopes_by_either_rule(n_heads, rule):
    agree(alibi_slopes(n_heads, rule), GOLDEN[f"slopes/{n_heads}/{rule}"])


def test_alibi():
    q, v = np.zeros((8, 6, 4)), np.eye(6)
    bias = alibi_bias(6, 6, alibi_slopes(8)) + to_additive(causal_mask(6))
    agree(scaled_dot_product_attention(q, q, v, bias)[0], GOLDEN["alibi/weights"])


@pytest.mark.parametrize("name", ["both", "back", "few", "long"])
def test_buckets(name):
    n, farthest, both = (int(x) for x in GOLDEN[f"buckets/{name}/settings"])
    found = t5_bucket(GOLDEN["buckets/offsets"], n_buckets=n, max_distance=farthest, bidirectional=bool(both))
    assert_array_equal(found, GOLDEN[f"buckets/{name}/found"])


@pytest.mark.parametrize("how", ["interpolation", "ntk", "yarn"])
@pytest.mark.parametrize("name", ["llama_2", "small"])
def test_stretching(name, how):
    d, base, words, factor = GOLDEN[f"stretched/{name}/settings"]
    found = stretch(angular_frequencies(int(d), base), factor, how, n_trained=int(words))
    agree(found, GOLDEN[f"stretched/{name}/{how}"])
