"""What is changed is in sight: each control of each figure and the first thing that it changes, on screen together."""

from pathlib import Path

import pytest

from attn.explore import Masking
from attn.explore._small import Small
from attn.explore.practice._ladder import Ladder
from tests.browser import book
from tests.browser.explorables import DRAWN, EXPLORABLES
from tests.browser.hand import with_controls

SIGHT = Path(__file__).with_name("sight.js")
SCREENS = {"laptop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
DEAD = 0.5  # so many of a figure's controls may change nothing that is drawn, where they stand now


def out_of_sight(view, root, start=None):
    """Move each control of a figure that is shown, by key or mouse; yield those whose change is not in sight.

    Each is moved in the figure's first state, opened if `start` is true, or as it is if `start` is None.

    The last that it yields is None, with how many controls there are and how many of them changed something.
    """
    if start is not None:
        root.evaluate("(root, opened) => sight.start(root, opened)", start)
    count, alive = root.evaluate("root => sight.count(root)"), 0
    for index in range(count):
        if start is not None:
            root.evaluate("(root, opened) => sight.start(root, opened)", start)
        taken = root.evaluate("(root, index) => sight.take(root, index)", index)
        change(view, taken)
        found = root.evaluate("root => sight.look(root)")
        if not found["changed"] and taken["kind"] == "range":
            view.keyboard.press("Home" if taken["share"] > 0.5 else "End")
            found = root.evaluate("root => sight.look(root)")
        alive += bool(found["changed"])
        if found["changed"] and not (found["seen"] and found["itself"]):
            yield taken["what"], found
    yield None, (count, alive)


def change(view, taken):
    """What a hand does with a control, which has the focus and stands in the middle of the screen."""
    match taken["kind"]:
        case "range":
            for _ in range(3):
                view.keyboard.press("ArrowLeft" if taken["share"] > 0.9 else "ArrowRight")
        case "checkbox":
            view.keyboard.press("Space")
        case "select-one":
            view.keyboard.press("ArrowUp" if taken["last"] else "ArrowDown")
        case _:
            view.mouse.click(taken["x"], taken["y"])


def hidden(view, figures):
    """Sentences about controls whose change is not in sight; figures are pairs of a name and an element."""
    view.evaluate(SIGHT.read_text(encoding="utf-8"))
    for name, root in figures:
        root.evaluate("root => sight.alone(root)")
        for stage in (
            ("as it comes", "opened") if root.query_selector('[data-action="open"]') else ("as it comes",)
        ):
            for what, found in out_of_sight(view, root, stage == "opened"):
                if what:
                    yield f"{name}, {stage}: what {what} changes is not in sight, {found}"
                    continue
                count, alive = found
                assert count, f"{name}, {stage}: no control is found"
                assert alive > DEAD * count, f"{name}, {stage}: of {count} controls {alive} change something"


def looks():
    """A page, which of its figures, and a screen."""
    every = [
        (page, which, screen) for page in book.lively() for which in ("main", "others") for screen in SCREENS
    ]
    return [look for look in every if book.chosen(look[0], look[1])]


@pytest.mark.parametrize(("page", "which", "screen"), looks())
def test_control_and_change_are_on_screen_together(visit, page, which, screen):
    view = visit(page, **SCREENS[screen], own=True)
    found = list(hidden(view, with_controls(view, page, which)))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", DRAWN)
def test_alone_on_a_phone(mount, name):
    """Each class by itself: quick, and independent of the built book."""
    view = mount([EXPLORABLES[name].example()], **SCREENS["phone"])
    found = list(hidden(view, [(name, view.query_selector("[data-explorable]"))]))
    assert not found, "\n".join(found)


def test_what_is_out_of_sight_is_found(visit, tmp_path):
    """The measure itself: a slider whose number is far below, one beside its number, one whose number a bar covers."""
    cell = '<table data-matrix="{0}"><tr><td data-row="0" data-col="0">0</td></tr></table>'
    part = '<div><input type="range" name="{0}" min="0" max="10" value="0">{1}</div>'
    page = f"""<!DOCTYPE html><html lang="en"><title>t</title><main>
      <div class="abh" data-explorable="T"><div class="abh-stage">
      {part.format("near", cell.format("near"))}
      {part.format("far", '<div style="height: 900px"></div>' + cell.format("far"))}
      <div style="height: 900px"></div>
      <div style="position: sticky; top: 0; height: 412px; background: #fff">bar</div>
      {cell.format("under")}{part.format("under", '<div style="height: 1500px"></div>')}
      </div></div></main><script>
      for (const input of document.querySelectorAll("input")) input.addEventListener("input", () => {{
        document.querySelector(`[data-matrix="${{input.name}}"] td`).innerText = input.value;
      }});</script>"""
    view = visit.html(page, tmp_path, **SCREENS["phone"])
    view.evaluate(SIGHT.read_text(encoding="utf-8"))
    found = list(out_of_sight(view, view.query_selector(".abh")))
    assert [what for what, _ in found] == ["far", "under", None]
    assert found[-1][1] == (3, 3)


LEAK = """root => [...root.querySelectorAll('[data-matrix="moved"] td[data-row]')].map((cell) => {
  const [bar, whole] = [cell.querySelector(".abh-length"), cell].map((node) => node.getBoundingClientRect());
  const [value, loud] = [Number(cell.dataset.value), cell.classList.contains("abh-noticed")];
  return { px: bar.width, share: bar.width / whole.width, value, loud };
})"""


@pytest.mark.parametrize("screen", SCREENS)
def test_a_leak_is_seen(mount, screen):
    """Chapter 3: masked before the softmax three bars stay empty; after it, each is long and loud."""
    view = mount([Masking()], **SCREENS[screen])
    root = view.locator("[data-explorable=Masking]")
    slider = root.locator("[name=nudge]")
    slider.focus()
    for _ in range(20):
        view.keyboard.press("ArrowRight")
    before = root.evaluate(LEAK)
    assert [bar["px"] for bar in before[:3]] == [0, 0, 0]
    assert not any(bar["loud"] for bar in before)
    assert before[3]["share"] == pytest.approx(1, abs=0.02)
    root.locator("[name=order][value=after]").check(force=True)
    for bar in root.evaluate(LEAK)[:3]:
        assert bar["share"] == pytest.approx(bar["value"] / 0.5, abs=0.02)
        assert bar["px"] > 14
        assert bar["loud"]


# Of each number with a bar: does a bar, its track or its center line run through its digits?
STRUCK = """() => [...document.querySelectorAll(".abh td[data-row]")].filter(probe.shown).flatMap((cell) => {
  const [text, mark] = [cell.querySelector(".abh-num"), cell.querySelector(".abh-fill, .abh-signed-bar, .abh-length")];
  if (!text?.textContent || !mark || !probe.shown(mark)) return [];
  const range = document.createRange();
  range.selectNodeContents(text);
  const [words, bar] = [range, mark].map((part) => part.getBoundingClientRect());
  const ink = words.bottom - 0.24 * words.height; // digits have no descenders
  const clear = bar.top >= ink - 0.5 || bar.bottom <= words.top || bar.width < 0.5 || bar.height < 0.5;
  return clear ? [] : [`${cell.closest("[data-matrix]").dataset.matrix}: ${text.textContent}, ${ink - bar.top} px`];
})"""


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_no_bar_runs_through_digits(mount, width):
    view = mount([row.example() for row in EXPLORABLES.values()], width=width, height=844)
    view.evaluate("probe.open()")
    assert view.evaluate(STRUCK) == []


def test_a_plane_fills_its_card(mount):
    """On a phone from edge to edge; on a laptop it is the largest thing in its card."""
    examples = [row.example() for row in EXPLORABLES.values()]
    large = [widget for widget in examples if not isinstance(widget, Small | Ladder)]
    view = mount(large, width=390, height=844)
    size = """() => [...document.querySelectorAll(".abh-plane")].filter(probe.shown).map((node) => {
      const card = node.closest(".abh");
      const { paddingLeft, paddingRight } = getComputedStyle(card);
      const room = card.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return node.getBoundingClientRect().width / room;
    })"""
    shares = view.evaluate(size)
    assert len(shares) == 3
    assert min(shares) > 0.99
    view.set_viewport_size({"width": 1280, "height": 800})
    assert min(view.evaluate(size)) > 0.5
