"""Which report is right: the reader rules, moves the one control, and is told."""

import pytest

import attn.explore
from attn.practice.reports import REPORTS, RULINGS
from bookext.explorables import model_of
from tests.browser import book
from tests.browser.exercises import TRIED, move_control
from tests.browser.hand import differences, read

ONE = REPORTS["report.mask-after-softmax"]


def figure_of(report):
    return getattr(attn.explore, report.figure)(report=report.name)


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
    handle, widget = view.query_selector("[data-explorable]"), figure_of(report)
    assert list(differences(widget, read(handle))) == []
    assert (state(root), told(root)) == ((name, "open"), "")
    ruling = RULINGS.index("a bug" if report.bug == as_it_is else "no bug")
    root.locator(f"[data-option='{ruling}']").click()
    assert (state(root), told(root)) == ((name, "open"), "")
    assert f"You ruled: {RULINGS[ruling]}." in root.inner_text()
    assert (
        root.locator("[data-option]:enabled").count() == 0
    )  # nobody rules again before the control has moved
    assert view.evaluate(TRIED) == {}  # judged when it is seen, and not before
    move_control(root)
    after = book.Figure(0, type(widget), model_of(widget.get_state())).after(handle.evaluate("probe.state"))
    assert list(differences(after, read(handle))) == []
    truth = "a bug" if report.bug else "no bug"
    verdict = f"✓ Yes: {truth}." if as_it_is else f"You ruled: {RULINGS[ruling]}. It is: {truth}."
    assert state(root) == (name, "right" if as_it_is else "wrong")
    assert told(root) == book.as_shown(f"{verdict} {report.why}")
    move_control(root)  # the verdict stays
    assert told(root).startswith(verdict)
    kept = view.evaluate(TRIED)
    assert list(kept) == [name]
    assert (kept[name]["passed"], kept[name]["tries"]) == (as_it_is, 1)


def test_who_drags_first_has_not_ruled_and_after_reset_one_may_rule_again(case):
    view, root = case(ONE)
    move_control(root)
    assert state(root)[1] == "open"
    assert told(root).startswith("The answer: a bug.")
    assert view.evaluate(TRIED) == {}
    root.locator("[data-action=reset]").click()
    for count, (option, passed) in enumerate(((1, False), (0, True), (1, True)), 1):
        root.locator(f"[data-option='{option}']").click()
        move_control(root)
        kept = view.evaluate(TRIED)[ONE.name]
        assert (kept["tries"], kept["passed"]) == (count, passed)
        root.locator("[data-action=reset]").click()
        assert (state(root)[1], told(root)) == ("open", "")
        assert bool(root.locator(".abh-noted").inner_text()) == passed  # what was ruled right is remembered


def test_a_question_of_another_figure_is_no_exercise(mount):
    asks = {key: value for key, value in ONE.question.items() if key != "exercise"}
    view = mount([attn.explore.FutureMoved(predict=asks)])
    root = view.locator("[data-explorable]")
    root.locator("[data-option='0']").click()
    move_control(root)
    assert state(root) == (None, None)
    assert root.locator("[data-hint]").count() == 0
    assert view.evaluate(TRIED) == {}
