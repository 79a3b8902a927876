"""What stands at the rows and columns of a table goes with the figure's words, not with those that it began with."""

import pytest

from tests.browser.explorables import EXPLORABLES
from tests.browser.stand import Twin

HEADINGS = """root => Object.fromEntries([...root.querySelectorAll("[data-matrix]")].map((table) =>
  [table.dataset.matrix, [...table.querySelectorAll("th")].map((head) => head.textContent)]))"""
OPEN = {"opened": True}
# A ladder always begins with its own numbers.
TOLD = {name: len(row.example().stories) for name, row in EXPLORABLES.items() if not name.endswith("Ladder")}


@pytest.mark.parametrize(
    ("name", "story"), [(name, story) for name, count in TOLD.items() for story in range(count)]
)
def test_headings_are_those_of_a_figure_that_begins_so(stand, name, story):
    widget = EXPLORABLES[name].example()
    changes = dict(widget.stories[story]["changes"]) | (OPEN if "opened" in widget.traits() else {})
    (moved,) = stand.put(widget).tour([changes], HEADINGS)
    (fresh,) = stand.put(Twin(widget).at(changes)).tour([changes], HEADINGS)
    assert moved == fresh
