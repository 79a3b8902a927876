"""Exercises by hand in a real browser: typed by keyboard and by finger, right and wrong, on a phone, on paper."""

import json
import re

import numpy as np
import pytest

from attn._numbers import number
from attn.explore.practice.by_hand import BY_HAND
from attn.practice.exercise import EDGE
from attn.practice.mistakes import worked
from tests.browser import book
from tests.browser.axe import all_violations
from tests.browser.conftest import dress

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
EXERCISE, HINT = "[data-exercise]", "[data-hint]"
KEPT = "() => JSON.parse(localStorage.getItem('attention-by-hand:practice') ?? '{}').exercises ?? {}"
NAMES = pytest.mark.parametrize("name", BY_HAND)
ATTENTION = BY_HAND["AttentionByHand"]


def texts(values):
    return [f"{value:.2f}" for value in values.ravel().tolist()]


def fields(view, step):
    return view.locator(f'input[data-answer^="{step}."]')


def typed(view, step, answer, end="Enter"):
    """Type numbers into the cells of a step by keyboard alone, one after the other."""
    fields(view, step).first.focus()
    for place, text in enumerate(answer):
        view.keyboard.press("Control+a")
        view.keyboard.type(text)
        if place < len(answer) - 1:
            view.keyboard.press("Tab")
    view.keyboard.press(end)


def marked(view):
    return view.locator('input[aria-invalid="true"]').evaluate_all(
        "all => all.map((one) => one.dataset.answer)"
    )


def state(view):
    return view.locator(EXERCISE).get_attribute("data-state")


def focused(view):
    return view.evaluate(
        "document.activeElement.dataset.answer ?? document.activeElement.dataset.action ?? ''"
    )


@NAMES
def test_an_exercise_is_solved_by_keyboard_step_by_step(mount, name):
    """From the first step to the last: each opens the next, whose givens are the right numbers."""
    kind = BY_HAND[name]
    view = mount([kind(missing=len(kind.steps))], **PHONE)
    known = kind.known(0)
    view.evaluate("localStorage.clear()")
    for place, step in enumerate(kind.steps):
        assert state(view) == "open"
        states = view.locator("[data-step]").evaluate_all("all => all.map((one) => one.dataset.state)")
        assert states == ["right"] * place + ["open"] + ["waiting"] * (len(kind.steps) - place - 1)
        for later in kind.steps[place + 1 :]:
            assert fields(view, later.name).first.is_disabled()
        if place:
            assert focused(view) == f"{step.name}.0.0", "the next step has the focus"
        typed(view, step.name, texts(known[step.name]), end="Tab" if place % 2 else "Enter")
        assert view.locator(HINT).inner_text() == ""
        shown = view.locator(f'[data-matrix="{step.name}"] td[data-value]').evaluate_all(
            "cells => cells.map((cell) => Number(cell.dataset.value))"
        )
        assert shown == pytest.approx(known[step.name].ravel().tolist(), abs=1e-12)
        read = view.locator(f'[data-matrix="{step.name}"] td[data-value]').all_inner_texts()
        assert [float(text.replace("−", "-")) for text in read] == pytest.approx(shown, abs=0.0005 + 1e-9)
    assert state(view) == "right"
    assert "Solved." in view.locator(".abh-hand-done").inner_text()
    assert view.locator(".abh-status").inner_text() == "✓"
    assert focused(view) == "new-numbers"
    kept = view.evaluate(KEPT)
    name = f"by-hand.{kind.topic}"
    assert kept[name]["passed"] is True
    assert kept[name]["tries"] == 1
    assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")


@NAMES
def test_a_known_mistake_gets_its_hint_on_the_page(mount, name):
    """The last step, all of its mistakes one after the other."""
    kind = BY_HAND[name]
    view, known, step = mount([kind()], **PHONE), kind.known(0), kind.steps[-1]
    for name, mistake in step.mistakes.items():
        wrong = texts(worked(mistake.function, known))
        typed(view, step.name, wrong)
        said = view.locator(HINT).inner_text()
        assert said.startswith("Not yet. "), name
        assert book.as_shown(mistake.hint) in said, name
        assert state(view) == "open"
        off = np.abs(worked(mistake.function, known).round(2) - known[step.name]) > step.tolerance + EDGE
        assert marked(view) == [f"{step.name}.{i}.{j}" for i, j in np.argwhere(off)], "from the first try on"
        numbers = {f"{known[step.name][cell]:.2f}" for cell in map(tuple, np.argwhere(off))} - set(wrong)
        assert not numbers & set(re.findall(r"[\d.]+\d", said)), "the number itself isn't told"
    typed(view, step.name, texts(known[step.name]))
    assert state(view) == "right"
    assert view.locator(HINT).count() == 0 or view.locator(HINT).inner_text() == ""


