"""The checker of an error bar."""

from collections.abc import Callable

import numpy as np

from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result


def _right(draws):
    return np.array([draws.mean(), 1.96 * draws.std(ddof=1) / np.sqrt(len(draws))])


def _judge(answer, expected, draws):
    wrong = far(answer, expected)
    if wrong[0]:
        got, right = apart(answer[0], expected[0])
        return f"The mean of these draws is {right}, but the first number is {got}."
    if wrong[1]:
        got, right = apart(answer[1], expected[1])
        return f"The mean is right. The error should be {right}, but it is {got}."
    return None


def _build(draw):
    return {"draws": np.array(draw.some(2, 6, lambda: draw.choice((0.0, 1.0, 2.0, -1.0, 10.0))))}


def _with(error):
    """A mistake in the error alone."""
    return lambda draws: np.array([draws.mean(), error(draws)])


@checks(
    right=_right,
    build=_build,
    fixed=({"draws": np.array([1.0, 2, 4, 9])}, {"draws": np.array([0.5, -2, 3])}),
    judge=_judge,
    shape="(2,)",
    mistakes=(
        Mistake(
            _with(lambda x: 1.96 * x.std() / np.sqrt(len(x))),
            "That is the population variance, divided by n. Estimated from draws whose mean was not known, it comes "
            "out too small on average: divide by n − 1, which is ddof=1.",
        ),
        Mistake(
            _with(lambda x: 1.96 * x.std(ddof=1)),
            "That is the spread of single draws. The mean of n draws spreads less, by the root of n.",
        ),
        Mistake(
            _with(lambda x: 1.96 * x.std()),
            "Two things: the mean of n draws spreads less by the root of n, and the variance needs n − 1 (ddof=1).",
        ),
        Mistake(
            _with(lambda x: 1.96 * x.std(ddof=1) / len(x)),
            "Divided by n? The error shrinks with the root of n only.",
        ),
        Mistake(
            _with(lambda x: 1.96 * x.var(ddof=1) / np.sqrt(len(x))),
            "Is that the variance? The error is in the unit of the draws: take the standard deviation.",
        ),
        Mistake(
            _with(lambda x: 1.96 * x.var(ddof=1) / len(x)),
            "That is the squared standard error, times 1.96: the root comes before the factor.",
        ),
        Mistake(
            _with(lambda x: x.std(ddof=1) / np.sqrt(len(x))),
            "That is one standard error. The 95 % interval reaches 1.96 of them to each side.",
        ),
        Mistake(
            _with(lambda x: 2 * 1.96 * x.std(ddof=1) / np.sqrt(len(x))),
            "That is the whole width of the interval. The half width is asked for.",
        ),
        Mistake(
            _with(lambda x: 1.96 * x.std(ddof=1) / np.sqrt(len(x) - 1)),
            "n − 1 belongs into the variance only: the mean is over n draws.",
        ),
        Mistake(
            lambda x: x.mean() + np.array([-1, 1]) * _right(x)[1],
            "Those are the two ends of the interval. The mean and the half width are asked for.",
        ),
    ),
)
def mean_and_error(function: Callable) -> Result:
    """Check f(draws) -> array of two: the mean of the n draws and 1.96 standard errors, with n − 1 in the variance."""
