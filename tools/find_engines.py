"""Find Firefox and WebKit, for the tests that open the built book in other engines than Chromium's.

Nothing is installed: both are packages of Debian and Ubuntu. Needs the standard library alone.
"""

import os
import shutil
from glob import glob

SENTENCES = {
    "firefox": "Firefox was not found. Install it (on Debian: apt-get install firefox-esr), "
    "or put its path into ATTN_FIREFOX.",
    "webkit": "WebKit's driver, its MiniBrowser or Xvfb was not found. "
    "Install them (on Debian and Ubuntu: apt-get install webkit2gtk-driver xvfb).",
}
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"


class EngineMissing(Exception):
    """There is no such browser; the message says what to do."""


def find_firefox():
    """The path of a Firefox that is no younger than 129: the first whose BiDi has all that the tests ask for."""
    named = os.environ.get("ATTN_FIREFOX")
    found = [shutil.which(name) for name in ([named] if named else ["firefox-esr", "firefox"])]
    if not any(found):
        raise EngineMissing(SENTENCES["firefox"])
    return next(filter(None, found))


def find_webkit():
    """The paths of WebKit's driver, its small browser, and the screen that stands for a real one."""
    paths = {
        "driver": shutil.which("WebKitWebDriver"),
        "browser": next(iter(sorted(glob(MINI_BROWSER), reverse=True)), None),
        "screen": shutil.which("Xvfb"),
    }
    if not all(paths.values()):
        raise EngineMissing(SENTENCES["webkit"])
    return paths
