"""`python -m tools.installed`: the unit tests of the mathematics, on the package as this Python has it installed.

They run in a folder of their own, so that what is tested is the installed package and not the one that lies here.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.environment import ROOT

KNOWN = {"attn", "numpy", "pytest", "hypothesis"} | sys.stdlib_module_names
#: These need more than NumPy.
EXTRAS = ("attn.check", "attn.explore", "attn.plots", "attn.show.plots", "attn.show.stills")

#: As tests/conftest.py has it: the same cases in each run, and no limit of time on a slow machine.
CONFTEST = """
import hypothesis

hypothesis.settings.register_profile("book", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("book")
"""


def imported(path):
    """Names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def alone(root=ROOT):
    """The unit tests that need the package, NumPy, pytest and hypothesis, and nothing else of this repository."""
    for path in sorted((root / "tests" / "unit").glob("test_*.py")):
        names = set(imported(path))
        strangers = {name.partition(".")[0] for name in names} - KNOWN
        extra = any(name.startswith(EXTRAS) for name in names)
        if not strangers and not extra and "__file__" not in path.read_text(encoding="utf-8"):
            yield path


def run(python=sys.executable, *arguments, root=ROOT):
    """Copy those tests to an empty folder and run them there; return pytest's exit code.

    Raises
    ------
    SystemExit
        If the package that is imported there is the one of this repository.
    """
    with tempfile.TemporaryDirectory() as folder:
        for path in alone(root):
            shutil.copy(path, folder)
        (Path(folder) / "conftest.py").write_text(CONFTEST)
        (Path(folder) / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
        where = [python, "-c", "import attn; print(attn.__file__)"]
        answer = subprocess.run(where, cwd=folder, capture_output=True, text=True)
        found = Path(answer.stdout.strip() or ".").resolve()
        if answer.returncode or found.is_relative_to(root.resolve()):
            raise SystemExit(f"attn is not installed for {python}: {answer.stderr or found}")
        print(f"Testing {found.parent}", flush=True)
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        # More threads than cores wait for each other.
        return subprocess.run(command, cwd=folder, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}).returncode


if __name__ == "__main__":
    sys.exit(run(sys.executable, *sys.argv[1:]))
