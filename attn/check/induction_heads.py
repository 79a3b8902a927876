"""The checkers of the exercises on completing a pattern (chapter 9). Rows, columns and places count from 0."""

from collections.abc import Callable

import numpy as np

from attn.check._engine import checks
from attn.check._exercise import On, Result
from attn.induction import induction_score as score_of
from attn.practice.mistakes import induction_heads as say
from attn.softmax import softmax
from attn.transformer import layer_norm as normalized
from attn.transformer import pre_norm_block as block_of

ENTRIES = (1.0, 0.0, 2.0, -1.0)
ROW = "Row {0} has {got} in column {1}; it should be {right}."


# The token before ---------------------------------------------------------------------------------------------------


def _before(n, beta):
    return beta * np.eye(n, k=-1)


@checks(
    right=_before,
    build=lambda draw: (draw.whole(1, 5), draw.choice((5.0, 2.0, -3.0))),
    fixed=((4, 5.0), (5, 2.0)),
    says="Row {0} gives column {1} the score {got}; it should be {right}.",
    mistakes={
        say.AHEAD: lambda n, beta: _before(n, beta).T,
        say.ITSELF: lambda n, beta: beta * np.eye(n),
        say.WRAPPED: lambda n, beta: beta * np.roll(np.eye(n), -1, axis=1),
        say.FIRST_ITSELF: lambda n, beta: _before(n, beta) + beta * np.diag(np.arange(n) == 0),
        say.TWO_BACK: lambda n, beta: beta * np.eye(n, k=-2),
        say.ALL_BEFORE: lambda n, beta: beta * np.tri(n, k=-1),
        say.NO_BETA: lambda n, beta: np.eye(n, k=-1),
        say.WEIGHED: (
            lambda n, beta: softmax(_before(n, beta)),
            lambda n, beta: softmax(np.where(np.tri(n, dtype=bool), _before(n, beta), -np.inf)),
        ),
    },
)
def previous_token_scores(function: Callable) -> Result:
    """Check f(n, beta) -> scores, (n, n): beta where row i meets column i − 1, and 0 elsewhere. Row 0 is all 0."""


# How much completes the pattern -------------------------------------------------------------------------------------


def _build_head(draw):
    n = draw.whole(2, 5)
    tokens = draw.array((n,), (7, 3, 4))
    tokens[-1] = tokens[0]  # one stands twice
    counts = np.tril(draw.array((n, n), (1, 2, 3)))
    return counts / counts.sum(axis=1, keepdims=True), tokens


def _lower(tokens):
    """Weights that differ from place to place, none of them 0."""
    n = len(tokens)
    counts = np.tril((np.arange(1, n * n + 1) * 7 % 11 + 1).reshape(n, n))
    return counts / counts.sum(axis=1, keepdims=True), np.array(tokens)


_HEADS = (_lower([7, 3, 7, 4, 7, 3]), _lower([5, 6, 5]), _lower([2, 2, 4, 2]))
_TWICE = (_lower([4, 7, 3, 4, 7, 3]), _lower([1, 2, 1, 2]))  # as much as a fixed way back knows of


def _scoring(shift=1, rows="those that count", latest=False, add=False):
    """The score with one thing about it changed."""

    def score(weights, tokens):
        n = len(tokens)
        found, per_row = [], []
        for i in range(n):
            earlier = [j for j in range(i) if tokens[j] == tokens[i]]
            found.append(bool(earlier))
            places = [j + shift for j in (earlier[-1:] if latest else earlier) if j + shift >= 0]
            per_row.append(sum(weights[i, place] for place in places))
        kept = [one for one, so in zip(per_row, found, strict=True) if so or rows == "all"]
        return np.sum(kept) if add else np.mean(kept)

    return score


def _half_back(weights, tokens, also=0):
    half = len(tokens) // 2
    return np.mean([weights[i, i - half + 1] for i in range(half - also, len(tokens))])


@checks(
    right=score_of,
    build=_build_head,
    fixed=_HEADS + _TWICE,
    says="The score is {got}; it should be {right}.",
    mistakes={
        say.SAME: _scoring(shift=0),
        say.BEFORE_IT: _scoring(shift=-1),
        say.FIXED: _half_back,
        say.ONE_ROW_EARLY: On(_TWICE, lambda weights, tokens: _half_back(weights, tokens, 1)),
        say.ALL_ROWS: _scoring(rows="all"),
        say.LATEST: _scoring(latest=True),
        say.SUMMED: _scoring(add=True),
    },
)
def induction_score(function: Callable) -> Result:
    """Check f(weights, tokens) -> a number: how much weight falls on what followed the present token earlier.

    Row i counts if `tokens[i]` has stood at some earlier place j; then its weights at all such j + 1 are added. The
    answer is the mean over the rows that count. `weights` is (n, n), and some token stands twice.
    """


