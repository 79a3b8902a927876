"""Code in order, as a reader does it: by mouse, finger and keyboard, on paper, and where nothing can be kept."""

import random
from types import SimpleNamespace

import pytest

from attn.explore import CodeInOrder
from attn.explore.practice.code_in_order import shuffled
from attn.practice.arrangements import judge, table_of
from attn.practice.programs import PROGRAMS
from tests.browser import book
from tests.browser.axe import all_violations
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.conftest import dress
from tests.browser.gestures import aim, calm, list_scrolls, wait
from tests.browser.stored import REFUSED, TRIED

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
NAME = "order.causal-attention"
PROGRAM = PROGRAMS[NAME]
OWN, N = list(range(len(PROGRAM.lines))), len(PROGRAM.all_lines)
WRONG = list(range(len(PROGRAM.lines), N))
SOLVED = [*OWN, N, *WRONG]


@pytest.fixture
def task(mount):
    """Mount an exercise in an order; functions that look at it."""

    def make(order=None, name=NAME, **options):
        view = mount([CodeInOrder(name, order=order)], **({"width": 390, "height": 844} | options))
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


def in_words(verdict, lines):
    """What the page says of a verdict, written a second time."""
    text, nth = book.as_shown(verdict.says), lines.index(verdict.at) + 1 if verdict.at >= 0 else 0
    return {
        "right": f"✓ {text}",
        "idle": f"Line {nth} is idle. {text}",
        "stops": f"Line {nth} can’t run. {text}",
        "other": f"It runs. {text}",
    }[verdict.kind]


def test_nothing_is_said_before_somebody_asks(task):
    _, exercise = task()
    assert said(exercise) == ("open", "")
    assert exercise.get_attribute("data-exercise") == NAME
    assert exercise.locator("[data-action=help]").is_hidden()


def test_by_keyboard_from_the_first_state_to_the_solution(task):
    view, exercise = task()
    texts = [*PROGRAM.all_lines.values(), PROGRAM.foot]
    for place, line in enumerate(SOLVED):
        at = stands(exercise).index(texts[line])
        item = exercise.locator("[data-reorder] > *").nth(at)
        item.focus()
        for _ in range(at - place):
            view.keyboard.press("ArrowUp")
    assert stands(exercise) == [texts[line] for line in SOLVED]
    exercise.locator("[data-action=check]").focus()
    view.keyboard.press("Enter")
    assert said(exercise) == ("right", "✓ It computes what was asked.")
    assert exercise.locator(".abh-status").get_attribute("data-lamp") == "1"
    assert exercise.locator(".abh-word").inner_text() == "right"
    kept = view.evaluate(TRIED)[NAME]
    assert (kept["passed"], kept["tries"]) == (True, 1)


@pytest.mark.parametrize("kind", [Mouse, Finger])
def test_a_line_is_dragged_below_return_and_left_out(task, take, kind):
    """All is right but for a needless line, the last but one: it goes below `return`."""
    late = list(PROGRAM.all_lines).index("added")
    order = [*OWN, late, N, *(line for line in WRONG if line != late)]
    view, exercise = task(order, **(PHONE if kind is Finger else {}))
    assert check(exercise) == ("wrong", in_words(judge(table_of(PROGRAM), order[:6]), order))
    assert "Line 6 is idle." in said(exercise)[1]
    hand = take(kind, view)
    items = hand.ask("look", 0, "list", "order")["items"]
    hand.go((items[5]["x"], items[5]["y"]), (items[6]["x"], items[6]["y"] + 4), rest=True)
    hand.up()
    view.wait_for_function("() => document.querySelector('[data-exercise]').dataset.state === 'open'")
    assert said(exercise) == ("open", "")  # what was said is no longer of this order
    assert stands(exercise)[5:7] == [PROGRAM.foot, PROGRAM.all_lines["added"]]
    assert check(exercise)[0] == "right"


