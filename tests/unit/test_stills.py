"""Stills: what matplotlib draws as a part of a page, in the palette's roles, light and dark, wide and narrow."""

import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb

from attn.masks import causal_mask
from attn.show import plots, stills
from bookext.stills import flowing

SVG = "{http://www.w3.org/2000/svg}"
RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def closed():
    with plots.style():
        yield
    pyplot.close("all")


def parsed(svg):
    return ET.fromstring(svg)


def layout(svg, kind):
    (found,) = [group for group in parsed(svg) if group.get("class") == kind]
    return [list(row) for row in found]


def kinds(svg):
    return [group.get("class") for group in parsed(svg)]


def words(panel):
    return [text.text for text in panel.iter(f"{SVG}text")]


def test_a_color_tells_its_role():
    assert len(set(plots.COLORS.values())) == len(plots.COLORS)


def test_colors_are_roles():
    assert stills.color("#b8500a") == "var(--abh-k,#b8500a)"
    with pytest.raises(ValueError, match=r"#123456"):
        stills.color("#123456")


def test_each_number_stands_where_matplotlib_puts_it():
    """A matrix of weights: texts in rows and columns, bars as long as the weights, on one scale."""
    shown = np.array([[0.25, 0.75], [1.0, 0.0]])
    figure, ax = pyplot.subplots(figsize=(3, 3))
    plots.weights(ax, shown, rows=["a", "b"], columns=["c", "d"])
    ((panel,),) = layout(stills.still(figure), "abh-wide")
    at = {text.text: (float(text.get("x")), float(text.get("y"))) for text in panel.iter(f"{SVG}text")}
    assert at["0.25"][1] == at["0.75"][1] < at["1"][1] == at["0"][1]
    assert at["0.25"][0] == at["1"][0] == at["c"][0] < at["0.75"][0] == at["0"][0] == at["d"][0]
    assert at["c"][1] < at["0.25"][1], "columns are named above"
    assert at["a"][0] < at["c"][0], "rows on the left"
    (bars,) = [path for path in panel.iter(f"{SVG}path") if "--abh-fill" in path.get("fill")]
    lengths = []
    for corners in bars.get("d").strip("M").replace("Z", "").split("M"):
        x = [float(point.split()[0]) for point in corners.split("L")]
        lengths.append(max(x) - min(x))
    track = next(path for path in panel.iter(f"{SVG}path") if "--abh-line" in path.get("stroke", ""))
    start, end = (float(point.split()[0]) for point in track.get("d").strip("M").split("M")[0].split("L"))
    np.testing.assert_allclose(np.array(lengths) / (end - start), [0.25, 0.75, 1, 0], atol=0.01)


@pytest.mark.parametrize("opacity", [0.4, 1])
def test_dots_are_as_faint_as_their_face(opacity):
    """Whether the whole mark is faint, or only the color that fills it."""
    face, found = to_rgb(plots.COLORS["k"]), []
    for look in ({"mfc": (*face, opacity), "mec": "none"}, {"mfc": face, "mec": "none", "alpha": opacity}):
        figure, ax = pyplot.subplots()
        ax.plot([0, 1, 2], [0, 1, 0], "o", linestyle="none", **look)
        drawn = (path for path in parsed(stills.still(figure)).iter(f"{SVG}path") if "h0" in path.get("d"))
        found += [float(dots.get("stroke-opacity", 1)) for dots in drawn]
    assert len(found) >= 2
    assert set(found) == {opacity}


def test_what_sticks_out_is_cut_off_and_nothing_else():
    figure, ax = pyplot.subplots()
    ax.plot([0, 2], [0, 2], color=plots.COLORS["q"])
    ax.plot([0, 1], [1, 0], color=plots.COLORS["k"])
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ((panel,),) = layout(stills.still(figure), "abh-wide")
    cut = {path.get("stroke"): path.get("clip-path") for path in panel.iter(f"{SVG}path")}
    assert cut[stills.color(plots.COLORS["q"])] == f"url(#{stills.MARK}-c0)"
    assert cut[stills.color(plots.COLORS["k"])] is None


