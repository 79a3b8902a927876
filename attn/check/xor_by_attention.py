"""The checkers of the exercises on XOR by hand (chapter 5): source 000's two wrong lines, votes, and Theorem 2."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far, wrong_entries
from attn.check._engine import checks
from attn.check._exercise import On, Result
from attn.practice.mistakes import xor as say
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
    return tuple(rng.integers(-2, 3, shape) / 2 for shape in ((n, d), (d, d), (d, d)))


@checks(
    right=_pattern,
    build=lambda draw: _telling_pattern(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3)),
    fixed=(_telling_pattern(1, 2, 2), _telling_pattern(2, 3, 2), _telling_pattern(3, 3, 3)),
    judge=_judge_pattern,
    mistakes={
        "The softmax runs down the columns here, as source 000's does: sum along the last axis, over the keys.": (
            lambda x, w_q, w_k: _pattern(x, w_q, w_k, axis=0)
        ),
        "Queries and keys are exchanged: rows are queries, x @ w_q, columns are keys, x @ w_k.": (
            lambda x, w_q, w_k: _pattern(x, w_k, w_q)
        ),
        "The scores are divided by √d_k here. That is chapter 2's good habit, but this network has no scale.": (
            lambda x, w_q, w_k: _pattern(x, w_q, w_k, scale=x.shape[1] ** -0.5)
        ),
        "All weights together sum to one here: each row is a softmax of its own.": (
            lambda x, w_q, w_k: np.exp((x @ w_q) @ (x @ w_k).T) / np.exp((x @ w_q) @ (x @ w_k).T).sum()
        ),
        "These are the scores: the softmax is missing.": lambda x, w_q, w_k: (x @ w_q) @ (x @ w_k).T,
        "W_Q and W_K are not used.": lambda x, w_q, w_k: softmax(x @ x.T),
    },
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
    return rng.integers(-3, 4, (n, d)) / 2, rng.integers(-3, 4, d) / 2


_SQUARE = (_telling_read(1, 2, 2), _telling_read(5, 2, 2), _telling_read(3, 3, 3))
_FEATURES = (
    "Was `query @ memory` scored? That is a score for each feature, not for each token, and it runs only where there "
    "are as many tokens as features. A token's score is its row's dot product: memory @ query."
)


@checks(
    right=_read,
    build=lambda draw: _telling_read(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3)),
    fixed=(*_SQUARE, _telling_read(4, 3, 2), _telling_read(6, 2, 3)),
    judge=_judge_read,
    mistakes={
        _FEATURES: On(
            _SQUARE,
            lambda memory, query: softmax(query @ memory) @ memory,
            lambda memory, query: softmax(memory.T @ query) @ memory,
            lambda memory, query: memory @ softmax(query @ memory),
        ),
        "The weights belong to the tokens, so they multiply the rows: weights @ memory, not memory @ weights.": On(
            _SQUARE, lambda memory, query: memory @ softmax(memory @ query)
        ),
        "All tokens weigh the same here: the query is not used.": lambda memory, query: memory.mean(axis=0),
        "The best token gets everything here: softmax leaves something to the others.": (
            lambda memory, query: memory[np.argmax(memory @ query)]
        ),
        "The softmax is missing.": lambda memory, query: (memory @ query) @ memory,
        "The scores are divided by √d_k here; this query has no scale.": (
            lambda memory, query: softmax(memory @ query / np.sqrt(len(query))) @ memory
        ),
    },
)
def decode(function: Callable) -> Result:
    """Check f(memory, query) -> (d,): the average of the rows of memory (n, d), weighted by softmax(memory @ query)."""


# Theorem 2's votes --------------------------------------------------------------------------------------------------


def _judge_votes(answer, expected, x, query, readout, bias):
    if np.isnan(answer).any():
        return "The votes hold NaN."
    wrong = far(answer, expected)
    if not wrong.any():
        return None
    output = readout @ (softmax(x @ query) @ x) + bias
    if answer.sum() * output < 0:
        return f"The votes sum to {show(answer.sum())}, but the output is {show(output)}: the signs should be the same."
    t = np.argmax(np.where(wrong, np.abs(answer - expected), -1))
    got, right = apart(answer[t], expected[t])
    return f"The vote of token {t} is {got}; it should be {right}."


def _telling_votes(seed, n, d):
    rng = np.random.default_rng(seed)
    x, query, readout = (rng.integers(-2, 3, shape) / 2 for shape in ((n, d), d, d))
    return x, query, readout, float(rng.integers(1, 4)) / 2


@checks(
    right=lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout + bias),
    build=lambda draw: _telling_votes(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3)),
    fixed=(_telling_votes(1, 2, 2), _telling_votes(2, 3, 2), _telling_votes(4, 4, 3)),
    judge=_judge_votes,
    mistakes={
        say.DIVIDED: lambda x, query, readout, bias: softmax(x @ query) * (x @ readout + bias),
        say.NO_BIAS: lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout),
        say.BIAS_AFTER: lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout) + bias,
        "The bias is shared evenly among the tokens; it should be shared as the weights are: e^s · bias each.": (
            lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout) + bias / len(x)
        ),
        say.NOT_LOUDER: lambda x, query, readout, bias: x @ readout + bias,
        "Votes are multiplied by the score here, but a weight is e^score, and never negative.": (
            lambda x, query, readout, bias: (x @ query) * (x @ readout + bias)
        ),
        "The scores are divided by √d_k here; this head has no scale.": (
            lambda x, query, readout, bias: np.exp(x @ query / np.sqrt(len(query))) * (x @ readout + bias)
        ),
    },
)
def votes(function: Callable) -> Result:
    """Check f(x, query, readout, bias) -> (n,): what each token adds to the sign of one head's output.

    The tokens (n, d) are their own keys and values. The output is readout · (softmax(x @ query) @ x) + bias, and
    token t's vote e^{x_t · query} (readout · x_t + bias).
    """


# A token that asks, holds a bit, and keeps it -----------------------------------------------------------------------


PAIRS = ((0, 0), (1, 0), (0, 1), (1, 1))
WANTED = np.array([-1, 1, 1, -1])


def outputs(table: np.ndarray, gain: float) -> np.ndarray:
    """The four outputs, for (0, 0), (1, 0), (0, 1), (1, 1)."""
    s_1, s_2, v_1, v_2 = np.asarray(table, dtype=float)
    first, second = np.array(PAIRS).T
    weights = softmax(np.stack([s_1[first], s_2[second]], axis=-1))
    return (weights * np.stack([v_1[first], v_2[second]], axis=-1)).sum(axis=-1) + gain * first


def _one(gain, scale=None):
    """The numbers of the solution."""
    scale = gain if scale is None else scale
    return np.array([[0, 0], [np.log(3), 0], [-0.5 * scale, -3.5 * scale], [0, scale]])


def _judge_table(answer, expected, gain):
    if not np.isfinite(answer).all():
        return "The table holds NaN or infinite numbers."
    found = outputs(answer, gain)
    said = ", ".join(f"({a}, {d}) {show(value)}" for (a, d), value in zip(PAIRS, found, strict=True))
    said = f"With gain {show(gain)} the four outputs are {said}."
    signs = np.where(np.abs(found) > 1e-9 * gain, np.sign(found), 0)
    if (signs == WANTED).all():
        return None
    if (signs == -WANTED).all():
        return (
            f'{said} That is the opposite of XOR: right for "equal". XOR is above zero where the bits differ.'
        )
    if abs(answer[1, 0] - answer[1, 1]) < 1e-9:
        return (
            f"{said} The second token's score does not depend on its bit, so what the residual adds is shared out as "
            "a sum of votes again, and Theorem 2 holds."
        )
    return f"{said} XOR needs below, above, above, below zero; {int((signs == WANTED).sum())} of 4 are right."


@checks(
    right=_one,
    build=lambda draw: (draw.choice((1.0, 2.0, 0.5, 3.0, 10.0)),),
    fixed=((1.0,), (2.0,), (0.25,), (8.0,)),
    judge=_judge_table,
    mistakes={
        "These values are right for gain 1, and the same for every gain: let the values grow with it.": (
            lambda gain: _one(gain, 1.0)
        ),
        "Scores and values are exchanged: the first two rows are scores.": (
            lambda gain: _one(gain)[[2, 3, 0, 1]]
        ),
        "The two tokens are exchanged: the one whose bit the residual adds is the first.": (
            lambda gain: _one(gain)[[1, 0, 3, 2]]
        ),
        "The columns are exchanged: the first is for bit 0.": lambda gain: _one(gain)[:, ::-1],
        "All scores are equal, so the head is a plain mean: then the four outputs are a sum of votes.": (
            lambda gain: np.array([[0, 0], [0, 0], [-gain, 0], [0, gain]])
        ),
        "This head seeks the 1, and so says OR; with the residual it still does. What must the second token do "
        "where the first one is 1?": lambda gain: np.array([[-2, 2], [-2, 2], [-gain, gain], [-gain, gain]]),
    },
    free=True,
)
def break_the_vote(function: Callable) -> Result:
    """Check f(gain) -> (4, 2): a head of two tokens that computes XOR, if the residual adds gain · (first bit).

    Rows: the score of the first token, of the second, the value of the first, of the second; a column for each bit.
    The output is softmax(scores) · values + gain · (first bit), and its sign is the answer. `gain` is above zero.
    """
