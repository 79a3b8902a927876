"""Wrong answers that people give, and what to say to whoever gives one: a module a chapter.

They stand here once. The checkers of `attn.check` say these sentences about functions, the exercises by hand of
`attn.explore.by_hand` about numbers that a reader typed, the keys of `attn.worksheets` about numbers on paper. NumPy
is all that they need.

The mistakes of a calculation are dicts, one for each of its steps: name -> `Mistake`. Their functions take numbers by
name: what is given, and the right numbers of earlier steps, so that no step is wrong because of one before.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

#: The mistakes of one step, by name.
Mistakes = Mapping[str, "Mistake"]


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer.

    Attributes
    ----------
    function : callable
        Called like the right function; returns the wrong answer.
    hint : str
        For whoever gives that answer.
    cases : tuple of dict, optional
        For a checker: the cases on which both must agree for the hint to be given. Default `Exercise.fixed`.
    """

    function: Callable
    hint: str
    cases: tuple | None = None


@cache
def _wanted(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def worked(function: Callable, known: Mapping[str, Any]) -> np.ndarray:
    """What a function of named numbers gives, as a matrix.

    Parameters
    ----------
    function : callable
        Its parameters are names in `known`.
    known : mapping of str to array
        What is given, and the answers so far.

    Returns
    -------
    array of float64, (n, m)
        A single number is (1, 1), a row (1, m).

    Raises
    ------
    KeyError
        If a parameter is not in `known`; the message names it, and what is.
    """
    if missing := [name for name in _wanted(function) if name not in known]:
        raise KeyError(f"the function needs {', '.join(missing)}; known are {', '.join(known)}")
    with np.errstate(all="ignore"):
        return np.atleast_2d(np.asarray(function(**{name: known[name] for name in _wanted(function)}), float))
