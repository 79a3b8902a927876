"""The checker of the step that trains: Adam's."""

from collections.abc import Callable

import numpy as np

from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result

NAMES = ("w", "mean", "square")


def _step(w, gradient, mean, square, t, rate, *, unbiased=True, outside=True):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    m, s = (mean / (1 - 0.9**t), square / (1 - 0.999**t)) if unbiased else (mean, square)
    root = np.sqrt(s) + 1e-8 if outside else np.sqrt(s + 1e-8)
    return np.stack([w - rate * m / root, mean, square])


def _judge(answer, expected, w, gradient, mean, square, t, rate):
    if np.isnan(answer).any():
        return "The step holds NaN: is there a division by zero? Steps are counted from t = 1."
    for name, ours, right in zip(reversed(NAMES), answer[::-1], expected[::-1], strict=True):
        for i in np.flatnonzero(far(ours, right)):
            yours, wanted = apart(ours[i], right[i])
            return f"After the step {name}[{i}] is {yours}; it should be {wanted}."
    return None


def _case(w, gradient, mean, square, t, rate):
    arrays = {"w": w, "gradient": gradient, "mean": mean, "square": square}
    return {name: np.array(value, dtype=float) for name, value in arrays.items()} | {"t": t, "rate": rate}


def _build(draw):
    n, t = draw.whole(1, 3), draw.whole(1, 4)
    w = draw.array((n,), (0.0, 1.0, -1.0))
    gradient = draw.array((n,), (1.0, -2.0, 0.5))
    mean = draw.array((n,), (0.0, 0.25, -0.5)) * (t > 1)
    square = draw.array((n,), (1.0, 0.25)) * (t > 1)
    return _case(w, gradient, mean, square, t, draw.choice((0.5, 0.1)))


_FIRST = _case([1, -2, 0.5], [0.5, -0.25, 2], [0, 0, 0], [0, 0, 0], 1, 0.1)
_LATER = _case([0.5, 0, -1], [1, -0.5, 0.25], [0.2, 0.1, -0.4], [0.01, 0.04, 0.02], 7, 0.05)
_SMALL = _case([1, 2], [1e-4, -3e-4], [0, 0], [0, 0], 1, 0.1)  # where the place of 1e-8 shows


@checks(
    shape="(3, n)",
    right=_step,
    build=_build,
    fixed=(_FIRST, _LATER, _SMALL),
    judge=_judge,
    mistakes=(
        Mistake(
            lambda *case: _step(*case, unbiased=False),
            "The means start at 0 and are too small at first: divide by 1 − 0.9^t and 1 − 0.999^t before the step.",
        ),
        Mistake(
            lambda *case: _step(*case, outside=False),
            "The small number stands under the root here. It is added to the root: √square + 1e-8.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: np.vstack(
                [
                    2 * w - _step(w, gradient, mean, square, t, rate)[0],
                    _step(w, gradient, mean, square, t, rate)[1:],
                ]
            ),
            "It climbs: the loss falls against the gradient, so the step is subtracted.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: np.vstack(
                [w - rate * gradient, _step(w, gradient, mean, square, t, rate)[1:]]
            ),
            "This is plain gradient descent: the means are kept and not used.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: np.stack([w - rate * gradient, mean, square]),
            "This is plain gradient descent, and the means stay what they were.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: np.vstack(
                [
                    w
                    - rate
                    * gradient
                    / (np.sqrt(_step(w, gradient, mean, square, t, rate)[2] / (1 - 0.999**t)) + 1e-8),
                    _step(w, gradient, mean, square, t, rate)[1:],
                ]
            ),
            "The step goes along the last gradient; it should go along the mean of them, divided by 1 − 0.9^t.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: _step(w, gradient, mean, square, t + 1, rate),
            "The step is counted one too far: t is the number of this step, and the first one is 1.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: np.vstack(
                [
                    w
                    - rate
                    * _step(w, gradient, mean, square, t, rate)[1]
                    / (1 - 0.9**t)
                    / (_step(w, gradient, mean, square, t, rate)[2] / (1 - 0.999**t) + 1e-8),
                    _step(w, gradient, mean, square, t, rate)[1:],
                ]
            ),
            "The root is missing: divide by the root of the mean square.",
        ),
        Mistake(
            lambda w, gradient, mean, square, t, rate: _step(w, gradient, mean, square, t, rate)[0],
            "Only w came back: the next step needs mean and square too. Return np.stack([w, mean, square]).",
        ),
    ),
)
def adam_step(function: Callable) -> Result:
    """Check f(w, gradient, mean, square, t, rate) -> (3, n): w, mean and square after Adam's step number t = 1, 2, …

    Adam's numbers are 0.9, 0.999 and 1e-8, the last added to the root.
    """
