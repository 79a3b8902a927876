"""Type hints of attn: every public function has them, lint asks for them, and they can be read while Python runs."""

import importlib
import inspect
import pkgutil
import re
import tomllib
import typing
from pathlib import Path

import pytest

import attn
from tools import commands

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("fails", ["ruff", "mypy", None])
def test_lint_asks_for_hints_and_checks_them(monkeypatch, fails):
    monkeypatch.setattr(commands.environment, "ensure", lambda: None)
    monkeypatch.setattr(commands, "run", lambda *command: int(fails in command))
    assert commands.lint([]) == (1 if fails else 0)


def test_mypy_reads_all_of_attn():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["files"] == ["attn"]
    assert settings["check_untyped_defs"]
    assert settings["disallow_incomplete_defs"]
    assert not {"exclude", "ignore_errors"} & set(settings)
    assert not [one for one in settings["overrides"] if one.get("ignore_errors")]


def public():
    """The modules of attn that a reader imports from."""
    names = [module.name for module in pkgutil.walk_packages(attn.__path__, "attn.")]
    return [name for name in names if "._" not in name and not name.endswith("__main__")]


def functions_of(owner, name):
    """The public functions that a module offers, wherever they stand, and the public methods of its classes."""
    for own, value in vars(owner).items():
        value = getattr(value, "fget", None) or getattr(value, "__func__", value)
        if own.startswith("_") and own not in ("__init__", "__call__"):
            continue
        if getattr(value, "__module__", "").startswith(name):
            if inspect.isclass(value):
                yield from functions_of(value, name)
            elif inspect.isfunction(value):
                yield value


@pytest.mark.parametrize("name", public())
def test_hints_are_there(name):
    """Where the module begins with an underscore, whose functions others hand on, ruff doesn't ask."""
    for function in functions_of(importlib.import_module(name), name):
        named = list(inspect.signature(function).parameters)
        assert set(function.__annotations__) == {*named[named[:1] in (["self"], ["cls"]) :], "return"}, (
            function
        )


@pytest.mark.parametrize(
    "name", [name for name in public() if not re.match(r"attn\.(explore|practice)", name)]
)
def test_hints_can_be_read_while_python_runs(name):
    """As editors and notebooks do: no hint names what is not there."""
    for function in functions_of(importlib.import_module(name), name):
        typing.get_type_hints(function)
