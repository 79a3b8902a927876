"""Networks set by hand: what they compute, what they solve, and source 000's as it was printed."""

import numpy as np
import pytest

from attn.softmax import softmax
from attn.xor import ASKER, BITS, ROPE, XOR, XorNetwork, accuracy, margin, one_hot_pairs, random_search

FALLS = [
    {"second_head": True},
    {"position": True},
    {"position": True, "read": "row 1"},
    {"residual": True},
    {"residual": True, "read": "mean"},
    {"ffn": True},
    {"ffn": True, "read": "row 1"},
    {"read": "both rows", "position_in_scores": True},
]


def test_the_truth_table():
    assert np.array_equal(XOR, BITS[:, 0] ^ BITS[:, 1])
    tokens = one_hot_pairs()
    assert tokens.shape == (4, 2, 2)
    assert np.array_equal(tokens @ [0, 1], BITS)
    with pytest.raises(ValueError, match="read-only"):
        BITS[0, 0] = 1


def test_step_by_step():
    rng = np.random.default_rng(0)
    arrays = {
        name: rng.normal(size=(2, 2)) for name in ("w_q", "w_k", "w_v", "w_o_2", "positions", "w_1", "w_2")
    }
    arrays |= {name: rng.normal(size=2) for name in ("query", "query_2", "readout", "b_1")}
    network = XorNetwork(**arrays, bias=0.3, second_head=True, position=True, residual=True, ffn=True)
    state = network()
    for case, x in enumerate(one_hot_pairs()):
        placed = x + arrays["positions"]
        weights = softmax(x @ arrays["w_q"] @ arrays["w_k"].T @ x.T)
        hidden = placed + weights @ placed @ arrays["w_v"]
        hidden = np.maximum(0, hidden @ arrays["w_1"] + arrays["b_1"]) @ arrays["w_2"]
        first, second = softmax(hidden @ arrays["query"]), softmax(hidden @ arrays["query_2"])
        read = first @ hidden + second @ hidden @ arrays["w_o_2"]
        for got, wanted in [
            (state.attention, weights),
            (state.hidden, hidden),
            (state.decoder, first),
            (state.decoder_2, second),
            (state.read, read),
            (state.output, read @ arrays["readout"] + 0.3),
        ]:
            np.testing.assert_allclose(got[case], wanted, atol=1e-12)


def test_places_may_enter_the_scores_alone():
    arrays = {"w_q": np.eye(2), "w_k": np.eye(2), "w_v": np.eye(2), "query": [1, 0], "readout": [1, 0]}
    network = XorNetwork(**arrays, position_in_scores=True, positions=[[1, 0], [0, 2]])
    x = one_hot_pairs()
    placed = x + np.array([[1.0, 0], [0, 2]])
    weights = softmax(placed @ np.swapaxes(placed, -1, -2))
    np.testing.assert_allclose(network().attention, weights)
    np.testing.assert_allclose(network().hidden, weights @ x)


def test_many_networks_at_once_are_each_of_them():
    for switches in [{}, *FALLS]:
        search = random_search(np.random.default_rng(2), 5, **switches)
        together = search.networks().output
        assert together.shape == (5, 4)
        for index in range(5):
            np.testing.assert_allclose(search.networks[index]().output, together[index], atol=1e-12)
        np.testing.assert_array_equal(search.accuracy, accuracy(together))
        again = random_search(np.random.default_rng(2), 5, **switches)
        np.testing.assert_array_equal(search.margin, again.margin)


def test_inputs_of_any_batch_shape():
    x = one_hot_pairs()
    assert ROPE(x[1]).output.shape == ()
    assert ROPE(x.reshape(2, 2, 2, 2)).read.shape == (2, 2, 2)
    np.testing.assert_allclose(ROPE(x.reshape(2, 2, 2, 2)).output.ravel(), ROPE().output)


def test_accuracy_and_margin():
    outputs = np.array([[-1.0, 2, 0.5, -3], [1, 1, 1, 1], [-1, -1, -1, -1], [0, 0, 0, 0]])
    assert accuracy(outputs).tolist() == [1, 0.5, 0.5, 0]
    assert margin(outputs).tolist() == [0.5, -1, -1, 0]
    assert accuracy([-1e-17, 1e-17, 1e-17, -1e-17]) == 0  # rounding does not solve it


def test_one_query_and_an_asker_that_holds_a_bit():
    """Row 1 of tokens with places: by plain arithmetic, score 9 for a 1 and 0 for a 0, whoever asks."""
    assert np.ptp(ASKER.w_q, axis=0).max() == 0
    assert (ASKER.read, ASKER.residual, ASKER.position, ASKER.position_in_scores) == (
        "row 1",
        True,
        True,
        False,
    )
    for (a, d), output in zip(BITS, ASKER().output, strict=True):
        e = np.exp(9.0 * a), np.exp(9.0 * d)
        largest = (e[0] * (a + 0.5) + e[1] * (d - 0.5)) / sum(e)
        assert output == pytest.approx(2 * (largest + (1 - a)) - 2.5)
    assert margin(ASKER().output) == pytest.approx(0.5, abs=1e-3)


def test_the_best_is_right_most_often_and_then_by_the_largest_margin():
    found = random_search(np.random.default_rng(7), 50)
    most = found.accuracy == found.accuracy.max()
    assert margin(found.best().output) == pytest.approx(found.margin[most].max())
    assert found.margin.max() > found.margin[most].max()
