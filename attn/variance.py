"""How far dot products spread, and what that does to a softmax (chapter 2)."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, finite_number, real_array, whole_number
from attn.softmax import entropy, softmax_jacobian

_AT_ONCE = 1 << 20  # entries of q drawn at a time, so that a large experiment fits into memory


def score_variance(
    d_k: int,
    *,
    var_q: float = 1,
    var_k: float = 1,
    mean_q: float = 0,
    mean_k: float = 0,
    correlation: float = 0,
    scale: float = 1,
) -> float:
    r"""Return the variance of scale · q·k, one score of a query and a key of `d_k` entries each.

    The pairs (q_i, k_i) are independent of each other and all follow the same law. Inside a pair, q_i and k_i
    are independent, or jointly normal with the given correlation.

    Parameters
    ----------
    d_k : int
        At least 1.
    var_q, var_k : float, optional
        Variances of the entries, 0 or more.
    mean_q, mean_k : float, optional
        Means of the entries.
    correlation : float in [−1, 1], optional
        Correlation ρ of q_i and k_i. Unless it is 0 the entries have to be jointly normal.
    scale : float, optional
        The factor before the softmax: 1/√d_k in attention.

    Returns
    -------
    variance : float
        scale² d_k [σ_q²σ_k²(1 + ρ²) + μ_q²σ_k² + μ_k²σ_q² + 2ρ μ_q μ_k σ_q σ_k].

    Raises
    ------
    ValueError
        If `d_k` is below 1, a variance is negative, the correlation is outside [−1, 1], or a number is not
        finite.
    TypeError
        If `d_k` is not a whole number or another argument is not one real number.

    References
    ----------
    Vaswani et al. (2017), footnote 4, for means 0 and variances 1. The general case is proved in chapter 2.
    """
    d_k, (v_q, v_k, m_q, m_k, rho) = _law(d_k, var_q, var_k, mean_q, mean_k, correlation)
    scale = finite_number(scale, "scale")
    means = m_q**2 * v_k + m_k**2 * v_q + 2 * rho * m_q * m_k * math.sqrt(v_q * v_k)
    return scale**2 * d_k * (v_q * v_k * (1 + rho**2) + means)


def score_mean(
    d_k: int,
    *,
    var_q: float = 1,
    var_k: float = 1,
    mean_q: float = 0,
    mean_k: float = 0,
    correlation: float = 0,
    scale: float = 1,
) -> float:
    r"""Return the mean of scale · q·k: scale · d_k (μ_q μ_k + ρ σ_q σ_k).

    The assumptions are those of `score_variance`; no normal law is needed.

    Parameters
    ----------
    d_k, var_q, var_k, mean_q, mean_k, correlation, scale
        As in `score_variance`.

    Returns
    -------
    mean : float

    Raises
    ------
    ValueError, TypeError
        As in `score_variance`.
    """
    d_k, (v_q, v_k, m_q, m_k, rho) = _law(d_k, var_q, var_k, mean_q, mean_k, correlation)
    return finite_number(scale, "scale") * d_k * (m_q * m_k + rho * math.sqrt(v_q * v_k))


def sample_scores(
    rng: np.random.Generator,
    n_samples: int,
    d_k: int,
    *,
    var_q: float = 1,
    var_k: float = 1,
    mean_q: float = 0,
    mean_k: float = 0,
    correlation: float = 0,
    scale: float = 1,
) -> Floats:
    r"""Draw scores, each from a query and a key of its own: scale · q·k with normal entries.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where the chance comes from.
    n_samples : int
        How many scores, 0 or more.
    d_k, var_q, var_k, mean_q, mean_k, correlation, scale
        As in `score_variance`.

    Returns
    -------
    scores : (n_samples,) array of float64

    Raises
    ------
    ValueError, TypeError
        As in `score_variance`; a TypeError if `rng` is not a generator.
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng must be a numpy.random.Generator, such as np.random.default_rng(0), got {type(rng).__name__}"
        )
    n_samples = whole_number(n_samples, "n_samples", 0)
    d_k, (v_q, v_k, m_q, m_k, rho) = _law(d_k, var_q, var_k, mean_q, mean_k, correlation)
    scale = finite_number(scale, "scale")
    scores = np.empty(n_samples)
    step = max(1, _AT_ONCE // d_k)
    for start in range(0, n_samples, step):
        part = scores[start : start + step]
        x, z = rng.standard_normal((2, len(part), d_k))
        q = m_q + math.sqrt(v_q) * x
        k = m_k + math.sqrt(v_k) * (rho * x + math.sqrt(1 - rho**2) * z)
        part[:] = scale * (q * k).sum(axis=-1)
    return scores


class Saturation(NamedTuple):
    """How far each row of weights is on the way to a switch: three arrays of the shape (...)."""

    largest_weight: np.ndarray
    entropy: np.ndarray
    jacobian_norm: np.ndarray


def saturation(weights: ArrayLike) -> Saturation:
    r"""Measure how close softmax weights are to a hard choice, in three ways.

    Parameters
    ----------
    weights : (..., n) array
        Rows that sum to one, or are all zero.

    Returns
    -------
    largest_weight : (...) array
        From 1/n (uniform) to 1 (a switch).
    entropy : (...) array
        In nats, from ln n to 0.
    jacobian_norm : (...) array
        See `jacobian_norm`; 0 for a switch.

    Raises
    ------
    ValueError
        If a weight is negative or NaN, or a row sums to neither 1 nor 0.
    TypeError
        If `weights` does not hold real numbers.
    """
    weights = real_array(weights, "weights")
    undecided = entropy(weights)  # checks the rows
    return Saturation(weights.max(axis=-1, initial=0), undecided, jacobian_norm(weights))


def jacobian_norm(weights: ArrayLike) -> Floats:
    r"""Return the Frobenius norm of softmax's derivative, ‖diag(p) − p pᵀ‖: how much gradient gets through.

    Parameters
    ----------
    weights : (..., n) array
        What softmax returned.

    Returns
    -------
    norm : (...) array
        At most 1/2, reached where two weights are 1/2 each; 0 where one weight is 1. The spectral norm is no
        larger.

    Raises
    ------
    ValueError, TypeError
        As in `saturation`.
    """
    return np.linalg.norm(softmax_jacobian(weights), axis=(-2, -1))


def _law(
    d_k: int, var_q: float, var_k: float, mean_q: float, mean_k: float, correlation: float
) -> tuple[int, tuple[float, float, float, float, float]]:
    """Check the arguments; return d_k and (σ_q², σ_k², μ_q, μ_k, ρ) as floats."""
    d_k = whole_number(d_k, "d_k", 1)
    var_q, var_k = finite_number(var_q, "var_q"), finite_number(var_k, "var_k")
    for name, variance in (("var_q", var_q), ("var_k", var_k)):
        if variance < 0:
            raise ValueError(f"{name} is a variance and must be 0 or more, got {variance}")
    mean_q, mean_k = finite_number(mean_q, "mean_q"), finite_number(mean_k, "mean_k")
    rho = finite_number(correlation, "correlation")
    if not -1 <= rho <= 1:
        raise ValueError(f"correlation must lie between -1 and 1, got {rho}")
    return d_k, (var_q, var_k, mean_q, mean_k, rho)
