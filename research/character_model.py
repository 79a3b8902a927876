"""Train the small character models of "A trained head" and store them: attn/data/characters.npz.

`python -m research.character_model` trains one model from each of the seeds 0 … 49 that the file doesn't have yet, ten
seconds or more each, and stores the weights of seed 0 and what the heads of all of them look at. The gradient is
written by hand; tests/unit/test_character_model.py holds it against central differences, and the forward pass against
`attn.transformer`. The text is the book's own frozen prose, `attn.data.corpus.book()`: the first nine tenths are
trained on, the last tenth is held back for all that is measured.
"""

import argparse
from itertools import islice
from multiprocessing import Pool

import numpy as np

from attn.data.characters import (
    CONTEXT,
    FILE,
    HEADS,
    LAYERS,
    VOCABULARY,
    from_arrays,
    held_back,
    look_where,
    trained_on,
)

SEEDS = 50
STEPS, BATCH, RATE = 2000, 16, 1e-2
ENDS = ("early", "losses", "looks")  # what is stored of each seed
EARLY = 50  # whose loss is stored, for a test to repeat
D_MODEL, D_FF, N_VOCAB = 32, 64, len(VOCABULARY)
EPS = 1e-5


def start(rng, d_model=D_MODEL, d_ff=D_FF, context=CONTEXT, heads=HEADS, layers=LAYERS, n_vocab=N_VOCAB):
    """The first weights: normal, with variance 1 over the numbers that go in; biases 0, gains 1."""
    d_k = d_model // heads

    def draw(*shape, variance=None):
        return rng.normal(scale=(variance or 1 / shape[-2]) ** 0.5, size=shape)

    w = {"embedding": draw(n_vocab, d_model, variance=0.25), "places": draw(context, d_model, variance=0.25)}
    for i in range(layers):
        w |= {
            f"{i}.gain_1": np.ones(d_model), f"{i}.bias_1": np.zeros(d_model),
            f"{i}.w_q": draw(heads, d_model, d_k), f"{i}.w_k": draw(heads, d_model, d_k),
            f"{i}.w_v": draw(heads, d_model, d_k), f"{i}.w_o": draw(heads * d_k, d_model),
            f"{i}.gain_2": np.ones(d_model), f"{i}.bias_2": np.zeros(d_model),
            f"{i}.w_1": draw(d_model, d_ff), f"{i}.b_1": np.zeros(d_ff),
            f"{i}.w_2": draw(d_ff, d_model), f"{i}.b_2": np.zeros(d_model),
        }  # fmt: skip
    return w | {
        "gain": np.ones(d_model), "bias": np.zeros(d_model),
        "unembedding": draw(d_model, n_vocab), "b_u": np.zeros(n_vocab),
    }  # fmt: skip


def normed(x, gain, bias):
    """Layer normalization, and what its derivative needs."""
    x = x - x.mean(axis=-1, keepdims=True)
    root = np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPS)
    x /= root
    return x * gain + bias, (x, root)


def d_normed(d, gain, kept):
    """Carry a derivative back through `normed`: to its input, its gain and its bias."""
    x, root = kept
    axes = tuple(range(d.ndim - 1))
    d_x = d * gain
    back = d_x - d_x.mean(axis=-1, keepdims=True) - x * (d_x * x).mean(axis=-1, keepdims=True)
    return back / root, (d * x).sum(axes), d.sum(axes)


