"""Scaled dot-product attention (chapters 2 and 3)."""

import math

import numpy as np

from attn._arrays import check_finite, finite_number, first_entry, real_array, working_dtype
from attn.softmax import softmax_in_place


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    r"""Mix values by how well each query matches each key: softmax(q kᵀ · scale) v.

    Parameters
    ----------
    q : (..., n_q, d_k) array
    k : (..., n_k, d_k) array
    v : (..., n_k, d_v) array
        The leading batch axes of q, k and v broadcast.
    mask : array that broadcasts to (..., n_q, n_k), optional
        Boolean, True where query i may look at key j; or floating, added to the scaled scores, −inf to hide.
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
        If `mask` holds integers: 0 and 1 could mean either convention. If q, k or v does not hold real
        numbers.

    References
    ----------
    Vaswani et al. (2017), eq. 1.
    """
    q, k, v = real_array(q, "q"), real_array(k, "k"), real_array(v, "v")
    batch = _check_shapes(q, k, v)
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_finite(x, name)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else finite_number(scale, "scale")
    dtype = np.result_type(q, k, v)
    work = working_dtype(dtype)
    q, k, v = (x.astype(work, copy=False) for x in (q, k, v))
    if mask is not None:
        mask = _check_mask(mask, (*batch, q.shape[-2], k.shape[-2]), work)

    # Each step works in the buffer of the step before: [n_q, d_k] @ [d_k, n_k] -> [n_q, n_k].
    scores = _scores(q, k, scale)
    if mask is not None:
        _hide(scores, mask)
    softmax_in_place(scores, -1, "scores + mask")
    weights = scores
    with np.errstate(all="ignore"):  # some BLAS raise false alarms; overflow is looked for below
        output = np.matmul(weights, v)  # [n_q, n_k] @ [n_k, d_v] -> [n_q, d_v]
    if not np.isfinite(output).all():
        raise ValueError(f"v is too large: weights @ v overflows {work}")
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def _check_shapes(q, k, v):
    """Return the batch shape of the scores, or say which two shapes do not fit."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim < 2:
            raise ValueError(f"{name} must have at least 2 axes, (..., n, d), got shape {x.shape}")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q and k must have the same d_k, their last axis, got shapes {q.shape} and {k.shape}"
        )
    if q.shape[-1] == 0:
        raise ValueError(
            f"d_k must be 1 or more: q of shape {q.shape} and k of shape {k.shape} hold no features"
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"k and v must have the same n_k, their next to last axis, got shapes {k.shape} and {v.shape}"
        )
    try:
        batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    except ValueError:
        raise ValueError(
            f"the batch axes of q and k do not fit, got shapes {q.shape} and {k.shape}"
        ) from None
    try:
        np.broadcast_shapes(batch, v.shape[:-2])
    except ValueError:
        raise ValueError(
            f"the batch axes of v do not fit those of q and k, got shapes {v.shape}, {q.shape} and {k.shape}"
        ) from None
    return batch


def _check_mask(mask, shape, dtype):
    """Return the mask, Boolean or of `dtype`, broadcast to the scores' shape."""
    mask = np.asarray(mask)
    if np.issubdtype(mask.dtype, np.integer):
        raise TypeError(
            f"mask holds integers ({mask.dtype}), and 0 and 1 could mean either convention: "
            "pass Booleans, True = may look, for example mask == 1; or floats to add to the scores"
        )
    if mask.dtype != bool and not np.issubdtype(mask.dtype, np.floating):
        raise TypeError(f"mask must be Boolean (True = may look) or floating, got dtype {mask.dtype}")
    if mask.dtype != bool:
        with np.errstate(over="ignore"):  # −1e300 in float32 is −inf, and means the same
            mask = mask.astype(dtype, copy=False)
        wrong = ~(mask < np.inf)
        if wrong.any():
            raise ValueError(
                f"a floating mask must not hold NaN or +inf, got {first_entry(mask, wrong, 'mask')}"
            )
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask of shape {mask.shape} does not broadcast to the scores' shape (..., n_q, n_k) = {shape}"
        ) from None


def _scores(q, k, scale):
    """Return q kᵀ · scale. An entry beyond the dtype's range is an error: −inf would hide a key unasked."""
    with np.errstate(all="ignore"):
        # Scaling q takes n_q · d_k products, scaling the scores n_q · n_k.
        scores = np.matmul(q * scale, np.swapaxes(k, -1, -2))
    # min and max pass NaN on, and need no array of their own
    if not (scores.min(initial=0) > -np.inf and scores.max(initial=0) < np.inf):
        raise ValueError(
            f"the scores q kᵀ · scale overflow {scores.dtype}: q has entries up to {np.abs(q).max():.3g}, "
            f"k up to {np.abs(k).max():.3g}, and scale is {scale:.3g}"
        )
    return scores


def _hide(scores, mask):
    """Apply the mask to the scores, in their own buffer."""
    if mask.dtype == bool:
        np.copyto(scores, -np.inf, where=~mask)
        return
    with np.errstate(over="ignore"):
        scores += mask
    lost = (scores == -np.inf) & (mask > -np.inf)
    if lost.any():
        raise ValueError(f"scores + mask overflows {scores.dtype}, got {first_entry(mask, lost, 'mask')}")
