"""The checkers of the exercises on positions (chapter 1). Positions, dimensions, rows and columns count from 0."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._engine import checks
from attn.check._exercise import On, Result
from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding
from attn.practice.mistakes import positional as say
from attn.practice.mistakes import turning
from attn.rotary import rotate

BASE = 10000.0


# The encoding -----------------------------------------------------------------------------------------------------


def _says_encoding(pos, column, got, right, n_positions, d_model):
    if got == "nan":
        return f"Position {pos}, dimension {column} is NaN: is there a division by zero?"
    wave = "cos" if column % 2 else "sin"
    divisor = show(BASE ** (2 * (column // 2) / d_model))
    return f"Position {pos}, dimension {column} is {got}; it should be {wave}({pos} / {divisor}) = {right}."


def _with(frequency, waves=(np.sin, np.cos), first=0):
    """A wrong encoding: frequency(column, d_model) for each column, sine and cosine (or other waves) in turn."""

    def encode(n_positions, d_model):
        columns = np.arange(d_model)
        angles = np.arange(first, first + n_positions)[:, None] * frequency(columns, d_model)
        return np.where(columns % 2 == 0, waves[0](angles), waves[1](angles))

    return encode


def _paper(columns, d_model):
    return BASE ** (-2 * (columns // 2) / d_model)


def _hstack(n_positions, d_model):
    encoding = sinusoidal_encoding(n_positions, d_model)
    return np.hstack([encoding[:, 0::2], encoding[:, 1::2]])


_DEGREES = (
    "Is an angle in degrees? The angle pos · ω is in radians, which np.sin and np.cos take as they are."
)
_LOG = (
    "Is the wrong logarithm in the frequencies? If you write the power with exp, it is "
    "exp(−(2i / d_model) · ln(10000)), with the natural logarithm of the base."
)


@checks(
    right=sinusoidal_encoding,
    build=lambda draw: (draw.whole(1, 5), 2 * draw.whole(1, 4)),
    fixed=((3, 6), (2, 4), (5, 8)),
    says=_says_encoding,
    mistakes={
        say.DOUBLED: _with(lambda columns, d: BASE ** (-2 * columns / d)),
        say.ONE_EACH: _with(lambda columns, d: BASE ** (-columns / d)),
        say.HALVED: _with(lambda columns, d: BASE ** (-(columns // 2) / d)),
        say.SWAPPED: _with(_paper, (np.cos, np.sin)),
        say.SINES_FIRST: _hstack,
        say.FROM_ONE: _with(_paper, first=1),
        _DEGREES: (
            _with(_paper, (lambda a: np.sin(np.deg2rad(a)), lambda a: np.cos(np.deg2rad(a)))),
            _with(_paper, (lambda a: np.sin(np.rad2deg(a)), lambda a: np.cos(np.rad2deg(a)))),
        ),
        say.FULL_TURN: _with(lambda columns, d: 2 * np.pi * _paper(columns, d)),
        _LOG: (
            _with(lambda columns, d: np.exp(-2 * (columns // 2) / d * np.log10(BASE))),
            _with(lambda columns, d: np.exp(-2 * (columns // 2) / d * np.log2(BASE))),
            _with(lambda columns, d: np.exp(-2 * (columns // 2) / d * BASE)),
            _with(lambda columns, d: np.exp(-2 * (columns // 2) / d)),
            _with(lambda columns, d: 10 ** (-2 * (columns // 2) / d * np.log(BASE))),
        ),
        "The frequencies grow from pair to pair: is a minus missing, or a product where pos is divided?": (
            _with(lambda columns, d: 1 / _paper(columns, d))
        ),
        "Is the base multiplied where it should be raised to a power? It is 10000 ** (2i / d_model).": (
            _with(lambda columns, d: 1 / (BASE * 2 * (columns // 2) / d))
        ),
        say.ONE_CLOCK: _with(lambda columns, d: np.ones(d)),
        "The last frequency is exactly 1/10000, as in the authors' own code, which divides by d_model/2 − 1. The "
        "formula of the paper divides 2i by d_model.": (
            _with(lambda columns, d: BASE ** (-(columns // 2) / max(d // 2 - 1, 1)))
        ),
        say.SINES_ALONE: _with(_paper, (np.sin, np.sin)),
        "There are only cosines: the even dimensions are sines.": _with(_paper, (np.cos, np.cos)),
        "It is transposed: positions are rows, dimensions are columns.": (
            lambda n_positions, d_model: sinusoidal_encoding(n_positions, d_model).T
        ),
        "Everything is cut to whole numbers: was the array made with an integer dtype?": (
            lambda n_positions, d_model: np.trunc(sinusoidal_encoding(n_positions, d_model))
        ),
    },
)
def sinusoidal(function: Callable) -> Result:
    """Check f(n_positions, d_model) -> (n_positions, d_model): the paper's encoding with base 10000.

    Sine and cosine in turn, positions from 0; `d_model` is even.
    """


# The shift --------------------------------------------------------------------------------------------------------


def _shift(encoding, offset):
    return encoding @ shift_matrix(offset, encoding.shape[1]).T


def _position(row):
    """The position that a row of the paper's encoding stands for: exact for what the cases hold."""
    return int(np.argmax(sinusoidal_encoding(100, len(row)) @ row))


