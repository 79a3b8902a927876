"""Chapter 5's table: each ✓ is run a second time, by loops; each ✗ is attacked by networks of its cell."""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from attn.xor import READINGS, WAYS, ways_table
from attn.xor._ways import hide, outputs, shapes
from tests.falsify.attack import TINY, broken, normal, worst, xor_gap

ROOT = Path(__file__).resolve().parents[2]
STORED = {
    tuple(cell.pop("cell")): cell
    for cell in json.loads((ROOT / "attn" / "data" / "xor_ways.json").read_text(encoding="utf-8"))
}
TABLE = ways_table()
CROSSES = [cell for cell, found in TABLE.items() if isinstance(found, str)]
TICKS = [cell for cell, found in TABLE.items() if not isinstance(found, str)]


def attack_on(cell):
    """How the networks of one cell are drawn, and by how much one of them computes XOR."""
    way, reading, places = cell

    def violation(weights):
        seen = hide({name: value.copy() for name, value in weights.items()}, way, reading, places)
        return xor_gap(outputs(seen, way, reading))

    return normal(**shapes(way, reading)), violation


def test_every_cell_is_there():
    assert set(STORED) == set(TABLE) == set(product(WAYS, READINGS, (False, True)))


@pytest.mark.parametrize("cell", CROSSES, ids=str)
def test_no_network_of_a_crossed_cell_is_found(cell):
    draw, violation = attack_on(cell)
    assert worst(draw, violation, n=4000, climbers=30, rounds=60) <= TINY


@pytest.mark.parametrize("cell", [("nothing", "both rows", True), ("positions", "mean", True)], ids=str)
def test_the_attack_finds_what_places_in_the_scores_open(cell):
    """Both are crossed without places: if the table crossed them with places too, the attack would tell."""
    assert not isinstance(TABLE[cell], str)
    draw, violation = attack_on(cell)
    assert broken(draw, violation, n=4000, climbers=30, rounds=300)


def softmax(scores):
    e = [math.exp(score - max(scores)) for score in scores]
    return [part / sum(e) for part in e]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def by_loops(net, cell, pair):
    """One stored network on one pair of bits, token by token; what its cell forbids is refused."""
    way, reading, places = cell
    asked = reading in ("direct", "bit 1 asks")
    kinds = [*pair, 2] if way == "third token" else list(pair)
    tokens = [
        [float(kind == k) for k in range(3)] + [float(place == p) for p in range(3)]
        for place, kind in enumerate(kinds)
    ]
    heads = len(net["scores"])
    assert heads == (2 if way == "second head" else 1)
    if not places:
        assert not np.array(net["scores"])[..., 3:].any()
        assert asked or not np.array(net["scores"])[:, 3:].any()
    if "positions" not in way:
        assert not np.array(net["values"])[:, 3:].any()
        assert not np.array(net.get("token", [[0]]))[3:].any()
    assert ("token" in net) == ("residual" in way)
    assert ("w_1" in net) == (way == "ReLU layer")
    rows = []
    for query in [None] if asked else tokens:
        row = [0.0, 0.0]
        for h in range(heads):
            if query is None:
                scores = [dot(net["scores"][h], token) for token in tokens]
            else:
                wants = [dot(query, column) for column in zip(*net["scores"][h], strict=True)]
                scores = [dot(wants, t) for t in tokens]
            for weight, token in zip(softmax(scores), tokens, strict=True):
                for c, column in enumerate(zip(*net["values"][h], strict=True)):
                    row[c] += weight * dot(token, column)
        own = query if query is not None else tokens[0] if reading == "bit 1 asks" else None
        if "token" in net and own is not None:
            columns = zip(*net["token"], strict=True)
            row = [value + dot(own, column) for value, column in zip(row, columns, strict=True)]
        if "w_1" in net:
            columns = zip(zip(*net["w_1"], strict=True), net["b_1"], strict=True)
            row = [max(0.0, dot(row, column) + bias) for column, bias in columns]
        rows.append(row)
    if reading == "both rows":
        read = rows[0] + rows[1]
    elif reading in ("mean", "pooled"):
        share = softmax([dot(row, net["pool"]) if reading == "pooled" else 0.0 for row in rows])
        read = [dot(share, column) for column in zip(*rows, strict=True)]
    else:
        read = rows[0]
    return dot(read, net["readout"]) + net["bias"]


@pytest.mark.parametrize("cell", TICKS, ids=str)
def test_each_tick_is_a_network_that_computes_xor(cell):
    found = [by_loops(STORED[cell], cell, pair) for pair in ((0, 0), (1, 0), (0, 1), (1, 1))]
    np.testing.assert_allclose(TABLE[cell], found, atol=1e-9)
    assert [value > 0 for value in found] == [False, True, True, False]
    assert min(map(abs, found)) > 0.05  # by more than rounding


def test_where_the_page_says_what():
    """The page's own list: which proof stands where, and where places in the scores open a cell."""
    expected = {("nothing", reading): "✗ T1" for reading in ("row 1", "mean", "pooled")}
    expected |= {(way, "direct"): "✗ T2" for way in WAYS if way not in ("second head", "ReLU layer")}
    expected |= {(way, "bit 1 asks"): "✗ T2" for way in ("nothing", "positions", "third token")}
    expected |= {("residual", "row 1"): "✗ (iii)", ("residual", "bit 1 asks"): "✗ (iii)"}
    expected |= {
        ("nothing", "both rows"): "✗ (i); places ✓",
        ("positions", "mean"): "✗ (ii); places ✓",
    }
    for way, reading in product(WAYS, READINGS):
        assert TABLE.text(way, reading) == expected.get((way, reading), "✓")
