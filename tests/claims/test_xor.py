"""Chapter 5: the search of the book under its theorems, and its ways out."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.softmax import softmax
from attn.xor import BITS, XOR, random_search


def test_the_search_of_the_book_finds_at_most_three():
    for read, scores in product(("decoder", "mean", "row 1"), (False, True)):
        found = random_search(np.random.default_rng(52), 100_000, read=read, position_in_scores=scores)
        assert found.accuracy.max() == 0.75, (read, scores)


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_max_minus_min_is_tanh(beta):
    """Queries +β and −β on ±1 tokens: (head 1 − head 2)/2 is tanh β on unequal bits and 0 on equal ones."""
    bits = 2.0 * BITS - 1
    up, down = ((softmax(s * beta * bits) * bits).sum(axis=-1) for s in (1, -1))
    assert_allclose((up - down) / 2, np.tanh(beta) * XOR, atol=1e-15)
