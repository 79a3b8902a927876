"""Fit narrow scores to 60 random tables, by truncated SVD and by training, and store how far off each is.

`python -m research.low_rank` takes some minutes and writes attn/data/low_rank.json: for each table and each d_k from 1
to 7 the root mean square error of the scores and the cross-entropy above the least possible, SVD first. Chapter 7 shows
five such tables of its own. tests/claims/test_low_rank.py repeats a part of it.
"""

import json
import sys
from pathlib import Path

import numpy as np

from attn.bilinear import cross_entropy, fit

TARGET = Path(__file__).resolve().parent.parent / "attn" / "data" / "low_rank.json"
TABLES, SIZE = 60, 8


def centered(scores):
    return scores - scores.mean(axis=1, keepdims=True)


def compare(seed, dims=range(1, SIZE)):
    """For one random table, and each d_k: [[error of SVD, of training], [excess loss of SVD, of training]]."""
    rng = np.random.default_rng([6, seed])
    table = np.exp(rng.normal(scale=1.2, size=(SIZE, SIZE)))
    table /= table.sum()
    target = centered(np.log(table))
    least = cross_entropy(target, table)[0]
    u, s, vt = np.linalg.svd(target)
    found = []
    for d in dims:
        answers = (
            (u[:, :d] * s[:d]) @ vt[:d],
            fit(table, d, np.random.default_rng([seed, d]), n_steps=1000).scores,
        )
        off = [np.sqrt(((centered(scores) - target) ** 2).mean()) for scores in answers]
        found.append([off, [cross_entropy(scores, table)[0] - least for scores in answers]])
    return np.array(found)


def main():
    found = []
    for seed in range(TABLES):
        found.append(compare(seed).round(9).tolist())
        print(f"table {seed + 1} of {TABLES}", flush=True)
    rows = ",\n ".join(json.dumps(row) for row in found)
    TARGET.write_text(f"[{rows}]\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
