"""Make the golden vectors of masking.npz with PyTorch (how: making.py).

Head sizes are 24 and 5, whose roots are not exact, so that a wrong scale shows.
"""

import numpy as np
import torch
from making import Golden, draw
from torch.nn.functional import scaled_dot_product_attention

golden = Golden()


def attention(name, rng, batch, n_q, n_k, d_k=24, d_v=7, mask=None, is_causal=False, scale=None, size=1.0):
    q, k = size * draw(rng, *batch, n_q, d_k), size * draw(rng, *batch, n_k, d_k)
    v = draw(rng, *batch, n_k, d_v)
    options = {"attn_mask": mask, "is_causal": is_causal, "scale": scale}
    output = scaled_dot_product_attention(q, k, v, **options)
    # With the identity as values the output is the weights.
    eye = torch.eye(n_k, dtype=torch.float64).expand(*batch, n_k, n_k)
    weights = scaled_dot_product_attention(q, k, eye, **options)
    golden.keep(name, q=q, k=k, v=v, output=output, weights=weights)
    golden.keep(
        name, **({} if mask is None else {"mask": mask}), **({} if scale is None else {"scale": scale})
    )


def random_mask(rng, *shape):
    mask = torch.from_numpy(rng.random(shape) < 0.6)
    mask[..., 0] |= ~mask.any(dim=-1)  # each query sees something
    return mask


def main():
    rng = np.random.default_rng(3)
    attention("plain", rng, (), 5, 7)
    attention("heads", rng, (2, 3), 5, 7)
    attention("root", rng, (2,), 4, 4, d_k=5)
    attention("scale", rng, (2,), 4, 6, scale=0.37)
    attention("large", rng, (2, 2), 4, 6, size=8.0)
    attention("bool", rng, (), 5, 7, mask=random_mask(rng, 5, 7))
    attention("bool_batch", rng, (2, 3), 5, 7, mask=random_mask(rng, 2, 1, 5, 7))
    attention("bool_heads", rng, (2, 3), 5, 7, mask=random_mask(rng, 2, 3, 5, 7))
    attention("float", rng, (2, 3), 5, 7, mask=draw(rng, 5, 7))
    infinite = draw(rng, 5, 7).masked_fill(~random_mask(rng, 5, 7), -torch.inf)
    attention("float_inf", rng, (2,), 5, 7, mask=infinite)
    attention("causal", rng, (2, 3), 6, 6, is_causal=True)
    attention("causal_wide", rng, (2,), 3, 6, is_causal=True)
    attention("causal_tall", rng, (2,), 6, 3, is_causal=True)
    padding = torch.arange(7) < torch.tensor([7, 3])[:, None, None, None]
    attention("padding", rng, (2, 3), 5, 7, mask=padding)
    hidden = random_mask(rng, 5, 7)
    hidden[2] = False
    attention("hidden_row", rng, (2,), 5, 7, mask=hidden)

    for name, x in {
        "softmax": 3 * draw(rng, 2, 4, 5),
        "softmax_large": 300 * draw(rng, 3, 6),
        "softmax_inf": draw(rng, 4, 4).masked_fill(~torch.ones(4, 4).tril().bool(), -torch.inf),
    }.items():
        for axis in range(x.ndim):
            golden.keep(
                f"{name}/{axis}", x=x, softmax=x.softmax(dim=axis), log_softmax=x.log_softmax(dim=axis)
            )

    x = 2 * draw(rng, 3, 6)
    rows = [torch.autograd.functional.jacobian(lambda row: row.softmax(dim=-1), row) for row in x]
    entropy = torch.distributions.Categorical(logits=x).entropy()
    golden.keep("jacobian", x=x, jacobian=torch.stack(rows), entropy=entropy)
    golden.save("masking")


if __name__ == "__main__":
    main()
