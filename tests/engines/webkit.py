"""WebKit, the engine of Safari: its MiniBrowser, driven by WebKitWebDriver, on a screen that nobody sees.

What the driver can't do, and what stands for it:

* It has no touch: what it calls so is a mouse. Its pen is lost between two lists of actions. So a mouse does all.
* It does not tell what a page says on the console, and pages that it drives keep silent. So once all pages are opened
  in a MiniBrowser that nobody drives, which prints its console; while pages are driven, LISTEN hears what it can.
* It sees no request. A page lists what it loaded, other origins too; and beyond this machine nothing answers.
"""

import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from tests.engines.driving import Tab
from tools.find_engines import find_webkit
from tools.server import Handler, Server

# Buttons of no width: else the browser's window would be wider than a phone.
NARROW = (
    "* { min-width: 0; padding: 0; margin: 0; border: 0; -gtk-icon-transform: scale(0.1); font-size: 1px; }"
)
SETTINGS = "[Settings]\ngtk-enable-animations=false\n"  # prefers-reduced-motion
LISTEN = """
  window.__said = [];
  for (const level of ["warn", "error"]) {
    const call = console[level];
    console[level] = (...words) => { __said.push(`${level}: ${words.join(" ")}`); call.apply(console, words); };
  }
  addEventListener("error", (event) => __said.push(`error: ${event.message ?? event.target.outerHTML}`), true);
  addEventListener("unhandledrejection", (event) => __said.push(`unhandled: ${event.reason}`));
  addEventListener("securitypolicyviolation",
    (event) => __said.push(`refused: ${event.effectiveDirective} ${event.blockedURI}`));
"""
LOADED = "performance.getEntriesByType('resource').map((entry) => entry.name)"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class WebKitTab(Tab):
    def __init__(self, address, browser, screen, preload):
        super().__init__()
        self.address, self.screen, self.preload, self.home, self.size = address, screen, preload, "", None
        # Nothing but this machine is reachable.
        proxy = {
            "proxyType": "manual",
            "httpProxy": "127.0.0.1:9",
            "sslProxy": "127.0.0.1:9",
            "noProxy": ["127.0.0.1"],
        }
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

    def goto(self, address):
        self.listen()
        self.send("POST", "/url", {"url": address})
        self.run(f"{self.preload}; {LISTEN}; return '1'")

    def listen(self):
        """Take over what the page said and asked for."""
        said, loaded = self.evaluate(f"[window.__said?.splice(0) ?? [], {LOADED}]")
        self.trouble += said
        strange = {name for name in loaded if not name.startswith((self.home, "data:", "blob:"))}
        self.trouble += sorted(f"asked another origin: {name}" for name in strange)

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

    def pixels(self):
        """The page as it stands on the screen: the driver's own pictures of it sometimes don't come."""
        width, height = self.size
        window = self.evaluate("outerHeight")
        return pixels_of(self.screen)[window - height : window, :width]


@contextmanager
def screen():
    """The environment of a program that shows itself on a screen that nobody sees."""
    paths = find_webkit()
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as home:
        options = [
            "-screen",
            "0",
            "1600x1200x24",
            "-nolisten",
            "tcp",
            "-displayfd",
            str(writing),
            "-fbdir",
            home,
        ]
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


def pixels_of(file):
    """What is on the screen, as rows of red, green, blue: Xvfb keeps it in a file, in the format of xwd."""
    data = np.fromfile(file, dtype=np.uint8)
    head = data[:100].view(">u4")
    size, width, height, row, colors = int(head[0]), int(head[4]), int(head[5]), int(head[12]), int(head[19])
    start = size + 12 * colors
    return data[start : start + height * row].reshape(height, row // 4, 4)[:, :width, 2::-1]


def start(environment, preload):
    """A driver and its tab, or None if it did not get hold of a browser, which a second one then does."""
    paths, port = find_webkit(), free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    driver = subprocess.Popen([paths["driver"], f"--port={port}"], env=environment, **quiet)
    tab = None
    end = time.monotonic() + 60
    while not tab and time.monotonic() < end:
        try:
            picture = f"{environment['XDG_CONFIG_HOME']}/Xvfb_screen0"
            tab = WebKitTab(f"http://127.0.0.1:{port}", paths["browser"], picture, preload)
        except TimeoutError:
            break
        except urllib.error.URLError:  # it does not listen yet
            time.sleep(0.02)
    if tab:
        return driver, tab
    driver.terminate()
    driver.wait()
    return None


@contextmanager
def webkit(preload):
    """A tab in a MiniBrowser of its own; `preload` runs when a page has loaded."""
    with screen() as environment:
        started = next(filter(None, (start(environment, preload) for _ in range(3))), None)
        if not started:
            raise RuntimeError("WebKitWebDriver did not get hold of a MiniBrowser, three times")
        driver, tab = started
        try:
            yield tab
        finally:
            tab.send("DELETE", "")
            driver.terminate()
            driver.wait()


# Opens one page after the other in a frame, and says on the console where it is.
HOST = """<!DOCTYPE html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<script>
const pages = %s, ready = new Function("document", "return (%s)()");
const frame = (page) => new Promise((done) => {
  const node = document.createElement("iframe");
  node.style.cssText = "width: 1200px; height: 700px";
  node.src = page;
  let looks = 0;
  const look = () => {
    const now = node.contentDocument;
    const stands = now && now.URL.endsWith(page) && ready(now);
    if (!stands && looks++ < 10_000) return setTimeout(look, 4); // for 40 s at least
    if (!stands) console.log("host: never ready");
    requestAnimationFrame(() => setTimeout(() => { node.remove(); done(); }));
  };
  document.body.append(node);
  look();
});
addEventListener("load", async () => {
  for (const page of pages) {
    await frame(page);
    console.log("host: left " + page);
  }
  console.log("host: done");
});
</script><body></body>"""


@contextmanager
def host(folder, pages, ready):
    """The address of a page that opens the pages of a folder."""
    script = " ".join(re.sub(r"//.*", "", ready).split()).replace("\\", "\\\\").replace('"', '\\"')
    text = (HOST % (json.dumps(pages), script)).encode()

    class Host(Handler):
        def do_GET(self):  # noqa: N802 - the base class's name
            if self.path != "/host.html":
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            return self.wfile.write(text)

    with Server(("127.0.0.1", 0), partial(Host, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/host.html"
        server.shutdown()
        thread.join()


def console_of(folder, pages, ready):
    """Page -> what it says on the console while it opens, as a MiniBrowser prints it that nobody drives."""
    said, now = {}, []
    with host(folder, pages, ready) as address, screen() as environment:
        command = [
            find_webkit()["browser"],
            "--geometry=1280x800",
            "--enable-write-console-messages-to-stdout=true",
        ]
        with subprocess.Popen(
            [*command, address],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,  # in spite of the option's name
            text=True,
        ) as process:
            try:
                for line in process.stderr:
                    if "CONSOLE LOG host: done" in line:
                        return said
                    if left := re.search(r"CONSOLE LOG host: left (\S+)", line):
                        said[left[1]], now = now, []
                    elif re.search(r"CONSOLE (?!LOG (?!host))", line):  # the theme says in what mode it is
                        now.append(line.strip())
            finally:
                process.terminate()
    raise RuntimeError(f"WebKit ended after {list(said)}: {now}")
