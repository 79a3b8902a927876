"""The hand-written gradients of chapter 6 are autograd's, for every parameter of every variant and both losses."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.xor import LOSSES, XorModel

with np.load(Path(__file__).parent / "xor.npz") as file:
    GOLDEN = dict(file)
VARIANTS = sorted({name.split("/")[0] for name in GOLDEN} - {"torch_version"})


def parts(variant, folder=""):
    start = f"{variant}/{folder}"
    return {name.removeprefix(start): value for name, value in GOLDEN.items() if name.startswith(start)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_forward(variant):
    case = parts(variant)
    model = XorModel(parts(variant, "params/"))
    state = model.forward(case["x"])
    assert_allclose(state.logits, case["logits"], rtol=0, atol=1e-12)
    if model.n_heads:
        assert_allclose(state.weights, case["weights"], rtol=0, atol=1e-12)
    else:
        assert state.weights.shape == (len(case["x"]), 0, 4)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_loss_and_gradients(variant, loss):
    case, golden = parts(variant), parts(variant, f"{loss}/")
    value, gradient = XorModel(parts(variant, "params/")).loss_and_gradient(case["x"], case["y"], loss)
    assert_allclose(value, golden["loss"], rtol=0, atol=1e-12)
    params, start = parts(variant, "params/"), 0
    assert set(gradient) == set(params)
    for name in sorted(params):
        expected = golden["gradient"][start : start + params[name].size].reshape(params[name].shape)
        start += expected.size
        assert_allclose(gradient[name], expected, rtol=0, atol=1e-10, err_msg=name)
    assert start == golden["gradient"].size
    assert np.abs(golden["gradient"]).max() > 1e-3


def test_every_variant_is_there():
    sizes = {(len(parts(name, "params/").get("w_q", ())), "b_q" in parts(name, "params/"),
              "w_1" in parts(name, "params/")) for name in VARIANTS}  # fmt: skip
    assert sizes >= {(h, bias, relu) for h in (1, 2, 4) for bias in (False, True) for relu in (False, True)}
    assert sizes >= {(0, False, False), (0, False, True)}
    assert str(GOLDEN["torch_version"]) == "2.13.0"
