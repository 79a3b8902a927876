"""Checkers for the exercises: each runs your function on many small cases and says in plain words what is wrong.

`check.masked_softmax(f)` prints one message and returns a `Result`, which is true if `f` passed. A stub is "not
solved yet"; a wrong answer comes with the smallest case that shows it. `check.results.write("name.json")` writes
what has passed to a small file that can be handed in. Needs hypothesis: `pip install "attention-by-hand[check]"`.

Each module beside this file holds the checkers of one chapter, and names them in its `__all__`; they all are here.
"""

import importlib as _importlib
import pkgutil as _pkgutil
from typing import Any

from attn.check import results
from attn.check._exercise import Result

__all__ = ["Result", "results"]


def _gather(names: list[str], into: dict[str, Any]) -> list[str]:
    """Put the checkers of the modules `names` into the dict `into`; return their names, sorted."""
    found = {}
    for name in names:
        module = _importlib.import_module(f"attn.check.{name}")
        for checker in module.__all__:
            if checker in found or checker in names:
                raise ImportError(f"attn.check.{name} names a checker {checker!r}, but there is one already")
            found[checker] = getattr(module, checker)
    into.update(found)
    return sorted(found)


__all__ += _gather(
    [
        name
        for _, name, _ in _pkgutil.iter_modules(__path__)
        if not name.startswith("_") and name != "results"
    ],
    globals(),
)


def __dir__() -> list[str]:
    return sorted(__all__)  # what a learner looks for: not the modules that the checkers are in
