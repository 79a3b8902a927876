"""Audits of attention code, anybody's: each calls it on small inputs and says in words what is wrong.

What is audited is a callable, `attend(q, k, v) -> output`. Nothing is known of its inside: an audit changes what goes
in and watches what comes out. It returns a `Finding`, which is true if something is wrong, and prints as sentences:

>>> print(leaks(my_attention))  # doctest: +SKIP
>>> assert not leaks(my_attention, like=torch.zeros(2, 4, 6, 16))  # doctest: +SKIP

The audits of a callable share three arguments:

like : array, or tuple of arrays, optional
    Whose shapes, dtypes and devices the inputs get: arrays of NumPy, tensors of PyTorch, or arrays of any library that
    has the array API. One array serves q, k and v; a tuple has one for each argument, `like=(q, k, v)`. A layer that
    makes its own q, k and v takes `like=(x,)`, a language model `like=(ids,)`: whole numbers are ids, and only those
    that occur in `like` are put in. Other numbers are drawn anew, so what decides the mask, such as lengths, goes
    inside: `lambda x: layer(x, lengths)`. Default: arrays of NumPy, (6, 8).
tokens : int, optional
    The axis of the tokens, counted from 0, in what goes in and in what comes out. Default: the last but one, as in
    (..., n, d); of ids the last, as in (batch, n), which gives logits (batch, n, n_vocab).
seed : int
    The numbers that are drawn depend on it.

If `attend` returns a tuple, its first part counts. Dropout must be off.
"""

import copy
import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arrays import Floats, one_of, whole_number
from attn._numbers import significant
from attn.masks import causal_mask
from attn.practice.mistakes import attention as say
from attn.practice.mistakes import masking as say_mask
from attn.practice.mistakes.turning import COLUMNS
from attn.rotary import LAYOUTS

# How far two numbers may be apart, in parts of their size, by the bytes of the shortest dtype.
_ROUNDING = {8: 1e-6, 4: 1e-4, 2: 0.005}


@dataclass(frozen=True, repr=False)
class Finding:
    """What an audit found: true if something is wrong; printed, it says what.

    Attributes
    ----------
    wrong : tuple of str
        What is wrong, a thing each.
    found
        What was measured; each audit says what that is.
    note : str
        What the audit saw besides, or could not tell. It makes nothing wrong.
    told : bool
        False if the audit could not tell what it was asked: then the note says so, and nothing else is printed.
    """

    wrong: tuple[str, ...]
    found: Any = None
    note: str = ""
    told: bool = True

    def __bool__(self) -> bool:
        return bool(self.wrong)

    def __str__(self) -> str:
        nothing = ("Nothing wrong was found.",) if self.told else ()
        said = [*(self.wrong or nothing), *filter(None, [self.note])]
        return "\n".join(textwrap.fill(text, 76, break_on_hyphens=False) for text in said)

    __repr__ = __str__


# The audits -------------------------------------------------------------------------------------------------------


def leaks(
    attend: Callable,
    mask: ArrayLike | None = None,
    *,
    like: Any = None,
    tokens: int | None = None,
    seed: int = 0,
) -> Finding:
    """Look for outputs that know what they may not: hidden tokens, other queries, other sequences of the batch.

    One token after the other is changed, and an output that may not look at it has to stay the same to the last bit.
    So shapes stay as they are, and no tolerance is needed: rounding is the same in both calls.

    Parameters
    ----------
    attend : callable
        `attend(q, k, v) -> output`, its mask inside; or what `like` says.
    mask : array that broadcasts to (..., n_q, n_k), of bool, optional
        True where query i may look at key j. Default causal, the last query beside the last key.
    like, tokens, seed
        See `attn.audit`.

    Returns
    -------
    finding : Finding
        `found` is (..., n_q, n_k), of bool: True where changing token j moves output i, which may not look at it.

    Raises
    ------
    TypeError
        If `like` holds no arrays, or the mask is not Boolean.
    ValueError
        If the mask does not fit, an output has other tokens than its queries, or `like` holds one id alone.

    References
    ----------
    Chapter 3, and *Measure a leak*.
    """
    probe = _Probe(attend, like, tokens, seed)
    if drawn := probe.unsteady():
        return Finding((drawn,))
    reach = _Reach(probe, mask)
    return Finding(
        (
            *reach.rows_of_nan(),
            *reach.hidden_that_move(),
            *_queries_that_move_others(probe),
            *_mixed_axes(probe),
        ),
        reach.leaked,
    )


