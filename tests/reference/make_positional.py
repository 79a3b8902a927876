"""Make the golden vectors of positional.npz with PyTorch (how: making.py).

PyTorch has no sinusoidal encoding of its own. This is the code that most
PyTorch models carry, with frequencies by way of exp and log; and the same by way of complex numbers, as rotary
embeddings compute it.
"""

import math

import torch
from making import Golden

CASES = {  # name: positions, d_model, base
    "hello_world": (2, 4, 10000.0),
    "small": (20, 6, 10000.0),
    "wide": (6, 512, 10000.0),
    "base_10": (20, 16, 10.0),
    "base_500000": (10, 24, 500000.0),
    "base_1": (5, 4, 1.0),
}
golden = Golden()


def encoding(positions, d_model, base):
    position = positions.unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float64) * (-math.log(base) / d_model))
    pe = torch.zeros(len(positions), d_model, dtype=torch.float64)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe, div_term


def turned(pe, div_term, offset):
    """PE(pos + offset) by complex multiplication: cos + i sin is one number, a shift is one factor."""
    pairs = torch.complex(pe[:, 1::2], pe[:, 0::2])
    moved = pairs * torch.polar(torch.ones_like(div_term), offset * div_term)
    return torch.stack([moved.imag, moved.real], dim=-1).flatten(1)


def main():
    for name, (n, d_model, base) in CASES.items():
        pe, div_term = encoding(torch.arange(n, dtype=torch.float64), d_model, base)
        golden.keep(name, settings=[n, d_model, base], encoding=pe, frequencies=div_term)
        moved = {f"{offset:g}": turned(pe, div_term, offset) for offset in (3.0, -7.0, 0.5)}
        golden.keep(f"{name}/shifted", **moved)
    far = torch.tensor([9_990.0, 9_999.0, 10_000.0], dtype=torch.float64)
    golden.keep("far", positions=far, encoding=encoding(far, 64, 10000.0)[0])
    golden.save("positional")


if __name__ == "__main__":
    main()
