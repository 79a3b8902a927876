"""What every checker of an exercise promises, and the exercises and answers that it is asked about."""

import importlib
import re
from pathlib import Path

from attn import check
from attn.check._exercise import Exercise

HERE = Path(__file__).parent


def all_exercises():
    """What each checker knows, by its name: its mistakes, and their hints."""
    folder = Path(check.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(("attn.check", *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Exercise):
                yield value.usage.partition("(")[0], value


EXERCISES = dict(all_exercises())


def answers(kind):
    """The tables of this name, RIGHT or WRONG, of all files in answers/, as one: name of the checker -> list."""
    files = sorted(path.stem for path in (HERE / "answers").glob("*.py"))
    tables = [getattr(importlib.import_module(f"tests.unit.answers.{file}"), kind) for file in files]
    return {name: rows for table in tables for name, rows in table.items()}


# No internals, no addresses, no trace: plain words.
NOT_PLAIN = re.compile(r"hypothesis|Falsifying|Traceback|0x[0-9a-f]|object at|<lambda> at|array\(")


def stub_raises(*arguments):
    raise NotImplementedError("your turn")


STUBS = [lambda *arguments: None, lambda *arguments: ..., stub_raises, None, ...]


def assert_passes(name, function, capsys):
    """A right answer passes, in one sentence that is printed once."""
    result = getattr(check, name)(function)
    assert result.passed, result.message
    assert result.message.startswith(f"{name}: passed.")
    assert capsys.readouterr() == (result.message + "\n", "")


def assert_refused(name, message, capsys):
    """A wrong answer is told so in a few plain words, which are printed once."""
    assert message.startswith(f"{name}: not yet. ")
    assert capsys.readouterr() == (message + "\n", "")
    assert not NOT_PLAIN.search(message)
    assert len(message.splitlines()) <= 11
    assert len(message) < 1500


def assert_each_mistake_has_its_hint(exercise):
    """Each mistake that the checker knows is rejected, by the hint written for it."""
    for mistake in exercise.mistakes:
        result = getattr(check, exercise.usage.partition("(")[0])(mistake.function)
        assert not result.passed
        assert mistake.hint in result.message, (mistake.hint, result.message)


def assert_not_solved_yet(name, stub, capsys):
    """A stub is not called wrong, in one line that is printed once."""
    result = getattr(check, name)(stub)
    assert not result.passed
    assert result.message.startswith(f"{name}: not solved yet. {name}(")
    assert "\n" not in result.message
    assert capsys.readouterr() == (result.message + "\n", "")