# Normalize ----------------------------------------------------------------------------------------------------------


def _build_rows(draw):
    d = draw.whole(2, 4)
    shapes = (draw.whole(1, 3), d), (d,), (d,)
    return *(draw.array(shape, ENTRIES) for shape in shapes), draw.choice((0.5, 0.01))


def _norming(
    axis=-1, ddof=0, mean=True, outside=False, keep_eps=True, root=True, bias_first=False, plain=False
):
    """A norm with one thing about it changed."""

    def norm(x, gain, bias, eps):
        eps = eps if keep_eps else 0.0
        away = x - x.mean(axis=axis, keepdims=True) * mean
        spread = (away**2).sum(axis=axis, keepdims=True) / (x.shape[axis] - ddof)
        if not root:
            spread = (spread + eps) ** 2
        elif outside:
            spread = (np.sqrt(spread) + eps) ** 2
        else:
            spread = spread + eps
        out = away / np.sqrt(spread)
        if plain:
            return out
        return (out + bias) * gain if bias_first else out * gain + bias

    return norm


@checks(
    right=normalized,
    build=_build_rows,
    fixed=(
        ([[1, 2, -1, 4], [3, 0, 1, 1], [0, 2, 5, -2]], [2, 1, -1, 3], [1, 0, 2, -1], 0.5),
        ([[1, 0, 0, 0], [2, 1, -1, 5]], [1, 2, 1, 1], [0, 1, 1, 2], 0.25),
    ),
    says=ROW,
    mistakes={
        say.SAMPLE: (
            _norming(ddof=1),
            _norming(ddof=1, outside=True),
        ),
        say.OUTSIDE: _norming(outside=True),
        say.NO_EPS: _norming(keep_eps=False),
        say.DOWN: _norming(axis=0),
        say.NO_MEAN: _norming(mean=False),
        say.NO_ROOT: _norming(root=False),
        say.BIAS_FIRST: _norming(bias_first=True),
        say.NO_GAIN: _norming(plain=True),
    },
)
def layer_norm(function: Callable) -> Result:
    """Check f(x, gain, bias, eps) -> (n, d): each row minus its mean, over √(variance + eps), times gain, plus bias.

    The variance divides by d.
    """


# Go around ----------------------------------------------------------------------------------------------------------


def _build_layer(draw):
    n, d, d_ff = draw.whole(1, 2), draw.whole(2, 3), draw.whole(1, 3)
    return tuple(draw.array(shape, ENTRIES) for shape in ((n, d), (d, d_ff), (d_ff, d)))


def _forward(x, w_1, w_2):
    return np.maximum(0, x @ w_1) @ w_2


@checks(
    right=lambda x, w_1, w_2: block_of(x, lambda read: _forward(read, w_1, w_2)),
    build=_build_layer,
    fixed=(
        ([[1, 2, -1], [3, 0, 1]], [[1, -1], [2, 1], [-1, 2]], [[1, 2, 0], [-1, 1, 3]]),
        ([[0, 2, 5]], [[2, 1, -1], [1, -2, 1], [0, 1, 2]], [[1, 0, 1], [2, -1, 1], [1, 1, -1]]),
    ),
    says=ROW,
    mistakes={
        say.POST: lambda x, *w: normalized(x + _forward(x, *w)),
        say.NORMED_WAY: lambda x, *w: normalized(x) + _forward(normalized(x), *w),
        say.NO_WAY: lambda x, *w: _forward(normalized(x), *w),
        say.DOUBLED: lambda x, *w: 2 * _forward(normalized(x), *w),
        say.NO_NORM: lambda x, *w: x + _forward(x, *w),
        say.INNER: lambda x, *w: x + normalized(_forward(x, *w)),
        say.NO_FOLD: lambda x, w_1, w_2: x + normalized(x) @ w_1 @ w_2,
    },
)
def pre_norm_block(function: Callable) -> Result:
    """Check f(x, w_1, w_2) -> (n, d): x plus what a feed-forward makes of the normalized x.

    The feed-forward is max(0, x w_1) w_2; the norm is `attn.transformer.layer_norm` without gain and bias.
    """
