"""softmax, log_softmax, entropy and the Jacobian: values by hand, invariances, extremes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from attn.softmax import entropy, log_softmax, softmax, softmax_jacobian

steady = settings(deadline=None, derandomize=True, database=None, max_examples=60)
scores = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(-50, 50))


def test_softmax_by_hand():
    # exp(ln 1), exp(ln 2), exp(ln 5) are 1, 2, 5, of 8
    assert_allclose(softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625], rtol=1e-14)


def test_each_axis():
    x = np.log(np.array([[1.0, 3.0], [1.0, 1.0]]))
    assert_allclose(softmax(x), [[0.25, 0.75], [0.5, 0.5]], rtol=1e-14)
    assert_allclose(softmax(x, axis=1), softmax(x), rtol=0)
    assert_allclose(softmax(x, axis=0), [[0.5, 0.75], [0.5, 0.25]], rtol=1e-14)
    assert_allclose(softmax(x, axis=-2), softmax(x, axis=0), rtol=0)
    assert_allclose(log_softmax(x, axis=0), np.log([[0.5, 0.75], [0.5, 0.25]]), rtol=1e-14)


@steady
@given(scores)
def test_rows_sum_to_one_and_keep_their_order(x):
    weights = softmax(x)
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    assert (weights > 0).all()
    order = np.argsort(x, axis=-1, kind="stable")
    assert (np.diff(np.take_along_axis(weights, order, axis=-1), axis=-1) >= 0).all()


@steady
@given(scores, st.floats(-1e3, 1e3))
def test_a_shift_changes_nothing(x, shift):
    assert_allclose(softmax(x + shift), softmax(x), rtol=1e-10)
    assert_allclose(log_softmax(x + shift), log_softmax(x), atol=1e-10)


@steady
@given(scores)
def test_log_softmax_is_the_logarithm(x):
    assert_allclose(log_softmax(x), np.log(softmax(x)), atol=1e-12)
    assert_allclose(log_softmax(x, axis=0), np.log(softmax(x, axis=0)), atol=1e-12)


def test_log_softmax_keeps_what_softmax_rounds_to_zero():
    assert softmax([0.0, -1000.0])[1] == 0
    assert_allclose(log_softmax([0.0, -1000.0]), [0.0, -1000.0])


@pytest.mark.parametrize("size", [1e3, 1e300, 1.7e308])
def test_any_magnitude(size):
    assert_array_equal(softmax([size, -size]), [1, 0])
    assert_array_equal(softmax([size, size]), [0.5, 0.5])
    assert_array_equal(softmax([-size, -size]), [0.5, 0.5])
    assert_allclose(log_softmax([-size, -size]), [-math.log(2)] * 2)


def test_extremes_pass_even_where_numpy_raises():
    with np.errstate(all="raise"):
        assert_array_equal(softmax([1.7e308, -1.7e308, -np.inf]), [1, 0, 0])
        assert_array_equal(softmax([-np.inf, -np.inf]), [0, 0])
        assert_array_equal(log_softmax([1.7e308, -1.7e308]), [0, -np.inf])
        assert_array_equal(log_softmax([-np.inf, -np.inf]), [-np.inf, -np.inf])


@pytest.mark.filterwarnings("error")
def test_nothing_to_choose_from():
    x = np.array([[0.0, -np.inf], [-np.inf, -np.inf]])
    assert_array_equal(softmax(x), [[1, 0], [0, 0]])
    assert_array_equal(softmax(x, axis=0), [[1, 0], [0, 0]])
    assert_array_equal(log_softmax(x), [[0, -np.inf], [-np.inf, -np.inf]])
    assert_array_equal(np.exp(log_softmax(x)), softmax(x))


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 3)])
@pytest.mark.parametrize("function", [softmax, log_softmax])
def test_empty(function, shape):
    assert function(np.zeros(shape)).shape == shape


@pytest.mark.parametrize("function", [softmax, log_softmax, entropy, softmax_jacobian])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_dtypes_are_kept(function, dtype):
    assert function(np.array([0.25, 0.75], dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("function", [softmax, log_softmax, entropy, softmax_jacobian])
@pytest.mark.parametrize("x", [[1, 0], np.array([1, 0], dtype=np.int8), np.array([1, 0], dtype=np.uint32)])
def test_integers_become_float64(function, x):
    answer = function(x)
    assert answer.dtype == np.float64
    assert_allclose(answer, function([1.0, 0.0]), rtol=1e-15)


def test_float16_is_computed_in_float32():
    # Along the first axis NumPy adds one by one, and in float16 the total of 5000 ones stops at 2048.
    x = np.zeros((5000, 2), dtype=np.float16)
    assert np.exp(x).sum(axis=0, dtype=np.float16)[0] == 2048
    assert_allclose(softmax(x, axis=0).astype(np.float64), 1 / 5000, rtol=2e-3)
    assert_allclose(log_softmax(x, axis=0).astype(np.float64), -math.log(5000), rtol=1e-3)
    assert_allclose(entropy(softmax(x, axis=0), axis=0).astype(np.float64), math.log(5000), rtol=1e-2)


@pytest.mark.parametrize("function", [softmax, log_softmax, entropy, softmax_jacobian])
def test_the_input_stays(function):
    x = np.array([[0.25, 0.75], [1.0, 0.0]])
    before = x.copy()
    x.flags.writeable = False
    answer = function(x)
    assert_array_equal(x, before)
    assert not np.shares_memory(answer, x)


def test_entropy_by_hand():
    assert_allclose(entropy([0.5, 0.25, 0.25], base=2), 1.5, rtol=1e-15)
    assert_allclose(entropy([0.5, 0.25, 0.25]), 1.5 * math.log(2), rtol=1e-15)
    assert_allclose(entropy([0.25] * 4, base=4), 1, rtol=1e-15)
    assert_array_equal(entropy([[1.0, 0.0], [0.0, 0.0]]), [0, 0])
    assert not np.signbit(entropy([1.0, 0.0]))


def test_entropy_takes_its_axis():
    p = np.array([[0.5, 1.0], [0.5, 0.0]])
    assert_allclose(entropy(p, axis=0, base=2), [1, 0])
    assert entropy(np.full((2, 4, 3), 0.25), axis=1).shape == (2, 3)


@pytest.mark.filterwarnings("error")
@steady
@given(scores)
def test_entropy_lies_between_one_choice_and_all(x):
    h = entropy(softmax(x))
    assert h.shape == x.shape[:-1]
    assert (h >= 0).all()
    assert (h <= math.log(x.shape[-1]) + 1e-12).all()


def test_entropy_takes_printed_weights():
    entropy([0.34523096, 0.65476904])  # eight decimals, source 001
    entropy(softmax(np.linspace(0, 1, 999).astype(np.float32)))
    entropy(softmax(np.linspace(0, 1, 999).astype(np.float16)))


def test_jacobian_by_hand():
    assert_allclose(softmax_jacobian([0.25, 0.75]), [[0.1875, -0.1875], [-0.1875, 0.1875]], rtol=1e-15)
    assert_array_equal(softmax_jacobian([1.0, 0.0]), np.zeros((2, 2)))
    assert_array_equal(softmax_jacobian([0.0, 0.0]), np.zeros((2, 2)))


@steady
@given(scores)
def test_jacobian_is_the_derivative(x):
    step = 1e-5
    jacobian = softmax_jacobian(softmax(x))
    assert jacobian.shape == (*x.shape, x.shape[-1])
    for j in range(x.shape[-1]):
        h = np.zeros(x.shape[-1])
        h[j] = step
        slope = (softmax(x + h) - softmax(x - h)) / (2 * step)
        assert_allclose(jacobian[..., j], slope, atol=1e-9)
    assert_allclose(jacobian.sum(axis=-1), 0, atol=1e-15)
