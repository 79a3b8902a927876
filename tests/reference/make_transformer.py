"""Make the golden vectors of transformer.npz with PyTorch: run by hand, in an environment of its own.

    python -m venv torchenv
    torchenv/bin/pip install torch==2.13.0 numpy
    torchenv/bin/python tests/reference/make_transformer.py

Made with PyTorch 2.13.0 (CPU, float64). The tests read the file and never import torch. Parameters have two decimals,
so that the file stays small; gains are not 1 and biases not 0, so that a forgotten one shows.
"""

from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent
golden = {"torch_version": np.array(torch.__version__.partition("+")[0])}


def draw(rng, *shape, size=1.0):
    return torch.from_numpy(rng.normal(scale=size, size=shape).round(2))


def keep(name, **tensors):
    for key, value in tensors.items():
        golden[f"{name}/{key}"] = (
            value.detach().numpy() if isinstance(value, torch.Tensor) else np.array(value)
        )


def norms(rng):
    for name, size in (("unit", 1.0), ("small", 1e-2), ("tiny", 1e-3)):
        x = torch.from_numpy(
            rng.normal(scale=size, size=(2, 4, 6))
        )  # small: there the eps under the root shows
        gain, bias = 1 + draw(rng, 6), draw(rng, 6)
        layer = torch.nn.functional.layer_norm
        rms = torch.nn.functional.rms_norm
        keep(
            f"norm_{name}",
            x=x,
            gain=gain,
            bias=bias,
            plain=layer(x, (6,)),
            layer=layer(x, (6,), gain, bias),
            eps=layer(x, (6,), gain, bias, eps=1e-3),
            rms_plain=rms(x, (6,), eps=1e-6),
            rms=rms(x, (6,), gain, eps=1e-6),
        )


def fill(rng, module):
    for parameter in module.parameters():
        size = parameter.shape[-1] ** -0.5 if parameter.ndim == 2 else 0.5
        parameter.data = draw(rng, *parameter.shape, size=size)
    for part in module.modules():
        if isinstance(part, torch.nn.LayerNorm):
            part.weight.data = part.weight.data + 1


def stored(layer):
    attention = layer.self_attn
    return {
        "in_proj_weight": attention.in_proj_weight,
        "in_proj_bias": attention.in_proj_bias,
        "out_proj_weight": attention.out_proj.weight,
        "out_proj_bias": attention.out_proj.bias,
        "w_1": layer.linear1.weight.T,
        "b_1": layer.linear1.bias,
        "w_2": layer.linear2.weight.T,
        "b_2": layer.linear2.bias,
        "gain_1": layer.norm1.weight,
        "bias_1": layer.norm1.bias,
        "gain_2": layer.norm2.weight,
        "bias_2": layer.norm2.bias,
    }


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
        with torch.no_grad():
            keep(name, x=x, n_heads=2, output=layer(x), causal=layer(x, src_mask=causal), **stored(layer))


def model(rng):
    tokens = torch.from_numpy(rng.integers(0, 9, (2, 5)))
    embedding, places = draw(rng, 9, 6), draw(rng, 8, 6)
    gain, bias = 1 + draw(rng, 6, size=0.5), draw(rng, 6, size=0.5)
    unembedding, b_u = draw(rng, 6, 9), draw(rng, 9)
    causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
    x = embedding[tokens] + places[:5]
    for i in range(2):
        layer = encoder(rng, True, 3, 6, 4)
        with torch.no_grad():
            keep(f"model_{i}", before=x, n_heads=3, **stored(layer))
            seen = layer.norm1(x)
            weights = layer.self_attn(seen, seen, seen, attn_mask=causal, average_attn_weights=False)[1]
            x = layer(x, src_mask=causal)
        keep(f"model_{i}", weights=weights, after=x)
    logits = torch.nn.functional.layer_norm(x, (6,), gain, bias) @ unembedding + b_u
    keep(
        "model",
        tokens=tokens,
        embedding=embedding,
        places=places,
        gain=gain,
        bias=bias,
        unembedding=unembedding,
        b_u=b_u,
        logits=logits,
    )


def main():
    rng = np.random.default_rng(17)
    norms(rng)
    layers(rng)
    model(rng)
    np.savez_compressed(HERE / "transformer.npz", **golden)


if __name__ == "__main__":
    main()
