"""Firefox over WebDriver BiDi, the protocol that it speaks without a driver beside it.

A finger's moves arrive as touch and pointer events, but nothing scrolls by them: that part of a browser is not asked.
There is no pen.
"""

import json
import re
import subprocess
import tempfile
import threading
from contextlib import contextmanager

import websocket

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


class FirefoxTab(Tab):
    pointer = "touch"

    def __init__(self, address):
        super().__init__()
        self.socket, self.count = websocket.create_connection(address, suppress_origin=True, timeout=60), 0
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while (heard := json.loads(self.socket.recv())).get("id") != self.count:
            pass  # an event
        if heard["type"] == "error":
            raise RuntimeError(f"{method}: {heard['message']}")
        return heard["result"]

    def resize(self, width, height):
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self.context, viewport=size)

    def open(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, body):
        said = self.send(
            "script.callFunction",
            functionDeclaration=f"async () => {{ {body} }}",
            target={"context": self.context},
            awaitPromise=True,
        )
        if said["type"] == "exception":
            raise RuntimeError(said["exceptionDetails"]["text"])
        return said["result"]["value"]

    def perform(self, sources):
        self.send("input.performActions", context=self.context, actions=sources)


@contextmanager
def firefox():
    """A tab in a Firefox of its own, with an empty profile."""
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
                tab = FirefoxTab(f"{address[1]}/session")
                yield tab
                tab.socket.close()
            finally:
                process.terminate()
                reader.join()