def mask_audit(
    attend: Callable,
    mask: ArrayLike | None = None,
    *,
    like: Any = None,
    tokens: int | None = None,
    seed: int = 0,
) -> Finding:
    """Hold what moves an output against what its mask allows: leaks, and tokens that are hidden in error.

    It also looks at the rows that are NaN, and at those that may look at nothing.

    Parameters
    ----------
    attend : callable
        `attend(q, k, v) -> output`, its mask inside; or what `like` says. With `like=(x,)` a token also reaches its own
        output as the one that asks, so there the diagonal says nothing of the mask.
    mask : array that broadcasts to (..., n_q, n_k), of bool, optional
        The mask that `attend` should have, True where query i may look at key j. Default causal, the last query beside
        the last key.
    like, tokens, seed
        See `attn.audit`.

    Returns
    -------
    finding : Finding
        `found` is (..., n_q, n_k), whole numbers: 1 where changing token j moves output i, which may not look at it;
        −1 where it moves nothing though i may look at it; else 0.

    Raises
    ------
    TypeError
        If `like` holds no arrays, or the mask is not Boolean.
    ValueError
        If the mask does not fit, an output has other tokens than its queries, or `like` holds one id alone.

    References
    ----------
    Chapter 3, and *Measure a leak*.
    """
    probe = _Probe(attend, like, tokens, seed)
    if drawn := probe.unsteady():
        return Finding((drawn,))
    reach = _Reach(probe, mask)
    faults = reach.leaked.astype(int) - (reach.mask & ~reach.moved)
    faults[reach.nan] = 0
    return Finding(
        (
            *reach.rows_of_nan(),
            *reach.empty_rows_that_move(),
            *reach.hidden_that_move(),
            *reach.seen_in_vain(),
        ),
        faults,
    )


def softmax_audit(
    attend: Callable,
    *,
    scale: float | None = None,
    like: Any = None,
    tokens: int | None = None,
    seed: int = 0,
) -> Finding:
    """Recover the weights from outputs, and ask whether they are softmax(q kᵀ · scale), row by row.

    Values that are 1 in one place and 0 elsewhere make the outputs the weights. Their logarithms, against q kᵀ, give
    the scale.

    Parameters
    ----------
    attend : callable
        `attend(q, k, v) -> output`, with any mask.
    scale : float, optional
        The scale that is right. Default 1/√d_k.
    like, tokens, seed
        See `attn.audit`.

    Returns
    -------
    finding : Finding
        `found` is the scale, or None where the weights are not a softmax of one number times q kᵀ, as with rotary
        positions or a bias inside.

    Raises
    ------
    TypeError
        If `like` holds no arrays.
    ValueError
        If `attend` does not take q, k and v, or its output is not as wide as v.

    References
    ----------
    Chapters 0 and 2.
    """
    probe = _Probe(attend, like, tokens, seed)
    if drawn := probe.unsteady():
        return Finding((drawn,))
    q, k, v = probe.three("softmax_audit")
    weights, near = probe.weights(q, k, v), probe.rounding
    if np.isnan(weights).any():
        return Finding(("Some weights are NaN: mask_audit says in which rows.",))
    mixed, output = weights @ probe.repeated(v), probe.in_front(probe(q, k, v))
    if mixed.shape != output.shape or np.abs(mixed - output).max() > 10 * near * (1 + np.abs(output).max()):
        note = "Could not tell the scale: the output is not weights @ v with weights of q and k alone."
        return Finding((), None, note, told=False)

    scores = probe.in_front(q) @ np.swapaxes(probe.repeated(k), -1, -2)
    found, off = _slope(scores, weights, -1)
    sums = weights.sum(axis=-1)
    wrong: list[str] = []
    uneven = (np.abs(sums - 1) > 10 * near) & (weights != 0).any(axis=-1)
    if (weights < -near).any():
        wrong.append(say.NO_SOFTMAX)
    elif uneven.any():
        down, off_down = _slope(scores, weights, -2)
        in_columns = weights.sum(axis=-2)[(weights != 0).any(axis=-2)]
        if off_down <= 10 * near and (np.abs(in_columns - 1) <= 10 * near).all():
            wrong, found, off = [COLUMNS], down, off_down
        else:
            wrong.append(_uneven_rows(weights, scores, found, off, near))
    if found is None or off > 10 * near:
        note = (
            "Could not tell the scale: the logarithms of the weights are not one number times q kᵀ. Positions, a bias, "
            "a norm or a cap inside?"
        )
        return Finding(tuple(wrong), None, note, told=False)
    if words := _wrong_scale(found, scale, near, q.shape[-1], probe.n_k, v.shape[-1]):
        wrong.append(words)
    return Finding(tuple(wrong), found)


