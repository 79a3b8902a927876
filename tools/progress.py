"""How far a long command is, in words: on one line that changes, or, where that can't be seen, a line each 5 %."""

import re
import subprocess
import sys
import time

STEP = 5  # percent
STAGES = {  # what Sphinx says -> what it means
    r"running notebooks\.\.\. \[ *(?P<percent>\d+)%\]": "runs notebooks",
    r"reading sources\.\.\. \[ *(?P<percent>\d+)%\]": "reads pages",
    r"writing output\.\.\. \[ *(?P<percent>\d+)%\]": "writes pages",
}


class Line:
    """One line that says how far something is."""

    def __init__(self, out=None):
        self.out = out or sys.stdout
        self.start, self.said = time.monotonic(), None

    def show(self, label, percent):
        """Say it, unless it is said already: the label, and every 5 % in it."""
        key = label, percent - percent % STEP
        minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
        words = f"{label}, {percent} % ({minutes}:{seconds:02} min)"
        if self.out.isatty():
            print(f"\r{words}\x1b[K", end="", file=self.out, flush=True)
        elif key != self.said:
            print(words, file=self.out, flush=True)
        self.said = key

    def clear(self):
        if self.out.isatty():
            print("\r\x1b[K", end="", file=self.out, flush=True)


def parts(*names):
    """Say at each step which part of a command now begins."""
    for place, name in enumerate(names, 1):
        print(f"[{place}/{len(names)}] {name}", flush=True)
        yield name


def stage(text):
    """What a line of Sphinx's log says about how far the build is: (stage, percent), or None."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for pattern, name in STAGES.items():
        if found := re.match(pattern, text):
            return name, int(found["percent"])
    return None


def build(command, log, errors, *, cwd, env, quiet=False):
    """Run the program that builds the book; copy what it says to `log`, and tell how far it is."""
    line = Line()
    env = {**env, "PYTHONUNBUFFERED": "1"}
    options = {"cwd": cwd, "env": env, "stdout": subprocess.PIPE, "stderr": errors}
    with subprocess.Popen(command, text=True, encoding="utf-8", errors="replace", **options) as process:
        for text in process.stdout:
            log.write(text)
            if not quiet and (now := stage(text)):
                line.show(f"Build: {now[0]}", now[1])
    line.clear()
    return process.returncode
