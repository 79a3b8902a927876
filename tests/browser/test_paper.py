"""The figures where there is no script, on paper, with forced colors, without motion, and when the theme changes."""

import io
import re
import unicodedata

import numpy as np
import pypdf
import pytest

from attn.explore import FirstTouch, Masking, PositionalEncoding, XorLab
from attn.masks import causal_mask, prefix_mask, sliding_window_mask
from tests.browser import book
from tests.browser.conftest import dress
from tests.browser.explorables import DRAWN, replay


def masking(n):
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, n, 4))
    return Masking(tokens=[f"t{i}" for i in range(n)], q=q, k=k, v=v)


@pytest.mark.parametrize("page", book.lively())
def test_without_javascript(visit, page):
    view = visit(page, java_script_enabled=False)
    pictures = view.evaluate("""() => [...document.querySelectorAll(".abh-slot")].map((slot) => {
      const [picture, answer] = [slot.querySelector(".abh-still"), slot.querySelector("details")];
      return { alt: picture.ariaLabel, shown: probe.shown(picture), width: picture.offsetWidth,
        answer: Boolean(answer && probe.shown(answer)), says: answer?.textContent ?? "",
        drawn: picture.querySelectorAll("svg *").length, asked: picture.textContent };
    })""")
    for figure, picture in zip(book.figures(page), pictures, strict=True):
        assert picture["shown"], str(figure)
        assert picture["alt"] == figure.state["alt"]
        assert len(figure.state["alt"]) > 20
        assert picture["width"] > 200
        assert picture["drawn"] > 5 or figure.name not in DRAWN
        if figure.name == "Cards" and figure.state["chapter"]:
            first = figure.state["cards"][0]
            assert first["asks"].split("`")[0] in picture["asked"]
            assert first["answer"].split("`")[0] in picture["says"]
        if figure.state["predict"]:
            assert figure.state["predict"]["question"].replace("*", "").split("`")[0][:30] in picture["asked"]
            assert picture["answer"], f"{figure}: no answer for readers without JavaScript"
            assert "`" not in picture["says"]
    for answer in view.locator(".abh-slot details").all()[:1]:
        answer.locator("summary").click()
        assert answer.locator("p").first.is_visible()


@pytest.mark.parametrize("page", book.lively())
def test_print(visit, page):
    """On paper each figure stands, nothing of it is cut off, and the controls that only a hand can use are gone."""
    view = visit(page, again=True)
    dress(view, media="print")
    view.set_viewport_size({"width": 680, "height": 960})
    seen = view.evaluate("""() => probe.roots().map((root) =>
      [probe.shown(root), [...root.querySelectorAll("[data-action=reset]")].some(probe.shown), probe.cut(root)])""")
    for figure, (shown, reset, cut) in zip(book.figures(page), seen, strict=True):
        assert shown, str(figure)
        assert not reset, str(figure)
        assert cut == [], str(figure)
    too_much, nodes = view.evaluate("probe.wide()")
    assert too_much <= 0, nodes


def test_a_chapter_on_paper(visit):
    """Printed as it stands, with figures that live, a chapter has all of its words, and no control."""
    view = visit("chapters/03_masking.html")
    reader = pypdf.PdfReader(io.BytesIO(view.pdf(format="A4")))
    words = unicodedata.normalize(
        "NFKC", " ".join(page.extract_text() for page in reader.pages)
    )  # without "ﬁ"
    assert 10 < len(reader.pages) < 60
    for title in view.locator("article h1, article h2").evaluate_all(
        "nodes => nodes.map((node) => node.firstChild.textContent.trim())"
    ):
        assert title in words
    assert "Copy as NumPy" not in words
    assert "Reset" not in words


def test_forced_colors(mount):
    """Hatch, edges of roles and edges of cells stay where the reader's system chooses the colors."""
    view = mount([Masking(opened=True), FirstTouch(opened=True)], forced_colors="active")
    hidden = view.locator("td.abh-hidden").first
    style = hidden.evaluate("node => ({...getComputedStyle(node)})")
    assert "svg" in style["backgroundImage"]
    assert style["borderTopStyle"] == "solid"
    edges = view.evaluate("""() => ["q", "k", "v"].map((role) =>
      getComputedStyle(document.querySelector(`.abh-chip.abh-role-${role} b`)).borderBottomStyle)""")
    assert edges == ["solid", "dashed", "double"]
    fill = view.locator(".abh-fill").first.evaluate("node => getComputedStyle(node).backgroundColor")
    page = view.evaluate("getComputedStyle(document.querySelector('.abh td[data-row]')).backgroundColor")
    assert fill != page
    arrow = view.locator(".abh-arrow").first.evaluate("node => getComputedStyle(node).stroke")
    plane = view.locator(".abh-plane").first.evaluate("node => getComputedStyle(node).backgroundColor")
    assert arrow != plane


