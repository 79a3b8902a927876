"""Several attentions side by side, each with its own question, and their sum (chapter 4)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arrays import Floats, check_finite, real_array, whole_number, working_dtype
from attn.attention import scaled_dot_product_attention


def split_heads(x: ArrayLike, n_heads: int) -> Floats:
    r"""Cut the last axis into heads and move them to the front: (..., n, n_heads · d) -> (..., n_heads, n, d).

    Parameters
    ----------
    x : (..., n, n_heads * d) array
        Head h owns the columns h·d … (h + 1)·d − 1 of each token.
    n_heads : int
        1 or more; it must divide the last axis.

    Returns
    -------
    heads : (..., n_heads, n, d) array
        `reshape` alone to this shape would hand out whole tokens to the heads instead, and raise nothing.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes, or `n_heads` does not divide its last one.
    TypeError
        If `x` does not hold real numbers or `n_heads` is not a whole number.
    """
    x, n_heads = real_array(x, "x"), whole_number(n_heads, "n_heads", 1)
    if x.ndim < 2:
        raise ValueError(f"x must have at least 2 axes, (..., n, n_heads * d), got shape {x.shape}")
    if x.shape[-1] % n_heads:
        raise ValueError(f"n_heads = {n_heads} must divide the last axis of x, got shape {x.shape}")
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads), -3, -2)


def merge_heads(heads: ArrayLike) -> Floats:
    r"""Put the heads of each token side by side again: (..., n_heads, n, d) -> (..., n, n_heads · d).

    Parameters
    ----------
    heads : (..., n_heads, n, d) array

    Returns
    -------
    x : (..., n, n_heads * d) array
        The inverse of `split_heads`.

    Raises
    ------
    ValueError
        If `heads` has fewer than three axes.
    TypeError
        If `heads` does not hold real numbers.
    """
    heads = real_array(heads, "heads")
    if heads.ndim < 3:
        raise ValueError(f"heads must have at least 3 axes, (..., n_heads, n, d), got shape {heads.shape}")
    *batch, n_heads, n, d = heads.shape
    return np.swapaxes(heads, -3, -2).reshape(*batch, n, n_heads * d)


@dataclass(frozen=True, eq=False)
class MultiHeadAttention:
    r"""Heads in parallel: each projects, attends and hands its output to its own rows of W_O; their sum comes out.

    Calling it with `x_q (..., n_q, d_model)` returns `(output, weights)`, see `__call__`.

    Parameters
    ----------
    w_q, w_k : (n_heads, d_model, d_k) arrays
    w_v : (n_heads, d_model, d_v) array
    w_o : (n_heads * d_v, d_out) array
        Rows h·d_v … (h + 1)·d_v − 1 belong to head h.
    b_q, b_k : (n_heads, d_k) arrays, optional
    b_v : (n_heads, d_v) array, optional
    b_o : (d_out,) array, optional

    Raises
    ------
    ValueError
        If the shapes do not fit (the message states them), or an entry is not finite.
    TypeError
        If an array does not hold real numbers.

    References
    ----------
    Vaswani et al. (2017), section 3.2.2.
    """

    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    w_o: np.ndarray
    b_q: np.ndarray | None = None
    b_k: np.ndarray | None = None
    b_v: np.ndarray | None = None
    b_o: np.ndarray | None = None

    def __post_init__(self) -> None:
        for name in self._given():
            array = real_array(getattr(self, name), name)
            check_finite(array, name)
            object.__setattr__(self, name, array)
        for name in ("w_q", "w_k", "w_v"):
            if getattr(self, name).ndim != 3 or 0 in getattr(self, name).shape:
                raise ValueError(
                    f"{name} must have shape (n_heads, d_model, d), each 1 or more, got {getattr(self, name).shape}"
                )
        n_heads, d_model, d_k = self.w_q.shape
        d_v = self.w_v.shape[-1]
        d_out = self.w_o.shape[-1] if self.w_o.ndim == 2 else "d_out"
        expected = {
            "w_k": (n_heads, d_model, d_k),
            "w_v": (n_heads, d_model, d_v),
            "w_o": (n_heads * d_v, d_out),
            "b_q": (n_heads, d_k),
            "b_k": (n_heads, d_k),
            "b_v": (n_heads, d_v),
            "b_o": (d_out,),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                wanted = f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
                raise ValueError(
                    f"{name} must have shape {wanted} beside w_q {self.w_q.shape} and w_v {self.w_v.shape}, "
                    f"got {array.shape}"
                )

    def __call__(
        self, x_q: ArrayLike, x_kv: ArrayLike | None = None, mask: ArrayLike | None = None
    ) -> tuple[Floats, Floats]:
        r"""Attend from `x_q` to `x_kv` (or to itself) with every head, and add up what the heads say.

        Parameters
        ----------
        x_q : (..., n_q, d_model) array
        x_kv : (..., n_k, d_model) array, optional
            Default `x_q`: self-attention. Its batch axes broadcast with those of `x_q`.
        mask : array, optional
            Boolean, True = may look, or floating, added to the scaled scores. Of shape (n_q, n_k), or batch +
            (n_q, n_k), it serves all heads; with a head axis, batch + (n_heads, n_q, n_k), it has one axis more
            than x. Any axis may be 1. What an axis means is told by their number alone, never by a length that
            happens to fit.

        Returns
        -------
        output : (..., n_q, d_out) array
        weights : (..., n_heads, n_q, n_k) array
            Both in the common float dtype of x and the weights; float16 is computed in float32.

        Raises
        ------
        ValueError
            If the shapes do not fit (the message states them), or x is not finite.
        TypeError
            If `mask` holds integers, or x does not hold real numbers.
        """
        heads, weights, dtype = self._attend(x_q, x_kv, mask)
        output = _product(merge_heads(heads), self.w_o, self.b_o)
        return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)

    def shares(self, x_q: ArrayLike, x_kv: ArrayLike | None = None, mask: ArrayLike | None = None) -> Floats:
        r"""Return what each head adds to the output, head_h W_O,h: (..., n_heads, n_q, d_out).

        Summed over the heads, plus `b_o` if there is one, this is the output.

        Parameters
        ----------
        x_q, x_kv, mask
            As for a call.

        Returns
        -------
        shares : (..., n_heads, n_q, d_out) array

        Raises
        ------
        ValueError, TypeError
            As for a call.
        """
        heads, _, dtype = self._attend(x_q, x_kv, mask)
        w_o = self.w_o.reshape(self.n_heads, -1, self.w_o.shape[-1])
        return _product(heads, w_o, None).astype(dtype, copy=False)

    def prune(self, heads: ArrayLike) -> MultiHeadAttention:
        """Return the attention without these heads: their share is gone, the rest is untouched.

        Parameters
        ----------
        heads : int or several
            Which to leave out, from 0.

        Returns
        -------
        attention : MultiHeadAttention
            With fewer heads, and the same `d_out`.

        Raises
        ------
        ValueError
            If there is no such head, or none would be left.
        TypeError
            If a head is not a whole number.

        References
        ----------
        Michel, Levy and Neubig (2019), Are sixteen heads really better than one?
        """
        gone = {whole_number(head, "head", 0) for head in np.atleast_1d(np.asarray(heads)).tolist()}
        kept = [head for head in range(self.n_heads) if head not in gone]
        if gone - set(range(self.n_heads)) or not kept:
            raise ValueError(f"can't prune heads {sorted(gone)} of {self.n_heads}: one at least must stay")
        changes = {name: getattr(self, name)[kept] for name in self._given() if name not in ("w_o", "b_o")}
        w_o = self.w_o.reshape(self.n_heads, -1, self.w_o.shape[-1])[kept]
        return replace(self, **changes, w_o=w_o.reshape(-1, w_o.shape[-1]))

    @property
    def n_heads(self) -> int:
        """How many heads there are."""
        return len(self.w_q)

    @property
    def n_parameters(self) -> int:
        """How many numbers a training run would adjust, biases included."""
        return sum(getattr(self, name).size for name in self._given())

    @classmethod
    def init(cls, rng: np.random.Generator, d_model: int, n_heads: int) -> MultiHeadAttention:
        """Draw weights without biases, d_k = d_v = d_model / n_heads, so that entries of variance 1 stay so.

        Parameters
        ----------
        rng : numpy.random.Generator
        d_model, n_heads : int
            `n_heads` must divide `d_model`. Entries are normal with variance 1/d_model.

        Returns
        -------
        attention : MultiHeadAttention
            Without biases.

        Raises
        ------
        ValueError
            If `n_heads` does not divide `d_model`, or one of them is below 1.
        TypeError
            If one of them is not a whole number.
        """
        d_model, n_heads = whole_number(d_model, "d_model", 1), whole_number(n_heads, "n_heads", 1)
        if d_model % n_heads:
            raise ValueError(f"n_heads must divide d_model, got n_heads = {n_heads} and d_model = {d_model}")
        w = rng.normal(scale=d_model**-0.5, size=(4, d_model, d_model))
        w_q, w_k, w_v = (split_heads(packed, n_heads) for packed in w[:3])
        return cls(w_q, w_k, w_v, w[3])

    @classmethod
    def from_packed(
        cls,
        in_proj_weight: ArrayLike,
        in_proj_bias: ArrayLike | None,
        out_proj_weight: ArrayLike,
        out_proj_bias: ArrayLike | None,
        n_heads: int,
    ) -> MultiHeadAttention:
        """Take over the weights of a `torch.nn.MultiheadAttention`, as NumPy arrays.

        Parameters
        ----------
        in_proj_weight : (3 * d_model, d_model) array
            W_Q, W_K and W_V below each other. They act from the left, so each is transposed here.
        in_proj_bias : (3 * d_model,) array or None
        out_proj_weight : (d_out, d_model) array
        out_proj_bias : (d_out,) array or None
        n_heads : int
            It must divide `d_model`.

        Returns
        -------
        attention : MultiHeadAttention

        Raises
        ------
        ValueError
            If the shapes do not fit; the message states them.
        TypeError
            If an array does not hold real numbers, or `n_heads` is not a whole number.
        """
        w_in, w_out = (
            real_array(in_proj_weight, "in_proj_weight"),
            real_array(out_proj_weight, "out_proj_weight"),
        )
        n_heads = whole_number(n_heads, "n_heads", 1)
        if w_in.ndim != 2 or w_in.shape[0] != 3 * w_in.shape[1]:
            raise ValueError(f"in_proj_weight must have shape (3 * d_model, d_model), got {w_in.shape}")
        d_model = w_in.shape[1]
        if w_out.ndim != 2 or w_out.shape[1] != d_model:
            raise ValueError(f"out_proj_weight must have shape (d_out, {d_model}), got {w_out.shape}")
        if d_model % n_heads:
            raise ValueError(f"n_heads must divide d_model, got n_heads = {n_heads} and d_model = {d_model}")
        b_q = b_k = b_v = None
        if in_proj_bias is not None:
            b_in = real_array(in_proj_bias, "in_proj_bias")
            if b_in.shape != (3 * d_model,):
                raise ValueError(f"in_proj_bias must have shape ({3 * d_model},), got {b_in.shape}")
            b_q, b_k, b_v = b_in.reshape(3, n_heads, -1)
        w_q, w_k, w_v = (split_heads(w.T, n_heads) for w in w_in.reshape(3, d_model, d_model))
        b_o = None if out_proj_bias is None else real_array(out_proj_bias, "b_o")
        return cls(w_q, w_k, w_v, w_out.T, b_q, b_k, b_v, b_o)

    def _given(self) -> list[str]:
        return [field.name for field in fields(self) if getattr(self, field.name) is not None]

    def _attend(
        self, x_q: ArrayLike, x_kv: ArrayLike | None, mask: ArrayLike | None
    ) -> tuple[Floats, Floats, np.dtype]:
        """Return the heads' outputs and weights in the working dtype, and the dtype to hand back."""
        x_q = real_array(x_q, "x_q")
        x_kv = x_q if x_kv is None else real_array(x_kv, "x_kv")
        for name, x in (("x_q", x_q), ("x_kv", x_kv)):
            if x.ndim < 2 or x.shape[-1] != self.w_q.shape[1]:
                raise ValueError(
                    f"{name} must have shape (..., n, d_model) with d_model = {self.w_q.shape[1]}, got {x.shape}"
                )
            check_finite(x, name)
        try:
            batch = np.broadcast_shapes(x_q.shape[:-2], x_kv.shape[:-2])
        except ValueError:
            raise ValueError(
                f"the batch axes of x_q and x_kv do not fit, got shapes {x_q.shape} and {x_kv.shape}"
            ) from None
        if mask is not None:
            mask = self._mask_with_heads(np.asarray(mask), batch, x_q.shape[-2], x_kv.shape[-2])
        dtype = np.result_type(x_q, x_kv, *(getattr(self, name) for name in self._given()))
        x_q, x_kv = (x.astype(working_dtype(dtype), copy=False) for x in (x_q, x_kv))
        q, k = self._project(x_q, self.w_q, self.b_q), self._project(x_kv, self.w_k, self.b_k)
        heads, weights = scaled_dot_product_attention(q, k, self._project(x_kv, self.w_v, self.b_v), mask)
        return heads, weights, dtype

    def _project(self, x: Floats, w: Floats, bias: Floats | None) -> Floats:
        """All heads in one product: [n, d_model] @ [d_model, n_heads · d] -> [n_heads, n, d]."""
        return split_heads(
            _product(x, merge_heads(w), None if bias is None else bias.reshape(-1)), self.n_heads
        )

    def _mask_with_heads(
        self, mask: NDArray[Any], batch: tuple[int, ...], n_q: int, n_k: int
    ) -> NDArray[Any]:
        """Return the mask with a head axis. The number of its axes alone says what they mean."""
        full = (*batch, self.n_heads, n_q, n_k)
        expected: tuple[int, ...]
        if mask.ndim == 2:
            with_heads, expected = mask, (n_q, n_k)
        elif mask.ndim == len(batch) + 2:
            with_heads, expected = np.expand_dims(mask, -3), (*batch, n_q, n_k)
        else:
            with_heads, expected = mask, full
        fits = len(expected) == mask.ndim and all(
            size in (1, wanted) for size, wanted in zip(mask.shape, expected, strict=True)
        )
        if not fits:
            every = ", ".join(str(shape) for shape in dict.fromkeys([(n_q, n_k), (*batch, n_q, n_k), full]))
            raise ValueError(
                f"mask has shape {mask.shape}, but for batch axes {batch}, {self.n_heads} heads, {n_q} queries and "
                f"{n_k} keys it must be one of {every} (an axis may be 1); add the axes that are missing"
            )
        return with_heads


def _product(x: Floats, w: Floats, bias: Floats | None) -> Floats:
    """Return x @ w + bias. Overflow is for the next step to find, which says what is too large."""
    with np.errstate(all="ignore"):
        product = np.matmul(x, w.astype(x.dtype, copy=False))
        return product if bias is None else product + bias.astype(x.dtype, copy=False)
