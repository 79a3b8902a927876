"""Code in order, as a reader does it: right and wrong, by keyboard. Drags: test_gestures.py."""

import pytest

from attn.explore import CodeInOrder
from attn.practice.arrangements import IDLE
from attn.practice.programs import PROGRAMS
from tests.browser import book
from tests.browser.exercises import TRIED

NAME = "order.causal-attention"
PROGRAM = PROGRAMS[NAME]
OWN, N = list(range(len(PROGRAM.lines))), len(PROGRAM.all_lines)
WRONG = list(range(len(PROGRAM.lines), N))
SOLVED = [*OWN, N, *WRONG]
TEXTS = [*PROGRAM.all_lines.values(), PROGRAM.foot]
LATE, UPSIDE, ADDED = (list(PROGRAM.all_lines).index(key) for key in ("late", "upside", "added"))


@pytest.fixture
def task(mount):
    """Mount an exercise in an order: the page, and the exercise."""

    def make(order=None):
        view = mount([CodeInOrder(NAME, order=order)], width=390, height=844)
        return view, view.locator("[data-exercise]")

    return make


def stands(exercise):
    """The texts of the lines, in their order."""
    return exercise.locator("[data-reorder] > *").all_text_contents()


def said(exercise):
    return exercise.get_attribute("data-state"), exercise.locator("[data-hint]").inner_text()


def check(exercise):
    exercise.locator("[data-action=check]").click()
    return said(exercise)


def test_by_keyboard_from_the_first_state_to_the_solution(task):
    """Nothing is said before somebody asks; a link brings an order, and none that is no order."""
    view, exercise = task()
    assert said(exercise) == ("open", "")
    assert exercise.locator("[data-action=help]").is_hidden()
    for place, line in enumerate(SOLVED):
        at = stands(exercise).index(TEXTS[line])
        exercise.locator("[data-reorder] > *").nth(at).focus()
        for _ in range(at - place):
            view.keyboard.press("ArrowUp")
    assert stands(exercise) == [TEXTS[line] for line in SOLVED]
    exercise.locator("[data-action=check]").focus()
    view.keyboard.press("Enter")
    assert said(exercise)[0] == "right"
    assert exercise.locator(".abh-status").get_attribute("data-lamp") == "1"
    view.locator("[data-action=reset]").click()
    assert stands(exercise) != [TEXTS[line] for line in SOLVED]
    assert exercise.locator(".abh-status").get_attribute("data-lamp") == "0"
    for order in (SOLVED, [0] * (N + 1)):
        view.evaluate(f"() => probe.follow('#state=CodeInOrder&order={','.join(map(str, order))}')")
        assert stands(exercise) == [TEXTS[line] for line in SOLVED]


def test_a_line_is_moved_below_return_and_left_out(task):
    """All is right but for a needless line, the last but one: it goes below `return`. By hand: test_gestures.py."""
    order = [*OWN, ADDED, N, *(line for line in WRONG if line != ADDED)]
    _, exercise = task(order)
    assert check(exercise) == ("wrong", f"Line 6 is idle. {book.as_shown(IDLE)}")
    exercise.locator("[data-reorder] > *").nth(5).press("ArrowDown")
    assert said(exercise) == ("open", "")  # what was said is no longer of this order
    assert stands(exercise)[5:7] == [PROGRAM.foot, PROGRAM.all_lines["added"]]
    assert check(exercise)[0] == "right"


def test_a_screen_reader_hears_where_a_line_stands(task):
    view, exercise = task(SOLVED)
    items = exercise.locator("[data-reorder] > *")
    assert items.nth(1).get_attribute("aria-label") == f"{TEXTS[1]}, line 2"
    assert items.nth(len(OWN)).get_attribute("aria-label") == f"{PROGRAM.foot}, the end of the program"
    assert items.nth(N).get_attribute("aria-label") == f"{TEXTS[WRONG[-1]]}, left out"
    items.nth(len(OWN) + 1).focus()
    view.keyboard.press("ArrowUp")
    heard = exercise.locator(".abh-unseen[role=status]").inner_text()
    assert heard == f"{TEXTS[WRONG[0]]} is now line {len(OWN) + 1}"


def test_help_comes_after_two_checks_and_leaves_out_one_wrong_line_after_another(task):
    view, exercise = task([UPSIDE, *OWN, LATE, N, ADDED])
    check(exercise)
    check(exercise)  # the same order: no second try
    help_ = exercise.locator("[data-action=help]")
    assert help_.is_hidden()
    exercise.locator("[data-reorder] > *").nth(1).press("ArrowDown")
    check(exercise)
    assert view.evaluate(TRIED)[NAME]["tries"] == 2
    help_.click()
    assert stands(exercise)[-1] == TEXTS[UPSIDE]
    assert help_.is_hidden()  # until the next check
    assert check(exercise)[0] == "wrong"
    help_.click()
    assert set(stands(exercise)[-3:]) == {TEXTS[line] for line in (LATE, UPSIDE, ADDED)}
    check(exercise)
    assert help_.is_hidden()  # there is no wrong line left in the program
    view.locator("[data-action=reset]").click()
    exercise.locator("[data-reorder] > *").nth(1).press("ArrowDown")
    check(exercise)
    assert help_.is_hidden()  # the first wrong check again
