"""Make the golden answers of by_hand.npz with PyTorch (how: making.py; this one needs anywidget and PYTHONPATH=., too).

For each exercise by hand and each of its draws: what is given, and the answers
of all steps. The book says what is given; each answer comes from PyTorch, where it can by another way: attention by its
own function, derivatives by autograd, turns by complex numbers, variances from all the ways in which coins can fall.
"""

import numpy as np
import torch
from making import Golden
from torch.nn import functional as F

from attn.explore.practice.by_hand import BY_HAND
from attn.practice.exercise import SEEDS


def attend(q, k, v, mask=None, scale=None):
    """Weights and output; with the identity as values the output is the weights."""
    options = {"attn_mask": mask, "scale": scale}
    weights = F.scaled_dot_product_attention(q, k, torch.eye(len(k), dtype=q.dtype), **options)
    return weights, F.scaled_dot_product_attention(q, k, v, **options)


def attention(q, k, v):
    dots = F.linear(q, k)
    weights, output = attend(q, k, v)
    return {"dots": dots, "scores": dots / 4**0.5, "weights": weights, "output": output}


def masking(q, k, v, mask):
    weights, output = attend(q, k, v, mask.bool())
    return {"scores": F.linear(q, k) / 4**0.5, "weights": weights, "output": output}


def variance(a, b, d_k):
    def one(x, y, n):
        """Of a product by the four cases of its signs, of a score by the number of its positive products."""
        products = torch.cartesian_prod(torch.stack([x, -x]), torch.stack([y, -y])).prod(dim=1)
        heads = torch.arange(int(n) + 1, dtype=torch.float64)
        coins = torch.distributions.Binomial(int(n), torch.tensor(0.5, dtype=torch.float64))
        chance = coins.log_prob(heads).exp()
        scores = x * y * (2 * heads - n)
        spread = [(chance * (scores * scale).square()).sum() for scale in (1.0, n**-0.5, 1 / n)]
        return torch.stack([products.var(correction=0), *spread])

    found = torch.stack([one(*layer) for layer in zip(a[0], b[0], d_k[0], strict=True)], dim=1)
    return dict(zip(("product", "score", "by_root", "by_d_k"), found, strict=True))


def odds(scores, factor):
    gaps = scores[:, 0] - scores[:, 1:]
    return {"gaps": gaps, "grown": factor * gaps, "weights": torch.softmax(factor * scores, dim=1)}


def encoding(base, pos, word):
    divisors = base ** (torch.tensor([[0, 0, 1, 1]]) / 2)
    angles = pos / divisors
    turns = torch.view_as_real(torch.polar(torch.ones_like(angles), angles)[:, ::2])  # cosine, sine
    waves = turns.flip(-1).reshape(1, 4)
    return {"divisors": divisors, "angles": angles, "encoding": waves, "sum": word + waves}


def rotation(q, k, places):
    step = torch.tensor(0.6 + 0.8j, dtype=torch.complex128)
    asks, asked = (
        torch.view_as_real(torch.view_as_complex(pair) * step ** int(place))
        for pair, place in ((q, places[0, 0]), (k, places[0, 1]))
    )
    return {"asks": asks, "asked": asked, "score": torch.dot(asks[0], asked[0])}


def turned_scores(q, k, places):
    """Each pair is a complex number; the first makes half a turn a word, the second a quarter."""
    steps = torch.tensor([-1, 1j], dtype=torch.complex128)
    words = k[[0, 0, 1]]

    def turn(x, at):
        pairs = torch.view_as_complex(x.reshape(len(x), 2, 2)) * steps ** at[:, None]
        return torch.view_as_real(pairs).reshape(len(x), 4)

    asks, asked = turn(q, places[0, 2:]), turn(words, places[0])
    moved = F.linear(turn(q, places[0, 2:] + 1), turn(words, places[0] + 1))
    return {"asks": asks, "asked": asked, "scores": F.linear(asks, asked), "moved": moved}