def test_help_grows_with_each_wrong_try(mount):
    """First what leads there, then which cell, then the step itself: which counts as not solved."""
    view = mount([ATTENTION()], **PHONE)
    view.evaluate("localStorage.clear()")
    known, show = ATTENTION.known(0), view.locator('[data-action="show-step"]')
    right = texts(known["output"])
    tries = [[right[0], "39"], [right[0], "38"], [right[0], "37"]]
    typed(view, "output", tries[0])
    hint = view.locator(HINT)
    remind = f"Not yet. {right[0]} is right. {ATTENTION.steps[-1].remind}"
    assert hint.inner_text() == remind
    assert marked(view) == ["output.0.1"]
    assert view.locator("input[data-right]").evaluate_all("all => all.map((one) => one.dataset.answer)") == [
        "output.0.0"
    ]
    assert hint.get_attribute("aria-live") == "polite"
    assert not show.is_visible()
    view.keyboard.press("Enter")  # the same again is no other try
    assert hint.inner_text() == remind
    typed(view, "output", tries[1])
    assert hint.inner_text() == f"{remind} Look at sat, column 2."
    assert marked(view) == ["output.0.1"]
    assert not show.is_visible()
    typed(view, "output", tries[2])
    assert show.is_visible()
    show.click()
    assert state(view) == "open"
    assert "with a step shown" in view.locator(".abh-hand-done").inner_text()
    kept = view.evaluate(KEPT)
    assert kept["by-hand.attention"]["passed"] is False
    assert kept["by-hand.attention"]["tries"] == 3
    assert list(kept) == ["by-hand.attention"]


@NAMES
def test_the_second_time_the_cells_are_named(mount, name):
    """Each by its row and its column, as far as these have names."""
    kind = BY_HAND[name]
    view, step = mount([kind()], **PHONE), kind.steps[-1]
    known = kind.known(0)[step.name]
    cells = [divmod(place, known.shape[1]) for place in range(known.size)][:2]
    names = [[step.rows[i], step.cols[j]] for i, j in cells]
    said = [
        ", ".join(
            f"column {one}" if column and one.isdigit() else one for column, one in enumerate(pair) if one
        )
        for pair in names
    ]
    for far in (30, 31):
        wrong = known.copy()
        for i, j in cells:
            wrong[i, j] += far
        typed(view, step.name, texts(wrong))
    between = "; " if any(all(pair) for pair in names) else ", "
    told = f" Look at {between.join(said)}." if known.size > 1 else ""
    said = view.locator(HINT).inner_text()
    assert said.startswith("Not yet. ")
    assert said.endswith(f"{book.as_shown(step.remind)}{book.as_shown(told)}")


@NAMES
def test_reset_help_and_what_was_shown_at_each_step(mount, name):
    """At every step: three wrong tries bring help, a step that was shown is not solved, and Reset clears it all."""
    kind = BY_HAND[name]
    view = mount([kind(missing=len(kind.steps))], **PHONE)
    known, show = kind.known(0), view.locator('[data-action="show-step"]')

    def wrong(step):
        assert not show.is_visible(), "help waits for the third wrong try"
        for far in (71, 72, 73):
            typed(view, step.name, texts(known[step.name] + far))
        assert show.is_visible()

    def as_new():
        view.locator('[data-action="reset"]').click()
        states = view.locator("[data-step]").evaluate_all("all => all.map((one) => one.dataset.state)")
        assert states == ["open"] + ["waiting"] * (len(kind.steps) - 1)
        assert state(view) == "open"
        assert view.locator(".abh-hand-done").inner_text() == ""
        assert view.locator("[data-lamp='1']").count() == 0
        assert view.locator(HINT).inner_text() == ""
        assert not show.is_visible()
        assert {field.input_value() for field in view.locator("input[data-answer]").all()} == {""}
        assert marked(view) == []
        assert view.locator("input[data-right]").count() == 0

    for place in range(len(kind.steps)):
        view.evaluate("localStorage.clear()")
        for earlier in kind.steps[:place]:
            typed(view, earlier.name, texts(known[earlier.name]))
        wrong(kind.steps[place])
        as_new()  # in the midst of a step
        for step in kind.steps:
            if step is kind.steps[place]:
                wrong(step)
                show.click()
                said = view.locator(f'[data-step="{step.name}"]').get_attribute("data-state")
                assert said == "shown"
            else:
                typed(view, step.name, texts(known[step.name]))
        assert state(view) == "open"
        assert "with a step shown" in view.locator(".abh-hand-done").inner_text()
        assert not any(entry["passed"] for entry in view.evaluate(KEPT).values())
        assert list(view.evaluate(KEPT)) == [f"by-hand.{kind.topic}"]
        as_new()  # after what was shown
    for step in kind.steps:
        typed(view, step.name, texts(known[step.name]))
    assert state(view) == "right"
    as_new()  # after it was solved
    view.evaluate("localStorage.clear()")


