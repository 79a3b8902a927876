"""Find a network for each cell of chapter 5's table that has one, and store them all: attn/data/xor_ways.json.

`python -m research.xor_ways` draws networks at random, lets the best ones climb, and rounds their weights to one
decimal. Where a proof says that there is none, it stores the proof's name; tests/falsify attacks each of those.
"""

import json
from itertools import product

import numpy as np

from attn.xor._ways import FILE, READINGS, WAYS, hide, outputs, shapes


def proof(way, reading, places):
    """The name of the proof that no network of this cell computes XOR, or None."""
    one_average = reading in ("row 1", "mean", "pooled")
    if reading == "direct":
        return None if way in ("second head", "ReLU layer") else "T2"
    if reading == "bit 1 asks":
        cells = {"nothing": "T2", "positions": "T2", "third token": "T2", "residual": "(iii)"}
        return cells.get(way)
    if way == "nothing":
        return "T1" if one_average else None if places else "(i)"
    if way == "positions" and reading == "mean" and not places:
        return "(ii)"
    return "(iii)" if (way, reading) == ("residual", "row 1") else None


def margin(found):
    """How far apart the unequal pairs lie above the equal ones, by the size of the outputs; negative if they don't."""
    gap = found[..., [1, 2]].min(axis=-1) - found[..., [0, 3]].max(axis=-1)
    return gap / (1 + np.abs(found).max(axis=-1))


def find(rng, way, reading, places, n=4000, rounds=150):
    """Return a network whose weights have one decimal, or raise."""
    names = shapes(way, reading)

    def draw(count, scale=2.0):
        return hide({k: scale * rng.normal(size=(count, *s)) for k, s in names.items()}, way, reading, places)

    weights = draw(n)
    best = margin(outputs(weights, way, reading))
    top = np.argsort(best)[-50:]
    weights, best = {k: v[top] for k, v in weights.items()}, best[top]
    for turn in range(rounds):
        steps = draw(50, 0.8 * 0.98**turn)
        tried = {k: np.clip(v + steps[k], -5, 5) for k, v in weights.items()}
        found = margin(outputs(tried, way, reading))
        better = found > best
        best = np.where(better, found, best)
        for k, v in weights.items():
            v[better] = tried[k][better]
    rounded = {k: v.round(1) + 0.0 for k, v in weights.items()}
    found = outputs(rounded, way, reading)
    i = int(margin(found).argmax())
    if margin(found)[i] < 0.1:
        raise ValueError(f"nothing found for {way}, {reading}, places {places}: {best.max()}")
    bias = -(found[i, [1, 2]].min() + found[i, [0, 3]].max()) / 2
    return {"bias": round(float(bias), 2)} | {k: v[i].tolist() for k, v in rounded.items()}


def main():
    cells = []
    for number, (way, reading, places) in enumerate(product(WAYS, READINGS, (False, True))):
        why = proof(way, reading, places)
        cell = {"proof": why} if why else find(np.random.default_rng(number), way, reading, places)
        cells.append({"cell": [way, reading, places]} | cell)
    lines = ",\n".join(json.dumps(cell) for cell in cells)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
