"""Ladders on a page: a puzzle's lamp, its hints, its answer and its claim, for mouse, finger and keyboard."""

import pytest

from attn.explore.practice.ladders import LADDERS
from tests.browser import book
from tests.browser.exercises import Board, reopen
from tests.browser.states import link_text
from tests.unit.climbing import Climber

NAMES = pytest.mark.parametrize("name", LADDERS)
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def puzzles(name, possible):
    """The puzzles of a ladder that have a solution, or have none, from 1."""
    return [n for n, rung in enumerate(LADDERS[name].climb, 1) if (rung.solution is not None) == possible]


def go(board, state):
    """A reader's way into a state: its link."""
    name = board.slot.locator("[data-explorable]").get_attribute("data-explorable")
    rules = LADDERS[name]().rules
    text = link_text({key: value for key, value in state.items() if key in rules})
    board.view.evaluate("hash => probe.follow(hash)", f"#state={name}&{text}")
    board.view.evaluate("probe.follow('#')")


@pytest.fixture
def climb(mount):
    return lambda name, **options: Board(mount([LADDERS[name](opened=True)], **options))


@NAMES
def test_what_our_answer_reaches_is_not_the_readers(climb, name):
    """It is shown and not solved, for this rung, and for others until the figure is put back."""
    n = puzzles(name, True)[0]
    entry = LADDERS[name].name_of(n)
    board, climber = climb(name).open(n), Climber(LADDERS[name])
    assert not board.button("put").is_visible()
    board.press("answer")
    assert board.states(n)["prize"]
    board.press("put")
    shown = board.view.evaluate("probe.drawn(probe.roots()[0]).matrices[0]")
    wanted = climber.at(climber.solution(n)).matrices()[shown["name"]]
    assert shown["values"] == pytest.approx([float(x) for x in wanted.ravel()], abs=1e-12)
    assert board.states(n)["exercise"] == board.states(n)["goal"] == "open"
    assert {name: one["passed"] for name, one in board.kept().items()} == {entry: False}
    board.slot.locator('[data-action="reset"]').click()
    go(board, climber.solution(n))
    assert board.states(n)["exercise"] == "open"  # whoever has seen the answer has not solved it


@NAMES
def test_the_claim_is_right_for_what_is_impossible_alone(climb, name):
    possible, impossible, kind = puzzles(name, True)[-1], puzzles(name, False)[0], LADDERS[name]
    board = climb(name).open(possible)
    board.press("claim")
    said = board.states(possible)
    assert (said["exercise"], said["goal"], bool(said["hint"])) == ("wrong", "open", True)
    assert board.kept()[kind.name_of(possible)]["passed"] is False
    board.open(impossible).press("claim")
    said = board.states(impossible)
    assert (said["exercise"], said["goal"], said["hint"]) == ("right", "right", "")
    assert LADDERS[name].climb[impossible - 1].proof[1] in said["prize"]
    assert board.kept()[kind.name_of(impossible)]["passed"] is True
    assert board.button("claim").is_disabled()
    assert not board.button("put").is_visible()
    board.open(possible)
    go(board, Climber(LADDERS[name]).solution(possible))  # a wrong claim may be made good
    assert (board.states(possible)["exercise"], board.states(possible)["hint"]) == ("right", "")


def test_nothing_tells_before_the_end_whether_there_is_a_solution(climb):
    """The same buttons, and the par unsaid; the answer of what is impossible counts as shown."""
    board = climb("AttentionLadder")
    assert board.slot.locator("[data-explorable] [data-goal]").count() == 0  # the figure's own goals give way
    looks = set()
    for n in range(1, 8):
        board.open(n)
        buttons = board.slot.locator(".abh-ladder li:visible button:visible").all_inner_texts()
        looks.add((tuple(buttons), board.states(n)["kept"].split(". ")[-1]))
    assert len(looks) == 1
    n = puzzles("AttentionLadder", False)[0]
    board.open(n).press("answer")
    assert board.states(n)["exercise"] == "open"
    assert board.button("claim").is_disabled()


def test_three_hints_one_by_one(climb):
    board = climb("PmiLadder").open(1)
    assert board.states(1)["hint"] == ""
    said = ""
    hints = LADDERS["PmiLadder"].climb[0].hints
    for place, hint in enumerate(hints, 1):
        assert board.button("hint").inner_text() == f"Hint {place} of {len(hints)}"
        board.press("hint")
        said += book.as_shown(f"Hint {place}: {hint}")
        assert board.states(1)["hint"] == said  # the earlier ones stay above it
    assert board.button("hint").get_attribute("aria-disabled") == "true"
    board.button("hint").dispatch_event("click")  # there is none left
    assert board.states(1)["hint"] == said
    board.press("claim")
    assert board.states(1)["hint"].startswith(said)
    assert board.states(1)["hint"] != said
    assert board.slot.locator(".abh-ladder li:visible [data-hint]").get_attribute("aria-live") == "polite"
    board.open(2)
    assert board.states(2)["hint"] == ""


