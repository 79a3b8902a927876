"""The theorems of the chapter on heads: nothing within their conditions breaks them, something outside each does."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.masks import causal_mask
from attn.multihead import MultiHeadAttention
from attn.softmax import softmax
from tests.falsify.attack import TINY, broken, each_breaks, gap, normal, worst

# "One head that is 0 on every sentence of one repeated word is 0 on every sentence." --------------------------------


def said(p, words, mask=True):
    """A head's output where queries and keys see the places, and values the words alone; biases everywhere."""
    seen = words + p["places"]
    q, k, v = (x @ p[f"w_{n}"] + p[f"b_{n}"][:, None] for x, n in ((seen, "q"), (seen, "k"), (words, "v")))
    scores = np.where(mask, q @ k.swapaxes(1, 2), -np.inf)
    return softmax(scores) @ v @ p["w_o"] + p["b_o"][:, None]


@pytest.mark.parametrize(("n", "d", "d_v"), [(2, 1, 1), (2, 2, 1), (3, 2, 2), (4, 1, 3)])
def test_no_single_head_breaks_it(n, d, d_v):
    """No output is larger than the largest on a repeated word; with a mask and without, with words that are equal."""
    shapes = {
        "words": (n, d),
        "places": (n, d),
        "w_q": (d, 2),
        "w_k": (d, 2),
        "w_v": (d, d_v),
        "w_o": (d_v, 2),
    }
    draw = normal(**shapes, b_q=(2,), b_k=(2,), b_v=(d_v,), b_o=(2,))
    for mask in (True, causal_mask(n)):
        for equal in ([*range(n)], [0, 0, *range(2, n)]):

            def violation(p, equal=equal, mask=mask):
                words = p["words"][:, equal]
                repeats = [
                    np.abs(said(p, 0 * words + words[:, [i]], mask)).max(axis=(1, 2)) for i in range(n)
                ]
                return np.abs(said(p, words, mask)).max(axis=(1, 2)) / np.max(repeats, axis=0) - 1

            assert worst(draw, violation, n=1500, climbers=15, rounds=40) <= TINY


def silent_on_repeats(function, n=3):
    """Whether a function of sentences of the words −1, 0, 1 is 0 on each repeated word, and where else it is not."""
    sentences = [np.array(words, dtype=float)[:, None] for words in itertools.product((-1, 0, 1), repeat=n)]
    values = {tuple(sentence[:, 0]): np.abs(function(sentence)).max() for sentence in sentences}
    repeats = [value for words, value in values.items() if len(set(words)) == 1]
    return max(repeats) < 1e-12, max(values.values()) > 1e-3


def plain(x, values=None, beta=1.0):
    return softmax(beta * x @ x.T) @ (x if values is None else values)


