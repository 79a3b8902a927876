"""Multi-head attention agrees with torch.nn.MultiheadAttention, from its packed weights, to 1e-12 in float64."""

import pytest
from numpy.testing import assert_allclose

from attn.multihead import MultiHeadAttention
from tests.reference.golden import Golden

GOLDEN = Golden("multihead")
NAMES = GOLDEN.cases("output")


def our_mask(vectors):
    """PyTorch's masks (True = hidden, batch · heads on one axis) in this book's convention, or None."""
    mask, padding = vectors.get("mask"), vectors.get("padding")
    batch = vectors["x_q"].shape[:-2]
    if mask is not None:
        mask = ~mask if mask.dtype == bool else mask
        if mask.ndim == 3:
            mask = mask.reshape(*batch, int(vectors["n_heads"]), *mask.shape[1:])
    if padding is None:
        return mask
    seen = ~padding[..., None, :]  # batch + (1, n_k)
    return seen if mask is None else mask & seen


def layer(vectors):
    names = ("in_proj_weight", "in_proj_bias", "out_proj_weight", "out_proj_bias")
    return MultiHeadAttention.from_packed(*map(vectors.get, names), int(vectors["n_heads"]))


@pytest.mark.parametrize("name", NAMES)
def test_multihead(name):
    vectors = GOLDEN.case(name)
    output, weights = layer(vectors)(vectors["x_q"], vectors.get("x_kv"), our_mask(vectors))
    assert weights.shape == vectors["weights"].shape
    assert_allclose(output, vectors["output"], rtol=0, atol=1e-12)
    assert_allclose(weights, vectors["weights"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_heads_add_up_to_pytorchs_output(name):
    vectors = GOLDEN.case(name)
    shares = layer(vectors).shares(vectors["x_q"], vectors.get("x_kv"), our_mask(vectors))
    total = shares.sum(axis=-3) + vectors.get("out_proj_bias", 0)
    assert_allclose(total, vectors["output"], rtol=0, atol=1e-12)