def heads(looks, values_1, values_2, w_o):
    nothing = torch.zeros(2, 1, 4, dtype=torch.float64), torch.zeros(2, 3, 4, dtype=torch.float64)
    mask, values = looks.bool()[:, None], torch.stack([values_1, values_2])
    eye = torch.eye(3, dtype=torch.float64).expand(2, 3, 3)
    weights, both = (F.scaled_dot_product_attention(*nothing, v, attn_mask=mask)[:, 0] for v in (eye, values))
    row = torch.cat([*both])
    return {"weights": weights, "heads": both, "side_by_side": row, "output": F.linear(row, w_o.T)}


def rope(ends, readout, bias):
    bits = torch.cartesian_prod(torch.arange(2), torch.arange(2))
    points = F.embedding_bag(bits, ends, mode="mean")
    margins = F.linear(points, readout, bias[0])[:, 0]
    return {"points": points, "margins": margins, "says": torch.heaviside(margins, torch.zeros_like(margins))}


def votes(x, loud, readout, bias):
    margins = F.linear(x.T, readout, bias[0])[:, 0]
    # The scores are the logarithms of the loudness; the output of the attention goes through the readout.
    output = F.linear(attend(torch.ones_like(bias), loud.log().T, x.T, scale=1.0)[1], readout, bias[0])
    return {"margins": margins, "votes": loud[0] * margins, "output": output}


def gradient(x, p, d_p):
    scores = p.log().requires_grad_()
    weights = torch.softmax(scores, dim=1)
    (weights * d_p).sum().backward()
    average = torch.tensordot(p, d_p)
    # The scores are q times x, at any q: the same derivatives arrive there.
    q = torch.ones((), dtype=torch.float64, requires_grad=True)
    (q * x).backward(scores.grad)
    return {"average": average, "apart": d_p - average, "d_s": scores.grad, "d_q": q.grad}


def loss(exponentials, target):
    logits = exponentials.log().requires_grad_()
    found = F.cross_entropy(logits, target.argmax(dim=1))
    found.backward()
    return {"probabilities": torch.softmax(logits, dim=1), "loss": found, "d_z": logits.grad}


def pmi(days):
    skies, streets = days.sum(dim=1, keepdim=True), days.sum(dim=0, keepdim=True)
    chance = torch.outer(skies[:, 0], streets[0]) / days.sum()
    bits = torch.distributions.Categorical(days.flatten()).logits.reshape(2, 2)
    rows, columns = bits.logsumexp(dim=1)[0], bits.logsumexp(dim=0)[0]
    pair = (bits[0, 0] - rows - columns) / torch.tensor(2.0, dtype=torch.float64).log()
    return {"skies": skies, "streets": streets, "chance": chance, "ratios": days / chance, "bits": pair}


def induction(words, grown):
    """Two layers of PyTorch's attention on one-hot words; the first is told by a mask to see one place."""
    one_hot, n = F.one_hot(words[0].long(), 5).double(), words.shape[1]
    back = torch.diag(torch.ones(n - 1), -1).bool()
    back[0, 0] = True  # BOS has nobody but itself
    nothing = torch.zeros(n, 1, dtype=torch.float64)
    lane = F.scaled_dot_product_attention(nothing, nothing, one_hot, back)
    scores = F.linear(one_hot[-1:], lane) * grown.log()
    weights, heard = attend(scores, torch.eye(n).double(), one_hot, scale=1.0)
    names = torch.arange(5, dtype=torch.float64)
    return {"before": lane @ names, "powers": scores.exp(), "weights": weights, "says": heard[:, 1:]}


KINDS = [
    attention,
    encoding,
    gradient,
    heads,
    induction,
    loss,
    masking,
    odds,
    pmi,
    rope,
    rotation,
    turned_scores,
]
ANSWERS = {one.__name__.title().replace("_", "") + "ByHand": one for one in [*KINDS, variance, votes]}


def main():
    golden = Golden()
    for name, answers in ANSWERS.items():
        kind = BY_HAND[name]
        rows = []
        for seed in range(SEEDS):
            known = kind.known(seed)
            given = {one.name: known[one.name] for one in kind.givens}
            found = answers(**{key: torch.from_numpy(value) for key, value in given.items()})
            found = {key: value.detach().numpy() for key, value in found.items()}
            rows.append(given | {key: value.reshape(known[key].shape) for key, value in found.items()})
        golden.keep(name, **{key: np.stack([row[key] for row in rows]) for key in rows[0]})
    golden.save("by_hand")


if __name__ == "__main__":
    main()
