"""A score q_i · k_j that learns which j goes with i: the bilinear model of chapter 7, with its gradient by hand."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, real_array, whole_number
from attn.pmi import _table
from attn.softmax import log_softmax


@dataclass(frozen=True)
class Fit:
    """What `fit` found.

    Attributes
    ----------
    q : (n, d_k) array
    k : (m, d_k) array
    loss : (n_steps,) array
        Cross-entropy before each step, in nats.
    """

    q: np.ndarray
    k: np.ndarray
    loss: np.ndarray

    @property
    def scores(self) -> Floats:
        """(n, m): q kᵀ."""
        return self.q @ self.k.T


def cross_entropy(scores: ArrayLike, joint: ArrayLike) -> tuple[float, Floats]:
    r"""Return the mean surprise at j given i, −Σ p(i, j) log softmax_j(scores[i]), and its derivative.

    Parameters
    ----------
    scores : (n, m) array
    joint : (n, m) array
        Probabilities, or counts; they need not sum to one.

    Returns
    -------
    loss : float
        Nats. Never below −Σ p(i, j) log p(j|i), which is reached where softmax(scores) = p(j|i).
    d_scores : (n, m) array
        p(i) softmax(scores) − p(i, j): the derivative of the loss with respect to each score.

    Raises
    ------
    ValueError
        If the shapes differ, or `joint` is no table of numbers, 0 or more.
    TypeError
        If an array does not hold real numbers.

    References
    ----------
    Goodfellow, Bengio and Courville (2016), Deep Learning, sections 3.13 and 6.2.2.
    """
    scores, joint = real_array(scores, "scores"), _table(joint, "joint")
    if scores.shape != joint.shape:
        raise ValueError(f"scores and joint must have one shape, got {scores.shape} and {joint.shape}")
    log_p = log_softmax(scores)
    loss = -np.multiply(joint, log_p, out=np.zeros_like(log_p), where=joint > 0).sum()  # 0 · −inf is 0 here
    return float(loss), joint.sum(axis=-1, keepdims=True) * np.exp(log_p) - joint


def loss_and_gradient(
    q: Floats, k: Floats, joint: ArrayLike, prior: float | Floats = 0.0
) -> tuple[float, Floats, Floats]:
    r"""Return the cross-entropy of the scores q kᵀ + prior, and its derivatives with respect to q and k.

    Parameters
    ----------
    q : (n, d_k) array
    k : (m, d_k) array
    joint : (n, m) array
        Probabilities, or counts.
    prior : (m,) array, optional
        Added to every row of scores.

    Returns
    -------
    loss : float
        Nats.
    dq : (n, d_k) array
        d_scores k, by the chain rule.
    dk : (m, d_k) array
        d_scoresᵀ q.

    Raises
    ------
    ValueError, TypeError
        As `cross_entropy`; a ValueError if q and k differ in d_k.
    """
    loss, d_scores = cross_entropy(q @ k.T + prior, joint)
    return loss, d_scores @ k, d_scores.T @ q


def fit(
    joint: ArrayLike,
    d_k: int,
    rng: np.random.Generator,
    *,
    n_steps: int = 2000,
    learning_rate: float = 0.1,
    start: tuple[ArrayLike, ArrayLike] | None = None,
    prior: ArrayLike | None = None,
) -> Fit:
    r"""Learn q (n, d_k) and k (m, d_k) whose scores q kᵀ predict j from i, by gradient descent on cross-entropy.

    Parameters
    ----------
    joint : (n, m) array
        Probabilities of the pairs.
    d_k : int, 1 or more
    rng : numpy.random.Generator
        Draws the first q and k.
    n_steps : int
    learning_rate : float
        Of the first step; it falls to 0 along half a cosine, so that the last steps settle.
    start : pair of arrays, optional
        First q and k, instead of drawn ones.
    prior : (m,) array, optional
        Added to every row of scores, and not learned: log p(j), say.

    Returns
    -------
    Fit

    Raises
    ------
    ValueError
        If `joint` is no table of numbers, 0 or more, `d_k` is below 1, or `start` or `prior` has a shape that does
        not fit.
    TypeError
        If `joint` or `prior` does not hold real numbers, or `d_k` is not a whole number.

    Notes
    -----
    Steps are those of Adam: each entry's mean gradient over the root of its mean square.

    References
    ----------
    Kingma and Ba (2015), Adam: a method for stochastic optimization, algorithm 1.
    """
    joint = _table(joint, "joint")
    n, m = joint.shape
    d_k = whole_number(d_k, "d_k", 1)
    prior = np.zeros(m) if prior is None else real_array(prior, "prior")
    first = [rng.normal(scale=0.3, size=(size, d_k)) for size in (n, m)] if start is None else start
    weights = np.concatenate([np.array(x, dtype=float) for x in first])
    mean, square, losses = np.zeros_like(weights), np.zeros_like(weights), np.empty(n_steps)
    for step in range(n_steps):
        losses[step], dq, dk = loss_and_gradient(weights[:n], weights[n:], joint, prior)
        gradient = np.concatenate([dq, dk])
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        size = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-12
        rate = learning_rate * (1 + np.cos(np.pi * step / n_steps)) / 2
        weights -= rate * mean / (1 - 0.9 ** (step + 1)) / size
    return Fit(weights[:n].copy(), weights[n:].copy(), losses)
