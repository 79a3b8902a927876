"""Find a Chromium, Chrome or Edge for the tests that drive the built book; install one if there is none.

`find_chromium()` only looks. `python -m tools.find_chromium` also installs, and prints the path; with
`--playwright` it prints the one that Playwright downloaded, and no other.
"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

# The same engine without a window: a page opens in half the time, and the tests open hundreds.
SHELLS = ["chromium-headless-shell", "chrome-headless-shell"]
NAMES = ["chromium", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "chromium-browser"]

FLAGS = [  # a quiet browser: it asks the network for nothing of its own
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

SENTENCE = (
    "The browser tests need Chromium, Chrome or Edge, and none was found on the PATH. Install one of them "
    "(on Debian and Ubuntu: apt-get install chromium), or put its path into ATTN_CHROMIUM."
)


class ChromiumMissing(Exception):
    """There is no browser; the message says what to do."""


def find_chromium(*, whole=False):
    """The path of a browser, or None. ATTN_CHROMIUM goes first, and a wrong one is an error.

    A headless shell goes before a `whole` browser, which readers have and measurements ask for.
    """
    named = os.environ.get("ATTN_CHROMIUM")
    if named:
        if not shutil.which(named):
            raise ChromiumMissing(f"ATTN_CHROMIUM names {named}, which is not a program.")
        return shutil.which(named)
    names = NAMES if whole else [*SHELLS, *NAMES]
    return next(filter(None, map(shutil.which, names)), None) or of_playwright()


def of_playwright():
    """The browser that `playwright install chromium` downloaded, if it has."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def install_with_playwright():
    print("Browser: downloading Chromium with Playwright …", file=sys.stderr, flush=True)
    _try([sys.executable, "-m", "playwright", "install", "chromium"])


def install_with_apt():
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("Browser: installing Debian's package chromium …", file=sys.stderr, flush=True)
        _try(["apt-get", "update", "-qq"])
        for package in ("chromium", "chromium-headless-shell"):
            _try(["apt-get", "install", "-qq", "-y", "--no-install-recommends", package])


def _try(command):
    try:
        subprocess.run(command, timeout=600, capture_output=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        pass  # the next look tells whether there is a browser now


def find_or_install(*, whole=False):
    """The path of a browser, which is installed if there was none."""
    for install in (lambda: None, install_with_playwright, install_with_apt):
        install()
        if found := find_chromium(whole=whole):
            return found
    raise ChromiumMissing(SENTENCE)


@contextmanager
def chromium(*, whole=False):
    """A browser that runs while the context lasts, as Playwright drives it."""
    from playwright.sync_api import sync_playwright

    path = find_or_install(
        whole=whole
    )  # which may ask Playwright itself, and only one of them runs at a time
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


if __name__ == "__main__":
    try:
        print((of_playwright() if "--playwright" in sys.argv else find_or_install()) or sys.exit(SENTENCE))
    except ChromiumMissing as error:
        sys.exit(str(error))
