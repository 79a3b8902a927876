"""The checkers of the exercises on self-attention (chapter 0). Words and features count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.attention import scaled_dot_product_attention
from attn.check._cases import show
from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import On, Result
from attn.practice.mistakes import attention as say
from attn.softmax import softmax


def _right(x, w_q, w_k, w_v):
    return scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)[0]


def _says(i, c, got, right, x, w_q, w_k, w_v):
    if got == "nan":
        large = np.abs(x @ w_q @ (x @ w_k).T).max() > 700  # exp(710) overflows
        because = ": exp of a large score overflows, so subtract each row's largest score first"
        return f"The output of word {i} holds NaN{because if large else ''}."
    return f"The output of word {i} has {got} as its feature {c}; it should be {right}."


def _build(draw):
    d_model, d_k, d_v = draw.whole(1, 3), draw.whole(1, 3), draw.whole(1, 3)
    options = draw.choice(((0.0, 1.0, -1.0, 2.0), (0.0, 30.0, -30.0, 1.0)))
    x = draw.some(1, 3, lambda: draw.array((d_model,), options))
    w_q, w_k, w_v = (draw.array((d_model, d), options) for d in (d_k, d_k, d_v))
    return x, w_q, w_k, w_v


# n = 4, d_model = 2, d_k = 3, d_v = 5: no size stands in for another.
_TELLING = (
    (
        [[1, 0], [0, 1], [1, -1], [2, 1]],
        [[1, 0, 1], [0, 2, -1]],
        [[0, 1, 0], [1, 0, 1]],
        [[1, 2, 0, 1, -1], [-2, 1, 1, 0, 3]],
    ),
    ([[1, 2], [0, 1], [1, 1]], [[1, 0, 0], [1, -1, 0]], [[2, 0, 1], [0, 1, 1]], [[0], [3]]),
)
# Everything is 2 × 2: here the slips run that other shapes would stop.
_SQUARE = (([[1, 0], [1, 2]], [[1, 2], [0, 1]], [[0, 1], [1, -1]], [[2, 1], [-1, 3]]),)
# d_model = d_v, so that x could stand in for the values.
_SAME_WIDTH = (
    ([[1, 0], [0, 1], [1, -1]], [[1, 0, 1], [0, 2, -1]], [[0, 1, 0], [1, 0, 1]], [[1, 2], [-2, 1]]),
)
# d_v = d_k, so that keys or queries could stand in for the values.
_KEYS_AS_VALUES = (([[1, 0], [0, 1], [1, -1]], [[1, 0], [0, 2]], [[0, 1], [1, -1]], [[1, 2], [-2, 1]]),)
_LARGE = (([[30, 1], [1, 30]], [[30, 0], [0, 30]], [[1, 0], [30, 1]], [[1], [0]]),)


def _with(scale=None, axis=-1, weigh=None):
    """Self-attention with another scale, a function of (n, d_model, d_k, d_v), axis or way to make weights."""

    def function(x, w_q, w_k, w_v):
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        sizes = (len(x), x.shape[1], w_k.shape[1], w_v.shape[1])
        scores = q @ k.T * (1 / np.sqrt(sizes[2]) if scale is None else scale(*sizes))
        weights = softmax(scores, axis=axis) if weigh is None else weigh(scores)
        return weights @ v

    return function


def _roles(query, key, value):
    """Self-attention in which the three jobs are done by others: indices into (queries, keys, values, words)."""

    def function(x, w_q, w_k, w_v):
        have = (x @ w_q, x @ w_k, x @ w_v, x)
        return scaled_dot_product_attention(have[query], have[key], have[value])[0]

    return function


def _no_transpose(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return softmax(q @ k / np.sqrt(k.shape[-1])) @ v


def _overflowing(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


@checks(
    right=_right,
    build=_build,
    fixed=_TELLING + _SQUARE + _SAME_WIDTH + _KEYS_AS_VALUES + _LARGE,
    telling=_TELLING,
    says=_says,
    mistakes={
        "Does the softmax run down the columns? Each row, one query, sums to one: that is the last axis.": (
            _with(axis=0)
        ),
        say.NO_ROOT: _with(scale=lambda n, d_model, d_k, d_v: 1),
        say.BY_D_K: _with(scale=lambda n, d_model, d_k, d_v: 1 / d_k),
        say.TIMES_ROOT: _with(scale=lambda n, d_model, d_k, d_v: np.sqrt(d_k)),
        say.ROOT_OF_D_MODEL: _with(scale=lambda n, d_model, d_k, d_v: 1 / np.sqrt(d_model)),
        say.ROOT_OF_D_V: _with(scale=lambda n, d_model, d_k, d_v: 1 / np.sqrt(d_v)),
        say.ROOT_OF_WORDS: _with(scale=lambda n, d_model, d_k, d_v: 1 / np.sqrt(n)),
        "Are q and k swapped? Rows belong to the words that ask: the scores are q kᵀ.": _roles(1, 0, 2),
        "Are the keys made with w_q? A key is x @ w_k.": _roles(0, 0, 2),
        "Are the queries made with w_k? A query is x @ w_q.": _roles(1, 1, 2),
        f"{say.KEYS_MIXED}, x @ w_v.": On(_KEYS_AS_VALUES, _roles(0, 1, 1)),
        "Are the queries mixed? They only decide the weights; it is the values that are mixed, x @ w_v.": On(
            _KEYS_AS_VALUES, _roles(0, 1, 0)
        ),
        "Are the words themselves mixed? What is mixed are the values, x @ w_v.": On(
            _SAME_WIDTH, _roles(0, 1, 3)
        ),
        "Is the transpose missing? q @ k runs only where everything is square: the scores are q @ k.T.": On(
            _SQUARE, _no_transpose
        ),
        "Are these the weights? The output is weights @ v: an average of values.": (
            lambda x, w_q, w_k, w_v: scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)[1]
        ),
        say.NO_SOFTMAX: _with(weigh=lambda scores: scores),
        say.NO_DIVISION: _with(weigh=lambda scores: np.exp(scores)),
        say.ONE_SUM: _with(weigh=lambda scores: np.exp(scores) / np.exp(scores).sum()),
        "Right on paper; but exp(710) is infinite. Subtract each row's largest score first: no weight changes.": On(
            _TELLING + _LARGE, _with(weigh=_overflowing)
        ),
    },
)
def self_attention(function: Callable) -> Result:
    """Check f(x, w_q, w_k, w_v) -> output (n, d_v): attention of words on each other, from the words themselves.

    `x` (n, d_model) holds the words, `w_q` and `w_k` (d_model, d_k) and `w_v` (d_model, d_v) make their queries,
    keys and values; the output is (n, d_v). Scores may be 1000 and more. The input stays what it is.
    """


# The way back: from weights to queries and keys ---------------------------------------------------------------------


def _weights(q, k):
    return softmax(q @ k.T / np.sqrt(q.shape[1]))


def _differs(answer, wanted):
    """Say in a sentence where the weights of an answer [q, k] leave those wanted, or None."""
    if not np.isfinite(answer).all():
        return (
            f"The answer holds {show(answer[~np.isfinite(answer)][0])}; queries and keys are finite numbers."
        )
    weights = _weights(*answer)
    for i, j, got, right in wrong_entries(weights, wanted):
        return f"With your queries and keys word {i} gives word {j} the weight {got}; it should be {right}."
    return None


def _table(draw, n):
    counts = draw.array((n, n), (1.0, 2.0, 3.0, 8.0))
    return counts / counts.sum(axis=1, keepdims=True)


def _shares(*rows):
    counts = np.array(rows, dtype=float)
    return (counts / counts.sum(axis=1, keepdims=True),)


def _with_ones(queries):
    """A pair with one-hot keys: then a query is its row of scores."""
    return lambda weights: np.stack([queries(weights), np.eye(len(weights))])


def _with_one_hot_queries(keys):
    return lambda weights: np.stack([np.eye(len(weights)), keys(weights)])


_ROOT = "Is the root missing? Attention divides by √d_k, and d_k is n here: so multiply by it first."
_LOG = "Softmax takes the exponential, so it wants logarithms of the weights, not the weights."
_TURNED = (
    "Is the table turned over, or do queries and keys stand in each other's place? Row i of q kᵀ belongs to query i: "
    "with one-hot queries, it is *column* i of k."
)


@checks(
    shape="[q, k], (2, n, n),",
    right=_with_ones(lambda w: np.sqrt(len(w)) * np.log(w)),
    build=lambda draw: (_table(draw, draw.whole(1, 4)),),
    fixed=(_shares([1, 3], [2, 8]), _shares([1, 2, 5], [4, 1, 1], [2, 2, 1])),
    judge=lambda answer, expected, weights: _differs(answer, weights),
    free=True,
    mistakes={
        _ROOT: (
            _with_ones(np.log),
            _with_one_hot_queries(lambda w: np.log(w).T),
        ),
        _LOG: (
            _with_ones(lambda w: w),
            _with_ones(lambda w: np.sqrt(len(w)) * w),
            _with_one_hot_queries(lambda w: w.T),
            _with_one_hot_queries(lambda w: np.sqrt(len(w)) * w.T),
        ),
        _TURNED: (
            _with_one_hot_queries(lambda w: np.sqrt(len(w)) * np.log(w)),
            _with_ones(lambda w: np.sqrt(len(w)) * np.log(w).T),
        ),
        "Is the logarithm that of base 2? Softmax has base e: np.log.": (
            _with_ones(lambda w: np.sqrt(len(w)) * np.log2(w))
        ),
        "Multiplied by d_k itself? Attention divides by its root.": _with_ones(lambda w: len(w) * np.log(w)),
        "Divided by the root? Attention divides already, so multiply.": (
            _with_ones(lambda w: np.log(w) / np.sqrt(len(w)))
        ),
        "Is that the exponential? The logarithm undoes the softmax.": (
            _with_ones(lambda w: np.sqrt(len(w)) * np.exp(w))
        ),
    },
)
def pair_for(function: Callable) -> Result:
    """Check f(weights) -> [q, k], shape (2, n, n): queries and keys whose attention weights are those given.

    `weights` (n, n) is positive and its rows sum to one; attention divides by √n, since d_k = n.
    """


def _judge_other(answer, expected, q, k):
    wrong = _differs(answer, _weights(q, k))
    if wrong is None and np.abs(answer - np.stack([q, k])).max() < 0.01:
        return "The weights are right, but these are the queries and keys that were given: change at least one number."
    return wrong


def _two(draw):
    size = (draw.whole(2, 3), draw.whole(2, 3))
    k = draw.array(size, (1.0, 0.0, -1.0, 2.0))
    k[0, 0], k[0, -1] = 1.0, 0.0  # what a turn or an exchange of columns leaves alone would prove nothing
    return draw.array(size, (1.0, 0.0, 2.0, -1.0)), k


def _pair(function):
    return lambda q, k: np.stack(function(q, k))


_TWO = (
    ([[1.0, 0], [-1, 2], [2, 0]], [[0.0, -1], [1, 1], [-1, 1]]),
    ([[1.0, 2, 0], [0, 1, -1]], [[2.0, 0, 1], [1, 1, -1]]),
)
_BOTH = "Both are scaled, so each score is. What one gets, the other has to give back: double q, and halve k."


@checks(
    shape="[q, k], (2, n, d),",
    right=_pair(lambda q, k: (q, k + 1)),
    build=_two,
    fixed=_TWO,
    judge=_judge_other,
    free=True,
    mistakes={
        _BOTH: (
            _pair(lambda q, k: (2 * q, 2 * k)),
            _pair(lambda q, k: (q / 2, k / 2)),
        ),
        "The queries are longer, so the choice is sharper. Give it back on the side of the keys.": (
            _pair(lambda q, k: (2 * q, k))
        ),
        "The keys are longer, so all scores are. Give it back on the side of the queries.": (
            _pair(lambda q, k: (q, 2 * k))
        ),
        "One vector added to all *queries* moves each score by another amount. Which side can take it?": (
            _pair(lambda q, k: (q + 1, k))
        ),
        "Added to the keys a vector does no harm; added to the queries it does.": (
            _pair(lambda q, k: (q + 1, k + 1))
        ),
        "All scores change their sign, so who was first is last. Turn the keys as well.": (
            _pair(lambda q, k: (-q, k))
        ),
        "Queries and keys exchanged: that turns the table of scores over.": _pair(lambda q, k: (k, q)),
        "The words stand in another order: then so do the weights. Each row has to stay with its word.": (
            _pair(lambda q, k: (q[::-1], k[::-1]))
        ),
        "Only the queries have their numbers in another order. The keys need the same.": (
            _pair(lambda q, k: (q[:, ::-1], k))
        ),
        "Are the keys divided by their lengths? A key's length counts: it is in every score.": (
            _pair(lambda q, k: (q, k / np.linalg.norm(k, axis=1, keepdims=True)))
        ),
    },
)
def another_pair(function: Callable) -> Result:
    """Check f(q, k) -> [q, k], shape (2, n, d): other queries and keys with the same attention weights.

    At least one number has to differ by 0.01 or more.
    """
