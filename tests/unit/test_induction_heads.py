"""DRAFT: chapter 9's mathematics. Invariances, extremes, bad input: each of these tests can fail."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.induction_heads import temperature_for, tempered
from attn.softmax import softmax

SCORES = np.random.default_rng(9).normal(size=(50, 6), scale=3)
TEMPERATURES = [0.1, 0.5, 1, 2, 30]


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_it_is_the_softmax_of_divided_scores(temperature):
    weights = tempered(SCORES, temperature)
    assert_allclose(weights, softmax(SCORES / temperature), atol=1e-15)
    assert_allclose(weights.sum(axis=-1), 1)
    assert_array_equal(tempered(SCORES), softmax(SCORES))


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_ratios_are_exponentials_of_differences(temperature):
    weights = tempered(SCORES, temperature)
    ratio = np.exp((SCORES[:, 1:] - SCORES[:, :1]) / temperature)
    assert_allclose(weights[:, 1:], ratio * weights[:, :1], rtol=1e-10)


def test_any_magnitude():
    assert_array_equal(tempered([1e308, -1e308, 0], 1e-300), [1, 0, 0])
    assert_allclose(tempered([1e307, -1e307, 0], 1e307), softmax(np.array([1.0, -1, 0])))
    assert_array_equal(tempered([[-np.inf, -np.inf], [0, -np.inf]], 2), [[0, 0], [1, 0]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_dtypes_are_kept(dtype):
    weights = tempered(SCORES.astype(dtype), 0.01)
    assert weights.dtype == dtype
    assert_array_equal(weights.argmax(axis=-1), SCORES.astype(dtype).argmax(axis=-1))
    assert tempered([1, 2]).dtype == np.float64


def test_the_input_stays():
    before = SCORES.copy()
    tempered(SCORES, 0.5)
    assert_array_equal(SCORES, before)


def test_there_and_back():
    difference = np.array([[0.5, 1], [2, 8]])
    for odds in (1.5, 9, 1e6):
        pairs = np.stack([difference, np.zeros_like(difference)], axis=-1)
        for pair, temperature in zip(
            pairs.reshape(-1, 2), temperature_for(difference, odds).ravel(), strict=True
        ):
            weights = tempered(pair, temperature)
            assert_allclose(weights[0] / weights[1], odds)


WRONG = {
    "temperature 0": (lambda: tempered([1, 2], 0), ValueError, "temperature must be above 0, got 0.0"),
    "temperature below 0": (lambda: tempered([1, 2], -1), ValueError, "above 0, got -1.0"),
    "temperature inf": (lambda: tempered([1, 2], np.inf), ValueError, "temperature must be finite"),
    "temperature as text": (lambda: tempered([1, 2], "1"), TypeError, "temperature must be one number"),
    "NaN": (lambda: tempered([1, np.nan]), ValueError, "scores must not hold NaN"),
    "one score": (lambda: tempered(3.0), ValueError, "scores has 0 axes"),
    "Booleans": (lambda: tempered([True, False]), TypeError, "scores must hold numbers, got bool"),
    "no difference": (lambda: temperature_for([1, 0], 2), ValueError, "difference must be above 0"),
    "even odds": (lambda: temperature_for([1], 1), ValueError, "odds must be above 1, got 1.0"),
}


@pytest.mark.parametrize(("call", "error", "words"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_told(call, error, words):
    with pytest.raises(error, match=words):
        call()
