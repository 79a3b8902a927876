"""The masks: drawn by hand, equal to their definitions, and consistent with each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from attn.masks import causal_mask, padding_mask, prefix_mask, sliding_window_mask, to_additive

size = st.integers(0, 7)


def same(mask, by_hand):
    """A Boolean array of its own, with these entries."""
    assert mask.dtype == bool
    assert mask.flags.writeable
    assert_array_equal(mask, np.array(by_hand, dtype=bool).reshape(mask.shape))


@given(size, size, st.integers(-8, 8), st.data())
def test_masks_are_their_definitions(n, n_k, offset, data):
    same(causal_mask(n, n_k, offset=offset), [[j <= i + offset for j in range(n_k)] for i in range(n)])
    window, n_prefix = data.draw(st.integers(1, 9)), data.draw(st.integers(0, n))
    same(sliding_window_mask(n, window), [[0 <= i - j < window for j in range(n)] for i in range(n)])
    same(prefix_mask(n, n_prefix), [[j <= i or j < n_prefix for j in range(n)] for i in range(n)])
    lengths = np.array(data.draw(st.lists(st.integers(0, n_k), max_size=4)), dtype=np.int64)
    mask = padding_mask(lengths, n_k)
    assert mask.shape == (len(lengths), 1, n_k)
    same(mask, [[j < length for j in range(n_k)] for length in lengths])


def test_shapes_of_lengths_and_whole_numbers_of_any_kind():
    assert padding_mask(2, 3).shape == (1, 3)
    assert padding_mask(np.array([[1, 2], [3, 0]]), 3).shape == (2, 2, 1, 3)
    assert padding_mask([], 3).shape == (0, 1, 3)
    for dtype in (np.uint8, np.uint16, np.int64):
        assert padding_mask(np.array([2], dtype=dtype), 3).tolist() == [[[True, True, False]]]
    assert padding_mask([0], 0).shape == (1, 1, 0)
    assert_array_equal(causal_mask(np.int64(2), np.uint8(3), offset=np.int8(1)), causal_mask(2, 3, offset=1))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, "float32"])
def test_to_additive(dtype):
    mask = causal_mask(2)
    additive = to_additive(mask, dtype)
    assert additive.dtype == np.dtype(dtype)
    assert_array_equal(additive, [[0, -np.inf], [0, 0]])
    assert not np.signbit(additive[0, 0])
    assert_array_equal(mask, causal_mask(2))
