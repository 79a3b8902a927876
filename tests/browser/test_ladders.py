"""Ladders on a page: a rung's lamp, its hints, its answer and its claim, for mouse, finger and keyboard."""

import json
import random

import pytest

from attn.explore.practice.ladders import LADDERS
from bookext.standalone import page
from tests.browser import book
from tests.browser.axe import all_violations
from tests.browser.conftest import dress
from tests.browser.states import link_text
from tests.unit.climbing import Climber

KEPT = "attention-by-hand:practice"
FIRST_SOLVABLE = {
    name: next(n for n, rung in enumerate(kind.climb, 1) if rung.solution is not None)
    for name, kind in LADDERS.items()
}
FIRST_IMPOSSIBLE = {
    name: next(n for n, rung in enumerate(kind.climb, 1) if rung.solution is None)
    for name, kind in LADDERS.items()
}
PHONE = {"width": 360, "height": 640, "has_touch": True, "is_mobile": True}


class Board:
    """The board of one ladder, as a reader meets it."""

    def __init__(self, view, index=0):
        self.view = view
        self.slot = view.locator(".abh-slot").nth(index)

    def button(self, action):
        return self.slot.locator(
            f'.abh-ladder li:not([hidden]) [data-action="{action}"], .abh-steps [data-action="{action}"]'
        )

    def open(self, n):
        self.button(f"rung-{n}").click()
        assert self.slot.locator(".abh-ladder li:visible").count() == 1
        return self

    def press(self, *actions):
        for action in actions:
            self.button(action).click()

    def states(self, n):
        """What an exercise, its lamp and its hint say."""
        return (
            self.slot.locator(".abh-ladder li")
            .nth(n - 1)
            .evaluate("""(li) => ({
          exercise: li.dataset.state,
          goal: li.querySelector("[data-goal]").dataset.state,
          hint: li.querySelector("[data-hint]").textContent,
          prize: li.querySelector(".abh-reward").textContent,
          kept: li.querySelector(".abh-label").textContent,
        })""")
        )

    def kept(self):
        return json.loads(self.view.evaluate(f"localStorage.getItem('{KEPT}')") or "{}").get("exercises", {})

    def go(self, state):
        """A reader's way into a state: its link."""
        name = self.slot.locator("[data-explorable]").get_attribute("data-explorable")
        rules = LADDERS[name]().rules
        text = link_text({key: value for key, value in state.items() if key in rules})
        self.view.evaluate("hash => probe.follow(hash)", f"#state={name}&{text}")
        self.view.evaluate("probe.follow('#')")


@pytest.fixture
def climb(mount):
    def at(name, **options):
        view = mount([LADDERS[name](opened=True)], **options)
        return Board(view)

    return at


@pytest.mark.parametrize("name", LADDERS)
def test_each_solution_lights_its_lamp_and_what_is_beside_it_does_not(climb, name):
    """By the reader's own way, and under its own name; the next state beside it that NumPy calls dark is dark."""
    climber, rng = Climber(LADDERS[name]), random.Random(name)
    board = climb(name)
    for n, rung in enumerate(LADDERS[name].climb, 1):
        board.go(climber.first)
        board.open(n)
        assert board.states(n)["exercise"] == "open"
        assert board.states(n)["goal"] == "open"
        if rung.solution is None:
            continue
        solution = climber.solution(n)
        beside = [state for state in climber.neighbors(solution) if not climber.reached(n, state)]
        for state in rng.sample(beside, min(4, len(beside))):
            board.go(state)
            assert board.states(n)["goal"] == "open", state
        board.go(solution)
        said = board.states(n)
        assert (said["exercise"], said["goal"], said["hint"]) == ("right", "right", "")
        assert "At par" in said["kept"]
        assert board.kept()[f"ladder.{LADDERS[name].topic}.{n}"]["passed"] is True
        board.go(climber.first)
        assert board.states(n)["exercise"] == "right"  # what is solved stays solved
    # Every other rung is still open: no solution lit a lamp that was not open.
    for n, rung in enumerate(LADDERS[name].climb, 1):
        if rung.solution is None:
            assert board.states(n)["exercise"] == "open"


