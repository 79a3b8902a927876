"""Stories: the tables' headings go with the figure's words, and a button is pressed while its story stands there."""

import json

import pytest

from tests.browser.explorables import EXPLORABLES
from tests.browser.stand import Twin

HEADINGS = """root => Object.fromEntries([...root.querySelectorAll("[data-matrix]")].map((table) =>
  [table.dataset.matrix, [...table.querySelectorAll("th")].map((head) => head.textContent)]))"""
OPEN = {"opened": True}
# A ladder always begins with its own numbers.
TOLD = {name: len(row.example().stories) for name, row in EXPLORABLES.items() if not name.endswith("Ladder")}


PRESSED = """root => [...root.querySelectorAll('[data-action^="story-"], [data-action^="preset-"]')].map((button) =>
  [button.dataset.action.replace(/^\\w+-/, ""), button.getAttribute("aria-pressed") === "true"])"""


def other(value):
    """The same with one number moved, or nothing."""
    if isinstance(value, list) and value:
        for place, entry in enumerate(value):
            if (moved := other(entry)) is not None:
                return [*value[:place], moved, *value[place + 1 :]]
    if isinstance(value, float):
        return value + 0.5 if value < 1 else value - 0.5
    return None


@pytest.mark.parametrize(
    ("name", "story"), [(name, story) for name, count in TOLD.items() for story in range(count)]
)
def test_headings_are_those_of_a_figure_that_begins_so(stand, name, story):
    widget = EXPLORABLES[name].example()
    changes = dict(widget.stories[story]["changes"]) | (OPEN if "opened" in widget.traits() else {})
    (moved,) = stand.put(widget).tour([changes], HEADINGS)
    (fresh,) = stand.put(Twin(widget).at(changes)).tour([changes], HEADINGS)
    assert moved == fresh


@pytest.mark.parametrize("name", [name for name, count in TOLD.items() if count])
def test_a_button_is_pressed_while_its_story_stands_there(stand, name):
    """Then, and with no number of a table elsewhere."""
    widget = EXPLORABLES[name].example()
    told = {story["name"]: json.loads(json.dumps(dict(story["changes"]))) for story in widget.stories}
    states = [{**changes, **(OPEN if "opened" in widget.traits() else {})} for changes in told.values()]
    for changes in list(states):
        for trait, value in changes.items():
            if isinstance(value, list) and (moved := other(value)) is not None:
                states.append(changes | {trait: moved})
    stand.put(widget)
    for state, seen in zip(states, stand.tour(states, PRESSED), strict=True):
        assert seen, "a story has a button"
        for button, pressed in seen:
            wanted = all(state.get(trait) == value for trait, value in told[button].items())
            assert pressed == wanted, (button, state)
