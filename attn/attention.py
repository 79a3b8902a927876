"""Scaled dot-product attention (chapters 2 and 3)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arrays import Floats
from attn._guards import check_output, validated
from attn.softmax import softmax_in_place


def scaled_dot_product_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
) -> tuple[Floats, Floats]:
    r"""Mix values by how well each query matches each key: softmax(q kᵀ · scale) v.

    In one line of NumPy, where every query may look at every key:

    >>> output = softmax(q @ k.T / np.sqrt(d_k)) @ v  # doctest: +SKIP

    This function is that line for any batch, with a mask, and with an error instead of a silent NaN.

    Parameters
    ----------
    q : (..., n_q, d_k) array
    k : (..., n_k, d_k) array
    v : (..., n_k, d_v) array
        The leading batch axes of q, k and v broadcast.
    mask : array that broadcasts to (..., n_q, n_k), optional
        Boolean, True where query i may look at key j; or floating, added to the scaled scores, −inf to hide.
        To add nothing but zeros and ones, pass them less 1: a softmax does not see what is added to a whole row.
        It may have fewer batch axes than q and k, not more or longer ones: add the axes to q or k if you mean
        that.
    scale : float, optional
        Default 1/√d_k, which keeps the scores' variance at 1 (chapter 2).

    Returns
    -------
    output : (..., n_q, d_v) array
        A query that may look at no key gets zeros.
    weights : (..., n_q, n_k) array
        Rows sum to one; all zero where a query may look at no key. The batch axes are those of q and k. Both
        have the common float dtype of q, k and v: a mask changes no dtype. float16 is computed in float32.

    Raises
    ------
    ValueError
        If the shapes do not fit (the message states them), if q, k or v is not finite, if a floating mask
        holds NaN or +inf, or if a score is too large for the dtype.
    TypeError
        If `mask` holds integers, or floats that are all 0 or 1 (both present): 0 and 1 could mean either
        convention. If q, k or v does not hold real numbers.

    References
    ----------
    Vaswani et al. (2017), eq. 1.
    """
    q, k, v, mask, scale, dtype, large = validated(q, k, v, mask, scale)

    with np.errstate(all="ignore"):  # some BLAS raise false alarms
        scores = (q * scale) @ k.mT  # scaling q takes n_q · d_k products, scaling the scores n_q · n_k
        weights = softmax_in_place(_hide(scores, mask), -1, "scores + mask")
        output = weights @ v

    if large:
        check_output(output)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def _hide(scores: Floats, mask: NDArray[Any] | None) -> Floats:
    """Return the scores under the mask, in their own buffer: −inf where it is False, or its numbers added."""
    if mask is None:
        return scores
    if mask.dtype == bool:
        np.copyto(scores, -np.inf, where=~mask)
        return scores
    scores += mask
    return scores
