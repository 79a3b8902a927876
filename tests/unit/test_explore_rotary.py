"""The figure of turned positions says in NumPy what the chapter's table says by hand, whatever its switches."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore import Rotary
from attn.explore.rotary import K
from attn.rotary import rotary_attention


def shown(**state):
    return Rotary(**state).matrices()


def test_the_first_state_by_hand():
    first = shown()
    assert_allclose(first["turned_q"], [[1, 0, -2, 0]], atol=1e-12)
    assert_allclose(
        first["turned_k"], [[1, 0, 1, 0], [-1, 0, 0, 1], [1, 0, -1, 0], [0, -1, 1, 0]], atol=1e-12
    )
    assert_allclose(first["scores"], [[-1, -1, 3, -2]], atol=1e-12)
    assert_allclose(first["weights"], [[0.1, 0.1, 0.739, 0.061]], atol=5e-4)
    assert_allclose(first["output"], [[0.939, 0.061]], atol=5e-4)


@pytest.mark.parametrize("start", range(9))
def test_what_the_start_moves(start):
    assert Rotary(start=start).score == pytest.approx(3)
    assert Rotary(start=start, pairs="mixed").score == pytest.approx((1, 3)[start % 2])
    assert_allclose(shown(start=start, pairs="halves")["scores"], shown(pairs="halves")["scores"], atol=1e-12)
    assert_allclose(shown(start=start, query_at="next")["scores"], [[-1, -1, -1, 0]], atol=1e-12)


def test_a_query_at_0_moves_with_the_start():
    """Its offset to each key grows by one at each step: it repeats after four."""
    scores = [shown(start=start, query_at="zero")["scores"][0] for start in range(8)]
    assert_allclose(scores[:4], scores[4:], atol=1e-12)
    assert np.ptp(scores, axis=0).min() > 1


def test_it_is_the_books_attention():
    for start in (0, 3):
        state = shown(start=start)
        keys = np.array(K)[[0, 0, 0, 1]]
        places = start + np.arange(4)
        weights = rotary_attention(
            state["q"], keys, np.eye(4), [places[-1]], k_positions=places, frequencies=[np.pi, np.pi / 2]
        )[1]
        assert_allclose(state["weights"], weights, atol=1e-12)


def test_a_clock_shows_two_numbers_that_turn_together():
    for pairs in ("neighbors", "halves"):
        hands = [shown(start=start, pairs=pairs)["hands"].reshape(2, 2, 2) for start in (0, 1)]
        assert_allclose(hands[1][:, 0], -hands[0][:, 0], atol=1e-12)  # half a turn
        quarter = np.array([[0, 1], [-1, 0]])
        assert_allclose(hands[1][:, 1], hands[0][:, 1] @ quarter, atol=1e-12)


def test_turned_values_know_the_start():
    outputs = [shown(start=start, turn_v=True)["output"][0] for start in range(5)]
    assert np.abs(outputs[0] - outputs[1]).max() > 0.5
    assert_allclose(outputs[0], outputs[4], atol=1e-12)
    assert_allclose(outputs[1], [-outputs[0][1], outputs[0][0]], atol=1e-12)  # a quarter turn on


@pytest.mark.parametrize("pairs", ["neighbors", "mixed", "halves"])
def test_no_lead_at_each_place_until_a_clock_stands_still(pairs):
    rng = np.random.default_rng(0)
    for start in range(4):
        leads = shown(start=start, pairs=pairs, q=rng.uniform(-3, 3, (1, 4)), k=rng.uniform(-3, 3, (2, 4)))[
            "leads"
        ]
        assert leads.sum() == pytest.approx(0, abs=1e-12)
    still = shown(q=[[-2, 2, 0, 0]], fixed=True)
    assert_allclose(still["leads"], 4, atol=1e-12)


def test_leads_are_differences_of_scores():
    state = {"q": [[1, -2, 0.5, 1]], "start": 2}
    k = np.array(K)
    big, very = (shown(k=np.tile(k[row], (2, 1)), **state)["scores"] for row in (1, 0))
    assert_allclose(shown(**state)["leads"], big - very, atol=1e-12)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"q": np.ones((1, 3))}, r"q must have shape \(1, 4\), got \(1, 3\)"),
        ({"k": np.ones((4, 4))}, r"k must have shape \(2, 4\), got \(4, 4\)"),
        ({"k": np.full((2, 4), np.nan)}, "k must be finite"),
    ],
)
def test_wrong_shapes_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Rotary(**given)
