"""What an exercise is to its checker, and what a checker finds."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


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


class On:
    """Wrong functions that are told by their answers to cases of their own, in place of `telling`."""

    def __init__(self, cases: tuple, *functions: Callable) -> None:
        self.cases, self.functions = cases, functions


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
    judge : callable, optional
        `judge(answer, expected, **case)` says in a sentence what is wrong with an array of the right shape, or None.
    says : str or callable, optional
        What is said of the first entry that is wrong: {0}, {1} are its place, {got} and {right} the two values, {n} and
        the like what the case holds. Where that takes a calculation, `says(*place, got, right, **case)`.
    mistakes : mapping of str to callable, tuple of callables, or On
        What is said of answers like those of a wrong function, called as the right one is. The likeliest first.
    telling : tuple of tuples, optional
        Of `fixed`, the cases on which an answer must be that of a wrong function for its hint to be given. Default all.
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
    judge: Callable | None = None
    says: Callable | str | None = None
    mistakes: Mapping[str, Callable | tuple[Callable, ...] | On] = field(default_factory=dict)
    telling: tuple = ()
    free: bool = False

    def case(self, values: tuple) -> dict[str, Any]:
        """The arguments of a call, by their names."""
        made = [np.array(value, float) if isinstance(value, list) else value for value in values]
        return dict(zip(self.names, made, strict=True))

    def wrong(self) -> Iterator[tuple[str, Callable, tuple]]:
        """Yield each hint with a wrong function, and the cases on which an answer must be that function's."""
        for hint, found in self.mistakes.items():
            if not isinstance(found, On):
                found = On(self.telling or self.fixed, *(found if isinstance(found, tuple) else (found,)))
            for function in found.functions:
                yield hint, function, found.cases
