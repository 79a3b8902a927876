"""Pages open with the mark, an emblem, and minutes by one rule."""

import re
from types import SimpleNamespace

from docutils import nodes
from docutils.utils import new_document

from bookext import minutes, openings

STATIC = openings.EMBLEMS.with_name("static")
EMBLEMS = {path.stem: path.read_text(encoding="utf-8") for path in openings.EMBLEMS.iterdir()}


def test_each_emblem_has_roles_that_a_page_colors():
    style = (STATIC / "book.css").read_text(encoding="utf-8")
    assert len(set(EMBLEMS.values())) == len(EMBLEMS)
    for name, drawn in EMBLEMS.items():
        for role in re.findall(r'class="(?:e-l )?(e-\w+)"', drawn):
            assert f".{role} {{" in style, name


def test_the_mark_is_that_of_the_tab():
    inside = re.sub(r"</?svg[^>]*>", "", openings.emblem(None))
    assert f"</style>{inside}</svg>" in (STATIC / "favicon.svg").read_text(encoding="utf-8")


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
