"""Chapter 0's four slips, and the sizes on which the page tries them."""

import re

import numpy as np
import pytest

from attn.attention import scaled_dot_product_attention
from attn.softmax import softmax
from tests.claims.pages import page_cells


def test_slips_show_where_sizes_differ():
    """Softmax down the columns keeps its shape, so only the sums tell; the other three raise or change the shape."""
    rng = np.random.default_rng(10)
    q, k, v = rng.normal(size=(2, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 4))
    right = scaled_dot_product_attention(q, k, v)[0]
    columns = softmax(q @ k.T, axis=0)
    assert (columns @ v).shape == right.shape
    assert np.abs(columns.sum(axis=-1) - 1).max() > 0.01
    assert (softmax(q @ k.T) @ k).shape != right.shape
    with pytest.raises(ValueError, match="matmul"):
        softmax(k @ q.T) @ v
    with pytest.raises(ValueError, match="matmul"):
        q @ k
    assert (q @ k[:2] @ v[:2]).shape == (softmax(k[:2] @ q.T) @ v[:2]).shape == right.shape


def test_the_page_tries_them_on_sizes_that_all_differ():
    """The page said so of 2 queries, 3 keys, d_k = 2, d_v = 4, where two of the four are the same."""
    (output,) = (cell["outputs"][0] for cell in page_cells("chapters/00_attention") if cell["id"] == "breaks-try")
    printed = "".join(output["data"]["text/plain"])
    n_q, d_k, n_k, _, _, d_v = re.search(r"q (\d+)×(\d+), k (\d+)×(\d+), v (\d+)×(\d+)", printed).groups()
    assert len({n_q, d_k, n_k, d_v}) == 4
