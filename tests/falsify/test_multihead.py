"""The theorems of the chapter on heads: nothing within their conditions breaks them, something outside each does."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore.multihead import PRESETS
from attn.masks import causal_mask
from attn.multihead import MultiHeadAttention
from attn.softmax import softmax

# "One head that is 0 on every sentence of one repeated word is 0 on every sentence." --------------------------------


def one_head(rng, d_model, d_k, d_v, d_out, biased):
    shapes = {
        "w_q": (1, d_model, d_k),
        "w_k": (1, d_model, d_k),
        "w_v": (1, d_model, d_v),
        "w_o": (d_v, d_out),
    }
    if biased:
        shapes |= {"b_q": (1, d_k), "b_k": (1, d_k), "b_v": (1, d_v), "b_o": (d_out,)}
    return {name: 2 * rng.normal(size=shape) for name, shape in shapes.items()}


def said(head, words, places, mask):
    """The head's output where queries and keys see the places, and values the words alone."""
    q = (words + places) @ head["w_q"][0] + head.get("b_q", [0])[0]
    k = (words + places) @ head["w_k"][0] + head.get("b_k", [0])[0]
    v = words @ head["w_v"][0] + head.get("b_v", [0])[0]
    scores = np.where(mask, q @ k.T / np.sqrt(q.shape[-1]), -np.inf)
    return softmax(scores) @ v @ head["w_o"] + head.get("b_o", 0)


def violation(head, words, places, mask):
    """The largest output on the sentence, beyond what the largest on a repeated word allows."""
    repeats = [np.abs(said(head, np.tile(word, (len(words), 1)), places, mask)).max() for word in words]
    return np.abs(said(head, words, places, mask)).max() - max(repeats)


@pytest.mark.parametrize("biased", [False, True])
def test_no_single_head_breaks_it(biased):
    """Random heads of many sizes, then uphill on the violation in all of their numbers; ties and masks among them."""
    rng = np.random.default_rng(4)
    worst = -np.inf
    for trial in range(120):
        n, d_model, d_k, d_v, d_out = rng.integers(1, 6, 5)
        mask = causal_mask(n) if trial % 2 else np.ones((n, n), dtype=bool)
        head = one_head(rng, d_model, d_k, d_v, d_out, biased)
        words, places = rng.normal(size=(2, n, d_model)) * (1, 0)[trial % 5 == 0]
        words = words if trial % 3 else np.round(words)  # words that are equal
        now = violation(head, words, places, mask)
        for _ in range(40):
            moved = {name: value + 0.3 * rng.normal(size=value.shape) for name, value in head.items()}
            other = words + 0.3 * rng.normal(size=words.shape), places + 0.3 * rng.normal(size=places.shape)
            new = violation(moved, *other, mask)
            if new > now:
                head, (words, places), now = moved, other, new
        worst = max(worst, now)
    assert worst < 1e-9


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


def test_the_heads_of_the_figure_find_words():
    """On `the cat sat` it is the word before; on `cat the sat` head 1 of `sat` still reads `cat`."""
    shown = PRESETS["legible"]
    w_q, w_k, w_v, w_o = (np.array(shown[name], dtype=float) for name in ("w_q", "w_k", "w_v", "w_o"))
    layer = MultiHeadAttention(w_q, w_k, w_v, np.vstack(w_o))
    assert layer(np.eye(4)[[0, 1, 2]])[1][0, 2].argmax() == 1
    assert layer(np.eye(4)[[1, 0, 2]])[1][0, 2].argmax() == 0


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


