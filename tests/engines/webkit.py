"""WebKit, the engine of Safari: its MiniBrowser, driven by WebKitWebDriver, on a screen that nobody sees.

The driver has no touch: what it calls so is a mouse. Its pen is lost between two lists of actions. So a mouse does all.
"""

import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from tests.engines.driving import Tab
from tools.find_engines import find_webkit

# Buttons of no width: else the browser's window would be wider than a phone.
NARROW = (
    "* { min-width: 0; padding: 0; margin: 0; border: 0; -gtk-icon-transform: scale(0.1); font-size: 1px; }"
)
SETTINGS = "[Settings]\ngtk-enable-animations=false\n"  # prefers-reduced-motion


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class WebKitTab(Tab):
    def __init__(self, address, browser):
        super().__init__()
        self.address, self.size = address, None
        nobody = "127.0.0.1:9"  # nothing but this machine is reachable
        proxy = {"proxyType": "manual", "httpProxy": nobody, "sslProxy": nobody, "noProxy": ["127.0.0.1"]}
        wanted = {
            "browserName": "MiniBrowser",
            "proxy": proxy,
            "webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]},
        }
        session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.address += f"/session/{session['sessionId']}"

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, method=method, data=data)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {json.load(error)['value']['message']}") from None

    def resize(self, width, height):
        if self.size == (width, height):
            return
        self.send("POST", "/window/rect", {"width": width, "height": height})
        self.wait_for_function("width => innerWidth === width", width)
        inner = self.evaluate("innerHeight")  # the window has a bar
        self.send("POST", "/window/rect", {"width": width, "height": 2 * height - inner})
        self.wait_for_function("size => innerWidth === size[0] && innerHeight === size[1]", [width, height])
        self.size = width, height

    def open(self, address):
        self.send("POST", "/url", {"url": address})

    def run(self, body):
        script = f"""const done = arguments[0];
            (async () => {{ {body} }})()
              .then((found) => done({{ found }}), (error) => done({{ error: String(error) }}));"""
        said = self.send("POST", "/execute/async", {"script": script, "args": []})
        if "error" in said:
            raise RuntimeError(said["error"])
        return said["found"]

    def perform(self, sources):
        self.send("POST", "/actions", {"actions": sources})


@contextmanager
def screen():
    """The environment of a program that shows itself on a screen that nobody sees."""
    paths = find_webkit()
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as home:
        options = ["-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-displayfd", str(writing)]
        process = subprocess.Popen([paths["screen"], *options], pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        try:
            with open(reading) as pipe:
                number = pipe.readline().strip()
            style = Path(home) / "gtk-3.0"
            style.mkdir()
            (style / "gtk.css").write_text(NARROW, encoding="utf-8")
            (style / "settings.ini").write_text(SETTINGS, encoding="utf-8")
            yield {
                **os.environ,
                "DISPLAY": f":{number}",
                "XDG_CONFIG_HOME": home,
                # Only the book's own pages are opened; a container has no room for the sandbox.
                "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
                "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            }
        finally:
            process.terminate()
            process.wait()


def begin(port):
    """A tab of the driver at a port, or None if that does not get hold of a browser."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            return WebKitTab(f"http://127.0.0.1:{port}", find_webkit()["browser"])
        except TimeoutError:
            break
        except urllib.error.URLError:  # it does not listen yet
            time.sleep(0.02)
    return None


@contextmanager
def webkit():
    """A tab in a MiniBrowser of its own."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with screen() as environment:
        for _ in range(3):  # where one driver does not get hold of a browser, a second one does
            port = free_port()
            command = [find_webkit()["driver"], f"--port={port}"]
            with subprocess.Popen(command, env=environment, **quiet) as driver:
                try:
                    if tab := begin(port):
                        yield tab
                        tab.send("DELETE", "")
                        return
                finally:
                    driver.terminate()
        raise RuntimeError("WebKitWebDriver did not get hold of a MiniBrowser, three times")
