"""The checkers of what a learner of XOR must get right (chapter 6): its loss, back through its softmax, Adam's step."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far, wrong_entries
from attn.check._engine import checks
from attn.check._exercise import On, Result
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


def _build_loss(draw):
    options = draw.choice(((0.0, 1.0, -1.0, 2.0), (0.0, 1000.0, -1000.0, 1.0)))
    rows = draw.some(1, 4, lambda: (draw.array((2,), options), draw.whole(0, 1)))
    logits, y = zip(*rows, strict=True)
    return list(logits), np.array(y)


_PLAIN = (([[0, 1], [2, -1], [1, 0.5]], np.array([1, 1, 0])), ([[1, -2], [0.5, 0]], np.array([0, 1])))
_LARGE = (([[1000, 0], [-1000, 1]], np.array([1, 1])), ([[0, 1e4]], np.array([0])))


def _naive_loss(logits, y):
    e = np.exp(logits)
    return -np.log((e / e.sum(axis=-1, keepdims=True))[np.arange(len(y)), y]).mean()


@checks(
    right=_loss,
    build=_build_loss,
    fixed=_PLAIN + _LARGE,
    telling=_PLAIN,
    judge=_judge_loss,
    mistakes={
        "This is minus the mean probability: what nll_loss gives when it is handed probabilities, as in source "
        "002. Its gradient vanishes where the network is surely wrong. Take the log of the probability.": (
            lambda logits, y: -_probability(logits, y).mean()
        ),
        "The sign is missing: the loss is −log p.": (
            lambda logits, y: log_softmax(logits)[np.arange(len(y)), y].mean()
        ),
        "This is the sum over the samples, not the mean.": lambda logits, y: _loss(logits, y) * len(y),
        "The softmax is taken twice: log_softmax takes scores, not probabilities.": (
            lambda logits, y: _loss(softmax(logits), y)
        ),
        "This is the loss of the other answer: y and 1 − y.": lambda logits, y: _loss(logits, 1 - y),
        "These are the scores themselves: nothing is normalized.": (
            lambda logits, y: -logits[np.arange(len(y)), y].mean()
        ),
        "The log is taken of the mean probability; take the mean of the logs.": (
            lambda logits, y: -np.log(_probability(logits, y).mean())
        ),
        "This is in bits; take the natural log.": lambda logits, y: _loss(logits, y) / np.log(2),
        "A clipped probability is no loss for a network that is surely wrong: past the clip its gradient is 0.": On(
            _PLAIN + _LARGE, lambda logits, y: -np.log(np.maximum(_probability(logits, y), 1e-12)).mean()
        ),
        "Right on paper, but exp overflows and log meets a 0: subtract the largest score first, and take the log "
        "of the sum, not of the quotient.": _naive_loss,
    },
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
    return softmax(np.array(scores, float)), list(d_weights)


def _build_backward(draw):
    m = draw.whole(1, 3)
    rows = draw.some(
        1, 3, lambda: (draw.array((m,), (0.0, 1.0, -1.0)), draw.array((m,), (0.0, 1.0, -1.0, 2.0)))
    )
    return _gradients(*zip(*rows, strict=True))


@checks(
    right=_backward,
    build=_build_backward,
    fixed=(
        _gradients([[0, 1, 2], [1, -1, 0.5], [0, 0, 3]], [[1, 0, 2], [0, -1, 1], [2, 1, 0.5]]),
        _gradients([[0, 1], [2, -1]], [[1, -2], [0.5, 1]]),
    ),
    judge=_judge_backward,
    mistakes={
        "The softmax is passed by here: its Jacobian, diag(p) − p pᵀ, is missing.": (
            lambda weights, d_weights: d_weights
        ),
        "Half of the Jacobian: diag(p) without − p pᵀ. Raising one score lowers all other weights.": (
            lambda weights, d_weights: weights * d_weights
        ),
        "Only the diagonal of the Jacobian, p (1 − p): a sigmoid. Each score moves its whole row.": (
            lambda weights, d_weights: weights * (1 - weights) * d_weights
        ),
        "The sum runs down the columns; each row is a softmax of its own, so sum along the last axis.": (
            lambda weights, d_weights: (
                weights * (d_weights - (weights * d_weights).sum(axis=0, keepdims=True))
            )
        ),
        "The sum runs over all rows; each row is a softmax of its own.": (
            lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum())
        ),
        "The plain mean of the row is subtracted; it should be the mean with the weights, Σ p · d_weights.": (
            lambda weights, d_weights: weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))
        ),
        "The sign is turned around.": lambda weights, d_weights: -_backward(weights, d_weights),
    },
)
def softmax_backward(function: Callable) -> Result:
    """Check f(weights, d_weights) -> d_scores, all (n, m): the loss's gradient, taken back through softmax by row."""


