"""How near an answer must be: one rule for all exercises.

A number may differ from the right one by 1e-5, and by 1e-5 of its size. float32 carries seven digits and loses one or
two on the way, so an answer that was computed in float32 passes; one that is off by a thousandth does not. What is
infinite must be the same infinity, NaN is never near, and Booleans and counts must be equal.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attn.check._cases import show

TOLERANCE = 1e-5


def far(answer: ArrayLike, expected: ArrayLike) -> np.ndarray:
    """Where the answer is wrong: an array of bool, of the common shape of the two."""
    answer, expected = np.asarray(answer, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    with np.errstate(all="ignore"):
        near = np.abs(answer - expected) <= TOLERANCE * (1 + np.abs(expected))
    return ~np.where(np.isfinite(expected), near, answer == expected)


def apart(answer: Any, expected: Any) -> tuple[str, str]:
    """Both values as text, with as many digits as it takes to tell them apart."""
    for digits in range(4, 18):
        texts = show(answer, digits), show(expected, digits)
        if texts[0] != texts[1]:
            break
    return texts


def wrong_entries(answer: np.ndarray, expected: np.ndarray) -> Iterator[tuple[Any, ...]]:
    """Yield (*index, value, right value) for each entry that is wrong, the values as text that tells them apart."""
    for index in np.argwhere(far(answer, expected)):
        place = tuple(index)
        yield (*place, *apart(answer[place], expected[place]))
