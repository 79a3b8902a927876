"""The checker of rotated queries and keys (chapter 1). Rows and columns count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding


def _turned(x, positions, *, frequencies=angular_frequencies, sign=1):
    """Each row of x turned by its position, pair by pair."""
    angle = sign * np.asarray(positions)[:, None] * frequencies(x.shape[1])
    c, s = np.cos(angle), np.sin(angle)
    out = np.empty(x.shape)
    out[:, 0::2] = x[:, 0::2] * c + x[:, 1::2] * s
    out[:, 1::2] = x[:, 1::2] * c - x[:, 0::2] * s
    return out


def _right(q, k, q_positions, k_positions):
    q = np.stack([shift_matrix(int(p), q.shape[1]) @ row for row, p in zip(q, q_positions, strict=True)])
    k = np.stack([shift_matrix(int(p), k.shape[1]) @ row for row, p in zip(k, k_positions, strict=True)])
    return q @ k.T


def _judge(answer, expected, q, k, q_positions, k_positions):
    for i, j, got, right in wrong_entries(answer, expected):
        return (
            f"The score of query {i} at position {q_positions[i]} and key {j} at position {k_positions[j]} is "
            f"{got}; it should be {right}."
        )
    return None


def _build(draw):
    d = 2 * draw.whole(1, 3)
    entries, places = (1.0, 0.0, 2.0, -1.0), (0, 1, 2, 5, 30, 100)
    n_q, n_k = draw.whole(1, 2), draw.whole(1, 3)
    return {
        "q": draw.array((n_q, d), entries),
        "k": draw.array((n_k, d), entries),
        "q_positions": draw.array((n_q,), places),
        "k_positions": draw.array((n_k,), places),
    }


_TELLING = (
    {
        "q": np.array([[1.0, 2, -1, 1], [0, 1, 2, 1]]),
        "k": np.array([[2.0, 1, 1, 0], [1, -1, 0, 2], [1, 1, 1, 1]]),
        "q_positions": np.array([3, 40]),
        "k_positions": np.array([5, 0, 41]),
    },
    {
        "q": np.array([[1.0, 2, 0, 1, -1, 3]]),
        "k": np.array([[2.0, -1, 1, 1, 0, 1], [0, 1, 1, 0, 2, 1]]),
        "q_positions": np.array([7]),
        "k_positions": np.array([2, 60]),
    },
)


def _mistake(turn_q=_turned, turn_k=None):
    return lambda q, k, p, j: turn_q(q, p) @ (turn_k or turn_q)(k, j).T


def _with(**how):
    return lambda x, positions: _turned(x, positions, **how)


def _halves(x, positions):
    """The other layout: sines in the first half, cosines in the second."""
    order = np.r_[0 : x.shape[1] : 2, 1 : x.shape[1] : 2]
    mixed = np.empty(x.shape)
    mixed[:, order] = x
    return _turned(mixed, positions)[:, order]


def _added(x, positions):
    return x + sinusoidal_encoding(max(positions) + 1, x.shape[1])[np.asarray(positions)]


@checks(
    shape="(n_q, n_k)",
    right=_right,
    build=_build,
    fixed=_TELLING,
    judge=_judge,
    mistakes=(
        Mistake(lambda q, k, p, j: q @ k.T, "Is anything turned? These are the plain dot products."),
        Mistake(
            _mistake(_turned, lambda x, positions: x),
            "Only the queries are turned: then a score depends on where the query stands, and not on the offset.",
        ),
        Mistake(
            _mistake(lambda x, positions: x, _turned),
            "Only the keys are turned: then a score depends on where the key stands, and not on the offset.",
        ),
        Mistake(
            _mistake(_with(sign=-1)),
            "Both are turned the other way round, so offset 3 gives what offset −3 should: a becomes a cos + b sin.",
        ),
        Mistake(
            _mistake(_turned, _with(sign=-1)),
            "The keys are turned against the queries. Then the *sum* of the positions counts. Turn both the same way.",
        ),
        Mistake(
            _mistake(_with(frequencies=lambda d: np.ones(d // 2))),
            "All pairs turn by the same angle. Each has a frequency of its own: ω_i = 10000 ** (−2i / d).",
        ),
        Mistake(
            _mistake(_with(frequencies=lambda d: 10000.0 ** (-4 * np.arange(d // 2) / d))),
            "The exponent is doubled: ω_i = 10000 ** (−2i / d), where i counts pairs.",
        ),
        Mistake(
            _mistake(lambda x, positions: _turned(x, np.deg2rad(positions))),
            "Is an angle in degrees? The angle pos · ω is in radians, which np.sin and np.cos take as they are.",
        ),
        Mistake(
            _mistake(_halves),
            "Is the first half paired with the second? That is another layout of the same idea; here pairs stand side "
            "by side.",
        ),
        Mistake(
            _mistake(_added),
            "Are the encodings added? Then three more parts come into the score. Turn the vectors, and add nothing.",
        ),
        Mistake(
            lambda q, k, p, j: _turned(q, np.arange(len(q))) @ _turned(k, np.arange(len(k))).T,
            "Are the rows taken for positions 0, 1, 2 …? Their positions are given.",
        ),
        Mistake(
            lambda q, k, p, j: _right(q, k, p, j) / np.sqrt(q.shape[1]),
            "Divided by √d? The exercise asks for the dot products, without a scale.",
        ),
    ),
)
def rotary_scores(function: Callable) -> Result:
    """Check f(q, k, q_positions, k_positions) -> (n_q, n_k): dot products of rotated queries and keys.

    Row i of `q` is turned by `shift_matrix(q_positions[i], d)`, pairs side by side and base 10000, and so are the
    keys by their own positions. No scale.
    """
