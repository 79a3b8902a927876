"""Make the golden vectors of multihead.npz with PyTorch (how: making.py).

Head sizes are 24, 5 and 3, whose roots are not exact, so that a wrong scale shows. Masks are stored as
torch.nn.MultiheadAttention takes them: True = hidden, which is the opposite of this book's.
"""

from functools import partial

import making
import numpy as np
import torch

golden, draw = making.Golden(), partial(making.draw, decimals=2)


def random_mask(rng, *shape):
    """True = hidden; key 0 stays in sight, so that each query sees something."""
    hidden = torch.from_numpy(rng.random(shape) < 0.4)
    hidden[..., 0] = False
    return hidden


def attention(name, rng, n_heads, d_head, n_q, n_k=None, batch=None, bias=True, mask=None, padding=None):
    """Store one call: the packed weights, the input, and what PyTorch answers. No n_k: self-attention."""
    d_model = n_heads * d_head
    layer = torch.nn.MultiheadAttention(d_model, n_heads, bias=bias, batch_first=True, dtype=torch.float64)
    for parameter in layer.parameters():
        size = 1 if parameter.ndim == 1 else d_model**-0.5
        parameter.data = draw(rng, *parameter.shape, size=size)
    lead = () if batch is None else (batch,)
    x_q = draw(rng, *lead, n_q, d_model)
    x_kv = x_q if n_k is None else draw(rng, *lead, n_k, d_model)
    options = {"attn_mask": mask, "key_padding_mask": padding, "average_attn_weights": False}
    output, weights = layer(x_q, x_kv, x_kv, **options)
    kept = {
        **{name: getattr(layer, name) for name in ("in_proj_weight", "in_proj_bias")},
        **{f"out_proj_{name}": getattr(layer.out_proj, name) for name in ("weight", "bias")},
        "x_q": x_q,
        "x_kv": None if n_k is None else x_kv,
        "mask": mask,
        "padding": padding,
        "output": output,
        "weights": weights,
        "n_heads": n_heads,
    }
    golden.keep(name, **{key: tensor for key, tensor in kept.items() if tensor is not None})


def main():
    rng = np.random.default_rng(4)
    causal = torch.ones(6, 6, dtype=torch.bool).triu(1)
    attention("self", rng, 2, 5, 6)
    attention("self_24", rng, 2, 24, 5)
    attention("one_head", rng, 1, 24, 4)
    attention("many_heads", rng, 8, 3, 5, batch=2)
    attention("width_1", rng, 4, 1, 5)
    attention("one_token", rng, 2, 5, 1)
    attention("no_bias", rng, 2, 5, 6, bias=False)
    attention("batch", rng, 4, 5, 6, batch=3)
    attention("batch_no_bias", rng, 2, 5, 6, batch=3, bias=False)
    attention("cross", rng, 2, 24, 4, 7)
    attention("cross_no_bias", rng, 4, 3, 7, 4, bias=False)
    attention("cross_batch", rng, 3, 5, 4, 7, batch=2)
    attention("bool", rng, 2, 5, 6, mask=random_mask(rng, 6, 6))
    attention("bool_batch", rng, 3, 5, 6, batch=2, mask=random_mask(rng, 6, 6))
    attention("causal", rng, 3, 5, 6, batch=2, mask=causal)
    attention(
        "bool_heads", rng, 3, 5, 6, batch=2, mask=random_mask(rng, 6, 6, 6)
    )  # (batch · heads, n_q, n_k)
    attention("bool_heads_alone", rng, 3, 5, 6, mask=random_mask(rng, 3, 6, 6))
    attention("bool_cross", rng, 3, 5, 4, 7, batch=3, mask=random_mask(rng, 4, 7))
    attention("float", rng, 2, 5, 6, mask=draw(rng, 6, 6))
    attention("float_batch", rng, 2, 5, 6, batch=2, mask=draw(rng, 6, 6))
    infinite = draw(rng, 6, 6).masked_fill(random_mask(rng, 6, 6), -torch.inf)
    attention("float_inf", rng, 3, 5, 6, batch=2, mask=infinite)
    attention("float_heads", rng, 2, 5, 4, 7, batch=2, mask=draw(rng, 4, 4, 7))
    padding = torch.arange(6) >= torch.tensor([6, 2, 4])[:, None]
    attention("padding", rng, 2, 24, 6, batch=3, padding=padding)
    attention(
        "padding_heads_alike", rng, 3, 5, 6, batch=3, padding=padding
    )  # batch = heads: axes get mixed up
    attention("padding_alone", rng, 2, 5, 6, padding=padding[1])
    attention("padding_causal", rng, 4, 3, 6, batch=3, mask=causal, padding=padding)
    attention("padding_cross", rng, 2, 5, 4, 6, batch=3, padding=padding, bias=False)
    golden.save("multihead")


if __name__ == "__main__":
    main()
