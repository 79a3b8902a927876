"""What two of the checkers share: tables of counts, and logarithms of 0 without a warning."""

import numpy as np


def quiet(function):
    """Let a function take logarithms of 0 in silence."""

    def calm(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)

    return calm


def full(draw, shape, most):
    """A table of counts with something in every row and column."""
    table = draw.array(shape, np.arange(most + 1))
    for i in range(shape[0]):
        if not table[i].any():
            table[i, i % shape[1]] = 1
    for j in range(shape[1]):
        if not table[:, j].any():
            table[j % shape[0], j] = 1
    return table