def test_a_swipe_over_the_lines_scrolls_the_page_and_moves_none(task, take):
    """Quick or slow, and back again."""
    view, exercise = task(**PHONE)
    view.add_style_tag(content="body { padding-block: 900px !important; }")
    hand, before = take(Finger, view), stands(exercise)
    figure = SimpleNamespace(index=0, name="CodeInOrder")
    assert list(list_scrolls(hand, figure, "order")) == []
    for steps in (2, 20):
        items, top = aim(hand, figure, "list", "order")["items"], calm(hand)
        hand.swipe((items[6]["x"], items[6]["y"]), (items[6]["x"], items[6]["y"] - 200), steps=steps)
        assert wait(lambda: hand.ask("scroll")["now"], lambda now, top=top: now > top + 40) > top + 40
        calm(hand)
        assert stands(exercise) == before
        assert exercise.locator("[aria-pressed=true]").count() == 0


def test_two_taps_move_a_line(task, take):
    view, exercise = task([1, 0, *OWN[2:], N, *WRONG], **PHONE)
    hand = take(Finger, view)
    for place in (0, 1):
        item = hand.ask("look", 0, "list", "order")["items"][place]
        hand.tap(item["x"], item["y"])
        hand.settle()
    assert stands(exercise)[:2] == list(PROGRAM.lines.values())[:2]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_page_says_what_python_says(mount, name):
    """In some orders, drawn and nearly right."""
    program, rng = PROGRAMS[name], random.Random(name)
    n, own = len(program.all_lines), list(range(len(program.lines)))
    orders = [[*own, n, *range(len(own), n)]]
    for _ in range(3):
        first = own.copy()
        first.insert(rng.randint(0, len(own)), rng.randrange(len(own), n))
        orders.append([*first, n, *(line for line in range(n) if line not in first)])
        orders.append(rng.sample(range(n + 1), n + 1))
    view = mount([CodeInOrder(name, order=order) for order in orders], width=390, height=844)
    for order, exercise in zip(orders, view.locator("[data-exercise]").all(), strict=True):
        lines = order[: order.index(n)]
        verdict = judge(table_of(program), lines)
        assert check(exercise) == ("right" if verdict.right else "wrong", in_words(verdict, lines))


def test_a_screen_reader_hears_where_a_line_stands(task):
    view, exercise = task(SOLVED)
    items = exercise.locator("[data-reorder] > *")
    texts = list(PROGRAM.all_lines.values())
    assert items.nth(1).get_attribute("aria-label") == f"{texts[1]}, line 2"
    assert items.nth(len(OWN)).get_attribute("aria-label") == f"{PROGRAM.foot}, the end of the program"
    assert items.nth(N).get_attribute("aria-label") == f"{texts[WRONG[-1]]}, left out"
    items.nth(len(OWN) + 1).focus()
    view.keyboard.press("ArrowUp")
    assert (
        exercise.locator(".abh-unseen[role=status]").inner_text()
        == f"{texts[WRONG[0]]} is now line {len(OWN) + 1}"
    )


def test_help_comes_after_two_checks_and_leaves_out_one_wrong_line_after_another(task):
    late, upside, added = (list(PROGRAM.all_lines).index(key) for key in ("late", "upside", "added"))
    order = [upside, *OWN, late, N, added]
    view, exercise = task(order)
    check(exercise)
    check(exercise)  # the same order: no second try
    texts = [*PROGRAM.all_lines.values(), PROGRAM.foot]
    help_ = exercise.locator("[data-action=help]")
    assert help_.is_hidden()
    exercise.locator("[data-reorder] > *").nth(1).press("ArrowDown")
    check(exercise)
    assert view.evaluate(TRIED)[NAME]["tries"] == 2
    help_.click()
    assert stands(exercise)[-1] == texts[upside]
    assert help_.is_hidden()  # until the next check
    assert check(exercise)[0] == "wrong"
    help_.click()
    assert set(stands(exercise)[-3:]) == {texts[line] for line in (late, upside, added)}
    check(exercise)
    assert help_.is_hidden()  # there is no wrong line left in the program


@pytest.mark.parametrize("kind", ["idle", "stops", "other"])
def test_a_wrong_check_is_kept_as_a_try(task, kind):
    added, upside = (list(PROGRAM.all_lines).index(key) for key in ("added", "upside"))
    above = {"idle": [*OWN, added], "stops": OWN[::-1], "other": [upside, *OWN[1:]]}[kind]
    assert judge(table_of(PROGRAM), above).kind == kind
    view, exercise = task([*above, N, *(line for line in range(N) if line not in above)])
    assert check(exercise)[0] == "wrong"
    kept = view.evaluate(TRIED)[NAME]
    assert (kept["passed"], kept["tries"]) == (False, 1)


