"""The mark and the emblems say the chapters' numbers; pages open with them, and with minutes by one rule."""

from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from docutils import nodes
from docutils.utils import new_document

from attn import explore
from bookext import emblems, minutes, openings

STATIC = Path(emblems.__file__).with_name("static")
STYLE = (STATIC / "book.css").read_text(encoding="utf-8")
ALL = {"mark": emblems.mark, **{str(number): draw for number, draw in emblems.EMBLEMS.items()}}


def of(shapes, kind, role):
    return [shape for shape in shapes if (shape["kind"], shape["role"]) == (kind, role)]


def sizes(shape):
    return np.ptp(shape["points"], axis=0)


@pytest.mark.parametrize("name", ALL)
def test_a_drawing_is_small_and_stays_in_its_square(name):
    tree = ElementTree.fromstring(emblems.svg(ALL[name]()))
    assert 3 <= len(tree) < 60
    for shape in ALL[name]():
        assert shape["points"].min() >= 0, shape
        assert shape["points"].max() <= emblems.SIZE, shape
        assert f".e-{shape['role']} {{" in STYLE


def test_each_chapter_has_an_emblem_of_its_own():
    drawn = [emblems.svg(draw()) for draw in ALL.values()]
    assert len(set(drawn)) == len(drawn)
    assert emblems.svg(emblems.drawing(99)) == emblems.svg(emblems.mark())


def test_lines_of_attention_are_as_thick_as_the_weights():
    lines = [shape for shape in emblems.attention() if shape["kind"] == "line"]
    widths = np.array([shape["width"] for shape in lines]).reshape(3, 3) - 0.75
    np.testing.assert_allclose(
        widths / widths.sum(1, keepdims=True), explore.SelfAttention().weights, atol=1e-12
    )
    assert [shape["role"] for shape in lines[6:]] == ["q"] * 3


def test_waves_have_the_frequencies_of_the_encoding():
    waves = [shape["points"] for shape in emblems.positions() if shape["kind"] == "line"]
    places = (waves[0][:, 0] - 6) / 84 * 12
    for wave, frequency in zip(waves, 10000.0 ** -(np.arange(3) / 8), strict=True):
        middle = wave[0, 1]
        np.testing.assert_allclose((middle - wave[:, 1]) / 12, np.sin(places * frequency), atol=1e-9)


def test_the_mask_hides_what_is_to_come_and_fills_cells_by_weights():
    shapes, weights = emblems.mask(), explore.Masking().matrices()["weights"]
    tall = [sizes(shape)[1] / 21 for shape in of(shapes, "area", "q")]
    np.testing.assert_allclose(tall, weights[np.tril_indices(4)], atol=1e-12)
    assert len(of(shapes, "line", "edge")) == 4 * 6, "six cells are hatched"


def test_no_line_cuts_the_middle_of_the_rope_from_both_ends():
    shapes = emblems.rope()
    (cut,) = of(shapes, "line", "ink")
    ends = [shape["points"][0] for shape in of(shapes, "dot", "ring")]
    (middle,) = [shape["points"][0] for shape in of(shapes, "dot", "v")]
    (a, b) = cut["points"]
    side = [np.sign(np.linalg.det([b - a, point - a])) for point in (*ends, middle)]
    assert side[0] == side[2] != side[1]


def test_the_mosaic_is_the_joint_table():
    tiles = [
        np.prod(sizes(shape) + (1.5, 0))
        for role in ("q", "fill")
        for shape in of(emblems.association(), "area", role)
    ]
    joint = explore.PmiTable().joint.T.ravel()
    np.testing.assert_allclose(np.array(tiles) / sum(tiles), joint, atol=0.02)


def test_the_mark_as_a_file_is_what_the_code_draws():
    drawn = "".join(map(emblems.element, emblems.mark()))
    assert f"</style>{drawn}</svg>" in (STATIC / "favicon.svg").read_text(encoding="utf-8")


def page(*children):
    document = new_document("page")
    document += children
    return document


def words(count, kind=nodes.paragraph):
    return kind("", " ".join(["word"] * count))


def cell(*classes, picture=False):
    node = nodes.container(nb_element="cell_code", classes=["cell", *classes])
    node += nodes.literal_block("", "not counted as words")
    if picture:
        bundle = nodes.container(nb_element="mime_bundle")
        bundle += nodes.container(mime_type="image/svg+xml")
        node += bundle
    return node


def test_what_is_counted():
    class exercise_node(nodes.Element):
        pass

    class solution_node(nodes.Element):
        pass

    exercise, solution, closed = exercise_node(), solution_node(), nodes.container(classes=["dropdown"])
    exercise += words(10)
    solution += words(1000)
    closed += words(1000)
    found = minutes.counts(
        page(words(100), cell(), cell("tag_hide-input", picture=True), exercise, solution, closed), 3
    )
    assert found == {"words": 110, "live": 3, "pictures": 1, "cells": 1, "exercises": 1}


def test_the_range_grows_with_all_that_it_counts_and_exercises_take_no_reading():
    none = dict.fromkeys(minutes.READING, 0)
    assert minutes.span(none) == (5, 0)
    assert minutes.span(none | {"words": 1700}) == (10, 15)
    assert minutes.span(none | {"exercises": 5}) == (5, 20)
    assert minutes.span(none | {"words": 170 * 9}) == (5, 15)  # 9 minutes down, 11.8 up
    for kind in none:
        assert minutes.DOING[kind] > minutes.READING[kind]
    assert minutes.said(10, 15) == "10–15 minutes"


def test_pages_get_what_they_open_with():
    """Icons on all, the mark for the menu, and the script that keeps the place on chapters alone."""
    added = []
    app = SimpleNamespace(
        config=SimpleNamespace(root_doc="index", html_title="Attention by Hand", html_baseurl=""),
        env=None,
        add_js_file=lambda name, **_: added.append(name),
    )
    for name in ("chapters/further/03_a", "chapters/notation"):
        context = {"body": "<h1>A</h1>", "title": "A", "pathto": lambda name, _: f"../{name}"}
        openings.open_page(app, name, "page.html", context, object())
        assert "icon-180.png" in context["metatags"]
        assert context["mark"].startswith("<svg")
        assert context["body"] == "<h1>A</h1>"
    assert added == ["place.js"]
