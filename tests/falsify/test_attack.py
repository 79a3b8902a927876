"""The searches find what is there to be found, and nothing where nothing is."""

import numpy as np
import pytest

from tests.falsify.attack import CLEAR, attack, broken, each_breaks, normal, one_by_one, worst


def test_an_attack_climbs():
    """A peak that chance does not hit: ten numbers, all within 0.01 of the right ones."""
    peak, draw = np.linspace(-2, 2, 10), normal(x=(10,))

    def near(p):
        return 0.01 - np.abs(p["x"] - peak).max(axis=-1)

    found = attack(draw, near, 0, n=1000, rounds=600)
    assert found.violation > 0
    np.testing.assert_allclose(found.instance["x"], peak, atol=0.01)
    assert worst(draw, near, n=1000, rounds=0) < 0
    assert not broken(draw, lambda p: np.full(len(p["x"]), CLEAR / 2))


def test_a_true_bound_is_reached_but_not_passed():
    """The product of three numbers with a square sum of 3 is at most 1, and more than 0.9899."""
    found = one_by_one(
        lambda x: float(np.prod(x / np.linalg.norm(x) * np.sqrt(3))) - 1, lambda rng: rng.normal(size=3)
    )
    assert -1e-4 < found.violation <= 1e-12
    np.testing.assert_allclose(np.abs(found.instance["x"]), np.abs(found.instance["x"]).mean(), rtol=0.1)


def test_a_case_that_breaks_nothing_is_named():
    with pytest.raises(AssertionError, match="nan"):
        each_breaks({"a": 1.0, "b": np.nan})
