"""Any figure in any state, on one page that all tests of a process share (mounted.js): to mount one takes 30 ms."""

import json
from pathlib import Path

from attn.explore._base import joined_module
from bookext.explorables import model_of
from bookext.standalone import page as standalone

SCRIPTS = [Path(__file__).with_name(name) for name in ("probe.js", "mounted.js", "marks.js")]


def state_of(widget):
    """Its traits as the page has them."""
    return json.loads(json.dumps(model_of(widget.get_state())))


class Mounted:
    """The page. `put` mounts a figure; then `tour` takes it through states and measures each."""

    def __init__(self, browser, folder):
        options = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
        self.page = browser.new_page(reduced_motion="reduce", **options)
        path = folder / "mounted.html"
        path.write_text(standalone([]), encoding="utf-8")
        self.trouble = []
        self.page.on("pageerror", lambda error: self.trouble.append(f"page error: {error}"))
        self.page.on("console", lambda said: said.type == "error" and self.trouble.append(said.text))
        self.page.goto(path.as_uri())
        for script in SCRIPTS:
            self.page.add_script_tag(path=script)

    def put(self, widget, *more):
        """Mount a figure; of several the last is the one that is moved."""
        self.page.evaluate("() => { document.documentElement.dataset.theme = 'light'; }")
        states = [state_of(one) for one in (widget, *more)]
        self.page.evaluate(
            "given => mounted.put(...given)", [joined_module(widget.view), widget.view, *states]
        )
        return self

    def tour(self, states, measure):
        """What a JavaScript function of the figure's root says in each state."""
        return json.loads(
            self.page.evaluate(
                f"states => mounted.tour(states, {measure})", [dict(state) for state in states]
            )
        )

    def read(self, states, what):
        """What a description (marks.js) asks of the figure in each state."""
        return self.tour(states, f"(root) => marks.read(root, {json.dumps(what)})")

    def lit(self, states):
        """For each state the lamps that burn then: lists of 0 and 1."""
        return self.page.evaluate("states => mounted.lit(states)", states)

    def trips(self, states, names):
        """For each state what Share offers, and where its link leads."""
        return self.page.evaluate("given => mounted.trips(...given)", [states, names])
