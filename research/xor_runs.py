"""Train every network of chapter 6 from 200 seeds and store where the runs end: attn/data/xor_runs.npz.

`python -m research.xor_runs` takes some minutes. A run is what `attn.xor.train` does with the same seed, up to the
order in which floating-point sums are taken; here many runs go side by side, and those that differ in loss and step
size alone see the same samples. tests/claims/test_learning_xor.py repeats a sample of the runs with `train` itself.

Source 002's own loop is here too: one sample at a time, plain gradient descent with momentum, its loss, 30,000 steps.
"""

import argparse
from itertools import product

import numpy as np

from attn.xor import LOSSES, RUN_ONCE, RUN_RATES, RUN_VARIANTS, XorModel, all_cases, noise_token_batch
from attn.xor._runs import CASES, FILE

SEEDS = 200
STEPS, BATCH, D = 1000, 256, 4
ASIDE = 2  # seeds that are trained at once: more would not fit into the processor's cache


def forward(params, a, d, noise):
    """Logit of "differ" over "equal" and what its derivative needs; a, d (s, n) are ±1, noise is (s, 2, D, n)."""
    b, c = noise[:, :1], noise[:, 1:]
    kept = {"read": noise[:, 0]}
    if "w_q" in params:
        w_q, w_k = params["w_q"], params["w_k"]
        s, h, _, d_k = w_q.shape
        q = (w_q.transpose(0, 1, 3, 2).reshape(s, h * d_k, D) @ noise[:, 0]).reshape(s, h, d_k, -1)
        if "b_q" in params:
            q += params["b_q"][..., None]
        q *= d_k**-0.5
        asked = w_k @ q  # (s, h, D, n): a token's score is its dot product with this
        sign = asked.sum(axis=2)
        ends = np.stack([a, d], axis=1)[:, :, None]  # (s, 2, 1, n)
        scores = np.stack([a[:, None] * sign, (asked * b).sum(2), (asked * c).sum(2), d[:, None] * sign])
        p = np.exp(scores - scores.max(axis=0))
        p /= p.sum(axis=0)
        read = p[1][:, :, None] * b + p[2][:, :, None] * c
        read += (p[0] * ends[:, 0] + p[3] * ends[:, 1])[:, :, None]
        kept = {"read": read.reshape(s, h * D, -1), "q": q, "p": p}
    read = kept["read"]
    if "w_1" in params:
        kept["hidden"] = np.maximum(0, params["w_1"].transpose(0, 2, 1) @ read + params["b_1"][..., None])
    top, bias = ("w_2", "b_2") if "w_1" in params else ("w_o", "b_o")
    z = ((params[top][..., 1] - params[top][..., 0])[:, None] @ kept.get("hidden", read))[:, 0]
    return z + (params[bias][:, 1] - params[bias][:, 0])[:, None], kept


def gradient(params, a, d, noise, wrong_loss):
    """Derivative of the mean loss with respect to each parameter; `wrong_loss` (s,): whose loss is −p, not −ln p."""
    z, kept = forward(params, a, d, noise)
    y = (a != d) * 2.0 - 1  # +1 where they differ
    p_wrong = 1 / (1 + np.exp(y * z))
    dz = -y * p_wrong / z.shape[1]
    dz *= np.where(wrong_loss[:, None], 1 - p_wrong, 1)
    top, bias = ("w_2", "b_2") if "w_1" in params else ("w_o", "b_o")
    found, seen = {}, kept.get("hidden", kept["read"])
    both = np.array([-1.0, 1])  # the two logits move against each other
    found[top] = (seen @ dz[:, :, None]) * both
    found[bias] = dz.sum(axis=1)[:, None] * both
    d_read = (params[top][..., 1] - params[top][..., 0])[:, :, None] * dz[:, None]
    if "w_1" in params:
        d_hidden = d_read * (kept["hidden"] > 0)
        found["w_1"] = kept["read"] @ d_hidden.transpose(0, 2, 1)
        found["b_1"] = d_hidden.sum(axis=2)
        d_read = params["w_1"] @ d_hidden
    if "w_q" not in params:
        return found
    w_q, w_k, p, q = params["w_q"], params["w_k"], kept["p"], kept["q"]
    s, h, _, d_k = w_q.shape
    b, c, d_read = noise[:, :1], noise[:, 1:], d_read.reshape(s, h, D, -1)
    sign = d_read.sum(axis=2)
    worth = np.stack([a[:, None] * sign, (d_read * b).sum(2), (d_read * c).sum(2), d[:, None] * sign])
    d_s = p * (worth - (p * worth).sum(axis=0))
    d_asked = d_s[1][:, :, None] * b + d_s[2][:, :, None] * c
    d_asked += (d_s[0] * a[:, None] + d_s[3] * d[:, None])[:, :, None]
    found["w_k"] = d_asked @ q.transpose(0, 1, 3, 2)
    d_q = w_k.transpose(0, 1, 3, 2) @ d_asked * d_k**-0.5
    found["w_q"] = noise[:, 0][:, None] @ d_q.transpose(0, 1, 3, 2)
    if "b_q" in params:
        found["b_q"] = d_q.sum(axis=3)
    return found


