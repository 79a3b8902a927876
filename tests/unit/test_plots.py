"""Pictures on paper: matplotlib's own marks against the numbers that they stand for.

These are the marks of figures in any state. What notebooks draw themselves, test_pictures.py compares pixel by pixel.

The numbers in a picture are read as a reader reads them: a bar by its length on the scale of its neighbors, a place by
the axes, a word by its text. What a cell is written as follows from attn._numbers, whose table is in test_numbers.py.
"""

import math

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from attn._numbers import number, weight
from attn.explore import FirstTouch, Masking
from attn.masks import sliding_window_mask
from attn.show import plots

RNG = np.random.default_rng(3)
WORDS = ["the", "cat", "sat", "up"]


@pytest.fixture
def ax():
    return Figure().subplots()


def boxes(ax, color=None, hatch=False):
    """Rectangles as (x, y, width, height), those of a color."""
    found = [
        patch for patch in ax.patches if isinstance(patch, Rectangle) and bool(patch.get_hatch()) == hatch
    ]
    if color:
        found = [patch for patch in found if to_rgb(patch.get_facecolor()) == to_rgb(plots.COLORS[color])]
    return np.array([(*patch.get_xy(), patch.get_width(), patch.get_height()) for patch in found]).reshape(
        -1, 4
    )


