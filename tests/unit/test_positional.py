"""The encoding of positions: by hand, equal to its definition, and a rotation under every shift."""

import math

import numpy as np
import pytest
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


@given(st.integers(0, 300), width, base)
def test_every_row_has_the_same_length(pos, d_model, base):
    row = sinusoidal_encoding(pos + 1, d_model, base)[pos]
    assert_allclose(row @ row, d_model / 2, rtol=1e-14)


@pytest.mark.parametrize("d_model", [2, 4, 64, 512])
def test_a_shift_is_one_matrix_for_all_positions(d_model):
    """To 1e-9, for positions up to 10,000 and offsets of either sign."""
    encoding = sinusoidal_encoding(10_001, d_model)
    for offset in (0, 1, -1, 3, -17, 1000, -5000, 9999, -9999) if d_model < 512 else (3, -9999):
        low, high = max(0, -offset), 10_001 - max(0, offset)
        shifted = encoding[low:high] @ shift_matrix(offset, d_model).T
        assert_allclose(shifted, encoding[low + offset : high + offset], rtol=0, atol=1e-9)


@given(st.floats(-1000, 1000), st.floats(-1000, 1000), width, base)
def test_shifts_are_rotations_that_add_up(a, b, d_model, base):
    one, two = (shift_matrix(offset, d_model, base) for offset in (a, b))
    assert_allclose(one @ one.T, np.eye(d_model), atol=1e-14)
    assert_allclose(one @ shift_matrix(-a, d_model, base), np.eye(d_model), atol=1e-14)
    assert_allclose(one @ two, shift_matrix(a + b, d_model, base), atol=1e-12)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200), width, base)
def test_similarity_depends_on_distance_alone(p, distance, move, d_model, base):
    encoding = sinusoidal_encoding(p + distance + move + 1, d_model, base)
    here = encoding[p] @ encoding[p + distance]
    there = encoding[p + move] @ encoding[p + move + distance]
    assert_allclose(here, there, rtol=0, atol=1e-11 * d_model)
    expected = np.cos(angular_frequencies(d_model, base) * distance).sum()
    assert_allclose(here, expected, rtol=0, atol=1e-11 * d_model)
