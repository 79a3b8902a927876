"""The checker of the closed form of a score's variance."""

from collections.abc import Callable

import numpy as np

from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.variance import score_variance


def _right(d_k, var_q, var_k, mean_q, mean_k, correlation):
    law = {"var_q": var_q, "var_k": var_k, "mean_q": mean_q, "mean_k": mean_k, "correlation": correlation}
    return np.array(score_variance(d_k, **law))


def _judge(answer, expected, **case):
    if far(answer, expected):
        got, right = apart(answer, expected)
        below = " A variance is never negative." if answer < 0 else ""
        return f"The variance is {right} here, but the answer is {got}.{below}"
    return None


def _build(draw):
    return _case(
        draw.whole(1, 4),
        draw.choice((1.0, 4.0, 0.25)),
        draw.choice((1.0, 9.0, 0.25)),
        draw.choice((0.0, 1.0, 2.0, -1.0)),
        draw.choice((0.0, 1.0, 3.0, -2.0)),
        draw.choice((0.0, 0.5, 1.0, -0.5)),
    )


def _case(d_k, var_q, var_k, mean_q, mean_k, correlation):
    return {
        "d_k": d_k, "var_q": float(var_q), "var_k": float(var_k), "mean_q": float(mean_q), "mean_k": float(mean_k),
        "correlation": float(correlation),
    }  # fmt: skip


def _wrong(formula):
    """A mistake from the terms: formula(d, v, w, m, n, r), in the order of the arguments."""
    return lambda *arguments: np.array(formula(*arguments), dtype=float)


def _core(v, w, m, n, r):
    return v * w * (1 + r**2)


def _means(v, w, m, n, r):
    return m**2 * w + n**2 * v


def _mixed(v, w, m, n, r):
    return 2 * r * m * n * np.sqrt(v * w)


def _with(core=_core, means=_means, mixed=_mixed):
    """A mistake in one of the three terms, each a function of (v, w, m, n, r)."""
    return _wrong(lambda d, *law: d * (core(*law) + means(*law) + mixed(*law)))


_MEANS_AND_RHO = (_case(3, 4, 9, 1, 2, 0.5), _case(2, 1, 4, -1, 3, -0.5), _case(4, 4, 0.25, 2, 1, 1))


@checks(
    right=_right,
    build=_build,
    fixed=_MEANS_AND_RHO,
    judge=_judge,
    shape="one number",
    mistakes=(
        Mistake(
            _wrong(lambda d, v, w, m, n, r: d * v * w),
            "That is the formula for means 0 and no correlation: the other terms are missing.",
        ),
        Mistake(
            _with(means=lambda *law: 0, mixed=lambda *law: 0),
            "Where are the means? A mean of q makes the spread of k count: the term mean_q² · var_k, and its mirror "
            "image.",
        ),
        Mistake(
            _wrong(lambda d, v, w, m, n, r: d * (v * w + m**2 * w + n**2 * v)),
            "That is the formula for independent entries: the correlation is missing.",
        ),
        Mistake(
            _with(mixed=lambda *law: 0),
            "The mixed term 2 ρ μ_q μ_k σ_q σ_k is missing.",
        ),
        Mistake(
            _with(mixed=lambda v, w, m, n, r: r * m * n * np.sqrt(v * w)),
            "The mixed term comes twice, once from each side of the square: 2 ρ μ_q μ_k σ_q σ_k.",
        ),
        Mistake(
            _with(mixed=lambda *law: -_mixed(*law)),
            "The sign of the mixed term is wrong: with ρ, μ_q and μ_k all positive, it adds to the variance.",
        ),
        Mistake(
            _with(core=lambda v, w, m, n, r: v * w * (1 - r**2)),
            "Is it 1 − ρ²? That is what is left of k when q is known. For the product it is 1 + ρ².",
        ),
        Mistake(
            _with(core=lambda v, w, m, n, r: v * w * (1 + 2 * r**2)),
            "1 + 2ρ² is the mean of x²y². The square of the mean of xy, ρ², has to be subtracted.",
        ),
        Mistake(
            _with(core=lambda v, w, m, n, r: v * w * (1 + r)),
            "Is the square of ρ missing in 1 + ρ²? The sign of ρ does not matter there.",
        ),
        Mistake(
            _with(mixed=lambda v, w, m, n, r: 2 * r * m * n * v * w),
            "The mixed term holds standard deviations, not variances: the root of var_q · var_k.",
        ),
        Mistake(
            _wrong(lambda d, v, w, *more: _with()(d, v**2, w**2, *more)),
            "var_q and var_k are variances already: they must not be squared.",
        ),
        Mistake(
            _with(means=lambda v, w, m, n, r: m**2 * v + n**2 * w),
            "Each mean goes with the variance of the other: mean_q² · var_k.",
        ),
        Mistake(
            _with(means=lambda v, w, m, n, r: m * w + n * v),
            "The means have to be squared.",
        ),
        Mistake(
            _wrong(lambda d, v, w, m, n, r: d * ((v + m**2) * (w + n**2))),
            "That is the mean of (q k)². The square of the mean, (μ_q μ_k)², has to be subtracted, and ρ is missing.",
        ),
        *(
            Mistake(
                lambda d, *law, power=power: _right(1, *law) * float(d) ** power,
                "Everything is right but d_k: the variances of d_k independent products add up, so it is a factor.",
            )
            for power in (0, 0.5, 2)
        ),
        Mistake(
            lambda *case: np.sqrt(_right(*case)),
            "That is the standard deviation. The exercise asks for its square.",
        ),
    ),
)
def variance_of_score(function: Callable) -> Result:
    """Check f(d_k, var_q, var_k, mean_q, mean_k, correlation) -> the variance of q·k, jointly normal entries."""
