"""Softmax, its logarithm, its derivative, and the entropy of what it returns (chapters 2 and 3)."""

import math

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, all_finite, axis_index, finite_number, first_entry, real_array, working_dtype


def softmax(x: ArrayLike, axis: int = -1) -> Floats:
    r"""Turn scores into weights: exp(x) divided by its sum along `axis`.

    Parameters
    ----------
    x : (..., n, ...) array
        Scores; −inf means "not this one".
    axis : int, optional
        The axis whose weights sum to one. Default the last.

    Returns
    -------
    weights : array of the shape of `x`
        Float dtypes are kept, integers give float64. Where a slice is all −inf there is nothing to choose
        from: its weights are all zero, without a warning.

    Raises
    ------
    ValueError
        If `x` holds NaN or +inf, or has no such axis.
    TypeError
        If `x` does not hold real numbers, or `axis` is not a whole number.

    Notes
    -----
    The largest score is subtracted first. That changes nothing, since exp(x − c) has the factor exp(−c) above and
    below the line, and it keeps the exponential between 0 and 1 whatever the scores.

    References
    ----------
    Goodfellow, Bengio and Courville (2016), Deep Learning, section 4.1.
    """
    x = real_array(x, "x")
    axis = axis_index(axis, x.ndim, "x")
    weights = x.astype(working_dtype(x.dtype))  # a copy, so x stays what it is
    with np.errstate(over="ignore", under="ignore"):
        return softmax_in_place(weights, axis, "x").astype(x.dtype, copy=False)


def log_softmax(x: ArrayLike, axis: int = -1) -> Floats:
    r"""Return the logarithm of softmax (nats): x − log Σ exp(x), without taking the log of a rounded zero.

    Parameters
    ----------
    x : (..., n, ...) array
        Scores; −inf means "not this one".
    axis : int, optional
        The axis whose weights sum to one. Default the last.

    Returns
    -------
    log_weights : array of the shape of `x`
        −inf where the score is −inf. Where a slice is all −inf the answer is all −inf, the logarithm of the
        zeros that `softmax` gives there, so exp(log_softmax(x)) = softmax(x) always holds.

    Raises
    ------
    ValueError
        If `x` holds NaN or +inf, or has no such axis.
    TypeError
        If `x` does not hold real numbers, or `axis` is not a whole number.
    """
    x = real_array(x, "x")
    axis = axis_index(axis, x.ndim, "x")
    log_weights = x.astype(working_dtype(x.dtype))
    with np.errstate(over="ignore", under="ignore"):
        empty = subtract_largest(log_weights, axis, "x")
        total = np.exp(log_weights).sum(axis=axis, keepdims=True)
        if empty:
            total[total == 0] = 1  # nothing to choose from: leave the −inf alone
        log_weights -= np.log(total)
        return log_weights.astype(x.dtype, copy=False)


def entropy(p: ArrayLike, axis: int = -1, base: float = math.e) -> Floats:
    r"""Return how undecided the weights are: −Σ p log p, with 0 log 0 = 0.

    Parameters
    ----------
    p : (..., n, ...) array
        Weights that sum to one along `axis`; a slice of zeros (a query that may look at nothing) has entropy
        0.
    axis : int, optional
        The axis that sums to one. Default the last.
    base : float, optional
        Above 1. Base e gives nats (the default), 2 gives bits, n gives a share of the largest possible
        entropy.

    Returns
    -------
    entropy : array of the shape of `p` without `axis`
        From 0 (all weight in one place) to log n (uniform).

    Raises
    ------
    ValueError
        If an entry of `p` is negative or NaN, a slice sums to neither 1 nor 0, `p` has no such axis, or
        `base` is not above 1.
    TypeError
        If `p` does not hold real numbers, or `axis` or `base` is not a number.

    References
    ----------
    Shannon (1948), A mathematical theory of communication, section 6.
    """
    base = finite_number(base, "base")
    if base <= 1:
        raise ValueError(f"base must be above 1, such as e for nats or 2 for bits, got {base}")
    p = real_array(p, "p")
    axis = axis_index(axis, p.ndim, "p")
    check_weights(p, axis)
    work = p.astype(working_dtype(p.dtype))
    log_p = np.log(work, out=np.zeros_like(work), where=work > 0)
    bits = -np.sum(work * log_p, axis=axis) / math.log(base)
    return np.maximum(bits, 0).astype(p.dtype)  # a weight of 1 + rounding must not give −1e-16


def softmax_jacobian(p: ArrayLike) -> Floats:
    r"""Return the derivative of softmax where its answer is `p`: J[i, j] = ∂p_i/∂x_j = p_i (δ_ij − p_j).

    Parameters
    ----------
    p : (..., n) array
        Weights that sum to one along the last axis, or are all zero.

    Returns
    -------
    jacobian : (..., n, n) array
        diag(p) − p pᵀ: symmetric, its rows sum to zero, and it fades to zero as one weight nears 1.

    Raises
    ------
    ValueError
        If `p` is a single number, an entry of `p` is negative or NaN, or a slice sums to neither 1 nor 0.
    TypeError
        If `p` does not hold real numbers.
    """
    p = real_array(p, "p")
    check_weights(p, axis_index(-1, p.ndim, "p"))
    work = p.astype(working_dtype(p.dtype))
    jacobian = -(work[..., :, None] * work[..., None, :])
    diagonal = np.arange(p.shape[-1])
    jacobian[..., diagonal, diagonal] += work
    return jacobian.astype(p.dtype, copy=False)


def softmax_in_place(x: Floats, axis: int, name: str) -> Floats:
    """Overwrite the float array `x` with its softmax and return it; `name` is what the errors call it.

    Who calls it ignores overflow and underflow: a weight too small for the dtype is 0.
    """
    empty = subtract_largest(x, axis, name)
    np.exp(x, out=x)
    total = x.sum(axis=axis, keepdims=True)
    if empty:
        total[total == 0] = 1  # nothing to choose from: 0/1, not 0/0
    x /= total
    return x


def subtract_largest(x: Floats, axis: int, name: str) -> bool:
    """Overwrite `x` with x − max(x) along `axis`; return whether some slice is all −inf, which stays what it is."""
    largest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    empty = not all_finite(largest)
    if empty:
        if not (largest < np.inf).all():  # NaN < inf is false too
            raise ValueError(f"{name} must not hold NaN or +inf, got {first_entry(x, ~(x < np.inf), name)}")
        largest[largest == -np.inf] = 0  # −inf − (−inf) would be NaN
    x -= largest
    return empty


def check_weights(p: Floats, axis: int) -> None:
    """Raise a ValueError unless `p` is nonnegative and sums to one, or is all zero, along `axis`."""
    wrong = ~(p >= 0)
    if wrong.any():
        raise ValueError(f"p must hold weights, 0 or more, got {first_entry(p, wrong, 'p')}")
    total = p.sum(axis=axis, dtype=working_dtype(p.dtype))
    # As loose as half the digits of p, so that rows of float16 and rows typed from a printout pass.
    tolerance = max(1e-6, math.sqrt(np.finfo(p.dtype).eps))
    wrong = ~(np.abs(total - 1) <= tolerance) & (total != 0)
    if wrong.any():
        raise ValueError(
            f"p must sum to 1 along axis {axis}, or be all zero, got {first_entry(total, wrong, 'sum')}"
        )