def loss_and_gradient(w, tokens):
    """Mean −ln p(next character) over a batch of (b, n + 1) tokens, in nats, and its derivative for each array."""
    seen, target = tokens[:, :-1], tokens[:, 1:]
    b, n = seen.shape
    layers = sum(name.endswith("w_q") for name in w)
    hide = np.triu(np.full((n, n), -np.inf, dtype=w["embedding"].dtype), 1)
    x, kept = w["embedding"][seen] + w["places"][:n], []
    for i in range(layers):
        w_q, w_k, w_v, w_o = (w[f"{i}.{name}"] for name in ("w_q", "w_k", "w_v", "w_o"))
        h, d, d_k = w_q.shape
        flat = [v.transpose(1, 0, 2).reshape(d, h * d_k) for v in (w_q, w_k, w_v)]
        a, norm_1 = normed(x, w[f"{i}.gain_1"], w[f"{i}.bias_1"])
        q, k, v = ((a @ m).reshape(b, n, h, d_k).transpose(0, 2, 1, 3) for m in flat)
        scores = q @ k.swapaxes(-1, -2) * d_k**-0.5 + hide
        p = np.exp(scores - scores.max(axis=-1, keepdims=True))
        p /= p.sum(axis=-1, keepdims=True)
        said = (p @ v).transpose(0, 2, 1, 3).reshape(b, n, h * d_k)
        x = x + said @ w_o
        c, norm_2 = normed(x, w[f"{i}.gain_2"], w[f"{i}.bias_2"])
        hidden = np.maximum(0, c @ w[f"{i}.w_1"] + w[f"{i}.b_1"])
        x = x + hidden @ w[f"{i}.w_2"] + w[f"{i}.b_2"]
        kept.append((flat, a, norm_1, q, k, v, p, said, c, norm_2, hidden))
    last, norm = normed(x, w["gain"], w["bias"])
    z = last @ w["unembedding"] + w["b_u"]
    z = z - z.max(axis=-1, keepdims=True)
    z -= np.log(np.exp(z).sum(axis=-1, keepdims=True))
    at = np.arange(b)[:, None], np.arange(n), target
    loss = -z[at].mean()

    found, dz = {}, np.exp(z)
    dz[at] -= 1
    dz /= b * n

    def over(left, right):
        """Σ over batch and places of leftᵀ right."""
        return left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])

    found["unembedding"], found["b_u"] = over(last, dz), dz.sum((0, 1))
    dx, found["gain"], found["bias"] = d_normed(dz @ w["unembedding"].T, w["gain"], norm)
    for i in reversed(range(layers)):
        flat, a, norm_1, q, k, v, p, said, c, norm_2, hidden = kept[i]
        h, d, d_k = w[f"{i}.w_q"].shape
        found[f"{i}.w_2"], found[f"{i}.b_2"] = over(hidden, dx), dx.sum((0, 1))
        d_hidden = (dx @ w[f"{i}.w_2"].T) * (hidden > 0)
        found[f"{i}.w_1"], found[f"{i}.b_1"] = over(c, d_hidden), d_hidden.sum((0, 1))
        back, found[f"{i}.gain_2"], found[f"{i}.bias_2"] = d_normed(
            d_hidden @ w[f"{i}.w_1"].T, w[f"{i}.gain_2"], norm_2
        )
        dx = dx + back
        found[f"{i}.w_o"] = over(said, dx)
        d_said = (dx @ w[f"{i}.w_o"].T).reshape(b, n, h, d_k).transpose(0, 2, 1, 3)
        d_p = d_said @ v.swapaxes(-1, -2)
        d_s = p * (d_p - (p * d_p).sum(axis=-1, keepdims=True)) * d_k**-0.5
        three = d_s @ k, d_s.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ d_said
        d_a = 0
        for name, part, m in zip(("w_q", "w_k", "w_v"), three, flat, strict=True):
            part = part.transpose(0, 2, 1, 3).reshape(b, n, h * d_k)
            found[f"{i}.{name}"] = over(a, part).reshape(d, h, d_k).transpose(1, 0, 2)
            d_a = d_a + part @ m.T
        back, found[f"{i}.gain_1"], found[f"{i}.bias_1"] = d_normed(d_a, w[f"{i}.gain_1"], norm_1)
        dx = dx + back
    found["places"] = np.zeros_like(w["places"])
    found["places"][:n] = dx.sum(axis=0)
    found["embedding"] = np.zeros_like(w["embedding"])
    np.add.at(found["embedding"], seen, dx)
    return loss, found


def descend(w, batch, steps, rate=RATE, warm_up=1):
    """Change w by Adam, in place; yield the loss of each step. `batch()` gives tokens.

    The rate rises linearly over the first `warm_up` steps, and falls by a cosine over all of them.
    """
    mean = {name: np.zeros_like(value) for name, value in w.items()}
    square = {name: np.zeros_like(value) for name, value in w.items()}
    for t in range(1, steps + 1):
        loss, slope = loss_and_gradient(w, batch())
        size = np.float32(
            rate * min(1, t / warm_up) * (1 + np.cos(np.pi * (t - 1) / steps)) / 2 / (1 - 0.9**t)
        )
        for name, value in w.items():
            mean[name] += np.float32(0.1) * (slope[name] - mean[name])
            square[name] += np.float32(0.001) * (slope[name] ** 2 - square[name])
            value -= size * mean[name] / (np.sqrt(square[name] / np.float32(1 - 0.999**t)) + np.float32(1e-8))
        yield float(loss)


def train(seed, steps=STEPS, until=None):
    """Train from one seed by Adam, in float32; return the weights and the loss of each step. `until`: stop there."""
    rng = np.random.default_rng(seed)
    text = trained_on()
    w = {name: value.astype(np.float32) for name, value in start(rng).items()}

    def batch():
        return text[rng.integers(0, len(text) - CONTEXT, BATCH)[:, None] + np.arange(CONTEXT + 1)]

    return w, list(islice(descend(w, batch, steps), until))


def one(seed):
    """Train from one seed; return its weights as stored, its early loss, its loss and what its heads look at."""
    w, losses = train(seed)
    w = {name: value.astype(np.float16) for name, value in w.items()}
    return w, losses[EARLY - 1], *look_where(from_arrays(w), held_back())


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="character_model", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=1, help="seeds that are trained at once")
    options = parser.parse_args(arguments)
    stored = {name: np.array([]) for name in ("seeds", *ENDS)}
    if FILE.exists():  # go on where the last run stopped
        with np.load(FILE) as arrays:
            stored = dict(arrays)
    ends = {int(seed): [stored[name][i] for name in ENDS] for i, seed in enumerate(stored["seeds"])}
    missing = [seed for seed in range(options.seeds) if seed not in ends]
    with Pool(options.jobs) as pool:
        for seed, (w, *end) in zip(missing, pool.imap(one, missing), strict=True):
            stored |= {} if seed else w
            ends[seed] = end
            each = zip(*(ends[known] for known in sorted(ends)), strict=True)
            stored |= {name: np.array(part, np.float32) for name, part in zip(ENDS, each, strict=True)}
            stored["seeds"] = np.array(sorted(ends))
            np.savez_compressed(FILE, **stored)
            print(f"seed {seed}: loss {end[1]:.3f}, one back {end[2][:, 1].max():.2f}", flush=True)


if __name__ == "__main__":
    main()