def rotary_audit(
    attend: Callable,
    *,
    layout: str | None = None,
    like: Any = None,
    tokens: int | None = None,
    seed: int = 0,
) -> Finding:
    """Ask an attention with rotary positions inside whether its scores know the offset alone, and which layout it has.

    The same tokens are put one place later, and the ratios of their weights have to stay. Then queries and keys with
    one number that is not 0 show which two numbers are a pair.

    Parameters
    ----------
    attend : callable
        `attend(q, k, v) -> output` that turns q and k inside, row i by place i; with any mask.
    layout : {"interleaved", "halves"}, optional
        The layout that the weights were made for: pairs of neighbors, as in Meta's Llama; or number i with i + d/2, as
        in Transformers.
    like, tokens, seed
        See `attn.audit`. Four tokens or more.

    Returns
    -------
    finding : Finding
        `found` is the layout, or None where none is seen.

    Raises
    ------
    TypeError
        If `like` holds no arrays.
    ValueError
        If there is no such layout, `attend` does not take q, k and v, its output is not as wide as v, or there are
        fewer than four tokens, or not as many queries as keys.

    References
    ----------
    Chapter 8.
    """
    if layout is not None:
        one_of(layout, "layout", LAYOUTS)
    probe = _Probe(attend, like, tokens, seed)
    if drawn := probe.unsteady():
        return Finding((drawn,))
    q, k, v = probe.three("rotary_audit")
    if probe.n_q != probe.n_k or probe.n_q < 4:
        raise ValueError(
            f"rotary_audit takes 4 tokens or more, q and k of as many, got {probe.n_q} and {probe.n_k}"
        )
    later_q, later_k = (np.roll(x, 1, axis=probe.axis) for x in (q, k))  # the last one comes first
    here, there = probe.weights(q, k, v), probe.weights(later_q, later_k, v)
    if _apart(here[..., :-1, :-1], there[..., 1:, 1:]) > 10 * probe.rounding:
        return Finding((_not_the_offset(probe, q, k, v),))
    partners = _partners(probe, q, k, v)
    if len(partners) != 1:
        note = "Many numbers are pairs of the first." if partners else "No pair that turns was seen."
        return Finding((), None, note)
    found = "interleaved" if partners == [1] else "halves"
    if layout is None or layout == found:
        return Finding((), found, f"Pairs are {_PAIRS[found]}.")
    wrong = (
        f"Pairs are {_PAIRS[found]}, the weights are made for {_PAIRS[layout]}. Reorder the columns of W_Q and W_K: "
        f"attn.rotary.to_layout(w, {layout!r}, {found!r}, n_heads=…)."
    )
    return Finding((wrong,), found)


def cache_audit(
    attend: Callable,
    stepwise: Callable | None = None,
    *,
    like: Any = None,
    tokens: int | None = None,
    seed: int = 0,
    tolerance: float | None = None,
) -> Finding:
    """Compare one pass over all tokens with the same tokens one after the other, as a cache computes them.

    Parameters
    ----------
    attend : callable
        `attend(q, k, v) -> output`, causal; or what `like` says.
    stepwise : callable, optional
        The other program: takes the same as `attend`, feeds it to its cache one token after the other, and returns the
        outputs of all. Default: `attend` itself, called with the last query, or the last two, and the keys and values
        so far.
    like, tokens, seed
        See `attn.audit`.
    tolerance : float, optional
        How far apart the two may be, in parts of the largest output. Default 1e-5 for numbers of 8 bytes, 1e-3 of 4,
        0.05 of 2: other shapes are rounded otherwise.

    Returns
    -------
    finding : Finding
        `found` is (n,): how far apart the two outputs of each token are.

    Raises
    ------
    TypeError
        If `like` holds no arrays.
    ValueError
        If the outputs differ in shape, or without `stepwise`, if `attend` does not take as many queries as keys.

    References
    ----------
    Chapter 3, *Masks of other shapes*.
    """
    probe = _Probe(attend, like, tokens, seed)
    if drawn := probe.unsteady():
        return Finding((drawn,))
    whole = probe(*probe.inputs)
    if stepwise is not None:
        ways = {"token by token": _Probe(stepwise, like, tokens, seed)(*probe.inputs)}
    else:
        probe.three("cache_audit")
        if probe.n_q != probe.n_k:
            raise ValueError(f"cache_audit takes as many queries as keys, got {probe.n_q} and {probe.n_k}")
        ways = {
            f"{word} at a time": probe.stepwise(step) for step, word in ((1, "one token"), (2, "two tokens"))
        }
    near = tolerance if tolerance is not None else 10 * probe.rounding
    worst = np.zeros(probe.n_q)
    wrong: list[str] = []
    for way, output in ways.items():
        if output.shape != whole.shape:
            raise ValueError(f"outputs in one pass have shape {whole.shape}, {way} they have {output.shape}")
        apart = probe.size(whole, output).reshape(-1, probe.n_q).max(axis=0)
        worst = np.maximum(worst, apart)
        late = np.flatnonzero(apart > near * np.abs(whole).max())
        if late.size and not wrong:
            t = int(late[0])
            first = f"From a cache, {way}, output {t} is {significant(float(apart[t]), 3)} from what one pass gives."
            if stepwise is None:
                cause = _why_the_cache_differs(probe, 1 if "one" in way else 2)
            else:
                cause = _EMPTY_CACHE if t == 0 else _OLD_CACHE
            wrong.append(f"{first} {cause}")
    return Finding(tuple(wrong), worst)


