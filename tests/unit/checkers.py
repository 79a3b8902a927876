"""What every checker of an exercise promises, asked in the same way of each chapter's."""

import importlib
import re
from pathlib import Path

from attn import check
from attn.check._exercise import Exercise


def all_exercises():
    """What each checker knows, by its name: its mistakes, and their hints."""
    folder = Path(check.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(("attn.check", *path.relative_to(folder).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Exercise):
                yield value.usage.partition("(")[0], value


EXERCISES = dict(all_exercises())

# No internals, no addresses, no trace: plain words.
NOT_PLAIN = re.compile(r"hypothesis|Falsifying|Traceback|0x[0-9a-f]|object at|<lambda> at|array\(")


def stub_raises(*arguments):
    raise NotImplementedError("your turn")


STUBS = [lambda *arguments: None, lambda *arguments: ..., stub_raises, None, ...]


def assert_passes(name, function, capsys):
    """A right answer passes, in one sentence that is printed once."""
    result = getattr(check, name)(function)
    assert result.passed, result.message
    assert result.message == f"{name}: passed. It is right on every case that we tried."
    assert capsys.readouterr() == (result.message + "\n", "")


def assert_hint(name, function, words, capsys, *, lines, characters):
    """A wrong answer is rejected in a few plain words, `words` among them, printed once."""
    result = getattr(check, name)(function)
    message = result.message
    assert not result.passed
    assert message.startswith(f"{name}: not yet. ")
    assert [word for word in words if word not in message] == [], message
    assert capsys.readouterr() == (message + "\n", "")
    assert not NOT_PLAIN.search(message)
    assert len(message.splitlines()) <= lines
    assert len(message) < characters


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
