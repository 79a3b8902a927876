"""Chapter 5: the book's own search and layer under its theorems, its ways out, and parity."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.multihead import MultiHeadAttention
from attn.softmax import softmax
from attn.xor import BITS, WAYS_OUT, XOR, accuracy, margin, random_search


def test_the_search_of_the_book_finds_at_most_three():
    for read, scores in product(("decoder", "mean", "row 1"), (False, True)):
        found = random_search(np.random.default_rng(52), 100_000, read=read, position_in_scores=scores)
        assert found.accuracy.max() == 0.75, (read, scores)


def test_a_head_of_attn_can_be_the_vote():
    """The additive vote with the book's own layer: fixed query, two bits, two noise tokens; three are reached."""
    rng, right = np.random.default_rng(61), []
    for _ in range(200):
        layer = MultiHeadAttention.init(rng, 4, 1)
        ends, noise = np.array([-np.ones(4), np.ones(4)]), rng.uniform(-1, 1, (2, 4))
        x = np.array([np.vstack([ends[a], noise, ends[d]]) for a, d in BITS])
        output = layer(x[:, 1:2], x)[0][:, 0] @ rng.normal(size=4) + rng.normal()
        right.append(((output > 0) == (XOR > 0)).sum())
    assert max(right) == 3


@pytest.mark.parametrize(
    ("name", "least"),
    [("second head", 0.66), ("max − min", 0.66), ("position", 0.7), ("residual", 0.5), ("ffn", 0.75)],
)
def test_ways_out_by_hand(name, least):
    assert accuracy(WAYS_OUT[name]().output) == 1
    assert_allclose(margin(WAYS_OUT[name]().output), least, atol=5e-3)


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_max_minus_min_is_tanh(beta):
    """Queries +β and −β on ±1 tokens: (head 1 − head 2)/2 is tanh β on unequal bits and 0 on equal ones."""
    bits = 2.0 * BITS - 1
    up, down = ((softmax(s * beta * bits) * bits).sum(axis=-1) for s in (1, -1))
    assert_allclose((up - down) / 2, np.tanh(beta) * XOR, atol=1e-15)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_n_heads_are_enough_for_the_parity_of_n_bits(n):
    """Any n constant queries: a readout of their n averages and a bias gives the parity."""
    bits, betas = np.array(list(product((-1.0, 1.0), repeat=n))), np.arange(n) - (n - 1) / 2 + 0.25
    wanted = 2.0 * ((bits > 0).sum(axis=1) % 2) - 1
    heads = np.column_stack([*((softmax(beta * bits) * bits).sum(axis=-1) for beta in betas), np.ones(2**n)])
    assert_allclose(heads @ np.linalg.lstsq(heads, wanted)[0], wanted, atol=1e-6)
