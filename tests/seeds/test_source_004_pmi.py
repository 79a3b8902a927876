"""The numbers of source 004's second half: its PMI cell, printed twice, and what follows from its table."""

import math

import numpy as np
from numpy.testing import assert_allclose

from attn.pmi import pmi

PXY = np.array([[0.1, 0.7], [0.15, 0.05]])
PRINTED = [-1.0, 0.22239242133644774, 1.584962500721156, -1.5849625007211563]


def test_both_cells():
    """The second cell repeats the first: same inputs, same numbers, with "PMI:" before each."""
    x, y = [0.8, 0.8, 0.2, 0.2], [0.25, 0.75, 0.25, 0.75]
    again = [math.log(p / (a * b), 2) for p, a, b in zip(PXY.ravel(), x, y, strict=True)]
    assert_allclose(again, PRINTED, rtol=1e-15)
    assert_allclose(pmi(PXY).ravel(), PRINTED, rtol=1e-14)