def test_an_empty_cell_and_an_unreadable_one_are_no_wrong_answers(mount):
    view = mount([ATTENTION()], **PHONE)
    view.evaluate("localStorage.clear()")
    check, hint = view.locator('[data-action="check"]'), view.locator(HINT)
    check.click()
    assert hint.inner_text() == "Fill the cells first."
    fields(view, "output").first.fill("1")
    check.click()
    assert hint.inner_text() == "A cell is still empty."
    assert focused(view) == "output.0.1"
    view.keyboard.type("two")
    view.keyboard.press("Enter")
    assert hint.inner_text() == "“two” is no number that can be read here. Write 0.33, 1/3 or −2."
    assert view.evaluate(KEPT) == {}


def test_a_finger_types_a_minus_and_a_fraction(mount):
    """The decimal keys of a phone have neither: two keys of the figure's own, which leave the cell its focus."""
    kind = BY_HAND["OddsByHand"]
    view, known = mount([kind(missing=3)], **PHONE), kind.known(0)
    first = fields(view, "gaps").first
    assert first.get_attribute("inputmode") == "decimal"
    first.tap()
    assert focused(view) == "gaps.0.0"
    text = str(int(known["gaps"][0, 0]))
    first.evaluate("field => field.addEventListener('blur', () => { window.left = true; })")
    view.keyboard.type(text)
    sign, bar = view.get_by_label("Change the sign"), view.get_by_label("Fraction bar")
    sign.tap()
    assert first.input_value() == f"−{text}"
    sign.tap()
    assert (first.input_value(), focused(view)) == (text, "gaps.0.0")
    sign.dispatch_event("mousedown")
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


def test_arrows_move_between_cells(mount):
    view = mount([BY_HAND["PmiByHand"](missing=2)])
    view.locator('input[data-answer="ratios.0.0"]').focus()
    for key, place in (("ArrowRight", "0.1"), ("ArrowDown", "1.1"), ("ArrowLeft", "1.0"), ("ArrowUp", "0.0")):
        view.keyboard.press(key)
        assert focused(view) == f"ratios.{place}"
    view.keyboard.type("12")
    view.keyboard.press("ArrowLeft")
    assert focused(view) == "ratios.0.0", "within a number an arrow moves the caret"
    view.keyboard.press("ArrowLeft")
    view.keyboard.press("ArrowRight")
    assert focused(view) == "ratios.0.0"
    fields(view, "ratios").nth(1).fill("34")
    view.keyboard.press("End")
    view.keyboard.press("ArrowLeft")
    assert focused(view) == "ratios.0.1", "from the end of a number, too"
    view.keyboard.press("Home")
    view.keyboard.press("ArrowLeft")
    assert focused(view) == "ratios.0.0", "at its beginning there is nothing left to move in"


def test_help_fades_and_is_kept(mount):
    """The last step, then the last two; who comes back begins there, and may choose herself."""
    view = mount([ATTENTION()], own=True, **PHONE)
    view.evaluate("localStorage.clear()")
    missing = view.locator('input[name="missing"]')
    assert missing.input_value() == "1"
    typed(view, "output", texts(ATTENTION.known(0)["output"]))
    view.locator('[data-action="new-numbers"]').click()
    assert missing.input_value() == "2"
    assert view.locator(EXERCISE).get_attribute("data-seed") == "1"
    assert state(view) == "open"
    assert fields(view, "weights").count() == 3
    view.reload()
    view.wait_for_selector("[data-ready]")
    assert missing.input_value() == "2"
    assert missing.get_attribute("aria-valuetext") == "the last two steps"
    missing.focus()
    view.keyboard.press("ArrowLeft")
    typed(view, "output", texts(ATTENTION.known(0)["output"]))
    view.locator('[data-action="new-numbers"]').click()
    assert missing.input_value() == "1", "what the reader chose stays"
    view.evaluate("localStorage.clear()")


