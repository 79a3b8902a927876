"""The claims of the chapter that meets attention, on more cases than the page has room for."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.explore import SelfAttention
from attn.explore.self_attention import TOKENS, K, Q, V
from attn.softmax import softmax

Q, K, V = (np.array(x, dtype=float) for x in (Q, K, V))
THE, CAT, SAT = (TOKENS.index(word) for word in ("the", "cat", "sat"))


def random_words(seed, draws=200):
    """Queries, keys and values of a few words, of many sizes and lengths."""
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        n, d_k, d_v = rng.integers(2, 7, size=3)
        size = rng.choice([0.1, 1, 5])
        yield rng, *(size * rng.normal(size=(n, d)) for d in (d_k, d_k, d_v))


def scores(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def attend(q, k, v):
    return scaled_dot_product_attention(q, k, v)[0]


def weigh(q, k):
    return scaled_dot_product_attention(q, k, k)[1]


def test_the_row_by_hand():
    assert_array_equal(Q[SAT] @ K.T, [0, 2, -2])
    e = np.exp(scores(Q, K)[SAT])
    assert_allclose([*e, e.sum()], [1, 4.113, 0.243, 5.356], atol=5e-4)
    output, weights = scaled_dot_product_attention(Q, K, V)
    assert_allclose(weights[SAT], [0.187, 0.768, 0.045], atol=5e-4)
    assert_allclose(output[SAT], [-1.072, -0.485], atol=5e-4)
    figure = SelfAttention()
    assert figure.asks == "sat"
    assert_array_equal(figure.weights, weights)
    assert_array_equal(figure.output, output)


def test_the_first_drag():
    """The query of `sat` goes left, and its output goes right, to the value of `sat`; at 0 it gets the plain mean."""
    for first, word in [(2, CAT), (-3, SAT)]:
        q = np.vstack([Q[:SAT], [first, 0]])
        output = attend(q, K, V)[SAT]
        assert np.argmin(np.linalg.norm(V - output, axis=-1)) == word
        assert np.sign(output[0]) == -np.sign(first)
    q = np.vstack([Q[:SAT], [0, 0]])
    assert_allclose(weigh(q, K)[SAT], 1 / 3)
    assert_allclose(attend(q, K, V)[SAT], V.mean(axis=0))


def test_two_words_are_the_logistic_function():
    for difference in np.linspace(-30, 30, 241):
        assert_allclose(softmax(np.array([difference, 0.0]))[0], 1 / (1 + np.exp(-difference)), rtol=1e-13)
    assert_allclose(softmax(scores(Q, K)[SAT, [THE, CAT]])[1], 0.804, atol=5e-4)


def test_with_shared_queries_and_keys_one_of_two_words_prefers_itself():
    for _, q, _, _ in random_words(1):
        s = scores(q, q)
        assert_allclose(s, s.T)
        distance = np.linalg.norm(q[:, None] - q, axis=-1) ** 2 / np.sqrt(q.shape[-1])
        assert_allclose(np.diag(s)[:, None] + np.diag(s) - 2 * s, distance, atol=1e-12)
        assert (s <= np.maximum(np.diag(s)[:, None], np.diag(s)) + 1e-12).all()
        longest = np.linalg.norm(q, axis=-1).argmax()
        assert s[longest].argmax() == longest
        assert weigh(q, q)[longest].argmax() == longest


def test_with_own_keys_a_quarter_of_random_pairs_swap():
    rng = np.random.default_rng(2)
    q, k = rng.normal(size=(2, 40_000, 2, 8))
    s = q @ np.swapaxes(k, -1, -2)
    share = ((s[:, 0, 1] > s[:, 0, 0]) & (s[:, 1, 0] > s[:, 1, 1])).mean()
    assert share == pytest.approx(0.25, abs=3.3 * np.sqrt(0.25 * 0.75 / 40_000))  # 99.9 % of all experiments


def test_with_shared_keys_and_values_the_output_agrees_with_the_query():
    for _, q, k, _ in random_words(3):
        output = attend(q, k, k)
        assert ((q * output).sum(axis=-1) >= q @ k.mean(axis=0) - 1e-10).all()
    assert_allclose(Q[SAT] @ attend(Q, K, V)[SAT], -2.143, atol=1e-3)
    assert_allclose(Q[SAT] @ V.mean(axis=0), 4 / 3)


def test_the_average_score_grows_with_sharpness():
    """A'(t) is the variance of the scores under softmax(t s)."""
    rng = np.random.default_rng(4)
    for _ in range(100):
        s, t, h = rng.normal(size=5), rng.uniform(0, 2), 1e-5
        average = [softmax((t + step) * s) @ s for step in (-h, 0, h)]
        variance = softmax(t * s) @ (s - average[1]) ** 2
        assert_allclose((average[2] - average[0]) / (2 * h), variance, atol=1e-8)


def test_one_vector_added_to_all_keys_moves_no_weight():
    moved = 0.0
    for rng, q, k, _ in random_words(5):
        u = rng.normal(size=q.shape[-1])
        assert_allclose(weigh(q, k + u), weigh(q, k), atol=1e-12)
        moved = max(moved, np.abs(weigh(q + u, k) - weigh(q, k)).max())
    assert moved > 0.1


