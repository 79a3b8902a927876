"""Type hints of attn: every public function has them."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import attn

ROOT = Path(__file__).resolve().parents[2]


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
