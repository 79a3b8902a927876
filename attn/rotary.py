"""Positions that turn: queries and keys rotated pair by pair, so that a score knows the signed offset.

The conventions of this module, stated once:

* A pair (x, y) at position p becomes (x cos a − y sin a, x sin a + y cos a) with a = ω p, as in Su et al.
  (2021): seen with x to the right and y up, a growing position turns it counterclockwise.
* An offset is the key's position minus the query's, o = j − p, with its sign. A score is Σ_i of |q_i| |k_i|
  cos(ω_i o + φ_i).
* ω_i = base^(−2i/d) is `attn.positional.angular_frequencies`, in radians a position; i counts pairs.

Chapter 1's `shift_matrix(p, d)` has pairs (sine, cosine) and turns the other way: row by row, `rotate(x, p)` is
`x @ shift_matrix(p, d)`, and `x @ shift_matrix(p, d).T` is `rotate(x, -p)`. A program that turns both queries and
keys the other way scores offset o as this one scores −o.
"""

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, check_finite, finite_number, one_of, real_array, whole_number, working_dtype
from attn._guards import checked_inputs
from attn.attention import scaled_dot_product_attention
from attn.positional import angular_frequencies

LAYOUTS = ("interleaved", "halves")
STRETCHES = ("interpolation", "ntk", "yarn")


def rotate(
    x: ArrayLike,
    positions: ArrayLike,
    *,
    base: float = 10_000.0,
    layout: str = "interleaved",
    n_rotary: int | None = None,
    frequencies: ArrayLike | None = None,
) -> Floats:
    r"""Turn each pair of numbers by its frequency times the position: (x, y) → (x cos a − y sin a, x sin a + y cos a).

    Parameters
    ----------
    x : (..., n, d) array
        Queries or keys of one head in each row, d even, 2 or more.
    positions : array
        Where the n rows stand, in words; they need not be whole or start at 0. One number serves all rows, (n,) all
        batches; else it has an axis for each of x but the last, which may be 1: (batch, 1, n) beside
        (batch, heads, n, d). So a batch is not taken for heads.
    base : float, optional
        1 or more: ω_i = base^(−2i/n_rotary). Where `frequencies` are given it is not used.
    layout : {"interleaved", "halves"}
        Which two numbers are a pair: 2i and 2i + 1, or i and i + n_rotary/2.
    n_rotary : int, optional
        How many numbers of a row turn, the first ones: even, 2 … d. Default d. The others stay as they are.
    frequencies : (n_rotary / 2,) array, optional
        How far each pair turns, in radians a position, in place of those that `base` gives. A pair with 0 stands still.

    Returns
    -------
    turned : (..., n, d) array
        Of the float dtype of x; angles are computed in float64. Each pair keeps its length.

    Raises
    ------
    ValueError
        If d or `n_rotary` is odd or too small, the shapes do not fit, a number is not finite, there is no such
        `layout`, `base` is below 1, or a turned number is too large for the dtype.
    TypeError
        If an array does not hold real numbers, or `n_rotary` is not a whole number.

    See Also
    --------
    attn.positional.shift_matrix : the same rotation as a matrix that multiplies rows from the right: rotate(x, p) is
        x @ shift_matrix(p, d).

    References
    ----------
    Su et al. (2021), RoFormer, eq. 15, as chapter 1 cites it. Both layouts are in use: Meta's Llama pairs
    neighbors, its conversion to Transformers reorders the weights to halves (convert_llama_weights_to_hf.py).
    """
    return _turned(x, "x", positions, "positions", base, layout, n_rotary, frequencies)


