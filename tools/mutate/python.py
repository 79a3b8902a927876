"""Mutants of Python, by mutmut's operators."""

import json
import os
import subprocess
from pathlib import Path

from tools.environment import ROOT, python
from tools.mutate.mutant import edited, make

PACKAGES = ["mutmut==3.8.1", "libcst==1.9.0"]
PLACE = ROOT / "_build" / "mutate" / "python"
OPERATORS = Path(__file__).parent / "operators.py"


def install():
    """Mutmut and what its operators need, beside the environment: its screen would bring ten more packages."""
    done = PLACE / "done.txt"
    if not done.exists() or done.read_text(encoding="utf-8") != " ".join(PACKAGES):
        PLACE.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [python(), "-m", "uv", "pip", "install", "--quiet", "--python", python()]
            + ["--target", PLACE, "--no-deps", *PACKAGES],
            check=True,
        )
        done.write_text(" ".join(PACKAGES), encoding="utf-8")


def mutants(area, texts):
    """All mutants of modules and of cells of notebooks: a list of (file, cell's id or "", text)."""
    done = subprocess.run(
        [python(), "-P", OPERATORS],
        input=json.dumps([text for *_, text in texts]),
        env={**os.environ, "PYTHONPATH": str(PLACE)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [
        make(area, file, kind, text, [(start, end, new)], cell)
        for (file, cell, text), found in zip(texts, json.loads(done.stdout), strict=True)
        for kind, start, end, new in found
    ]


def parses(mutant, text):
    """Whether what comes out is Python at all: an argument that is left out may leave a comma behind."""
    try:
        compile(edited(text, mutant.edits), mutant.file, "exec")
    except SyntaxError:
        return False
    return True
