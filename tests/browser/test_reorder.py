"""A list that a hand puts in another order: the front page's sentence, and lists of lines."""

import json

import pytest

from attn.explore import FirstTouch
from attn.explore._base import imports, module_source, stylesheet
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.conftest import Visitor
from tests.browser.gestures import beside
from tests.browser.hand import drawn

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
WORDS = "root => [...root.querySelectorAll('[data-reorder] > *')].map((node) => node.textContent)"


@pytest.fixture
def front(mount):
    view = mount([FirstTouch()], width=390, height=844)
    return view, view.query_selector("[data-explorable]")


def test_arrow_keys_move_a_word_and_the_dot_stays(front):
    view, root = front
    before = drawn(root)
    view.locator("[data-reorder] > *").first.focus()
    view.keyboard.press("ArrowRight")
    assert root.evaluate(WORDS) == ["cat", "the", "sat"]
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


def test_a_screen_reader_hears_each_place_and_each_move(front):
    view, root = front
    items = view.locator("[data-reorder] > *")
    assert [node.get_attribute("aria-label") for node in items.all()] == [
        "the, 1 of 3",
        "cat, 2 of 3",
        "sat, 3 of 3",
    ]
    items.nth(2).focus()
    view.keyboard.press("ArrowLeft")
    assert view.locator(".abh-sentence [role=status]").inner_text() == "sat is now 2 of 3"
    assert [node.get_attribute("aria-label") for node in items.all()] == [
        "the, 1 of 3",
        "sat, 2 of 3",
        "cat, 3 of 3",
    ]
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


def test_by_keyboard_enter_picks_up(front):
    view, root = front
    items = view.locator("[data-reorder] > *")
    items.nth(0).press("Enter")
    items.nth(2).press("Enter")
    assert root.evaluate(WORDS) == ["cat", "sat", "the"]


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


# ---------------------------------------------------------------- lists of other shapes

SHAPES = {
    # Lines of different lengths below each other; words that wrap into several rows.
    "column": (["x = 1", "def attend(q, k, v):", "  return softmax(q @ k.T) @ v", "", "print(x)"], True, 700),
    "rows": (["one", "two", "three", "four", "seventeen", "six", "seven"], False, 210),
}


def parts(name):
    """A module's text after all that it imports, each once."""
    below = [part for other in imports(name) for part in parts(other)]
    return list(dict.fromkeys([*below, name]))


def page_of(items, column, width):
    """A page with a list alone, on a figure that only keeps its state."""
    modules = "\n".join(map(module_source, parts("draw/reorder")))
    return f"""<!DOCTYPE html><html lang="en"><title>t</title><link rel="icon" href="data:,">
    <style>{stylesheet()}</style>
    <main><div class="abh" data-explorable="List" style="width: {width}px"></div></main><script type="module">
    {modules}
    const root = document.querySelector(".abh"), updates = [];
    let state = {{ order: {list(range(len(items)))} }};
    const fig = {{ root, state: () => state, markInteracted() {{}}, control: () => ({{ label: "Lines" }}),
      onReset: [], add: (update) => updates.push(update),
      set(changes) {{ state = {{ ...state, ...changes }}; for (const update of updates) update(null, state); }} }};
    const [items, column] = {json.dumps([items, column])};
    const list = reorder(fig, {{ key: "order", items, column }});
    root.append(list.el, list.said);
    fig.set({{}});
    window.arrange = (order) => fig.set({{ order }});
    </script></html>"""


def stands(hand, view, order):
    """Where the items stand in an order."""
    view.evaluate("order => arrange(order)", order)
    return [(item["x"], item["y"]) for item in hand.ask("look", 0, "list", "order")["items"]]


@pytest.mark.parametrize("shape", SHAPES)
def test_each_item_goes_to_each_place(windows, take, tmp_path, shape):
    """Dragged to where it stands when the list is in that order, and let go; then it comes back the same way."""
    items, column, width = SHAPES[shape]
    visitor = Visitor(windows, "")
    view = visitor.html(page_of(items, column, width), tmp_path, wait=False)
    view.goto(view.address)
    view.wait_for_selector("[data-reorder] > *")
    hand, root = take(Mouse, view), view.query_selector(".abh")
    home = root.evaluate(WORDS)
    assert home == items
    first, went = list(range(len(items))), 0
    for start in first:
        others = [other for other in first if other != start]
        orders = [[*others[:end], start, *others[end:]] for end in first]
        spots = [stands(hand, view, order)[end] for end, order in enumerate(orders)]
        view.evaluate("order => arrange(order)", first)
        for end in others:
            if spots.count(spots[end]) > 1:
                continue  # at the end of a row or at the start of the next one: it stands in the same spot
            for a, b, then in ((start, end, orders[end]), (end, start, first)):
                hand.go(
                    beside(spots[a]), beside(spots[b]), steps=1 if (a + b) % 2 else 4
                )  # a flick, or a slow hand
                hand.up()
                wanted = [home[item] for item in then]
                assert root.evaluate(WORDS) == wanted, f"{home[start]!r} from {a} to {b}"
                went += 1
                if b == end and spots.count(spots[start]) > 1:
                    view.evaluate("order => arrange(order)", first)
                    break
    assert went > len(items)
    assert visitor.leave() == []
