"""What is changed is in sight: each control of each figure and the first thing that it changes, on screen together."""

from pathlib import Path

import pytest

from tests.browser import book
from tests.browser.hand import with_controls

SIGHT = Path(__file__).with_name("sight.js")
SCREENS = {"laptop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
DEAD = 0.5  # so many of a figure's controls may change nothing that is drawn, where they stand now


def out_of_sight(view, root, opened):
    """Move each control of a figure that is shown, by key or mouse; yield those whose change is not in sight.

    Each is moved in the figure's first state, opened perhaps. The last that it yields is None, with how many
    controls there are and how many of them changed something.
    """
    start = "(root, opened) => sight.start(root, opened)"
    root.evaluate(start, opened)
    count, alive = root.evaluate("root => sight.count(root)"), 0
    for index in range(count):
        root.evaluate(start, opened)
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
    view = visit(page, **SCREENS[screen])
    found = list(hidden(view, with_controls(view, page, which)))
    assert not found, "\n".join(found)
