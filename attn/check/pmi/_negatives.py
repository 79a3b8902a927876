"""The checker of the scores that negative sampling aims at."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.pmi import joint_from_counts, pmi


def _right(joint, n_negative, power):
    margin = joint.sum(axis=0)
    rivals = margin**power / (margin**power).sum()
    return pmi(joint, np.e) + np.log(margin) - np.log(rivals) - np.log(n_negative)


def _judge(answer, expected, joint, n_negative, power):
    for i, j, got, right in wrong_entries(answer, expected):
        return (
            f"The score of row {i} and column {j} is {got}; with {n_negative} rivals from "
            f"p(j)^{show(power)} the loss is least at {right}."
        )
    return None


def _build(draw):
    counts = draw.array((draw.whole(1, 3), draw.whole(1, 3)), (1.0, 2.0, 4.0, 9.0))
    return {
        "joint": joint_from_counts(counts),
        "n_negative": draw.whole(1, 5),
        "power": draw.choice((1.0, 0.75, 0.5)),
    }


_CASES = (
    {"joint": np.array([[0.1, 0.7], [0.15, 0.05]]), "n_negative": 5, "power": 0.75},
    {"joint": np.array([[0.25, 0.05, 0.1], [0.1, 0.3, 0.2]]), "n_negative": 2, "power": 0.5},
)


def _with(rivals, axis=0):
    """Ln p(i, j) − ln k p(i) r(j), for other rivals r made of the margin, of the count k and of the power."""
    return lambda joint, k, power: np.log(
        joint
        / (joint.sum(axis=1 - axis, keepdims=True) * rivals(joint.sum(axis=axis, keepdims=True), k, power))
    )


@checks(
    shape="(n, m)",
    right=_right,
    build=_build,
    fixed=_CASES,
    judge=_judge,
    mistakes=(
        Mistake(
            _with(lambda p, k, power: k * p),
            "Is the power left out? These are the scores for rivals from p(j) itself: PMI − ln k.",
        ),
        Mistake(
            _with(lambda p, k, power: k * p**power),
            "Do the chances of the rivals sum to one? Divide p(j)^power by its sum: each pair is judged alone, so a "
            "constant counts.",
        ),
        Mistake(
            _with(lambda p, k, power: p**power / (p**power).sum()),
            "Where are the draws? With k rivals for each pair the best score is lower by ln k.",
        ),
        Mistake(
            _with(lambda p, k, power: p**power / (p**power).sum() / k),
            'Is the sign of ln k reversed? More rivals make "no" more likely, so the best score is lower.',
        ),
        Mistake(
            lambda joint, k, power: _right(joint, k, power) / np.log(2),
            "Are these bits? A logistic function has base e: scores are in nats.",
        ),
        Mistake(
            lambda joint, k, power: pmi(joint) - np.log(k),
            "Is PMI in bits, and the power left out? A logistic function has base e: scores are in nats.",
        ),
        Mistake(
            _with(lambda p, k, power: k * p**power / (p**power).sum(), axis=1),
            "Is the power on the wrong margin? The rivals are columns j, drawn in the place of the neighbor.",
        ),
        Mistake(
            lambda joint, k, power: _right(joint, k, power) + np.log(joint.sum(axis=0)),
            "Is ln p(j) added? That belongs to cross-entropy over all j; here rivals are drawn, and it cancels.",
        ),
        Mistake(
            lambda joint, k, power: power * pmi(joint, np.e) - np.log(k),
            "Is all of PMI multiplied by the power? Only the chances of the rivals have it.",
        ),
        Mistake(
            lambda joint, k, power: np.maximum(_right(joint, k, power), 0),
            "Is what is below 0 cut off? That is *shifted PPMI*, a choice made afterwards.",
        ),
        Mistake(
            lambda joint, k, power: np.log(joint / joint.sum(axis=1, keepdims=True)),
            "That is ln p(j|i), what cross-entropy aims at. Negative sampling divides by the chances of its rivals.",
        ),
    ),
)
def negative_scores(function: Callable) -> Result:
    """Check f(joint, n_negative, power) -> (n, m): the best scores of negative sampling, a constant included.

    `n_negative` rivals are drawn for each pair, j with a chance proportional to p(j) ** power.
    """
