"""Sweep the step size of queries that learn to look at one key, and store what comes of it.

`python -m research.step_sizes` takes some minutes and writes attn/data/step_sizes.json, which chapter 2 prints from:
for each optimizer, head size and scale, how many of 200 queries have learned their task, and how many give their
key next to nothing. tests/claims/test_step_sizes.py repeats a part of it.
"""

import json
import sys
from pathlib import Path

import numpy as np

from attn.data.looking import SCALES, descend, slope, start
from attn.softmax import softmax


def adam(d_k, scale, step_sizes, steps):
    """As `descend`, with Adam (Kingma and Ba, 2015, algorithm 1), which divides each step by the gradients so far."""
    found = []
    for eta in step_sizes:
        q, k = start(d_k)
        mean, square, seen = np.zeros_like(q), np.zeros_like(q), []
        for step in range(1, max(steps) + 1):
            d_q = scale * (slope(softmax(scale * (k @ q[:, :, None])[..., 0]))[:, None] @ k)[:, 0]
            mean += 0.1 * (d_q - mean)
            square += 0.001 * (d_q**2 - square)
            size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
            q = q - eta * mean / (1 - 0.9**step) / size
            if step in steps:
                seen.append(softmax(scale * (k @ q[:, :, None])[..., 0])[:, 0])
        found.append(seen)
    return np.swapaxes(found, 0, 1)


TARGET = Path(__file__).resolve().parent.parent / "attn" / "data" / "step_sizes.json"
HEAD_SIZES = (16, 64, 256)
SWEEPS = {
    "plain": (descend, [2.0**i for i in range(-8, 11)], [300, 3_000, 30_000]),
    "Adam": (adam, [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0], [300]),
}


def sweep(learn, step_sizes, steps):
    """What one optimizer does with every head size and scale."""
    runs = {}
    for d_k in HEAD_SIZES:
        for name, scale in SCALES.items():
            weights = learn(d_k, scale(d_k), step_sizes, steps)
            counts = {"learned": (weights > 0.9).sum(axis=-1), "low": (weights < 0.01).sum(axis=-1)}
            runs[f"{d_k}, {name}"] = {what: count.tolist() for what, count in counts.items()}
            print(f"{learn.__name__} {d_k} {name}: {counts['learned'][-1]} of 200", flush=True)
    return {"step_sizes": step_sizes, "steps": steps, "runs": runs}


def main():
    found = {name: sweep(*settings) for name, settings in SWEEPS.items()}
    text = json.dumps(found, ensure_ascii=False, indent=1)
    TARGET.write_text(text + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