@pytest.mark.parametrize("name", LADDERS)
def test_what_our_answer_reaches_is_not_the_readers(climb, name):
    """It is shown and not solved, for this rung, and for others until the figure is put back."""
    n = FIRST_SOLVABLE[name]
    climber = Climber(LADDERS[name])
    board = climb(name).open(n)
    assert not board.button("put").is_visible()
    board.press("answer")
    assert board.states(n)["prize"].startswith("One way: ")
    board.press("put")
    widget = LADDERS[name]()
    widget.put(n)
    shown = board.view.evaluate("probe.drawn(probe.roots()[0]).matrices[0]")
    wanted = widget.matrices()[shown["name"]]
    assert shown["values"] == pytest.approx([float(x) for x in wanted.ravel()], abs=1e-12)
    assert board.states(n)["exercise"] == board.states(n)["goal"] == "open"
    assert "answer shown" in board.slot.locator(".abh-ladder li:visible").inner_text()
    assert board.kept() == {
        f"ladder.{LADDERS[name].topic}.{n}": board.kept()[f"ladder.{LADDERS[name].topic}.{n}"]
    }
    assert board.kept()[f"ladder.{LADDERS[name].topic}.{n}"]["passed"] is False
    board.slot.locator('[data-action="reset"]').click()
    board.go(climber.solution(n))
    assert board.states(n)["exercise"] == "open"  # whoever has seen the answer has not solved it


def test_each_puzzle_starts_from_the_figures_first_state(climb):
    """What was put into the figure for one puzzle is gone for the next, which then is the reader's own."""
    climber = Climber(LADDERS["AttentionLadder"])
    board = climb("AttentionLadder").open(1)
    board.press("answer", "put")
    board.open(2)
    board.go(climber.solution(2))
    assert board.states(2)["exercise"] == "right"
    assert board.states(1)["exercise"] == "open"


@pytest.mark.parametrize("name", LADDERS)
def test_the_claim_is_right_for_what_is_impossible_alone(climb, name):
    possible, impossible = FIRST_SOLVABLE[name], FIRST_IMPOSSIBLE[name]
    board = climb(name).open(possible)
    board.press("claim")
    said = board.states(possible)
    assert (said["exercise"], said["goal"]) == ("wrong", "open")
    assert "can be done" in said["hint"]
    assert board.kept()[f"ladder.{LADDERS[name].topic}.{possible}"]["passed"] is False
    board.open(impossible).press("claim")
    said = board.states(impossible)
    assert (said["exercise"], said["goal"], said["hint"]) == ("right", "right", "")
    rung = LADDERS[name].climb[impossible - 1]
    assert rung.proof[1] in said["prize"]
    assert board.kept()[f"ladder.{LADDERS[name].topic}.{impossible}"]["passed"] is True
    assert board.button("claim").is_disabled()
    assert not board.button("put").is_visible()
    board.open(possible)
    board.go(Climber(LADDERS[name]).solution(possible))  # a wrong claim may be made good
    assert board.states(possible)["exercise"] == "right"
    assert board.states(possible)["hint"] == ""


def test_the_answer_of_what_is_impossible_counts_as_shown(climb):
    board = climb("XorLadder").open(2)
    board.press("answer")
    assert board.states(2)["prize"].startswith("It is impossible.")
    assert board.states(2)["exercise"] == "open"
    assert board.button("claim").is_disabled()


def test_nothing_tells_before_the_end_whether_there_is_a_solution(climb):
    """The same buttons, and the par unsaid."""
    board = climb("AttentionLadder")
    assert board.slot.locator("[data-explorable] [data-goal]").count() == 0  # the figure's own goals give way
    looks = set()
    for n in range(1, 8):
        board.open(n)
        buttons = board.slot.locator(".abh-ladder li:visible button:visible").all_inner_texts()
        looks.add((tuple(buttons), board.states(n)["kept"].split(". ")[-1]))
    assert looks == {(("Hint 1 of 3", "I say it’s impossible", "Show the answer"), "Par is told at the end.")}