# For each condition a function just outside it: silent on repeated words, and not silent.
OUTSIDE = {
    "a residual connection": lambda x: x - plain(x),
    "values that know their place": lambda x: plain(x, values=x * [[1], [-1], [0]], beta=0.0),
    "a second layer: values that know their neighbors": lambda x: plain(x, values=x - x.mean(axis=0)),
    "a readout that is not linear": lambda x: plain(x**2) - plain(x) ** 2,
    "a second head": lambda x: plain(x, beta=3.0) - plain(x, beta=-3.0),
    "a readout of several rows": lambda x: plain(x) - plain(x)[::-1],
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_each_condition_something_is_silent_on_repeats_alone(name):
    silent, speaks = silent_on_repeats(OUTSIDE[name])
    assert silent
    assert speaks


def test_weights_that_do_not_sum_to_one_break_it():
    """A softmax with a 1 added to its sum can be 0 on a single word and not on two: its weights depend on how many."""
    bias = -0.75  # of the output: what three equal words of 1 put out, taken off

    def output(x):
        e = np.exp(x @ x.T * 0)
        return e / (1 + e.sum(axis=-1, keepdims=True)) @ np.ones_like(x) + bias

    assert_allclose(output(np.ones((3, 1))), 0, atol=1e-15)
    assert np.abs(output(np.ones((2, 1)))).max() > 0.05


# "Two heads, if their scores see positions, compute the word before minus the first word." ------------------------


def places_layer(strength):
    place, nothing = np.eye(3), np.zeros((4, 3))
    before, first = np.eye(3)[[0, 0, 1]], np.eye(3)[[0, 0, 0]]
    w_q = np.stack([np.vstack([nothing, strength * m]) for m in (before, first)])
    w_k = np.stack([np.vstack([nothing, strength * place])] * 2)
    w_v = np.stack([np.vstack([np.eye(4), np.zeros((3, 4))])] * 2)
    return MultiHeadAttention(w_q, w_k, w_v, np.vstack([np.eye(4), -np.eye(4)]))


def sentences():
    return [np.eye(4)[list(words)] for words in itertools.product(range(4), repeat=3)]


def test_with_places_two_heads_find_the_word_before():
    layer = places_layer(5.0)
    for words in sentences():
        output = layer(np.hstack([words, np.eye(3)]))[0]
        assert_allclose(output, words[[0, 0, 1]] - words[[0, 0, 0]], atol=1e-5)


def test_without_places_no_two_heads_find_it():
    """Without places, shuffled words give shuffled outputs: then the word before can't be told from the others."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        layer = MultiHeadAttention.init(rng, 4, 2)
        words = np.eye(4)[[0, 1, 2]]
        assert_allclose(layer(words[[1, 0, 2]])[0][2], layer(words)[0][2], atol=1e-12)


# "The rank of W_Q W_Kᵀ is at most d_k." -------------------------------------------------------------------------


def test_scores_have_at_most_the_rank_d_k():
    rng = np.random.default_rng(6)
    for _ in range(200):
        n, d_model, d_k = rng.integers(1, 9, 3)
        x, w_q, w_k = rng.normal(size=(n, d_model)), *rng.normal(size=(2, d_model, d_k))
        scores = (x @ w_q + rng.normal(size=d_k)) @ (
            x @ w_k + rng.normal(size=d_k)
        ).T  # biases change nothing
        assert np.linalg.matrix_rank(scores, tol=1e-9) <= d_k


def test_the_identity_of_four_words_is_out_of_reach_of_three_numbers():
    """Gradient descent on the distance: it ends at 1, the smallest singular value that three can't reach."""
    rng = np.random.default_rng(7)
    best = {}
    for d_k in (3, 4):
        w_q, w_k = rng.normal(size=(2, 4, d_k))
        for _ in range(4000):
            gap = w_q @ w_k.T - np.eye(4)
            w_q, w_k = w_q - 0.05 * gap @ w_k, w_k - 0.05 * gap.T @ w_q
        best[d_k] = np.linalg.norm(gap)
    assert best[3] == pytest.approx(1, abs=1e-6)
    assert best[4] < 1e-6


def by_distance(n):
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n)))


def test_the_rank_is_not_limited_outside():
    """Scores that are more than q kᵀ, and the weights themselves, have more."""
    rng = np.random.default_rng(8)
    q, k = rng.normal(size=(2, 6, 2))
    outside = {
        "no bias by distance": q @ k.T - by_distance(6) / 2,
        "one head": q @ k.T + rng.normal(size=(6, 2)) @ rng.normal(size=(2, 6)),
        "scores, not weights": softmax(4 * q @ k.T),
    }
    assert each_breaks(
        {dropped: np.linalg.matrix_rank(found, tol=1e-6) for dropped, found in outside.items()}, 2
    )


# "With d_k = 1 a word whose key lies between two others never gets the largest weight." ---------------------------


def favorites(scores):
    """Keys that are the largest of some row, without a tie."""
    ordered = np.sort(scores, axis=-1)
    sure = ordered[:, -1] - ordered[:, -2] > 1e-9
    return set(scores.argmax(axis=-1)[sure])


