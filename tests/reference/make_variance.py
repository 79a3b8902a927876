"""Make the golden vectors of variance.npz with PyTorch: run by hand, in an environment of its own (see make_golden.py).

    torchenv/bin/python tests/reference/make_variance.py

Made with PyTorch 2.13.0 (CPU, float64): the Jacobian of softmax by autograd, from uniform to saturated, and what a
query can move: the derivatives of attention's weights and of a loss behind them with respect to q, k and the scale.
"""

from pathlib import Path

import numpy as np
import torch
from torch.autograd.functional import jacobian

HERE = Path(__file__).parent


def main():
    rng = np.random.default_rng(2)
    golden = {"torch_version": np.array(torch.__version__.partition("+")[0])}

    def draw(*shape):
        return torch.from_numpy(rng.normal(size=shape))

    # Softmax at sizes from a blur to a switch, for rows of 2, 5 and 24 keys.
    for n in (2, 5, 24):
        for size in (0.01, 1.0, 8.0, 60.0):
            x = size * draw(3, n)
            golden[f"jacobian/{n}_{size:g}/x"] = x.numpy()
            golden[f"jacobian/{n}_{size:g}/jacobian"] = torch.stack(
                [jacobian(lambda row: row.softmax(dim=-1), row) for row in x]
            ).numpy()

    # One query, eight keys, d_k = 24 (whose root is not exact), at three scales.
    q, k = draw(24), draw(8, 24)
    golden["pull/q"], golden["pull/k"] = q.numpy(), k.numpy()
    for name, scale in {"none": 1.0, "root": 24**-0.5, "d_k": 1 / 24}.items():
        golden[f"pull/{name}"] = jacobian(lambda q, scale=scale: (scale * k @ q).softmax(dim=-1), q).numpy()

    # The backward pass of the chapter: a loss on the weights, gradients of q and of k.
    q, k = draw(5, 24).requires_grad_(), draw(7, 24).requires_grad_()
    target = draw(5, 7).softmax(dim=-1)
    weights = (q @ k.T / 24**0.5).softmax(dim=-1)
    (0.5 * ((weights - target) ** 2).sum()).backward()
    for name, value in {"q": q, "k": k, "target": target, "d_q": q.grad, "d_k": k.grad}.items():
        golden[f"backward/{name}"] = value.detach().numpy()

    np.savez_compressed(HERE / "variance.npz", **golden)


if __name__ == "__main__":
    main()
