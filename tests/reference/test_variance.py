"""The Jacobian of softmax, and the gradients behind it, against PyTorch's autograd (made by make_variance.py)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.softmax import softmax, softmax_jacobian
from attn.variance import jacobian_norm
from tests.reference.golden import Golden

JACOBIANS, GOLDEN = Golden("variance").cases("jacobian"), Golden("variance").arrays
close = {"rtol": 0, "atol": 1e-12}


@pytest.mark.parametrize("name", JACOBIANS)
def test_softmax_jacobian(name):
    p, golden = softmax(GOLDEN[f"{name}/x"]), GOLDEN[f"{name}/jacobian"]
    assert_allclose(softmax_jacobian(p), golden, **close)
    assert_allclose(jacobian_norm(p), np.sqrt((golden**2).sum(axis=(-2, -1))), **close)
    assert (jacobian_norm(p) <= 0.5).all()


@pytest.mark.parametrize(("name", "scale"), [("none", 1.0), ("root", 24**-0.5), ("d_k", 1 / 24)])
def test_the_pull_of_a_query(name, scale):
    """The derivative of the weights with respect to the query is scale · J K."""
    q, k = GOLDEN["pull/q"], GOLDEN["pull/k"]
    weights = softmax(scale * k @ q)
    assert_allclose(scale * softmax_jacobian(weights) @ k, GOLDEN[f"pull/{name}"], **close)


def test_the_backward_pass_of_the_chapter():
    q, k, target = (GOLDEN[f"backward/{name}"] for name in ("q", "k", "target"))
    weights = softmax(q @ k.T / np.sqrt(24))
    error = weights - target
    d_scores = weights * (error - (weights * error).sum(axis=-1, keepdims=True))
    assert_allclose(d_scores, (softmax_jacobian(weights) @ error[..., None])[..., 0], **close)
    assert_allclose(d_scores @ k / np.sqrt(24), GOLDEN["backward/d_q"], **close)
    assert_allclose(d_scores.T @ q / np.sqrt(24), GOLDEN["backward/d_k"], **close)
