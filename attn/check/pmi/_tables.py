"""What two of the checkers share: tables of counts, and logarithms of 0 without a warning."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import Draw


def quiet(function: Callable) -> Callable:
    """Let a function take logarithms of 0 in silence."""

    def calm(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)

    return calm


def full(draw: Draw, shape: tuple[int, int], most: int) -> np.ndarray:
    """A table of counts with something in every row and column."""
    table = draw.array(shape, np.arange(most + 1))
    for i in range(shape[0]):
        if not table[i].any():
            table[i, i % shape[1]] = 1
    for j in range(shape[1]):
        if not table[:, j].any():
            table[j % shape[0], j] = 1
    return table
