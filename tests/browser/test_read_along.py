"""A text of the reader's own: typing keeps the caret, what the model can't read is told, letters follow the hand."""

import pytest

from attn.explore import ReadAlong
from tests.browser.chromium_hands import Finger, Mouse


@pytest.fixture
def typing(mount):
    """The page, the figure and its field."""
    view = mount([ReadAlong()], width=900, height=900)
    root = view.locator("[data-explorable]")
    return view, root, root.locator("input[name=text]")


def asking(root):
    return root.locator(".abh-letter-asks").evaluate("cell => Number(cell.dataset.col)")


def shown(root):
    return "".join(root.locator(".abh-letter").all_inner_texts()).replace("_", " ")


def caret(field):
    return field.evaluate("node => node.selectionStart")


def test_typing_in_the_middle_keeps_the_caret(typing):
    view, root, field = typing
    field.click()
    view.keyboard.press("Home")
    for count, letter in enumerate("now ", 1):
        view.keyboard.press("Space" if letter == " " else letter)
        assert caret(field) == count
        assert asking(root) == count - 1  # who was typed last asks
    assert shown(root) == field.input_value() == "now the question is why"
    view.keyboard.press("Shift+Z")  # a capital is read as a small letter, and stays as it was typed
    assert field.input_value() == "now Zthe question is why"
    assert shown(root) == "now zthe question is why"
    assert caret(field) == 5
    view.keyboard.press("Backspace")
    view.keyboard.press("Backspace")
    assert caret(field) == 3
    assert shown(root) == "nowthe question is why"


def test_what_it_cannot_read_is_told_and_the_figure_stays(typing):
    view, root, field = typing
    hint, before = root.locator(".abh-typed-hint"), shown(root)
    field.click()
    view.keyboard.press("End")
    for text, wrong, says in [
        ("why 5", True, "small letters, the apostrophe and the space, and not “5”"),
        ("é", True, "not “é”"),
        ("w", True, "Type 2 letters or more."),
        ("it's so", False, ""),
    ]:
        field.fill(text)
        assert field.input_value() == text
        assert says in hint.inner_text()
        assert (field.get_attribute("aria-invalid") == "true") == wrong
        if wrong:
            assert shown(root) == before
    assert hint.inner_text() == ""
    assert shown(root) == "it's so"
    field.fill("12")
    root.locator("[data-action=reset]").click()
    assert field.input_value() == before == shown(root)
    assert hint.inner_text() == ""


def test_the_field_takes_no_more_than_is_read(typing):
    """39 letters were taken, the first 24 read, the last shown."""
    view, root, field = typing
    field.fill("")
    field.press_sequentially("abcdefghijklmnopqrstuvwxyz" + 13 * "a")
    assert field.input_value() == shown(root) == "abcdefghijklmnopqrstuvwx"
    assert "all that it takes: 24 letters" in root.locator(".abh-typed-hint").inner_text()
    view.keyboard.press("Backspace")
    assert root.locator(".abh-typed-hint").inner_text() == ""


@pytest.mark.parametrize("kind", [Mouse, Finger])
def test_letters_follow_the_hand(mount, take, kind):
    """A tap lets a letter ask; a move goes on from letter to letter, also across lines; Escape puts it back."""
    screen = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
    view = mount([ReadAlong()], **(screen if kind is Finger else {"width": 900, "height": 900}))
    root, hand = view.locator("[data-explorable]"), take(kind, view)
    boxes = [box.bounding_box() for box in root.locator(".abh-letter-cell").all()]
    places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    hand.tap(*places[3])
    hand.settle()
    assert asking(root) == 3
    assert root.locator("input[name=asks]").input_value() == "3"
    hand.go(places[3], places[8])
    hand.settle()
    assert asking(root) == 8
    hand.up()
    later = root.locator(".abh-letter-later").evaluate_all("cells => cells.map((cell) => cell.dataset.value)")
    assert later == ["0"] * 10
    if kind is Mouse:
        hand.go(places[8], places[15])
        hand.settle()
        assert asking(root) == 15
        hand.key("Escape")
        assert asking(root) == 8
        hand.up()
