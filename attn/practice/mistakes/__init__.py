"""Wrong answers that people give, and what to say to whoever gives one: a module a chapter.

They stand here once. The checkers of `attn.check` say these sentences about functions, the exercises of
`attn.practice.by_hand` about numbers that a reader typed, or that stand on paper. NumPy is all that they need.

The mistakes of a calculation are dicts, one for each of its steps: what is said -> a function that gives the wrong
answer. It takes matrices by name: what is given, and the right numbers of earlier steps, so that no step is wrong
because of one before.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

#: The mistakes of one step: hint -> function. (For mypy, functions of unlike parameters are no Callable together.)
Mistakes = Mapping[str, Any]


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


#: Slips of any calculation, and what is said of them. No step lists them: `slips` finds them from its own function.
SLIPS = {
    "other-sign": "The size is right, and the sign is not.",
    "swapped": "Are two numbers swapped? Each is right, in another's place.",
    "minus-lost": "Is a minus lost? A negative number taken as positive gives what you wrote.",
    "left-out": "Is a term left out? The sum without one of its terms gives what you wrote.",
}


def slips(function: Callable, known: Mapping[str, Any]) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """What small slips in a step give, found by taking its own function at its word.

    A number of what goes in is given the other sign if it is negative, or left out. An answer's cell is a *sum* over a
    matrix if what its numbers bring, one at a time, adds up to it.

    Parameters
    ----------
    function : callable
        The right function of a step.
    known : mapping of str to array
        What is given, and the right answers before it.

    Returns
    -------
    dict of str to list of (array, array of bool)
        For each name in `SLIPS` the answers that it leads to, and the cells that may have it while others have none:
        of those that are no sum of their own, a slip shows in all at once. A term is left out of sums of two or more.
    """
    right = worked(function, known)
    anywhere = np.ones(right.shape, dtype=bool)
    found: dict[str, list] = {name: [] for name in SLIPS}
    found["other-sign"].append((-right, anywhere))
    for axis in (0, 1):
        for one, other in combinations(range(right.shape[axis]), 2):
            order = list(range(right.shape[axis]))
            order[one], order[other] = other, one
            found["swapped"].append((np.take(right, order, axis), ~anywhere))
    ways = []
    for name in _wanted(function):
        given = np.atleast_2d(np.asarray(known[name], float))

        def instead(values: np.ndarray, name: str = name) -> np.ndarray:
            try:
                return worked(function, {**known, name: values})
            except (ValueError, IndexError):  # such a number can't go in
                return np.full(right.shape, np.nan)

        places = [place for place in np.ndindex(given.shape) if given[place]]
        without = [instead(np.where(_at(given, place), 0, given)) for place in places]
        minus = [np.where(_at(given, place), -given, given) for place in places if given[place] < 0]
        turned = [instead(values) for values in [*minus, *([np.abs(given)] if minus else [])]]
        ways.append(
            (without, turned, np.array([right - answer for answer in without]).reshape(-1, *right.shape))
        )
    whole = np.concatenate([parts for *_, parts in ways]) if ways else np.zeros((0, *right.shape))
    for without, turned, own in ways:
        sums, several = anywhere & False, anywhere & False
        for parts in (own, whole):
            adds_up = np.isclose(parts.sum(axis=0), right, rtol=0, atol=1e-9)
            sums |= adds_up
            several |= adds_up & ((np.abs(parts) > 1e-9).sum(axis=0) > 1)
        found["left-out"] += [(np.where(several, answer, np.nan), several) for answer in without]
        found["minus-lost"] += [(answer, sums) for answer in turned]
    return found


def _at(given: np.ndarray, place: tuple[int, ...]) -> np.ndarray:
    """True in one place alone."""
    there = np.zeros(given.shape, dtype=bool)
    there[place] = True
    return there
