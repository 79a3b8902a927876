"""How a case is drawn, copied and shown. A case is a dict of arguments, in the order of the call."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from attn._numbers import significant


class Draw:
    """Draws the parts of a case. The first option is the simplest, and cases shrink toward it.

    `count(most)` must return a whole number, 0 … most. It is the only source of chance: Hypothesis' own numbers
    depend on which modules are loaded, so a learner would see another counter-example on another machine, and find
    a folder `.hypothesis` beside the notebook.
    """

    def __init__(self, count: Callable[[int], int]) -> None:
        self._count = count

    def choice(self, options: Sequence[Any] | np.ndarray) -> Any:
        """Return one of a sequence of options."""
        return options[self._count(len(options) - 1)]

    def whole(self, low: int, high: int) -> int:
        """Return a whole number, low … high."""
        return low + self._count(high - low)

    def array(self, shape: tuple[int, ...], options: Sequence[Any] | np.ndarray) -> np.ndarray:
        """Return an array whose entries are drawn from `options`."""
        entries = [self.choice(options) for _ in range(math.prod(shape))]
        return np.array(entries, dtype=np.asarray(options).dtype).reshape(shape)

    def some(self, low: int, high: int, make: Callable[[], Any]) -> list[Any]:
        """Return a list of `low` … `high` things that make() draws. It shrinks better than a count drawn first."""
        things = [make() for _ in range(low)]
        while len(things) < high and self._count(1):
            things.append(make())
        return things


def copies(case: dict[str, Any]) -> dict[str, Any]:
    """Return the case with arrays of its own, for a function that might write into them."""
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in case.items()}


def show(value: Any, digits: int = 4) -> str:
    """Write a value on one line, the same with every version and print option of NumPy, for pasting into Python."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"[{', '.join(show(entry, digits) for entry in value)}]"
    if isinstance(value, np.ndarray | np.generic):
        value = value.item()
    return significant(value, digits) if isinstance(value, float) else str(value)
