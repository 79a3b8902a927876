"""Make the golden vectors of transformer.npz with PyTorch (how: making.py).

Gains are not 1 and biases not 0, so that a forgotten one shows.
"""

from functools import partial

import making
import numpy as np
import torch
from torch.nn.functional import layer_norm, rms_norm

golden, draw = making.Golden(), partial(making.draw, decimals=2)


def norms(rng):
    for name, size in (("unit", 1.0), ("small", 1e-2), ("tiny", 1e-3)):
        x = making.draw(rng, 2, 4, 6, size=size)  # small: there the eps under the root shows
        gain, bias = 1 + draw(rng, 6), draw(rng, 6)
        found = {"plain": layer_norm(x, (6,)), "layer": layer_norm(x, (6,), gain, bias)}
        found |= {"eps": layer_norm(x, (6,), gain, bias, eps=1e-3)}
        found |= {"rms_plain": rms_norm(x, (6,), eps=1e-6), "rms": rms_norm(x, (6,), gain, eps=1e-6)}
        golden.keep(f"norm_{name}", x=x, gain=gain, bias=bias, **found)


def fill(rng, module):
    for parameter in module.parameters():
        size = parameter.shape[-1] ** -0.5 if parameter.ndim == 2 else 0.5
        parameter.data = draw(rng, *parameter.shape, size=size)
    for part in module.modules():
        if isinstance(part, torch.nn.LayerNorm):
            part.weight.data = part.weight.data + 1


def stored(layer):
    attention, numbered = layer.self_attn, [(1, layer.linear1, layer.norm1), (2, layer.linear2, layer.norm2)]
    found = {name: getattr(attention, name) for name in ("in_proj_weight", "in_proj_bias")}
    found |= {f"out_proj_{name}": getattr(attention.out_proj, name) for name in ("weight", "bias")}
    for i, linear, norm in numbered:
        found |= {
            f"w_{i}": linear.weight.T,
            f"b_{i}": linear.bias,
            f"gain_{i}": norm.weight,
            f"bias_{i}": norm.bias,
        }
    return found


def encoder(rng, first, n_heads, d_model, d_ff):
    layer = torch.nn.TransformerEncoderLayer(
        d_model, n_heads, d_ff, dropout=0.0, batch_first=True, norm_first=first, dtype=torch.float64
    )
    fill(rng, layer)
    return layer.train()  # in eval mode PyTorch may take another, fused way


def layers(rng):
    causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
    for name, first in (("pre", True), ("post", False)):
        layer = encoder(rng, first, 2, 6, 7)
        x = draw(rng, 3, 5, 6)
        golden.keep(name, x=x, n_heads=2, output=layer(x), causal=layer(x, src_mask=causal), **stored(layer))


def model(rng):
    tokens = torch.from_numpy(rng.integers(0, 9, (2, 5)))
    embedding, places = draw(rng, 9, 6), draw(rng, 8, 6)
    gain, bias = 1 + draw(rng, 6, size=0.5), draw(rng, 6, size=0.5)
    unembedding, b_u = draw(rng, 6, 9), draw(rng, 9)
    causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
    x = embedding[tokens] + places[:5]
    for i in range(2):
        layer = encoder(rng, True, 3, 6, 4)
        golden.keep(f"model_{i}", before=x, n_heads=3, **stored(layer))
        seen = layer.norm1(x)
        weights = layer.self_attn(seen, seen, seen, attn_mask=causal, average_attn_weights=False)[1]
        x = layer(x, src_mask=causal)
        golden.keep(f"model_{i}", weights=weights, after=x)
    logits = layer_norm(x, (6,), gain, bias) @ unembedding + b_u
    golden.keep(
        "model", tokens=tokens, embedding=embedding, places=places, gain=gain, bias=bias, logits=logits
    )
    golden.keep("model", unembedding=unembedding, b_u=b_u)


def main():
    rng = np.random.default_rng(17)
    norms(rng)
    layers(rng)
    model(rng)
    golden.save("transformer")


if __name__ == "__main__":
    main()
