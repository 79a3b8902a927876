"""The bilinear score's loss and gradient against PyTorch's autograd, by golden vectors."""

import pytest
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, loss_and_gradient
from tests.reference.golden import Golden

GOLDEN = Golden("bilinear")


@pytest.mark.parametrize("name", GOLDEN.cases("loss"))
def test_loss_and_gradients(name):
    case = GOLDEN.case(name)
    joint, q, k, prior = (case[key] for key in ("joint", "q", "k", "prior"))
    assert_allclose(cross_entropy(q @ k.T + prior, joint)[1], case["d_scores"], rtol=0, atol=1e-14)
    loss, dq, dk = loss_and_gradient(q, k, joint, prior)
    assert_allclose(loss, case["loss"], rtol=1e-13)
    assert_allclose(dq, case["dq"], rtol=0, atol=1e-12)
    assert_allclose(dk, case["dk"], rtol=0, atol=1e-12)
