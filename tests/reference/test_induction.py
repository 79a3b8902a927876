"""The network that learns to complete a pattern, its loss and its gradient agree with PyTorch's autograd to 1e-12."""

from numpy.testing import assert_allclose

from attn.induction import Blocks, loss_and_gradient
from tests.reference.golden import Golden

GOLDEN = Golden("induction").arrays
BLOCKS = Blocks(*(GOLDEN[name] for name in Blocks._fields))


def test_logits_loss_and_gradients():
    run = BLOCKS.network()(GOLDEN["tokens"])
    assert_allclose(run.logits, GOLDEN["logits"], rtol=0, atol=1e-12)
    loss, slopes = loss_and_gradient(BLOCKS, GOLDEN["tokens"], GOLDEN["known"])
    assert_allclose(loss, GOLDEN["loss"], rtol=0, atol=1e-12)
    for name in Blocks._fields:
        assert_allclose(getattr(slopes, name), GOLDEN[f"d_{name}"], rtol=0, atol=1e-12, err_msg=name)
