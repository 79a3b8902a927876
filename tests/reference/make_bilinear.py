"""Make the golden vectors of bilinear.npz with PyTorch (how: making.py).

Cross-entropy of bilinear scores with a prior, and its derivatives by autograd.
"""

import numpy as np
import torch
from making import Golden


def main():
    golden, rng = Golden(), np.random.default_rng(6)
    cases = (("small", 2, 2, 1, 1.0), ("tall", 7, 4, 3, 1.0), ("large", 5, 9, 24, 4.0))
    for name, n, m, d_k, size in cases:
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
        golden.keep(name, joint=p, q=q, k=k, prior=prior, scores=scores, loss=loss)
        golden.keep(name, d_scores=scores.grad, dq=q.grad, dk=k.grad)
    golden.save("bilinear")


if __name__ == "__main__":
    main()
