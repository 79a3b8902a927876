"""Turned queries and keys: by hand, their dtypes, and what changes them."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.rotary import rotary_attention, rotate, stretch, to_layout

LAYOUTS = ("interleaved", "halves")


def test_the_input_stays_and_so_does_its_dtype():
    for dtype, tolerance in ((np.float16, 2e-3), (np.float32, 1e-6), (np.float64, 0)):
        x = np.random.default_rng(0).normal(size=(3, 6)).astype(dtype)
        positions = np.array([0, 2049, 16_777_217])  # more digits than float16 and float32 have
        kept = x.copy(), positions.copy()
        turned = rotate(x, positions)
        assert turned.dtype == dtype
        assert_array_equal(x, kept[0])
        assert_array_equal(positions, kept[1])
        assert_allclose(turned, rotate(x.astype(float), positions), rtol=0, atol=tolerance)
    assert rotate(np.ones((1, 2), int), [0]).dtype == np.float64
    assert rotate(np.ones((2, 0, 4)), []).shape == (2, 0, 4)


def test_layouts_by_hand():
    assert_array_equal(to_layout(np.arange(6), "interleaved", "halves"), [0, 2, 4, 1, 3, 5])
    assert_array_equal(to_layout(np.arange(6), "halves", "interleaved"), [0, 3, 1, 4, 2, 5])
    two = to_layout(np.arange(12), "interleaved", "halves", n_heads=2)
    assert_array_equal(two, [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11])
    assert_array_equal(to_layout(np.arange(6), "interleaved", "halves", n_rotary=4), [0, 2, 1, 3, 4, 5])
    w = np.arange(6.0)
    same = to_layout(w, "halves", "halves")
    assert_array_equal(same, w)
    assert not np.shares_memory(same, w)
    there, back = (to_layout(np.arange(4), *way) for way in (LAYOUTS, LAYOUTS[::-1]))
    assert_array_equal(there, back)  # four numbers hide which way


def drawn(rng, *batch, n=5, d=6, d_v=3):
    return rng.normal(size=(*batch, n, d)), rng.normal(size=(*batch, n, d)), rng.normal(size=(*batch, n, d_v))


def test_clocks_of_its_own_are_for_queries_and_keys():
    q, k, v = drawn(np.random.default_rng(4))
    own = [0.3, 2.0, 0.0]
    turned = (rotate(x, np.arange(5), frequencies=own) for x in (q, k))
    expected = scaled_dot_product_attention(*turned, v, scale=0.7)
    for found, right in zip(rotary_attention(q, k, v, frequencies=own, scale=0.7), expected, strict=True):
        assert_allclose(found, right, rtol=1e-14)
    apart = rotary_attention(q, k, v, k_positions=np.arange(5) + 3)[1]
    assert_allclose(
        apart, rotary_attention(q, k, v, np.arange(5) - 3, k_positions=np.arange(5))[1], atol=1e-12
    )


def test_stretches_by_hand():
    clocks = np.array([1.0, 0.1, 0.01])
    assert_allclose(stretch(clocks, 4, "interpolation"), [0.25, 0.025, 0.0025])
    assert_allclose(stretch(clocks, 4, "ntk"), [1, 0.05, 0.0025])
    # 2π words: a clock of 1 radian makes one turn. Half-way from 1 turn to 3, half of it is divided.
    turns = np.array([4.0, 3, 2, 1, 0.5])
    found = stretch(
        turns / 10, 4, "yarn", n_trained=63, few_turns=6.3 / (2 * np.pi), many_turns=18.9 / (2 * np.pi)
    )
    assert_allclose(found, [0.4, 0.3, 0.2 * (1 + 1 / 4) / 2, 0.1 / 4, 0.05 / 4])
    # From 0 turns to 2: of a pair that makes one, half is divided.
    one = 2 * np.pi / 50
    found = stretch([2 * one, one], 4, "yarn", n_trained=50, few_turns=0, many_turns=2)
    assert_allclose(found, [2 * one, one * (1 + 1 / 4) / 2])
