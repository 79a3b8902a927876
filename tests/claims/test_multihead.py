"""What one head and a fader can do, and what not: two of our own errors."""

from functools import reduce
from itertools import combinations_with_replacement

import numpy as np
from numpy.testing import assert_allclose

from attn.explore import MultiHead
from attn.multihead import MultiHeadAttention


def test_one_head_and_a_fader_give_every_sum():
    """Head 1's keys, a query of `sat` that scores `cat` ln w above `the`, and a fader of 1 + w."""
    figure = MultiHead()
    w_q, w_k, w_v, w_o = (np.array(w)[:1] for w in (figure.w_q, figure.w_k, figure.w_v, figure.w_o))
    for w in (0.1, 0.5, 1, 2, 5):
        w_q[0, 2] = [20, 20 + np.log(w) * np.sqrt(3) / 3, 0]  # 20: next to nothing is left for `sat`
        one = MultiHeadAttention(w_q, w_k, w_v, (1 + w) * w_o[0])
        assert_allclose(one(np.eye(4)[:3])[0][2], [1, w, 0, 0], atol=1e-9)


def test_one_head_treats_a_word_alike_wherever_it_found_it():
    """The neighbor's word to one place and the first word to another, for all 16 pairs: best W_O for each weight."""
    neighbor, first = np.eye(4)[list(np.ndindex(4, 4))].swapaxes(0, 1)
    both = np.hstack([neighbor, first])  # two heads, each with its own rows of W_O

    def error(read, output):
        return np.abs(read @ np.linalg.lstsq(read, output, rcond=None)[0] - output).max()

    def best(output):  # over weights of the neighbor; the width of W_O is not limited
        return min(error(p * neighbor + (1 - p) * first, output) for p in np.linspace(0, 1, 101))

    assert best(neighbor + first) < 1e-12
    for output in (both, neighbor - first):
        assert best(output) > 0.4
        assert error(both, output) < 1e-12


def test_largest_plus_smallest_is_off_by_three_quarters_for_one_head():
    """Over {1, 1, 1}, {1, 1, 4}, {1, 4, 4}, {4, 4, 4}: values a and b of 1 and 4, and e to the difference of scores, r.

    Whoever asks, the four texts say the same of a, b and its own r. Where a is farther from 2 than 1, or b from 8, the
    first text or the last is off by more.
    """
    a, b = np.arange(1, 3.01, 1 / 64)[:, None, None], np.arange(7, 9.01, 1 / 64)[:, None]
    r = 2.0 ** np.arange(-12, 12.01, 1 / 16)
    said = a, (2 * a + r * b) / (2 + r), (a + 2 * r * b) / (1 + 2 * r), b
    errors = [np.abs(one - wanted) for one, wanted in zip(said, (2, 5, 5, 8), strict=True)]
    worst = reduce(np.maximum, errors)
    assert worst.min() == 0.75
    texts = np.array(list(combinations_with_replacement([1, 2, 4], 3)))
    best = (1.5 * texts + 1.25).mean(axis=1)  # three equal weights
    assert_allclose(np.abs(best - texts.max(axis=1) - texts.min(axis=1)).max(), 0.75)
    assert len(texts) == 10