def to_layout(w: ArrayLike, from_: str, to: str, *, n_heads: int = 1, n_rotary: int | None = None) -> Floats:
    r"""Reorder the columns of W_Q or W_K inside each head, so that code of another layout gives the same scores.

    Parameters
    ----------
    w : (..., n_heads * d) array
        What makes queries or keys, with a head's numbers on the last axis: W_Q of shape (d_model, n_heads * d), or
        (n_heads, d_model, d) with `n_heads` = 1; a bias, or a norm's gain. W_V and W_O stay as they are. PyTorch
        stores the transpose: pass that transposed, and transpose back.
    from_, to : {"interleaved", "halves"}
        The layout that `w` was trained with, and the one that it is to be used with.
    n_heads : int, optional
        How many heads stand side by side on the last axis. Default 1.
    n_rotary : int, optional
        How many of a head's numbers turn, as in `rotate`. Default all.

    Returns
    -------
    w : array of the same shape
        `rotate(x @ to_layout(w, a, b), p, layout=b)` is `to_layout(rotate(x @ w, p, layout=a), a, b)`. The way back
        undoes it. At 4 numbers a head the way there is its own way back, so test a wider head too.

    Raises
    ------
    ValueError
        If there is no such layout, `n_heads` does not divide the last axis, or a head's width or `n_rotary` is odd.
    TypeError
        If `w` does not hold real numbers, or a count is not a whole number.

    References
    ----------
    What `permute` does in convert_llama_weights_to_hf.py of Transformers, from neighbors to halves.
    """
    w = real_array(w, "w")
    one_of(from_, "from_", LAYOUTS)
    one_of(to, "to", LAYOUTS)
    n_heads = whole_number(n_heads, "n_heads", 1)
    if w.ndim == 0 or w.shape[-1] % n_heads:
        raise ValueError(f"w must have a last axis of n_heads = {n_heads} heads, got shape {w.shape}")
    d = w.shape[-1] // n_heads
    n_rotary = _rotary_width(d, n_rotary, "w", f"shape {w.shape} with n_heads = {n_heads}")
    order = np.arange(d)
    source, target = _pairs(from_, n_rotary), _pairs(to, n_rotary)
    for here, there in zip(source, target, strict=True):
        order[there] = np.arange(d)[here]
    return w.reshape(*w.shape[:-1], n_heads, d)[..., order].reshape(w.shape)


