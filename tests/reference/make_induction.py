"""Make the golden vectors of induction.npz with PyTorch: run by hand, in an environment of its own.

    python -m venv torchenv
    torchenv/bin/pip install torch==2.13.0 numpy
    torchenv/bin/python tests/reference/make_induction.py

Made with PyTorch 2.13.0 (CPU, float64). The tests read the file and never import torch. The loss and its gradient come
from autograd; each layer is PyTorch's own attention on the stream of lanes, which is put together here once more.
"""

from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy, one_hot, scaled_dot_product_attention

HERE = Path(__file__).parent
N, VOCAB = 12, 11


def attend(stream, qk, ov):
    """One head, unscaled and causal, from its two products."""
    return scaled_dot_product_attention(stream @ qk, stream, stream @ ov, is_causal=True, scale=1.0)


def logits(tokens, look, match, say):
    """Lanes: token 0–10, place 11–22, before 23–33, next 34–44."""
    width = 3 * VOCAB + N
    token = one_hot(tokens, VOCAB).double()
    place = torch.eye(N, dtype=torch.float64).expand(len(tokens), N, N)
    stream = torch.cat([token, place, torch.zeros(len(tokens), N, 2 * VOCAB, dtype=torch.float64)], dim=-1)

    def block(matrix, rows, columns):
        whole = torch.zeros(width, width, dtype=torch.float64)
        whole[rows : rows + len(matrix), columns : columns + len(matrix)] = matrix
        return whole

    same = torch.eye(VOCAB, dtype=torch.float64)
    stream = stream + attend(stream, block(look, VOCAB, VOCAB), block(same, 0, VOCAB + N))
    stream = stream + attend(stream, block(match, 0, VOCAB + N), block(say, 0, 2 * VOCAB + N))
    return stream[..., 2 * VOCAB + N :]


def main():
    rng = np.random.default_rng(20)
    tokens, known = [], []
    for twice in (3, 4, 5, 3, 4, 5, 5, 4):
        first = rng.permutation(np.arange(1, VOCAB))[: N - 1 - twice]
        tokens.append([0, *first, *first[-twice:]])
        known.append(np.arange(N - 1) >= N - twice)
    tokens, known = torch.tensor(np.array(tokens)), torch.tensor(np.array(known))
    blocks = [torch.tensor(rng.normal(size=(size, size)).round(2)) for size in (N, VOCAB, VOCAB)]
    for block in blocks:
        block.requires_grad_(True)
    said = logits(tokens, *blocks)
    loss = cross_entropy(said[:, :-1][known], tokens[:, 1:][known])
    loss.backward()
    golden = {"tokens": tokens, "known": known, "logits": said.detach(), "loss": loss.detach()}
    for name, block in zip(("look", "match", "say"), blocks, strict=True):
        golden |= {name: block.detach(), f"d_{name}": block.grad}
    arrays = {name: value.numpy() for name, value in golden.items()}
    np.savez_compressed(HERE / "induction.npz", torch_version=torch.__version__.partition("+")[0], **arrays)


if __name__ == "__main__":
    main()
