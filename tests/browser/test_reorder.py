"""A list that a hand puts in another order: the front page's sentence. Drags: test_gestures.py."""

import pytest

from attn.explore import FirstTouch
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.hand import drawn

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
WORDS = "root => [...root.querySelectorAll('[data-reorder] > *')].map((node) => node.textContent)"


@pytest.fixture
def front(mount):
    view = mount([FirstTouch()], width=390, height=844)
    return view, view.query_selector("[data-explorable]")


def test_arrow_keys_move_a_word_and_the_dot_stays(front):
    """And a screen reader hears each place, and each move."""
    view, root = front
    before = drawn(root)
    view.locator("[data-reorder] > *").first.focus()
    view.keyboard.press("ArrowRight")
    assert root.evaluate(WORDS) == ["cat", "the", "sat"]
    labels = [node.get_attribute("aria-label") for node in view.locator("[data-reorder] > *").all()]
    assert labels == ["cat, 1 of 3", "the, 2 of 3", "sat, 3 of 3"]
    assert view.locator(".abh-sentence [role=status]").inner_text() == "the is now 2 of 3"
    view.keyboard.press("ArrowDown")
    assert root.evaluate(WORDS) == ["cat", "sat", "the"]
    view.keyboard.press("ArrowRight")  # the end: it stays
    assert root.evaluate(WORDS) == ["cat", "sat", "the"]
    after = drawn(root)
    assert after["output"] == pytest.approx(before["output"], abs=1e-12)
    assert list(after["weights"][0]) == pytest.approx([before["weights"][0][i] for i in (1, 2, 0)], abs=1e-12)
    view.keyboard.press("Home")
    assert root.evaluate(WORDS) == ["the", "cat", "sat"]
    view.keyboard.press("End")
    view.keyboard.press("ArrowLeft")
    assert root.evaluate(WORDS) == ["cat", "the", "sat"]
    assert view.evaluate("document.activeElement.textContent") == "the"
    for place in (0, 2):  # Enter picks up, and puts down
        view.locator("[data-reorder] > *").nth(place).press("Enter")
    assert root.evaluate(WORDS) == ["the", "sat", "cat"]
    view.locator("[data-action=reset]").click()
    assert view.locator(".abh-sentence [role=status]").inner_text() == ""
    assert root.evaluate(WORDS) == ["the", "cat", "sat"]


def test_without_a_drag_a_tap_picks_up_and_a_tap_puts_down(mount, take):
    view = mount([FirstTouch()], **PHONE)
    hand, root = take(Finger, view), view.query_selector("[data-explorable]")

    def tap(word):
        (at,) = (item for item in hand.ask("look", 0, "list", "order")["items"] if item["text"] == word)
        hand.tap(at["x"], at["y"])
        hand.settle()

    pressed = (
        "root => [...root.querySelectorAll('[aria-pressed=true].abh-item')].map((node) => node.textContent)"
    )
    tap("sat")
    assert root.evaluate(pressed) == ["sat"]
    assert root.evaluate(WORDS) == ["the", "cat", "sat"]
    tap("the")
    assert root.evaluate(WORDS) == ["sat", "the", "cat"]
    assert root.evaluate(pressed) == []
    tap("cat")
    tap("cat")
    assert root.evaluate(pressed) == []
    assert root.evaluate(WORDS) == ["sat", "the", "cat"]


def test_escape_puts_a_word_back(front, take):
    view, root = front
    hand = take(Mouse, view)
    the, _, sat = hand.ask("look", 0, "list", "order")["items"]
    hand.go((the["x"], the["y"]), (sat["x"], sat["y"]))
    assert root.evaluate(WORDS) == ["cat", "sat", "the"]
    hand.key("Escape")
    assert root.evaluate(WORDS) == ["the", "cat", "sat"]
    assert view.locator(".abh-item").first.evaluate("node => node.style.transform") == ""
    hand.up()
