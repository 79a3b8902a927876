"""On a phone: how long a core page is, code that waits behind a word there and nowhere else, figures in one card."""

import pytest

from attn.explore.small import FIGURES
from tests.browser import book
from tests.browser.chromium_hands import Finger
from tests.browser.conftest import dress
from tools.bench_text import HIGH, MOST, PHONE

CORES = [page for page in book.pages() if page.startswith("chapters/0")]
FOLDED = [page for page in book.pages() if 'class="abh-fold"' in (book.folder() / page).read_text("utf-8")]
# Of each cell whose code folds on a phone: whether its word is in sight, whether its code is.
FOLDS = """() => [...document.querySelectorAll("details.abh-fold")]
  .filter((box) => probe.shown(box.closest(".cell")))
  .map((box) => [box.querySelector("summary"), box.querySelector("pre")].map(probe.shown))"""
# Words of folded code that lie on something that is printed: a number, a name.
COVERED = """() => [...document.querySelectorAll("details.abh-fold > summary")].filter(probe.shown).flatMap((word) => {
  const box = word.getBoundingClientRect();
  return [...word.closest(".cell").querySelectorAll("td, th, figcaption > *, pre")].filter((node) => {
    const other = node.getBoundingClientRect();
    return probe.shown(node) && !word.parentElement.contains(node) && other.width > 0 &&
      Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
      Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1;
  }).map((node) => node.textContent);
})"""


@pytest.mark.parametrize("page", CORES)
def test_a_core_is_read_in_eighteen_screens(visit, page):
    """With all that opens closed; and six of its figures or more are small ones between paragraphs."""
    view = visit(page, **PHONE, again=True)
    screens = view.evaluate(HIGH) / PHONE["height"]
    assert screens <= MOST, f"{screens:.1f} screens"
    assert sum(figure.name in FIGURES for figure in book.figures(page)) >= 6


def test_each_chapter_is_a_core():
    assert len(CORES) >= 8


@pytest.mark.parametrize("page", FOLDED)
def test_code_folds_on_a_phone_alone(visit, page):
    """There a word stands for it, which lies on nothing; on a laptop and on paper the code is in sight."""
    view = visit(page, width=390, height=844, own=True)
    folds = view.evaluate(FOLDS)
    assert folds
    assert all(fold == [True, False] for fold in folds)
    for width in (360, 390):
        view.set_viewport_size({"width": width, "height": 844})
        assert view.evaluate(COVERED) == []
    view.set_viewport_size({"width": 768, "height": 844})
    assert all(fold == [False, True] for fold in view.evaluate(FOLDS))
    dress(view, media="print")
    assert all(fold == [False, True] for fold in view.evaluate(FOLDS))


def test_a_tap_opens_code(visit, take):
    view = visit(
        "chapters/00_attention.html", width=390, height=844, has_touch=True, is_mobile=True, own=True
    )
    box = view.locator("details.abh-fold:visible").first
    word, code = box.locator("summary"), box.locator("pre")
    word.scroll_into_view_if_needed()
    place = word.bounding_box()
    assert place["height"] >= 24
    take(Finger, view).tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    code.wait_for(state="visible")
    assert code.bounding_box()["width"] > 300
    assert view.evaluate("probe.wide()")[0] <= 0


@pytest.mark.parametrize("name", FIGURES)
def test_a_small_figure_is_one_card(mount, name):
    """On a phone Reset and Share stand beside its control; what Share opens has all of the width."""
    view = mount([FIGURES[name]()], width=390, height=844)
    hand = view.locator(".abh-stage > .abh-full").bounding_box()
    buttons = [view.locator(f'[data-action="{action}"]').bounding_box() for action in ("reset", "share")]
    for box in buttons:
        assert box["height"] >= 24
        assert box["x"] >= hand["x"] + hand["width"]
        assert hand["y"] - 12 <= box["y"] < hand["y"] + hand["height"]
    first, second = buttons
    assert second["y"] >= first["y"] + first["height"] - 0.5
    view.locator('[data-action="share"]').click()
    assert view.locator(".abh-share").bounding_box()["width"] > 300
    assert view.evaluate("probe.wide()")[0] <= 0
