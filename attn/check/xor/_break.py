"""The checker of the exercise that breaks Theorem 2 where it is open: the token that asks holds a bit, and keeps it."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.softmax import softmax

PAIRS = ((0, 0), (1, 0), (0, 1), (1, 1))
WANTED = np.array([-1, 1, 1, -1])


def outputs(table: np.ndarray, gain: float) -> np.ndarray:
    """The four outputs, for (0, 0), (1, 0), (0, 1), (1, 1)."""
    s_1, s_2, v_1, v_2 = np.asarray(table, dtype=float)
    first, second = np.array(PAIRS).T
    weights = softmax(np.stack([s_1[first], s_2[second]], axis=-1))
    return (weights * np.stack([v_1[first], v_2[second]], axis=-1)).sum(axis=-1) + gain * first


def _one(gain, scale=None):
    """The numbers of the solution."""
    scale = gain if scale is None else scale
    return np.array([[0, 0], [np.log(3), 0], [-0.5 * scale, -3.5 * scale], [0, scale]])


def _judge(answer, expected, gain):
    if not np.isfinite(answer).all():
        return "The table holds NaN or infinite numbers."
    found = outputs(answer, gain)
    said = ", ".join(f"({a}, {d}) {show(value)}" for (a, d), value in zip(PAIRS, found, strict=True))
    said = f"With gain {show(gain)} the four outputs are {said}."
    signs = np.where(np.abs(found) > 1e-9 * gain, np.sign(found), 0)
    if (signs == WANTED).all():
        return None
    if (signs == -WANTED).all():
        return (
            f'{said} That is the opposite of XOR: right for "equal". XOR is above zero where the bits differ.'
        )
    if abs(answer[1, 0] - answer[1, 1]) < 1e-9:
        return (
            f"{said} The second token's score does not depend on its bit, so what the residual adds is shared out as "
            "a sum of votes again, and Theorem 2 holds."
        )
    return f"{said} XOR needs below, above, above, below zero; {int((signs == WANTED).sum())} of 4 are right."


@checks(
    shape="(4, 2)",
    right=_one,
    build=lambda draw: {"gain": draw.choice((1.0, 2.0, 0.5, 3.0, 10.0))},
    fixed=({"gain": 1.0}, {"gain": 2.0}, {"gain": 0.25}, {"gain": 8.0}),
    judge=_judge,
    mistakes=(
        Mistake(
            lambda gain: _one(gain, 1.0),
            "These values are right for gain 1, and the same for every gain: let the values grow with it.",
        ),
        Mistake(
            lambda gain: _one(gain)[[2, 3, 0, 1]],
            "Scores and values are exchanged: the first two rows are scores.",
        ),
        Mistake(
            lambda gain: _one(gain)[[1, 0, 3, 2]],
            "The two tokens are exchanged: the one whose bit the residual adds is the first.",
        ),
        Mistake(
            lambda gain: _one(gain)[:, ::-1],
            "The columns are exchanged: the first is for bit 0.",
        ),
        Mistake(
            lambda gain: np.array([[0, 0], [0, 0], [-gain, 0], [0, gain]]),
            "All scores are equal, so the head is a plain mean: then the four outputs are a sum of votes.",
        ),
        Mistake(
            lambda gain: np.array([[-2, 2], [-2, 2], [-gain, gain], [-gain, gain]]),
            "This head seeks the 1, and so says OR; with the residual it still does. What must the second token do "
            "where the first one is 1?",
        ),
    ),
    free=True,
)
def break_the_vote(function: Callable) -> Result:
    """Check f(gain) -> (4, 2): a head of two tokens that computes XOR, if the residual adds gain · (first bit).

    Rows: the score of the first token, of the second, the value of the first, of the second; a column for each bit.
    The output is softmax(scores) · values + gain · (first bit), and its sign is the answer. `gain` is above zero.
    """