def draw(rng):
    """The samples of one step of `train`, in its order: noise, then bits."""
    noise = rng.uniform(-1, 1, (2, D, BATCH))
    return noise, 2.0 * rng.integers(0, 2, (2, BATCH)) - 1


def run(seeds, variant, settings, start=None):
    """Train from each seed with each setting (loss, step size); return accuracy, loss and parameters.

    The first two are (settings, seeds), on 500 draws of noise with all four cases each, as `train` measures them.
    """
    rngs = [np.random.default_rng(seed) for seed in seeds]
    if start is None:
        models = [
            XorModel.init(rng, D, **({"n_heads": 2, "query_bias": True} | variant)).params for rng in rngs
        ]
        start = {name: np.stack([m[name] for m in models for _ in settings]) for name in models[0]}
    params = {name: value.copy() for name, value in start.items()}
    wrong = np.array([loss == "probability" for _ in seeds for loss, _ in settings])
    rates = np.array([rate for _ in seeds for _, rate in settings])
    mean = {name: np.zeros_like(value) for name, value in params.items()}
    square = {name: np.zeros_like(value) for name, value in params.items()}
    for step in range(STEPS):
        noise, ends = (
            np.repeat(part, len(settings), axis=0)
            for part in map(np.stack, zip(*map(draw, rngs), strict=True))
        )
        slope = gradient(params, ends[:, 0], ends[:, 1], noise, wrong)
        size = rates * (1 + np.cos(np.pi * step / STEPS)) / 2 / (1 - 0.9 ** (step + 1))
        for name, value in params.items():
            mean[name] += 0.1 * (slope[name] - mean[name])
            square[name] += 0.001 * (slope[name] ** 2 - square[name])
            root = np.sqrt(square[name] / (1 - 0.999 ** (step + 1))) + 1e-8
            value -= size.reshape(-1, *[1] * (value.ndim - 1)) * mean[name] / root
    accuracy, loss = (
        np.array(part).reshape(len(seeds), -1).T for part in zip(*measure(params, seeds), strict=True)
    )
    return accuracy, loss, params


