"""A JupyterLab of its own, and a notebook as its reader handles it."""

import contextlib
import json
import os
import re
import socket
import subprocess
import time
import urllib.request

import pytest

QUIET = [
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--IdentityProvider.token=",
    "--ServerApp.disable_check_xsrf=True",
]
IDLE = """() => document.querySelector(".jp-StatusBar-Left")?.textContent.includes("| Idle")"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def own_folders(folder):
    """Variables that keep JupyterLab's settings in a folder, away from those of whoever runs the tests."""
    named = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "RUNTIME", "DATA")}
    return named | {
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }


@contextlib.contextmanager
def running(command, folder, log, **variables):
    """Start JupyterLab by a command in a folder; give its address and stop it at the end."""
    port = free_port()
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, *QUIET, f"--port={port}"],
            env={**os.environ, **variables}, stdout=out, stderr=out, cwd=folder, start_new_session=True,
        )  # fmt: skip
        try:
            wait_for(f"http://127.0.0.1:{port}/api", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            with contextlib.suppress(OSError):  # it answers by stopping all kernels
                ask(f"http://127.0.0.1:{port}/api/shutdown", method="POST")
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def ask(address, method="GET"):
    """What JupyterLab's server answers."""
    with urllib.request.urlopen(urllib.request.Request(address, method=method), timeout=60) as answer:
        text = answer.read().decode()
    return json.loads(text) if text else None


def wait_for(address, process, log, seconds=180):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        try:
            ask(address)
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"JupyterLab did not answer in {seconds} s:\n{log.read_text()}")


class Notebook:
    """The notebook in sight as its reader handles it."""

    def __init__(self, page):
        self.page = page
        self.cells = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-CodeCell")

    def cell(self, says):
        """The place of the first code cell that has this text."""
        return self.cells.evaluate_all(
            "(all, says) => all.findIndex((one) => one.textContent.includes(says))", says
        )

    def write(self, index, text):
        """Put this text into a cell in place of what it has."""
        self.cells.nth(index).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def run(self, index):
        """Run a cell with Shift + Enter, and wait until it has its number, a new one."""
        number = self.cells.nth(index).locator(".jp-InputPrompt")
        before = number.text_content()
        self.cells.nth(index).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(
            r"([node, before]) => /\[\d+\]/.test(node.textContent) && node.textContent !== before",
            arg=[number.element_handle(), before],
            timeout=60_000,
        )

    def printed(self, index, pattern):
        output = self.cells.nth(index).locator(".jp-OutputArea-output").first
        output.wait_for()
        found = re.search(pattern, output.inner_text())
        assert found, output.inner_text()
        return found.groups()

    def run_until(self, index, pattern, wanted, times=100):
        """Run a cell until it prints this: what the page says to Python is on its way for a while."""
        for _ in range(times):
            self.run(index)
            if (printed := self.printed(index, pattern)) == wanted:
                return
        pytest.fail(f"cell {index} printed {printed}, {times} times, not {wanted}")
