"""Type hints of attn: every public function has them, lint asks for them, and they can be read while Python runs."""

import importlib
import inspect
import pkgutil
import tomllib
import typing
from pathlib import Path

import pytest

import attn.data
import attn.practice
import attn.show
from tools import commands, hints

ROOT = Path(__file__).resolve().parents[2]


def test_every_public_function_has_hints():
    assert list(hints.missing()) == []


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("def f(x: int) -> int: ...", []),
        ("def f(x) -> int: ...", ["f has no type hint for x"]),
        ("def f(x: int): ...", ["f has no type hint for its return"]),
        ("def f(x, /, y=1, *z, a, **b): ...", ["f has no type hint for x, y, a, z, b, its return"]),
        ("def _f(x): ...", []),
        ("def f() -> None:\n    def g(x): ...", []),
        ("class A:\n    def f(self): ...", ["A.f has no type hint for its return"]),
        ("class A:\n    def __call__(self, x) -> int: ...", ["A.__call__ has no type hint for x"]),
        ("class A:\n    @staticmethod\n    def f(x) -> int: ...", ["A.f has no type hint for x"]),
        ("class A:\n    @property\n    def f(self) -> int: ...", []),
        ("class A:\n    def _f(self): ...", []),
        ("class _A:\n    def f(self): ...", []),
    ],
)
def test_what_has_none_is_named(tmp_path, text, lacks):
    path = tmp_path / "attn" / "xor" / "_private.py"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    found = list(hints.missing(tmp_path))
    assert [sentence.partition(": ")[2] for sentence in found] == lacks
    assert all(sentence.startswith("attn/xor/_private.py:") for sentence in found)


@pytest.mark.parametrize("fails", ["tools.hints", "mypy", None])
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


def maths():
    rooms = (attn, attn.data, attn.practice, attn.show)
    found = [
        f"{room.__name__}.{module.name}" for room in rooms for module in pkgutil.iter_modules(room.__path__)
    ]
    return [name for name in found if name not in ("attn.explore", "attn.check")]


@pytest.mark.parametrize("name", maths())
def test_hints_can_be_read_while_python_runs(name):
    """As editors and notebooks do: no hint names what is not there."""
    module = importlib.import_module(name)
    for _, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__.startswith(name) and not function.__name__.startswith("_"):
            told = typing.get_type_hints(function)
            assert set(told) == {*inspect.signature(function).parameters, "return"}
