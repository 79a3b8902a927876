"""What scaled dot-product attention refuses, each with a sentence that says what came: shapes, masks, overflow."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arrays import Floats, check_finite, first_entry, real_array, working_dtype


def checked_inputs(q: ArrayLike, k: ArrayLike, v: ArrayLike) -> tuple[Floats, Floats, Floats, np.dtype]:
    """Return q, k and v in the dtype to compute in, and the dtype of what is handed back.

    Raises
    ------
    ValueError
        If the shapes do not fit, or an entry is not finite.
    TypeError
        If an array does not hold real numbers.
    """
    q, k, v = real_array(q, "q"), real_array(k, "k"), real_array(v, "v")
    _check_shapes(q, k, v)
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_finite(x, name)
    dtype = np.result_type(q, k, v)
    q, k, v = (x.astype(working_dtype(dtype), copy=False) for x in (q, k, v))
    return q, k, v, dtype


def _check_shapes(q: Floats, k: Floats, v: Floats) -> None:
    """Say which two shapes do not fit, if they don't."""
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


def _zeros_and_ones(mask: NDArray[Any]) -> bool:
    """Whether a floating mask holds nothing but 0 and 1, and both: more likely a Boolean one than scores to add."""
    if not np.issubdtype(mask.dtype, np.floating) or mask.size == 0:
        return False
    return bool(mask.min() == 0 and mask.max() == 1 and ((mask == 0) | (mask == 1)).all())


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
    if np.issubdtype(mask.dtype, np.integer):
        raise TypeError(f"mask holds integers ({mask.dtype}), {_EITHER}; or floats to add to the scores")
    if _zeros_and_ones(mask):
        raise TypeError(
            f"mask holds floats ({mask.dtype}) that are all 0 or 1, {_EITHER}; "
            "or mask - 1, if they are to be added to the scores: that gives the same weights"
        )
    if mask.dtype != bool and not np.issubdtype(mask.dtype, np.floating):
        raise TypeError(f"mask must be Boolean (True = may look) or floating, got dtype {mask.dtype}")
    if mask.dtype != bool:
        with np.errstate(over="ignore"):  # −1e300 in float32 is −inf, and means the same
            mask = mask.astype(q.dtype, copy=False)
        wrong = ~(mask < np.inf)
        if wrong.any():
            raise ValueError(
                f"a floating mask must not hold NaN or +inf, got {first_entry(mask, wrong, 'mask')}"
            )
    shape = (*np.broadcast_shapes(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"mask of shape {mask.shape} does not broadcast to the scores' shape (..., n_q, n_k) = {shape}"
        ) from None


def check_scores(scores: Floats, q: Floats, k: Floats, scale: float) -> None:
    """Raise a ValueError if a score is beyond the dtype's range: −inf would hide a key unasked."""
    # min and max pass NaN on, and need no array of their own
    if not (scores.min(initial=0) > -np.inf and scores.max(initial=0) < np.inf):
        raise ValueError(
            f"the scores q kᵀ · scale overflow {scores.dtype}: q has entries up to {np.abs(q).max():.3g}, "
            f"k up to {np.abs(k).max():.3g}, and scale is {scale:.3g}"
        )


def check_masked(scores: Floats, mask: NDArray[Any]) -> None:
    """Raise a ValueError if a score is −inf where the floating mask, which was added, is not."""
    lost = (scores == -np.inf) & (mask > -np.inf)
    if lost.any():
        raise ValueError(f"scores + mask overflows {scores.dtype}, got {first_entry(mask, lost, 'mask')}")


def check_output(output: Floats) -> None:
    """Raise a ValueError if the mixed values are beyond the dtype's range."""
    if not np.isfinite(output).all():
        raise ValueError(f"v is too large: weights @ v overflows {output.dtype}")
