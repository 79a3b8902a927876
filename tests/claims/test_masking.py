"""What chapter 3 says of masks that people write."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.explore.masking import K, Q, V
from attn.masks import causal_mask
from attn.softmax import softmax

Q, K, V = (np.array(x, dtype=float) for x in (Q, K, V))


def test_the_in_place_trick_depends_on_its_order():
    assert not hasattr(np, "infty")
    right, swapped = np.tril(np.ones((3, 3))), np.tril(np.ones((3, 3)))
    right[right == 0] = -np.inf
    right[right == 1] = 0
    swapped[swapped == 1] = 0
    swapped[swapped == 0] = -np.inf
    assert_array_equal(right, np.where(causal_mask(3), 0, -np.inf))
    assert (swapped == -np.inf).all()


def test_minus_1e9_in_an_empty_row():
    row = np.array([1.0, 0.0, 2.0])
    assert_array_equal(softmax(np.full(3, -np.inf)), 0)
    assert_allclose(softmax(np.full(3, -1e9)), 1 / 3)
    assert_allclose(softmax(row - 1e9), softmax(row), atol=1e-7)
    assert_allclose(softmax(row), [0.245, 0.090, 0.665], atol=5e-4)
    assert_allclose(softmax(row.astype(np.float32) - np.float32(1e9)), 1 / 3, rtol=1e-6)
    with np.errstate(over="ignore"):
        assert np.float16(-1e9) == -np.inf


def test_an_empty_row_poisons_the_gradient():
    """The gradient of the page against finite differences, then with NaN where the mask hides a whole row."""
    mask = causal_mask(4) & (np.arange(4) >= 2)
    d_output = np.array([[0.0, 0], [0, 0], [1, 0], [1, 0]])
    weights = scaled_dot_product_attention(Q, K, V, mask)[1]

    def d_scores(weights):
        d_weights = d_output @ V.T
        return weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))

    def loss(k):
        return (scaled_dot_product_attention(Q, k, V, mask)[0] * d_output).sum()

    numeric, steps = np.zeros_like(K), 1e-6 * np.eye(K.size).reshape(-1, *K.shape)
    numeric.flat = [(loss(K + step) - loss(K - step)) / 2e-6 for step in steps]
    assert_allclose(d_scores(weights).T @ Q / 2, numeric, atol=1e-8)
    weights[:2] = np.nan
    assert np.isnan(d_scores(weights).T @ Q / 2).all()
    assert np.isnan(weights.T @ d_output).all()  # of the values
    # Where hidden scores are replaced, theirs is set to 0 before anything is summed: the keys are spared.
    assert_allclose(np.where(mask, d_scores(weights), 0).T @ Q / 2, numeric, atol=1e-8)
