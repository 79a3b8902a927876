"""The encoding of positions and its shift, by hand."""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding


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
