"""The arithmetic of the variance figure in JavaScript, run by the node that Playwright carries, against NumPy."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore import ScoreVariance
from attn.explore._draws import normals
from attn.softmax import entropy, softmax
from attn.variance import jacobian_norm
from tests.unit.node import answer, view_of

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def run(expression):
    """Evaluate an expression that knows `core` and the `compute` of the figure."""
    core = "const core = { entropy, jacobianNorm, normalCdf, normals, snap, spreadOf };"
    return answer(f"{view_of('variance')}\n{core}", expression)


def test_normals():
    for seed in (0, 1, 12, 129, 4294967295):
        assert_allclose(run(f"[...core.normals({seed}, 2000)]"), normals(seed, 2000), **CLOSE)


def test_normals_are_normal():
    """Moments of 2 million draws, within 4 standard errors; neighbors and streams are uncorrelated."""
    x, other = normals(24, 2_000_000), normals(25, 2_000_000)
    error = 4 / math.sqrt(len(x))
    assert abs(x.mean()) < error
    assert abs((x**2).mean() - 1) < error * math.sqrt(2)
    assert abs((x**3).mean()) < error * math.sqrt(15)
    assert abs((x**4).mean() - 3) < error * math.sqrt(96)
    for a, b in ((x[::2], x[1::2]), (x[:-1], x[1:]), (x, other), (x[:-1024], x[1024:])):
        assert abs((a * b).mean()) < 4 / math.sqrt(len(a))
        assert abs((a**2 * b**2).mean() - 1) < 4 * math.sqrt(8 / len(a))
    below = [np.mean(x < z) for z in (-3, -1, 0, 1, 3)]
    assert_allclose(below, [(1 + math.erf(z / math.sqrt(2))) / 2 for z in (-3, -1, 0, 1, 3)], atol=0.002)


def test_normal_cdf():
    x = np.concatenate([np.linspace(-12, 12, 241), [0, 1e-9, -1e-9, 1e6, -1e6, 8.3, -8.3, 8.4999, 8.5001]])
    got = run(f"{x.tolist()}.map(core.normalCdf)")
    assert min(got) >= 0
    assert max(got) <= 1
    assert_allclose(got, [(1 + math.erf(z / math.sqrt(2))) / 2 for z in x], **CLOSE)


def test_gauges():
    rng = np.random.default_rng(0)
    rows = [softmax(size * rng.normal(size=8)) for size in (0, 0.1, 1, 10, 100, 1000)]
    got = run(f"{[row.tolist() for row in rows]}.map((p) => [core.entropy(p), core.jacobianNorm(p)])")
    assert_allclose(got, [[entropy(row), jacobian_norm(row)] for row in rows], **CLOSE)


def test_spread():
    values = np.random.default_rng(0).normal(size=50) ** 3
    away = values - values.mean()
    error = math.sqrt(((away**4).mean() - (away**2).mean() ** 2) / 50)
    got = run(f"core.spreadOf({values.tolist()})")
    assert_allclose(
        [got["mean"], got["variance"], got["error"]], [values.mean(), values.var(ddof=1), error], **CLOSE
    )


def test_snap_keeps_the_decimals_of_the_step():
    got = run(
        "[[4.75, 0.25], [0.30000000000000004, 0.1], [-0.65, 0.05], [7.2, 1], [0.3, 0.25]].map((x) => core.snap(...x))"
    )
    assert got == [4.75, 0.3, -0.65, 7, 0.25]


STATES = [
    {"log2_d_k": power, "scale": scale, "temperature": temperature, "correlation": rho, "seed": seed}
    for power, scale, temperature, rho, seed in [
        (2, "none", 1.0, 0.0, 12), (0, "none", 0.25, -1.0, 1), (0, "root", 4.75, 0.65, 61), (3, "d_k", 1.0, 1.0, 2),
        (6, "none", 8.0, 0.0, 12), (10, "none", 1.0, 0.05, 64), (10, "root", 1.0, 0.8, 12), (10, "d_k", 32.0, -0.4, 7),
        (7, "root", 0.25, -0.95, 33), (10, "root", 32.0, 0.5, 40),
    ]
]  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=lambda state: "-".join(map(str, state.values())))
def test_the_figure_computes_what_numpy_computes(state):
    widget = ScoreVariance(**state)
    got = run(f"compute({json.dumps({**state, 'opened': False})})")
    for name, wanted in (widget.matrices() | widget.scalars()).items():
        assert_allclose(np.array(got[name]), wanted, err_msg=name, **CLOSE)


def test_the_paths_of_the_opened_figure():
    scales = ["none", "root", "d_k"]
    numbers = f"compute({json.dumps({**STATES[0], 'opened': True})})"
    got = run(f"{scales}.map((scale) => {list(range(11))}.map((i) => {numbers}.largestAt(i, scale)))")
    for path, scale in zip(got, scales, strict=True):
        wanted = [ScoreVariance(log2_d_k=i, scale=scale).weights.max() for i in range(11)]
        assert_allclose(path, wanted, **CLOSE)
