"""The package as a whole: what importing it brings along."""

import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import attn

ROOT = Path(__file__).parents[2]


def test_the_version_is_that_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert attn.__version__ == project["version"]


def test_check_has_the_checkers_of_every_module():
    from attn import check
    from attn.check._engine import CHECKERS

    folder = Path(check.__file__).parent
    names = {path.stem for path in folder.iterdir() if not path.name.startswith("_")} - {"results"}
    assert len(CHECKERS) >= 22
    assert not names & set(CHECKERS)
    assert sorted(check.__all__) == sorted(["Result", "results", *CHECKERS])
    assert {checker.__module__ for checker in CHECKERS.values()} >= {f"attn.check.{name}" for name in names}
    assert all(getattr(check, name) is checker for name, checker in CHECKERS.items())


def test_dir_of_check_lists_what_a_learner_may_use():
    from attn import check

    assert dir(check) == sorted(check.__all__)
    assert [name for name in vars(check) if name in ("import_module", "iter_modules")] == []


@pytest.mark.parametrize(
    ("part", "needs", "extra"),
    [
        ("attn.check; attn.check.votes(len)", "hypothesis", "check"),  # asked for by the first check
        ("attn.explore", "anywidget", "explore"),
        ("attn.explore.masking", "anywidget", "explore"),
        ("attn.plots", "matplotlib", "plots"),
    ],
)
def test_without_its_extra_a_part_says_what_to_install(part, needs, extra):
    code = f"import sys; sys.modules['{needs}'] = None; import {part}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 1
    said = f'needs {needs}: pip install "attention-by-hand[{extra}]"'
    assert done.stderr.splitlines()[-1] == f"ImportError: {re.match(r'attn.[a-z]+', part)[0]} {said}"


def modules():
    names = [module.name for module in pkgutil.walk_packages(attn.__path__, "attn.")]
    return [name for name in names if hasattr(importlib.import_module(name), "__all__")]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in modules()
        if name.count(".") == 1 and hasattr(importlib.import_module(name), "__path__")
    ],
)
def test_a_package_names_what_it_shows(name):
    """What it gathers from its modules and calls public is in its __all__, and nothing else is."""
    module = importlib.import_module(name)
    shown = {
        one
        for one, value in vars(module).items()
        if not one.startswith("_") and getattr(value, "__module__", "").startswith(f"{name}.")
    }
    assert shown <= set(module.__all__)
