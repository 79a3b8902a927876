"""softmax, log_softmax, entropy and the Jacobian: values by hand, invariances, extremes."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.softmax import entropy, log_softmax, softmax, softmax_jacobian

ALL = pytest.mark.parametrize("function", [softmax, log_softmax, entropy, softmax_jacobian])


@pytest.mark.parametrize("size", [1e3, 1e300, 1.7e308])
def test_any_magnitude(size):
    with np.errstate(all="raise"):
        assert_array_equal(softmax([size, -size, -np.inf]), [1, 0, 0])
        assert_array_equal(softmax([size, size]), [0.5, 0.5])
        assert_array_equal(softmax([-size, -size]), [0.5, 0.5])
        assert_allclose(log_softmax([-size, -size]), [-math.log(2)] * 2)
        assert_allclose(log_softmax([0.0, -size]), [0, -size])  # what softmax rounds to zero
        assert_array_equal(log_softmax([1.7e308, -1.7e308]), [0, -np.inf])


def test_nothing_to_choose_from():
    x = np.array([[0.0, -np.inf], [-np.inf, -np.inf]])
    with np.errstate(all="raise"):
        assert_array_equal(softmax(x), [[1, 0], [0, 0]])
        assert_array_equal(softmax(x, axis=0), [[1, 0], [0, 0]])
        assert_array_equal(log_softmax(x), [[0, -np.inf], [-np.inf, -np.inf]])
    for shape in ((0,), (3, 0), (0, 3), (2, 0, 3)):
        assert softmax(np.zeros(shape)).shape == log_softmax(np.zeros(shape)).shape == shape


@ALL
def test_dtypes_and_the_input_stay(function):
    for dtype in (np.float16, np.float32, np.float64):
        x = np.array([[0.25, 0.75], [1.0, 0.0]], dtype=dtype)
        x.flags.writeable = False
        answer = function(x)
        assert answer.dtype == dtype
        assert not np.shares_memory(answer, x)
    for x in ([1, 0], np.array([1, 0], dtype=np.int8), np.array([1, 0], dtype=np.uint16)):
        assert function(x).dtype == np.float64
        assert_allclose(function(x), function([1.0, 0.0]), rtol=1e-15)


def test_float16_is_computed_in_float32():
    # Along the first axis NumPy adds one by one, and in float16 the total of 5000 ones stops at 2048.
    x = np.zeros((5000, 2), dtype=np.float16)
    assert np.exp(x).sum(axis=0, dtype=np.float16)[0] == 2048
    assert_allclose(softmax(x, axis=0).astype(np.float64), 1 / 5000, rtol=2e-3)
    assert_allclose(log_softmax(x, axis=0).astype(np.float64), -math.log(5000), rtol=1e-3)
    assert_allclose(entropy(softmax(x, axis=0), axis=0).astype(np.float64), math.log(5000), rtol=1e-2)


def test_entropy_by_hand():
    assert_allclose(entropy([0.5, 0.25, 0.25], base=2), 1.5, rtol=1e-15)
    assert_allclose(entropy([0.5, 0.25, 0.25]), 1.5 * math.log(2), rtol=1e-15)
    assert_allclose(entropy([0.25] * 4, base=4), 1, rtol=1e-15)
    assert_array_equal(entropy([[1.0, 0.0], [0.0, 0.0]]), [0, 0])
    assert not np.signbit(entropy([1.0, 0.0]))
    assert_allclose(entropy(np.array([[0.5, 1.0], [0.5, 0.0]]), axis=0, base=2), [1, 0])
    assert entropy(np.full((2, 4, 3), 0.25), axis=1).shape == (2, 3)
    entropy([0.34523096, 0.65476904])  # eight decimals, source 001
    for dtype in (np.float32, np.float16):
        entropy(softmax(np.linspace(0, 1, 999).astype(dtype)))


def test_jacobian_by_hand():
    assert_allclose(softmax_jacobian([0.25, 0.75]), [[0.1875, -0.1875], [-0.1875, 0.1875]], rtol=1e-15)
    assert_array_equal(softmax_jacobian([1.0, 0.0]), np.zeros((2, 2)))
    assert_array_equal(softmax_jacobian([0.0, 0.0]), np.zeros((2, 2)))
