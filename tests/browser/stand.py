"""Any figure in any state, on one page that all tests of a run share (stand.js); to mount one takes some 30 ms."""

import json
from pathlib import Path

from attn.explore._base import joined_module
from bookext.explorables import model_of
from bookext.standalone import page as standalone

SCRIPT = Path(__file__).parent / "stand.js"
MARKS = Path(__file__).parent / "marks.js"
SMALL = Path(__file__).parent / "small.js"


def state_of(widget):
    """Its traits as the page has them."""
    return json.loads(json.dumps(model_of(widget.get_state())))


class Stand:
    """The page. `put` mounts a figure; then `tour` takes it through states and measures each."""

    def __init__(self, windows, folder):
        options = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
        self.page, _ = windows.tab(own=True, reduced_motion="reduce", **options)
        path = folder / "stand.html"
        path.write_text(standalone([]), encoding="utf-8")
        self.trouble = []
        self.page.on("pageerror", lambda error: self.trouble.append(f"page error: {error}"))
        self.page.on("console", lambda said: said.type == "error" and self.trouble.append(said.text))
        self.page.goto(path.as_uri())
        for script in (SCRIPT, MARKS, SMALL):
            self.page.add_script_tag(path=script)

    def put(self, widget, *more, theme="light"):
        """Mount a figure; of several the last is the one that is moved."""
        self.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        states = [state_of(one) for one in (widget, *more)]
        self.page.evaluate("given => stand.put(...given)", [joined_module(widget.view), widget.view, *states])
        return self

    def tour(self, states, measure):
        """What a JavaScript function of the figure's root says in each state."""
        return json.loads(
            self.page.evaluate(f"states => stand.tour(states, {measure})", [dict(state) for state in states])
        )

    def lit(self, states):
        """For each state the lamps that burn then: lists of 0 and 1."""
        return self.page.evaluate("states => stand.lit(states)", states)

    def trips(self, states, names):
        """For each state what Share offers, and where its link leads."""
        return self.page.evaluate("given => stand.trips(...given)", [states, names])


class Twin:
    """A figure's mathematics in NumPy, in one state after the other: a widget for each would take 50 times as long."""

    def __init__(self, widget):
        self.widget = type(widget)(**{name: getattr(widget, name) for name in widget.own_traits()})

    def at(self, state):
        """The widget with other traits, unchecked; until the next call."""
        self.widget._trait_values.update(state)
        return self.widget
