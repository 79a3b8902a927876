"""The encoding of positions: by hand, equal to its definition, and a rotation under every shift."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding

width = st.integers(1, 24).map(lambda pairs: 2 * pairs)
base = st.sampled_from([1.0, 1.5, 10.0, 100.0, 10000.0, 5e5])


def test_by_hand():
    encoding = sinusoidal_encoding(2, 4)
    assert_array_equal(encoding[0], [0, 1, 0, 1])
    assert_allclose(encoding[1], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)], rtol=1e-15)
    assert_allclose(angular_frequencies(8), [1, 0.1, 0.01, 0.001], rtol=1e-15)
    assert_allclose(angular_frequencies(6, 8.0), [1, 0.5, 0.25], rtol=1e-15)
    assert_array_equal(angular_frequencies(6, 1), [1, 1, 1])
    s, c = math.sin(3), math.cos(3)
    t, u = math.sin(0.03), math.cos(0.03)
    expected = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, u, t], [0, 0, -t, u]]
    assert_allclose(shift_matrix(3, 4), expected, rtol=1e-15, atol=0)
    assert_array_equal(sinusoidal_encoding(np.int64(2), np.int32(4)), encoding)
    assert_array_equal(shift_matrix(np.int64(-2), 4), shift_matrix(-2.0, 4))


@given(st.integers(0, 9), width, base)
def test_it_is_its_definition(n, d_model, base):
    expected = [
        [
            (math.sin if column % 2 == 0 else math.cos)(pos / base ** (2 * (column // 2) / d_model))
            for column in range(d_model)
        ]
        for pos in range(n)
    ]
    encoding = sinusoidal_encoding(n, d_model, base)
    assert encoding.shape == (n, d_model)
    assert encoding.dtype == np.float64
    assert_allclose(encoding, np.array(expected).reshape(n, d_model), atol=1e-14)
    wavelengths = 2 * np.pi / angular_frequencies(d_model, base)
    assert_allclose(wavelengths[0], 2 * np.pi)
    assert_allclose(wavelengths[1:] / wavelengths[:-1], base ** (2 / d_model))