def _says_shifted(row, column, got, right, encoding, offset):
    start = _position(encoding[row])
    return (
        f"Row {row} is position {start}, and should become position {start + offset}: its dimension {column} "
        f"should be {right}, and is {got}."
    )


def _positions(positions, d_model):
    return sinusoidal_encoding(max(positions) + 1, d_model)[list(positions)]


def _build_shifted(draw):
    d_model = 2 * draw.whole(1, 3)
    positions = draw.some(1, 3, lambda: draw.whole(0, 9))
    return _positions(positions, d_model), draw.choice((1, 2, 0, 5, -1, -3))


def _turned_by(frequencies):
    """A wrong shift: pair i turns by frequencies(d_model)[i] times the offset."""
    return lambda encoding, offset: rotate(encoding, -offset, frequencies=frequencies(encoding.shape[1]))


def _recomputed(encoding, offset):
    n, d_model = encoding.shape
    return sinusoidal_encoding(n, d_model) @ shift_matrix(offset, d_model).T


def _same_sign(encoding, offset):
    turn = offset * angular_frequencies(encoding.shape[1])
    s, c = encoding[:, 0::2], encoding[:, 1::2]
    moved = np.empty_like(encoding)
    moved[:, 0::2] = s * np.cos(turn) + c * np.sin(turn)
    moved[:, 1::2] = c * np.cos(turn) + s * np.sin(turn)
    return moved