def test_reset_forgets_what_was_said(task):
    view, exercise = task()
    first = stands(exercise)
    exercise.locator("[data-reorder] > *").first.press("End")
    check(exercise)
    view.locator("[data-action=reset]").click()
    assert said(exercise) == ("open", "")
    assert stands(exercise) == first
    assert exercise.locator(".abh-status").get_attribute("data-lamp") == "0"
    exercise.locator("[data-reorder] > *").nth(1).press("ArrowDown")
    check(exercise)
    assert exercise.locator("[data-action=help]").is_hidden()  # the first wrong check again


def test_what_was_solved_once_is_remembered(mount):
    view = mount([CodeInOrder(NAME, order=SOLVED)], own=True)
    view.locator("[data-action=check]").click()
    view.locator("[data-exercise][data-state=right]").wait_for()
    view.reload()
    view.locator(".abh-word", has_text="solved before").wait_for()
    assert said(view.locator("[data-exercise]")) == ("open", "")


def test_where_nothing_can_be_kept_it_works_the_same(mount):
    view = mount([CodeInOrder(NAME, order=SOLVED)], own=True, wait=False)
    view.add_init_script(REFUSED)
    view.goto(view.address)
    view.wait_for_selector('[data-ready="1"]')
    assert check(view.locator("[data-exercise]"))[0] == "right"


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(mount, dark):
    view = mount([CodeInOrder(NAME, order=SOLVED), CodeInOrder("order.pmi")], dark=dark, **PHONE)
    for button in view.locator("[data-action=check]").all():
        button.click()
    assert [line for line in all_violations(view) if "[data-exercise]" in line or ".abh" in line] == []


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_all_programs_fit(mount, width):
    view = mount([CodeInOrder(name) for name in PROGRAMS], width=width, height=800)
    assert view.evaluate("probe.wide()") == [0, []]
    assert view.evaluate("probe.roots().flatMap((root) => probe.cut(root))") == []
    assert view.evaluate("probe.small()") == []
    boxes = view.locator("[data-reorder] > *").evaluate_all(
        "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"
    )
    assert boxes == []


def test_on_paper_lines_have_a_place_for_their_number(mount):
    view = mount([CodeInOrder(NAME)])
    dress(view, media="print")
    assert view.locator("[data-action=check]").is_hidden()
    assert view.get_by_text("Masked attention. Number the lines that belong, in order.").is_visible()
    rules = view.locator("[data-reorder] > *").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node, '::before').borderBottomStyle)"
    )
    assert rules == ["solid"] * N + ["none"]
    before = view.locator("[data-reorder] > *").first.evaluate(
        "node => getComputedStyle(node, '::before').content"
    )
    assert before == '""'


def test_without_javascript_it_is_a_worksheet(windows, tmp_path):
    from bookext.standalone import page
    from tests.browser.conftest import Visitor

    visitor = Visitor(windows, "")
    view = visitor.html(page([CodeInOrder(NAME)], pictures=True), tmp_path, java_script_enabled=False)
    given = [f"____ {PROGRAM.all_lines[list(PROGRAM.all_lines)[line]]}" for line in shuffled(PROGRAM)[:-1]]
    assert view.locator(".abh-lines li").all_inner_texts() == [PROGRAM.head, *given, PROGRAM.foot]
    assert view.get_by_text("Number the lines that belong, in order.").is_visible()
    assert visitor.leave() == []


def test_a_link_brings_an_order(mount):
    """As Share gives it; what is no order is not taken."""
    view = mount([CodeInOrder(NAME)])
    view.evaluate(f"() => probe.follow('#state=CodeInOrder&order={','.join(map(str, SOLVED))}')")
    exercise = view.locator("[data-exercise]")
    texts = [*PROGRAM.all_lines.values(), PROGRAM.foot]
    assert stands(exercise) == [texts[line] for line in SOLVED]
    view.evaluate(f"() => probe.follow('#state=CodeInOrder&order={','.join(['0'] * (N + 1))}')")
    assert stands(exercise) == [texts[line] for line in SOLVED]
