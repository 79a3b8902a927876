"""The masks: drawn by hand, equal to their definitions, and consistent with each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from attn.masks import causal_mask, padding_mask, prefix_mask, sliding_window_mask, to_additive

steady = settings(deadline=None, derandomize=True, database=None, max_examples=60)
size = st.integers(0, 7)


def picture(mask):
    """Write a mask as rows of x (may look) and . (hidden)."""
    return [" ".join("x" if cell else "." for cell in row) for row in mask]


def test_causal():
    assert picture(causal_mask(3)) == ["x . .", "x x .", "x x x"]


def test_causal_rectangular_is_top_left_by_default():
    assert picture(causal_mask(2, 4)) == ["x . . .", "x x . ."]
    assert picture(causal_mask(4, 2)) == ["x .", "x x", "x x", "x x"]


def test_causal_offset():
    assert picture(causal_mask(2, 4, offset=2)) == ["x x x .", "x x x x"]
    assert picture(causal_mask(3, offset=-1)) == [". . .", "x . .", "x x ."]


def test_padding():
    mask = padding_mask([2, 0, 3], 3)
    assert mask.shape == (3, 1, 3)
    assert picture(mask[:, 0]) == ["x x .", ". . .", "x x x"]


def test_sliding_window():
    assert picture(sliding_window_mask(4, 2)) == ["x . . .", "x x . .", ". x x .", ". . x x"]


def test_prefix():
    assert picture(prefix_mask(4, 2)) == ["x x . .", "x x . .", "x x x .", "x x x x"]


@steady
@given(size, size, st.integers(-8, 8))
def test_causal_is_its_definition(n_q, n_k, offset):
    expected = [[j <= i + offset for j in range(n_k)] for i in range(n_q)]
    assert_array_equal(causal_mask(n_q, n_k, offset=offset), np.array(expected, dtype=bool).reshape(n_q, n_k))


@steady
@given(st.integers(0, 7), st.data())
def test_padding_is_its_definition(n_k, data):
    lengths = np.array(data.draw(st.lists(st.integers(0, n_k), max_size=4)), dtype=np.int64)
    mask = padding_mask(lengths, n_k)
    assert mask.shape == (len(lengths), 1, n_k)
    assert_array_equal(mask.sum(axis=(1, 2)), lengths)
    assert (mask[..., :-1] | ~mask[..., 1:]).all()  # real tokens first


@steady
@given(size, st.integers(1, 9))
def test_window_is_its_definition(n, window):
    expected = [[0 <= i - j < window for j in range(n)] for i in range(n)]
    assert_array_equal(sliding_window_mask(n, window), np.array(expected, dtype=bool).reshape(n, n))


@steady
@given(size, st.data())
def test_prefix_is_its_definition(n, data):
    n_prefix = data.draw(st.integers(0, n))
    expected = [[j <= i or j < n_prefix for j in range(n)] for i in range(n)]
    assert_array_equal(prefix_mask(n, n_prefix), np.array(expected, dtype=bool).reshape(n, n))


@pytest.mark.parametrize("n", range(5))
def test_where_they_meet(n):
    assert_array_equal(sliding_window_mask(n, 1), np.eye(n, dtype=bool))
    assert_array_equal(sliding_window_mask(n, n + 1), causal_mask(n))
    assert_array_equal(prefix_mask(n, 0), causal_mask(n))
    assert_array_equal(prefix_mask(n, n), np.ones((n, n), dtype=bool))
    assert_array_equal(causal_mask(n), np.tril(np.ones((n, n), dtype=bool)))
    # The last rows of a triangle are what a KV cache needs.
    for n_q in range(n + 1):
        assert_array_equal(causal_mask(n_q, n, offset=n - n_q), causal_mask(n)[n - n_q :])


@pytest.mark.parametrize(
    "mask",
    [causal_mask(2), causal_mask(0), padding_mask([1], 2), sliding_window_mask(2, 1), prefix_mask(2, 1)],
)
def test_all_are_boolean_and_writable(mask):
    assert mask.dtype == bool
    assert mask.flags.writeable


def test_shapes_of_lengths():
    assert padding_mask(2, 3).shape == (1, 3)
    assert padding_mask(np.array([[1, 2], [3, 0]]), 3).shape == (2, 2, 1, 3)
    assert padding_mask([], 3).shape == (0, 1, 3)
    assert padding_mask(np.array([2], dtype=np.uint8), 3).tolist() == [[[True, True, False]]]
    assert padding_mask([0], 0).shape == (1, 1, 0)


def test_numpy_integers_count_as_whole():
    assert_array_equal(causal_mask(np.int64(2), np.uint8(3), offset=np.int8(1)), causal_mask(2, 3, offset=1))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, "float32"])
def test_to_additive(dtype):
    additive = to_additive([[True, False]], dtype)
    assert additive.dtype == np.dtype(dtype)
    assert_array_equal(additive, [[0, -np.inf]])
    assert not np.signbit(additive[0, 0])


def test_to_additive_leaves_the_mask():
    mask = causal_mask(3)
    to_additive(mask, np.float64)
    assert mask.dtype == bool
    assert_array_equal(mask, causal_mask(3))
