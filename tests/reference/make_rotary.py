"""Make the golden vectors of rotary.npz with PyTorch (how: making.py).

PyTorch has no rotary positions of its own. Neighbors are turned here as
complex numbers, halves with a vector whose halves change places and one its sign; both are ways in which models
do it. Attention is PyTorch's. Biases and buckets are computed with PyTorch's logarithms, and stretched clocks by
way of wavelengths.
"""

import math

import numpy as np
import torch
from making import Golden, draw

F64 = torch.float64
golden = Golden()

CASES = {  # name: batch axes, n, d, d that turn, base
    "small": ((), 4, 6, 6, 10000.0),
    "heads": ((2, 3), 5, 24, 24, 10000.0),
    "partly": ((2,), 4, 24, 8, 10000.0),
    "base_500000": ((), 3, 128, 128, 500000.0),
    "one_pair": ((), 7, 2, 2, 10.0),
}


def inverse(width, base):
    return torch.exp(-math.log(base) * torch.arange(0, width, 2, dtype=F64) / width)


def neighbors(x, places, width, base):
    head, rest = x[..., :width], x[..., width:]
    numbers = torch.view_as_complex(head.reshape(*head.shape[:-1], width // 2, 2).contiguous())
    angle = torch.outer(places, inverse(width, base))
    turned = torch.view_as_real(numbers * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
    return torch.cat([turned, rest], dim=-1)


def halves(x, places, width, base):
    head, rest = x[..., :width], x[..., width:]
    angle = torch.outer(places, inverse(width, base)).repeat(1, 2)
    low, high = head.chunk(2, dim=-1)
    return torch.cat([head * angle.cos() + torch.cat([-high, low], dim=-1) * angle.sin(), rest], dim=-1)


def rotations(rng):
    for name, (batch, n, d, width, base) in CASES.items():
        q, k, v = (draw(rng, *batch, n, d) for _ in "qkv")
        places = torch.from_numpy(np.sort(rng.choice(1000, size=n, replace=False)).astype(float)) - 7.5
        golden.keep(name, q=q, k=k, v=v, places=places, settings=[width, base])
        for layout, turn in (("interleaved", neighbors), ("halves", halves)):
            one, two = turn(q, places, width, base), turn(k, places, width, base)
            output = torch.nn.functional.scaled_dot_product_attention(one, two, v, is_causal=True)
            golden.keep(f"{name}/{layout}", q=one, k=two, output=output)


def layouts(rng):
    """Linear layers of three heads: the weights as PyTorch stores them, (out, in), in both orders."""
    x, places = draw(rng, 5, 10), torch.arange(5, dtype=F64)
    w_q, w_k = draw(rng, 24, 10), draw(rng, 24, 10)
    golden.keep("layouts", x=x, w_q=w_q, w_k=w_k)
    q, k = (torch.nn.functional.linear(x, w).view(5, 3, 8).transpose(0, 1) for w in (w_q, w_k))
    scores = neighbors(q, places, 8, 10000.0) @ neighbors(k, places, 8, 10000.0).transpose(1, 2)
    ordered = [w.view(3, 4, 2, 10).transpose(1, 2).reshape(24, 10) for w in (w_q, w_k)]
    q, k = (torch.nn.functional.linear(x, w).view(5, 3, 8).transpose(0, 1) for w in ordered)
    again = halves(q, places, 8, 10000.0) @ halves(k, places, 8, 10000.0).transpose(1, 2)
    assert torch.allclose(scores, again, rtol=0, atol=1e-12)
    golden.keep("layouts", scores=scores, w_q_halves=ordered[0], w_k_halves=ordered[1])


def biases():
    def of_power(n):
        start = torch.tensor(2.0, dtype=F64).pow(-8.0 / n)
        return torch.cumprod(start.repeat(n), dim=0)

    for n in (8, 16):
        golden.keep(f"slopes/{n}", power=of_power(n))
    for n, below in ((6, 4), (12, 8), (20, 16)):
        golden.keep(f"slopes/{n}", code=torch.cat([of_power(below), of_power(2 * below)[::2][: n - below]]))
        golden.keep(f"slopes/{n}", sentence=of_power(n))
    q = torch.zeros(8, 6, 4, dtype=F64)
    v = torch.eye(6, dtype=F64).expand(8, 6, 6)  # the output is the weights
    places = torch.arange(6, dtype=F64)
    ahead = places[None, :] > places[:, None]
    bias = of_power(8)[:, None, None] * places[None, None, :]  # without the query's place
    bias = bias.masked_fill(ahead, -math.inf)
    attended = torch.nn.functional.scaled_dot_product_attention(q, q, v, attn_mask=bias.expand(8, 6, 6))
    golden.keep("alibi", weights=attended)


def buckets():
    offsets = torch.arange(-2000, 2001)
    golden.keep("buckets", offsets=offsets)
    kinds = (("both", 32, 2, 128), ("back", 32, 1, 128), ("few", 8, 2, 50), ("long", 64, 1, 1000))
    for name, n, ways, farthest in kinds:
        each = n // ways
        far = offsets.abs() if ways == 2 else (-offsets).clamp(min=0)
        own = each // 2
        share = (far.clamp(min=1).to(torch.float32) / own).log() / math.log(farthest / own) * (each - own)
        found = torch.where(far < own, far, (own + share.to(torch.long)).clamp(max=each - 1))
        if ways == 2:
            found = found + (offsets > 0) * each
        golden.keep(f"buckets/{name}", settings=[n, farthest, ways == 2], found=found)


def stretched():
    for name, d, base, words, factor in (("llama_2", 128, 10000.0, 4096, 4.0), ("small", 16, 100.0, 50, 2.5)):
        wave = 2 * math.pi / inverse(d, base)
        turns = words / wave
        share = ((turns - 1) / (32 - 1)).clamp(0, 1)
        new_base = base * factor ** (d / (d - 2))
        shared = 2 * math.pi / (wave * factor)
        yarn = (1 - share) * 2 * math.pi / (wave * factor) + share * 2 * math.pi / wave
        golden.keep(f"stretched/{name}", settings=[d, base, words, factor], interpolation=shared, yarn=yarn)
        golden.keep(f"stretched/{name}", ntk=inverse(d, new_base))


def main():
    rng = np.random.default_rng(18)
    rotations(rng)
    layouts(rng)
    biases()
    buckets()
    stretched()
    golden.save("rotary")


if __name__ == "__main__":
    main()
