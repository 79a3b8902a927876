"""What scaled dot-product attention refuses, each with a sentence that says what came: shapes, masks, overflow."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arrays import Floats, check_finite, finite_number, first_entry, real_array, working_dtype

#: Below this no number overflows on the way, in float32 either: `validated` says of what.
_CALM = 1e38


def validated(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, mask: ArrayLike | None, scale: float | None
) -> tuple[Floats, Floats, Floats, NDArray[Any] | None, float, np.dtype, bool]:
    """Return q, k, v, the mask and the scale ready for the formula, the dtype of what is handed back, and `large`.

    No score is larger than |q| · scale · |k|, and no output larger than |v|. So three sums of squares tell at once
    that all is finite and stays so. Where they don't, `large` is true: the scores are looked at more closely here, and
    the output is left to `check_output`.

    Raises
    ------
    ValueError
        If the shapes do not fit, an entry is not finite, or a score, or a score + mask, overflows.
    TypeError
        If an array does not hold real numbers, or the mask could mean two things.
    """
    q, k, v, dtype = checked_inputs(q, k, v)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else finite_number(scale, "scale")
    squares = (1 + float(np.vdot(q, q))) * scale * scale * (1 + float(np.vdot(k, k))) + float(np.vdot(v, v))
    large = not squares < _CALM  # NaN is not
    if large:
        check_finite(q, "q")
        check_finite(k, "k")
        check_finite(v, "v")
    mask = checked_mask(mask, q, k)
    if large:
        _check_scores(q, k, mask, scale)
    return q, k, v, mask, scale, dtype, large


def checked_inputs(q: ArrayLike, k: ArrayLike, v: ArrayLike) -> tuple[Floats, Floats, Floats, np.dtype]:
    """Return q, k and v, whose shapes fit, in the dtype to compute in, and the dtype of what is handed back."""
    q, k, v = real_array(q, "q"), real_array(k, "k"), real_array(v, "v")
    _check_shapes(q, k, v)
    dtype = np.result_type(q, k, v)
    work = working_dtype(dtype)
    if not q.dtype == k.dtype == v.dtype == work:
        q, k, v = (x.astype(work, copy=False) for x in (q, k, v))
    return q, k, v, dtype


def _check_shapes(q: Floats, k: Floats, v: Floats) -> None:
    """Say which two shapes do not fit, if they don't."""
    same_batch = 1 < q.ndim == k.ndim == v.ndim and q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    if same_batch and 0 < q.shape[-1] == k.shape[-1] and k.shape[-2] == v.shape[-2]:
        return
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


_EITHER = "and 0 and 1 could mean either convention: pass Booleans, True = may look, for example mask == 1"


def checked_mask(mask: ArrayLike | None, q: Floats, k: Floats) -> NDArray[Any] | None:
    """Return the mask, Boolean or of the dtype of q, broadcast to the shape of the scores of q and k.

    Raises
    ------
    ValueError
        If it does not broadcast, or holds NaN or +inf.
    TypeError
        If it is neither Boolean nor floating, or floating and nothing but zeros and ones.
    """
    if mask is None:
        return None
    mask = np.asarray(mask)
    kind = mask.dtype.kind
    if kind in "iu":
        raise TypeError(f"mask holds integers ({mask.dtype}), {_EITHER}; or floats to add to the scores")
    if kind not in "bf":
        raise TypeError(f"mask must be Boolean (True = may look) or floating, got dtype {mask.dtype}")
    if kind == "f" and mask.size:
        largest = mask.max()
        if largest == 1 and mask.min() == 0 and ((mask == 0) | (mask == 1)).all():
            raise TypeError(
                f"mask holds floats ({mask.dtype}) that are all 0 or 1, {_EITHER}; "
                "or mask - 1, if they are to be added to the scores: that gives the same weights"
            )
        if mask.dtype != q.dtype:
            with np.errstate(over="ignore"):  # −1e300 in float32 is −inf, and means the same
                mask = mask.astype(q.dtype)
                largest = mask.max()
        if not largest < np.inf:  # NaN < inf is false too
            wrong = first_entry(mask, ~(mask < np.inf), "mask")
            raise ValueError(f"a floating mask must not hold NaN or +inf, got {wrong}")
    batch = q.shape[:-2]
    if k.shape[:-2] != batch:
        batch = np.broadcast_shapes(batch, k.shape[:-2])
    shape = (*batch, q.shape[-2], k.shape[-2])
    if mask.shape == shape:
        return mask
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask of shape {mask.shape} does not broadcast to the scores' shape (..., n_q, n_k) = {shape}"
        ) from None


def _check_scores(q: Floats, k: Floats, mask: NDArray[Any] | None, scale: float) -> None:
    """Raise a ValueError if a score, or a score + mask, is beyond the dtype's range: −inf would hide a key unasked."""
    with np.errstate(all="ignore"):
        scores = (q * scale) @ k.mT
        if not np.isfinite(scores).all():
            raise ValueError(
                f"the scores q kᵀ · scale overflow {scores.dtype}: q has entries up to {np.abs(q).max():.3g}, "
                f"k up to {np.abs(k).max():.3g}, and scale is {scale:.3g}"
            )
        if mask is None or mask.dtype == bool:
            return
        scores += mask
    lost = (scores == -np.inf) & (mask > -np.inf)
    if lost.any():
        raise ValueError(f"scores + mask overflows {scores.dtype}, got {first_entry(mask, lost, 'mask')}")


def check_output(output: Floats) -> None:
    """Raise a ValueError if the mixed values are beyond the dtype's range."""
    if not np.isfinite(output).all():
        raise ValueError(f"v is too large: weights @ v overflows {output.dtype}")
