"""DRAFT: the mathematics of chapter 9. Softmax with a temperature stands here until yours does."""

import math

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, axis_index, finite_number, real_array, working_dtype
from attn.softmax import softmax, subtract_largest


def tempered(scores: ArrayLike, temperature: float = 1.0) -> Floats:
    r"""Turn scores into weights at a temperature: softmax(scores / temperature) along the last axis.

    Parameters
    ----------
    scores : (..., n) array
        −inf means "not this one".
    temperature : float, optional
        Above 0. Below 1 it sharpens, above 1 it levels; at the default, 1, this is softmax.

    Returns
    -------
    weights : (..., n) array
        They sum to one; all zero where all scores are −inf. Float dtypes are kept, integers give float64.

    Raises
    ------
    ValueError
        If `temperature` is not above 0 or not finite, or `scores` is a single number or holds NaN or +inf.
    TypeError
        If `scores` or `temperature` does not hold real numbers.

    References
    ----------
    Vaswani et al. (2017), eq. 1: there the temperature is √d_k.
    """
    scores = real_array(scores, "scores")
    axis = axis_index(-1, scores.ndim, "scores")
    temperature = _positive(temperature, "temperature")
    x = scores.astype(working_dtype(scores.dtype))  # a copy, so scores stays what it is
    with np.errstate(over="ignore", under="ignore"):
        subtract_largest(x, axis, "scores")  # first: then what a small temperature makes too large is −∞
        x /= temperature
    return softmax(x).astype(scores.dtype, copy=False)


def temperature_for(difference: ArrayLike, odds: float) -> Floats:
    r"""Return the temperature at which a word whose score is higher by `difference` gets `odds` times the weight.

    Parameters
    ----------
    difference : (...) array
        How much higher the score is, above 0.
    odds : float
        Above 1.

    Returns
    -------
    temperature : (...) array
        difference / ln(odds): the ratio of two weights is exp(difference / temperature).

    Raises
    ------
    ValueError
        If a difference is not above 0, or `odds` is not above 1 or not finite.
    TypeError
        If `difference` or `odds` does not hold real numbers.
    """
    difference = real_array(difference, "difference")
    if not (difference > 0).all():
        raise ValueError(f"difference must be above 0 everywhere, got {difference.min()}")
    odds = finite_number(odds, "odds")
    if odds <= 1:
        raise ValueError(f"odds must be above 1, got {odds}")
    return difference / math.log(odds)


def _positive(value: float, name: str) -> float:
    number = finite_number(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be above 0, got {number}")
    return number