def texts(ax):
    return {
        (round(float(x), 6), round(float(y), 6)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
    }


def lines(ax, style=None):
    """Lines as arrays of points, those of a style."""
    return [
        np.transpose(line.get_data()) for line in ax.lines if style is None or line.get_linestyle() == style
    ]


def weights_of(n, m):
    found = RNG.dirichlet(np.ones(m), size=n)
    found[0] = np.eye(m)[0]
    return found


def check_ticks(ax, rows, columns):
    """The words stand at the cells that they name, from left to right and from top to bottom."""
    assert [label.get_text() for label in ax.get_xticklabels()] == [str(word) for word in columns]
    assert [label.get_text() for label in ax.get_yticklabels()] == [str(word) for word in rows]
    assert ax.get_xticks().tolist() == list(range(len(columns)))
    assert ax.get_yticks().tolist() == list(range(len(rows)))
    assert ax.yaxis_inverted()
    assert not ax.xaxis_inverted()


def check_weights(ax, weights, mask, rows, columns):
    n, m = weights.shape
    allowed = np.ones((n, m), dtype=bool) if mask is None else mask
    check_ticks(ax, rows, columns)
    bars = boxes(ax, "fill")
    tracks = [line for line in lines(ax) if len(line) == 2]
    assert len(bars) == len(tracks) == allowed.sum()
    spots = np.argwhere(allowed)
    for (i, j), (x, y, wide, tall), track in zip(spots, bars, tracks, strict=True):
        (start, low), (end, _) = track
        assert x == start == pytest.approx(j - (end - start) / 2)
        assert wide / (end - start) == pytest.approx(weights[i, j])
        assert i - 0.5 < y
        assert y + tall == pytest.approx(low)
        assert low < i + 0.5
    hatched = boxes(ax, hatch=True)
    assert sorted((round(y + tall / 2), round(x + wide / 2)) for x, y, wide, tall in hatched) == sorted(
        map(tuple, np.argwhere(~allowed).tolist())
    )
    said = texts(ax)
    for (i, j), value in np.ndenumerate(weights):
        (text,) = (text for (x, y), text in said.items() if x == j and abs(y - i) < 0.2)
        assert text == weight(value)
    for i, total in enumerate(weights.sum(axis=1)):
        (text,) = (text for (x, y), text in said.items() if x > m - 0.5 and y == i)
        assert text == f"Σ {weight(1.0 if abs(total - 1) < 1e-9 else total)}"


@pytest.mark.parametrize("masked", [False, True])
def test_weights(ax, masked):
    shown = weights_of(3, 4)
    mask = sliding_window_mask(4, 2)[:3] if masked else None
    shown = shown if mask is None else np.where(mask, shown, 0)
    assert plots.weights(ax, shown, mask=mask, rows=WORDS[:3], columns=WORDS) is ax
    check_weights(ax, shown, mask, WORDS[:3], WORDS)


def test_large_weights_are_ink(ax):
    shown = weights_of(20, 20)
    mask = sliding_window_mask(20, 5)
    plots.weights(ax, shown, mask=mask)
    (image,) = ax.images
    assert np.array_equal(
        np.ma.filled(image.get_array(), np.nan), np.where(mask, shown, np.nan), equal_nan=True
    )
    assert [float(image.norm(weight)) for weight in (0, 0.01, 0.25, 1)] == pytest.approx([0, 0.1, 0.5, 1])
    assert "square root" in ax.get_xlabel(), "a reader is told"
    inks = np.array([sum(to_rgb(image.cmap(value))) for value in np.linspace(0, 1, 9)])
    assert (np.diff(inks) < 0).all()
    assert ax.collections, "what is hidden is hatched"


def check_arcs(ax, shown, words, faders):
    """From who looks to who is looked at, head 1's above and head 2's below, as thick as weight times fader."""
    n = len(words)
    *named, first, second = ax.texts
    assert [(text.get_text(), text.get_position()) for text in named] == [
        (word, (place, 0)) for place, word in enumerate(words)
    ]
    signed = ["+" * (fader > 0) + number(fader, 1) for fader in faders]
    assert [first.get_text(), second.get_text()] == [f"{by} · head {k}" for k, by in enumerate(signed, 1)]
    assert first.get_position()[1] > 0 > second.get_position()[1]
    wanted = {key: 7 * abs(faders[key[0]]) * shown[key] for key in np.ndindex(2, n, n)}
    found = {}
    for way, tip in zip(ax.patches, ax.lines, strict=True):
        (start, foot), *_, (end, _) = way.get_path().vertices
        head = int(foot < 0)
        assert (tip.get_xdata()[0], tip.get_marker()) == (end, "v^"[head])
        assert np.sign(tip.get_ydata()[0]) == np.sign(foot)
        assert (way.get_linestyle() in ("-", "solid")) == (faders[head] > 0)
        found[head, round(start), round(end)] = way.get_linewidth()
    assert found == pytest.approx({key: thick for key, thick in wanted.items() if thick >= 0.1})


def test_arcs(ax):
    shown = np.stack([weights_of(3, 3), weights_of(3, 3)])
    plots.arcs(ax, shown, WORDS[:3], faders=(0.5, -1.0))
    check_arcs(ax, shown, WORDS[:3], (0.5, -1.0))
    with pytest.raises(ValueError, match=r"\(2, n, n\).* 4 .*\(3, 3\)"):
        plots.arcs(ax, np.eye(3), WORDS)


def check_signed(ax, values, role, domain, rows, columns):
    check_ticks(ax, rows, columns)
    hidden = np.isneginf(values)
    bars = boxes(ax, role)
    middles = [line for line in lines(ax) if len(line) == 2]
    assert len(bars) == len(middles) == (~hidden).sum()
    for (i, j), (x, y, wide, _), middle in zip(np.argwhere(~hidden), bars, middles, strict=True):
        assert x == j == middle[0, 0] == middle[1, 0]
        assert i < y < i + 0.5
        assert wide / 0.46 == pytest.approx(np.clip(values[i, j] / domain, -1, 1)), (
            "left below zero, right above"
        )
    assert len(boxes(ax, hatch=True)) == hidden.sum()
    said = texts(ax)
    for (i, j), value in np.ndenumerate(values):
        (text,) = (text for (x, y), text in said.items() if x == j and abs(y - i) < 0.2)
        assert text == number(value)


@pytest.mark.parametrize("role", ["q", "ink"])
def test_signed(ax, role):
    values = RNG.normal(size=(3, 4)).round(2) * 2
    values[1, 2], values[2, 0] = -math.inf, 7
    plots.signed(ax, values, role=role, rows=WORDS[:3], columns=WORDS, domain=2.0)
    check_signed(ax, values, role, 2.0, WORDS[:3], WORDS)


def test_band(ax):
    x, draws = np.arange(4.0), RNG.normal(size=(4, 99))
    plots.band(ax, x, draws, label="a")
    ordered = np.sort(draws, axis=1)
    assert np.allclose(lines(ax)[0], np.stack([x, ordered[:, 49]], axis=1))
    (band,) = ax.collections
    rim = band.get_paths()[0].vertices
    for place, row in zip(x, ordered, strict=True):
        there = rim[rim[:, 0] == place][:, 1]
        assert there.min() == pytest.approx((row[24] + row[25]) / 2)
        assert there.max() == pytest.approx((row[73] + row[74]) / 2)


def check_plane(ax, values, weights, query, output, tokens, keys, query_name):
    (hull,) = (patch for patch in ax.patches if isinstance(patch, Polygon))
    assert sorted(map(tuple, hull.get_xy()[:-1])) == sorted(map(tuple, values))
    ropes = [line for line in ax.lines if line.get_solid_capstyle() == "round"]
    for rope, place, share in zip(ropes, values, weights, strict=True):
        assert np.allclose(np.transpose(rope.get_data()), [place, output])
        assert rope.get_linewidth() == pytest.approx(14 * share)
    assert np.allclose(np.ravel(ax.lines[-1].get_data()), output)
    arrow = next(text for text in ax.texts if getattr(text, "arrow_patch", None) is not None)
    assert np.allclose([arrow.get_position(), arrow.xy], [(0, 0), query])
    named = {(text.get_text(), tuple(np.round(text.xy, 9))) for text in ax.texts if hasattr(text, "xy")}
    assert (query_name, tuple(np.round(query, 9))) in named
    for points in [values] if keys is None else [keys, values]:
        assert {
            (token, tuple(np.round(point, 9))) for token, point in zip(tokens, points, strict=True)
        } <= named
    if keys is not None:
        assert np.array_equal(lines(ax, ":"), np.stack([keys, values], axis=1))
    assert ax.get_aspect() == 1


@pytest.mark.parametrize("own_keys", [False, True])
def test_plane(ax, own_keys):
    values, keys = np.array([[2.0, 2], [-2, -1], [2, -2]]), RNG.normal(size=(3, 2)).round(2)
    given = weights_of(2, 3)[1]
    keys = keys if own_keys else None
    plots.plane(
        ax, values, given, np.array([1.5, -0.5]), given @ values, WORDS[:3], keys=keys, query_name="q of cat"
    )
    check_plane(ax, values, given, (1.5, -0.5), given @ values, WORDS[:3], keys, "q of cat")


def check_xor_plane(ax, points, readout, bias):
    full = [(0, False), (1, True), (2, True), (3, False)]
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    for (index, is_full), mark in zip(full, marks, strict=True):
        assert np.allclose(np.ravel(mark.get_data()), points[index])
        assert to_rgb(mark.get_color()) == to_rgb(plots.COLORS["v" if is_full else "page"])
    rope = next(line for line in ax.lines if line.get_solid_capstyle() == "round")
    assert np.allclose(np.transpose(rope.get_data()), [points[0], points[3]])
    grid = np.stack(np.meshgrid(*[np.linspace(-3.3, 3.3, 23)] * 2), axis=-1).reshape(-1, 2)
    output = grid @ readout + bias
    if output.min() < 0 < output.max():
        gray, line = ax.collections
        inside = np.array([gray.get_paths()[0].contains_point(place) for place in grid])
        clear = np.abs(output) > 0.05
        assert np.array_equal(inside[clear], output[clear] > 0)
        rim = line.get_paths()[0].vertices
        assert np.abs(rim @ readout + bias).max() < 1e-6
    else:
        assert not ax.collections


@pytest.mark.parametrize("bias", [-0.55, 0.7, 40.0])
def test_xor_plane(ax, bias):
    points, readout = np.array([[0.5, 1], [1, 0.2], [1.4, 0.1], [2, -1]]), np.array([0.6, -0.8])
    plots.xor_plane(ax, points, readout, bias)
    check_xor_plane(ax, points, readout, bias)
    assert [text.get_text() for text in ax.texts] == ["00", "10", "01", "11"]


def test_xor_plane_names_points_that_meet(ax):
    plots.xor_plane(ax, [[0, 0], [1, 1], [1, 1.1], [0.1, 0]], [1, 0], 0.0)
    assert [text.get_text() for text in ax.texts] == ["00, 11", "10, 01"]


def test_the_picture_of_the_front_page():
    """It stands in no notebook."""
    widget, figure = (
        FirstTouch(order=[2, 0, 1], angle=100.0, length=2.0, hidden=[False, True, False]),
        Figure(),
    )
    widget.draw_fallback(figure)
    shown, words = widget.matrices(), [widget.tokens[index] for index in widget.order]
    k = np.array(widget.k, dtype=float)[widget.order]
    check_plane(
        figure.axes[0], k, shown["weights"][0], shown["q"][0], shown["output"][0], words, None, "query"
    )


@pytest.mark.parametrize("preset", ["causal", "none"])
def test_a_figures_picture_follows_its_state(preset):
    widget, figure = Masking(preset=preset, nudge=1.5), Figure()
    widget.draw_fallback(figure)
    (ax,) = figure.axes
    check_weights(ax, widget.weights, widget.allowed, widget.tokens, widget.tokens)
