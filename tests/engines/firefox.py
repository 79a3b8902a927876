"""Firefox over WebDriver BiDi, the protocol that it speaks without a driver beside it.

All of the page's console is heard, with what the policy refuses; each request is seen. A finger's moves arrive as touch
and pointer events, but nothing scrolls by them: that part of a browser is not asked. There is no pen.
"""

import base64
import io
import json
import re
import subprocess
import tempfile
import threading
from contextlib import contextmanager

import numpy as np
import websocket
from PIL import Image

from tests.engines.driving import Tab
from tools.find_engines import find_firefox

PREFERENCES = {
    "dom.w3c_touch_events.enabled": 1,
    "ui.prefersReducedMotion": 1,
    "ui.useOverlayScrollbars": 1,  # a phone has no others
    # No way out: all but this machine is asked of a proxy that nobody runs.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
}
EVENTS = ["log.entryAdded", "network.beforeRequestSent", "network.fetchError", "network.responseCompleted"]
LEFT = "NS_BINDING_ABORTED"  # a page was left while it still loaded something


class Line:
    """A connection to a browser: a command waits for its answer, and hears the events that come before."""

    def __init__(self, address, hear):
        self.socket = websocket.create_connection(address, suppress_origin=True, timeout=60)
        self.hear, self.count = hear, 0

    def send(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            heard = json.loads(self.socket.recv())
            if heard.get("id") == self.count:
                if heard["type"] == "error":
                    raise RuntimeError(f"{method}: {heard['message']}")
                return heard["result"]
            if heard["type"] == "event":
                self.hear(heard["method"], heard["params"])


class FirefoxTab(Tab):
    pointer = "touch"

    def __init__(self, address, preload):
        super().__init__()
        self.home, self.context = "", None
        self.line = Line(address, self.hear)
        self.line.send("session.new", capabilities={})
        self.line.send("session.subscribe", events=EVENTS)
        self.line.send("script.addPreloadScript", functionDeclaration=f"() => {{ {preload} }}")
        self.context = self.line.send("browsingContext.create", type="tab")["context"]

    def hear(self, method, event):
        about = event.get("source", event).get("context")
        if self.context is None or about != self.context:
            return
        if method == "log.entryAdded":
            if event["level"] in ("warn", "error"):
                self.trouble.append(f"{event['level']}: {event['text']}")
            return
        address = event["request"]["url"]
        if method == "network.beforeRequestSent":
            if not address.startswith((self.home, "data:", "blob:", "about:")):
                self.trouble.append(f"asked another origin: {address}")
        elif method == "network.fetchError":
            if event["errorText"] != LEFT:
                self.trouble.append(f"failed: {address} {event['errorText']}")
        elif event["response"]["status"] >= 400:
            self.trouble.append(f"status {event['response']['status']}: {address}")

    def resize(self, width, height):
        self.line.send(
            "browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height}
        )

    def goto(self, address):
        self.line.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, body):
        said = self.line.send(
            "script.callFunction",
            functionDeclaration=f"async () => {{ {body} }}",
            target={"context": self.context},
            awaitPromise=True,
        )
        if said["type"] == "exception":
            raise RuntimeError(said["exceptionDetails"]["text"])
        return said["result"]["value"]

    def perform(self, sources):
        self.line.send("input.performActions", context=self.context, actions=sources)

    def pixels(self):
        """The page as it stands on the screen, as rows of red, green, blue."""
        data = self.line.send("browsingContext.captureScreenshot", context=self.context)["data"]
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


@contextmanager
def firefox(preload):
    """A tab in a Firefox of its own, with an empty profile; `preload` runs before each page's scripts."""
    with tempfile.TemporaryDirectory() as profile:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        ]
        with open(f"{profile}/user.js", "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        command = [find_firefox(), "--headless", "--no-remote", "--profile", profile]
        with subprocess.Popen(
            [*command, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            heard = (re.search(r"BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(filter(None, heard), None)
            if not address:
                raise RuntimeError(f"Firefox ended with {process.wait()} before it listened")
            # What it says about itself is read on, so that it never waits for a reader.
            reader = threading.Thread(target=process.stderr.read)
            reader.start()
            try:
                tab = FirefoxTab(f"{address[1]}/session", preload)
                yield tab
                tab.line.socket.close()
            finally:
                process.terminate()
                reader.join()