def heads_audit(weights: ArrayLike) -> Finding:
    """Look at weights that a model has made: heads alike, one key that takes all, saturated rows, flat rows.

    Rows that see one key alone are left out. What is said here is not always wrong: trained models have heads that
    look at the first token most of the time.

    Parameters
    ----------
    weights : (..., n_heads, n_q, n_k) array or tensor
        Rows sum to one; a row that may look at nothing may be 0.

    Returns
    -------
    finding : Finding
        `found` is a dict: "alike" (n_heads, n_heads), how far the weights of two heads are apart at most; "largest"
        (n_heads,), the median over rows of the largest weight; "key" and "share" (n_heads,), the key with the most
        weight, and its mean weight.

    Raises
    ------
    ValueError
        If it is a tuple, there are fewer than three axes, a row doesn't sum to 1, or no row sees two keys.

    References
    ----------
    Chapters 2 and 4.
    """
    if isinstance(weights, tuple):
        raise ValueError(
            f"weights must be one array, got a tuple of {len(weights)}: these are not weights of one layer"
        )
    w = _numbers(weights)
    if w.ndim < 3:
        raise ValueError(f"weights must have 3 axes or more, (..., n_heads, n_q, n_k), got shape {w.shape}")
    if np.isnan(w).any():
        return Finding(("Some weights are NaN: mask_audit says in which rows.",))
    sums = w.sum(axis=-1)[(w != 0).any(axis=-1)]
    if (w < 0).any() or (np.abs(sums - 1) > 0.05).any():
        low, high = (significant(float(x), 3) for x in (sums.min(), sums.max()))
        raise ValueError(
            f"rows of weights must be positive and sum to 1, got sums of {low} … {high}: these are not weights"
        )
    n_heads = w.shape[-3]
    rows = np.moveaxis(w, -3, 0).reshape(n_heads, -1, w.shape[-1])
    rows = rows[:, (np.count_nonzero(rows, axis=-1) > 1).any(axis=0)]
    if rows.shape[1] == 0:
        raise ValueError("no row of the weights sees two keys: there is nothing to compare")
    alike = np.abs(rows[:, None] - rows).max(axis=(-1, -2))
    largest = np.median(rows.max(axis=-1), axis=1)
    shares = rows.mean(axis=1)
    wrong = []
    if same := [(a, b) for a in range(n_heads) for b in range(a + 1, n_heads) if alike[a, b] < 1e-6]:
        wrong.append(
            f"Heads {same[0][0]} and {same[0][1]} have the same weights"
            + (f", and so have {len(same)} pairs in all. " if len(same) > 1 else ". ")
            + "Did they start equal? Equal heads get equal gradients. Or is one head's part copied to all?"
        )
    taken = shares.max(axis=1) > 0.9
    if taken.any():
        h = int(np.argmax(taken))
        wrong.append(
            f"In head {h} key {shares[h].argmax()} takes {shares[h].max():.2f} of all weight ({taken.sum()} of "
            f"{n_heads} heads do so): a sink. In a trained model, at the first token, that is common."
        )
    if (sharp := (largest > 0.99) & ~taken).any():
        wrong.append(
            f"In {sharp.sum()} of {n_heads} heads, half of the rows or more give one key over 0.99: the softmax is "
            f"saturated, and hardly any gradient passes. {say.NO_ROOT}"
        )
    seen = rows > 0
    even = np.where(seen, 1 / np.maximum(seen.sum(axis=-1, keepdims=True), 1), 0)
    if (flat := np.abs(rows - even).max(axis=(-1, -2)) < 1e-3).any():
        wrong.append(
            f"In {flat.sum()} of {n_heads} heads all rows are flat, equal weights for whatever they see: are the "
            "scores all 0, or divided twice?"
        )
    found = {"alike": alike, "largest": largest, "key": shares.argmax(axis=1), "share": shares.max(axis=1)}
    return Finding(tuple(wrong), found)


# What goes in and what comes out ----------------------------------------------------------------------------------


def _numbers(x: Any) -> Floats:
    """Return an array or a tensor of any dtype, wherever it lives, as an array of float64."""
    if hasattr(x, "detach"):  # PyTorch: perhaps with a gradient, on another device, or of bfloat16
        x = x.detach().cpu().double()
    return np.asarray(x).astype(np.float64)


def _tensor(x: Floats, like: Any) -> Any:
    """Return the array as what `like` is: of its library, dtype and device."""
    if hasattr(like, "new_tensor"):
        return like.new_tensor(x)
    return like.__array_namespace__().asarray(x.copy(), dtype=like.dtype)


def _rounding(x: Any) -> float:
    return _ROUNDING.get(getattr(getattr(x, "dtype", None), "itemsize", 8), 1e-6)


