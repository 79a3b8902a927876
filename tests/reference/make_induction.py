"""Make the golden vectors of induction.npz with PyTorch (how: making.py).

The loss and its gradient come
from autograd; each layer is PyTorch's own attention on the stream of lanes, which is put together here once more.
"""

import numpy as np
import torch
from making import Golden, draw
from torch.nn.functional import cross_entropy, one_hot, scaled_dot_product_attention

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
    blocks = [draw(rng, size, size, decimals=2).requires_grad_() for size in (N, VOCAB, VOCAB)]
    said = logits(tokens, *blocks)
    loss = cross_entropy(said[:, :-1][known], tokens[:, 1:][known])
    loss.backward()
    found = {"tokens": tokens, "known": known, "logits": said.detach(), "loss": loss.detach()}
    for name, block in zip(("look", "match", "say"), blocks, strict=True):
        found |= {name: block.detach(), f"d_{name}": block.grad}
    Golden({name: value.numpy() for name, value in found.items()}).save("induction")


if __name__ == "__main__":
    main()
