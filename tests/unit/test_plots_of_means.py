"""`plots.means`: what stands in its panels, and where the curves' names stand."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose

from attn.show import plots

X = np.array([1, 10, 100, 1000])
HIGH = np.array([[8, 12], [5, 7], [1, 3], [1, 1]])
LOW = HIGH / 2


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawn(ax):
    """The y of each curve: what has a point at each x."""
    return [
        line.get_ydata()
        for line in ax.lines
        if len(line.get_xdata()) == len(X) and line.get_linestyle() != "None"
    ]


def test_means():
    (ax,) = plots.means(X, {"high": [HIGH]}, titles=["error"], xlabel="n")
    assert_allclose(drawn(ax)[0], [10, 6, 2, 1])
    (bars,) = ax.collections
    ends = np.array([segment[:, 1] for segment in bars.get_segments()])
    assert_allclose(
        ends, [[8, 12], [5, 7], [1, 3], [1, 1]]
    )  # of two draws the error is half of their distance
    assert ax.get_title() == "error"
    assert ax.get_xlabel() == "n"
    assert ax.get_ylim()[0] == 0
    assert not ax.texts, "one curve needs no name"


def test_a_plain_line_and_a_panel_without_it():
    axes = plots.means(
        X, {"counted": [HIGH, LOW], "line": [1 / X, None]}, titles=["a", "b"], xlabel="n", log=["xy", "x"]
    )
    assert_allclose(drawn(axes[0])[1], 1 / X)
    assert len(drawn(axes[1])) == 1
    assert [(ax.get_xscale(), ax.get_yscale()) for ax in axes] == [("log", "log"), ("log", "linear")]


def test_names_stand_above_and_below_where_curves_lie_furthest_apart():
    (ax,) = plots.means(X, {"low": [LOW], "high": [HIGH]}, titles=["a"], xlabel="n")
    at = {text.get_text(): text for text in ax.texts}
    assert at["high"].xy == (10, 6)
    assert at["low"].xy == (10, 3)
    assert (at["high"].get_va(), at["low"].get_va()) == ("bottom", "top")
