"""The hand-written gradients of chapter 6 are autograd's, for every parameter of every variant and both losses."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.xor import LOSSES, XorModel
from tests.reference.golden import Golden

parts, VARIANTS = Golden("xor").case, Golden("xor").cases("logits")


@pytest.mark.parametrize("variant", VARIANTS)
def test_forward(variant):
    case = parts(variant)
    model = XorModel(parts(f"{variant}/params"))
    state = model.forward(case["x"])
    assert_allclose(state.logits, case["logits"], rtol=0, atol=1e-12)
    if model.n_heads:
        assert_allclose(state.weights, case["weights"], rtol=0, atol=1e-12)
    else:
        assert state.weights.shape == (len(case["x"]), 0, 4)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_loss_and_gradients(variant, loss):
    case, golden = parts(variant), parts(f"{variant}/{loss}")
    value, gradient = XorModel(parts(f"{variant}/params")).loss_and_gradient(case["x"], case["y"], loss)
    assert_allclose(value, golden["loss"], rtol=0, atol=1e-12)
    params, start = parts(f"{variant}/params"), 0
    assert set(gradient) == set(params)
    for name in sorted(params):
        expected = golden["gradient"][start : start + params[name].size].reshape(params[name].shape)
        start += expected.size
        assert_allclose(gradient[name], expected, rtol=0, atol=1e-10, err_msg=name)
    assert start == golden["gradient"].size
    assert np.abs(golden["gradient"]).max() > 1e-3
