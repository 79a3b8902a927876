"""The checkers of the exercises on turned pairs (chapter 8). Rows, columns and positions count from 0."""

from collections.abc import Callable

import numpy as np

from attn.check._engine import checks
from attn.check._exercise import Result
from attn.positional import angular_frequencies, sinusoidal_encoding
from attn.practice.mistakes import turning as say
from attn.rotary import rotary_attention, rotate, to_layout
from attn.softmax import softmax

ENTRIES = (1.0, 0.0, 2.0, -1.0)


# Turn -------------------------------------------------------------------------------------------------------------


def _build_rope(draw):
    n, d = draw.whole(1, 3), 2 * draw.whole(1, 3)
    return draw.array((n, d), ENTRIES), draw.array((n,), (0, 1, 2, 5, 30, 100))


def _with(frequencies, sine=1.0, other=1.0):
    """Turn with these frequencies; the sines of the first and of the second number times these."""

    def turned(x, positions):
        angle = np.asarray(positions)[:, None] * frequencies(x.shape[1])
        c, s = np.cos(angle), np.sin(angle)
        a, b = x[:, 0::2], x[:, 1::2]
        return np.stack([a * c - sine * b * s, other * a * s + b * c], axis=-1).reshape(x.shape)

    return turned


def _overwritten(x, positions):
    angle = np.asarray(positions)[:, None] * angular_frequencies(x.shape[1])
    c, s = np.cos(angle), np.sin(angle)
    x = x.astype(float)
    x[:, 0::2] = x[:, 0::2] * c - x[:, 1::2] * s
    x[:, 1::2] = x[:, 0::2] * s + x[:, 1::2] * c
    return x


def _encoded(x, positions):
    return x + sinusoidal_encoding(max(positions) + 1, x.shape[1])[np.asarray(positions)]