def test_new_numbers_go_through_all_and_begin_again(mount):
    view = mount([ATTENTION(seed=199)])
    again = view.locator('[data-action="new-numbers"]')
    fields(view, "output").first.fill("5")
    again.click()
    assert view.locator(EXERCISE).get_attribute("data-seed") == "0"
    assert fields(view, "output").first.input_value() == ""
    shown = view.locator('[data-matrix="v"] td').evaluate_all(
        "all => all.map((one) => Number(one.dataset.value))"
    )
    assert shown == ATTENTION.known(0)["v"].ravel().tolist()


def test_where_nothing_can_be_kept_it_works_the_same(mount):
    """Storage refused, as in some private windows: solved, one step more next time, and nothing on the console."""
    view = mount([ATTENTION()], own=True, wait=False)
    view.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    view.goto(view.address)
    view.wait_for_selector("[data-ready]")
    typed(view, "output", texts(ATTENTION.known(0)["output"]))
    assert state(view) == "right"
    view.locator('[data-action="new-numbers"]').click()
    assert view.locator('input[name="missing"]').input_value() == "2"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_in_the_midst_of_it_axe_finds_nothing(mount, dark):
    """A wrong answer with its hint and marks, and steps that wait."""
    view = mount([BY_HAND["PmiByHand"](missing=5)], dark=dark, **PHONE)
    for value in ("1", "2", "3"):
        typed(view, "skies", [value, "1"])
    assert view.locator('[data-action="show-step"]').is_visible()
    assert all_violations(view) == []


def test_all_of_them_fit_a_small_phone(mount):
    view = mount([kind(missing=len(kind.steps)) for kind in BY_HAND.values()], width=360, height=640)
    assert view.evaluate("document.documentElement.scrollWidth") == 360
    wide = view.evaluate(
        """[...document.querySelectorAll('.abh-hand .abh-matrix')]
          .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.innerText)"""
    )
    assert wide == []


@pytest.mark.parametrize("width", [360, 390])
def test_what_is_looked_up_is_a_table_that_fits(mount, width):
    """Each number below what it is of, and none cut off."""
    kinds = [kind for kind in BY_HAND.values() if kind.aid]
    view = mount([kind() for kind in kinds], width=width, height=844)
    for place, kind in enumerate(kinds):
        table = view.locator("dl").nth(place)
        shown = table.locator("div").evaluate_all(
            "all => all.map((one) => [...one.children].map((node) => node.lastChild.textContent))"
        )
        assert shown == [[book.as_shown(of), *map(number, values)] for of, values in kind.aid.entries]
        assert table.evaluate("node => node.scrollWidth <= node.clientWidth")
        assert table.evaluate("node => Number.parseFloat(getComputedStyle(node).fontSize)") >= 13
        lower = "one => one.lastChild.getBoundingClientRect().top >= one.firstChild.getBoundingClientRect().bottom - 1"
        assert all(table.locator("div").evaluate_all(f"all => all.map({lower})"))


def test_no_label_has_a_bare_underscore(mount):
    """d with a small k, as formulas have it; spoken, d k."""
    view = mount([kind(missing=len(kind.steps)) for kind in BY_HAND.values()])
    assert "_" not in "".join(view.locator("[data-exercise]").all_inner_texts())
    spoken = view.locator("[data-exercise] [aria-label]").evaluate_all(
        "all => all.map((node) => node.getAttribute('aria-label'))"
    )
    assert not [text for text in spoken if "_" in text]
    variance = view.locator('[data-exercise="by-hand.variance"]')
    assert (
        variance.locator(".abh-chip em", has_text="dk").first.evaluate("em => em.innerHTML")
        == "d<sub>k</sub>"
    )


def test_on_paper_it_is_a_worksheet(mount):
    """All steps with their cells to write into, and nothing to press."""
    view = mount([ATTENTION(missing=4)], own=True)
    dress(view, media="print")
    for step in ATTENTION.steps:
        assert view.get_by_text(book.as_shown(step.says)[:20]).first.is_visible()
        assert fields(view, step.name).first.is_visible()
    assert view.locator("button:visible, input[type=range]:visible").count() == 0


def test_a_link_brings_numbers_and_level(mount):
    """So that a class works on the same ones: the state is in the link that Share gives; no answer is."""
    view = mount([ATTENTION()], own=True)
    view.goto(f"{view.address}#state=AttentionByHand&seed=42&missing=3")
    view.reload()
    view.wait_for_selector("[data-ready]")
    assert view.locator(EXERCISE).get_attribute("data-seed") == "42"
    shown = view.locator('[data-matrix="q"] td').evaluate_all(
        "all => all.map((one) => Number(one.dataset.value))"
    )
    assert json.loads(json.dumps(shown)) == ATTENTION.known(42)["q"].ravel().tolist()
    assert fields(view, "scores").count() == 3
