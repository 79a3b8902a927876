"""js/core.js, run by node beside NumPy: what no figure computes with, and extremes that their states don't reach.

All else that is in it, test_three_ways.py asks in the states of figures.
"""

import base64
import math

import numpy as np
import pytest
from matplotlib.path import Path as MplPath
from matplotlib.transforms import Bbox
from numpy.testing import assert_allclose

from attn.explore._base import module_source
from attn.explore._draws import normals
from attn.softmax import softmax
from tests.unit.node import answer

CORE = f"{module_source('core')}\n{module_source('states')}"
RNG = np.random.default_rng(0)
ROWS = [row for scale in (1, 30, 1e4, 1e300) for row in RNG.normal(size=(8, 5)) * scale]
for row in ROWS[:16]:
    row[RNG.random(5) < 0.4] = -np.inf
ROWS += [np.full(4, -np.inf), np.array([1000.0, 1001.0]), np.array([-1e9, -1e9])]
A, B = RNG.normal(size=(2, 4))
DEGREES, LENGTHS = np.array([0, 35, 90, 180, -90, -179.5, 12.25]), np.array([1, 1.6, 2, 3.2, 0.1, 1, 2.5])
FAR = np.concatenate([np.linspace(-12, 12, 241), [0, 1e-9, -1e-9, 1e6, -1e6, 8.3, -8.3, 8.4999, 8.5001]])
HALVES = np.arange(2**16, dtype="<u2").view("<f2")  # all numbers of two bytes
HALVES = HALVES[np.isfinite(HALVES)]
SEEDS = [0, 1, 129, 4294967295]
SQUARE = [[-1, -1], [1, -1], [1, 1], [-1, 1]]

