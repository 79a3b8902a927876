"""The checkers of what a learner of XOR must get right: its loss, and the gradient through its softmax."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far, wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.softmax import log_softmax, softmax

# The loss ---------------------------------------------------------------------------------------------------------


def _loss(logits, y):
    return np.asarray(-log_softmax(logits)[np.arange(len(y)), y].mean())


def _probability(logits, y):
    return softmax(logits)[np.arange(len(y)), y]


def _judge_loss(answer, expected, logits, y):
    if not np.isfinite(answer):
        return (
            f"The loss is {show(answer)}; it should be {show(expected)}. Is log taken of a probability that has "
            "rounded to 0? Take the log of the softmax in one step: z − max − log Σ e^(z − max)."
        )
    if far(answer, expected):
        because = " A loss of −log p is never negative." if answer < 0 else ""
        got, right = apart(answer, expected)
        return f"The loss is {got}; it should be {right}.{because}"
    return None


def _logits(logits, y):
    return {"logits": np.array(logits, dtype=np.float64), "y": np.array(y)}


def _build_loss(draw):
    options = draw.choice(((0.0, 1.0, -1.0, 2.0), (0.0, 1000.0, -1000.0, 1.0)))
    rows = draw.some(1, 4, lambda: (draw.array((2,), options), draw.whole(0, 1)))
    return _logits(*zip(*rows, strict=True))


_PLAIN = (_logits([[0, 1], [2, -1], [1, 0.5]], [1, 1, 0]), _logits([[1, -2], [0.5, 0]], [0, 1]))
_LARGE = (_logits([[1000, 0], [-1000, 1]], [1, 1]), _logits([[0, 1e4]], [0]))


def _naive_loss(logits, y):
    e = np.exp(logits)
    return -np.log((e / e.sum(axis=-1, keepdims=True))[np.arange(len(y)), y]).mean()


@checks(
    shape="()",
    right=_loss,
    build=_build_loss,
    fixed=_PLAIN + _LARGE,
    judge=_judge_loss,
    mistakes=(
        Mistake(
            lambda logits, y: -_probability(logits, y).mean(),
            "This is minus the mean probability: what nll_loss gives when it is handed probabilities, as in source "
            "002. Its gradient vanishes where the network is surely wrong. Take the log of the probability.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: log_softmax(logits)[np.arange(len(y)), y].mean(),
            "The sign is missing: the loss is −log p.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: _loss(logits, y) * len(y),
            "This is the sum over the samples, not the mean.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: _loss(softmax(logits), y),
            "The softmax is taken twice: log_softmax takes scores, not probabilities.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: _loss(logits, 1 - y),
            "This is the loss of the other answer: y and 1 − y.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: -logits[np.arange(len(y)), y].mean(),
            "These are the scores themselves: nothing is normalized.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: -np.log(_probability(logits, y).mean()),
            "The log is taken of the mean probability; take the mean of the logs.",
            _PLAIN,
        ),
        Mistake(
            lambda logits, y: _loss(logits, y) / np.log(2), "This is in bits; take the natural log.", _PLAIN
        ),
        Mistake(
            lambda logits, y: -np.log(np.maximum(_probability(logits, y), 1e-12)).mean(),
            "A clipped probability is no loss for a network that is surely wrong: past the clip its gradient is 0.",
        ),
        Mistake(
            _naive_loss,
            "Right on paper, but exp overflows and log meets a 0: subtract the largest score first, and take the log "
            "of the sum, not of the quotient.",
            _PLAIN,
        ),
    ),
)
def log_loss(function: Callable) -> Result:
    """Check f(logits, y) -> scalar: the mean of −log softmax(logits)[y], natural log.

    `logits` (n, 2) holds finite floats up to ±1e4, `y` (n,) holds 0 and 1.
    """


# Back through the softmax -----------------------------------------------------------------------------------------


def _backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def _judge_backward(answer, expected, weights, d_weights):
    if np.isnan(answer).any():
        return "The gradient holds NaN."
    for i, j, got, right in wrong_entries(answer, expected):
        total = answer[i].sum()
        because = (
            f" The row sums to {show(total)}; it should be 0: a constant added to all scores changes nothing."
            if far(total, 0)
            else ""
        )
        return f"d_scores[{i}, {j}] is {got}; it should be {right}.{because}"
    return None


def _gradients(scores, d_weights):
    return {
        "weights": softmax(np.array(scores, dtype=np.float64)),
        "d_weights": np.array(d_weights, dtype=np.float64),
    }


def _build_backward(draw):
    m = draw.whole(1, 3)
    rows = draw.some(
        1, 3, lambda: (draw.array((m,), (0.0, 1.0, -1.0)), draw.array((m,), (0.0, 1.0, -1.0, 2.0)))
    )
    return _gradients(*zip(*rows, strict=True))


@checks(
    shape="(n, m)",
    right=_backward,
    build=_build_backward,
    fixed=(
        _gradients([[0, 1, 2], [1, -1, 0.5], [0, 0, 3]], [[1, 0, 2], [0, -1, 1], [2, 1, 0.5]]),
        _gradients([[0, 1], [2, -1]], [[1, -2], [0.5, 1]]),
    ),
    judge=_judge_backward,
    mistakes=(
        Mistake(
            lambda weights, d_weights: d_weights,
            "The softmax is passed by here: its Jacobian, diag(p) − p pᵀ, is missing.",
        ),
        Mistake(
            lambda weights, d_weights: weights * d_weights,
            "Half of the Jacobian: diag(p) without − p pᵀ. Raising one score lowers all other weights.",
        ),
        Mistake(
            lambda weights, d_weights: weights * (1 - weights) * d_weights,
            "Only the diagonal of the Jacobian, p (1 − p): a sigmoid. Each score moves its whole row.",
        ),
        Mistake(
            lambda weights, d_weights: (
                weights * (d_weights - (weights * d_weights).sum(axis=0, keepdims=True))
            ),
            "The sum runs down the columns; each row is a softmax of its own, so sum along the last axis.",
        ),
        Mistake(
            lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum()),
            "The sum runs over all rows; each row is a softmax of its own.",
        ),
        Mistake(
            lambda weights, d_weights: weights * (d_weights - d_weights.mean(axis=-1, keepdims=True)),
            "The plain mean of the row is subtracted; it should be the mean with the weights, Σ p · d_weights.",
        ),
        Mistake(lambda weights, d_weights: -_backward(weights, d_weights), "The sign is turned around."),
    ),
)
def softmax_backward(function: Callable) -> Result:
    """Check f(weights, d_weights) -> d_scores, all (n, m): the loss's gradient, taken back through softmax by row."""
