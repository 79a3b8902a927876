"""Every number of source 004's second half: its PMI cell, printed twice, and what follows from its table."""

import math

import numpy as np
from numpy.testing import assert_allclose

from attn.pmi import mutual_information, pmi

PXY = np.array([[0.1, 0.7], [0.15, 0.05]])
PRINTED = [-1.0, 0.22239242133644774, 1.584962500721156, -1.5849625007211563]


def test_the_margins_that_it_gives_are_those_of_its_table():
    assert_allclose(PXY.sum(axis=1), [0.8, 0.2], rtol=1e-15)
    assert_allclose(PXY.sum(axis=0), [0.25, 0.75], rtol=1e-15)


def test_both_cells():
    """The second cell repeats the first: same inputs, same numbers, with "PMI:" before each."""
    x, y = [0.8, 0.8, 0.2, 0.2], [0.25, 0.75, 0.25, 0.75]
    again = [math.log(p / (a * b), 2) for p, a, b in zip(PXY.ravel(), x, y, strict=True)]
    assert_allclose(again, PRINTED, rtol=1e-15)
    assert_allclose(pmi(PXY).ravel(), PRINTED, rtol=1e-14)


def test_the_figures_that_the_text_quotes():
    assert [round(float(x), 6) for x in pmi(PXY).ravel()] == [-1, 0.222392, 1.584963, -1.584963]
    assert round(float(mutual_information(PXY)), 6) == 0.214171
