"""The bilinear score's loss and gradient against PyTorch's autograd, by golden vectors."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, loss_and_gradient

GOLDEN = np.load(Path(__file__).parent / "bilinear.npz")


@pytest.mark.parametrize("name", ["small", "tall", "large"])
def test_loss_and_gradients(name):
    joint, q, k, prior = (GOLDEN[f"{name}/{key}"] for key in ("joint", "q", "k", "prior"))
    d_scores = cross_entropy(q @ k.T + prior, joint)[1]
    assert_allclose(d_scores, GOLDEN[f"{name}/d_scores"], rtol=0, atol=1e-14)
    loss, dq, dk = loss_and_gradient(q, k, joint, prior)
    assert_allclose(loss, GOLDEN[f"{name}/loss"], rtol=1e-13)
    assert_allclose(dq, GOLDEN[f"{name}/dq"], rtol=0, atol=1e-12)
    assert_allclose(dk, GOLDEN[f"{name}/dk"], rtol=0, atol=1e-12)
