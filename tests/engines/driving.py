"""One way to drive a page in any engine: ask it, wait for it, and send what a hand sends.

The names are those of Playwright's pages, so that what is written for Chromium runs here too. The engines differ in how
a command reaches them (firefox.py, webkit.py). What a hand does is the same list of actions in WebDriver and in BiDi.
"""

import json
import time
from dataclasses import dataclass

PATIENCE = 30  # seconds: a machine may be busy
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "Space": " ",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


class Tab:
    """A page in an engine. `trouble` holds all that it said or asked for and should not have."""

    pointers = ("mouse",)  # what the engine's driver can send

    def __init__(self):
        self.trouble = []
        self.mouse = Pointer(self, "mouse")
        self.keyboard = Keyboard(self)

    def run(self, body):
        """Run the body of an async function in the page; return the string that it returns."""
        raise NotImplementedError

    def perform(self, sources):
        """Send what hands do: a list of input sources with their actions, as WebDriver words them."""
        raise NotImplementedError

    def evaluate(self, script, arg=None):
        """The value of an expression, or of a function called with `arg`."""
        text = self.run(
            f"const value = ({script}\n); const found = await (typeof value === 'function' ? "
            f"value({json.dumps(arg)}) : value); return JSON.stringify(found === undefined ? null : found);"
        )
        return json.loads(text)

    def wait_for_function(self, script, arg=None):
        end = time.monotonic() + PATIENCE
        while not self.evaluate(script, arg):
            if time.monotonic() > end:
                raise TimeoutError(f"after {PATIENCE} s still not: {script}")
            time.sleep(0.02)

    def element(self, script):
        """The element that an expression finds, each time anew."""
        return Element(self, script)

    def query_selector(self, selector):
        return self.element("document").query_selector(selector)


@dataclass(frozen=True)
class Element:
    """An element by the expression that finds it."""

    tab: Tab
    script: str

    def evaluate(self, script, arg=None):
        return self.tab.evaluate(f"(arg) => ({script}\n)({self.script}, arg)", arg)

    def query_selector(self, selector):
        found = self.query_selector_all(selector)
        return found[0] if found else None

    def query_selector_all(self, selector):
        every = f"{self.script}.querySelectorAll({json.dumps(selector)})"
        return [Element(self.tab, f"{every}[{k}]") for k in range(self.tab.evaluate(f"{every}.length"))]

    def bounding_box(self):
        return self.evaluate(
            "node => { const { x, y, width, height } = node.getBoundingClientRect(); return { x, y, width, height }; }"
        )

    def to_middle(self):
        """Scroll it to the middle of the screen; return its box."""
        self.evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        return self.bounding_box()

    def focus(self):
        self.evaluate("node => node.focus()")


class Pointer:
    """A mouse, a finger or a pen."""

    def __init__(self, tab, kind):
        self.tab, self.kind, self.at = tab, kind, (0, 0)

    def send(self, *actions):
        pointer = {"type": "pointer", "id": self.kind, "parameters": {"pointerType": self.kind}}
        self.tab.perform([{**pointer, "actions": list(actions)}])

    def move(self, x, y, steps=1):
        """Go to a place, in so many moves of equal length."""
        (x0, y0), self.at = self.at, (x, y)
        shares = [step / steps for step in range(1, steps + 1)]
        # A driver takes whole pixels.
        ways = [(round(x0 + (x - x0) * share), round(y0 + (y - y0) * share)) for share in shares]
        self.send(*({"type": "pointerMove", "x": x, "y": y, "duration": 0} for x, y in ways))

    def down(self):
        self.send({"type": "pointerDown", "button": 0})

    def up(self):
        self.send({"type": "pointerUp", "button": 0})

    def click(self, x, y):
        self.move(x, y)
        self.down()
        self.up()

    def drag(self, start, *ends, steps=8):
        """Press at one place, go to the others, let go."""
        self.move(*start)
        self.down()
        for end in ends:
            self.move(*end, steps=steps)
        self.up()


class Keyboard:
    def __init__(self, tab):
        self.tab = tab

    def press(self, keys):
        """One key, or several held together: press("Control+ArrowDown")."""
        codes = [KEYS.get(name, name) for name in keys.split("+")]
        down = [{"type": "keyDown", "value": code} for code in codes]
        up = [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self.tab.perform([{"type": "key", "id": "keyboard", "actions": [*down, *up]}])
