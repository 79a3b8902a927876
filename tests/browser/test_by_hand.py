"""Exercises by hand in a real browser: typed by keyboard and by finger, right and wrong."""

import pytest

from attn._numbers import number
from attn.explore.practice.by_hand import BY_HAND
from tests.browser import book
from tests.browser.exercises import TRIED, fields, reopen, texts, type_in

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
HINT = "[data-hint]"
NAMES = pytest.mark.parametrize("name", BY_HAND)
ATTENTION = BY_HAND["AttentionByHand"]


def marked(view):
    return view.locator('input[aria-invalid="true"]').evaluate_all(
        "all => all.map((one) => one.dataset.answer)"
    )


def state(view):
    return view.locator("[data-exercise]").get_attribute("data-state")


def step_states(view):
    return view.locator("[data-step]").evaluate_all("all => all.map((one) => one.dataset.state)")


def focused(view):
    return view.evaluate(
        "document.activeElement.dataset.answer ?? document.activeElement.dataset.action ?? ''"
    )


def given(view, name):
    return view.locator(f'[data-matrix="{name}"] td[data-value]').evaluate_all(
        "cells => cells.map((cell) => Number(cell.dataset.value))"
    )


@NAMES
def test_an_exercise_is_solved_by_keyboard_step_by_step(mount, name):
    """From the first step to the last: each opens the next, whose givens are the right numbers."""
    kind = BY_HAND[name]
    view = mount([kind(missing=len(kind.steps))], **PHONE)
    known = kind.known(0)
    for place, step in enumerate(kind.steps):
        assert state(view) == "open"
        assert step_states(view) == ["right"] * place + ["open"] + ["waiting"] * (len(kind.steps) - place - 1)
        for later in kind.steps[place + 1 :]:
            assert fields(view, later.name).first.is_disabled()
        if place:
            assert focused(view) == f"{step.name}.0.0", "the next step has the focus"
        type_in(view, step.name, texts(known[step.name]), end="Tab" if place % 2 else "Enter")
        assert view.locator(HINT).inner_text() == ""
        shown = given(view, step.name)
        assert shown == pytest.approx(known[step.name].ravel().tolist(), abs=1e-12)
        read = view.locator(f'[data-matrix="{step.name}"] td[data-value]').all_inner_texts()
        assert [float(text.replace("−", "-")) for text in read] == pytest.approx(shown, abs=0.0005 + 1e-9)
    assert state(view) == "right"
    assert view.locator("[data-lamp='1']").count() == 1
    assert focused(view) == "new-numbers"
    kept = view.evaluate(TRIED)[f"by-hand.{kind.topic}"]
    assert (kept["passed"], kept["tries"]) == (True, 1)


def test_help_grows_with_each_wrong_try(mount):
    """First what leads there, then which cell, then the step itself: which counts as not solved."""
    view = mount([ATTENTION()], **PHONE)
    right, show, hint = (
        texts(ATTENTION.known(0)["output"]),
        view.locator('[data-action="show-step"]'),
        view.locator(HINT),
    )
    type_in(view, "output", [right[0], "39"])
    remind = f"{right[0]} is right. {ATTENTION.steps[-1].remind}"
    first = hint.inner_text()
    assert first.endswith(remind)
    assert marked(view) == ["output.0.1"]
    assert view.locator("input[data-right]").get_attribute("data-answer") == "output.0.0"
    assert hint.get_attribute("aria-live") == "polite"
    view.keyboard.press("Enter")  # the same again is no other try
    assert hint.inner_text() == first
    type_in(view, "output", [right[0], "38"])
    assert hint.inner_text() == f"{first} Look at sat, column 2."
    assert not show.is_visible()
    type_in(view, "output", [right[0], "37"])
    show.click()
    assert state(view) == "open"
    kept = view.evaluate(TRIED)
    assert [(name, one["passed"], one["tries"]) for name, one in kept.items()] == [
        ("by-hand.attention", False, 3)
    ]


@NAMES
def test_reset_clears_help_and_what_was_shown(mount, name):
    """In the midst of a step, and after one was shown: then the exercise is not solved; and the next time it can be."""
    kind = BY_HAND[name]
    view = mount([kind(missing=len(kind.steps))], **PHONE)
    known, show = kind.known(0), view.locator('[data-action="show-step"]')

    def get_wrong(step):
        assert not show.is_visible(), "help waits for the third wrong try"
        for far in (71, 72, 73):
            type_in(view, step.name, texts(known[step.name] + far))
        assert show.is_visible()

    def reset():
        view.locator('[data-action="reset"]').click()
        assert step_states(view) == ["open"] + ["waiting"] * (len(kind.steps) - 1)
        assert view.locator("[data-lamp='1'], input[data-right], input[aria-invalid=true]").count() == 0
        assert (state(view), view.locator(".abh-hand-done").inner_text()) == ("open", "")
        assert view.locator(HINT).inner_text() == ""
        assert not show.is_visible()
        assert {field.input_value() for field in view.locator("input[data-answer]").all()} == {""}

    last = kind.steps[-1]
    get_wrong(kind.steps[0])
    reset()
    for step in kind.steps[:-1]:
        type_in(view, step.name, texts(known[step.name]))
    get_wrong(last)
    show.click()
    assert step_states(view)[-1] == "shown"
    assert state(view) == "open"
    assert not any(entry["passed"] for entry in view.evaluate(TRIED).values())
    reset()
    for step in kind.steps:
        type_in(view, step.name, texts(known[step.name]))
    assert state(view) == "right"
    reset()