# Adam's step --------------------------------------------------------------------------------------------------------


NAMES = ("w", "mean", "square")


def _step(w, gradient, mean, square, t, rate, *, unbiased=True, outside=True):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    m, s = (mean / (1 - 0.9**t), square / (1 - 0.999**t)) if unbiased else (mean, square)
    root = np.sqrt(s) + 1e-8 if outside else np.sqrt(s + 1e-8)
    return np.stack([w - rate * m / root, mean, square])


def _moving(move):
    """A step that goes elsewhere: by move(gradient, mean, mean square), both means as they count."""

    def step(w, gradient, mean, square, t, rate):
        _, mean, square = _step(w, gradient, mean, square, t, rate)
        return np.stack(
            [w - rate * move(gradient, mean / (1 - 0.9**t), square / (1 - 0.999**t)), mean, square]
        )

    return step


def _judge_step(answer, expected, w, gradient, mean, square, t, rate):
    if np.isnan(answer).any():
        return "The step holds NaN: is there a division by zero? Steps are counted from t = 1."
    for name, ours, right in zip(reversed(NAMES), answer[::-1], expected[::-1], strict=True):
        for i in np.flatnonzero(far(ours, right)):
            yours, wanted = apart(ours[i], right[i])
            return f"After the step {name}[{i}] is {yours}; it should be {wanted}."
    return None


def _build_step(draw):
    n, t = draw.whole(1, 3), draw.whole(1, 4)
    w = draw.array((n,), (0.0, 1.0, -1.0))
    gradient = draw.array((n,), (1.0, -2.0, 0.5))
    mean = draw.array((n,), (0.0, 0.25, -0.5)) * (t > 1)
    square = draw.array((n,), (1.0, 0.25)) * (t > 1)
    return w, gradient, mean, square, t, draw.choice((0.5, 0.1))


_FIRST = ([1, -2, 0.5], [0.5, -0.25, 2], [0, 0, 0], [0, 0, 0], 1, 0.1)
_LATER = ([0.5, 0, -1], [1, -0.5, 0.25], [0.2, 0.1, -0.4], [0.01, 0.04, 0.02], 7, 0.05)
_SMALL = ([1, 2], [1e-4, -3e-4], [0, 0], [0, 0], 1, 0.1)  # where the place of 1e-8 shows


@checks(
    right=_step,
    build=_build_step,
    fixed=(_FIRST, _LATER, _SMALL),
    judge=_judge_step,
    mistakes={
        "The means start at 0 and are too small at first: divide by 1 − 0.9^t and 1 − 0.999^t before the step.": (
            lambda *case: _step(*case, unbiased=False)
        ),
        "The small number stands under the root here. It is added to the root: √square + 1e-8.": (
            lambda *case: _step(*case, outside=False)
        ),
        "It climbs: the loss falls against the gradient, so the step is subtracted.": (
            _moving(lambda g, m, s: -m / (np.sqrt(s) + 1e-8))
        ),
        "This is plain gradient descent: the means are kept and not used.": _moving(lambda g, m, s: g),
        "This is plain gradient descent, and the means stay what they were.": (
            lambda w, gradient, mean, square, t, rate: np.stack([w - rate * gradient, mean, square])
        ),
        "The step goes along the last gradient; it should go along the mean of them, divided by 1 − 0.9^t.": (
            _moving(lambda g, m, s: g / (np.sqrt(s) + 1e-8))
        ),
        "The step is counted one too far: t is the number of this step, and the first one is 1.": (
            lambda w, gradient, mean, square, t, rate: _step(w, gradient, mean, square, t + 1, rate)
        ),
        "The root is missing: divide by the root of the mean square.": (
            _moving(lambda g, m, s: m / (s + 1e-8))
        ),
        "Only w came back: the next step needs mean and square too. Return np.stack([w, mean, square]).": (
            lambda w, gradient, mean, square, t, rate: _step(w, gradient, mean, square, t, rate)[0]
        ),
    },
)
def adam_step(function: Callable) -> Result:
    """Check f(w, gradient, mean, square, t, rate) -> (3, n): w, mean and square after Adam's step number t = 1, 2, …

    Adam's numbers are 0.9, 0.999 and 1e-8, the last added to the root.
    """
