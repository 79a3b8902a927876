"""Turned queries and keys: by hand, equal to their definition in complex numbers, and what changes them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from attn.rotary import rotary_attention, rotate, stretch, to_layout

width = st.integers(1, 12).map(lambda pairs: 2 * pairs)
seed = st.integers(0, 10**6)
LAYOUTS = ("interleaved", "halves")


def by_definition(x, positions, clocks, layout):
    """The same by way of complex numbers: a pair is one of them, a turn is one factor."""
    n = 2 * len(clocks)
    first, second = (x[..., :n:2], x[..., 1:n:2]) if layout == "interleaved" else (x[..., : n // 2], x[..., n // 2 : n])
    z = (first + 1j * second) * np.exp(1j * np.asarray(positions, dtype=float)[..., None] * clocks)
    if layout == "interleaved":
        turned = np.stack([z.real, z.imag], axis=-1).reshape(*z.shape[:-1], n)
    else:
        turned = np.concatenate([z.real, z.imag], axis=-1)
    return np.concatenate([turned, x[..., n:]], axis=-1)


@given(seed, width, st.sampled_from(LAYOUTS), st.integers(0, 12), st.sampled_from([1.0, 100.0, 1e4, 5e5]))
def test_it_is_its_definition(seed, d, layout, spare, base):
    rng = np.random.default_rng(seed)
    n_rotary = max(2, d - 2 * (spare % (d // 2 + 1)))
    x, positions = rng.normal(size=(2, 3, 5, d)), rng.normal(scale=50, size=5)
    turned = rotate(x, positions, base=base, layout=layout, n_rotary=n_rotary)
    clocks = base ** (-np.arange(0, n_rotary, 2) / n_rotary)
    assert_allclose(turned, by_definition(x, positions, clocks, layout), rtol=0, atol=1e-12)
    own = rng.normal(size=n_rotary // 2)
    turned = rotate(x, positions, layout=layout, n_rotary=n_rotary, frequencies=own)
    assert_allclose(turned, by_definition(x, positions, own, layout), rtol=0, atol=1e-12)


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


# Layouts ------------------------------------------------------------------------------------------------------------


def test_layouts_by_hand():
    assert_array_equal(to_layout(np.arange(6), "interleaved", "halves"), [0, 2, 4, 1, 3, 5])
    assert_array_equal(to_layout(np.arange(6), "halves", "interleaved"), [0, 3, 1, 4, 2, 5])
    two = to_layout(np.arange(12), "interleaved", "halves", n_heads=2)
    assert_array_equal(two, [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11])
    assert_array_equal(to_layout(np.arange(6), "interleaved", "halves", n_rotary=4), [0, 2, 1, 3, 4, 5])
    assert_array_equal(to_layout(np.arange(6), "halves", "halves"), np.arange(6))
    there, back = (to_layout(np.arange(4), *way) for way in (LAYOUTS, LAYOUTS[::-1]))
    assert_array_equal(there, back)  # four numbers hide which way


def test_a_layout_keeps_dtype_and_input():
    w = np.arange(6, dtype=np.float32)
    moved = to_layout(w, "interleaved", "halves")
    moved[:] = 0
    assert moved.dtype == np.float32
    assert_array_equal(w, np.arange(6))
    same = to_layout(w, "halves", "halves")
    same[:] = 0
    assert_array_equal(w, np.arange(6))


# Attention ----------------------------------------------------------------------------------------------------------


def drawn(rng, *batch, n=5, d=6, d_v=3):
    return rng.normal(size=(*batch, n, d)), rng.normal(size=(*batch, n, d)), rng.normal(size=(*batch, n, d_v))


@given(seed, st.sampled_from(LAYOUTS), st.booleans())
def test_it_turns_and_attends(seed, layout, masked):
    q, k, v = drawn(np.random.default_rng(seed), 2, 3)
    mask = causal_mask(5) if masked else None
    how = {"layout": layout, "base": 100.0, "n_rotary": 4}
    found = rotary_attention(q, k, v, mask=mask, scale=0.7, **how)
    expected = scaled_dot_product_attention(
        rotate(q, np.arange(5), **how), rotate(k, np.arange(5), **how), v, mask, scale=0.7
    )
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one, other, rtol=1e-14)
    moved = rotary_attention(q, k, v, np.arange(5) + 1000, mask, scale=0.7, **how)
    for one, other in zip(found, moved, strict=True):
        assert_allclose(one, other, rtol=0, atol=1e-11)


def test_clocks_of_its_own_are_for_queries_and_keys():
    q, k, v = drawn(np.random.default_rng(4))
    own = [0.3, 2.0, 0.0]
    turned = (rotate(x, np.arange(5), frequencies=own) for x in (q, k))
    expected = scaled_dot_product_attention(*turned, v)
    for found, right in zip(rotary_attention(q, k, v, frequencies=own), expected, strict=True):
        assert_allclose(found, right, rtol=1e-14)
    apart = rotary_attention(q, k, v, k_positions=np.arange(5) + 3)[1]
    assert_allclose(apart, rotary_attention(q, k, v, np.arange(5) - 3, k_positions=np.arange(5))[1], atol=1e-12)


# Stretching ---------------------------------------------------------------------------------------------------------


def test_stretches_by_hand():
    clocks = np.array([1.0, 0.1, 0.01])
    assert_allclose(stretch(clocks, 4, "interpolation"), [0.25, 0.025, 0.0025])
    assert_allclose(stretch(clocks, 4, "ntk"), [1, 0.05, 0.0025])
    # 2π words: a clock of 1 radian makes one turn. Half-way from 1 turn to 3, half of it is divided.
    turns = np.array([4.0, 3, 2, 1, 0.5])
    found = stretch(turns / 10, 4, "yarn", n_trained=63, few_turns=6.3 / (2 * np.pi), many_turns=18.9 / (2 * np.pi))
    assert_allclose(found, [0.4, 0.3, 0.2 * (1 + 1 / 4) / 2, 0.1 / 4, 0.05 / 4])
    # From 0 turns to 2: of a pair that makes one, half is divided.
    one = 2 * np.pi / 50
    found = stretch([2 * one, one], 4, "yarn", n_trained=50, few_turns=0, many_turns=2)
    assert_allclose(found, [2 * one, one * (1 + 1 / 4) / 2])
