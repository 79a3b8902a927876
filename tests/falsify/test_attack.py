"""The searches find what is there to be found, and nothing where nothing is."""

import numpy as np

from tests.falsify.attack import one_by_one


def test_a_needle_in_a_valley_is_found():
    """The product of three numbers with a square sum of 3 is at most 1; claimed is 0.99."""

    def violation(x):
        x = x / np.linalg.norm(x) * np.sqrt(3)
        return float(np.prod(x)) - 0.99

    assert one_by_one(violation, lambda rng: rng.normal(size=3))[0] > 0.0099


def test_a_true_bound_is_reached_but_not_passed():
    def violation(x):
        return float(-(x**2).sum())

    best, where = one_by_one(violation, lambda rng: rng.normal(size=4), rounds=80)
    assert -1e-6 < best <= 0
    assert np.abs(where).max() < 1e-3
