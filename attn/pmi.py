"""Pointwise mutual information: how much more often two things meet than chance would have it (chapter 7).

A joint table holds p(i, j), the chance to see row i with column j; its entries sum to one.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arrays import Floats, finite_number, first_entry, real_array, whole_number, working_dtype


def pmi(joint: ArrayLike, base: float = 2) -> Floats:
    r"""Return the pointwise mutual information of each pair: log p(i, j) − log p(i) p(j).

    Parameters
    ----------
    joint : (..., n, m) array
        Probabilities that sum to one over the last two axes. For counts see `joint_from_counts`.
    base : float, optional
        Of the logarithm, above 1: 2 gives bits (the default), e gives nats.

    Returns
    -------
    pmi : array of the shape of `joint`
        0 for pairs that meet as often as chance would have it, −inf for pairs that never meet, without a
        warning. Float dtypes are kept.

    Raises
    ------
    ValueError
        If `joint` has fewer than two axes, holds negative numbers, NaN or infinity, or does not sum to one;
        if `base` is not above 1.
    TypeError
        If `joint` does not hold real numbers, or `base` is not a number.

    References
    ----------
    Church and Hanks (1990), Word association norms, mutual information, and lexicography.
    """
    joint, dtype = _checked(joint)
    return (_nats(joint) / _log_base(base)).astype(dtype, copy=False)


def ppmi(joint: ArrayLike, base: float = 2) -> Floats:
    r"""Return the positive part of `pmi`: max(0, pmi), so pairs that never meet get 0, as those of chance do.

    Parameters
    ----------
    joint : (..., n, m) array
        Probabilities that sum to one over the last two axes.
    base : float, optional
        Of the logarithm, above 1. Default 2: bits.

    Returns
    -------
    ppmi : array of the shape of `joint`, 0 or more

    Raises
    ------
    ValueError, TypeError
        As `pmi`.

    References
    ----------
    Bullinaria and Levy (2007), Extracting semantic representations from word co-occurrence statistics.
    """
    return np.maximum(pmi(joint, base), 0)


def npmi(joint: ArrayLike, base: float = 2) -> Floats:
    r"""Return normalized pointwise mutual information: pmi / −log p(i, j), between −1 and 1.

    Parameters
    ----------
    joint : (..., n, m) array
        Probabilities that sum to one over the last two axes.
    base : float, optional
        Here so that the four measures are called alike: it cancels.

    Returns
    -------
    npmi : array of the shape of `joint`
        −1 for pairs that never meet, 0 at chance, 1 for pairs that occur only together. A pair that is certain,
        p(i, j) = 1, tells nothing: 0.

    Raises
    ------
    ValueError, TypeError
        As `pmi`.

    References
    ----------
    Bouma (2009), Normalized (pointwise) mutual information in collocation extraction.
    """
    _log_base(base)
    joint, dtype = _checked(joint)
    met = (joint > 0) & (joint < 1)
    surprise = -np.log(joint, out=np.ones_like(joint), where=met)
    ratio = np.divide(_nats(joint), surprise, out=np.where(joint > 0, 0.0, -1.0), where=met)
    return np.clip(ratio, -1, 1).astype(dtype, copy=False)  # rounding must not lead out of the range


def mutual_information(joint: ArrayLike, base: float = 2) -> Floats:
    r"""Return the mean of `pmi` over the pairs as they occur: Σ p(i, j) pmi(i, j), with 0 · −inf = 0.

    Parameters
    ----------
    joint : (..., n, m) array
        Probabilities that sum to one over the last two axes.
    base : float, optional
        Of the logarithm, above 1. Default 2: bits.

    Returns
    -------
    information : array of the shape of `joint` without its last two axes
        0 if and only if rows and columns are independent, otherwise above 0.

    Raises
    ------
    ValueError, TypeError
        As `pmi`.

    References
    ----------
    Shannon (1948), A mathematical theory of communication, section 12.
    """
    joint, dtype = _checked(joint)
    nats = np.where(joint > 0, _nats(joint), 0)
    information = (joint * nats).sum(axis=(-2, -1)) / _log_base(base)
    return np.maximum(information, 0).astype(dtype)  # rounding must not make it −1e-17


def cooccurrence_counts(tokens: Iterable[Any], window: int) -> tuple[NDArray[np.int64], list[Any]]:
    r"""Count how often each word stands within `window` places of each other word, before it or after it.

    Parameters
    ----------
    tokens : sequence of str or int
        A text in order; words are whatever can be compared and sorted.
    window : int, 1 or more
        The farthest distance that counts: 1 means neighbors alone.

    Returns
    -------
    counts : (n_words, n_words) array of int
        Symmetric. A place is never counted with itself; a word that stands twice within the window is counted
        with itself twice, once from each side.
    words : list
        The words of the rows and columns, sorted.

    Raises
    ------
    ValueError
        If there are no tokens, or `window` is below 1.
    TypeError
        If `tokens` is a string, whose letters would be counted, or `window` is not a whole number.
    """
    if isinstance(tokens, str):
        raise TypeError("tokens must be a list of words, got one string: split it first")
    window = whole_number(window, "window", 1)
    tokens = list(tokens)
    if not tokens:
        raise ValueError("tokens must hold at least one word, got none")
    words = sorted(set(tokens))
    place = {word: index for index, word in enumerate(words)}
    ids = np.array([place[word] for word in tokens])
    counts = np.zeros((len(words), len(words)), dtype=np.int64)
    for distance in range(1, min(window, len(ids) - 1) + 1):
        np.add.at(counts, (ids[:-distance], ids[distance:]), 1)
    return counts + counts.T, words


def joint_from_counts(counts: ArrayLike, smoothing: float = 0.0) -> Floats:
    r"""Turn counts into a joint table: each count plus `smoothing`, divided by the sum of all.

    Parameters
    ----------
    counts : (..., n, m) array
        0 or more each.
    smoothing : float, optional
        Added to every count: with more than 0 no pair is impossible (Laplace's rule takes 1).

    Returns
    -------
    joint : array of the shape of `counts`
        Sums to one over the last two axes.

    Raises
    ------
    ValueError
        If a count is negative, NaN or infinite, all are zero, or `smoothing` is negative.
    TypeError
        If `counts` or `smoothing` are not real numbers.
    """
    counts = _table(counts, "counts")
    smoothing = finite_number(smoothing, "smoothing")
    if smoothing < 0:
        raise ValueError(f"smoothing must be 0 or more, got {smoothing}")
    work = counts.astype(working_dtype(counts.dtype)) + smoothing
    total = work.sum(axis=(-2, -1), keepdims=True)
    if not (total > 0).all():
        raise ValueError(f"counts must not all be zero, got shape {counts.shape} with sum 0")
    return (work / total).astype(counts.dtype, copy=False)


def _nats(joint: Floats) -> Floats:
    """PMI in nats of a checked table. Logarithms are subtracted, so that small products don't underflow."""
    with np.errstate(divide="ignore"):
        rows = np.log(joint.sum(axis=-1, keepdims=True))
        columns = np.log(joint.sum(axis=-2, keepdims=True))
        logs = np.log(joint)
    met = joint > 0  # elsewhere −inf − (−inf) would be NaN
    return np.subtract(np.subtract(logs, rows, out=logs, where=met), columns, out=logs, where=met)


def _log_base(base: float) -> float:
    base = finite_number(base, "base")
    if base <= 1:
        raise ValueError(f"base must be above 1, such as 2 for bits or e for nats, got {base}")
    return math.log(base)


def _table(x: ArrayLike, name: str) -> Floats:
    """A table of numbers, 0 or more, with at least two axes."""
    x = real_array(x, name)
    if x.ndim < 2:
        raise ValueError(f"{name} must be a table of shape (..., n, m), got shape {x.shape}")
    wrong = ~((x >= 0) & (x < np.inf))
    if wrong.any():
        raise ValueError(f"{name} must hold finite numbers, 0 or more, got {first_entry(x, wrong, name)}")
    return x


def _checked(joint: ArrayLike) -> tuple[Floats, np.dtype]:
    """The joint table in the dtype to compute in, and its own dtype."""
    joint = _table(joint, "joint")
    work = joint.astype(working_dtype(joint.dtype))
    total = work.sum(axis=(-2, -1))
    # As loose as half the digits, so that tables of float16 and tables typed from a printout pass.
    wrong = ~(np.abs(total - 1) <= max(1e-6, math.sqrt(np.finfo(joint.dtype).eps)))
    if wrong.any():
        got = first_entry(total, wrong, "sum") if total.ndim else f"{total:g}"
        sentence = f"joint must sum to 1 over its last two axes, got a sum of {got}"
        raise ValueError(f"{sentence}; joint_from_counts(counts) divides counts by their sum")
    return work, joint.dtype
