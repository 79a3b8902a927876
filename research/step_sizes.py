"""Sweep the step size of queries that learn to look at one key, and store what comes of it.

`python -m research.step_sizes` takes some minutes and writes attn/data/step_sizes.json, which chapter 2 prints from:
for each optimizer, head size and scale, how many of 200 queries have learned their task, and how many give their
key next to nothing. tests/claims/test_step_sizes.py repeats a part of it.
"""

import json
import sys
from pathlib import Path

from attn.data.looking import SCALES, adam, descend

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
