"""Train the two-layer models of "Find an induction head" and store them: attn/data/repeats.npz.

`python -m research.repeats_runs` trains one model from each of the seeds 0 … 11 that the file doesn't have yet, about a
minute each, and stores the weights of seed 0 and what was measured of all: the losses and the heads' scores at every
fiftieth step, and at the end the loss by place and without each head. All is measured on the same 64 texts, drawn from
a seed of their own; a float16 copy of the weights is measured at the end, as it is stored.
"""

import argparse
from dataclasses import replace

import numpy as np

from attn.data.characters import from_arrays
from attn.data.repeats import FILE, LENGTH, OFFSETS, Repeats, repeated
from attn.induction import induction_score
from attn.softmax import log_softmax
from research.character_model import descend, start

SEEDS, STEPS, WARM_UP, BATCH, EACH = 12, 2000, 100, 32, 50
TEXTS = repeated(np.random.default_rng(1000), 64)
ENDS = Repeats._fields[2:]


def losses(model, texts):
    """The loss on each letter but the first: texts (n, LENGTH) -> (n, LENGTH - 1)."""
    log_p = log_softmax(model(texts[:, :-1]).logits)
    return -np.take_along_axis(log_p, texts[:, 1:, None], axis=-1)[..., 0]


def seen_before(periods):
    """Of which letters after the first the text has come round to: (n, LENGTH - 1) of bool."""
    return np.arange(1, LENGTH) > periods[:, None]


def measure(w):
    """The mean losses on new and on repeated letters, and each head's two scores."""
    texts, periods = TEXTS
    model, again = from_arrays(w), seen_before(periods)
    loss = losses(model, texts)
    weights = np.array(model(texts[:, :-1]).weights)  # (8, n, 32, 32)
    scores = np.mean([induction_score(weights[:, i], text[:-1]) for i, text in enumerate(texts)], axis=0)
    new = np.arange(1, LENGTH) < periods[:, None]
    return loss[new].mean(), loss[again].mean(), scores, np.diagonal(weights, -1, 2, 3).mean(axis=(1, 2))


def offsets(model):
    """Each head's mean weight on places near the one that a round earlier held the present letter: (8, 8)."""
    texts, periods = TEXTS
    weights = np.array(model(texts[:, :-1]).weights)
    place = np.arange(LENGTH - 1)
    found = []
    for away in OFFSETS:
        at = place - periods[:, None] + away
        ok = (place >= periods[:, None]) & (at >= 0)
        at = np.broadcast_to(np.maximum(at, 0)[..., None], (*at.shape, 1))
        found.append([np.take_along_axis(head, at, axis=-1)[..., 0][ok].mean() for head in weights])
    return np.transpose(found)


def without(model, head, stand_in):
    """The model without what one of its heads writes; `stand_in`: with the mean of that, the same for all letters."""
    texts, _ = TEXTS
    layer, head = divmod(head, 4)
    one, run = model.layers[layer], model(texts[:, :-1])
    w_v, b_o = one.w_v.copy(), np.zeros(one.w_o.shape[1])
    if stand_in:
        read = run.weights[4 * layer + head] @ (one.norm_1(run.stream[layer]) @ w_v[head])
        d_v = w_v.shape[-1]
        b_o = read.mean(axis=(0, 1)) @ one.w_o[d_v * head : d_v * (head + 1)]
    w_v[head] = 0
    layers = list(model.layers)
    layers[layer] = replace(one, w_v=w_v, b_o=b_o)
    return replace(model, layers=layers)


def train(seed, until=STEPS):
    """Train from one seed; return its weights in float16 and what is stored of it, by name."""
    rng = np.random.default_rng(seed)
    w = {name: value.astype(np.float32) for name, value in start(rng).items()}
    measured = [measure(w)]
    steps = descend(w, lambda: repeated(rng, BATCH)[0], STEPS, warm_up=WARM_UP)
    for t, _ in enumerate(steps, 1):
        if t % EACH == 0:
            measured.append(measure(w))
        if t == until:
            break
    w = {name: value.astype(np.float16) for name, value in w.items()}
    model, (texts, periods) = from_arrays(w), TEXTS
    loss, again = losses(model, texts), seen_before(periods)
    place = np.arange(1, LENGTH) - periods[:, None]
    by_place = [loss[place == j].mean() for j in range(LENGTH - 7)]
    cost = [
        [losses(without(model, head, way), texts)[again].mean() for head in range(8)] for way in (False, True)
    ]
    return w, dict(
        zip(
            ENDS,
            [*(np.array(part) for part in zip(*measured, strict=True)), offsets(model), by_place, cost],
            strict=True,
        )
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="repeats_runs", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args(arguments)
    stored = {"seeds": np.array([], int), "steps": np.arange(0, STEPS + 1, EACH)}
    if FILE.exists():  # go on where the last run stopped
        with np.load(FILE) as arrays:
            stored = dict(arrays)
    for seed in sorted({*range(options.seeds)} - {*stored["seeds"].tolist()}):
        w, ends = train(seed)
        stored |= {} if seed else w
        stored["seeds"] = np.append(stored["seeds"], seed)
        for name, end in ends.items():
            end = np.array(end, np.float32)[None]
            stored[name] = np.concatenate([stored[name], end]) if name in stored else end
        np.savez_compressed(FILE, **stored)
        print(
            f"seed {seed}: {ends['new'][-1]:.3f} new, {ends['again'][-1]:.3f} again",
            ends["induction"][-1].round(2),
            flush=True,
        )


if __name__ == "__main__":
    main()
