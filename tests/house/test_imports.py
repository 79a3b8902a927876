"""What the mathematics and the commands need. Who may import whom: test_house.py."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.imported import imported

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attn"
MORE_THAN_NUMPY = ("attn.check", "attn.explore", "attn.plots", "attn.show.plots", "attn.show.stills")
HOUSE = ["attn", "bookext", "ledger", "research", "tests", "tools"]

# These run before the set-up, so with the standard library alone.
BEFORE_SETUP = [
    "__init__",
    "__main__",
    "commands",
    "drafts",
    "environment",
    "find_engines",
    "progress",
    "pythons",
    "sentences",
    "server",
]


def imports(path, root=ROOT):
    """Yield (module, at_once, line) for each import in a file, relative ones resolved."""
    text = path.read_text(encoding="utf-8")
    for base, names, later, line in imported(text, path.relative_to(root).parent.parts):
        # `from attn import plots` imports attn.plots
        ours = base.split(".")[0] in HOUSE
        for module in [f"{base}.{name}" for name in names] if names and ours else [base]:
            yield module, not later, line


@pytest.mark.parametrize("name", BEFORE_SETUP)
def test_what_runs_before_the_setup_needs_python_alone(name):
    allowed = sys.stdlib_module_names | {"tools", "ledger"}
    path = ROOT / "tools" / f"{name}.py"
    found = [
        module for module, at_once, _ in imports(path) if at_once and module.split(".")[0] not in allowed
    ]
    assert found == []


NUMPY_ALONE = """
import importlib, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {"attn", "numpy"} and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"refused: {name}", name=name)

sys.meta_path.insert(0, Refuse())
for name in sys.argv[1:]:
    importlib.import_module(name)
print("fine")
"""


def test_attn_needs_numpy_alone():
    paths = (path.relative_to(ROOT).with_suffix("").parts for path in sorted(PACKAGE.rglob("*.py")))
    names = [".".join(parts).removesuffix(".__init__") for parts in paths]
    names = [name for name in names if not name.startswith(MORE_THAN_NUMPY)]
    assert {"attn.attention", "attn.corpus", "attn.practice.worksheets", "attn.show"} <= set(names)
    answer = subprocess.run(
        [sys.executable, "-c", NUMPY_ALONE, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.stdout == "fine\n", answer.stderr
