"""Make the golden gradients of xor.npz with PyTorch (how: making.py).

Every variant of the model of
chapter 5, with both losses: parameters, samples, attention weights, logits, loss, and autograd's gradients. The
forward pass is written as source 002 has it, token by token, and `nll_loss` gets log-probabilities or, as there,
probabilities.
"""

import making
import numpy as np
import torch
from torch.nn import functional

golden = making.Golden()


def draw(rng, *shape):
    return making.draw(rng, *shape, decimals=2).requires_grad_()


def samples(rng, n, d):
    """Tokens and answers. The noise reaches beyond 1 here: nothing in the gradient depends on that."""
    x = rng.normal(size=(n, 4, d)).round(2)
    bits = rng.integers(0, 2, (n, 2))
    x[:, 0], x[:, 3] = 2 * bits[:, :1] - 1, 2 * bits[:, 1:] - 1
    return torch.from_numpy(x), torch.from_numpy(bits[:, 0] ^ bits[:, 1])


def forward(params, x):
    if "w_q" not in params:
        return None, readout(params, x[:, 1])
    heads, weights = [], []
    for head in range(len(params["w_q"])):
        q = x[:, 1] @ params["w_q"][head]
        if "b_q" in params:
            q = q + params["b_q"][head]
        scores = [
            (q * (x[:, t] @ params["w_k"][head])).sum(dim=1) / q.shape[1] ** 0.5 for t in range(x.shape[1])
        ]
        mask = torch.softmax(torch.stack(scores, dim=1), dim=1)
        heads.append(sum(mask[:, t : t + 1] * x[:, t] for t in range(x.shape[1])))
        weights.append(mask)
    return torch.stack(weights, dim=1), readout(params, torch.cat(heads, dim=1))


def readout(params, read):
    if "w_1" in params:
        return torch.relu(read @ params["w_1"] + params["b_1"]) @ params["w_2"] + params["b_2"]
    return read @ params["w_o"] + params["b_o"]


def variant(name, rng, n_heads, query_bias, hidden, n=7, d=5, d_k=3):
    params, width = {}, max(n_heads, 1) * d
    if n_heads:
        params["w_q"], params["w_k"] = draw(rng, n_heads, d, d_k), draw(rng, n_heads, d, d_k)
        if query_bias:
            params["b_q"] = draw(rng, n_heads, d_k)
    if hidden:
        params |= {"w_1": draw(rng, width, hidden), "b_1": draw(rng, hidden)}
        params |= {"w_2": draw(rng, hidden, 2), "b_2": draw(rng, 2)}
    else:
        params |= {"w_o": draw(rng, width, 2), "b_o": draw(rng, 2)}
    x, y = samples(rng, n, d)
    weights, logits = forward(params, x)
    kept = {"x": x, "y": y, "logits": logits, **{f"params/{key}": value for key, value in params.items()}}
    if weights is not None:
        kept["weights"] = weights
    losses = {
        "log-probability": functional.nll_loss(functional.log_softmax(logits, dim=1), y),
        "probability": functional.nll_loss(functional.softmax(logits, dim=1), y),  # source 002's mistake
    }
    for loss, value in losses.items():
        kept[f"{loss}/loss"] = value
        gradients = torch.autograd.grad(value, list(params.values()), retain_graph=True)
        by_name = sorted(zip(params, gradients, strict=True), key=lambda pair: pair[0])
        # One long vector: fewer, larger arrays.
        kept[f"{loss}/gradient"] = torch.cat([gradient.ravel() for _, gradient in by_name])
    golden.keep(name, **kept)


def main():
    rng = np.random.default_rng(5)
    variant("baseline", rng, 0, False, None)
    variant("baseline_relu", rng, 0, False, 8)
    for n_heads in (1, 2, 4):
        for query_bias in (False, True):
            for hidden in (None, 8):
                name = f"heads_{n_heads}{'_bias' * query_bias}{'_relu' if hidden else ''}"
                variant(name, rng, n_heads, query_bias, hidden)
    variant("source", rng, 1, False, None, d=4)  # the shapes of source 002
    variant("narrow", rng, 2, True, 3, n=1, d=1, d_k=1)
    variant("wide", rng, 2, True, None, d=6, d_k=24)
    golden.save("xor")


if __name__ == "__main__":
    main()
