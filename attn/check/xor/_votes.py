"""The checker of Theorem 2's votes."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.practice.mistakes import xor as say
from attn.softmax import softmax


def _right(x, query, readout, bias):
    return np.exp(x @ query) * (x @ readout + bias)


def _judge(answer, expected, x, query, readout, bias):
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


def _telling(seed, n, d):
    rng = np.random.default_rng(seed)
    return {
        "x": rng.integers(-2, 3, (n, d)) / 2,
        "query": rng.integers(-2, 3, d) / 2,
        "readout": rng.integers(-2, 3, d) / 2,
        "bias": float(rng.integers(1, 4)) / 2,
    }


@checks(
    shape="(n,)",
    right=_right,
    build=lambda draw: _telling(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3)),
    fixed=(_telling(1, 2, 2), _telling(2, 3, 2), _telling(4, 4, 3)),
    judge=_judge,
    mistakes=(
        Mistake(
            lambda x, query, readout, bias: softmax(x @ query) * (x @ readout + bias),
            say.DIVIDED,
        ),
        Mistake(
            lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout),
            say.VOTE_MARGINS["no-bias"].hint,
        ),
        Mistake(
            lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout) + bias,
            say.BIAS_AFTER,
        ),
        Mistake(
            lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout) + bias / len(x),
            "The bias is shared evenly among the tokens; it should be shared as the weights are: e^s · bias each.",
        ),
        Mistake(
            lambda x, query, readout, bias: x @ readout + bias,
            say.NOT_LOUDER,
        ),
        Mistake(
            lambda x, query, readout, bias: (x @ query) * (x @ readout + bias),
            "Votes are multiplied by the score here, but a weight is e^score, and never negative.",
        ),
        Mistake(
            lambda x, query, readout, bias: np.exp(x @ query / np.sqrt(len(query))) * (x @ readout + bias),
            "The scores are divided by √d_k here; this head has no scale.",
        ),
    ),
)
def votes(function: Callable) -> Result:
    """Check f(x, query, readout, bias) -> (n,): what each token adds to the sign of one head's output.

    The tokens (n, d) are their own keys and values. The output is readout · (softmax(x @ query) @ x) + bias, and
    token t's vote e^{x_t · query} (readout · x_t + bias).
    """
