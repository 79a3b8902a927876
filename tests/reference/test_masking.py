"""Attention, softmax and its derivative against PyTorch's golden vectors (made by make_golden.py)."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, padding_mask
from attn.softmax import entropy, log_softmax, softmax, softmax_jacobian

with np.load(Path(__file__).with_name("masking.npz")) as file:
    GOLDEN = {name: file[name] for name in file.files}

close = {"rtol": 0, "atol": 1e-12}


def case(name):
    prefix = name + "/"
    return {key.removeprefix(prefix): value for key, value in GOLDEN.items() if key.startswith(prefix)}


def names(kind):
    return sorted({name.rpartition("/")[0] for name in GOLDEN if name.endswith("/" + kind)})


def assert_as_in_torch(golden, mask=None):
    scale = float(golden["scale"]) if "scale" in golden else None
    output, weights = scaled_dot_product_attention(golden["q"], golden["k"], golden["v"], mask, scale=scale)
    assert_allclose(output, golden["output"], **close)
    assert_allclose(weights, golden["weights"], **close)


def test_the_file_is_what_its_maker_says():
    version = str(GOLDEN["torch_version"])
    assert f"PyTorch {version} " in Path(__file__).with_name("make_golden.py").read_text(encoding="utf-8")
    assert len(names("weights")) == 15
    floats = [value for value in GOLDEN.values() if value.dtype.kind == "f"]
    assert all(value.dtype == np.float64 for value in floats)


@pytest.mark.parametrize("name", [name for name in names("weights") if not name.startswith("causal")])
def test_attention(name):
    golden = case(name)
    assert_as_in_torch(golden, golden.get("mask"))


@pytest.mark.parametrize("name", [name for name in names("weights") if name.startswith("causal")])
def test_is_causal_is_the_top_left_mask(name):
    golden = case(name)
    assert_as_in_torch(golden, causal_mask(golden["q"].shape[-2], golden["k"].shape[-2]))


def test_padding():
    # Ours is (batch, 1, n_k); an axis for the heads makes it (batch, 1, 1, n_k).
    assert_as_in_torch(case("padding"), padding_mask([7, 3], 7)[:, None])


def test_a_row_that_sees_nothing_is_zero_there_too():
    golden = case("hidden_row")
    assert not golden["mask"][2].any()
    assert not golden["output"][:, 2].any()


@pytest.mark.parametrize("name", names("softmax"))
def test_softmax(name):
    golden = case(name)
    axis = int(name.rpartition("/")[2])
    assert_allclose(softmax(golden["x"], axis=axis), golden["softmax"], **close)
    assert_allclose(log_softmax(golden["x"], axis=axis), golden["log_softmax"], rtol=1e-14, atol=1e-12)


def test_jacobian_and_entropy():
    golden = case("jacobian")
    p = softmax(golden["x"])
    assert_allclose(softmax_jacobian(p), golden["jacobian"], **close)
    assert_allclose(entropy(p), golden["entropy"], **close)