#: A JavaScript expression of `x`, what x is, and what comes out.
SAME = {
    "softmax": ("x.map(softmax)", ROWS, [softmax(row) for row in ROWS]),
    "softmax of nothing": ("softmax(x)", [], []),
    "lengths": ("[dot(x[0], x[1]), distance(x[0], x[1])]", [A, B], [A @ B, np.linalg.norm(A - B)]),
    "entries with their places": (
        "mapped(x, (v, i, j) => 100 * v + 10 * i + j)", [[1, 2], [3, 4]], [[100, 201], [310, 411]],
    ),
    "snap": (
        "x.map((v) => snap(...v))",
        [(0.30000000000000004, 0.1), (-0.30000000000000004, 0.1), (2.96, 0.1), (17.4, 1), (17.4, 5), (0.124, 0.05),
         (4.75, 0.25), (-0.65, 0.05)],
        [0.3, -0.3, 3, 17, 15, 0.1, 4.75, -0.65],
    ),
    "clamp": ("x.map((v) => clamp(v, -3, 3))", [5, -5, 1], [3, -3, 1]),
    "directions": (
        "x.map(([degree, length]) => [...vectorOf(degree, length), degreesOf(vectorOf(degree, length))])",
        np.stack([DEGREES, LENGTHS], axis=1),
        np.stack([LENGTHS * np.cos(np.deg2rad(DEGREES)), LENGTHS * np.sin(np.deg2rad(DEGREES)), DEGREES], axis=1),
    ),
    "numbers of two bytes": (
        "halvesFrom(x)", base64.b64encode(HALVES.tobytes()).decode("ascii"), HALVES.astype(float),
    ),
    "quarters": ("x.map(quarterTurn)", [-3, 0, 1, 2, 7], [[0, 1], [1, 0], [0, 1], [-1, 0], [0, -1]]),
    "a text keeps its rule": (
        "x.map((text) => fitsText(text, ['ab ', 2, 4]))", ["ab", "abab", "a b", "a", "ababa", "abc", ""],
        [True] * 3 + [False] * 4,
    ),
    "normals": ("x.map((seed) => [...normals(seed, 200)])", SEEDS, [normals(seed, 200) for seed in SEEDS]),
    "normal law": ("x.map(normalCdf)", FAR, [(1 + math.erf(z / math.sqrt(2))) / 2 for z in FAR]),
    "half planes": (
        "x.map(([a, b, c]) => clipPolygon([[-1, -1], [1, -1], [1, 1], [-1, 1]], ([x, y]) => a * x + b * y + c))"
        ".map(({ kept, rim }) => [kept, rim])",
        [[1, 0, 0], [0, -1, -0.5], [1, 0, 2], [1, 0, -2]],
        [
            [[[0, -1], [1, -1], [1, 1], [0, 1]], [[0, -1], [0, 1]]],
            [[[-1, -1], [1, -1], [1, -0.5], [-1, -0.5]], [[1, -0.5], [-1, -0.5]]],
            [SQUARE, []],
            [[], []],
        ],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def page():
    """What node says of all of them, asked once."""
    calls = ", ".join(f"((x) => {code})(given[{place}])" for place, (code, _, _) in enumerate(SAME.values()))
    return dict(zip(SAME, answer(CORE, f"[{calls}]", given=[x for _, x, _ in SAME.values()]), strict=True))


def leaves(value):
    if isinstance(value, list | tuple | np.ndarray):
        return [("[", len(value)), *(leaf for one in value for leaf in leaves(one))]
    return [value]


@pytest.mark.parametrize("name", SAME)
def test_it_computes_as_numpy_does(page, name):
    for got, wanted in zip(leaves(page[name]), leaves(SAME[name][2]), strict=True):
        assert got == wanted or got == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def test_convex_hull():
    """Its corners are given points in counter-clockwise order, and no given point lies outside."""
    sets = [RNG.normal(size=(n, 2)).round(2) for n in (3, 4, 7, 12)]
    for points, hull in zip(sets, answer(CORE, "sets.map(convexHull)", sets=sets), strict=True):
        corners = np.array(hull)
        assert {tuple(c) for c in corners} <= {tuple(p) for p in points}
        edge = np.roll(corners, -1, axis=0) - corners
        away = points[:, None] - corners
        left = edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0]
        assert left.min() >= -1e-12
        assert (left > 1e-12).any(axis=0).all()


def test_crosses():
    """Whether a way touches a box is as matplotlib says; also for a way inside, a point, and ways along an axis."""
    ways = [*RNG.uniform(-3, 3, size=(200, 2, 2)).tolist(), [[0, 0], [0.2, 0.1]], [[0.1, 0.1], [0.1, 0.1]]]
    ways += (
        [[[-3, y], [3, y]] for y in (0.2, 1.2)] + [[[x, 3], [x, -3]] for x in (0.3, 1.3)] + [[[2, 2], [2, 2]]]
    )
    box = {"left": -1, "right": 1, "top": -0.5, "bottom": 0.5}
    bounds = Bbox.from_extents(-1, -0.5, 1, 0.5)
    wanted = [
        bool(MplPath(way).intersects_bbox(bounds, filled=False)) or bounds.contains(*way[0]) for way in ways
    ]
    assert answer(CORE, "ways.map(([from, to]) => crosses(box, from, to))", ways=ways, box=box) == wanted
    assert 40 < sum(wanted[:200]) < 160


def test_normals_are_normal():
    """Moments of 2 million draws, within 4 standard errors; neighbors and streams are uncorrelated."""
    x, other = normals(24, 2_000_000), normals(25, 2_000_000)
    error = 4 / math.sqrt(len(x))
    for power, mean, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((x**power).mean() - mean) < error * math.sqrt(variance)
    for a, b in ((x[::2], x[1::2]), (x[:-1], x[1:]), (x, other), (x[:-1024], x[1024:])):
        assert abs((a * b).mean()) < 4 / math.sqrt(len(a))
        assert abs((a**2 * b**2).mean() - 1) < 4 * math.sqrt(8 / len(a))
    below = [np.mean(x < z) for z in (-3, -1, 0, 1, 3)]
    assert_allclose(below, [(1 + math.erf(z / math.sqrt(2))) / 2 for z in (-3, -1, 0, 1, 3)], atol=0.002)
