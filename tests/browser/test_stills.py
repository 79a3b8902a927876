"""Still pictures as a reader sees them: on the page's own ground in both schemes, with words to be read, in a column.

What is seen is looked at in pixels: the ground around a picture, and behind each word, with the words taken away.
"""

import io
import re

import numpy as np
import pytest
from PIL import Image

from tests.browser import book
from tests.browser.conftest import dress, turn
from tests.browser.contrasts import TEXT, contrast, luminance, rgb

PICTURED = [
    page for page in book.pages() if 'class="abh-still"' in (book.folder() / page).read_text(encoding="utf-8")
]
LEAK = "chapters/further/03_measure_a_leak.html"  # it has heat maps
LEAST = 11  # pixels: the smallest letter
# The pictures in sight, not those that a live figure has taken the place of.
SEEN = """() => [...document.querySelectorAll(".abh-still")].filter((node) => node.checkVisibility())"""
# Of each picture: the panels in sight with what sticks out of the column, and the smallest letter's size.
FITS = f"""() => ({SEEN})().map((still) => {{
  const column = still.getBoundingClientRect();
  const panels = [...still.querySelectorAll("svg")].filter((node) => node.checkVisibility());
  const boxes = panels.map((node) => node.getBoundingClientRect());
  const letters = panels.flatMap((panel, at) => [...panel.querySelectorAll("text")].map((text) =>
    Number(text.getAttribute("font-size")) * boxes[at].width / panel.viewBox.baseVal.width));
  return {{ alt: still.ariaLabel, panels: panels.length, least: letters.length ? Math.min(...letters) : null,
    out: Math.max(0, ...boxes.map((box) => Math.max(box.right - column.right, column.left - box.left))),
    cut: panels.flatMap((panel) => [...panel.querySelectorAll("text")].filter((text) => {{
      const [word, frame] = [text.getBoundingClientRect(), panel.getBoundingClientRect()];
      return word.left < frame.left - 1 || word.right > frame.right + 1;
    }}).map((text) => text.textContent)),
    type: new Set(panels.flatMap((panel) => [...panel.querySelectorAll("text")]).map((text) =>
      getComputedStyle(text).fontFamily)).size, scrolls: still.scrollWidth > still.clientWidth }};
}})"""
# Where the words of a picture stand in it, and their color.
WORDS = """still => {
  const frame = still.getBoundingClientRect();
  return [...still.querySelectorAll("text")].filter((text) => text.checkVisibility()).map((text) => {
    const box = text.getBoundingClientRect();
    return [text.textContent, getComputedStyle(text).fill, box.x - frame.x, box.y - frame.y, box.width, box.height];
  });
}"""
GROUND = "() => getComputedStyle(document.body).backgroundColor"


def shot(node):
    return np.asarray(Image.open(io.BytesIO(node.screenshot())).convert("RGB"))


def test_there_are_stills():
    """And no picture of a notebook is a file that the page links."""
    assert len(PICTURED) > 20
    for page in book.pages():
        assert "jupyter_execute" not in (text := (book.folder() / page).read_text(encoding="utf-8"))
        assert not re.search(r'<div class="cell_output[^>]*>(?:(?!</div>).)*<img', text, re.DOTALL), page


@pytest.mark.parametrize(
    ("page", "width"),
    [(page, 360) for page in PICTURED]
    + [(page, 390) for page in PICTURED]
    + [(page, 1280) for page in PICTURED],
)
def test_a_still_fits_its_column_and_its_letters_can_be_read(visit, page, width):
    """No still scrolls, on no screen: there is no list of those that may."""
    view = visit(page, again=True)
    view.set_viewport_size({"width": width, "height": 800})
    for still in view.evaluate(FITS):
        assert still["panels"] > 0, still
        assert still["out"] <= 0.5, still
        assert not still["scrolls"], still
        assert still["cut"] == [], still
        assert still["type"] <= 1, still
        if still["least"] is not None:
            assert still["least"] >= LEAST - 0.05, still


@pytest.mark.parametrize(
    ("page", "dark"),
    [(page, False) for page in PICTURED] + [(page, True) for page in PICTURED],
    ids=lambda value: ["light", "dark"][value] if isinstance(value, bool) else value,
)
def test_a_still_lies_on_the_page_itself(visit, page, dark):
    """Around the drawing the ground is the page's, to the pixel; and each word stands out from what lies behind it."""
    view = visit(page, again=True)
    if dark:
        turn(view, "dark")
    ground = rgb(view.evaluate(GROUND))
    assert (luminance(ground) < 0.05) == dark
    for still in view.query_selector_all(".abh-still"):
        if not still.is_visible():
            continue
        words = still.evaluate(WORDS)
        still.evaluate(
            "still => still.querySelectorAll('text').forEach((text) => { text.style.opacity = 0; })"
        )
        bare = shot(still)
        still.evaluate(
            "still => still.querySelectorAll('text').forEach((text) => { text.style.opacity = ''; })"
        )
        rim = np.concatenate([bare[0], bare[-1], bare[:, 0], bare[:, -1]])
        assert (np.abs(rim - ground).max(axis=1) <= 2).mean() > 0.98, still.get_attribute("aria-label")
        for word, fill, x, y, wide, high in words:
            behind = bare[max(int(y), 0) : int(y + high) + 1, max(int(x), 0) : int(x + wide) + 1].reshape(
                -1, 3
            )
            seen = contrast(rgb(fill), np.median(behind, axis=0))
            assert seen >= TEXT, f"{word}: {seen:.2f}"
    if dark:
        turn(view, "light")


@pytest.mark.parametrize("page", [LEAK])
def test_on_paper_a_still_is_light(visit, page):
    view = visit(page, dark=True, own=True)
    dress(view, media="print", color_scheme="dark")
    ink = view.evaluate(f"() => ({SEEN})().map((still) => getComputedStyle(still).color)")
    assert ink
    assert all(luminance(rgb(color)) < 0.05 for color in ink)


def test_with_forced_colors_a_still_has_the_systems(visit):
    view = visit(LEAK, own=True, forced_colors="active")
    same = view.evaluate(f"""() => {{
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "CanvasText";
      const system = getComputedStyle(probe).color;
      return ({SEEN})().flatMap((still) => [...still.querySelectorAll("text")]).map((text) =>
        getComputedStyle(text).fill === system);
    }}""")
    assert same
    assert all(same)
