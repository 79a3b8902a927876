"""DRAFT: the checkers of the exercises of chapter 9. Rows and columns count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far
from attn.check._engine import run
from attn.check._exercise import Exercise, Mistake, Result
from attn.induction_heads import temperature_for, tempered
from attn.softmax import softmax

__all__ = ["induction_heads_temperature", "induction_heads_weights"]


def induction_heads_weights(function: Callable) -> Result:
    """Check f(scores, temperature) -> weights, (n_q, n_k): each row sums to one. Scores may be 1000 and more."""
    return run(_WEIGHTS, function)


def induction_heads_temperature(function: Callable) -> Result:
    """Check f(difference, odds) -> temperature, (n,).

    At that temperature a score that is higher by `difference` gets `odds` times the weight.
    """
    return run(_TEMPERATURE, function)


# The weights --------------------------------------------------------------------------------------------------------


def _judge_weights(answer, expected, scores, temperature):
    for i, row in enumerate(answer):
        if np.isnan(row).any():
            return f"Row {i} holds NaN."
        for j in np.flatnonzero(far(row, expected[i])):
            got, right = apart(row[j], expected[i, j])
            return f"Row {i} gives column {j} the weight {got}; it should be {right}."
    return None


def _table(scores, temperature):
    return {"scores": np.array(scores, dtype=np.float64), "temperature": float(temperature)}


def _build_table(draw):
    n_k = draw.whole(1, 3)
    options = draw.choice(((0.0, 1.0, -1.0, 2.0), (0.0, 1000.0, -1000.0)))
    scores = draw.some(1, 3, lambda: draw.array((n_k,), options))
    return _table(scores, draw.choice((1.0, 2.0, 0.5)))


# Two rows, three columns, no two scores of a row the same, and no temperature of 1.
_TELLING = (_table([[0, 1, 3], [2, -1, 0]], 2), _table([[1, 0, -2], [0, 3, 1]], 0.5))
_LARGE = (_table([[1000, 0], [0, 1000]], 2),)


def _overflowing(scores, temperature):
    e = np.exp(scores / temperature)
    return e / e.sum(axis=-1, keepdims=True)


_WEIGHTS = Exercise(
    usage="induction_heads_weights(scores, temperature)",
    shape="(n_q, n_k)",
    right=tempered,
    build=_build_table,
    fixed=_TELLING + _LARGE,
    judge=_judge_weights,
    mistakes=(
        Mistake(
            lambda scores, temperature: softmax(scores * temperature),
            "Are the scores multiplied by the temperature? They are divided by it.",
            _TELLING,
        ),
        Mistake(
            lambda scores, temperature: softmax(scores),
            "Is the temperature left out? Or do the weights get it? It must reach the scores before the softmax.",
            _TELLING,
        ),
        Mistake(
            lambda scores, temperature: softmax(scores) / temperature,
            "Are the weights divided? Divide the scores, before the softmax; then each row sums to one by itself.",
            _TELLING,
        ),
        Mistake(
            lambda scores, temperature: softmax(scores / temperature, axis=0),
            "Does the softmax run down the columns? Each row sums to one: that is the last axis.",
            _TELLING,
        ),
        Mistake(
            _overflowing,
            "Right on paper; but exp(710) is infinite. Subtract each row's largest score first: no weight changes.",
            _TELLING + _LARGE,
        ),
    ),
)


# The temperature ----------------------------------------------------------------------------------------------------


def _judge_temperature(answer, expected, difference, odds):
    for i in np.flatnonzero(far(answer, expected)):
        with np.errstate(all="ignore"):
            got, right = apart(np.exp(difference[i] / answer[i]), odds)
        return f"Entry {i} is {show(answer[i])}; at that temperature the odds are {got}, not {right}."
    return None


def _pair(difference, odds):
    return {"difference": np.array(difference, dtype=np.float64), "odds": float(odds)}


def _build_pair(draw):
    options = (1.0, 2.0, 0.5, 3.0)
    return _pair(draw.some(1, 3, lambda: draw.choice(options)), draw.choice((2.0, 3.0, 9.0)))


_PAIRS = (_pair([1, 2, 0.5], 3), _pair([3, 0.25], 9))

_TEMPERATURE = Exercise(
    usage="induction_heads_temperature(difference, odds)",
    shape="(n,)",
    right=temperature_for,
    build=_build_pair,
    fixed=_PAIRS,
    judge=_judge_temperature,
    mistakes=(
        Mistake(
            lambda difference, odds: difference / np.log2(odds),
            "Is the logarithm to base 2? Softmax has base e, so take the natural one.",
        ),
        Mistake(
            lambda difference, odds: difference / np.log10(odds),
            "Is the logarithm to base 10? Softmax has base e, so take the natural one.",
        ),
        Mistake(
            lambda difference, odds: np.log(odds) / difference,
            "Is it upside down? odds = exp(difference / temperature): solve that for the temperature.",
        ),
        Mistake(
            lambda difference, odds: difference / odds,
            "Is the logarithm missing? odds = exp(difference / temperature).",
        ),
        Mistake(
            lambda difference, odds: difference * np.log(odds),
            "Is it multiplied? odds = exp(difference / temperature): solve that for the temperature.",
        ),
    ),
)
