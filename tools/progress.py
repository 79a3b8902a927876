"""How far a long command is, in words: a line at each step, and, of the build, every 10 %."""

import re
import subprocess

STAGES = {  # what Sphinx says -> what it means
    r"running notebooks\.\.\. \[ *(\d+)%\]": "runs notebooks",
    r"reading sources\.\.\. \[ *(\d+)%\]": "reads pages",
    r"writing output\.\.\. \[ *(\d+)%\]": "writes pages",
}


def parts(*names):
    """Say at each step which part of a command now begins."""
    for place, name in enumerate(names, 1):
        print(f"[{place}/{len(names)}] {name}", flush=True)
        yield name


def stage(text):
    """What a line of Sphinx's log says about how far the build is, in steps of 10 %, or None."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for pattern, name in STAGES.items():
        if found := re.match(pattern, text):
            return f"Build: {name}, {int(found[1]) // 10 * 10} %"
    return None


def build(command, log, errors, *, cwd, env, quiet=False):
    """Run the program that builds the book; copy what it says to `log`, and tell how far it is."""
    said = None
    env = {**env, "PYTHONUNBUFFERED": "1"}
    options = {"cwd": cwd, "env": env, "stdout": subprocess.PIPE, "stderr": errors}
    with subprocess.Popen(command, text=True, encoding="utf-8", errors="replace", **options) as process:
        for text in process.stdout:
            log.write(text)
            if not quiet and (now := stage(text)) and now != said:
                print(now, flush=True)
                said = now
    return process.returncode