def test_three_hints_one_by_one(climb):
    board = climb("PmiLadder").open(1)
    hints = LADDERS["PmiLadder"].climb[0].hints
    assert board.states(1)["hint"] == ""
    said = ""
    for place in (0, 1, 2):
        board.press("hint")
        said += book.as_shown(f"Hint {place + 1}: {hints[place]}")
        assert board.states(1)["hint"] == said  # the earlier ones stay above it
    more = board.button("hint")
    assert (more.inner_text(), more.get_attribute("aria-disabled")) == ("Hint 3 of 3", "true")
    more.dispatch_event("click")  # there is none left
    assert board.states(1)["hint"] == said
    board.press("claim")
    assert board.states(1)["hint"] == f"{said}It can be done: a state of this figure reaches it."
    hint = board.slot.locator(".abh-ladder li:visible [data-hint]")
    assert hint.get_attribute("aria-live") == "polite"
    board.open(2)
    assert board.states(2)["hint"] == ""


def test_a_worse_solution_is_above_par_and_the_best_is_kept(climb):
    board = climb("AttentionLadder").open(1)
    query = {"q": [[1, 0], [-1, 2], [3, 3]]}
    climber = Climber(LADDERS["AttentionLadder"])
    board.go(climber.first | query)
    assert "Now 6," in board.states(1)["kept"]
    assert "Par is 3.8. Your best: 6. Above par" in board.states(1)["kept"]
    board.go(climber.solution(1))
    assert "Your best: 3.8. At par." in board.states(1)["kept"]
    board.go(climber.first | query)
    assert "Now 6," in board.states(1)["kept"]
    assert "Your best: 3.8. At par." in board.states(1)["kept"]
    kept = json.loads(board.view.evaluate(f"localStorage.getItem('{KEPT}')"))
    assert [one["tries"] for one in kept["exercises"].values()] == [1], "a better way is no second try"
    bar = board.slot.locator(".abh-sticky-goal")
    assert bar.inner_text().endswith("Puzzle 1: solved. Now 6")
    board.go(climber.first)  # it stays solved, and what is seen now is not what solved it
    assert "(goal not met)," in board.states(1)["kept"]
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


@pytest.mark.parametrize("name", LADDERS)
def test_what_a_puzzle_needs_is_in_sight_with_it(mount, name):
    """On a phone, with nothing opened: under the puzzle stand the controls that its goal takes, above its lamp."""
    view = mount([LADDERS[name]()], width=390, height=844, has_touch=True, is_mobile=True)
    board = Board(view)
    for n, rung in enumerate(LADDERS[name].climb, 1):
        board.open(n)
        view.evaluate(
            "document.querySelector('.abh-ladder').scrollIntoView({ block: 'start', behavior: 'instant' })"
        )
        places = view.evaluate(PLACES, list(rung.controls))
        line = view.locator(".abh-sticky-goal").bounding_box()["y"]
        for key, place in zip(rung.controls, places, strict=True):
            assert place, f"{name} {n}: {key} is out of sight"
            assert place[0] >= 0, (name, n, key)
            assert sum(place) / 2 <= line, f"{name} {n}: {key} stands at {place}, half of it below the screen"
        lamp = view.locator(".abh-sticky-goal .abh-status")
        assert lamp.bounding_box()["y"] + lamp.bounding_box()["height"] <= 844


def test_a_mask_is_painted_by_finger_where_it_is_asked_for(mount):
    """Two taps, and the lamp comes on in sight of them; the next puzzle has its own controls there."""
    view = mount([LADDERS["MaskingLadder"]()], width=390, height=844, has_touch=True, is_mobile=True)
    board = Board(view).open(1)
    for j in (0, 2):
        view.locator(f'label:has(> [name="mask.2.{j}"])').tap()
    assert board.states(1)["exercise"] == "right"
    lamp = view.locator(".abh-sticky-goal .abh-status")
    assert lamp.inner_text() == "✓"
    grid = view.locator(".abh-painter").bounding_box()
    assert 0 < lamp.bounding_box()["y"] - grid["y"] - grid["height"] < 844
    board.open(2)
    assert not view.locator(".abh-painter").is_visible()
    view.locator('[data-action="open"]').click()
    assert view.locator(".abh-more .abh-painter").is_visible(), "it stands where it stood"


