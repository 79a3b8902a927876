"""The checker of a softmax under a mask. Rows and tokens count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.practice.mistakes import masking as say
from attn.softmax import softmax


def _weights(scores, mask):
    return softmax(np.where(mask, scores, -np.inf))


def _judge_weights(answer, expected, scores, mask):
    large = np.abs(scores).max() > 700  # exp(710) overflows
    for i, row in enumerate(answer):
        if not mask[i].any() and far(row, 0).any():
            because = ": −inf − (−inf) is NaN, and so is 0/0" if np.isnan(row).any() else ""
            return f"Row {i} may look at nothing, so all its weights should be 0, but they are {show(row)}{because}."
        if np.isnan(row).any():
            because = (
                ", as inf/inf and 0/0 do: exp of a large score overflows, so subtract the row's largest first"
            )
            return f"Row {i} holds NaN{because if large else ''}."
        for j in np.flatnonzero(~mask[i] & far(row, 0)):
            return f"Row {i} gives token {j} the weight {show(row[j])}, but token {j} is hidden from it."
        if mask[i].any() and far(row.sum(), 1):
            because = "; subtract the largest score that the row may look at, not the largest of all"
            return f"Row {i} sums to {apart(row.sum(), 1.0)[0]}, not 1{because if large else ''}."
        for j in np.flatnonzero(far(row, expected[i])):
            got, right = apart(row[j], expected[i, j])
            return f"Row {i} gives token {j} the weight {got}; it should be {right}."
    return None


def _build_weights(draw):
    n_k = draw.whole(1, 4)
    options = draw.choice(((0.0, 1.0, 2.0, -1.0), (0.0, 1000.0, -1000.0, 1.0), (0.0, 1e300, -1e300, 1.0)))
    rows = draw.some(1, 4, lambda: (draw.array((n_k,), options), draw.array((n_k,), (True, False))))
    return _scores_and_mask(*zip(*rows, strict=True))


def _scores_and_mask(scores, mask):
    return {"scores": np.array(scores, dtype=np.float64), "mask": np.array(mask, dtype=bool)}


# Square, not symmetric, with something to see and something hidden in each row and column.
_PLAIN = (
    _scores_and_mask([[0, 1, 2], [1, -1, 0], [0.5, 2, -2]], [[1, 1, 0], [0, 1, 1], [1, 0, 0]]),
    _scores_and_mask([[1, 2], [0, 3]], [[0, 1], [1, 0]]),
)
_EMPTY_ROW = (_scores_and_mask([[0, 1, 2], [1, -1, 0]], [[0, 0, 0], [1, 0, 1]]),)
_LARGE = (
    _scores_and_mask([[1000, 1001, 0]], [[1, 1, 0]]),
    _scores_and_mask([[1000, 0, 1]], [[0, 1, 1]]),
    _scores_and_mask([[-1000, -1001, 0]], [[1, 1, 0]]),
    _scores_and_mask([[1e300, -1e300], [-1e300, -1e300]], [[1, 1], [1, 0]]),
)


def _over_visible(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


@checks(
    right=_weights,
    build=_build_weights,
    fixed=_PLAIN + _EMPTY_ROW + _LARGE,
    judge=_judge_weights,
    shape="(n_q, n_k)",
    mistakes=(
        Mistake(lambda scores, mask: softmax(scores) * mask, say.AFTER, _PLAIN),
        Mistake(lambda scores, mask: softmax(scores), say.NO_EFFECT, _PLAIN),
        Mistake(
            lambda scores, mask: softmax(scores + mask),
            "Was the mask of 0 and 1 added? Adding 1 only helps the visible scores a little; hidden ones need −inf.",
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: softmax(scores * mask),
            say.ZEROED,
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: _weights(scores, ~mask),
            f"{say.INVERTED} True means that the query may look.",
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=0),
            "Does the softmax run over the wrong axis? Each row, one query, sums to one: that is the last axis.",
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: _weights(scores, mask.T),
            "Is the mask transposed? Its rows are queries, its columns keys, as in the scores.",
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: np.where(mask, softmax(scores), -np.inf),
            "Put −inf into the scores, before the softmax; a hidden weight is 0.",
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: np.full(scores.shape, np.nan),
            "Is there (1 − mask) · −inf? 0 · inf is NaN: use np.where(mask, scores, -np.inf).",
            _PLAIN,
        ),
        Mistake(
            lambda scores, mask: softmax(np.where(mask, scores, -1e9)),
            say.LARGE_NEGATIVE,
            _PLAIN + _EMPTY_ROW,
        ),
        Mistake(
            lambda scores, mask: softmax(scores + np.where(mask, 0, -1e9)), say.LARGE_NEGATIVE, _EMPTY_ROW
        ),
        Mistake(lambda scores, mask: _over_visible(softmax(scores) * mask), say.TOO_LATE, _PLAIN + _LARGE),
        Mistake(
            lambda scores, mask: np.nan_to_num(_over_visible(softmax(scores) * mask)),
            say.TOO_LATE,
            _PLAIN + _LARGE,
        ),
    ),
)
def masked_softmax(function: Callable) -> Result:
    """Check f(scores, mask) -> weights: softmax over the keys that the mask lets each query see.

    `scores` (n_q, n_k) holds finite floats up to ±1e300, `mask` (n_q, n_k) is True where query i may look at
    key j. Each row sums to one; a row that may look at nothing is all zeros. The input stays what it is.
    """
