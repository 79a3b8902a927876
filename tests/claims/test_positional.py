"""The errors that chapter 1 takes apart, and a head that looks aside."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding


@pytest.mark.parametrize("steps", [1, 3, -2])
def test_turned_keys_make_a_head_that_looks_aside(steps):
    encoding = sinusoidal_encoding(40, 64)
    scores = encoding @ (encoding @ shift_matrix(steps, 64).T).T
    inside = np.arange(max(0, steps), 40 + min(0, steps))
    assert_array_equal(scores.argmax(axis=1)[inside], inside - steps)


def test_positions_in_short_floats():
    """11 binary digits count to 2,048; those of bfloat16, 8, to 256 (see test_half_precision.py)."""
    count = np.arange(4096).astype(np.float16)
    assert (count[2048::2] == np.arange(2048, 4096, 2)).all()
    assert np.flatnonzero(count[1:] == count[:-1])[0] == 2048


def test_angles_in_short_floats():
    omega = angular_frequencies(64)

    def error(dtype, n):
        pos = np.arange(n - 100, n)[:, None]
        rounded = (pos.astype(dtype) * omega.astype(dtype)).astype(float)
        return np.abs(np.sin(rounded) - np.sin(pos * omega)).max()

    assert error(np.float16, 2000) > 0.5
    assert error(np.float16, 500) > 0.1
    assert error(np.float32, 1000) < 1e-4
    assert 1e-3 < error(np.float32, 100_000) < 1e-2


def test_running_the_cell_twice_adds_twice():
    words = np.array([[1.0, 2, 3, 4], [2, 3, 4, 5]])
    for _ in range(2):
        words = words + sinusoidal_encoding(2, 4)
    assert_allclose(words - [[1, 2, 3, 4], [2, 3, 4, 5]], 2 * sinusoidal_encoding(2, 4))