def test_dragged_by_hand_it_lights(mount):
    """With a real mouse on a slider, and the lamp at the foot of the figure says it, too."""
    view = mount([LADDERS["XorLadder"]()])
    board = Board(view).open(1)
    slider = view.locator('input[name="angle"]')
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    view.mouse.move(box["x"] + box["width"] * (130 + 180) / 360, middle)
    view.mouse.down()
    view.mouse.move(box["x"] + box["width"] * (45 + 180) / 360, middle, steps=8)
    view.mouse.up()
    assert board.states(1)["exercise"] == "right"
    assert view.locator(".abh-sticky-goal").inner_text().startswith("✓")


def test_by_keyboard_alone(mount):
    view = mount([LADDERS["XorLadder"]()])
    board = Board(view)
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


def test_by_finger(mount):
    view = mount([LADDERS["PmiLadder"]()], **PHONE)
    board = Board(view)
    board.button("rung-4").tap()
    board.button("hint").tap()
    assert board.states(4)["hint"].startswith("Hint 1")
    board.button("claim").tap()
    assert board.states(4)["exercise"] == "right"


@pytest.mark.parametrize("name", LADDERS)
def test_it_finds_room_on_a_small_phone(mount, name):
    """Each rung with its longest hint, claim and answer: nothing sticks out, all buttons can be hit."""
    view = mount([LADDERS[name](opened=True)], **PHONE)
    board = Board(view)
    for n in range(1, len(LADDERS[name].climb) + 1):
        board.open(n).press("hint", "answer")
        assert view.evaluate("document.documentElement.scrollWidth") <= 360
        for box in board.slot.locator(".abh-ladder button:visible").all():
            size = box.bounding_box()
            assert min(size["width"], size["height"]) >= 24
            assert size["x"] >= 0
            assert size["x"] + size["width"] <= 360
    tabs = board.slot.locator(".abh-steps button").all()
    assert len({tab.bounding_box()["y"] for tab in tabs}) == 1  # one row


@pytest.mark.parametrize("dark", [False, True])
def test_accessible_at_every_end(mount, dark):
    view = mount([LADDERS["AttentionLadder"]()], dark=dark)
    board = Board(view)
    board.open(1).press("hint", "claim")
    board.open(5).press("claim")
    board.open(2).press("answer", "put")
    assert all_violations(view) == []


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


def test_two_ladders_keep_apart_and_what_was_solved_is_known_again(mount):
    view = mount([LADDERS["PmiLadder"](), LADDERS["PmiLadder"]()])
    one, two = Board(view), Board(view, 1)
    one.open(4).press("claim")
    assert one.states(4)["exercise"] == "right"
    assert two.states(4)["exercise"] == "open"
    assert two.slot.locator(".abh-ladder li:visible").get_attribute("data-exercise").endswith(".1")
    view.reload()
    view.wait_for_selector("[data-ready]")
    assert Board(view).states(4)["exercise"] == "right"
    assert Board(view).button("rung-4").get_attribute("aria-label") == "Puzzle 4, solved"


def test_without_a_store_it_works_the_same(mount):
    """What a page says on the console fails its test."""
    view = mount([LADDERS["PmiLadder"]()], own=True, wait=False)
    view.add_init_script("""const get = () => { throw new DOMException("no", "SecurityError"); };
      Object.defineProperty(window, "localStorage", { configurable: true, get });""")
    view.goto(view.address)
    view.wait_for_selector("[data-ready]")
    board = Board(view).open(4)
    board.press("claim")
    assert board.states(4)["exercise"] == "right"
    view.evaluate(
        "Object.defineProperty(window, 'localStorage', { configurable: true, value: sessionStorage })"
    )  # for the tidying up after each test


def test_on_paper_it_is_a_list_of_puzzles(mount):
    view = mount([LADDERS["MaskingLadder"]()])
    dress(view, media="print")
    assert view.locator(".abh-ladder li:visible").count() == 8
    assert view.locator(".abh-ladder button:visible").count() == 0


def test_without_javascript_it_is_a_list_of_puzzles(windows, tmp_path):
    path = tmp_path / "plain.html"
    path.write_text(page([LADDERS["MaskingLadder"]()], pictures=True), encoding="utf-8")
    view, _ = windows.tab(own=True, viewport={"width": 390, "height": 844}, java_script_enabled=False)
    view.goto(path.as_uri())
    text = view.locator(".abh-puzzles").inner_text().split("\n")
    assert len(text) == 8
    assert "looks only at" in text[0]
    view.close()
