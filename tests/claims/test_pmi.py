"""The errors that chapter 7 takes apart, on its table of two skies."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.pmi import mutual_information, pmi, ppmi
from attn.softmax import softmax

JOINT = np.array([[0.10, 0.70], [0.15, 0.05]])
P_ROW, P_COL = JOINT.sum(axis=1), JOINT.sum(axis=0)
CONDITIONAL = JOINT / P_ROW[:, None]


def test_bits_in_a_softmax_are_a_temperature():
    bits = pmi(JOINT) + np.log2(P_COL)
    assert_allclose([1 / np.log(2), np.log(2)], [1.443, 0.69], atol=5e-3)
    assert_allclose(softmax(bits), softmax(np.log(CONDITIONAL) / np.log(2)))
    assert (softmax(bits).max(axis=1) > CONDITIONAL.max(axis=1)).all()


def test_swapped_margins_are_found():
    def swapped(table):
        return np.log2(table / (table.sum(axis=0)[:, None] * table.sum(axis=1)[None]))

    independent = np.outer(P_ROW, P_COL)
    assert_allclose(pmi(independent), 0, atol=1e-15)
    assert np.abs(swapped(independent)).max() > 3
    assert (JOINT * swapped(JOINT)).sum() > 1 >= mutual_information(JOINT)


def test_counts_that_are_not_divided():
    days = 100 * JOINT
    raw = np.log2(days / np.outer(days.sum(axis=1), days.sum(axis=0)))
    assert_allclose(pmi(JOINT) - raw, np.log2(100))
    assert_array_equal(np.maximum(raw, 0), 0)
    assert_allclose(softmax(raw * np.log(2) + np.log(P_COL)), CONDITIONAL)
    with pytest.raises(ValueError, match="a sum of 100"):
        pmi(days)


def test_zero_in_place_of_minus_infinity():
    never = np.array([[0.25, 0.55], [0.0, 0.20]])
    scores, prior = pmi(never, np.e), np.log(never.sum(axis=0))
    assert_allclose(softmax(scores + prior)[1], [0, 1])
    assert_allclose(softmax(np.where(never > 0, scores, 0) + prior)[1], [0.2, 0.8])
    assert ppmi(never)[1, 0] == 0