def rotary_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    positions: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    *,
    k_positions: ArrayLike | None = None,
    scale: float | None = None,
    base: float = 10_000.0,
    layout: str = "interleaved",
    n_rotary: int | None = None,
    frequencies: ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    r"""Turn queries and keys by their positions, and attend: softmax(rotate(q) rotate(k)ᵀ · scale) v.

    Values are not turned. Where all positions move by the same step, scores stay, and so do weights as long as the
    same keys are visible.

    Parameters
    ----------
    q : (..., n_q, d_k) array
        d_k even.
    k : (..., n_k, d_k) array
    v : (..., n_k, d_v) array
    positions : array, optional
        Of the queries, as in `rotate`. Default 0 … n − 1 where there are as many queries as keys. With a cache there
        are fewer, and no default: the newest query stands at n_k − 1, not at 0.
    mask : array that broadcasts to (..., n_q, n_k), optional
        As in `scaled_dot_product_attention`. It goes by rows and columns, not by positions.
    k_positions : array, optional
        Of the keys. Default: those of the queries, where there are as many.
    scale : float, optional
        Default 1/√d_k.
    base, layout, n_rotary, frequencies
        As in `rotate`.

    Returns
    -------
    output : (..., n_q, d_v) array
    weights : (..., n_q, n_k) array
        As `scaled_dot_product_attention` gives them.

    Raises
    ------
    ValueError
        As `rotate` and `scaled_dot_product_attention`; or if there are fewer queries than keys and positions are
        missing.
    TypeError
        As these two.

    References
    ----------
    Su et al. (2021), RoFormer, as chapter 1 cites it.
    """
    q, k, v, dtype = checked_inputs(q, k, v)
    n_q, n_k = q.shape[-2], k.shape[-2]
    if n_q != n_k and (positions is None or k_positions is None):
        missing = "positions" if positions is None else "k_positions"
        raise ValueError(
            f"{missing} must be given where n_q = {n_q} queries meet n_k = {n_k} keys: say where each of them stands"
        )
    if positions is None:
        positions = np.arange(n_q)
    if k_positions is None:
        k_positions = positions
    how = (base, layout, n_rotary, frequencies)
    output, weights = scaled_dot_product_attention(
        _turned(q, "q", positions, "positions", *how),
        _turned(k, "k", k_positions, "k_positions", *how),
        v,
        mask,
        scale=scale,
    )
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def stretch(
    frequencies: ArrayLike,
    factor: float,
    how: str,
    *,
    n_trained: int | None = None,
    few_turns: float = 1.0,
    many_turns: float = 32.0,
) -> Floats:
    r"""Slow the clocks down, so that a text `factor` times as long shows few angles that training did not.

    Parameters
    ----------
    frequencies : (n_pairs,) array
        In radians a position, above 0, from fast to slow: those of `angular_frequencies`.
    factor : float
        How many times as long the texts become, s: 1 or more. 1 changes nothing.
    how : {"interpolation", "ntk", "yarn"}
        * "interpolation": all clocks by s, as if positions were divided by s.
        * "ntk": clock i by s^(i/(n_pairs − 1)): the fastest stays, and with two pairs or more the slowest is divided
          by s. With the clocks of a base this is the same as a base that is s^(d/(d − 2)) times as large.
        * "yarn": clocks that make `many_turns` or more in `n_trained` words stay, those that make `few_turns`
          or fewer are divided by s, and between them the share that is divided falls linearly with the turns.
          YaRN also multiplies all scores by (0.1 ln s + 1)²; that is a `scale`, and not done here.
    n_trained : int, optional
        How long the texts of training were, in words, 1 or more: for "yarn" alone.
    few_turns, many_turns : float, optional
        For "yarn": 1 and 32, which its authors took for Llama.

    Returns
    -------
    frequencies : (n_pairs,) array of float64
        For `rotate`.

    Raises
    ------
    ValueError
        If `frequencies` are not finite, above 0 and falling, `factor` is below 1, there is no such `how`,
        `n_trained` is missing where it is needed, or `few_turns` and `many_turns` do not rise from 0.
    TypeError
        If an argument does not hold numbers.

    References
    ----------
    Chen et al. (2023), position interpolation; Peng et al. (2023), YaRN, for "yarn"; of both the abstract was opened.
    bloc97 (2023), a post, for "ntk", at second hand. The code of YaRN's authors and of Transformers, which was opened,
    lets the share fall linearly with the pair's number, between two whole numbers, and so has other clocks.
    "Stretch the context", a further page of chapter 8, says what each does to each clock.
    """
    clocks = real_array(frequencies, "frequencies").astype(np.float64)
    if clocks.ndim != 1 or len(clocks) == 0:
        raise ValueError(
            f"frequencies must have shape (n_pairs,), n_pairs 1 or more, got shape {clocks.shape}"
        )
    check_finite(clocks, "frequencies")
    if clocks[-1] <= 0 or (np.diff(clocks) > 0).any():
        raise ValueError(
            f"frequencies must fall from fast to slow and stay above 0, got {clocks.max():g} … {clocks[-1]:g}"
        )
    factor = finite_number(factor, "factor")
    if factor < 1:
        raise ValueError(f"factor must be 1 or more, such as 4 for texts 4 times as long, got {factor:g}")
    one_of(how, "how", STRETCHES)
    if how == "interpolation":
        return clocks / factor
    if how == "ntk":
        return clocks * factor ** -np.linspace(0, 1, len(clocks))
    if n_trained is None:
        raise ValueError(
            "n_trained must be given for 'yarn': it asks how many turns a clock made in training"
        )
    n_trained = whole_number(n_trained, "n_trained", 1)
    few_turns, many_turns = finite_number(few_turns, "few_turns"), finite_number(many_turns, "many_turns")
    if not 0 <= few_turns < many_turns:
        raise ValueError(
            f"few_turns must be 0 or more and below many_turns, got {few_turns:g} and {many_turns:g}"
        )
    turns = n_trained * clocks / (2 * np.pi)
    stays = np.clip((turns - few_turns) / (many_turns - few_turns), 0, 1)
    return clocks * (stays + (1 - stays) / factor)


