"""DRAFT: the claims of chapter 9, on more cases than the page has room for."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore import SelfAttention
from attn.explore.self_attention import TOKENS, K, Q
from attn.induction_heads import temperature_for, tempered
from attn.softmax import softmax

SAT = TOKENS.index("sat")
SCORES = np.array(Q[SAT]) @ np.array(K).T / np.sqrt(2)


def random_scores(draws=300):
    rng = np.random.default_rng(9)
    for _ in range(draws):
        yield rng.normal(size=rng.integers(2, 8), scale=rng.choice([0.1, 1, 10]))


def test_by_hand():
    for temperature, e, weights in [
        (1, [1, 4.113, 0.243], [0.187, 0.768, 0.045]),
        (2, [1, 2.028, 0.493], [0.284, 0.576, 0.140]),
    ]:
        assert_allclose(np.exp(SCORES / temperature), e, atol=5e-4)
        assert_allclose(tempered(SCORES, temperature), weights, atol=5e-4)
    assert_allclose(SCORES / 2, [0, 0.707, -0.707], atol=5e-4)


def test_a_query_half_as_long_is_a_temperature_of_two():
    for row in range(len(TOKENS)):
        scores = np.array(Q[row]) @ np.array(K).T / np.sqrt(2)
        half = [list(np.array(q) / 2) if i == row else q for i, q in enumerate(Q)]
        assert_allclose(SelfAttention(q=half).weights[row], tempered(scores, 2))


def test_the_order_stays_and_the_largest_weight_falls():
    for scores in random_scores():
        largest = 1.0
        for temperature in (0.1, 0.5, 1, 2, 10):
            weights = tempered(scores, temperature)
            assert (np.diff(weights[np.argsort(scores)]) >= 0).all()
            assert weights.max() <= largest + 1e-12
            largest = weights.max()


def test_the_two_limits():
    for scores in random_scores():
        n = len(scores)
        assert_allclose(tempered(scores, 1e9), 1 / n, atol=1e-6)
        assert_allclose(tempered(scores, 1e-9), scores == scores.max(), atol=1e-6)
        tied = np.append(scores, scores.max())
        assert_allclose(tempered(tied, 1e-9), (tied == tied.max()) / 2, atol=1e-6)


def test_multiplied_looks_right_at_one():
    assert_array_equal(softmax(SCORES * 1), tempered(SCORES, 1))
    assert softmax(SCORES * 2).max() > tempered(SCORES, 1).max() > tempered(SCORES, 2).max()


def test_nine_to_one_becomes_three_to_one():
    """The exercise, and the show of hands: at a temperature of 2 the odds are the root of what they were."""
    scores = np.array([np.log(9), 0])
    assert_allclose(tempered(scores, 1), [0.9, 0.1])
    assert_allclose(tempered(scores, 2), [0.75, 0.25])
    assert_allclose(temperature_for(np.log(9), 3), 2)
    for scores in random_scores():
        one, two = tempered(scores, 1), tempered(scores, 2)
        assert_allclose(two[0] / two[1], np.sqrt(one[0] / one[1]))
    ratio = tempered(np.array([np.log(9), 0]), 2)
    assert not np.isclose(ratio[0] / ratio[1], [9, 4.5, 81]).any()
