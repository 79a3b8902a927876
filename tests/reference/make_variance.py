"""Make the golden vectors of variance.npz with PyTorch (how: making.py).

The Jacobian of softmax by autograd, from uniform to saturated, and what a
query can move: the derivatives of attention's weights and of a loss behind them with respect to q, k and the scale.
"""

from functools import partial

import making
import numpy as np
import torch
from torch.autograd.functional import jacobian


def main():
    golden, draw = making.Golden(), partial(making.draw, np.random.default_rng(2))

    # Softmax at sizes from a blur to a switch, for rows of 2, 5 and 24 keys.
    for n in (2, 5, 24):
        for size in (0.01, 1.0, 8.0, 60.0):
            x = size * draw(3, n)
            found = [jacobian(lambda row: row.softmax(dim=-1), row) for row in x]
            golden.keep(f"jacobian/{n}_{size:g}", x=x, jacobian=torch.stack(found))

    # One query, eight keys, d_k = 24 (whose root is not exact), at three scales.
    q, k = draw(24), draw(8, 24)
    golden.keep("pull", q=q, k=k)
    for name, scale in {"none": 1.0, "root": 24**-0.5, "d_k": 1 / 24}.items():
        found = jacobian(lambda q, scale=scale: (scale * k @ q).softmax(dim=-1), q)
        golden.keep("pull", **{name: found})

    # The backward pass of the chapter: a loss on the weights, gradients of q and of k.
    q, k = draw(5, 24).requires_grad_(), draw(7, 24).requires_grad_()
    target = draw(5, 7).softmax(dim=-1)
    weights = (q @ k.T / 24**0.5).softmax(dim=-1)
    (0.5 * ((weights - target) ** 2).sum()).backward()
    golden.keep("backward", q=q, k=k, target=target, d_q=q.grad, d_k=k.grad)
    golden.save("variance")


if __name__ == "__main__":
    main()
