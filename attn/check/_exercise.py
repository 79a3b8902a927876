"""What an exercise is to its checker, and what a checker finds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attn.practice.mistakes import Mistake


@dataclass(frozen=True, repr=False)
class Result:
    """What a checker found: true if the function passed; `message` is what it printed."""

    passed: bool
    message: str

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"Result(passed={self.passed})"

    def _ipython_display_(self) -> None:
        """Show nothing at the end of a notebook cell: the message has been printed."""


@dataclass(frozen=True)
class Exercise:
    """What a checker needs to know.

    Attributes
    ----------
    usage : str
        How the learner's function is called: "masked_softmax(scores, mask)".
    names : tuple of str
        Of its arguments.
    shape : str
        The shape of the answer in words: "(n_q, n_k)".
    right : callable
        The right answer, called like the learner's function; returns an array.
    build : callable
        `build(draw)` makes one case, a tuple of arguments in order, from a `Draw`.
    fixed : tuple of tuples
        Hand-picked cases that are always tried; a stub is recognized on the first. A list is an array of float64.
    judge : callable or str, optional
        `judge(answer, expected, **case)` says in a sentence what is wrong with an array of the right shape, or None.
        A text says it of the first entry that is wrong: {0}, {1} are its place, {got} and {right} the two values, and
        what the case holds has its own name, {n}.
    says : callable, optional
        `says(*place, got, right, **case)` is such a text, where it takes a calculation.
    mistakes : tuple of attn.practice.mistakes.Mistake
        The likeliest first.
    free : bool
        Whether an answer other than `right` can be right as well: then `judge` alone decides. Else an answer that is
        not near `right` (see `_close`) is wrong, whatever `judge` says, and `right` is shown beside it.
    """

    usage: str
    names: tuple[str, ...]
    shape: str
    right: Callable
    build: Callable
    fixed: tuple
    judge: Callable | str | None = None
    says: Callable | None = None
    mistakes: tuple[Mistake, ...] = ()
    free: bool = False

    def case(self, values: tuple) -> dict[str, Any]:
        """The arguments of a call, by their names."""
        made = [np.array(value, float) if isinstance(value, list) else value for value in values]
        return dict(zip(self.names, made, strict=True))
