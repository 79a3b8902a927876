"""Attention, softmax and its derivative against PyTorch's golden vectors (made by make_golden.py)."""

import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, padding_mask
from attn.softmax import entropy, log_softmax, softmax, softmax_jacobian
from tests.reference.golden import Golden

GOLDEN = Golden("masking")
CAUSAL = [name for name in GOLDEN.cases("weights") if name.startswith("causal")]
close = {"rtol": 0, "atol": 1e-12}


def assert_as_in_torch(golden, mask=None):
    scale = float(golden["scale"]) if "scale" in golden else None
    output, weights = scaled_dot_product_attention(golden["q"], golden["k"], golden["v"], mask, scale=scale)
    assert_allclose(output, golden["output"], **close)
    assert_allclose(weights, golden["weights"], **close)


@pytest.mark.parametrize("name", [name for name in GOLDEN.cases("weights") if name not in CAUSAL])
def test_attention(name):
    """A row that sees nothing is zero there too."""
    golden = GOLDEN.case(name)
    assert_as_in_torch(golden, golden.get("mask"))


@pytest.mark.parametrize("name", CAUSAL)
def test_is_causal_is_the_top_left_mask(name):
    golden = GOLDEN.case(name)
    assert_as_in_torch(golden, causal_mask(golden["q"].shape[-2], golden["k"].shape[-2]))


def test_padding():
    # Ours is (batch, 1, n_k); an axis for the heads makes it (batch, 1, 1, n_k).
    assert_as_in_torch(GOLDEN.case("padding"), padding_mask([7, 3], 7)[:, None])


@pytest.mark.parametrize("name", GOLDEN.cases("softmax"))
def test_softmax(name):
    golden = GOLDEN.case(name)
    axis = int(name.rpartition("/")[2])
    for same in (axis, axis - golden["x"].ndim):
        assert_allclose(softmax(golden["x"], axis=same), golden["softmax"], **close)
        assert_allclose(log_softmax(golden["x"], axis=same), golden["log_softmax"], rtol=1e-14, atol=1e-12)


def test_jacobian_and_entropy():
    golden = GOLDEN.case("jacobian")
    p = softmax(golden["x"])
    assert_allclose(softmax_jacobian(p), golden["jacobian"], **close)
    assert_allclose(entropy(p), golden["entropy"], **close)
