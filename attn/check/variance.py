"""The checkers of the exercises on the variance of scores (chapter 2). Rows count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._engine import checks
from attn.check._exercise import Result
from attn.practice.mistakes import variance as say
from attn.variance import score_variance

# Scaled scores ------------------------------------------------------------------------------------------------------


def _scores(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def _build_scores(draw):
    d_k = draw.whole(1, 5)
    entries = (1.0, 2.0, -1.0, 0.5, 0.0)
    return tuple(draw.array((draw.whole(1, 3), d_k), entries) for _ in range(2))


# Three sizes that differ, and no two of n_q, n_k, d_k that share a root.
_PLAIN = (
    ([[1, 2, 3, 4, 5], [2, 0, -1, 1, 3]], [[1, 0, 2, 1, 1], [0, 1, 1, 3, -1], [4, 1, 0, 0, 2]]),
    ([[1, 2, 1], [0, 3, 1]], [[2, 1, 1], [1, 1, 0], [3, 0, 2], [1, 0, 1]]),
)

_TWICE = (
    "That is divided by d_k, the root twice: was q scaled, and then the scores again? Or was the root forgotten? The "
    "standard deviation of q kᵀ is √d_k, so that is what to divide by."
)


@checks(
    right=_scores,
    build=_build_scores,
    fixed=_PLAIN,
    says=lambda i, j, got, right, q, k: (
        f"The score of query {i} and key {j} is {got}; their dot product is {show(q[i] @ k[j])} and d_k is "
        f"{q.shape[1]}, so it should be {right}."
    ),
    mistakes={
        say.NO_SCALE: lambda q, k: q @ k.T,
        _TWICE: lambda q, k: q @ k.T / q.shape[-1],
        "Multiplied by the root? Divide: the scores are too large.": (
            lambda q, k: q @ k.T * np.sqrt(q.shape[-1])
        ),
        "Is that the root of the number of queries? d_k is the last axis, the length of one query.": (
            lambda q, k: q @ k.T / np.sqrt(len(q))
        ),
        "Is that the root of the number of keys? d_k is the last axis, the length of one key.": (
            lambda q, k: q @ k.T / np.sqrt(len(k))
        ),
        "Is the root taken twice, or was only one of two factors d_k**0.25 used? q and k each need it, or the "
        "scores the whole root.": lambda q, k: q @ k.T / q.shape[-1] ** 0.25,
        "Divided by the spread that this one table happens to have? Then the scores of one query depend on the "
        "others. The root of d_k is the same for every table.": lambda q, k: q @ k.T / (q @ k.T).std(),
        "Divided by the length of each query? That is half of QK-norm; the scale is the same for all queries.": (
            lambda q, k: (q @ k.T) / np.linalg.norm(q, axis=1, keepdims=True)
        ),
        "Those are the weights. The exercise asks for the scores, before the softmax.": (
            lambda q, k: (e := np.exp(_scores(q, k))) / e.sum(axis=1, keepdims=True)
        ),
        "Is it transposed? Rows are queries, columns are keys.": lambda q, k: _scores(k, q),
    },
)
def scaled_scores(function: Callable) -> Result:
    """Check f(q, k) -> scores (n_q, n_k): q (n_q, d_k) and k (n_k, d_k) give q kᵀ/√d_k."""


# The closed form of the variance ------------------------------------------------------------------------------------


def _variance(d_k, var_q, var_k, mean_q, mean_k, correlation):
    law = {"var_q": var_q, "var_k": var_k, "mean_q": mean_q, "mean_k": mean_k, "correlation": correlation}
    return np.array(score_variance(d_k, **law))


def _build_law(draw):
    return (
        draw.whole(1, 4),
        draw.choice((1.0, 4.0, 0.25)),
        draw.choice((1.0, 9.0, 0.25)),
        draw.choice((0.0, 1.0, 2.0, -1.0)),
        draw.choice((0.0, 1.0, 3.0, -2.0)),
        draw.choice((0.0, 0.5, 1.0, -0.5)),
    )


def _core(v, w, m, n, r):
    return v * w * (1 + r**2)


def _means(v, w, m, n, r):
    return m**2 * w + n**2 * v


def _mixed(v, w, m, n, r):
    return 2 * r * m * n * np.sqrt(v * w)


def _with_terms(core=_core, means=_means, mixed=_mixed):
    """A mistake in one of the three terms, each a function of (v, w, m, n, r)."""
    return lambda d, *law: d * (core(*law) + means(*law) + mixed(*law))


@checks(
    right=_variance,
    build=_build_law,
    fixed=((3, 4.0, 9.0, 1.0, 2.0, 0.5), (2, 1.0, 4.0, -1.0, 3.0, -0.5), (4, 4.0, 0.25, 2.0, 1.0, 1.0)),
    says=lambda got, right, *_, **case: (
        f"The variance is {right} here, but the answer is {got}."
        + " A variance is never negative." * (got.startswith("-"))
    ),
    mistakes={
        "That is the formula for means 0 and no correlation: the other terms are missing.": (
            lambda d, v, w, m, n, r: d * v * w
        ),
        "Where are the means? A mean of q makes the spread of k count: the term mean_q² · var_k, and its mirror "
        "image.": _with_terms(means=lambda *law: 0, mixed=lambda *law: 0),
        "That is the formula for independent entries: the correlation is missing.": (
            lambda d, v, w, m, n, r: d * (v * w + m**2 * w + n**2 * v)
        ),
        "The mixed term 2 ρ μ_q μ_k σ_q σ_k is missing.": _with_terms(mixed=lambda *law: 0),
        "The mixed term comes twice, once from each side of the square: 2 ρ μ_q μ_k σ_q σ_k.": (
            _with_terms(mixed=lambda v, w, m, n, r: r * m * n * np.sqrt(v * w))
        ),
        "The sign of the mixed term is wrong: with ρ, μ_q and μ_k all positive, it adds to the variance.": (
            _with_terms(mixed=lambda *law: -_mixed(*law))
        ),
        "Is it 1 − ρ²? That is what is left of k when q is known. For the product it is 1 + ρ².": (
            _with_terms(core=lambda v, w, m, n, r: v * w * (1 - r**2))
        ),
        "1 + 2ρ² is the mean of x²y². The square of the mean of xy, ρ², has to be subtracted.": (
            _with_terms(core=lambda v, w, m, n, r: v * w * (1 + 2 * r**2))
        ),
        "Is the square of ρ missing in 1 + ρ²? The sign of ρ does not matter there.": (
            _with_terms(core=lambda v, w, m, n, r: v * w * (1 + r))
        ),
        "The mixed term holds standard deviations, not variances: the root of var_q · var_k.": (
            _with_terms(mixed=lambda v, w, m, n, r: 2 * r * m * n * v * w)
        ),
        "var_q and var_k are variances already: they must not be squared.": (
            lambda d, v, w, *more: _with_terms()(d, v**2, w**2, *more)
        ),
        "Each mean goes with the variance of the other: mean_q² · var_k.": (
            _with_terms(means=lambda v, w, m, n, r: m**2 * v + n**2 * w)
        ),
        "The means have to be squared.": _with_terms(means=lambda v, w, m, n, r: m * w + n * v),
        "That is the mean of (q k)². The square of the mean, (μ_q μ_k)², has to be subtracted, and ρ is missing.": (
            lambda d, v, w, m, n, r: d * ((v + m**2) * (w + n**2))
        ),
        "Everything is right but d_k: the variances of d_k independent products add up, so it is a factor.": tuple(
            lambda d, *law, power=power: _variance(1, *law) * float(d) ** power for power in (0, 0.5, 2)
        ),
        "That is the standard deviation. The exercise asks for its square.": (
            lambda *case: np.sqrt(_variance(*case))
        ),
    },
)
def variance_of_score(function: Callable) -> Result:
    """Check f(d_k, var_q, var_k, mean_q, mean_k, correlation) -> the variance of q·k, jointly normal entries."""


# An error bar -------------------------------------------------------------------------------------------------------


def _mean_and_error(draws):
    return np.array([draws.mean(), 1.96 * draws.std(ddof=1) / np.sqrt(len(draws))])


def _with_error(error):
    """A mistake in the error alone."""
    return lambda draws: np.array([draws.mean(), error(draws)])


@checks(
    right=_mean_and_error,
    build=lambda draw: (draw.some(2, 6, lambda: draw.choice((0.0, 1.0, 2.0, -1.0, 10.0))),),
    fixed=(([1, 2, 4, 9],), ([0.5, -2, 3],)),
    says=lambda place, got, right, draws: (
        f"The mean is right. The error should be {right}, but it is {got}."
        if place
        else f"The mean of these draws is {right}, but the first number is {got}."
    ),
    mistakes={
        "That is the population variance, divided by n. Estimated from draws whose mean was not known, it comes "
        "out too small on average: divide by n − 1, which is ddof=1.": (
            _with_error(lambda x: 1.96 * x.std() / np.sqrt(len(x)))
        ),
        "That is the spread of single draws. The mean of n draws spreads less, by the root of n.": (
            _with_error(lambda x: 1.96 * x.std(ddof=1))
        ),
        "Two things: the mean of n draws spreads less by the root of n, and the variance needs n − 1 (ddof=1).": (
            _with_error(lambda x: 1.96 * x.std())
        ),
        "Divided by n? The error shrinks with the root of n only.": (
            _with_error(lambda x: 1.96 * x.std(ddof=1) / len(x))
        ),
        "Is that the variance? The error is in the unit of the draws: take the standard deviation.": (
            _with_error(lambda x: 1.96 * x.var(ddof=1) / np.sqrt(len(x)))
        ),
        "That is the squared standard error, times 1.96: the root comes before the factor.": (
            _with_error(lambda x: 1.96 * x.var(ddof=1) / len(x))
        ),
        "That is one standard error. The 95 % interval reaches 1.96 of them to each side.": (
            _with_error(lambda x: x.std(ddof=1) / np.sqrt(len(x)))
        ),
        "That is the whole width of the interval. The half width is asked for.": (
            _with_error(lambda x: 2 * 1.96 * x.std(ddof=1) / np.sqrt(len(x)))
        ),
        "n − 1 belongs into the variance only: the mean is over n draws.": (
            _with_error(lambda x: 1.96 * x.std(ddof=1) / np.sqrt(len(x) - 1))
        ),
        "Those are the two ends of the interval. The mean and the half width are asked for.": (
            lambda x: x.mean() + np.array([-1, 1]) * _mean_and_error(x)[1]
        ),
    },
)
def mean_and_error(function: Callable) -> Result:
    """Check f(draws) -> (2,): the mean of the n draws and 1.96 standard errors, with n − 1 in the variance."""


# What scores spread like before training ----------------------------------------------------------------------------


def _deviation(d_model, d_k):
    products, bias = d_model * _uniform(d_model), _uniform(d_model)
    entry = products + bias  # the variance of an entry of q, and of k
    return np.array(np.sqrt(d_k * entry * entry / d_k))


def _uniform(d_model, share=3.0):
    """The variance of a uniform number between ±1/√d_model is a third of the square of its bound."""
    return 1 / (share * d_model)


_BOUND = "Is 1/√d_model taken for the standard deviation? It is the *bound*: between ±a, a uniform number has a²/3."


@checks(
    right=_deviation,
    build=lambda draw: (draw.whole(1, 6), draw.whole(1, 5)),
    fixed=((4, 9), (2, 5), (768, 64)),
    says="For d_model {d_model} and d_k {d_k} it is {right}, but the answer is {got}.",
    mistakes={
        "Where is the bias? It is drawn like a weight, and adds 1/(3 d_model) to the variance of an entry.": (
            lambda d, h: 1 / 3
        ),
        _BOUND: lambda d, h: 1 + 1 / d,
        _BOUND + " And the bias is missing.": lambda d, h: 1.0,
        "a²/12 is for a uniform number between 0 and a. Between −a and a it is (2a)²/12, a²/3.": (
            lambda d, h: (1 + 1 / d) / 12
        ),
        "That is the variance of the scaled score. The exercise asks for its root.": (
            lambda d, h: (1 + 1 / d) ** 2 / 9
        ),
        "That is the standard deviation of one entry of q. A score has the variances of q *and* k in it.": (
            lambda d, h: np.sqrt((1 + 1 / d) / 3)
        ),
        "Is the root missing? That is the standard deviation of q · k, before it is divided by √d_k.": (
            lambda d, h: np.sqrt(h) * (1 + 1 / d) / 3
        ),
        "Divided by d_k? The sum of d_k products spreads like √d_k, and that is what the division takes away.": (
            lambda d, h: (1 + 1 / d) / 3 / np.sqrt(h)
        ),
        "The bias is added once, and its variance is that of a weight, 1/(3 d_model).": (
            lambda d, h: (1 + 1 / d**2) / 3
        ),
        "Is the bias counted as often as the weights? It is one number, and they are d_model.": (
            lambda d, h: 2 / 3
        ),
        "Is the variance of the bias 1/d_model? It is drawn like a weight: a third of the square of its bound.": (
            lambda d, h: 1 / 3 + 1 / d
        ),
        "Which d goes where? The sum over d_model makes an entry; the sum over d_k makes a score.": (
            lambda d, h: (1 + 1 / d) / 3 * np.sqrt(d / h)
        ),
        "That is the variance of q · k. Divide by √d_k and take the root.": (
            lambda d, h: (1 + 1 / d) ** 2 / 9 * h
        ),
    },
)
def deviation_at_start(function: Callable) -> Result:
    """Check f(d_model, d_k) -> the standard deviation of q·k/√d_k, with q and k from nn.Linear with its bias.

    The input has mean square 1, as behind a LayerNorm; weights and bias are uniform between ±1/√d_model.
    """
