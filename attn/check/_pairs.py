"""The checkers of chapter 0's way back: from weights to queries and keys. Words count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.softmax import softmax


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


def _case(*rows):
    counts = np.array(rows, dtype=float)
    return {"weights": counts / counts.sum(axis=1, keepdims=True)}


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
    build=lambda draw: {"weights": _table(draw, draw.whole(1, 4))},
    fixed=(_case([1, 3], [2, 8]), _case([1, 2, 5], [4, 1, 1], [2, 2, 1])),
    judge=lambda answer, expected, weights: _differs(answer, weights),
    free=True,
    mistakes=(
        Mistake(_with_ones(np.log), _ROOT),
        Mistake(_with_one_hot_queries(lambda w: np.log(w).T), _ROOT),
        Mistake(_with_ones(lambda w: w), _LOG),
        Mistake(_with_ones(lambda w: np.sqrt(len(w)) * w), _LOG),
        Mistake(_with_one_hot_queries(lambda w: w.T), _LOG),
        Mistake(_with_one_hot_queries(lambda w: np.sqrt(len(w)) * w.T), _LOG),
        Mistake(_with_one_hot_queries(lambda w: np.sqrt(len(w)) * np.log(w)), _TURNED),
        Mistake(_with_ones(lambda w: np.sqrt(len(w)) * np.log(w).T), _TURNED),
        Mistake(
            _with_ones(lambda w: np.sqrt(len(w)) * np.log2(w)),
            "Is the logarithm that of base 2? Softmax has base e: np.log.",
        ),
        Mistake(
            _with_ones(lambda w: len(w) * np.log(w)),
            "Multiplied by d_k itself? Attention divides by its root.",
        ),
        Mistake(
            _with_ones(lambda w: np.log(w) / np.sqrt(len(w))),
            "Divided by the root? Attention divides already, so multiply.",
        ),
        Mistake(
            _with_ones(lambda w: np.sqrt(len(w)) * np.exp(w)),
            "Is that the exponential? The logarithm undoes the softmax.",
        ),
    ),
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
    return {"q": draw.array(size, (1.0, 0.0, 2.0, -1.0)), "k": k}


def _pair(function):
    return lambda q, k: np.stack(function(q, k))


_TELLING = (
    {"q": np.array([[1.0, 0], [-1, 2], [2, 0]]), "k": np.array([[0.0, -1], [1, 1], [-1, 1]])},
    {"q": np.array([[1.0, 2, 0], [0, 1, -1]]), "k": np.array([[2.0, 0, 1], [1, 1, -1]])},
)
_BOTH = "Both are scaled, so each score is. What one gets, the other has to give back: double q, and halve k."


@checks(
    shape="[q, k], (2, n, d),",
    right=_pair(lambda q, k: (q, k + 1)),
    build=_two,
    fixed=_TELLING,
    judge=_judge_other,
    free=True,
    mistakes=(
        Mistake(_pair(lambda q, k: (2 * q, 2 * k)), _BOTH),
        Mistake(_pair(lambda q, k: (q / 2, k / 2)), _BOTH),
        Mistake(
            _pair(lambda q, k: (2 * q, k)),
            "The queries are longer, so the choice is sharper. Give it back on the side of the keys.",
        ),
        Mistake(
            _pair(lambda q, k: (q, 2 * k)),
            "The keys are longer, so all scores are. Give it back on the side of the queries.",
        ),
        Mistake(
            _pair(lambda q, k: (q + 1, k)),
            "One vector added to all *queries* moves each score by another amount. Which side can take it?",
        ),
        Mistake(
            _pair(lambda q, k: (q + 1, k + 1)),
            "Added to the keys a vector does no harm; added to the queries it does.",
        ),
        Mistake(
            _pair(lambda q, k: (-q, k)),
            "All scores change their sign, so who was first is last. Turn the keys as well.",
        ),
        Mistake(
            _pair(lambda q, k: (k, q)), "Queries and keys exchanged: that turns the table of scores over."
        ),
        Mistake(
            _pair(lambda q, k: (q[::-1], k[::-1])),
            "The words stand in another order: then so do the weights. Each row has to stay with its word.",
        ),
        Mistake(
            _pair(lambda q, k: (q[:, ::-1], k)),
            "Only the queries have their numbers in another order. The keys need the same.",
        ),
        Mistake(
            _pair(lambda q, k: (q, k / np.linalg.norm(k, axis=1, keepdims=True))),
            "Are the keys divided by their lengths? A key's length counts: it is in every score.",
        ),
    ),
)
def another_pair(function: Callable) -> Result:
    """Check f(q, k) -> [q, k], shape (2, n, d): other queries and keys with the same attention weights.

    At least one number has to differ by 0.01 or more.
    """