def test_with_one_number_a_middle_key_is_nobodys_favorite():
    rng = np.random.default_rng(9)
    for _ in range(2000):
        n = rng.integers(3, 8)
        q, k = rng.normal(size=(2, n)) * 10.0 ** rng.integers(-3, 3)
        middle = set(range(n)) - {int(k.argmin()), int(k.argmax())}
        assert not favorites(np.outer(q, k)) & middle


def test_with_two_numbers_or_a_bias_it_can_be():
    angle = np.pi / 2 * np.arange(4)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    assert favorites(circle @ circle.T) == {0, 1, 2, 3}
    one = np.outer(np.ones(3), np.arange(3.0))
    assert favorites(one) == {2}
    assert favorites(one - 3 * by_distance(3)) == {0, 1, 2}
    assert favorites(np.where(causal_mask(3), one, -np.inf)) == {0, 1, 2}  # a mask hides larger keys


# "With two numbers each, not every one and every pair of four words can lead." ---------------------------------------

PAIRS = list(itertools.combinations(range(4), 2))


def least_lead(found, alone=True):
    """How far each pair of words leads for a query of its own, and each word alone, at worst."""
    scores = {name: found[name] @ np.swapaxes(found["keys"], -1, -2) for name in ("pairs", "words")}
    leads = [gap(scores["pairs"][:, n], pair) for n, pair in enumerate(PAIRS)]
    leads += [gap(scores["words"][:, n], [n]) for n in range(4) if alone]
    return np.min(leads, axis=0)


def keys_and_queries(d):
    return normal(keys=(4, d), pairs=(len(PAIRS), d), words=(4, d))


def test_with_two_numbers_not_every_word_and_every_pair_leads():
    assert worst(keys_and_queries(2), least_lead) <= TINY


def test_with_three_numbers_or_a_word_that_never_leads_every_pair_does():
    assert broken(keys_and_queries(3), least_lead)
    assert broken(keys_and_queries(2), lambda found: least_lead(found, alone=False))


# "A layer whose heads own blocks of two tokens or more breaks the promise when tokens of different blocks swap." -----


def blind(x, layer):
    """Reshape without transpose, on the way in and on the way out."""
    packed = (np.concatenate(list(x @ w), axis=-1) for w in (layer.w_q, layer.w_k, layer.w_v))
    q, k, v = (made.reshape(layer.n_heads, len(x), -1) for made in packed)
    return (softmax(q @ np.swapaxes(k, 1, 2) / np.sqrt(q.shape[-1])) @ v).reshape(len(x), -1) @ layer.w_o


def test_blind_heads_break_the_promise():
    rng = np.random.default_rng(12)
    for _ in range(200):
        n_heads = int(rng.integers(2, 5))
        n = n_heads * int(rng.integers(2, 5))
        layer, x = MultiHeadAttention.init(rng, 6 * n_heads, n_heads), rng.normal(size=(n, 6 * n_heads))
        order = np.arange(n)
        order[[0, -1]] = order[[-1, 0]]  # of the first block and of the last
        assert np.abs(blind(x[order], layer) - blind(x, layer)[order]).max() > 1e-6


def test_blind_heads_keep_it_where_they_are_not_blind():
    """One head is split rightly; in blocks of one token each is alone; equal tokens can't be told apart; and within a
    block tokens may change places."""
    rng = np.random.default_rng(13)
    one, x = MultiHeadAttention.init(rng, 6, 1), rng.normal(size=(4, 6))
    assert_allclose(blind(x, one), one(x)[0], atol=1e-12)
    four = MultiHeadAttention.init(rng, 12, 4)
    wide = rng.normal(size=(4, 12))
    assert_allclose(blind(wide[::-1], four), blind(wide, four)[::-1], atol=1e-12)
    two, same = MultiHeadAttention.init(rng, 6, 2), np.tile(rng.normal(size=6), (4, 1))
    assert_allclose(blind(same[[1, 0, 3, 2]], two), blind(same, two), atol=1e-12)
    assert_allclose(blind(x[[1, 0, 2, 3]], two), blind(x, two)[[1, 0, 2, 3]], atol=1e-12)