@checks(
    right=_shift,
    build=_build_shifted,
    fixed=(
        (_positions((4, 7, 5), 6), 2),
        (_positions((9, 3), 4), -3),
    ),
    says=_says_shifted,
    mistakes={
        "It moves the other way. With the sine first, the new sine is sin·cos(ωo) + cos·sin(ωo): see the order of "
        "sin(a + b).": lambda encoding, offset: _shift(encoding, -offset),
        "One sign is off: cos(a + b) = cos a cos b − sin a sin b has a minus.": _same_sign,
        "Was the encoding of the offset added? Positions add up, their encodings don't: they turn.": (
            lambda encoding, offset: encoding + _positions((abs(offset),), encoding.shape[1])
        ),
        "Was the offset added to the numbers? It has to turn each pair.": (
            lambda encoding, offset: encoding + offset
        ),
        "Were the rows rolled? No row of the input need be the position that is asked for.": (
            lambda encoding, offset: np.roll(encoding, -offset, axis=0)
        ),
        "Nothing moved: is the offset used?": lambda encoding, offset: encoding,
        "Does it compute the encoding anew, as if the rows were positions 0, 1, 2 …? They can be any: use what "
        "they hold.": _recomputed,
        "All pairs turn by the same angle. Each has a frequency of its own: turn pair i by ω_i times the offset.": (
            _turned_by(lambda d: np.ones(d // 2))
        ),
        "The exponent is doubled: pair i turns by offset · 10000 ** (−2i / d_model), where i counts pairs.": (
            _turned_by(lambda d: BASE ** (-4 * np.arange(d // 2) / d))
        ),
        _DEGREES: _turned_by(lambda d: np.deg2rad(angular_frequencies(d))),
        "Does it take the first half for sines and the second for cosines? Here they stand in turn.": (
            lambda encoding, offset: rotate(encoding, -offset, layout="halves")
        ),
    },
)
def shifted(function: Callable) -> Result:
    """Check f(encoding, offset) -> (n, d_model): every row moved by `offset` positions, without knowing where it is.

    The rows of `encoding` (n, d_model) are the paper's encodings (base 10000) of any positions, in any order;
    `offset` is a whole number of either sign.
    """


# Reading a position -----------------------------------------------------------------------------------------------


def _most_alike(row, n=1000):
    return np.asarray(int(np.argmax(sinusoidal_encoding(n, len(row)) @ row)))


def _row(position, d_model):
    return (sinusoidal_encoding(position + 1, d_model)[position].round(3),)


@checks(
    right=_most_alike,
    build=lambda draw: _row(draw.choice((0, 1, 2, 5, 7, 30, 44, 150, 710, 999)), 2 * draw.whole(2, 4)),
    fixed=(_row(7, 4), _row(710, 4), _row(999, 8), _row(300, 6)),
    says="It says position {got}, but this is position {right}.",
    mistakes={
        "That is what the fastest clock says. It starts anew every 6.28 positions: the slower ones know how often.": (
            lambda row: round(np.arctan2(row[0], row[1]) % (2 * np.pi))
        ),
        "That is what the fastest clock says, and arctan2 goes from −π to π: the slower clocks know the rest.": (
            lambda row: round(np.arctan2(row[0], row[1]))
        ),
        "Is only the first number compared? Other positions come close to it: compare all of them.": On(
            (_row(300, 6),), lambda row: int(np.argmin(np.abs(np.sin(np.arange(1000)) - row[0])))
        ),
        "One too many: the first position is 0.": lambda row: _most_alike(row) + 1,
        "One too few: the first position is 0.": lambda row: _most_alike(row) - 1,
        "Does it try too few positions? They go up to 999.": tuple(
            lambda row, n=n: _most_alike(row, n) for n in (10, 50, 100, 128, 200, 256, 500, 512)
        ),
        "That is the position least like it: take the largest inner product.": (
            lambda row: int(np.argmin(sinusoidal_encoding(1000, len(row)) @ row))
        ),
    },
)
def read_position(function: Callable) -> Result:
    """Check f(row) -> int: which of the positions 0 … 999 has this encoding?

    `row` (d_model,) is the paper's encoding (base 10000) as it would be printed, rounded to three decimals.
    """


# Rotated queries and keys -------------------------------------------------------------------------------------------


def _turned(x, positions, *, frequencies=angular_frequencies, sign=1):
    """Each row of x turned by its position, pair by pair."""
    return rotate(x, -sign * np.asarray(positions), frequencies=frequencies(x.shape[1]))


def _scores(q, k, q_positions, k_positions):
    q = np.stack([shift_matrix(int(p), q.shape[1]) @ row for row, p in zip(q, q_positions, strict=True)])
    k = np.stack([shift_matrix(int(p), k.shape[1]) @ row for row, p in zip(k, k_positions, strict=True)])
    return q @ k.T


def _build_scores(draw):
    d = 2 * draw.whole(1, 3)
    entries, places = (1.0, 0.0, 2.0, -1.0), (0, 1, 2, 5, 30, 100)
    n_q, n_k = draw.whole(1, 2), draw.whole(1, 3)
    q, k = (draw.array((n, d), entries) for n in (n_q, n_k))
    return q, k, *(draw.array((n,), places) for n in (n_q, n_k))


def _scoring(turn_q=_turned, turn_k=None):
    return lambda q, k, p, j: turn_q(q, p) @ (turn_k or turn_q)(k, j).T


def _turning(**how):
    return lambda x, positions: _turned(x, positions, **how)


@checks(
    right=_scores,
    build=_build_scores,
    fixed=(
        (
            [[1, 2, -1, 1], [0, 1, 2, 1]],
            [[2, 1, 1, 0], [1, -1, 0, 2], [1, 1, 1, 1]],
            np.array([3, 40]),
            np.array([5, 0, 41]),
        ),
        (
            [[1, 2, 0, 1, -1, 3]],
            [[2, -1, 1, 1, 0, 1], [0, 1, 1, 0, 2, 1]],
            np.array([7]),
            np.array([2, 60]),
        ),
    ),
    says=lambda i, j, got, right, q, k, q_positions, k_positions: (
        f"The score of query {i} at position {q_positions[i]} and key {j} at position {k_positions[j]} is {got}; it "
        f"should be {right}."
    ),
    mistakes={
        "Is anything turned? These are the plain dot products.": lambda q, k, p, j: q @ k.T,
        "Only the queries are turned: then a score depends on where the query stands, and not on the offset.": (
            _scoring(_turned, lambda x, positions: x)
        ),
        "Only the keys are turned: then a score depends on where the key stands, and not on the offset.": (
            _scoring(lambda x, positions: x, _turned)
        ),
        "Both are turned the other way round, so offset 3 gives what offset −3 should: a becomes a cos + b sin.": (
            _scoring(_turning(sign=-1))
        ),
        "The keys are turned against the queries. Then the *sum* of the positions counts. Turn both the same way.": (
            _scoring(_turned, _turning(sign=-1))
        ),
        "All pairs turn by the same angle. Each has a frequency of its own: ω_i = 10000 ** (−2i / d).": (
            _scoring(_turning(frequencies=lambda d: np.ones(d // 2)))
        ),
        turning.DOUBLED: _scoring(_turning(frequencies=lambda d: 10000.0 ** (-4 * np.arange(d // 2) / d))),
        _DEGREES: _scoring(lambda x, positions: _turned(x, np.deg2rad(positions))),
        "Is the first half paired with the second? That is another layout of the same idea; here pairs stand side "
        "by side.": _scoring(lambda x, positions: rotate(x, -positions, layout="halves")),
        "Are the encodings added? Then three more parts come into the score. Turn the vectors, and add nothing.": (
            _scoring(lambda x, positions: x + _positions(positions, x.shape[1]))
        ),
        turning.ROWS: lambda q, k, p, j: _turned(q, np.arange(len(q))) @ _turned(k, np.arange(len(k))).T,
        "Divided by √d? The exercise asks for the dot products, without a scale.": (
            lambda q, k, p, j: _scores(q, k, p, j) / np.sqrt(q.shape[1])
        ),
    },
)
def rotary_scores(function: Callable) -> Result:
    """Check f(q, k, q_positions, k_positions) -> (n_q, n_k): dot products of rotated queries and keys.

    Row i of `q` is turned by `shift_matrix(q_positions[i], d)`, pairs side by side and base 10000, and so are the
    keys by their own positions. No scale.
    """
