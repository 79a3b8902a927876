"""Chapter 3: what the page says of its small figures is so."""

import numpy as np
import pytest

from attn import masks
from attn.attention import scaled_dot_product_attention
from attn.explore import EmptyRow, FutureMoved, HiddenScore, MaskFamily, Masking, OnePass, RowSum
from attn.explore.masking import TOKENS, K, Q, V

IS, ABIR = TOKENS.index("IS"), TOKENS.index("ABIR")


def test_a_lower_score_moves_one_exponential_and_every_weight():
    first = HiddenScore().numbers()
    np.testing.assert_allclose(first["exponentials"][0], [2.718, 2.718, 1, 7.389], atol=5e-4)
    np.testing.assert_allclose(first["weights"][0], [0.20, 0.20, 0.07, 0.53], atol=5e-3)
    assert first["weights"][0, ABIR] > 0.5  # more than half
    before = first["weights"][0]
    for score in np.arange(1.9, -8.05, -0.1):
        now = HiddenScore(score=round(score, 1)).numbers()
        np.testing.assert_array_equal(now["exponentials"][0, :ABIR], first["exponentials"][0, :ABIR])
        assert (now["weights"][0, :ABIR] > before[:ABIR]).all()
        before = now["weights"][0]


@pytest.mark.parametrize("words", range(2, 17))
def test_one_pass_and_many_are_counted(words):
    counted = sum(t * t for t in range(1, words + 1))
    np.testing.assert_allclose(OnePass(words=words).numbers()["count_now"][:, 0], [words * words, counted])


def test_only_the_sum_of_the_late_mask_knows_the_hidden_score():
    numbers = RowSum().numbers()
    before, after = numbers["sum"]
    np.testing.assert_allclose(before, 1)
    assert (np.diff(after) < 0).all()  # the higher the score, the smaller the sum
    np.testing.assert_allclose(numbers["sum_now"][:, 0], [1, 0.47], atol=5e-3)
    seen = np.exp([1.0, 1.0, 0.0]).sum()
    np.testing.assert_allclose(after, seen / (seen + np.exp(np.linspace(-4, 6, 101))))


@pytest.mark.parametrize("times", [-1.0, 0.0, 0.7, 2.0, 3.0])
def test_masked_before_no_earlier_output_moves(times):
    numbers = FutureMoved(times=times).numbers()
    assert (numbers["before"][0, :ABIR] == 0).all()  # not a bit
    assert (numbers["after"][0, :ABIR] > 0.05).all()
    assert numbers["before"][0, ABIR] > 0.3
    np.testing.assert_allclose(numbers["before"][0, ABIR], numbers["after"][0, ABIR], rtol=1e-12)
    keys = np.array(K, dtype=float)
    keys[ABIR] *= times
    sees = masks.causal_mask(4)
    old, new = (
        scaled_dot_product_attention(np.array(Q), k, np.array(V), sees)[0] for k in (np.array(K), keys)
    )
    np.testing.assert_allclose(numbers["before"][0], np.linalg.norm(new - old, axis=-1), atol=1e-12)


RULES = {
    "causal": lambda i, j: j <= i,
    "padding": lambda i, j: j < 3,
    "both": lambda i, j: j <= i and j < 3,
    "window": lambda i, j: 0 <= i - j < 2,
    "prefix": lambda i, j: j <= i or j < 3,
}


@pytest.mark.parametrize("mask", RULES)
def test_each_shares_its_weight_among_those_in_sight(mask):
    sees = np.array([[RULES[mask](i, j) for j in range(5)] for i in range(5)])
    weights = MaskFamily(mask=mask).numbers()["weights"]
    np.testing.assert_allclose(weights, sees / sees.sum(axis=1, keepdims=True))
    if mask == "causal":
        np.testing.assert_allclose(weights[4], 0.20)


def test_two_fillings_part_where_nothing_is_in_sight():
    for hidden in range(4):
        numbers = EmptyRow(hidden=hidden).numbers()
        np.testing.assert_array_equal(numbers["infinite"], numbers["finite"])
        assert (numbers["infinite"][0] > 0).sum() == 4 - hidden
    empty = EmptyRow(hidden=4).numbers()
    assert (empty["infinite"] == 0).all()
    np.testing.assert_allclose(empty["finite"], 0.25)


@pytest.mark.parametrize("nudge", [-3.0, -0.1, 0.1, 2.0])
def test_the_large_figure_leaks_past_cells_that_say_zero(nudge):
    shown = Masking(order="after", nudge=nudge).matrices()
    assert (shown["weights"][np.triu_indices(4, 1)] == 0).all()
    assert (shown["moved"][:ABIR] > 0.005).all()
    assert (Masking(nudge=nudge).matrices()["moved"][:ABIR] == 0).all()