def _turned(
    x: ArrayLike,
    name: str,
    positions: ArrayLike,
    positions_name: str,
    base: float,
    layout: str,
    n_rotary: int | None,
    frequencies: ArrayLike | None,
) -> Floats:
    """Turn the rows of `x`; errors call it and its positions by these names."""
    x = real_array(x, name)
    if x.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes, (..., n, d), got shape {x.shape}")
    check_finite(x, name)
    places = _places(positions, positions_name, x, name)
    one_of(layout, "layout", LAYOUTS)
    n_rotary = _rotary_width(x.shape[-1], n_rotary, name, f"shape {x.shape}")
    angles = places[..., None] * _clocks(frequencies, n_rotary, base)
    turned = x.astype(working_dtype(x.dtype))
    cos, sin = np.cos(angles).astype(turned.dtype), np.sin(angles).astype(turned.dtype)
    first, second = _pairs(layout, n_rotary)
    a, b = turned[..., first].copy(), turned[..., second].copy()
    with np.errstate(over="ignore"):  # it is looked for below
        turned[..., first] = a * cos - b * sin
        turned[..., second] = a * sin + b * cos
        turned = turned.astype(x.dtype, copy=False)
    if not np.isfinite(turned).all():
        raise ValueError(f"{name} is too large: turned, it overflows {x.dtype}")
    return turned


def _places(positions: ArrayLike, name: str, x: Floats, x_name: str) -> Floats:
    """Return the positions in float64, of a shape that broadcasts to the rows of `x` and to no others."""
    places = real_array(positions, name).astype(np.float64)
    check_finite(places, name)
    rows = x.shape[:-1]
    fits = places.ndim == 0 or (
        places.ndim in (1, len(rows))
        and places.shape[-1] == rows[-1]
        and all(mine in (1, theirs) for mine, theirs in zip(places.shape[-2::-1], rows[-2::-1], strict=False))
    )
    if not fits:
        raise ValueError(
            f"{name} must be one number, have shape ({rows[-1]},), or have an axis for each of {rows} (it may be 1), "
            f"as {x_name} has shape {x.shape}; got shape {places.shape}"
        )
    return places


def _rotary_width(d: int, n_rotary: int | None, name: str, got: str) -> int:
    """Return how many of a head's d numbers turn."""
    if d == 0 or d % 2:
        raise ValueError(
            f"{name} must have an even number d of columns a head, 2 or more, as they turn in pairs, got {got}"
        )
    if n_rotary is None:
        return d
    n_rotary = whole_number(n_rotary, "n_rotary", 2)
    if n_rotary % 2 or n_rotary > d:
        raise ValueError(f"n_rotary must be even and at most d = {d}, got {n_rotary}")
    return n_rotary


def _clocks(frequencies: ArrayLike | None, n_rotary: int, base: float) -> Floats:
    """Return the frequencies that are given, or those of the base."""
    of_base = angular_frequencies(n_rotary, base)
    if frequencies is None:
        return of_base
    clocks = real_array(frequencies, "frequencies").astype(np.float64)
    if clocks.shape != of_base.shape:
        raise ValueError(
            f"frequencies must have shape ({n_rotary // 2},), one for each pair of the {n_rotary} numbers that turn, "
            f"got shape {clocks.shape}"
        )
    check_finite(clocks, "frequencies")
    return clocks


def _pairs(layout: str, n_rotary: int) -> tuple[slice, slice]:
    """Return where the first numbers of all pairs stand in a row, and where the second."""
    if layout == "interleaved":
        return slice(0, n_rotary, 2), slice(1, n_rotary, 2)
    return slice(0, n_rotary // 2), slice(n_rotary // 2, n_rotary)
