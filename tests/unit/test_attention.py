"""scaled_dot_product_attention: a case by hand, invariances, masks, no leakage, extremes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, to_additive
from attn.softmax import softmax

seeds = st.integers(0, 10_000)


def draw(seed, n_q=4, n_k=5, d_k=3, d_v=2, batch=()):
    rng = np.random.default_rng(seed)
    shapes = (*batch, n_q, d_k), (*batch, n_k, d_k), (*batch, n_k, d_v)
    return tuple(rng.normal(size=shape) for shape in shapes)


def by_loops(q, k, v, mask, scale):
    """The definition, one number at a time: no broadcasting, no matmul."""
    output = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        seen = [j for j in range(len(k)) if mask[i][j]]
        likes = [math.exp(scale * sum(a * b for a, b in zip(q[i], k[j], strict=True))) for j in seen]
        for like, j in zip(likes, seen, strict=True):
            output[i] += like / sum(likes) * v[j]
    return output


@given(seeds, st.integers(1, 4), st.integers(1, 5), st.integers(1, 7), st.data())
def test_equals_the_loops(seed, n_q, n_k, d_k, data):
    q, k, v = draw(seed, n_q, n_k, d_k)
    mask = np.random.default_rng(seed).random((n_q, n_k)) < data.draw(st.sampled_from([0.2, 0.6, 1.1]))
    scale = data.draw(st.sampled_from([None, 1.0, 0.3, -0.5, 0.0]))
    output, weights = scaled_dot_product_attention(q, k, v, mask, scale=scale)
    expected = by_loops(q, k, v, mask, 1 / math.sqrt(d_k) if scale is None else scale)
    assert_allclose(output, expected, atol=1e-12)
    assert_allclose(weights.sum(axis=-1), mask.any(axis=-1), atol=1e-12)
    assert not weights[~mask].any()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_floating_mask_is_added_after_scaling(dtype):
    """So are zeros and ones less one, as the refusal of zeros and ones advises; all zeros, or all ones, do nothing."""
    q, k, v = np.random.default_rng(3).normal(size=(3, 5, 4))
    ones = np.tri(5, dtype=dtype)
    for mask, scale in ((ones - 1, None), (np.random.default_rng(1).normal(size=(5, 5)).astype(dtype), 0.3)):
        weights = scaled_dot_product_attention(q, k, v, mask, scale=scale)[1]
        expected = softmax(q @ k.T * (0.5 if scale is None else scale) + mask)
        assert_allclose(weights, expected, atol=1e-14)
    plain = scaled_dot_product_attention(q, k, v)[1]
    for same in (0 * ones, 0 * ones + 1, True):
        assert_allclose(scaled_dot_product_attention(q, k, v, same)[1], plain, atol=1e-14)
    assert not scaled_dot_product_attention(q, k, v, False)[1].any()


@pytest.mark.parametrize("kind", [bool, float])
def test_a_query_that_may_look_at_nothing(kind):
    q, k, v = draw(0)
    mask = np.ones((4, 5), dtype=bool)
    mask[2] = False
    output, weights = scaled_dot_product_attention(
        q, k, v, mask if kind is bool else to_additive(mask, float)
    )
    full, full_weights = scaled_dot_product_attention(q, k, v)
    assert not weights[2].any()
    assert not output[2].any()
    others = [0, 1, 3]
    assert_allclose(output[others], full[others], atol=1e-13)
    assert_allclose(weights[others], full_weights[others], atol=1e-13)


@pytest.mark.parametrize("mask", [None, True, 0.0])
def test_empty_sequences(mask):
    q, k, v = draw(0)
    output, weights = scaled_dot_product_attention(q, k[:0], v[:0], mask)
    assert weights.shape == (4, 0)
    assert_array_equal(output, np.zeros((4, 2)))
    output, weights = scaled_dot_product_attention(q[:0], k, v, mask)
    assert output.shape == (0, 2)
    assert weights.shape == (0, 5)
    assert scaled_dot_product_attention(q, k, v[:, :0], mask)[0].shape == (4, 0)
    assert scaled_dot_product_attention(q[:0], k[:0], v[:0], mask)[1].shape == (0, 0)
    output, weights = scaled_dot_product_attention(q[None][:0], k, v, mask)
    assert output.shape == (0, 4, 2)


def test_float16_scores_may_pass_65504():
    q = np.full((1, 64), 100, dtype=np.float16)
    output, weights = scaled_dot_product_attention(q, np.stack([q[0], -q[0]]), np.eye(2, dtype=np.float16))
    assert_array_equal(weights, [[1, 0]])
    assert_array_equal(output, [[1, 0]])


def test_scores_of_1e300_and_masks_of_minus_1e300():
    q = np.array([[1e150]])
    k = np.array([[1e150], [-1e150], [0.0]])
    with np.errstate(all="raise"):
        _, weights = scaled_dot_product_attention(q, k, np.eye(3), np.array([True, True, True]))
    assert_array_equal(weights, [[1, 0, 0]])
    q, k, v = (x.astype(np.float32) for x in draw(0))
    _, weights = scaled_dot_product_attention(q, k, v, np.where(causal_mask(4, 5), 0.0, -1e300))
    assert_array_equal(weights, scaled_dot_product_attention(q, k, v, causal_mask(4, 5))[1])