def test_forced_colors_on_a_dark_ground(mount):
    """A picture in SVG takes the system's colors too: its ground, its words, the track of a slider."""
    view = mount([FirstTouch(), XorLab(), replay()], forced_colors="active", dark=True)
    canvas, text = view.evaluate("""() => ["Canvas", "CanvasText"].map((color) => {
      document.body.style.color = color;
      return getComputedStyle(document.body).color;
    })""")
    assert canvas != text
    for plane in view.locator(".abh-plane").all():
        assert plane.evaluate("node => getComputedStyle(node).backgroundColor") == canvas
        words = plane.locator("text").all()
        assert words
        assert {word.evaluate("node => getComputedStyle(node).fill") for word in words} == {text}
    for bar in view.locator(".abh-meter .abh-length").all():
        assert bar.evaluate("node => getComputedStyle(node).backgroundColor") == text
    for line in view.locator(".abh-cut, .abh-arrow, .abh-now, .abh-curve").all():
        assert line.evaluate("node => getComputedStyle(node).stroke") == text


@pytest.mark.parametrize("dark", [False, True])
def test_forced_colors_leave_the_icons(visit, dark):
    """The signs of the bar and of the menus are shapes cut out of a ground, and grounds are forced to vanish."""
    view = visit("chapters/03_masking.html", own=True, forced_colors="active", dark=dark)
    canvas = view.evaluate("""() => {
      document.body.style.color = "Canvas";
      const found = getComputedStyle(document.body).color;
      document.body.style.color = "";
      return found;
    }""")
    grounds = view.locator(".bd-header-article .fa-solid, .bd-sidebar-primary .fa-solid").evaluate_all(
        "nodes => nodes.filter(probe.shown).map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert len(grounds) > 3
    assert canvas not in grounds
    edge = view.locator(".abh-answer").first.evaluate("node => getComputedStyle(node).borderLeftColor")
    assert edge == canvas, "the line beside an answer, before there is one"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion(mount, motion):
    """A switch glides for 200 ms; for readers who want no motion, nothing does. A drag never glides."""
    view = mount([Masking()], reduced_motion=motion)
    root = view.locator("[data-explorable]")
    duration = "node => getComputedStyle(node.querySelector('.abh-fill')).transitionDuration"
    root.evaluate("root => probe.set(root, 'nudge', 1)")
    assert root.evaluate(duration) == "0s"
    root.evaluate("root => probe.set(root, 'order', 'after')")
    assert root.evaluate(duration) == ("0s" if motion == "reduce" else "0.2s")


@pytest.mark.parametrize("page", book.lively()[:1])
def test_the_theme_stands_still_too(visit, page):
    """For readers who want no motion its sidebars come and go at once, and nothing scrolls by itself."""
    durations = """() => [...new Set([...document.querySelectorAll("body, body *")].flatMap((node) => {
      const { transitionDuration, animationDuration } = getComputedStyle(node);
      return [transitionDuration, animationDuration];
    }))]"""
    view = visit(page, again=True)
    assert view.evaluate(durations) == ["0s"]
    assert view.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert len(visit(page, reduced_motion="no-preference").evaluate(durations)) > 1


@pytest.mark.parametrize("page", book.lively()[:1])
def test_theme_switch(visit, page):
    """The theme's own button changes the colors of a figure at once."""
    view = visit(page)
    root = view.locator("[data-explorable]").first
    ground = "node => getComputedStyle(node).backgroundColor"
    before = root.evaluate(ground)
    for _ in range(3):
        if root.evaluate(ground) != before:
            break
        view.locator(".theme-switch-button").first.click()
    assert root.evaluate(ground) != before


# Of each cell of a heat map of weights: its value, its color at the middle, and the two ends of the scale.
PAINTED = """() => {
  const matrix = document.querySelector("[data-matrix='weights']"), heat = matrix.querySelector("canvas");
  const pen = new OffscreenCanvas(heat.width, heat.height).getContext("2d", { willReadFrequently: true });
  pen.drawImage(heat, 0, 0);
  const values = [...matrix.values], n = Math.sqrt(values.length);
  const middle = (place) => Math.floor((place + 0.5) * heat.width / n);
  const color = (_, cell) => [...pen.getImageData(middle(cell % n), middle(Math.floor(cell / n)), 1, 1).data];
  const style = getComputedStyle(probe.roots()[0]);
  return [values, values.map(color), ["raised", "ink"].map((name) => style.getPropertyValue(`--abh-${name}`).trim())];
}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_heat_map_shows_its_values(mount, dark):
    """From the first frame: a weight of 0 has the color of the ground, 1 that of ink, others a mixture by the root.

    And the key below says so: each of its boxes has the color of a cell with that weight.
    """
    view = mount([masking(20)], dark=dark)
    view.evaluate("() => new Promise(requestAnimationFrame)")
    counts = []
    for _ in range(2):
        values, found, ends = (np.array(part) for part in view.evaluate(PAINTED))
        ground, ink = ([int(end[i : i + 2], 16) for i in (1, 3, 5)] for end in ends)
        seen = values > 0  # the rest is hatched
        counts.append(seen.sum())
        expected = ground + np.sqrt(values[seen, None]) * np.subtract(ink, ground)
        assert np.abs(found[seen, :3] - expected).max() < 2
        assert (found[:, 3] == 255).all()
        view.evaluate("probe.set(probe.roots()[0], 'preset', 'none')")
    assert counts == [20 * 21 / 2, 20 * 20]
    boxes = view.evaluate("""() => [...document.querySelectorAll(".abh-ink-key i")].map((box) =>
      [Number(box.parentElement.textContent), getComputedStyle(box).backgroundColor])""")
    assert [weight for weight, _ in boxes] == [0, 0.01, 0.1, 0.5, 1]
    for weight, color in boxes:
        shown = 255 * np.array([float(part) for part in re.findall(r"[\d.]+", color)[:3]])
        assert np.abs(shown - ground - np.sqrt(weight) * np.subtract(ink, ground)).max() < 2, weight


# Of each cell of a canvas: how many colors its inside has, and whether the color of the ground is among them.
HATCHED = """() => {
  const heat = document.querySelector(".abh canvas");
  const [n, m] = heat.closest("[data-shape]").dataset.shape.split(",").map(Number);
  const pen = new OffscreenCanvas(heat.width, heat.height).getContext("2d", { willReadFrequently: true });
  pen.drawImage(heat, 0, 0);
  const ground = getComputedStyle(probe.roots()[0]).getPropertyValue("--abh-raised").trim();
  const hex = ([r, g, b]) => `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  const [width, height] = [heat.width / m, heat.height / n];
  return Array.from({ length: n }, (_, i) => Array.from({ length: m }, (__, j) => {
    const { data } = pen.getImageData(j * width + 1, i * height + 1, width - 2, height - 2);
    const colors = new Set();
    for (let at = 0; at < data.length; at += 4) colors.add(hex(data.slice(at, at + 4)));
    return [colors.size, colors.has(ground)];
  }));
}"""


def test_the_hatch_lies_over_what_is_hidden(mount):
    """And over nothing else, after each change of the mask, and of the theme, whose colors it has."""
    n = 20
    view = mount([masking(n)])
    view.evaluate("probe.settled()")
    for dark in (False, True):
        if dark:
            before = view.evaluate("document.querySelector('.abh canvas').toDataURL()")
            view.evaluate("document.documentElement.dataset.theme = 'dark'")
            changed = "before => document.querySelector('.abh canvas').toDataURL() !== before"
            view.wait_for_function(changed, arg=before)
        for preset, seen in {
            "causal": causal_mask(n),
            "prefix": prefix_mask(n, 2),
            "none": np.ones((n, n), bool),
            "window": sliding_window_mask(n, 2),
        }.items():
            view.evaluate("preset => probe.set(probe.roots()[0], 'preset', preset)", preset)
            colors, ground = np.moveaxis(np.array(view.evaluate(HATCHED)), -1, 0)
            assert np.array_equal(colors > 1, ~seen), (preset, dark)
            assert ground[~seen].all(), (preset, dark)


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
    dress(view, media="print")
    view.wait_for_function(f"() => ({STRUCK})().some(([, struck]) => struck)")
    seen = view.evaluate(STRUCK)
    assert {struck for _, struck in seen} == {False, True}
    assert all(struck == (value < 0) for value, struck in seen)


def test_canvas_follows_the_theme(mount):
    """A large matrix is a canvas: it is painted anew when the page turns dark, and its numbers stay."""
    view = mount([masking(20)])
    picture = "document.querySelector('.abh canvas').toDataURL()"
    numbers = "[...document.querySelector('[data-shape]').values]"
    light, values = view.evaluate(picture), view.evaluate(numbers)
    view.evaluate("document.documentElement.dataset.theme = 'dark'")
    view.wait_for_function(f"light => {picture} !== light", arg=light)
    assert view.evaluate(numbers) == values


def test_sixteen_tokens_are_cells(mount):
    """From 9 to 16 tokens a heat map of cells; above, a canvas."""
    view = mount([masking(16), masking(17)])
    assert view.evaluate("probe.roots().map((root) => root.querySelectorAll('canvas').length)") == [0, 1]
    assert view.evaluate("probe.roots().flatMap(probe.breaches)") == []


def test_a_dark_page_is_printed_light(mount):
    """The same ink on the same paper, whatever the page was read in."""
    colors = """() => [...document.querySelectorAll(".abh *")].map((node) => {
      const { color, backgroundColor, fill, stroke } = getComputedStyle(node);
      return [color, backgroundColor, fill, stroke].join(" ");
    })"""
    view = mount([FirstTouch(), XorLab()])
    seen, printed = [], []
    for theme in ("light", "dark"):
        view.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        for medium, found in (("screen", seen), ("print", printed)):
            dress(view, media=medium)
            view.wait_for_function("name => matchMedia(name).matches", arg=medium)
            view.evaluate("probe.settled()")
            found.append(view.evaluate(colors))
    assert seen[0] != seen[1], "the page was not dark"
    assert printed[0] == printed[1]
