"""One way to drive a page in any engine: ask it, wait for it, and send what a hand sends.

The names are those of Playwright's pages, so that what is written for Chromium runs here too. The engines differ in how
a command reaches them (firefox.py, webkit.py). What a hand does is the same list of actions in WebDriver and in BiDi.
What a page says, the page itself hears: a script that the server sends before all others.
"""

import io
import json
import time
from dataclasses import dataclass
from pathlib import Path

from tests.browser.conftest import PROBE
from tools.server import Handler

PATIENCE = 60  # seconds: a machine may be busy
KEYS = {
    "Tab": "\ue004",
    "Escape": "\ue00c",
    "Space": " ",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
# What a page says on the console, what fails to load or to run, and what its policy refuses.
LISTEN = """
window.said = [];
for (const level of ["warn", "error"]) {
  const call = console[level];
  console[level] = (...words) => { said.push(`${level}: ${words.join(" ")}`); call.apply(console, words); };
}
addEventListener("error", (event) => said.push(`error: ${event.message ?? event.target.outerHTML}`), true);
addEventListener("unhandledrejection", (event) => said.push(`unhandled: ${event.reason}`));
addEventListener("securitypolicyviolation",
  (event) => said.push(`refused: ${event.effectiveDirective} ${event.blockedURI}`));
"""
HEARD = """() => [window.said?.splice(0) ?? [],
  performance.getEntriesByType("resource").map(({ name, responseStatus }) => [name, responseStatus ?? 200])]"""


class Listening(Handler):
    """The book as it was built, with a script before the first of each page: LISTEN and probe.js."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if self.path == "/listen.js":
            text = LISTEN + PROBE.read_text(encoding="utf-8")
        elif path.suffix == ".html" and path.is_file():
            page = path.read_text(encoding="utf-8")
            text = page.replace("<head>", '<head><script src="/listen.js"></script>', 1)
        else:
            return super().send_head()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        return io.BytesIO(text.encode())


class Tab:
    """A page in an engine. `trouble` holds all that it said or asked for and should not have."""

    pointer = "mouse"  # what the engine's driver can send on a phone

    def __init__(self):
        self.home, self.trouble, self.keyboard = "", [], Keyboard(self)

    def open(self, address):
        raise NotImplementedError

    def resize(self, width, height):
        raise NotImplementedError

    def run(self, body):
        """Run the body of an async function in the page; return the string that it returns."""
        raise NotImplementedError

    def perform(self, sources):
        """Send what hands do: a list of input sources with their actions, as WebDriver words them."""
        raise NotImplementedError

    def goto(self, address):
        self.listen()
        self.open(address)

    def listen(self):
        """Take over what the page said and asked for."""
        said, loaded = self.evaluate(HEARD)
        self.trouble += said
        for name, status in loaded:
            if not name.startswith((self.home, "data:", "blob:")):
                self.trouble.append(f"asked another origin: {name}")
            elif status >= 400:
                self.trouble.append(f"status {status}: {name}")

    def evaluate(self, script, arg=None):
        """The value of an expression, or of a function called with `arg`."""
        text = self.run(
            f"const value = ({script}\n); const found = await (typeof value === 'function' ? "
            f"value({json.dumps(arg)}) : value); return JSON.stringify(found === undefined ? null : found);"
        )
        return json.loads(text)

    def wait_for_function(self, script, arg=None):
        end = time.monotonic() + PATIENCE
        while not (found := self.evaluate(script, arg)) and time.monotonic() < end:
            time.sleep(0.02)
        if not found:
            raise TimeoutError(f"after {PATIENCE} s still not: {script}")

    def element(self, script):
        """The element that an expression finds, each time anew."""
        return Element(self, script)


@dataclass(frozen=True)
class Element:
    """An element by the expression that finds it."""

    tab: Tab
    script: str

    def evaluate(self, script, arg=None):
        return self.tab.evaluate(f"(arg) => ({script}\n)({self.script}, arg)", arg)


class Keyboard:
    def __init__(self, tab):
        self.tab = tab

    def press(self, name):
        actions = [{"type": kind, "value": KEYS[name]} for kind in ("keyDown", "keyUp")]
        self.tab.perform([{"type": "key", "id": "keyboard", "actions": actions}])
