"""The checker of scaled scores. Rows count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.practice.mistakes import variance as say


def _scores(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def _judge(answer, expected, q, k):
    for i, j, got, right in wrong_entries(answer, expected):
        return (
            f"The score of query {i} and key {j} is {got}; their dot product is "
            f"{show(q[i] @ k[j])} and d_k is {q.shape[1]}, so it should be {right}."
        )
    return None


def _build(draw):
    d_k = draw.whole(1, 5)
    entries = (1.0, 2.0, -1.0, 0.5, 0.0)
    return {
        "q": draw.array((draw.whole(1, 3), d_k), entries),
        "k": draw.array((draw.whole(1, 3), d_k), entries),
    }


# Three sizes that differ, and no two of n_q, n_k, d_k that share a root.
_PLAIN = (
    {
        "q": np.array([[1.0, 2, 3, 4, 5], [2, 0, -1, 1, 3]]),
        "k": np.array([[1.0, 0, 2, 1, 1], [0, 1, 1, 3, -1], [4, 1, 0, 0, 2]]),
    },
    {"q": np.array([[1.0, 2, 1], [0, 3, 1]]), "k": np.array([[2.0, 1, 1], [1, 1, 0], [3, 0, 2], [1, 0, 1]])},
)  # fmt: skip

_TWICE = (
    "That is divided by d_k, the root twice: was q scaled, and then the scores again? Or was the root forgotten? The "
    "standard deviation of q kᵀ is √d_k, so that is what to divide by."
)


@checks(
    right=_scores,
    build=_build,
    fixed=_PLAIN,
    judge=_judge,
    shape="(n_q, n_k)",
    mistakes=(
        Mistake(lambda q, k: q @ k.T, say.NO_SCALE),
        Mistake(lambda q, k: q @ k.T / q.shape[-1], _TWICE),
        Mistake(
            lambda q, k: q @ k.T * np.sqrt(q.shape[-1]),
            "Multiplied by the root? Divide: the scores are too large.",
        ),
        Mistake(
            lambda q, k: q @ k.T / np.sqrt(len(q)),
            "Is that the root of the number of queries? d_k is the last axis, the length of one query.",
        ),
        Mistake(
            lambda q, k: q @ k.T / np.sqrt(len(k)),
            "Is that the root of the number of keys? d_k is the last axis, the length of one key.",
        ),
        Mistake(
            lambda q, k: q @ k.T / q.shape[-1] ** 0.25,
            "Is the root taken twice, or was only one of two factors d_k**0.25 used? q and k each need it, or the "
            "scores the whole root.",
        ),
        Mistake(
            lambda q, k: q @ k.T / (q @ k.T).std(),
            "Divided by the spread that this one table happens to have? Then the scores of one query depend on the "
            "others. The root of d_k is the same for every table.",
        ),
        Mistake(
            lambda q, k: (q @ k.T) / np.linalg.norm(q, axis=1, keepdims=True),
            "Divided by the length of each query? That is half of QK-norm; the scale is the same for all queries.",
        ),
        Mistake(
            lambda q, k: (e := np.exp(_scores(q, k))) / e.sum(axis=1, keepdims=True),
            "Those are the weights. The exercise asks for the scores, before the softmax.",
        ),
        Mistake(lambda q, k: _scores(k, q), "Is it transposed? Rows are queries, columns are keys."),
    ),
)
def scaled_scores(function: Callable) -> Result:
    """Check f(q, k) -> scores: q (n_q, d_k) and k (n_k, d_k) give q kᵀ/√d_k, shape (n_q, n_k)."""
