"""Pictures on paper: what test_pictures.py can't see, whose pixels may differ by a shade and are those of first states.

Faint areas, arcs of faders that are not 1, and the front page, which is no notebook. All other marks of weights, signed
numbers and planes stand in pictures that notebooks store.
"""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from attn._numbers import number
from attn.explore import FirstTouch
from attn.show import plots

RNG = np.random.default_rng(3)


@pytest.fixture
def ax():
    return Figure().subplots()


def test_arcs(ax):
    """From who looks to who is looked at, head 1's above and head 2's below, as thick as weight times fader."""
    shown, words, faders = RNG.dirichlet(np.ones(3), size=(2, 3)), ["the", "cat", "sat"], (0.5, -1.0)
    plots.arcs(ax, shown, words, faders=faders)
    *named, first, second = ax.texts
    assert [(text.get_text(), text.get_position()) for text in named] == [
        (word, (place, 0)) for place, word in enumerate(words)
    ]
    signed = ["+" * (fader > 0) + number(fader, 1) for fader in faders]
    assert [first.get_text(), second.get_text()] == [f"{by} · head {k}" for k, by in enumerate(signed, 1)]
    assert first.get_position()[1] > 0 > second.get_position()[1]
    wanted = {key: 7 * abs(faders[key[0]]) * shown[key] for key in np.ndindex(2, 3, 3)}
    found = {}
    for way, tip in zip(ax.patches, ax.lines, strict=True):
        (start, foot), *_, (end, _) = way.get_path().vertices
        head = int(foot < 0)
        assert (tip.get_xdata()[0], tip.get_marker()) == (end, "v^"[head])
        assert (way.get_linestyle() in ("-", "solid")) == (faders[head] > 0)
        found[head, round(start), round(end)] = way.get_linewidth()
    assert found == pytest.approx({key: thick for key, thick in wanted.items() if thick >= 0.1})
    with pytest.raises(ValueError, match=r"\(2, n, n\).* 4 .*\(3, 3\)"):
        plots.arcs(ax, np.eye(3), ["the", "cat", "sat", "up"])


@pytest.mark.parametrize("bias", [-0.55, 0.7, 40.0])
def test_the_gray_side_of_a_readout(ax, bias):
    points, readout = np.array([[0.5, 1], [1, 0.2], [1.4, 0.1], [2, -1]]), np.array([0.6, -0.8])
    plots.xor_plane(ax, points, readout, bias)
    grid = np.stack(np.meshgrid(*[np.linspace(-3.3, 3.3, 23)] * 2), axis=-1).reshape(-1, 2)
    output = grid @ readout + bias
    if output.min() < 0 < output.max():
        gray, line = ax.collections
        inside = np.array([gray.get_paths()[0].contains_point(place) for place in grid])
        clear = np.abs(output) > 0.05
        assert np.array_equal(inside[clear], output[clear] > 0)
        assert np.abs(line.get_paths()[0].vertices @ readout + bias).max() < 1e-6
    else:
        assert not ax.collections
    assert [text.get_text() for text in ax.texts] == ["00", "10", "01", "11"]


def test_xor_plane_names_points_that_meet(ax):
    plots.xor_plane(ax, [[0, 0], [1, 1], [1, 1.1], [0.1, 0]], [1, 0], 0.0)
    assert [text.get_text() for text in ax.texts] == ["00, 11", "10, 01"]


def test_the_picture_of_the_front_page():
    """It follows the state: the order of the words, who is hidden, and the query."""
    widget, figure = (
        FirstTouch(order=[2, 0, 1], angle=100.0, length=2.0, hidden=[False, True, False]),
        Figure(),
    )
    widget.draw_fallback(figure, plots)
    (ax,), shown = figure.axes, widget.matrices()
    output, places = shown["output"][0], np.array(widget.k, dtype=float)[widget.order]
    (hull,) = (patch for patch in ax.patches if isinstance(patch, Polygon))
    assert sorted(map(tuple, hull.get_xy()[:-1])) == sorted(map(tuple, places))
    ropes = [line for line in ax.lines if line.get_solid_capstyle() == "round"]
    for rope, place, share in zip(ropes, places, shown["weights"][0], strict=True):
        assert np.allclose(np.transpose(rope.get_data()), [place, output])
        assert rope.get_linewidth() == pytest.approx(14 * share)
    assert np.allclose(np.ravel(ax.lines[-1].get_data()), output)
    assert to_rgb(ax.lines[-1].get_color()) == to_rgb(plots.COLORS["v"])
    arrow = next(text for text in ax.texts if getattr(text, "arrow_patch", None) is not None)
    assert np.allclose([arrow.get_position(), arrow.xy], [(0, 0), shown["q"][0]])
    named = {text.get_text(): text.xy for text in ax.texts if text.get_text()}
    for index, place in zip(widget.order, places, strict=True):
        assert np.allclose(named[widget.tokens[index]], place)
