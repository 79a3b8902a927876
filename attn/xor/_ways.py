"""Chapter 5's table: which change to the network beats which theorem, cell by cell, as networks that can be run.

A token is its bit (0, 1, or "third") and its place, each one-hot: six numbers. A cell says which of them the scores may
see, which the values may see, what stands around the head, and what the readout gets.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attn._arrays import Floats
from attn.softmax import softmax
from attn.xor._by_hand import BITS, accuracy

WAYS = (
    "nothing", "second head", "positions", "residual", "residual and positions", "ReLU layer", "third token",
)  # fmt: skip
#: What the readout gets: of one layer of self-attention its first row, the mean of its rows, what a pooling query
#: reads of them, or both rows side by side; or what a fixed query reads of the tokens themselves, asked by a token
#: that holds no bit ("direct") or by the first token, which holds one ("bit 1 asks").
READINGS = ("row 1", "mean", "pooled", "both rows", "direct", "bit 1 asks")
FILE = Path(__file__).resolve().parent.parent / "data" / "xor_ways.json"


def shapes(way: str, reading: str) -> dict[str, tuple[int, ...]]:
    """The arrays of a cell's network, name -> shape, without the bias."""
    heads = 2 if way == "second head" else 1
    asked = reading in ("direct", "bit 1 asks")
    found: dict[str, tuple[int, ...]] = {
        "scores": (heads, 6) if asked else (heads, 6, 6),
        "values": (heads, 6, 2),
    }
    if "residual" in way:
        found["token"] = (6, 2)
    if way == "ReLU layer":
        found |= {"w_1": (2, 4), "b_1": (4,)}
    width = 4 if way == "ReLU layer" else 2
    if reading == "pooled":
        found["pool"] = (width,)
    return found | {"readout": (2 * width if reading == "both rows" else width,)}


def hide(
    weights: dict[str, np.ndarray], way: str, reading: str, places_in_scores: bool
) -> dict[str, np.ndarray]:
    """Set to zero what the cell does not let the scores and the values see; in place, and returned."""
    if not places_in_scores:
        weights["scores"][..., 3:] = 0
        if weights["scores"].ndim > 2 and reading not in ("direct", "bit 1 asks"):
            weights["scores"][..., 3:, :] = 0
    if "positions" not in way:
        weights["values"][..., 3:, :] = 0
    if "token" in weights and "positions" not in way:
        weights["token"][..., 3:, :] = 0
    return weights


def outputs(weights: dict[str, np.ndarray], way: str, reading: str) -> Floats:
    """Return the outputs for the four pairs of bits, (..., 4), without the bias; `weights` may have batch axes.

    Parameters
    ----------
    weights : dict of arrays
        `scores` (heads, 6, 6), query by key, or (heads, 6) for a fixed query; `values` (heads, 6, 2); and where the
        cell has them `token` (6, 2), what the residual connection adds, `w_1` (2, 4), `b_1` (4,), `pool` (width,);
        `readout` (width,).
    way : one of WAYS
    reading : one of READINGS

    Returns
    -------
    outputs : (..., 4) array
        In the order of `BITS`.
    """
    x = tokens(3 if way == "third token" else 2)  # (4, n, 6)
    batch = weights["readout"].ndim - 1
    w = {
        name: array[(slice(None),) * batch + (None,)] for name, array in weights.items()
    }  # room for the four pairs
    values = x[:, None] @ w["values"]  # (..., 4, heads, n, 2)
    asked = reading in ("direct", "bit 1 asks")
    if asked:
        scores = w["scores"] @ np.swapaxes(x, -1, -2)  # (..., 4, heads, n)
        hidden = (softmax(scores)[..., None] * values).sum(axis=-2).sum(axis=-2)[..., None, :]  # one row
        own = x[:, :1] if reading == "bit 1 asks" else np.zeros((4, 1, 6))
    else:
        scores = x[:, None] @ w["scores"] @ np.swapaxes(x, -1, -2)[:, None]
        hidden = (softmax(scores) @ values).sum(axis=-3)
        own = x
    if "token" in w:
        hidden = hidden + own @ w["token"]
    if "w_1" in w:
        hidden = np.maximum(0, hidden @ w["w_1"] + w["b_1"][..., None, :])
    if reading == "both rows":
        read = hidden[..., :2, :].reshape(*hidden.shape[:-2], -1)
    elif reading == "mean":
        read = hidden.mean(axis=-2)
    elif reading == "pooled":
        share = softmax((hidden * w["pool"][..., None, :]).sum(axis=-1))
        read = (share[..., None] * hidden).sum(axis=-2)
    else:
        read = hidden[..., 0, :]
    return (read * w["readout"]).sum(axis=-1)


def tokens(n: int) -> Floats:
    """The four pairs as tokens of six numbers, (4, n, 6); the third token is the same in all four."""
    bit = np.column_stack([BITS, np.full((4, n - 2), 2)])
    return np.concatenate([np.eye(3)[bit], np.broadcast_to(np.eye(3)[:n], (4, n, 3))], axis=-1)


class WaysTable(dict[tuple[str, str, bool], Any]):
    """(way, reading, places in the scores) -> the network's four outputs, or the name of the proof against any."""

    def text(self, way: str, reading: str) -> str:
        """✓ or ✗ with its proof; two, where places in the scores make a difference."""
        without, with_places = (self[way, reading, places] for places in (False, True))
        found = ["✗ " + cell if isinstance(cell, str) else "✓" for cell in (without, with_places)]
        return found[0] if found[0] == found[1] else f"{found[0]}; places ✓"


@cache
def stored() -> dict[tuple[Any, ...], dict[str, Any]]:
    """What the file holds for each cell: {"proof": name}, or {"bias": …, "scores": …, …}."""
    return {tuple(cell.pop("cell")): cell for cell in json.loads(FILE.read_text(encoding="utf-8"))}


def ways_table() -> WaysTable:
    """Run the stored network of each cell that has one.

    Returns
    -------
    table : WaysTable

    Raises
    ------
    ValueError
        If a stored network does not compute XOR.
    """
    table = WaysTable()
    for (way, reading, places), cell in stored().items():
        if "proof" in cell:
            table[way, reading, places] = cell["proof"]
            continue
        weights = {name: np.array(cell[name], dtype=float) for name in shapes(way, reading)}
        found = outputs(hide(weights, way, reading, places), way, reading) + cell["bias"]
        if accuracy(found) < 1:
            raise ValueError(
                f"the network of {way}, {reading}, places {places} does not compute XOR: {found}"
            )
        table[way, reading, places] = found
    return table