def test_one_turn_of_all_queries_and_keys_moves_nothing():
    for rng, q, k, v in random_words(6):
        turn = np.linalg.qr(rng.normal(size=(q.shape[-1], q.shape[-1])))[0]
        assert_allclose(attend(q @ turn, k @ turn, v), attend(q, k, v), atol=1e-9)


def test_a_longer_query_sharpens_and_keeps_the_order():
    for _, q, k, _ in random_words(7):
        order = np.argsort(scores(q, k))
        last = np.full(len(q), 1 / len(k))
        for c in (0.25, 0.5, 1, 2, 4):
            weights = weigh(c * q, k)
            assert (np.diff(np.take_along_axis(weights, order, axis=-1), axis=-1) >= 0).all()
            assert (weights.max(axis=-1) >= last - 1e-12).all()
            last = weights.max(axis=-1)
        assert_allclose(weigh(0 * q, k), 1 / len(k))


def test_a_longer_key_can_overtake():
    loud = K * np.array([[1], [4], [1]])
    assert weigh(Q, K)[CAT].argmax() == SAT
    assert weigh(Q, loud)[CAT].argmax() == CAT


def test_linear_in_the_values_alone():
    for rng, q, k, v in random_words(8):
        other = rng.normal(size=v.shape)
        assert_allclose(
            attend(q, k, 2 * v - 3 * other), 2 * attend(q, k, v) - 3 * attend(q, k, other), atol=1e-9
        )
    assert np.abs(attend(2 * Q, K, V) - 2 * attend(Q, K, V)).max() > 1
    assert np.abs(attend(Q, 2 * K, V) - 2 * attend(Q, K, V)).max() > 1


def test_the_output_stays_on_the_values_side_of_every_line():
    for rng, q, k, v in random_words(9):
        lines = rng.normal(size=(v.shape[-1], 50))
        assert (attend(q, k, v) @ lines <= (v @ lines).max(axis=0) + 1e-9).all()


def test_the_cost_is_square_and_the_learned_numbers_stay():
    assert Q.size + K.size + V.size == 18
    assert_array_equal(np.eye(3) @ Q, Q)
    for n in (3, 1000, 2000):
        assert weigh(np.zeros((n, 2)), np.zeros((n, 2))).size == n**2


def test_slips_show_where_sizes_differ():
    """Softmax down the columns keeps its shape, so only the sums tell; the other three raise or change the shape."""
    rng = np.random.default_rng(10)
    q, k, v = rng.normal(size=(2, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 4))
    columns = softmax(scores(q, k), axis=0)
    assert (columns @ v).shape == attend(q, k, v).shape
    assert np.abs(columns.sum(axis=-1) - 1).max() > 0.01
    assert (softmax(scores(q, k)) @ k).shape != attend(q, k, v).shape
    with pytest.raises(ValueError, match="matmul"):
        softmax(k @ q.T) @ v
    with pytest.raises(ValueError, match="matmul"):
        q @ k
    assert (q @ k[:2] @ v[:2]).shape == (softmax(k[:2] @ q.T) @ v[:2]).shape == attend(q, k[:2], v[:2]).shape


def test_the_page_tries_them_on_sizes_that_all_differ():
    """The page said so of 2 queries, 3 keys, d_k = 2, d_v = 4, where two of the four are the same."""
    page = Path(__file__).resolve().parents[2] / "chapters" / "00_attention.ipynb"
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    (output,) = (cell["outputs"][0] for cell in cells if cell["id"] == "breaks-try")
    printed = "".join(output["data"]["text/plain"])
    sizes = re.search(r"q (\d+)×(\d+), k (\d+)×(\d+), v (\d+)×(\d+)", printed)
    n_q, d_k, n_k, _, _, d_v = sizes.groups()
    assert len({n_q, d_k, n_k, d_v}) == 4


# The explorable --------------------------------------------------------------------------------------------------


def test_the_explorable_says_what_is_wrong():
    with pytest.raises(ValueError, match=r"k must have shape \(3, 2\), got \(2, 2\)"):
        SelfAttention(k=[[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="asks must be one of the, cat, sat, got 'dog'"):
        SelfAttention(asks="dog")
    with pytest.raises(ValueError, match="all be different"):
        SelfAttention(tokens=["the", "cat", "the"])
    with pytest.raises(ValueError, match="two to eight words, got 1"):
        SelfAttention(tokens=["the"])
    with pytest.raises(TypeError, match="has no mask"):
        SelfAttention(mask=None)
    figure = SelfAttention()
    with pytest.raises(Exception, match="asks must be one of"):
        figure.asks = "dog"


def test_the_explorable_takes_other_words():
    figure = SelfAttention(["a", "b"], Q[:2], K[:2], V[:2], asks="a")
    assert figure.weights.shape == (2, 2)
    assert_allclose(figure.output, attend(Q[:2], K[:2], V[:2]))
    assert "query of a" in figure.alt
    assert figure.png()[:4] == b"\x89PNG"