def measure(params, seeds):
    """Yield the accuracy and mean log loss of each run on its seed's held-out cases."""
    total = len(next(iter(params.values())))
    for i in range(total):
        seed = seeds[i * len(seeds) // total]
        x, y = all_cases(noise_token_batch(np.random.default_rng([seed, 1]), 500, D)[0])
        logits = XorModel({name: value[i] for name, value in params.items()}).forward(x).logits
        right = logits.argmax(axis=1) == y
        yield right.mean(), np.logaddexp(0, np.where(y == 1, 1, -1) * (logits[:, 0] - logits[:, 1])).mean()


def source_002(seeds, loss="probability", epochs=10, steps=3000, rate=1e-3):
    """Source 002's loop, all seeds side by side: its accuracy on its own 100 samples and on 2,000, (epochs, seeds)."""
    s, rng = len(seeds), [np.random.default_rng(seed) for seed in seeds]
    params = {
        "w_q": np.stack([r.normal(size=(1, D, 3)) for r in rng])
        * np.sqrt(3),  # it has no scale, XorModel's is 1/√3
        "w_k": np.stack([r.normal(size=(1, D, 3)) for r in rng]),
        "w_o": np.stack([r.uniform(-0.5, 0.5, (D, 2)) for r in rng]),  # nn.Linear's start: ± 1/√4
        "b_o": np.stack([r.uniform(-0.5, 0.5, 2) for r in rng]),
    }
    speed = {name: np.zeros_like(value) for name, value in params.items()}
    wrong, printed, exact = np.full(s, loss == "probability"), [], []
    for _ in range(epochs):
        noise = np.stack([r.uniform(-1, 1, (steps, 2, D)) for r in rng])
        ends = 2.0 * np.stack([r.integers(0, 2, (steps, 2)) for r in rng]) - 1
        for t in range(steps):
            slope = gradient(params, ends[:, t, :1], ends[:, t, 1:], noise[:, t, ..., None], wrong)
            for name, value in params.items():
                # w_q stands for √3 times the source's: a third of the slope twice over is the source's step.
                speed[name] = 0.9 * speed[name] + (3 * slope[name] if name == "w_q" else slope[name])
                value -= rate * speed[name]
        test = np.stack([r.uniform(-1, 1, (2, D, 100)) for r in rng])
        a, d = np.moveaxis(2.0 * np.stack([r.integers(0, 2, (2, 100)) for r in rng]) - 1, 1, 0)
        printed.append(((forward(params, a, d, test)[0] > 0) == (a != d)).mean(axis=1))
        exact.append([accuracy for accuracy, _ in measure(params, seeds)])
    return np.array(printed), np.array(exact)


def make(n_seeds=SEEDS, names=tuple(RUN_VARIANTS), keep=lambda found: None):
    """Return all arrays of the file; `keep` is called with what is there after each network."""
    settings, found = list(product(LOSSES, RUN_RATES)), {}
    shape = (len(LOSSES), len(RUN_RATES), n_seeds)
    for name in names:
        right, loss, freed = [], [], []
        for first in range(0, n_seeds, ASIDE):
            seeds = range(first, min(first + ASIDE, n_seeds))
            ends = run(seeds, RUN_VARIANTS[name], settings)
            right.append(ends[0])
            loss.append(ends[1])
            if name == "two heads":  # go on with −ln p where −p and the largest step have led
                lost = {key: value[len(RUN_RATES) :: len(settings)] for key, value in ends[2].items()}
                freed.append(run(seeds, {}, settings[:1], lost)[0][0])
        found[f"right: {name}"] = counted(np.concatenate(right, axis=1).reshape(shape), CASES)
        found[f"loss: {name}"] = np.concatenate(loss, axis=1).reshape(shape).astype(np.float32).round(4)
        if freed:
            found["right: freed"] = counted(np.concatenate(freed), CASES)
        keep(found)
    found |= once(n_seeds)
    keep(found)
    for loss in LOSSES:
        printed, accuracy = source_002(range(n_seeds), loss)
        found[f"source 002 prints: {loss}"] = counted(printed, 100)
        found[f"source 002 right: {loss}"] = counted(accuracy, CASES)
        keep(found)
    return found


def once(n_seeds=SEEDS, names=tuple(RUN_ONCE)):
    """Return the arrays of the networks that are run with the first loss and the first step size alone."""
    found = {}
    for name in names:
        parts = [
            run(range(first, min(first + 8, n_seeds)), RUN_ONCE[name], [(LOSSES[0], RUN_RATES[0])])
            for first in range(0, n_seeds, 8)
        ]
        ends = [np.concatenate([part[i] for part in parts], axis=1) for i in range(2)]
        found[f"right: {name}"] = counted(ends[0], CASES)[None]  # (1, 1, seeds): one loss, one step size
        found[f"loss: {name}"] = ends[1].astype(np.float32).round(4)[None]
    return found


def counted(accuracy, n):
    """A share of n samples as the whole number that it is."""
    return np.rint(accuracy * n).astype(np.int16)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="xor_runs", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument(
        "--once", action="store_true", help="run the networks of RUN_ONCE alone, and leave the others"
    )
    options = parser.parse_args(arguments)
    if options.once:
        np.savez_compressed(FILE, **dict(np.load(FILE)) | once(options.seeds))
        return
    make(options.seeds, keep=lambda found: (np.savez_compressed(FILE, **found), print(*found, flush=True)))


if __name__ == "__main__":
    main()
