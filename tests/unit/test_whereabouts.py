"""The map of a transformer at a chapter's opening: each chapter has one part, and the lit one is the page's own."""

import re
from pathlib import Path

import pytest

from bookext import whereabouts

CHAPTERS = sorted(
    int(path.name[:2]) for path in (Path(__file__).parents[2] / "chapters").glob("[0-9]*.ipynb")
)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_lights_its_part_and_the_way_to_it(chapter):
    page = whereabouts.drawing(chapter, str)
    assert re.findall(r'href="(\w+)" aria-current="page"', page) == [str(chapter)]
    row, _ = whereabouts.place_of(chapter)
    assert re.findall(r'href="(\w+)" data-way=""', page) == [str(way) for way in whereabouts.WAY[:row]]


def test_each_chapter_has_one_part():
    parts = [part[1] for parts in whereabouts.ROWS.values() for part in parts if isinstance(part[1], int)]
    assert len(parts) == len(set(parts))
    assert set(CHAPTERS) <= set(parts)


def test_a_chapter_without_a_part_stays_as_it_is():
    assert whereabouts.with_map("<h1>New</h1>", 99, str) == "<h1>New</h1>"
