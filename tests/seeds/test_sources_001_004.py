"""What sources 001 and 004 print about variance, recomputed from their q and k; of weights and outputs, their pages do.

They print eight decimals, so each figure may be off by half a unit of the eighth, and what is computed from q and k
by what half a unit in each of their entries makes of it. The tolerances below are these bounds, not guesses.
"""

import numpy as np
import pytest

from attn.data.sources import SOURCE_001, SOURCE_004

HALF = 0.5e-8  # half a unit of the eighth decimal
each = pytest.mark.parametrize("source", [SOURCE_001, SOURCE_004], ids=["001", "004"])


def assert_within(got, printed, bound):
    assert (np.abs(got - printed) <= bound + HALF).all(), np.abs(got - printed).max()


def score_bound(source):
    """How far rounding q and k by half a unit can move q kᵀ."""
    return HALF * (np.abs(source.q).sum(axis=1)[:, None] + np.abs(source.k).sum(axis=1)) + 8 * HALF**2


@each
def test_scores(source):
    bound = score_bound(source)
    assert bound.max() < 1e-7
    assert_within(source.q @ source.k.T, source.qk, bound)
    assert_within(source.q @ source.k.T / np.sqrt(8), source.scaled, bound / np.sqrt(8))


@each
def test_variances(source):
    def assert_variance(x, printed, bound):
        # Entries off by at most e move the variance by at most 2 e mean|x − mean| + e².
        spread = np.abs(x - x.mean()).mean()
        assert abs(x.var() - printed) <= 2 * bound * spread + bound**2

    bound = score_bound(source).max()
    assert_variance(source.q, source.var_q, HALF)
    assert_variance(source.k, source.var_k, HALF)
    assert_variance(source.q @ source.k.T, source.var_qk, bound)
    assert_variance(source.q @ source.k.T / np.sqrt(8), source.var_scaled, bound / np.sqrt(8))
    # And by the printed tables, which are closer.
    assert_variance(source.qk, source.var_qk, HALF)
    assert_variance(source.scaled, source.var_scaled, HALF)
