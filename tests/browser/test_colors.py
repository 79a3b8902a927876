"""The colors of the book as it was built: contrast, the theme's own ground, the same values on paper; forced ones."""

import pytest

from attn.explore import FirstTouch, Masking, PositionalEncoding, XorLab
from attn.show import plots
from tests.browser.conftest import turn
from tests.browser.contrasts import PARTS, TEXT, contrast, rgb, system_colors
from tests.browser.explorables import replay


def palette(view, names):
    """The book's own colors on a page: name -> three bytes."""
    ask = """names => names.map((name) =>
      getComputedStyle(document.querySelector(".abh")).getPropertyValue(`--abh-${name}`).trim())"""
    return dict(zip(names, map(rgb, view.evaluate(ask, list(names))), strict=True))


@pytest.mark.parametrize("dark", [False, True])
def test_parts_can_be_seen_on_the_themes_own_ground(visit, dark):
    view = visit("index.html", dark=dark)
    own = palette(view, ["fill", "edge", "hatch", "page", "raised", "ink"])
    for name in ("fill", "edge", "hatch"):
        assert contrast(own[name], own["page"]) >= PARTS, name
    assert contrast(own["ink"], own["fill"]) >= (PARTS if dark else TEXT)  # on a full weight
    theirs = view.evaluate("""() => {
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      return ["background", "surface", "text-base"].map((name) => {
        pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--pst-color-${name}`).trim();
        return pen.fillStyle;
      });
    }""")
    assert [own[name] for name in ("page", "raised", "ink")] == [rgb(color) for color in theirs]


def test_paper_wears_the_same_colors(visit):
    wanted = {name: rgb(color) for name, color in plots.COLORS.items()}
    assert palette(visit("index.html"), wanted) == wanted


def test_forced_colors(mount):
    """Hatch, edges of roles and edges of cells stay where the reader's system chooses the colors."""
    view = mount([Masking(opened=True), FirstTouch(opened=True)], forced_colors="active")
    style = view.locator("td.abh-hidden").first.evaluate("node => ({...getComputedStyle(node)})")
    assert "svg" in style["backgroundImage"]
    assert style["borderTopStyle"] == "solid"
    edges = view.evaluate("""() => ["q", "k", "v"].map((role) =>
      getComputedStyle(document.querySelector(`.abh-chip.abh-role-${role} b`)).borderBottomStyle)""")
    assert edges == ["solid", "dashed", "double"]
    ground = "node => getComputedStyle(node).backgroundColor"
    cell = view.locator(".abh td[data-row]").first
    assert view.locator(".abh-fill").first.evaluate(ground) != cell.evaluate(ground)


def test_forced_colors_on_a_dark_ground(mount):
    """A picture in SVG takes the system's colors too: its ground, its words, the track of a slider."""
    view = mount([FirstTouch(), XorLab(), replay()], forced_colors="active", dark=True)
    canvas, text = system_colors(view)
    assert canvas != text
    for selector, part, color in [
        (".abh-plane", "backgroundColor", canvas),
        (".abh-plane text", "fill", text),
        (".abh-meter .abh-length", "backgroundColor", text),
        (".abh-cut, .abh-arrow, .abh-now, .abh-curve", "stroke", text),
    ]:
        seen = view.locator(selector).evaluate_all(f"all => all.map((node) => getComputedStyle(node).{part})")
        assert set(seen) == {color}, selector


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion(mount, motion):
    """A switch glides for 200 ms, asked before they are over, and not for who wants no motion; a drag never glides."""
    root = mount([Masking()], reduced_motion=motion).locator("[data-explorable]")
    glide = """async (root, [name, value]) => {
      probe.set(root, name, value);
      return getComputedStyle(root.querySelector(".abh-fill")).transitionDuration; }"""
    assert root.evaluate(glide, ["nudge", 1]) == "0s"
    assert root.evaluate(glide, ["order", "after"]) == ("0s" if motion == "reduce" else "0.2s")


# Of each cell of a signed heat map: its number, and whether its middle is of another color than a place above it.
STRUCK = """() => {
  const box = document.querySelector('[data-matrix="encoding"][data-shape]');
  const [canvas, m] = [box.querySelector("canvas"), Number(box.dataset.shape.split(",")[1])];
  const scale = canvas.width / m;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const at = (x, y) => {
    const place = 4 * (Math.floor(y * scale) * canvas.width + Math.floor(x * scale));
    return [...data.slice(place, place + 3)].join();
  };
  return [...box.values].map((value, k) => {
    const [i, j] = [Math.floor(k / m), k % m];
    return [value, at(j + 0.5, i + 0.5) !== at(j + 0.5, i + 0.1)];
  });
}"""


def test_minus_shows_without_hue(mount):
    """Printed in gray, blue and orange are alike: on paper a line runs through what is below zero, on a screen none."""
    view = mount([PositionalEncoding(opened=True)], width=1000)
    assert {struck for _, struck in view.evaluate(STRUCK)} == {False}
    view.emulate_media(media="print")
    view.wait_for_function(f"() => ({STRUCK})().some(([, struck]) => struck)")
    seen = view.evaluate(STRUCK)
    assert {struck for _, struck in seen} == {False, True}
    assert all(struck == (value < 0) for value, struck in seen)


@pytest.mark.parametrize(
    "page", ["chapters/05_xor_by_attention.html", "chapters/further/03_measure_a_leak.html"]
)
def test_a_dark_page_is_printed_light(visit, page):
    """The same ink of figures and stills on the same paper, whatever the page was read in."""
    inks = """() => [...document.querySelectorAll(".abh :not(input, option), .abh-still")].map((node) => {
      const { color, backgroundColor, fill, stroke } = getComputedStyle(node);
      return [color, backgroundColor, fill, stroke].join(" ");
    })"""
    view, seen = visit(page), {}
    for theme in ("light", "dark"):
        turn(view, theme)
        for medium in ("screen", "print"):
            view.emulate_media(media=medium)
            view.wait_for_function("name => matchMedia(name).matches", arg=medium)
            view.evaluate("probe.settled()")
            seen[theme, medium] = view.evaluate(inks)
        view.emulate_media(media="screen")
    assert seen["light", "screen"] != seen["dark", "screen"], "the page was not dark"
    assert seen["light", "print"] == seen["dark", "print"]
