"""The colors of the book as it was built: contrast, the theme's own ground, and the same values on paper."""

import re

import pytest

from attn.show import plots
from tests.browser import book
from tests.browser.contrasts import PARTS, TEXT, contrast, luminance, rgb

SLAB = 0.4  # no ground on a dark page is as luminous; the one that the theme puts behind a table has 0.66

THEMES = {
    "light": r"^\.abh, ?\.abh-shown, ?\.abh-still\s*\{",
    "dark": r"html\[data-theme=.?dark.?\] :is\(\.abh, ?\.abh-shown, ?\.abh-still\)(?:,[^{]*)?\{",
}


def colors(theme):
    """Name -> #rrggbb, from the style sheet that the built book sends."""
    page = (book.folder() / book.lively()[0]).read_text(encoding="utf-8")
    sheet = re.search(r"site\.\w+\.css", page)[0]
    text = (book.folder() / "_static" / sheet).read_text(encoding="utf-8")
    block = re.search(THEMES[theme] + r"([^}]*)\}", text, re.MULTILINE)[1]
    found = dict(re.findall(r"--abh-([\w-]+):\s*(#[0-9a-fA-F]{3,6})\b", block))
    return {
        name: (value if len(value) == 7 else "#" + "".join(2 * digit for digit in value[1:])).lower()
        for name, value in found.items()
    }


def test_contrast_formula():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("ground", ["page", "raised"])
@pytest.mark.parametrize("name", ["q", "k", "v", "ink", "soft"])
@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read(book_html, theme, name, ground):
    palette = colors(theme)
    assert contrast(palette[name], palette[ground]) >= TEXT


@pytest.mark.parametrize("theme", THEMES)
def test_parts_can_be_seen(book_html, theme):
    palette = colors(theme)
    assert contrast(palette["fill"], palette["page"]) >= PARTS
    assert contrast(palette["edge"], palette["page"]) >= PARTS
    assert contrast(palette["hatch"], palette["page"]) >= PARTS
    # Ink on a full weight, and on the ends of the signed scale's middle.
    assert contrast(palette["ink"], palette["fill"]) >= (TEXT if theme == "light" else PARTS)


def test_paper_wears_the_same_colors(book_html):
    palette = colors("light")
    assert {name: palette[name] for name in plots.COLORS} == plots.COLORS


@pytest.mark.parametrize("theme", THEMES)
def test_the_ground_is_the_themes(visit, theme):
    view = visit("index.html", dark=theme == "dark")
    theirs = view.evaluate("""() => {
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      return ["background", "surface", "text-base"].map((name) => {
        pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--pst-color-${name}`).trim();
        return pen.fillStyle;
      });
    }""")
    palette = colors(theme)
    assert [palette[name] for name in ("page", "raised", "ink")] == theirs


@pytest.mark.parametrize("page", book.lively())
def test_no_mark_has_a_browsers_own_color(visit, page):
    """A shape without a color of the book's is filled black, as an ink that no figure has; in the dark it is gone."""
    view = visit(page, again=True)
    plain = view.evaluate("""() => [...document.querySelectorAll(".abh svg :is(circle, rect, path, polygon, ellipse)")]
      .filter((node) => !node.closest("defs, clipPath, mask, pattern"))
      .filter((node) => getComputedStyle(node).fill === "rgb(0, 0, 0)")
      .map((node) => node.closest("[data-explorable]").dataset.explorable + ": " + node.outerHTML)""")
    assert plain == []


@pytest.mark.parametrize("page", book.pages())
def test_no_slab_of_light_in_the_dark(visit, page):
    """Whatever the theme puts behind a table, a code cell or a note is dark; icons and marks are ink."""
    view = visit(page, dark=True)
    grounds = view.evaluate("""() => [...document.querySelectorAll("body, body *")]
      .filter((node) => !node.matches("i, .abh *, .skip-link") && node.getClientRects().length)
      .map((node) => [getComputedStyle(node).backgroundColor, node.tagName + "." + node.className])
      .filter(([color]) => /^rgb\\(/.test(color))""")
    assert grounds
    assert {part for color, part in grounds if luminance(rgb(color)) > SLAB} == set()
