"""The checker of what scores spread like before training."""

from collections.abc import Callable

import numpy as np

from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result


def _right(d_model, d_k):
    products, bias = d_model * _uniform(d_model), _uniform(d_model)
    entry = products + bias  # the variance of an entry of q, and of k
    return np.array(np.sqrt(d_k * entry * entry / d_k))


def _uniform(d_model, share=3.0):
    """The variance of a uniform number between ±1/√d_model is a third of the square of its bound."""
    return 1 / (share * d_model)


def _judge(answer, expected, d_model, d_k):
    if far(answer, expected):
        got, should = apart(answer, expected)
        return f"For d_model {d_model} and d_k {d_k} it is {should}, but the answer is {got}."
    return None


def _number(formula):
    return lambda d_model, d_k: np.array(formula(d_model, d_k), dtype=float)


_CASES = ({"d_model": 4, "d_k": 9}, {"d_model": 2, "d_k": 5}, {"d_model": 768, "d_k": 64})

_BOUND = "Is 1/√d_model taken for the standard deviation? It is the *bound*: between ±a, a uniform number has a²/3."


@checks(
    shape="one number",
    right=_right,
    build=lambda draw: {"d_model": draw.whole(1, 6), "d_k": draw.whole(1, 5)},
    fixed=_CASES,
    judge=_judge,
    mistakes=(
        Mistake(
            _number(lambda d, h: 1 / 3),
            "Where is the bias? It is drawn like a weight, and adds 1/(3 d_model) to the variance of an entry.",
        ),
        Mistake(
            _number(lambda d, h: 1 + 1 / d),
            _BOUND,
        ),
        Mistake(
            _number(lambda d, h: 1.0),
            _BOUND + " And the bias is missing.",
        ),
        Mistake(
            _number(lambda d, h: (1 + 1 / d) / 12),
            "a²/12 is for a uniform number between 0 and a. Between −a and a it is (2a)²/12, a²/3.",
        ),
        Mistake(
            _number(lambda d, h: (1 + 1 / d) ** 2 / 9),
            "That is the variance of the scaled score. The exercise asks for its root.",
        ),
        Mistake(
            _number(lambda d, h: np.sqrt((1 + 1 / d) / 3)),
            "That is the standard deviation of one entry of q. A score has the variances of q *and* k in it.",
        ),
        Mistake(
            _number(lambda d, h: np.sqrt(h) * (1 + 1 / d) / 3),
            "Is the root missing? That is the standard deviation of q · k, before it is divided by √d_k.",
        ),
        Mistake(
            _number(lambda d, h: (1 + 1 / d) / 3 / np.sqrt(h)),
            "Divided by d_k? The sum of d_k products spreads like √d_k, and that is what the division takes away.",
        ),
        Mistake(
            _number(lambda d, h: (1 + 1 / d**2) / 3),
            "The bias is added once, and its variance is that of a weight, 1/(3 d_model).",
        ),
        Mistake(
            _number(lambda d, h: 2 / 3),
            "Is the bias counted as often as the weights? It is one number, and they are d_model.",
        ),
        Mistake(
            _number(lambda d, h: 1 / 3 + 1 / d),
            "Is the variance of the bias 1/d_model? It is drawn like a weight: a third of the square of its bound.",
        ),
        Mistake(
            _number(lambda d, h: (1 + 1 / d) / 3 * np.sqrt(d / h)),
            "Which d goes where? The sum over d_model makes an entry; the sum over d_k makes a score.",
        ),
        Mistake(
            _number(lambda d, h: (1 + 1 / d) ** 2 / 9 * h),
            "That is the variance of q · k. Divide by √d_k and take the root.",
        ),
    ),
)
def deviation_at_start(function: Callable) -> Result:
    """Check f(d_model, d_k) -> the standard deviation of q·k/√d_k, with q and k from nn.Linear with its bias.

    The input has mean square 1, as behind a LayerNorm; weights and bias are uniform between ±1/√d_model.
    """