def test_an_empty_cell_and_an_unreadable_one_are_no_wrong_answers(mount):
    view = mount([ATTENTION()], **PHONE)
    check, hint = view.locator('[data-action="check"]'), view.locator(HINT)
    check.click()
    fields(view, "output").first.fill("1")
    check.click()
    assert hint.inner_text()
    assert focused(view) == "output.0.1"
    view.keyboard.type("two")
    view.keyboard.press("Enter")
    assert "“two”" in hint.inner_text()
    assert view.evaluate(TRIED) == {}


def test_a_finger_types_a_minus_and_a_fraction(mount):
    """The decimal keys of a phone have neither: two keys of the figure's own, which leave the cell its focus."""
    kind = BY_HAND["OddsByHand"]
    view, known = mount([kind(missing=3)], **PHONE), kind.known(0)
    first = fields(view, "gaps").first
    assert first.get_attribute("inputmode") == "decimal"
    first.tap()
    text = str(int(known["gaps"][0, 0]))
    first.evaluate("field => field.addEventListener('blur', () => { window.left = true; })")
    view.keyboard.type(text)
    sign, bar = view.get_by_label("Change the sign"), view.get_by_label("Fraction bar")
    sign.tap()
    assert first.input_value() == f"−{text}"
    sign.tap()
    assert (first.input_value(), focused(view)) == (text, "gaps.0.0")
    for _ in range(2):
        sign.click()  # a mouse
    assert view.evaluate("window.left") is None, "or a phone would fold its keyboard away"
    bar.tap()
    view.keyboard.type("1")
    assert first.input_value() == f"{text}/1"
    fields(view, "gaps").nth(1).tap()
    view.keyboard.type(f"{2 * int(known['gaps'][0, 1])}/2")
    view.locator('[data-action="check"]').tap()
    assert view.locator('[data-step="gaps"]').get_attribute("data-state") == "right"
    for target in (sign, bar, view.locator('[data-action="check"]'), fields(view, "grown").first):
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 40


def test_arrows_move_between_cells_and_within_a_number(mount):
    view = mount([BY_HAND["PmiByHand"](missing=2)])
    view.locator('input[data-answer="ratios.0.0"]').focus()
    for key, place in (("ArrowRight", "0.1"), ("ArrowDown", "1.1"), ("ArrowLeft", "1.0"), ("ArrowUp", "0.0")):
        view.keyboard.press(key)
        assert focused(view) == f"ratios.{place}"
    view.keyboard.type("12")
    fields(view, "ratios").nth(1).fill("34")
    view.locator('input[data-answer="ratios.0.0"]').focus()
    view.keyboard.press("End")
    for key, place in [
        ("ArrowLeft", "0.0"), ("ArrowRight", "0.0"), ("ArrowRight", "0.1"), ("End", "0.1"), ("ArrowLeft", "0.1"),
        ("Home", "0.1"), ("ArrowLeft", "0.0"),
    ]:  # fmt: skip
        view.keyboard.press(key)
        assert focused(view) == f"ratios.{place}", key


def test_help_fades_and_is_kept(mount):
    """The last step, then the last two; who comes back begins there, and may choose herself."""
    view = mount([ATTENTION()], **PHONE)
    missing, again = view.locator('input[name="missing"]'), view.locator('[data-action="new-numbers"]')
    assert missing.input_value() == "1"
    type_in(view, "output", texts(ATTENTION.known(0)["output"]))
    again.click()
    assert missing.input_value() == "2"
    assert view.locator("[data-exercise]").get_attribute("data-seed") == "1"
    assert state(view) == "open"
    assert fields(view, "weights").count() == 3
    reopen(view)
    view.wait_for_function("() => document.querySelector('input[name=missing]').value === '2'")
    missing.focus()
    view.keyboard.press("ArrowLeft")
    type_in(view, "output", texts(ATTENTION.known(0)["output"]))
    again.click()
    assert missing.input_value() == "1", "what the reader chose stays"


def test_a_link_brings_numbers_and_after_the_last_ones_come_the_first(mount):
    """So that a class works on the same ones: the state is in the link that Share gives; no answer is."""
    view = mount([ATTENTION()])
    view.evaluate("probe.follow('#state=AttentionByHand&seed=39&missing=3')")
    assert view.locator("[data-exercise]").get_attribute("data-seed") == "39"
    assert given(view, "q") == ATTENTION.known(39)["q"].ravel().tolist()
    assert fields(view, "scores").count() == 3
    fields(view, "output").first.evaluate("field => { field.value = '5'; }")
    view.locator('[data-action="new-numbers"]').click()
    assert view.locator("[data-exercise]").get_attribute("data-seed") == "0"
    assert fields(view, "output").first.input_value() == ""
    assert given(view, "v") == ATTENTION.known(0)["v"].ravel().tolist()


def test_no_label_has_a_bare_underscore(mount):
    """d with a small k, as formulas have it; spoken, d k. And what is looked up stands there, number by number."""
    view = mount([kind(missing=len(kind.steps)) for kind in BY_HAND.values()])
    assert "_" not in "".join(view.locator("[data-exercise]").all_inner_texts())
    assert view.locator('[data-exercise] [aria-label*="_"]').count() == 0
    variance = view.locator('[data-exercise="by-hand.variance"] .abh-chip em', has_text="dk").first
    assert variance.inner_html() == "d<sub>k</sub>"
    shown = view.locator("dl > div").evaluate_all(
        "all => all.map((one) => [...one.children].map((node) => node.lastChild.textContent))"
    )
    aids = [kind.aid for kind in BY_HAND.values() if kind.aid]
    assert shown == [[book.as_shown(of), *map(number, values)] for aid in aids for of, values in aid.entries]
