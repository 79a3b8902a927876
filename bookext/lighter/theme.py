"""The theme's script, which on a page with figures leaves it to ``loader.js`` what a keyboard reaches.

It would measure and mark all code, outputs and tables one after the other, so that the page is laid out after each, and
do so again a third of a second after each change in the page: after each drag.

The script is minified and not ours, so this may end with any version of the theme. Then the build stops and says so.
What to do: find the function again, or take this module out of
``bookext/lighter/__init__.py``; pages are right without it, and slower under a hand.
"""

import re
from importlib.metadata import version
from pathlib import Path

THEME, FITTED = "pydata-sphinx-theme", "0.17.1"  # the version that it was written for
SCRIPT = "scripts/pydata-sphinx-theme.js"
# A function that lets a keyboard reach what scrolls.
MEASURING = re.compile(r'function \w+\(\)\{(?=const \w+=\(\)=>\{document\.querySelectorAll\(\["pre")')
LEAVE = 'if(document.querySelector(".abh-slot"))return;'


def quiet(script):
    """The theme's script with that function left at once on pages with figures."""
    changed, count = MEASURING.subn(lambda match: match[0] + LEAVE, script)
    if count != 1:
        raise ValueError(
            f"{THEME} {version(THEME)} broke a patch of its {SCRIPT}, which fitted {FITTED}: expected one function "
            f"that starts like {MEASURING.pattern}, found {count}. bookext/lighter/theme.py says what to do."
        )
    return changed


def patch(app, exception):
    path = Path(app.outdir) / "_static" / SCRIPT
    if not exception and app.builder.format == "html" and path.exists():
        path.write_text(quiet(path.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.connect("build-finished", patch, priority=900)
