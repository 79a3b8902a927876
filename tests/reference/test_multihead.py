"""Multi-head attention agrees with torch.nn.MultiheadAttention, from its packed weights, to 1e-12 in float64."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.multihead import MultiHeadAttention

with np.load(Path(__file__).parent / "multihead.npz") as file:
    GOLDEN = dict(file)
NAMES = sorted({name.partition("/")[0] for name in GOLDEN if "/" in name})


def case(name):
    return {key.partition("/")[2]: value for key, value in GOLDEN.items() if key.startswith(f"{name}/")}


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
    return MultiHeadAttention.from_packed(
        vectors["in_proj_weight"],
        vectors.get("in_proj_bias"),
        vectors["out_proj_weight"],
        vectors.get("out_proj_bias"),
        int(vectors["n_heads"]),
    )


@pytest.mark.parametrize("name", NAMES)
def test_multihead(name):
    vectors = case(name)
    assert vectors["output"].dtype == np.float64
    output, weights = layer(vectors)(vectors["x_q"], vectors.get("x_kv"), our_mask(vectors))
    assert weights.shape == vectors["weights"].shape
    assert_allclose(output, vectors["output"], rtol=0, atol=1e-12)
    assert_allclose(weights, vectors["weights"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_heads_add_up_to_pytorchs_output(name):
    vectors = case(name)
    shares = layer(vectors).shares(vectors["x_q"], vectors.get("x_kv"), our_mask(vectors))
    total = shares.sum(axis=-3) + vectors.get("out_proj_bias", 0)
    assert_allclose(total, vectors["output"], rtol=0, atol=1e-12)


def test_the_vectors_cover_what_they_should():
    cases = {name: case(name) for name in NAMES}
    assert {"x_kv" in vectors for vectors in cases.values()} == {True, False}
    assert {"in_proj_bias" in vectors for vectors in cases.values()} == {True, False}
    assert {vectors["x_q"].ndim for vectors in cases.values()} == {2, 3}
    kinds = {
        (vectors["mask"].dtype.kind, vectors["mask"].ndim) for vectors in cases.values() if "mask" in vectors
    }
    assert kinds == {("b", 2), ("b", 3), ("f", 2), ("f", 3)}
    assert {"padding" in vectors and "mask" in vectors for vectors in cases.values()} == {True, False}
    sizes = {vectors["x_q"].shape[-1] // int(vectors["n_heads"]) for vectors in cases.values()}
    assert sizes == {1, 3, 5, 24}
