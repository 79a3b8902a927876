"""The network that learns to complete a pattern, its loss and its gradient agree with PyTorch's autograd to 1e-12."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.induction import Blocks, loss_and_gradient

with np.load(Path(__file__).parent / "induction.npz") as file:
    GOLDEN = dict(file)
BLOCKS = Blocks(*(GOLDEN[name] for name in Blocks._fields))


def test_logits():
    run = BLOCKS.network()(GOLDEN["tokens"])
    assert_allclose(run.logits, GOLDEN["logits"], rtol=0, atol=1e-12)


def test_loss():
    loss = loss_and_gradient(BLOCKS, GOLDEN["tokens"], GOLDEN["known"])[0]
    assert_allclose(loss, GOLDEN["loss"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", Blocks._fields)
def test_gradient(name):
    slope = getattr(loss_and_gradient(BLOCKS, GOLDEN["tokens"], GOLDEN["known"])[1], name)
    assert np.abs(GOLDEN[f"d_{name}"]).max() > 1e-3
    assert_allclose(slope, GOLDEN[f"d_{name}"], rtol=0, atol=1e-12)
