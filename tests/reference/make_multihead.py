"""Make the golden vectors of multihead.npz with PyTorch: run by hand, in an environment of its own.

    python -m venv torchenv
    torchenv/bin/pip install torch==2.13.0 numpy
    torchenv/bin/python tests/reference/make_multihead.py

Made with PyTorch 2.13.0 (CPU, float64). The tests read the file and never import torch. Head sizes are 24, 5 and 3,
whose roots are not exact, so that a wrong scale shows. Masks are stored as torch.nn.MultiheadAttention takes them:
True = hidden, which is the opposite of this book's.
"""

from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent
golden = {"torch_version": np.array(torch.__version__.partition("+")[0])}


def draw(rng, *shape, size=1.0):
    """Two decimals, so that the file stays small."""
    return torch.from_numpy(rng.normal(scale=size, size=shape).round(2))


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
    with torch.no_grad():
        output, weights = layer(
            x_q,
            x_kv,
            x_kv,
            attn_mask=mask,
            key_padding_mask=padding,
            need_weights=True,
            average_attn_weights=False,
        )
    kept = {
        "n_heads": torch.tensor(n_heads),
        "in_proj_weight": layer.in_proj_weight,
        "in_proj_bias": layer.in_proj_bias,
        "out_proj_weight": layer.out_proj.weight,
        "out_proj_bias": layer.out_proj.bias,
        "x_q": x_q,
        "x_kv": None if n_k is None else x_kv,
        "mask": mask,
        "padding": padding,
        "output": output,
        "weights": weights,
    }
    for key, tensor in kept.items():
        if tensor is not None:
            golden[f"{name}/{key}"] = tensor.detach().numpy()


def main():
    rng = np.random.default_rng(4)
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
    attention("causal", rng, 3, 5, 6, batch=2, mask=torch.ones(6, 6, dtype=torch.bool).triu(1))
    attention(
        "bool_heads", rng, 3, 5, 6, batch=2, mask=random_mask(rng, 6, 6, 6)
    )  # (batch · heads, n_q, n_k)
    attention("bool_heads_alone", rng, 3, 5, 6, mask=random_mask(rng, 3, 6, 6))
    attention("bool_cross", rng, 3, 5, 4, 7, batch=3, mask=random_mask(rng, 4, 7))
    attention("float", rng, 2, 5, 6, mask=draw(rng, 6, 6))
    attention("float_batch", rng, 2, 5, 6, batch=2, mask=draw(rng, 6, 6))
    attention(
        "float_inf",
        rng,
        3,
        5,
        6,
        batch=2,
        mask=draw(rng, 6, 6).masked_fill(random_mask(rng, 6, 6), -torch.inf),
    )
    attention("float_heads", rng, 2, 5, 4, 7, batch=2, mask=draw(rng, 4, 4, 7))
    padding = torch.arange(6) >= torch.tensor([6, 2, 4])[:, None]
    attention("padding", rng, 2, 24, 6, batch=3, padding=padding)
    attention(
        "padding_heads_alike", rng, 3, 5, 6, batch=3, padding=padding
    )  # batch = heads: where axes get mixed up
    attention("padding_alone", rng, 2, 5, 6, padding=padding[1])
    attention(
        "padding_causal",
        rng,
        4,
        3,
        6,
        batch=3,
        mask=torch.ones(6, 6, dtype=torch.bool).triu(1),
        padding=padding,
    )
    attention("padding_cross", rng, 2, 5, 4, 6, batch=3, padding=padding, bias=False)
    np.savez_compressed(HERE / "multihead.npz", **golden)


if __name__ == "__main__":
    main()
