"""Which report is right: the reader rules, moves the one control, and is told; also where nothing is kept."""

import pytest

import attn.explore
from attn.practice.reports import REPORTS, RULINGS
from bookext.explorables import model_of
from tests.browser import book
from tests.browser.axe import all_violations
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.gestures import complaints
from tests.browser.hand import differences, read
from tests.browser.stored import REFUSED, TRIED

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def figure_of(report):
    return getattr(attn.explore, report.figure)(report=report.name)


def move(view, root):
    """Move the one control by keyboard, to another state."""
    control = root.locator(".abh-stage :is(input, select)").first
    before = root.evaluate("root => JSON.stringify(probe.state(root))")
    for key in ("ArrowDown", "ArrowUp", "Space"):
        control.press(key)
        if root.evaluate("root => JSON.stringify(probe.state(root))") != before:
            return
    raise AssertionError("the control does not move")


def told(root):
    return root.locator("[data-hint]").inner_text()


def state(root):
    return root.get_attribute("data-exercise"), root.get_attribute("data-state")


@pytest.fixture
def case(mount):
    def make(report, **options):
        view = mount([figure_of(report)], **({"width": 390, "height": 844} | options))
        return view, view.locator("[data-explorable]")

    return make


@pytest.mark.parametrize("name", REPORTS)
def test_rule_move_and_be_told(case, name):
    """Right for every second report, and wrong for the others; numbers are NumPy's before and after."""
    report, as_it_is = REPORTS[name], list(REPORTS).index(name) % 2 == 0
    view, root = case(report)
    handle = view.query_selector("[data-explorable]")
    widget = figure_of(report)
    assert list(differences(widget, read(handle))) == []
    assert (state(root), told(root)) == ((name, "open"), "")
    ruling = RULINGS.index("a bug" if report.bug == as_it_is else "no bug")
    root.locator(f"[data-option='{ruling}']").click()
    assert (state(root), told(root)) == ((name, "open"), "")
    then = "Now move the control: it shows who is right, and the verdict stands here."
    assert f"You ruled: {RULINGS[ruling]}. {then}" in root.inner_text()
    assert (
        root.locator("[data-option]:enabled").count() == 0
    )  # nobody rules again before the control has moved
    assert view.evaluate(TRIED) == {}  # judged when it is seen, and not before
    move(view, root)
    after = book.Figure(0, type(widget), model_of(widget.get_state())).after(handle.evaluate("probe.state"))
    assert list(differences(after, read(handle))) == []
    truth = "a bug" if report.bug else "no bug"
    verdict = f"✓ Yes: {truth}." if as_it_is else f"You ruled: {RULINGS[ruling]}. It is: {truth}."
    assert state(root) == (name, "right" if as_it_is else "wrong")
    assert told(root) == book.as_shown(f"{verdict} {report.why}")
    move(view, root)  # the verdict stays
    assert told(root).startswith(verdict)
    kept = view.evaluate(TRIED)
    assert list(kept) == [name]
    assert (kept[name]["passed"], kept[name]["tries"]) == (as_it_is, 1)


ONE = REPORTS["report.mask-after-softmax"]


@pytest.mark.parametrize("kind", [Mouse, Finger])
def test_in_the_hand(case, take, kind):
    """The slider of a figure that asks, by mouse and by finger, as every other slider."""
    view, root = case(ONE, **(PHONE if kind is Finger else {}))
    view.add_style_tag(content="body { padding-block: 500px !important; }")
    widget = figure_of(ONE)
    figure = book.Figure(0, type(widget), model_of(widget.get_state()))
    assert complaints(take(kind, view), figure) == []
    root.locator("[data-action=reset]").click()
    root.locator("[data-option='0']").click()
    hand = take(kind, view)
    at = hand.ask("look", 0, "slider", "times")
    hand.go((at["x"], at["y"]), (at["x"] + 60, at["y"]))
    hand.up()
    view.wait_for_function("() => document.querySelector('[data-exercise]').dataset.state === 'right'")


def test_who_drags_first_has_not_ruled(case):
    view, root = case(ONE)
    move(view, root)
    assert state(root)[1] == "open"
    assert told(root).startswith("The answer: a bug.")
    assert view.evaluate(TRIED) == {}


def test_after_reset_one_may_rule_again_and_what_was_right_is_remembered(case):
    view, root = case(ONE)
    for count, (option, passed) in enumerate(((1, False), (0, True), (1, True)), 1):
        root.locator(f"[data-option='{option}']").click()
        move(view, root)
        kept = view.evaluate(TRIED)[ONE.name]
        assert (kept["tries"], kept["passed"]) == (count, passed)
        root.locator("[data-action=reset]").click()
        assert (state(root)[1], told(root)) == ("open", "")
        assert root.locator(".abh-noted").inner_text() == ("Ruled right before." if passed else "")


def test_where_nothing_can_be_kept_it_works_the_same(mount):
    view = mount([figure_of(ONE)], own=True, wait=False)
    view.add_init_script(REFUSED)
    view.goto(view.address)
    view.wait_for_selector('[data-ready="1"]')
    root = view.locator("[data-explorable]")
    root.locator("[data-option='0']").click()
    move(view, root)
    assert state(root)[1] == "right"


def test_a_question_of_another_figure_is_no_exercise(mount):
    asks = {key: value for key, value in ONE.question.items() if key != "exercise"}
    view = mount([attn.explore.FutureMoved(predict=asks)])
    root = view.locator("[data-explorable]")
    root.locator("[data-option='0']").click()
    move(view, root)
    assert state(root) == (None, None)
    assert root.locator("[data-hint]").count() == 0
    assert view.evaluate(TRIED) == {}


@pytest.mark.parametrize("width", [360, 1280])
def test_all_reports_fit(mount, width):
    view = mount([figure_of(report) for report in REPORTS.values()], width=width, height=800)
    assert view.evaluate("probe.wide()") == [0, []]
    assert view.evaluate("probe.roots().flatMap((root) => probe.cut(root))") == []
    assert view.evaluate("probe.small()") == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(mount, dark):
    view = mount([figure_of(ONE), figure_of(REPORTS["report.columns"])], dark=dark, **PHONE)
    root = view.locator("[data-explorable]").first
    root.locator("[data-option='0']").click()
    move(view, root)
    assert [line for line in all_violations(view) if ".abh" in line] == []


def test_without_javascript_it_has_two_boxes(windows, tmp_path):
    from bookext.standalone import page
    from tests.browser.conftest import Visitor

    visitor = Visitor(windows, "")
    view = visitor.html(page([figure_of(ONE)], pictures=True), tmp_path, java_script_enabled=False)
    assert view.locator(".abh-boxes li").all_inner_texts() == list(RULINGS)
    assert view.locator(".abh-boxes").evaluate("node => getComputedStyle(node).listStyleType") == '"☐ "'
    assert ONE.says[:40] in view.locator(".abh-slot").inner_text()
    assert visitor.leave() == []