@pytest.mark.parametrize("kind", ["signed", "weight"])
def test_a_heat_map_has_the_colors_of_the_page(kind):
    """Over the ground so much of one as the value says: all of it at an end, none in the middle or at 0."""
    values = np.linspace(0 if kind == "weight" else -1, 1, 400).reshape(20, 20)
    figure, ax = pyplot.subplots()
    if kind == "weight":
        plots.weights(ax, values)
    else:
        plots.heat(ax, values, domain=1)
    ((panel,),) = layout(stills.still(figure), "abh-wide")
    cells = [path for path in panel.iter(f"{SVG}path") if path.get("shape-rendering") == "crispEdges"]
    ends = ("raised", "ink") if kind == "weight" else ("raised", "low", "high")
    opaque = [path.get("fill") for path in cells if not path.get("fill-opacity")]
    assert sorted(opaque) == sorted(stills.color(plots.COLORS[role]) for role in ends)
    assert all(0 < float(path.get("fill-opacity", 1)) <= 1 for path in cells)


def test_panels_of_a_row_are_pictures_of_one_height():
    tables = {name: np.eye(2) for name in "abc"}
    plots.side_by_side(plots.weights, tables, figsize=(7, 2))
    svg = stills.still(pyplot.gcf())
    assert kinds(svg) == ["abh-wide"], "small panels need no second layout"
    (row,) = layout(svg, "abh-wide")
    assert [next(word for word in words(panel) if word in "abc") for panel in row] == [*"abc"]
    assert len({panel.get("height") for panel in row}) == 1
    for panel in row:
        width = int(panel.get("width"))
        assert panel.get("style").startswith(
            f"flex:{width} 1 {stills.LEAST * width:.0f}px;max-width:{width}px"
        )


def test_on_a_phone_panels_that_share_say_it_each():
    """And afterwards the figure is as it was: the PNG is made from it too."""
    x = np.array([1.0, 2, 4])
    curves = {"one": [x, 2 * x], "two": [x / 2, x / 3]}
    axes = plots.panels(x, curves, titles=["a", "b"], xlabel="x", ylabel="y")
    figure = axes[0].figure
    buffers = [io.BytesIO(), io.BytesIO()]
    figure.savefig(buffers[0], format="png")
    svg = stills.still(figure)
    figure.savefig(buffers[1], format="png")
    assert buffers[0].getvalue() == buffers[1].getvalue()
    (wide,) = layout(svg, "abh-wide")
    assert sum(words(panel).count("y") for panel in wide) == 1
    assert sum(words(panel).count("two") for panel in wide) == 1
    narrow = layout(svg, "abh-narrow")
    assert [len(row) for row in narrow] == [1, 1]
    ticks = [[word for word in words(panel) if re.fullmatch(r"[\d.]+", word)] for (panel,) in narrow]
    assert ticks[0] == ticks[1]
    for (panel,) in narrow:
        assert {"x", "y"} <= set(words(panel))
        assert int(panel.get("width")) <= stills.PHONE + 2 * stills.PAD


def test_on_a_page_ids_are_unique_and_words_are_escaped():
    figure, ax = pyplot.subplots()
    plots.weights(ax, np.eye(3), mask=causal_mask(3), title="a < b & c")
    svg = stills.still(figure)
    pages = "".join(flowing(svg, 'says "<b>"', place) for place in (0, 1))
    ids = re.findall(r'\bid="([^"]+)"', pages)
    assert len(ids) == len(set(ids)) >= 2
    assert set(re.findall(r"url\(#([^)]+)\)", pages)) == set(ids)
    assert "a &lt; b &amp; c" in pages
    assert 'role="img" aria-label="says &quot;&lt;b&gt;&quot;"' in pages
    assert "<g" not in pages
    assert pages.count("<div") == pages.count("</div>")
