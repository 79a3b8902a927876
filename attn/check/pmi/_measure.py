"""The checker of PMI from counts."""

from collections.abc import Callable

import numpy as np

from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.check.pmi._tables import full, quiet
from attn.pmi import joint_from_counts, pmi
from attn.practice.mistakes import pmi as say


def _bits(counts):
    return pmi(joint_from_counts(counts))


def _judge_bits(answer, expected, counts):
    for i, j, got, right in wrong_entries(answer, expected):
        if np.isneginf(expected[i, j]):
            return f"Row {i} and column {j} never meet, so their PMI is −inf, but it is {got}."
        return f"Row {i}, column {j} has the PMI {got}; it should be {right} bits."
    return None


def _build_counts(draw):
    return {"counts": full(draw, (draw.whole(1, 3), draw.whole(1, 3)), 5)}


@quiet
def _swapped(counts):
    """Row sums laid along the columns: possible on square tables alone."""
    p = counts / counts.sum()
    return np.log2(p / (p.sum(axis=0)[:, None] * p.sum(axis=1)[None, :]))


_UNNORMALIZED = (
    f"{say.UNNORMALIZED} p(i, j) = n(i, j) / N, and so with the margins; in "
    "log n(i, j) / (n(i) n(j)) a factor N is missing."
)
_ZERO = "A pair that never meets has PMI −inf, not 0: 0 is what a pair of pure chance gets."


@checks(
    shape="(n, m)",
    right=_bits,
    build=_build_counts,
    fixed=(
        {"counts": np.array([[2, 14], [3, 1]])},
        {"counts": np.array([[4, 0], [1, 3]])},
        {"counts": np.array([[5, 1], [1, 2]])},
    ),
    judge=_judge_bits,
    mistakes=(
        Mistake(
            lambda counts: _bits(counts) * np.log(2),
            f"{say.NATS}: np.log2.",
        ),
        Mistake(
            lambda counts: _bits(counts) * np.log10(2),
            f"{say.DECIMAL}: np.log2.",
        ),
        Mistake(quiet(lambda n: np.log2(n / (n.sum(axis=1, keepdims=True) * n.sum(axis=0)))), _UNNORMALIZED),
        Mistake(
            quiet(lambda n: np.log2(n / n.sum() / (n.sum(axis=1, keepdims=True) * n.sum(axis=0)))),
            _UNNORMALIZED,
        ),
        Mistake(
            _swapped,
            say.SWAPPED,
        ),
        Mistake(
            quiet(lambda n: np.where(n > 0, _bits(n), 0)),
            _ZERO,
        ),
        Mistake(
            lambda counts: np.maximum(_bits(counts), 0),
            "That is PPMI, with everything below 0 cut off. The exercise asks for PMI.",
        ),
        Mistake(
            quiet(lambda n: np.log2((n / n.sum()) / (n / n.sum()).sum(axis=1, keepdims=True))),
            "Only one margin is divided out: log p(i, j) / p(i) is log p(j|i). PMI divides by p(j) too.",
        ),
        Mistake(
            quiet(lambda n: np.log2((n / n.sum()) / (n / n.sum()).sum(axis=0))),
            "Only one margin is divided out: log p(i, j) / p(j) is log p(i|j). PMI divides by p(i) too.",
        ),
        Mistake(
            quiet(lambda n: (n / n.sum()) * _bits(n)),
            "That is each pair's share in the mutual information, p(i, j) times PMI. Leave out the weight p(i, j).",
        ),
        Mistake(
            lambda counts: pmi(joint_from_counts(counts, 1)),
            "Is 1 added to every count? Smoothing is a choice; here the counts are taken as they are.",
        ),
        Mistake(lambda counts: -_bits(counts), f"{say.TURNED}: log p(i, j) − log p(i) p(j)."),
    ),
)
def pmi_from_counts(function: Callable) -> Result:
    """Check f(counts) -> pmi: PMI in bits of a table of counts (n, m), −inf where two never meet.

    Every row and column holds at least one count. The input stays what it is.
    """
