"""What is small stays legible: text in pictures, comments in code; and one sees which button the keyboard is at."""

import pytest

from tests.browser import book
from tests.browser.conftest import dress

LEAST = 10.5  # px
OPEN = """() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  for (const button of document.querySelectorAll('.abh [data-action="open"][aria-expanded="false"]')) button.click();
}"""
# Two frames: a picture that was opened is laid out in the first, and then says how large its text has to be.
LAID_OUT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
# Each text of a picture, as large as it is drawn.
SIZES = """() => [...document.querySelectorAll(".bd-article svg text, .bd-article svg tspan")]
  .filter((node) => node.textContent.trim() && !node.closest(".abh-emblem")
    && node.checkVisibility()
    && node.getBoundingClientRect().width > 0)
  .map((node) => {
    const { b, d } = node.getScreenCTM();
    const holder = node.closest("[data-explorable]")?.dataset.explorable ?? node.closest("svg").getAttribute("class");
    return [holder, node.textContent.trim(), parseFloat(getComputedStyle(node).fontSize) * Math.hypot(b, d)];
  })"""
SCREENS = {1280: {}, 390: {"has_touch": True, "is_mobile": True}, 360: {"has_touch": True, "is_mobile": True}}
WIDE = [(page, 1280) for page in book.pages()]
NARROW = [(page, width) for page in book.pages() for width in (390, 360)]


@pytest.mark.parametrize(("page", "width"), WIDE + NARROW)
def test_text_in_pictures_is_large_enough(visit, page, width):
    view = visit(page, width=width, height=844, own=True, **SCREENS[width])
    view.evaluate(OPEN)
    view.evaluate(LAID_OUT)
    small = sorted({(holder, text, round(px, 1)) for holder, text, px in view.evaluate(SIZES) if px < LEAST})
    assert small == []


def test_a_small_picture_has_text(visit):
    """So the test above sees something: a picture less than half as wide as its units."""
    view = visit("chapters/00_attention.html", width=360, height=844, own=True)
    view.evaluate(OPEN)
    view.evaluate(LAID_OUT)
    sizes = [px for holder, _, px in view.evaluate(SIZES) if holder == "ScoreAsShadow"]
    assert len(sizes) > 3
    assert min(sizes) == pytest.approx(11, abs=0.3)


ASIDES = """() => [...document.querySelectorAll(".cell_input .abh-aside")].filter((node) => node.checkVisibility())
  .map((node) => [node.textContent, node.getBoundingClientRect().height, parseFloat(getComputedStyle(node).lineHeight)])
"""


@pytest.mark.parametrize("width", [390, 360])
@pytest.mark.parametrize("page", [page for page in book.pages() if book.is_notebook(page)])
def test_a_comment_stands_in_one_piece(visit, page, width):
    view = visit(page, width=width, height=844, own=True, **SCREENS[width])
    view.evaluate(OPEN)
    for text, height, line in view.evaluate(ASIDES):
        assert height < 1.5 * line, text


@pytest.mark.parametrize("look", [{"dark": False}, {"dark": True}, {"forced_colors": "active"}], ids=str)
@pytest.mark.parametrize("width", [1280, 390])
def test_buttons_of_the_top_bar_have_a_ring(visit, look, width):
    view = visit("chapters/03_masking.html", width=width, height=800, own=True, dark=look.get("dark", False))
    if "forced_colors" in look:
        dress(view, forced_colors="active")
    buttons = view.locator(".bd-header-article button:visible")
    names = [button.get_attribute("title") or button.get_attribute("aria-label") for button in buttons.all()]
    assert len(names) >= 3
    buttons.first.focus()
    view.keyboard.press("Shift+Tab")
    seen = {}
    for _ in range(60):
        view.keyboard.press("Tab")
        name, inside, ring = view.evaluate("""() => {
          const node = document.activeElement, style = getComputedStyle(node);
          return [node.getAttribute("title") || node.getAttribute("aria-label"),
            node.matches(".bd-header-article button"), [style.outlineStyle, parseFloat(style.outlineWidth)]];
        }""")
        if inside:
            seen[name] = ring
        elif len(seen) == len(names):
            break
    assert seen == {name: ["solid", 3] for name in names}


@pytest.mark.parametrize("page", book.lively())
def test_a_list_has_room_for_its_longest_answer(visit, page):
    """On the smallest phone, where a laboratory is open as well: a select as wide as it would like to be."""
    view = visit(page, width=360, height=780, own=True, **SCREENS[360])
    view.evaluate(
        "document.querySelectorAll('[data-action=open][aria-expanded=false]').forEach((button) => button.click())"
    )
    view.evaluate("probe.settled()")
    cut = view.evaluate("""() => [...document.querySelectorAll(".abh select")].filter(probe.shown).flatMap((select) => {
      const free = select.parentElement.appendChild(select.cloneNode(true));
      free.style.cssText = "position: absolute; width: max-content; max-width: none";
      const wide = free.offsetWidth;
      free.remove();
      return wide > select.offsetWidth + 1 ? [[select.name, wide, select.offsetWidth]] : [];
    })""")
    assert cut == []
