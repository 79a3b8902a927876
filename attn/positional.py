"""Where a token stands, written as waves: the sinusoidal encoding, and the rotation that shifts it (chapter 1)."""

import numpy as np

from attn._arrays import Floats, finite_number, whole_number


def angular_frequencies(d_model: int, base: float = 10000.0) -> Floats:
    r"""Return how far each pair of dimensions turns from one position to the next: ω_i = base^(−2i/d_model).

    Parameters
    ----------
    d_model : int
        Width of the encoding: even, 2 or more. Here i counts *pairs*, 0 … d_model/2 − 1, as in the paper.
    base : float, optional
        1 or more. The wavelengths 2π/ω_i grow by the factor base^(2/d_model) from pair to pair, from 2π to
        2π·base^(1 − 2/d_model).

    Returns
    -------
    frequencies : (d_model / 2,) array of float64
        In radians a position, from 1 downward.

    Raises
    ------
    ValueError
        If `d_model` is odd or below 2, or `base` is below 1 or not finite.
    TypeError
        If `d_model` is not a whole number or `base` is not a number.

    References
    ----------
    Vaswani et al. (2017), section 3.5.
    """
    d_model = _even(d_model)
    base = finite_number(base, "base")
    if base < 1:
        raise ValueError(f"base must be 1 or more, such as 10000, got {base:g}")
    return base ** (-2 * np.arange(d_model // 2) / d_model)


def sinusoidal_encoding(n_positions: int, d_model: int, base: float = 10000.0) -> Floats:
    r"""Encode positions 0 … n_positions − 1: PE[pos, 2i] = sin(ω_i pos), PE[pos, 2i + 1] = cos(ω_i pos).

    Parameters
    ----------
    n_positions : int
        0 or more.
    d_model : int
        Even, 2 or more. An odd width would leave the last sine without its cosine, and a sine alone can't be
        shifted by a matrix: `shift_matrix` would not exist. Pad the tokens by one number instead.
    base : float, optional
        1 or more; see `angular_frequencies`.

    Returns
    -------
    encoding : (n_positions, d_model) array of float64
        Sine and cosine interleaved, as in the paper. Every row has the length √(d_model/2), and the inner
        product of two rows depends on their distance alone.

    Raises
    ------
    ValueError
        If `n_positions` is negative, `d_model` is odd or below 2, or `base` is below 1 or not finite.
    TypeError
        If `n_positions` or `d_model` is not a whole number, or `base` is not a number.

    References
    ----------
    Vaswani et al. (2017), section 3.5.
    """
    n_positions = whole_number(n_positions, "n_positions", 0)
    frequencies = angular_frequencies(d_model, base)
    angles = np.arange(n_positions)[:, None] * frequencies
    encoding = np.empty((n_positions, 2 * len(frequencies)))
    np.sin(angles, out=encoding[:, 0::2])
    np.cos(angles, out=encoding[:, 1::2])
    return encoding


def shift_matrix(offset: float, d_model: int, base: float = 10000.0) -> Floats:
    r"""Return the rotation that moves every encoding by `offset`: PE(pos + offset) = PE(pos) @ shift_matrix.T.

    Parameters
    ----------
    offset : float
        How far, in positions; negative moves back. It need not be whole.
    d_model : int
        Even, 2 or more.
    base : float, optional
        1 or more; see `angular_frequencies`.

    Returns
    -------
    matrix : (d_model, d_model) array of float64
        One 2 × 2 rotation by ω_i · offset for each pair, zero elsewhere. It is orthogonal, the same for every
        position, and its inverse is `shift_matrix(-offset, …)`. A pair is (sine, cosine), so `matrix @ x` turns x, seen
        as (right, up), clockwise. `attn.rotary.rotate` turns the other way round: there a pair has the cosine first,
        and (cos a, sin a) goes on to (cos(a + ω), sin(a + ω)), counterclockwise. For rows, `rotate(x, offset)` is
        `x @ matrix`, where encodings take `x @ matrix.T`.

    Raises
    ------
    ValueError
        If `d_model` is odd or below 2, `base` is below 1, or a number is not finite.
    TypeError
        If `d_model` is not a whole number, or `offset` or `base` is not a number.

    References
    ----------
    Vaswani et al. (2017), section 3.5; the same rotation applied to queries and keys is Su et al. (2021), eq. 15.
    """
    offset = finite_number(offset, "offset")
    angles = offset * angular_frequencies(d_model, base)
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    sines = np.arange(0, len(matrix), 2)
    matrix[sines, sines] = matrix[sines + 1, sines + 1] = np.cos(angles)
    matrix[sines, sines + 1] = np.sin(angles)
    matrix[sines + 1, sines] = -np.sin(angles)
    return matrix


def _even(d_model: int) -> int:
    d_model = whole_number(d_model, "d_model", 2)
    if d_model % 2:
        raise ValueError(
            f"d_model must be even, got {d_model}: each sine needs its cosine, or no matrix can shift the encoding"
        )
    return d_model