class _Probe:
    """A callable, what it is called with, and the ways to change that."""

    def __init__(self, attend: Callable, like: Any, tokens: int | None, seed: int) -> None:
        like = np.zeros((6, 8)) if like is None else like
        self.attend = attend
        self.likes: Sequence[Any] = tuple(like) if isinstance(like, tuple | list) else (like,) * 3
        for one in self.likes:
            if not (hasattr(one, "new_tensor") or hasattr(one, "__array_namespace__")):
                raise TypeError(
                    "like must be an array or a tensor, or a tuple of those, such as np.zeros((6, 8)), got "
                    f"{type(one).__name__}"
                )
        self.whole = [_numbers(_tensor(np.array([0.5]), one))[0] != 0.5 for one in self.likes]
        last = len(self.likes[0].shape) - (1 if self.whole[0] else 2)
        self.axis = last if tokens is None else whole_number(tokens, "tokens", 0)
        self.rng = np.random.default_rng(seed)
        self.rounding = 1e-6
        self.inputs = [self._drawn(place) for place in range(len(self.likes))]
        self.n_q, self.n_k = (self.inputs[at].shape[self.axis] for at in (0, min(1, len(self.inputs) - 1)))

    def _drawn(self, place: int) -> Floats:
        """Draw an input: queries and keys so short that no weight vanishes, even without a scale."""
        like = self.likes[place]
        if self.whole[place]:
            ids = _numbers(like)
            if len(np.unique(ids)) < 2:
                raise ValueError(
                    "like must hold two different ids or more, to put one in the place of another"
                )
            return ids
        x = self.rng.normal(size=tuple(like.shape))
        if len(self.likes) == 3 and place < 2:
            x *= x.shape[-1] ** -0.25
        return _numbers(_tensor(x, like))

    def __call__(self, *inputs: Floats) -> Floats:
        """Call the callable: its output, (..., d) with the tokens on their axis."""
        with np.errstate(all="ignore"):
            output = self.attend(*(_tensor(x, like) for x, like in zip(inputs, self.likes, strict=True)))
        if isinstance(output, tuple | list):
            output = output[0]
        floats = [like for like, whole in zip(self.likes, self.whole, strict=True) if not whole]
        self.rounding = max(map(_rounding, [output, *floats]))
        y = _numbers(output)
        y = y[..., None] if y.ndim == self.axis + 1 else y
        n = inputs[0].shape[self.axis]
        if y.ndim < self.axis + 2 or y.shape[self.axis] != n:
            raise ValueError(
                f"the output must have {n} tokens on axis {self.axis}, got shape {y.shape} for an input of shape "
                f"{inputs[0].shape}"
            )
        return y

    def three(self, name: str) -> list[Floats]:
        """Return q, k and v, or raise a ValueError that says that `name` needs them."""
        if len(self.inputs) != 3:
            raise ValueError(
                f"{name} takes a callable of q, k and v: like has {len(self.inputs)} parts, not 3"
            )
        return self.inputs

    def unsteady(self) -> str:
        """Say so if the same input gives two outputs."""
        size = self.size(self(*self.inputs), self(*self.inputs)).max()
        if not size:
            return ""
        return (
            f"The same input gives two outputs, {significant(float(size), 3)} apart. Is dropout on, is something "
            "drawn, or kept from one call to the next? Audit it without."
        )

    def size(self, before: Floats, after: Floats) -> Floats:
        """How far each output moved, (..., n_q): the largest difference in it; NaN where a number was is ∞."""
        with np.errstate(all="ignore"):
            same = (before == after) | (np.isnan(before) & np.isnan(after))
            size = np.where(same, 0.0, np.abs(before - after))
        return np.moveaxis(np.nan_to_num(size, nan=np.inf).max(axis=-1), self.axis, -1)

    def changed(self, which: Sequence[int], axis: int, j: int, way: int) -> list[Floats]:
        """Return the inputs with what stands at `j` of an axis changed, in those of `which`."""
        inputs = list(self.inputs)
        for place in which:
            x = inputs[place] = inputs[place].copy()
            here = (slice(None),) * axis + (j,)
            if self.whole[place]:
                ids = np.unique(x)
                x[here] = ids[(np.searchsorted(ids, x[here]) + way) % len(ids)]
            else:
                # a value far away, so that a small weight shows; a key near, so that no weight vanishes
                far = 100.0 if len(self.inputs) == 3 and place == 2 else 1.0
                x[here] += way * far * self.rng.normal(size=x[here].shape)
        return inputs

    def influence(self, *which: int) -> Floats:
        """How far changing each token of these inputs moves each output: (..., n_q, n)."""
        before = self(*self.inputs)
        return np.stack(
            [
                np.max(
                    [self.size(before, self(*self.changed(which, self.axis, j, way))) for way in (1, -1)],
                    axis=0,
                )
                for j in range(self.inputs[which[0]].shape[self.axis])
            ],
            axis=-1,
        )

    def in_front(self, x: Floats) -> Floats:
        """Return an input or output with its tokens on the last axis but one."""
        return np.moveaxis(x, self.axis, -2)

    def repeated(self, x: Floats) -> Floats:
        """Return keys or values (..., n_k, d), each repeated for the query heads that share it."""
        x, lead = self.in_front(x), self.in_front(self.inputs[0]).shape[:-2]
        for axis, n in enumerate(lead):
            if x.shape[axis] != n and n % x.shape[axis] == 0:
                x = np.repeat(x, n // x.shape[axis], axis=axis)
        return x

    def weights(self, q: Floats, k: Floats, v: Floats) -> Floats:
        """Recover the weights (..., n_q, n_k): the outputs of values with a single 1, a few keys at a time."""
        parts = []
        for start in range(0, self.n_k, v.shape[-1]):
            ones = np.zeros(v.shape)
            n = min(v.shape[-1], self.n_k - start)
            self.in_front(ones)[..., start + np.arange(n), np.arange(n)] = 1
            output = self(q, k, ones)
            if output.shape[-1] != v.shape[-1]:
                raise ValueError(f"the output must be as wide as v, {v.shape[-1]}, got shape {output.shape}")
            parts.append(self.in_front(output)[..., :n])
        return np.concatenate(parts, axis=-1)

    def stepwise(self, step: int) -> Floats:
        """Return the outputs from a cache: the last `step` queries, with all keys and values so far."""
        q, k, v = self.inputs
        outputs = []
        for end in range(1, self.n_q + 1):
            start = max(end - step, 0)
            part = self(*(np.take(x, range(a, end), self.axis) for x, a in ((q, start), (k, 0), (v, 0))))
            outputs.append(np.take(part, [-1] if end > 1 else range(end), self.axis))
        return np.concatenate(outputs, axis=self.axis)


# Masks ------------------------------------------------------------------------------------------------------------


class _Reach:
    """Which tokens move which outputs, and which may."""

    def __init__(self, probe: _Probe, mask: ArrayLike | None) -> None:
        self.probe = probe
        self.three = len(probe.inputs) == 3
        if self.three:
            self.by_key, self.by_value = probe.influence(1), probe.influence(2)
            self.sizes = np.maximum(self.by_key, self.by_value)
        else:
            self.by_key = self.by_value = self.sizes = probe.influence(*range(len(probe.inputs)))
        self.moved: NDArray[np.bool_] = np.asarray(self.sizes > 0)
        self.mask = self._expected(mask)
        n_q, n_k = self.mask.shape[-2:]
        asks = (
            not self.three and n_q == n_k
        )  # a token moves its own output as the one that asks, even if hidden
        self.leaked = self.moved & ~self.mask & ~(np.eye(n_q, n_k, dtype=bool) & asks)
        self.nan = np.moveaxis(np.asarray(np.isnan(probe(*probe.inputs)).any(axis=-1)), probe.axis, -1)
        self.empty = np.asarray(~self.mask.any(axis=-1))

    def _expected(self, mask: Any) -> NDArray[np.bool_]:
        shape = self.moved.shape
        if mask is None:
            n_q, n_k = shape[-2:]
            return np.broadcast_to(causal_mask(n_q, n_k, offset=n_k - n_q), shape)
        if not str(getattr(mask, "dtype", "")).endswith("bool"):
            raise TypeError(f"mask must be an array of bool, True = may look, got {type(mask).__name__}")
        array = _numbers(mask) > 0
        try:
            return np.broadcast_to(array, shape)
        except ValueError:
            raise ValueError(
                f"mask of shape {array.shape} does not broadcast to (..., n_q, n_k) = {shape}"
            ) from None

    def hidden_that_move(self) -> list[str]:
        wrong = self.leaked & ~self.empty[..., None]
        if not wrong.any():
            return []
        *lead, i, j = np.argwhere(wrong)[0]
        count = f"{wrong.sum()} of {(~self.mask & ~self.empty[..., None]).sum()} hidden pairs leak"
        size = float(self.sizes[(*lead, i, j)])
        by = "to NaN" if size == np.inf else f"by {significant(size, 3)}"
        first = f"Changing token {j} moves output {i}{_at(lead)}, which may not look at it, {by}; {count}."
        return [f"{first} {self._cause(wrong)}".strip()]

    def seen_in_vain(self) -> list[str]:
        wrong = ~self.moved & self.mask & ~self.nan[..., None]
        if not wrong.any():
            return []
        *lead, i, j = np.argwhere(wrong)[0]
        count = f"{wrong.sum()} of {self.mask.sum()} pairs that may look see nothing"
        first = f"Output {i}{_at(lead)} may look at token {j}, and changing that moves nothing; {count}."
        cause = "" if self.leaked.any() else self._shift()
        return [f"{first} {cause}".strip()]

    def rows_of_nan(self) -> list[str]:
        wrong = []
        for rows, why in (
            (self.nan & self.empty, "may look at nothing, and is NaN: −inf − (−inf) is NaN, and so is 0/0."),
            (
                self.nan & ~self.empty,
                "is NaN, though it may look at some key: is its row hidden from end to end, or a score too large?",
            ),
        ):
            if rows.any():
                *lead, i = np.argwhere(rows)[0]
                wrong.append(f"Output {i}{_at(lead)} {why} {rows.sum()} of {rows.size} outputs are so.")
        return wrong

    def empty_rows_that_move(self) -> list[str]:
        rows = self.empty & self.moved.any(axis=-1) & ~self.nan
        if not rows.any() or not self.three:
            return []
        *lead, i = np.argwhere(rows)[0]
        return [
            f"Output {i}{_at(lead)} may look at nothing, and mixes what is hidden; {rows.sum()} of {rows.size} outputs "
            f"are so. {say_mask.LARGE_NEGATIVE}"
        ]

    def _cause(self, wrong: NDArray[np.bool_]) -> str:
        """Name the mistake that moves just these, in the words of the checkers; or nothing."""
        if self.three and not (self.by_value > 0)[wrong].any():
            small = self.by_key[wrong].max() < self.probe.rounding
            return say_mask.TOO_LATE if small else say_mask.AFTER
        if self._is(~self.mask):
            return say_mask.INVERTED
        if words := self._shift():
            return words
        if self.three and not (self.by_key > 0)[wrong].any():
            return say_mask.ZEROED
        if self._is(np.ones_like(self.mask)):
            return say_mask.NO_EFFECT + ("" if self.three else " Or is it applied after the softmax?")
        return ""

    def _shift(self) -> str:
        """Name the mask that `attend` has instead: transposed, or a triangle in another place; or nothing."""
        n_q, n_k = self.mask.shape[-2:]
        if self._is(self.mask):
            return ""
        if n_q == n_k and self._is(np.swapaxes(self.mask, -1, -2)):
            return say_mask.TRANSPOSED
        if (self.mask == causal_mask(n_q, n_k, offset=n_k - n_q)).all():
            shifts = {n_k - n_q - 1: say_mask.NOT_ITSELF, n_k - n_q + 1: say_mask.ONE_AHEAD}
            if n_q != n_k:
                shifts[0] = say_mask.TOP_LEFT
            for offset, words in shifts.items():
                if self._is(np.broadcast_to(causal_mask(n_q, n_k, offset=offset), self.mask.shape)):
                    return words
        return ""

    def _is(self, mask: NDArray[np.bool_]) -> bool:
        """Whether this mask is what `attend` seems to have, in the rows where it and the right one show a key."""
        same = (self.moved == mask) | (self.empty | self.nan | ~mask.any(axis=-1))[..., None]
        if not self.three and mask.shape[-1] == mask.shape[-2]:
            same |= np.eye(mask.shape[-1], dtype=bool)  # a token moves its own output as the one that asks
        return bool(same.all())


def _at(lead: Sequence[int]) -> str:
    """Say where on the axes before: " of [0, 2]"; nothing if there are none."""
    return f" of [{', '.join(map(str, lead))}]" if len(lead) else ""


def _queries_that_move_others(probe: _Probe) -> list[str]:
    """Say so if changing a query moves another one's output."""
    if len(probe.inputs) != 3:
        return []
    moved = (probe.influence(0) > 0) & ~np.eye(probe.n_q, dtype=bool)
    if not moved.any():
        return []
    *lead, i, j = np.argwhere(moved)[0]
    return [f"Changing query {j} moves output {i}{_at(lead)}, which belongs to another query. {COLUMNS}"]


def _mixed_axes(probe: _Probe) -> list[str]:
    """Say so if changing one sequence of the batch, or one head, moves the outputs of another."""
    before = probe(*probe.inputs)
    wrong = []
    for axis in range(before.ndim - 1):
        sizes = {x.shape[axis] if axis < x.ndim else 1 for x in (*probe.inputs, before)}
        if axis == probe.axis or len(sizes) > 1 or sizes == {1}:
            continue
        after = probe(*probe.changed(range(len(probe.inputs)), axis, 0, 1))
        others = (slice(None),) * axis + (slice(1, None),)
        if probe.size(before[others], after[others]).max() > 0:
            wrong.append(
                f"Changing what stands at 0 of axis {axis} moves outputs at other places of that axis: are sequences, "
                "or heads, mixed? Look for a reshape that should be a transpose first."
            )
    return wrong


_EMPTY_CACHE = (
    "The cache is still empty there: are these the same weights, or is something left in it from before?"
)
_OLD_CACHE = (
    "n_k − n_q tokens came before the first query: do its positions start there, and does the triangle of its mask "
    "end bottom-right?"
)


def _why_the_cache_differs(probe: _Probe, step: int) -> str:
    """Ask which keys the last queries see, and whether the whole pass is causal."""
    q, k, v = probe.inputs
    n = probe.n_k
    if _Reach(probe, None).hidden_that_move():
        return "But in one pass outputs look at the future, which a cache doesn't have: run leaks first."
    last = copy.copy(probe)
    last.inputs, last.n_q = [np.take(q, range(n - step, n), probe.axis), k, v], step
    reach = _Reach(last, None)
    if words := reach._shift():
        return words
    if (reach.moved == reach.mask).all():
        return (
            "Its queries see the right keys. Are positions counted from 0 in each call? With a cache, the last query's "
            f"is {n - 1} here: the number of keys, less one."
        )
    seen = np.flatnonzero(reach.moved.reshape(-1, step, n)[0, 0])
    return f"The last {step} of {n} queries: the first of them sees keys {', '.join(map(str, seen))}."


# Weights ----------------------------------------------------------------------------------------------------------


def _slope(scores: Floats, weights: Floats, axis: int) -> tuple[float | None, float]:
    """Fit log weights = scale · scores + a number for each slice of the axis: the scale, and how far off they are."""
    with np.errstate(all="ignore"):
        y, seen = np.log(weights), weights > 0
        counts = np.maximum(seen.sum(axis=axis, keepdims=True), 1)
        y, x = (np.where(seen, z, 0) for z in (y, np.broadcast_to(scores, weights.shape)))
        x, y = (np.where(seen, z - z.sum(axis=axis, keepdims=True) / counts, 0) for z in (x, y))
    if not (x * x).sum():
        return None, np.inf
    slope = float((x * y).sum() / (x * x).sum())
    return slope, float(np.abs(y - slope * x).max())


def _uneven_rows(weights: Floats, scores: Floats, scale: float | None, off: float, near: float) -> str:
    """Say why rows do not sum to one: no division, one sum for all, masked after the softmax, or none of these."""
    sums = weights.sum(axis=-1)
    if scale is not None and off <= 10 * near:
        seen = weights > 0
        with np.errstate(all="ignore"):
            if np.abs(np.log(weights) - scale * scores)[seen].max() <= 10 * near:
                return say.NO_DIVISION
        if (np.abs(sums.sum(axis=-1) - 1) <= 10 * near).all():
            return say.ONE_SUM
        if (weights == 0).any() and (sums <= 1 + near).all():
            return say_mask.AFTER
    low, high = (significant(float(x), 3) for x in (sums.min(), sums.max()))
    return f"The weights of a row sum to {low} … {high}, not to 1."


def _wrong_scale(found: float, scale: float | None, near: float, d_k: int, n_k: int, d_v: int) -> str:
    """Say which scale it is, if it is not the right one."""
    right = 1 / math.sqrt(d_k) if scale is None else scale
    slack = max(10 * near, 1e-6)
    if abs(found - right) <= slack * abs(right):
        return ""
    known = {
        1.0: say.NO_ROOT,
        1 / d_k: f"{say.BY_D_K} Or is the root applied twice, by you and by a library?",
        math.sqrt(d_k): say.TIMES_ROOT,
        1 / math.sqrt(n_k): say.ROOT_OF_WORDS,
        1 / math.sqrt(d_v): say.ROOT_OF_D_V,
    }
    words = next((text for value, text in known.items() if abs(found - value) <= slack * value), "")
    if (
        not words
        and found > 0
        and (width := 1 / found**2) > 1
        and abs(width - round(width)) <= 2 * slack * width
    ):
        words = f"It is 1/√{round(width)}. {say.ROOT_OF_D_MODEL}"
    return f"The scores are multiplied by {significant(found, 4)}, not by {significant(right, 4)}. {words}".strip()


# Rotary positions -------------------------------------------------------------------------------------------------

_PAIRS = {"interleaved": "neighbors, 2i and 2i + 1", "halves": "halves, i and i + d/2"}


def _logs(weights: Floats) -> Floats:
    """Log weights of each row, less those of the key that it sees first; NaN where nothing is seen."""
    with np.errstate(all="ignore"):
        logs = np.where(weights > 0, np.log(weights), np.nan)
    first = np.expand_dims(np.argmax(weights > 0, axis=-1), -1)
    return logs - np.take_along_axis(logs, first, axis=-1)


def _apart(one: Floats, other: Floats) -> float:
    """How far two tables of weights are apart at most, in logarithms, row by row, where both see a key."""
    gap = np.abs(_logs(one) - _logs(other))
    return float(np.nanmax(gap)) if np.isfinite(gap).any() else 0.0


def _not_the_offset(probe: _Probe, q: Floats, k: Floats, v: Floats) -> str:
    """Say in which way scores depend on places themselves."""
    first = "The weights depend on where tokens stand, and not only on how far apart."
    near = 10 * probe.rounding
    same_q, same_k = (np.repeat(np.take(x, [0], probe.axis), probe.n_k, probe.axis) for x in (q, k))
    if _apart(whole := probe.weights(q, same_k, v), np.where(whole > 0, 1.0, 0.0)) <= near:
        return f"{first} Only the queries are turned: turn the keys too."
    logs = _logs(probe.weights(same_q, k, v))
    spread = np.nanmax(logs, axis=-2) - np.nanmin(logs, axis=-2)
    if np.nanmax(spread) <= near:
        return f"{first} Only the keys are turned: turn the queries too."
    logs = _logs(probe.weights(same_q, same_k, v))
    steps = logs[..., 1:] - logs[..., :-1]
    if np.nanmax(np.abs(steps[..., :-1, 1:] - steps[..., 1:, :-1])) <= near:
        return (
            f"{first} The keys are turned against the queries: then the sum of the places counts. Turn both the same "
            "way."
        )
    return (
        f"{first} Are two layouts mixed? Queries in one and keys in another; or cosines and sines laid out for "
        "neighbors (each twice in a row), and the pairs taken as halves (rotate_half)."
    )


def _partners(probe: _Probe, q: Floats, k: Floats, v: Floats) -> list[int]:
    """Which numbers of a key meet the first number of a query in a score that depends on the place."""
    found = []
    none = np.zeros(q.shape)
    for m in range(1, q.shape[-1]):
        one, other = np.zeros(q.shape), np.zeros(k.shape)
        one[..., 0], other[..., m] = 2, 2
        if _apart(probe.weights(one, other, v), probe.weights(none, other, v)) > 10 * probe.rounding:
            found.append(m)
    return found