def rotated(x):
    """Pairs of numbers turned by an angle that grows with the place, each pair at its own speed."""
    angle = np.arange(len(x))[:, None] / 10.0 ** np.arange(x.shape[1] // 2)
    one, two = x[:, 0::2], x[:, 1::2]
    turned = one * np.cos(angle) - two * np.sin(angle), one * np.sin(angle) + two * np.cos(angle)
    return np.stack(turned, axis=-1).reshape(x.shape)


@pytest.mark.parametrize("kind", ["a bias by distance", "a sum of two heads", "softmax"])
def test_the_rank_is_not_limited_outside(kind):
    """Scores that are more than q kᵀ, and the weights themselves, have more."""
    rng = np.random.default_rng(8)
    q, k = rng.normal(size=(2, 6, 2))
    found = {
        "a bias by distance": lambda: q @ k.T - by_distance(6) / 2,
        "a sum of two heads": lambda: q @ k.T + rng.normal(size=(6, 2)) @ rng.normal(size=(2, 6)),
        "softmax": lambda: softmax(4 * q @ k.T),
    }[kind]()
    assert np.linalg.matrix_rank(found, tol=1e-6) > 2


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
    q, k = np.ones(3), np.arange(3.0)
    assert favorites(np.outer(q, k)) == {2}
    assert favorites(np.outer(q, k) - 3 * by_distance(3)) == {0, 1, 2}
    assert favorites(np.where(causal_mask(3), np.outer(q, k), -np.inf)) == {
        0,
        1,
        2,
    }  # a mask hides larger keys


# "Scores depend on W_Q W_Kᵀ alone." ---------------------------------------------------------------------------------


def test_mixing_changes_no_score():
    rng = np.random.default_rng(10)
    for _ in range(100):
        n, d_model, d_k = rng.integers(1, 7, 3)
        x, w_q, w_k = rng.normal(size=(n, d_model)), *rng.normal(size=(2, d_model, d_k))
        m = rng.normal(size=(d_k, d_k)) + 3 * np.eye(d_k)
        new = x @ w_q @ m @ (x @ w_k @ np.linalg.inv(m).T).T
        assert_allclose(new, x @ w_q @ (x @ w_k).T, atol=1e-8)


def test_with_rotated_pairs_it_does():
    """Where positions turn queries and keys (RoPE), M stands between two turns and does not cancel."""
    rng = np.random.default_rng(11)
    q, k = rng.normal(size=(2, 5, 4))
    m = np.diag([2.0, 1, 1, 1])
    one = rotated(q) @ rotated(k).T
    two = rotated(q @ m) @ rotated(k @ np.linalg.inv(m).T).T
    assert np.abs(one - two).max() > 0.1


# "Plain gradient steps leave it, Adam turns the head." --------------------------------------------------------------


class Saturated:
    """Head 1 of the notebook, and the weight that `Hello` gives itself."""

    def __init__(self):
        shown = PRESETS["source"]
        self.x = np.array(shown["x"], dtype=float)[:2]
        self.w_q, self.w_k = (np.array(shown[name], dtype=float)[0] for name in ("w_q", "w_k"))

    def weight(self, w_q):
        return softmax(self.x @ w_q @ (self.x @ self.w_k).T / np.sqrt(3))[0, 0]

    def gradient(self, w_q, of):
        """By the chain rule, of the weight or of its logarithm."""
        p, k = self.weight(w_q), self.x @ self.w_k
        by_score = p * (1 - p) if of == "weight" else 1 - p
        return by_score * np.outer(self.x[0], k[0] - k[1]) / np.sqrt(3)


def test_the_gradient_is_right():
    head, h = Saturated(), 1e-6
    w = head.w_q - 0.5 * np.outer(np.arange(4), [1, 0, 0])  # where the weight is not yet tiny
    for of, f in (("weight", head.weight), ("log", lambda w: np.log(head.weight(w)))):
        numeric = np.zeros_like(w)
        for index in np.ndindex(w.shape):
            step = np.zeros_like(w)
            step[index] = h
            numeric[index] = (f(w + step) - f(w - step)) / (2 * h)
        assert_allclose(head.gradient(w, of), numeric, rtol=1e-4, atol=1e-12)


def test_plain_gradient_steps_leave_the_saturated_head():
    head = Saturated()
    w = head.w_q
    for _ in range(20_000):
        w = w + 0.001 * head.gradient(w, "weight")
    assert head.weight(w) < 1e-9


def test_adam_turns_it():
    head = Saturated()
    w, mean, square = head.w_q, 0, 0
    assert np.abs(head.gradient(w, "weight")).max() < 4e-9
    for step in range(1, 1001):
        gradient = head.gradient(w, "weight")
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        w = w + 0.001 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        if head.weight(w) > 0.5:
            break
    assert step == 249


def test_the_logarithm_of_the_weight_can_be_climbed_by_plain_steps():
    head = Saturated()
    w, steps = head.w_q, 0
    while head.weight(w) < 0.5:
        w, steps = w + 0.001 * head.gradient(w, "log"), steps + 1
    assert steps == 76


# "A layer whose heads own blocks of two tokens or more breaks the promise when tokens of different blocks swap." -----


def blind(x, layer):
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
