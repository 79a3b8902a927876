"""A question gives nothing away before the reader commits, and says what is right afterwards."""

import pytest

from attn.explore import Predict
from tests.browser import book

CHOICE = {
    "options": ["two", "three", "four"],
    "solution": 1,
    "explanation": "Count the *corners*.\n\nThree `points` span it.",
}
NUMBER = {"solution": 0.25, "tolerance": 0.01, "unit": " nats", "explanation": "One quarter of the whole."}


def words(text):
    """An explanation as a reader sees it."""
    return text.replace("`", "").replace("*", "").split("\n\n")


@pytest.mark.parametrize(
    "page", [page for page in book.lively() if any(f.name == "Predict" for f in book.figures(page))]
)
def test_nothing_is_given_away(visit, page):
    view = visit(page, again=True)
    for figure in book.figures(page):
        if figure.name != "Predict":
            continue
        root = view.locator("[data-explorable]").nth(figure.index)
        for part in words(figure.state["explanation"]):
            assert part not in root.inner_text(), str(figure)
            assert part not in root.aria_snapshot(), str(figure)
            assert root.get_by_text(part).count() == 0, str(figure)
        assert root.get_attribute("data-right") == ""
        assert root.locator("[data-action=commit]").is_disabled(), f"{figure}: a commitment before an answer"


@pytest.mark.parametrize(("keys", "right"), [(["Space"], "0"), (["Space", "ArrowDown"], "1")])
def test_choice_by_keyboard(mount, keys, right):
    view = mount([Predict("How many corners?", **CHOICE)])
    root = view.locator("[data-explorable]")
    view.keyboard.press("Tab")
    for key in keys:
        view.keyboard.press(key)
    assert root.locator(".abh-result").inner_text() == ""
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    check_told(root, right, words(CHOICE["explanation"]), "three")
    ask_again(view, root)


@pytest.mark.parametrize(("typed", "right"), [("0.25", "1"), ("0.258", "1"), ("-3", "0")])
def test_number_by_keyboard(mount, typed, right):
    view = mount([Predict("How much?", **NUMBER)])
    root = view.locator("[data-explorable]")
    view.keyboard.press("Tab")
    view.keyboard.type(typed)
    view.keyboard.press("Enter")
    check_told(root, right, words(NUMBER["explanation"]), "0.25 nats")
    ask_again(view, root)


def check_told(root, right, explanation, solution):
    assert root.get_attribute("data-right") == right
    result = root.locator(".abh-result")
    for part in [*explanation, solution]:
        assert part in result.inner_text()
    assert ("Yes" in result.inner_text()) == (right == "1")
    assert result.get_attribute("role") == "status"
    assert root.locator("input").first.is_disabled()


def ask_again(view, root):
    button = root.locator("[data-action=reset]")
    button.focus()
    view.keyboard.press("Enter")
    assert root.locator(".abh-result").inner_text() == ""
    assert root.get_attribute("data-right") == ""
    assert root.locator("input").first.is_enabled()
    assert root.evaluate(
        "root => Object.values(probe.state(root)).every((value) => value === null || Number.isNaN(value))"
    )
