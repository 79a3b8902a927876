"""The checker of scores for a joint table."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.check.pmi._tables import full, quiet
from attn.pmi import joint_from_counts, pmi
from attn.softmax import softmax


def _log(joint):
    with np.errstate(divide="ignore"):
        return np.log(joint)


def _judge_scores(answer, expected, joint):
    if np.isnan(answer).any() or np.isposinf(answer).any():
        return (
            f"The scores hold {show(answer[~(answer < np.inf)][0])}; only −inf and finite numbers are scores."
        )
    weights, wanted = softmax(answer), softmax(expected)
    for i, j, got, right in wrong_entries(weights, wanted):
        return f"With your scores row {i} gives column {j} the weight {got}; p({j}|{i}) is {right}."
    return None


def _build_joint(draw):
    return {"joint": joint_from_counts(full(draw, (draw.whole(1, 3), draw.whole(1, 3)), 4))}


_E = np.e


@checks(
    shape="(n, m)",
    right=_log,
    build=_build_joint,
    fixed=(
        {"joint": np.array([[0.1, 0.7], [0.15, 0.05]])},
        {"joint": np.array([[0.25, 0.0], [0.125, 0.625]])},
    ),
    judge=_judge_scores,
    free=True,
    mistakes=(
        Mistake(
            lambda joint: pmi(joint, _E),
            "Is the prior missing? Softmax of PMI alone gives weights proportional to p(i, j) / p(j); add log p(j).",
        ),
        Mistake(
            pmi,
            "Two things: softmax has base e, so PMI must be in nats; and the prior, log p(j), is missing.",
        ),
        Mistake(
            lambda joint: pmi(joint) + np.log(joint.sum(axis=0)),
            "Is PMI in bits? Softmax has base e: scores must be in nats.",
        ),
        Mistake(
            lambda joint: _log(joint) / np.log(2),
            "Are the scores in bits? Softmax has base e: scores must be in nats.",
        ),
        Mistake(
            quiet(lambda joint: pmi(joint, _E) + np.log(joint.sum(axis=1, keepdims=True))),
            "Is the wrong margin added? A constant for each row changes nothing; the prior is log p(j), one for each "
            "column.",
        ),
        Mistake(
            lambda joint: joint,
            "Are those the probabilities themselves? Softmax takes the exponential, so it wants their logarithms.",
        ),
        Mistake(
            lambda joint: joint / joint.sum(axis=1, keepdims=True),
            "Are those the probabilities themselves? Softmax takes the exponential, so it wants their logarithms.",
        ),
        Mistake(
            lambda joint: np.where(joint > 0, _log(joint), 0),
            "Is −inf replaced by 0? A score of 0 still gets e⁰ = 1; only −inf gets weight 0.",
        ),
    ),
)
def scores_for(function: Callable) -> Result:
    """Check f(joint) -> scores: scores whose softmax along the last axis is p(j|i).

    A constant for each row is the learner's to choose. Where p(i, j) = 0 the score is −inf.
    """
