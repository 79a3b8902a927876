"""Make the golden vectors of bilinear.npz with PyTorch: run by hand, in an environment of its own (see make_golden.py).

    torchenv/bin/python tests/reference/make_bilinear.py

Made with PyTorch 2.13.0 (CPU, float64): cross-entropy of bilinear scores with a prior, and its derivatives by autograd.
"""

from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent


def main():
    golden = {"torch_version": np.array(torch.__version__.partition("+")[0])}
    rng = np.random.default_rng(6)
    for name, (n, m, d_k, size) in {
        "small": (2, 2, 1, 1.0),
        "tall": (7, 4, 3, 1.0),
        "large": (5, 9, 24, 4.0),
    }.items():
        joint = rng.integers(0, 5, size=(n, m)) + np.eye(n, m)
        joint /= joint.sum()
        q, k = (torch.tensor(size * rng.normal(size=(rows, d_k)), requires_grad=True) for rows in (n, m))
        prior = torch.tensor(rng.normal(size=m))
        scores = q @ k.T + prior
        scores.retain_grad()
        # With probabilities as targets, weighted by p(i).
        p = torch.tensor(joint)
        loss = -(p * torch.log_softmax(scores, dim=-1)).sum()
        loss.backward()
        parts = {
            "joint": p, "q": q, "k": k, "prior": prior, "scores": scores, "loss": loss,
            "d_scores": scores.grad, "dq": q.grad, "dk": k.grad,
        }  # fmt: skip
        golden |= {f"{name}/{key}": value.detach().numpy() for key, value in parts.items()}
    np.savez_compressed(HERE / "bilinear.npz", **golden)


if __name__ == "__main__":
    main()
