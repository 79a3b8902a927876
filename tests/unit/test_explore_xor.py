"""The Python side of XorLab, and its random search, run by node beside NumPy."""

import json

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore import XorLab
from attn.explore._draws import whole
from attn.explore.xor import SHAPES, random_weights
from attn.xor import ASKER, ROPE, WAYS_OUT, accuracy, margin
from tests.unit.node import answer, view_of

PURE = view_of("xor", "randomWeights")


@pytest.mark.parametrize("name", [*WAYS_OUT, "asker"])
def test_a_preset_is_the_network_of_attn(name):
    lab, network = XorLab(name), (WAYS_OUT | {"asker": ASKER})[name]
    for shown, wanted in zip(lab.network(), network(), strict=True):
        assert_allclose(shown, wanted, atol=1e-12)
    assert lab.scalars()["accuracy"] == 1
    assert lab.scalars()["margin"] == pytest.approx(float(margin(network().output)))


def test_the_first_state_is_the_rope_with_its_line_turned():
    lab = XorLab()
    assert_allclose(lab.network().read, ROPE().read)
    assert lab.scalars()["accuracy"] == 0.5
    seen = []
    for lab.angle in range(-180, 181):
        seen.append(lab.scalars()["accuracy"])
    assert set(seen) == {0.25, 0.5, 0.75}
    lab.second_head = True
    seen = []
    for lab.angle in range(-180, 181):
        seen.append(lab.scalars()["accuracy"])
    assert max(seen) == 1


def test_source_000_is_one_bias_away():
    assert XorLab("source").scalars()["accuracy"] == 0.5
    assert XorLab("source", bias=-0.55).scalars()["accuracy"] == 1


def test_the_page_draws_the_same_networks():
    shapes = {name: np.zeros(shape).tolist() for name, shape in SHAPES.items()}
    page = answer(PURE, f"[0, 1, 77].map((i) => randomWeights({json.dumps(shapes)}, stream(3), i))")
    ours = random_weights(3, 78)
    assert page == [{name: values[i].tolist() for name, values in ours.items()} for i in (0, 1, 77)]
    assert answer(PURE, "[0, 1, 2, 9].map(stream(11))") == whole(11, 10)[[0, 1, 2, 9]].tolist()


@pytest.mark.parametrize(
    ("line", "kept", "rim"),
    [
        ([1, 0, 0], [[0, -1], [1, -1], [1, 1], [0, 1]], [[0, -1], [0, 1]]),
        ([0, -1, -0.5], [[-1, -1], [1, -1], [1, -0.5], [-1, -0.5]], [[1, -0.5], [-1, -0.5]]),
        ([1, 0, 2], [[-1, -1], [1, -1], [1, 1], [-1, 1]], []),
        ([1, 0, -2], [], []),
    ],
)
def test_the_gray_side_is_where_the_readout_is_positive(line, kept, rim):
    square = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    a, b, c = line
    cut = f"clipPolygon({square}, ([x, y]) => {a} * x + {b} * y + {c})"
    assert answer(PURE, cut) == {"kept": kept, "rim": rim}


def test_random_weights_fill_the_grid():
    drawn = random_weights(0, 2000)
    entries = drawn["w_1"]
    assert_array_equal(np.unique(entries), np.arange(-30, 31) / 10)
    angles = drawn["angle"]
    assert angles.min() == -180
    assert angles.max() == 179
    assert abs(entries.mean()) < 0.1


@pytest.mark.parametrize(
    ("switches", "most"),
    [
        ({}, 3),
        ({"position_in_scores": True}, 3),
        ({"position": True, "read": "mean"}, 3),
        ({"residual": True, "read": "row 1"}, 3),
        ({"second_head": True}, 4),
        ({"position": True}, 4),
        ({"residual": True, "read": "mean"}, 4),
        ({"ffn": True}, 4),
    ],
    ids=str,
)
def test_the_search_meets_the_wall_and_sees_it_fall(switches, most):
    lab = XorLab(**switches)
    counts, best = lab.search(20_000)
    assert counts.sum() == 20_000
    assert np.nonzero(counts)[0].max() == most
    found = XorLab(**switches, **best)
    assert found.scalars()["accuracy"] == most / 4
    assert accuracy(found.network().output) == most / 4


def test_what_numpy_gets_from_the_reader():
    lab = XorLab()
    lab.angle, lab.length = 90.0, 2.0
    assert_allclose(lab.readout, [0, 2], atol=1e-15)
    lab.w_v = [[0, 0], [0, 0]]
    assert_allclose(lab.network().read, 0)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda: XorLab("loud"), ValueError, ["preset", "rope", "'loud'"]),
        (lambda: XorLab(w_1=np.ones((2, 2))), ValueError, ["w_1", "(3, 2)", "(2, 2)"]),
        (lambda: XorLab(queries=[[1, 2]]), ValueError, ["queries", "(2, 2)", "(1, 2)"]),
        (lambda: XorLab(w_q=[[1, np.nan], [0, 0]]), ValueError, ["w_q", "finite"]),
        (lambda: XorLab(read="both rows"), traitlets.TraitError, ["read"]),
    ],
)
def test_says_what_it_expected(wrong, error, words):
    with pytest.raises(error, match=r".") as caught:
        wrong()
    assert [word for word in words if word not in str(caught.value)] == [], str(caught.value)


def test_the_lecture_tells_the_story():
    """Three of four, with either end wrong; then each way out. And the notebook's own network."""
    right = {step["name"]: XorLab(**step["changes"]) for step in XorLab().lecture}
    said = {
        name: ((lab.network().output > 0) == [False, True, True, False]).tolist()
        for name, lab in right.items()
    }
    assert said.pop("three") == [True, True, True, False]
    assert said.pop("other-end") == [False, True, True, True]
    assert list(said) == ["second-head", "positions", "residual", "relu", "asker"]
    assert all(all(four) for four in said.values())
    assert [right[name].second_head for name in said] == [True, False, False, False, False]
    source = [XorLab("source", **step["changes"]) for step in XorLab("source").lecture]
    assert [lab.scalars()["accuracy"] for lab in source] == [0.5, 1, 0.75]
    assert (source[0].network().output > 0).all()
