"""Checkers for the exercises: each runs your function on many small cases and says in plain words what is wrong.

`check.masked_softmax(f)` prints one message and returns a `Result`, which is true if `f` passed. A stub is "not
solved yet"; a wrong answer comes with the smallest case that shows it. `check.results.write("name.json")` writes
what has passed to a small file that can be handed in. Needs hypothesis: `pip install "attention-by-hand[check]"`.

Each module beside this file holds the checkers of one chapter; they all are here.
"""

import importlib as _importlib
import pkgutil as _pkgutil

from attn.check import results
from attn.check._engine import CHECKERS as _CHECKERS
from attn.check._exercise import Result

for _found in _pkgutil.iter_modules(__path__):
    _importlib.import_module(f"attn.check.{_found.name}")
globals().update(_CHECKERS)
__all__ = ["Result", "results", *_CHECKERS]


def __dir__() -> list[str]:
    return sorted(__all__)  # what a learner looks for: not the modules that the checkers are in