def test_a_worse_solution_is_above_par_and_the_best_is_kept(climb):
    board, climber = climb("AttentionLadder").open(1), Climber(LADDERS["AttentionLadder"])
    worse = climber.first | {"q": [[1, 0], [-1, 2], [3, 3]]}
    go(board, worse)
    assert "Now 6," in board.states(1)["kept"]
    assert "Par is 3.8. Your best: 6. Above par" in board.states(1)["kept"]
    go(board, climber.solution(1))
    assert "Your best: 3.8. At par." in board.states(1)["kept"]
    go(board, worse)
    assert "Now 6," in board.states(1)["kept"]
    assert "Your best: 3.8. At par." in board.states(1)["kept"]
    assert [one["tries"] for one in board.kept().values()] == [1], "a better way is no second try"
    bar = board.slot.locator(".abh-sticky-goal")
    assert bar.inner_text().endswith("Puzzle 1: solved. Now 6")
    go(board, climber.first)  # it stays solved, and what is seen now is not what solved it
    assert bar.inner_text().endswith("(goal not met)")
    assert "Your best: 3.8. At par." in board.states(1)["kept"]


# Of each trait where its control stands, or a tab or a choice that leads to it; null if none is shown.
PLACES = """(keys) => keys.map((key) => {
  const root = document.querySelector("[data-explorable]");
  const names = `[name="${key}"], [name^="${key}."], [data-grip="${key}"], [data-grip^="${key}."]`;
  const own = [...root.querySelectorAll(names)];
  const ways = [...root.querySelectorAll(`[data-action="edit-${key}"][aria-pressed]`)];
  const row = own.map((node) => node.closest(".abh-lift > .abh-row")).filter(Boolean);
  const boxes = [...own, ...ways, ...row].filter((node) => node.checkVisibility())
    .map((node) => (node.closest("label, td") ?? node).getBoundingClientRect());
  return boxes.length ? [Math.min(...boxes.map((box) => box.top)), Math.min(...boxes.map((box) => box.bottom))] : null;
})"""


@NAMES
def test_what_a_puzzle_needs_is_in_sight_with_it_and_has_room(mount, name):
    """On a phone, with nothing opened: under the puzzle stand the controls that its goal takes, above its lamp."""
    view = mount([LADDERS[name]()], **PHONE)
    board = Board(view)
    for n, rung in enumerate(LADDERS[name].climb, 1):
        board.open(n)
        start = "{ block: 'start', behavior: 'instant' }"
        for key, value in (rung.solution or {}).items():
            if value is True:  # a switch brings up what it needs
                view.locator(f'[name="{key}"]').check()
        view.evaluate(f"document.querySelector('.abh-ladder').scrollIntoView({start})")
        places = view.evaluate(PLACES, list(rung.controls))
        line = view.locator(".abh-sticky-goal").bounding_box()["y"]
        for key, place in zip(rung.controls, places, strict=True):
            assert place, f"{name} {n}: {key} is out of sight"
            assert place[0] >= 0, (name, n, key)
            assert sum(place) / 2 <= line, f"{name} {n}: {key} stands at {place}, half of it below the screen"
        lamp = view.locator(".abh-sticky-goal .abh-status").bounding_box()
        assert lamp["y"] + lamp["height"] <= 844
    view.set_viewport_size({"width": 360, "height": 640})
    for n in range(1, len(LADDERS[name].climb) + 1):
        board.open(n).press("hint", "answer")
        assert view.evaluate("probe.wide()") == []
        for box in (
            button.bounding_box() for button in board.slot.locator(".abh-ladder button:visible").all()
        ):
            assert min(box["width"], box["height"]) >= 24
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
    assert (
        len({tab.bounding_box()["y"] for tab in board.slot.locator(".abh-steps button").all()}) == 1
    )  # one row


def test_a_mask_is_painted_by_finger_where_it_is_asked_for(mount):
    """Two taps, and the lamp comes on; the next puzzle has its own controls there."""
    view = mount([LADDERS["MaskingLadder"]()], **PHONE)
    board = Board(view).open(1)
    for j in (0, 2):
        view.locator(f'label:has(> [name="mask.2.{j}"])').tap()
    assert board.states(1)["exercise"] == "right"
    assert view.locator(".abh-sticky-goal").inner_text().startswith("✓")
    board.open(2)
    assert not view.locator(".abh-painter").is_visible()
    view.locator('[data-action="open"]').click()
    assert view.locator(".abh-more .abh-painter").is_visible(), "it stands where it stood"


def test_by_keyboard_alone_and_what_was_solved_is_known_again_on_the_next_page(mount):
    """Of two ladders the other stays as it was."""
    view = mount([LADDERS["XorLadder"](), LADDERS["XorLadder"]()])
    board, other = Board(view), Board(view, 1)
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.dataset.action") == "rung-1"
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    assert board.slot.locator(".abh-ladder li:visible").get_attribute("data-exercise").endswith(".2")
    for _ in range(20):
        view.keyboard.press("Tab")
        if view.evaluate("document.activeElement.dataset.action") == "claim":
            break
    view.keyboard.press("Space")
    assert board.states(2)["exercise"] == "right"
    assert other.states(2)["exercise"] == "open"
    assert other.slot.locator(".abh-ladder li:visible").get_attribute("data-exercise").endswith(".1")
    reopen(view)
    assert Board(view).states(2)["exercise"] == "right"


def test_a_hand_on_the_figure_stays_where_it_is_when_the_lamp_comes_on(mount):
    """What the board grows by does not push the slider away."""
    view = mount([LADDERS["XorLadder"]()], **PHONE)
    board = Board(view).open(1)
    slider = view.locator('input[name="angle"]')
    slider.scroll_into_view_if_needed()
    slider.focus()
    before = slider.bounding_box()["y"]
    for _ in range(45):
        view.keyboard.press("ArrowLeft")
    view.evaluate("probe.settled()")
    assert board.states(1)["exercise"] == "right"
    assert slider.bounding_box()["y"] == pytest.approx(before, abs=1)
