"""What every kind of exercise in the page does alike: it is kept, forgotten, accessible, on paper, without script."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

import attn.explore
from attn.explore import Cards, CodeInOrder
from attn.explore.practice.by_hand import BY_HAND
from attn.explore.practice.code_in_order import shuffled
from attn.explore.practice.ladders import LADDERS
from attn.practice.programs import PROGRAMS
from attn.practice.reports import REPORTS, RULINGS
from bookext.standalone import page as standalone
from tests.browser import book
from tests.browser.axe import violations
from tests.browser.exercises import (
    REFUSED,
    TRIED,
    Board,
    answer_card,
    fields,
    move_control,
    reopen,
    texts,
    type_in,
)  # fmt: skip

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
REPORT = REPORTS["report.mask-after-softmax"]
PROGRAM = PROGRAMS["order.causal-attention"]
OWN, ALL_LINES = range(len(PROGRAM.lines)), len(PROGRAM.all_lines)
SOLVED = [*OWN, ALL_LINES, *range(len(PROGRAM.lines), ALL_LINES)]
ATTENTION = BY_HAND["AttentionByHand"]


def by_hand(view, right=True):
    type_in(view, "output", texts(ATTENTION.known(0)["output"]) if right else ["39", "38"])


def in_order(view, right=True):
    if not right:
        view.locator("[data-reorder] > *").first.press("End")
    view.locator("[data-action=check]").click()


def report(view, right=True):
    view.locator(f"[data-option='{0 if right else 1}']").click()
    move_control(view.locator("[data-explorable]").first)


def ladder(view, right=True):
    Board(view).open(4 if right else 1).press("claim")


@dataclass(frozen=True)
class Kind:
    """One kind of exercise: how one is made, its name, how it is answered, and what tells that it was solved before."""

    make: Callable
    name: str
    answer: Callable
    before: str


KINDS = {
    "by hand": Kind(ATTENTION, "by-hand.attention", by_hand, ""),
    "code in order": Kind(
        lambda: CodeInOrder("order.causal-attention", order=SOLVED),
        "order.causal-attention",
        in_order,
        "solved before",
    ),
    "report": Kind(
        lambda: getattr(attn.explore, REPORT.figure)(report=REPORT.name),
        REPORT.name,
        report,
        "Ruled right before.",
    ),
    "ladder": Kind(LADDERS["PmiLadder"], "ladder.pmi.4", ladder, "Puzzle 4, solved"),
}
EACH = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def state(view, name):
    return view.locator(f"[data-exercise='{name}']").get_attribute("data-state")


@EACH
def test_what_was_solved_is_kept_under_its_name_and_remembered(mount, kind):
    """Reset asks again, and forgets nothing of it."""
    view = mount([kind.make()], **PHONE)
    assert state(view, kind.name) == "open"
    kind.answer(view)
    assert state(view, kind.name) == "right"
    kept = view.evaluate(TRIED)
    assert (kept[kind.name]["passed"], kept[kind.name]["tries"]) == (True, 1)
    view.locator("[data-action=reset]").click()
    assert {hint.inner_text() for hint in view.locator("[data-hint]").all()} <= {""}
    assert view.evaluate(TRIED) == kept
    reopen(view)
    assert kind.before in view.locator(".abh-slot").aria_snapshot()
    assert view.evaluate(TRIED) == kept


@EACH
def test_where_nothing_can_be_kept_it_works_the_same(mount, kind):
    """And the console stays silent: what a page says there fails its test."""
    view = mount([kind.make()])
    reopen(view, REFUSED)
    kind.answer(view)
    assert state(view, kind.name) == "right"


@EACH
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_a_right_and_in_a_wrong_answer(mount, kind, dark):
    view = mount([kind.make(), Cards("6")], dark=dark, **PHONE)
    kind.answer(view, right=dark)
    cards = view.locator("[data-explorable=Cards]")
    answer_card(cards, known=False)
    cards.locator("[data-action=show]").click()
    assert violations(view) == []


def test_a_wrong_answer_is_kept_as_a_try_and_told(mount):
    for kind in KINDS.values():
        view = mount([kind.make()])
        kind.answer(view, right=False)
        assert {(entry["passed"], entry["tries"]) for entry in view.evaluate(TRIED).values()} == {(False, 1)}
        assert any(hint.inner_text() for hint in view.locator("[data-hint]").all())


def test_a_browser_that_refuses_its_store_gets_its_cards(mount):
    """All of a round, and no day is named on which one comes again."""
    view = mount([Cards("5")])
    root = view.locator("[data-explorable]")
    hints = {}
    for kept in (True, False):
        if not kept:
            reopen(view, REFUSED)
        for known in (True, False):
            answer_card(root, known)
            hints[kept, known] = root.locator("[data-hint]").inner_text()
    assert hints == {
        (True, True): "It comes again tomorrow.",
        (True, False): "It comes again at the end of this round, and tomorrow.",
        (False, True): "It comes again when you open this page anew: nothing can be kept here.",
        (False, False): "It comes again at the end of this round.",
    }
    while root.locator("[data-action=show]").is_visible():
        answer_card(root, known=True)
    assert "due" not in root.locator(".abh-asks").inner_text()


@pytest.mark.parametrize("width", [360, 1280])
def test_each_exercise_fits_with_all_that_it_may_show(mount, width):
    """All reports, programs, and exercises by hand with every step missing."""
    figures = [getattr(attn.explore, one.figure)(report=one.name) for one in REPORTS.values()]
    figures += [CodeInOrder(name) for name in PROGRAMS]
    figures += [kind(missing=len(kind.steps)) for kind in BY_HAND.values()]
    view = mount(figures, width=width, height=800)
    for fault in ("sideways", "figuresCut", "smallTargets"):
        assert view.evaluate(f"faults.{fault}()") == [], fault
    assert view.evaluate("faults.cutOff('.abh-hand .abh-matrix, .abh-hand dl, [data-reorder] > *')") == []


def test_on_paper_each_is_a_worksheet(mount):
    """With all that there is to fill in, and nothing to press."""
    view = mount([ATTENTION(missing=4), CodeInOrder(PROGRAM.name), LADDERS["MaskingLadder"]()])
    view.emulate_media(media="print")
    assert (
        view.locator(
            ":is([data-exercise], .abh-ladder) :is(button:not(.abh-item), input[type=range]):visible"
        ).count()
        == 0
    )
    for step in ATTENTION.steps:
        assert view.get_by_text(book.as_shown(step.says)[:20]).first.is_visible()
        assert fields(view, step.name).first.is_visible()
    assert view.get_by_text("Masked attention. Number the lines that belong, in order.").is_visible()
    places = view.locator("[data-reorder] > *").evaluate_all(
        """nodes => nodes.map((node) => getComputedStyle(node, "::before"))
          .map(({ borderBottomStyle, content }) => [borderBottomStyle, content])"""
    )
    assert places[:-1] == [["solid", '""']] * ALL_LINES
    assert places[-1][0] == "none"
    assert view.locator(".abh-ladder li:visible").count() == 8


def test_without_a_script_each_is_a_worksheet(visit, tmp_path):
    figures = [CodeInOrder(PROGRAM.name), KINDS["report"].make(), LADDERS["MaskingLadder"]()]
    view = visit.html(standalone(figures, pictures=True), tmp_path, java_script_enabled=False)
    lines = [f"____ {PROGRAM.all_lines[list(PROGRAM.all_lines)[line]]}" for line in shuffled(PROGRAM)[:-1]]
    assert view.locator(".abh-lines li").all_inner_texts() == [PROGRAM.head, *lines, PROGRAM.foot]
    assert view.get_by_text("Number the lines that belong, in order.").is_visible()
    assert view.locator(".abh-boxes li").all_inner_texts() == list(RULINGS)
    assert view.locator(".abh-boxes").evaluate("node => getComputedStyle(node).listStyleType") == '"☐ "'
    assert REPORT.says[:40] in view.locator(".abh-slot").nth(1).inner_text()
    puzzles = view.locator(".abh-puzzles").inner_text().split("\n")
    assert len(puzzles) == 8
    assert "looks only at" in puzzles[0]
