"""Read a figure as a reader sees it, and move it at random. `root` is a handle of its element."""

import numpy as np


def drawn(root):
    """Name -> array, as the figure shows it; a name that stands twice must show the same."""
    found = {}
    shown = root.evaluate("root => probe.drawn(root)")
    for matrix in shown["matrices"]:
        array = np.array(matrix["values"]).reshape(matrix["shape"])
        assert np.array_equal(found.setdefault(matrix["name"], array), array), matrix["name"]
    for scalar in shown["scalars"]:
        found[scalar["name"]] = np.array(scalar["value"])
    return found


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def randomize(root, seed):
    """Forty moves of a reader."""
    moves = np.random.default_rng(seed).random((40, 2)).tolist()
    assert root.evaluate("(root, moves) => probe.storm(root, moves, {})", moves) == []
