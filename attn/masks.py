"""Who may look at whom: Boolean masks, True where query i may look at key j (chapter 3)."""

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attn._arrays import Bools, Floats, whole_number


def causal_mask(n_q: int, n_k: int | None = None, *, offset: int = 0) -> Bools:
    """Let each query look at the keys up to its own: key j is visible to query i iff j ≤ i + offset.

    Parameters
    ----------
    n_q : int
        Number of queries, 0 or more.
    n_k : int, optional
        Number of keys. Default `n_q`.
    offset : int, optional
        How many keys come before query 0. The default 0 aligns the triangle top-left. With a KV cache the
        queries are the last `n_q` of `n_k` tokens: then `offset = n_k - n_q` aligns it bottom-right. Below 0
        it hides more.

    Returns
    -------
    mask : (n_q, n_k) array of bool

    Raises
    ------
    TypeError
        If a number is not whole.
    ValueError
        If `n_q` or `n_k` is negative.

    References
    ----------
    Vaswani et al. (2017), section 3.2.3.
    """
    n_q = whole_number(n_q, "n_q", 0)
    n_k = n_q if n_k is None else whole_number(n_k, "n_k", 0)
    offset = whole_number(offset, "offset")
    return np.arange(n_k) <= np.arange(n_q)[:, None] + offset


def padding_mask(lengths: ArrayLike, n_k: int) -> Bools:
    """Hide the padding: in sequence b of a batch the keys from `lengths[b]` on are no tokens.

    Parameters
    ----------
    lengths : (...) array of int
        Number of real tokens in each sequence, 0 … n_k. With length 0 every key is hidden.
    n_k : int
        Number of keys, padding included.

    Returns
    -------
    mask : (..., 1, n_k) array of bool
        The axis of length 1 serves every query: padding hides keys, whoever asks.

    Raises
    ------
    TypeError
        If `lengths` or `n_k` holds anything but whole numbers.
    ValueError
        If a length is negative or above `n_k`.
    """
    n_k = whole_number(n_k, "n_k", 0)
    lengths = np.asarray(lengths)
    if lengths.size == 0:
        lengths = lengths.astype(np.int64)  # NumPy makes an empty list float64
    if not np.issubdtype(lengths.dtype, np.integer):
        raise TypeError(
            f"lengths must be whole numbers, one a sequence, got an array of dtype {lengths.dtype}"
        )
    if lengths.size and (lengths.min() < 0 or lengths.max() > n_k):
        raise ValueError(f"lengths must lie between 0 and n_k = {n_k}, got {lengths.min()} … {lengths.max()}")
    return np.arange(n_k) < lengths[..., None, None]


def sliding_window_mask(n: int, window: int) -> Bools:
    """Let each token look at the last `window` tokens, itself included: 0 ≤ i − j < window.

    Parameters
    ----------
    n : int
        Number of tokens.
    window : int
        1 or more; 1 is the identity, `n` and above the causal mask.

    Returns
    -------
    mask : (n, n) array of bool

    Raises
    ------
    TypeError
        If a number is not whole.
    ValueError
        If `n` is negative or `window` below 1: then no token could look at anything.

    References
    ----------
    Beltagy, Peters and Cohan (2020), Longformer, arXiv:2004.05150.
    """
    n = whole_number(n, "n", 0)
    window = whole_number(window, "window", 1)
    age = np.arange(n)[:, None] - np.arange(n)
    return (age >= 0) & (age < window)


def prefix_mask(n: int, n_prefix: int) -> Bools:
    """Let the first `n_prefix` tokens see each other both ways, and all the rest look backward only.

    Parameters
    ----------
    n : int
        Number of tokens.
    n_prefix : int
        Number of tokens in the prefix, 0 … n; 0 and 1 give the causal mask, `n` hides nothing.

    Returns
    -------
    mask : (n, n) array of bool

    Raises
    ------
    TypeError
        If a number is not whole.
    ValueError
        If `n` or `n_prefix` is negative, or `n_prefix` is above `n`.

    References
    ----------
    Raffel et al. (2020), Exploring the limits of transfer learning, JMLR 21(140), figure 4.
    """
    mask = causal_mask(whole_number(n, "n", 0))
    n_prefix = whole_number(n_prefix, "n_prefix", 0)
    if n_prefix > n:
        raise ValueError(f"n_prefix must be at most n = {n}, got {n_prefix}")
    mask[:, :n_prefix] = True
    return mask


def to_additive(mask: ArrayLike, dtype: DTypeLike = np.float64) -> Floats:
    """Translate a Boolean mask into numbers to add to the scores: True becomes 0, False becomes −inf.

    Parameters
    ----------
    mask : array of bool
        True where query i may look at key j.
    dtype : float dtype, optional
        Default float64.

    Returns
    -------
    mask : array of `dtype`, of the same shape

    Raises
    ------
    TypeError
        If `mask` is not Boolean (0 and 1 could mean either convention), or `dtype` is not a float dtype.
    """
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise TypeError(f"mask must be Boolean, True = may look, got an array of dtype {mask.dtype}")
    dtype = np.dtype(dtype)
    if not np.issubdtype(dtype, np.floating):
        raise TypeError(f"dtype must be a float dtype, which can hold −inf, got {dtype}")
    # Not (1 − mask) · −inf, in which 0 · inf = NaN.
    return np.where(mask, 0.0, -np.inf).astype(dtype)
