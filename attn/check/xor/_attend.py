"""The checkers of the two lines that source 000 gets wrong: its softmax and its decoder."""

from collections.abc import Callable

import numpy as np

from attn.check._close import apart, far, wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.softmax import softmax

# The attention pattern --------------------------------------------------------------------------------------------


def _pattern(x, w_q, w_k, axis=-1, scale=1.0):
    return softmax((x @ w_q) @ (x @ w_k).T * scale, axis=axis)


def _judge_pattern(answer, expected, x, w_q, w_k):
    if np.isnan(answer).any():
        return "The weights hold NaN: is there a division by zero?"
    for i, row in enumerate(answer):
        if far(row.sum(), 1):
            columns = "" if far(answer.sum(axis=0), 1).any() else ", though each column does"
            return (
                f"Row {i} sums to {apart(row.sum(), 1.0)[0]}, not to 1{columns}. A row is a query's weights."
            )
    for i, j, got, right in wrong_entries(answer, expected):
        return f"Token {i} gives token {j} the weight {got}; it should be {right}."
    return None


def _telling_pattern(seed, n, d):
    """Weights and tokens whose scores are not symmetric: else rows and columns could be exchanged unseen."""
    rng = np.random.default_rng(seed)
    names = ("x", "w_q", "w_k")
    shapes = ((n, d), (d, d), (d, d))
    return {name: rng.integers(-2, 3, shape) / 2 for name, shape in zip(names, shapes, strict=True)}


@checks(
    shape="(n, n)",
    right=_pattern,
    build=lambda draw: _telling_pattern(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3)),
    fixed=(_telling_pattern(1, 2, 2), _telling_pattern(2, 3, 2), _telling_pattern(3, 3, 3)),
    judge=_judge_pattern,
    mistakes=(
        Mistake(
            lambda x, w_q, w_k: _pattern(x, w_q, w_k, axis=0),
            "The softmax runs down the columns here, as source 000's does: sum along the last axis, over the keys.",
        ),
        Mistake(
            lambda x, w_q, w_k: _pattern(x, w_k, w_q),
            "Queries and keys are exchanged: rows are queries, x @ w_q, columns are keys, x @ w_k.",
        ),
        Mistake(
            lambda x, w_q, w_k: _pattern(x, w_q, w_k, scale=x.shape[1] ** -0.5),
            "The scores are divided by √d_k here. That is chapter 2's good habit, but this network has no scale.",
        ),
        Mistake(
            lambda x, w_q, w_k: np.exp((x @ w_q) @ (x @ w_k).T) / np.exp((x @ w_q) @ (x @ w_k).T).sum(),
            "All weights together sum to one here: each row is a softmax of its own.",
        ),
        Mistake(
            lambda x, w_q, w_k: (x @ w_q) @ (x @ w_k).T,
            "These are the scores: the softmax is missing.",
        ),
        Mistake(lambda x, w_q, w_k: softmax(x @ x.T), "W_Q and W_K are not used."),
    ),
)
def attention_pattern(function: Callable) -> Result:
    """Check f(x, w_q, w_k) -> (n, n): the weights softmax(x W_Q (x W_K)ᵀ), without a scale. Rows are queries."""


# The decoder ------------------------------------------------------------------------------------------------------


def _read(memory, query):
    return softmax(memory @ query) @ memory


def _judge_read(answer, expected, memory, query):
    if np.isnan(answer).any():
        return "What is read holds NaN: does the softmax overflow?"
    if far(answer, expected).any():
        outside = far(answer, np.clip(answer, memory.min(axis=0), memory.max(axis=0))).any()
        because = " That is no average of the rows of memory." if outside else ""
        got, right = apart(answer, expected)
        return f"It read {got}; it should be {right}.{because}"
    return None


def _telling_read(seed, n, d):
    rng = np.random.default_rng(seed)
    return {"memory": rng.integers(-3, 4, (n, d)) / 2, "query": rng.integers(-3, 4, d) / 2}


_SQUARE = (_telling_read(1, 2, 2), _telling_read(5, 2, 2), _telling_read(3, 3, 3))
_FEATURES = (
    "Was `query @ memory` scored? That is a score for each feature, not for each token, and it runs only where there "
    "are as many tokens as features. A token's score is its row's dot product: memory @ query."
)


@checks(
    shape="(d,)",
    right=_read,
    build=lambda draw: _telling_read(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3)),
    fixed=(*_SQUARE, _telling_read(4, 3, 2), _telling_read(6, 2, 3)),
    judge=_judge_read,
    mistakes=(
        Mistake(lambda memory, query: softmax(query @ memory) @ memory, _FEATURES, _SQUARE),
        Mistake(lambda memory, query: softmax(memory.T @ query) @ memory, _FEATURES, _SQUARE),
        Mistake(
            lambda memory, query: memory @ softmax(query @ memory),
            _FEATURES,
            _SQUARE,
        ),
        Mistake(
            lambda memory, query: memory @ softmax(memory @ query),
            "The weights belong to the tokens, so they multiply the rows: weights @ memory, not memory @ weights.",
            _SQUARE,
        ),
        Mistake(
            lambda memory, query: memory.mean(axis=0),
            "All tokens weigh the same here: the query is not used.",
        ),
        Mistake(
            lambda memory, query: memory[np.argmax(memory @ query)],
            "The best token gets everything here: softmax leaves something to the others.",
        ),
        Mistake(lambda memory, query: (memory @ query) @ memory, "The softmax is missing."),
        Mistake(
            lambda memory, query: softmax(memory @ query / np.sqrt(len(query))) @ memory,
            "The scores are divided by √d_k here; this query has no scale.",
        ),
    ),
)
def decode(function: Callable) -> Result:
    """Check f(memory, query) -> (d,): the average of the rows of memory (n, d), weighted by softmax(memory @ query)."""
