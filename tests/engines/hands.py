"""Hands for Firefox and WebKit: what tests/browser/gestures.py asks for, as their drivers send it.

What they can't do is left out: no driver takes a pointer out of the window, or scrolls the page by a finger. Firefox
does not take a finger away either (`cancel`), so an event of our own stands for that.
"""

from tests.browser.chromium_hands import FRAMES
from tests.browser.gestures import SCRIPTS, Hand

# The pointer that was put down last, and where.
NOTE = """addEventListener("pointerdown", (event) => {
  window.lastDown = { target: event.target, pointerId: event.pointerId, pointerType: event.pointerType };
}, true);"""
CANCEL = """() => {
  const { target, ...pointer } = window.lastDown;
  target.dispatchEvent(new PointerEvent("pointercancel", { ...pointer, isPrimary: true, bubbles: true }));
}"""


class EngineHand(Hand):
    """A pointer of a tab's driver: a mouse, a finger or a pen."""

    def __init__(self, tab, kind):
        self.tab, self.kind = tab, kind
        self.finger = kind == "touch"
        for script in [*(path.read_text(encoding="utf-8") for path in SCRIPTS[1:]), NOTE]:
            tab.run(f"{script}\nreturn '';")
        self.width, self.height = tab.evaluate("[innerWidth, innerHeight]")

    def run(self, function, argument):
        return self.tab.evaluate(function, argument)

    def settle(self):
        self.tab.evaluate(FRAMES)

    def send(self, *actions, which=""):
        pointer = {"type": "pointer", "id": f"{self.kind}{which}", "parameters": {"pointerType": self.kind}}
        self.tab.perform([{**pointer, "actions": list(actions)}])

    def to(self, x, y):
        """A move, in whole pixels, that stays in the window."""
        inside = min(max(round(x), 0), self.width - 1), min(max(round(y), 0), self.height - 1)
        return {"type": "pointerMove", "x": inside[0], "y": inside[1], "duration": 0}

    def down(self, x, y):
        self.send(self.to(x, y), {"type": "pointerDown", "button": 0})

    def move(self, x, y):
        self.send(self.to(x, y))

    def up(self):
        self.send({"type": "pointerUp", "button": 0})

    def key(self, name):
        self.tab.keyboard.press(name)

    def second(self, x, y):
        first = not getattr(self, "two", False)
        self.two = True
        self.send(self.to(x, y), *([{"type": "pointerDown", "button": 0}] if first else []), which=2)

    def second_up(self):
        self.two = False
        self.send({"type": "pointerUp", "button": 0}, which=2)

    def cancel(self):
        self.tab.evaluate(CANCEL)
        self.up()