@checks(
    right=rotate,
    build=_build_rope,
    fixed=(
        ([[1, 2, -1, 1, 3, 0], [2, 1, 1, -2, 1, 1]], np.array([7, 41])),
        ([[1, 2, -1, 1], [0, 1, 2, 1], [2, -1, 1, 3]], np.array([3, 0, 5])),
    ),
    says=lambda i, column, got, right, x, positions: (
        f"Row {i}, at position {positions[i]}, has {got} in column {column}; it should be {right}."
    ),
    mistakes={
        say.UNTURNED: lambda x, positions: x,
        say.OTHER_WAY: lambda x, positions: rotate(x, -positions),
        say.ONE_SIGN: (
            _with(angular_frequencies, sine=-1.0),
            _with(angular_frequencies, other=-1.0),
        ),
        say.OVERWRITTEN: _overwritten,
        say.HALVES: lambda x, positions: rotate(x, positions, layout="halves"),
        say.MIXED: lambda x, places: say.mixed_up(x, places, angular_frequencies(x.shape[1])),
        say.SLOW_HALF: _with(lambda d: 10000.0 ** (-np.arange(d // 2) / d)),
        say.DOUBLED: _with(lambda d: 10000.0 ** (-4 * np.arange(d // 2) / d)),
        say.ONE_CLOCK: _with(lambda d: np.ones(d // 2)),
        say.DEGREES: lambda x, positions: rotate(x, np.deg2rad(positions)),
        say.ROWS: lambda x, positions: rotate(x, np.arange(len(x))),
        say.ADDED: _encoded,
    },
)
def rope(function: Callable) -> Result:
    """Check f(x, positions) -> (n, d): row i of `x` turned by its position, neighbors paired, base 10000.

    A pair (x, y) becomes (x cos a − y sin a, x sin a + y cos a), a = position · 10000^(−2i/d) for pair i; d is even.
    """


# Attend -----------------------------------------------------------------------------------------------------------


def _build_qkv(draw):
    n, d, d_v = draw.whole(2, 4), 2 * draw.whole(1, 2), 2 * draw.whole(1, 2)
    return tuple(draw.array((n, width), ENTRIES) for width in (d, d, d_v))


def _attending(of_q=lambda x, places: x, of_k=lambda x, places: x, of_v=lambda x, places: x):
    """Attention whose queries, keys and values pass these functions first, each with the positions 0, 1, 2 …"""

    def output(q, k, v):
        places = np.arange(len(q))
        q, k, v = of_q(q, places), of_k(k, places), of_v(v, places)
        return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v

    return output


def _back(x, places):
    return rotate(x, -places)


def _down_the_columns(q, k, v):
    places = np.arange(len(q))
    return softmax(rotate(q, places) @ rotate(k, places).T / np.sqrt(q.shape[1]), axis=0) @ v


@checks(
    right=lambda q, k, v: rotary_attention(q, k, v)[0],
    build=_build_qkv,
    fixed=(
        (
            [[1, 2, 0, -1], [2, 0, 1, 1], [0, -1, 2, 1]],
            [[2, 1, 1, 0], [1, -1, 0, 2], [0, 2, -1, 1]],
            [[1, 0], [0, 2], [3, 1]],
        ),
        ([[1, 2], [2, -1]], [[2, 1], [0, 1]], [[1, 0, 2, 1], [0, 3, 1, -1]]),
    ),
    says="The output of row {0} has {got} in column {1}; it should be {right}.",
    mistakes={
        say.PLAIN: _attending(),
        say.QUERIES_ALONE: _attending(rotate),
        say.KEYS_ALONE: _attending(of_k=rotate),
        say.VALUES_TOO: _attending(rotate, rotate, rotate),
        say.QUERY_AHEAD: _attending(lambda x, places: rotate(x, places + 1), rotate),
        say.AGAINST: _attending(rotate, _back),
        say.MIRROR: _attending(_back, _back),
        say.NO_SCALE: lambda q, k, v: rotary_attention(q, k, v, scale=1.0)[0],
        say.COLUMNS: _down_the_columns,
    },
)
def rope_attention(function: Callable) -> Result:
    """Check f(q, k, v) -> output, (n, d_v): attention without a mask, queries and keys turned by where they stand.

    `q` and `k` have shape (n, d), with n of 2 or more; turned as `rope` turns them, from any start that they share.
    """


# Go on from a cache -----------------------------------------------------------------------------------------------


def _build_cache(draw):
    n, d, d_v = draw.whole(1, 4), 2 * draw.whole(1, 2), draw.whole(1, 2)
    return tuple(draw.array(shape, ENTRIES) for shape in ((d,), (n, d), (n, d_v)))


def _stepping(place=lambda n: n - 1, of_keys=lambda keys: keys, scale=None):
    """A step whose query stands at place(n), and whose keys pass a function first."""

    def output(q, keys, values):
        asks = rotate(q[None], place(len(keys)))[0]
        return softmax(of_keys(keys) @ asks / (scale or np.sqrt(len(q)))) @ values

    return output


@checks(
    right=_stepping(),
    build=_build_cache,
    fixed=(
        ([1, 2, 0, -1], [[2, 1, 1, 0], [1, -1, 0, 2], [0, 2, -1, 1]], [[1, 0], [0, 2], [3, 1]]),
        ([2, -1], [[2, 1], [0, 1], [1, 1], [-1, 0]], [[1], [0], [3], [2]]),
    ),
    says="The output has {got} in column {0}; it should be {right}.",
    mistakes={
        say.AT_ZERO: _stepping(lambda n: 0),
        say.AT_N: _stepping(lambda n: n),
        say.TURNED_TWICE: _stepping(of_keys=lambda keys: rotate(keys, np.arange(len(keys)))),
        say.BACKWARD: _stepping(lambda n: 1 - n),
        say.NEW_FRAME: _stepping(lambda n: 0, lambda keys: rotate(keys, -np.arange(len(keys)))),
        say.NO_SCALE: _stepping(scale=1.0),
    },
)
def decode_step(function: Callable) -> Result:
    """Check f(q, keys, values) -> output, (d_v,): one new word that attends to a cache.

    `q` (d,) is the query of the newest of n words, not yet turned. `keys` (n, d) were turned when they came in, from
    position 0 on, and the last is the newest word's own; `values` (n, d_v).
    """


# Another layout ---------------------------------------------------------------------------------------------------


def _build_columns(draw):
    n_heads, d = draw.whole(1, 2), 2 * draw.whole(1, 4)
    return draw.array((draw.whole(1, 2), n_heads * d), (0.0, 1.0, 2.0, 3.0)), n_heads


def _every_other_head(w, n_heads):
    heads = w.reshape(len(w), -1, n_heads).swapaxes(1, 2)
    return np.concatenate([heads[..., 0::2], heads[..., 1::2]], axis=-1).reshape(w.shape)


@checks(
    right=lambda w, n_heads: to_layout(w, "interleaved", "halves", n_heads=n_heads),
    build=_build_columns,
    fixed=(
        (np.arange(24.0).reshape(2, 12), 2),
        ([np.arange(8)], 1),
        (np.arange(36.0).reshape(2, 18), 3),
    ),
    says="Row {0}, column {1} is {got}; it should be {right}.",
    mistakes={
        say.UNCHANGED: lambda w, n_heads: w,
        say.ACROSS: lambda w, n_heads: to_layout(w, "interleaved", "halves"),
        say.WRONG_WAY: lambda w, n_heads: to_layout(w, "halves", "interleaved", n_heads=n_heads),
        say.MIXED_HEADS: _every_other_head,
    },
)
def to_halves(function: Callable) -> Result:
    """Check f(w, n_heads) -> the columns of `w` (d_model, n_heads · d) in another order.

    With them code that pairs column i of a head with i + d/2 scores as code that pairs neighbors does with `w`.
    """
