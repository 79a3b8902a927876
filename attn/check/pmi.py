"""The checkers of the exercises on PMI (chapter 6). Rows, columns and words count from 0 in all messages."""

import numpy as np

from attn.check._cases import show
from attn.check._engine import run
from attn.check._exercise import Exercise, Mistake
from attn.pmi import joint_from_counts, pmi
from attn.softmax import softmax


def pmi_from_counts(function):
    """Check f(counts) -> pmi: PMI in bits of a table of counts (n, m), −inf where two never meet.

    Every row and column holds at least one count. The input stays what it is.
    """
    return run(_PMI_FROM_COUNTS, function)


def window_counts(function):
    """Check f(tokens, window, n_words) -> counts (n_words, n_words): who stands near whom.

    `tokens` holds word numbers below n_words. Each place counts the others up to `window` places away, before it
    and after it, and never itself.
    """
    return run(_WINDOW_COUNTS, function)


def scores_for(function):
    """Check f(joint) -> scores: scores whose softmax along the last axis is p(j|i).

    A constant for each row is the learner's to choose. Where p(i, j) = 0 the score is −inf.
    """
    return run(_SCORES_FOR, function)


# PMI from counts ----------------------------------------------------------------------------------------------


def _bits(counts):
    return pmi(joint_from_counts(counts))


def _quiet(function):
    def calm(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)

    return calm


def _judge_bits(answer, expected, counts):
    for index in np.argwhere(~np.isclose(answer, expected, rtol=1e-9, atol=1e-9)):
        i, j = index
        got, right = answer[i, j], expected[i, j]
        if np.isneginf(right):
            return f"Row {i} and column {j} never meet, so their PMI is −inf, but it is {show(got)}."
        return f"Row {i}, column {j} has the PMI {show(got)}; it should be {show(right)} bits."
    return None


def _full(draw, shape, most):
    """A table of counts with something in every row and column."""
    table = draw.array(shape, np.arange(most + 1))
    for i in range(shape[0]):
        if not table[i].any():
            table[i, i % shape[1]] = 1
    for j in range(shape[1]):
        if not table[:, j].any():
            table[j % shape[0], j] = 1
    return table


def _build_counts(draw):
    return {"counts": _full(draw, (draw.whole(1, 3), draw.whole(1, 3)), 5)}


def _ratio(counts, rows, columns, total):
    return np.log2(counts * total / (rows * columns))


@_quiet
def _swapped(counts):
    """Row sums laid along the columns: possible on square tables alone."""
    p = counts / counts.sum()
    return np.log2(p / (p.sum(axis=0)[:, None] * p.sum(axis=1)[None, :]))


_UNNORMALIZED = (
    "Are the counts divided by their sum? p(i, j) = n(i, j) / N, and so with the margins; in "
    "log n(i, j) / (n(i) n(j)) a factor N is missing."
)
_ZERO = "A pair that never meets has PMI −inf, not 0: 0 is what a pair of pure chance gets."

_PMI_FROM_COUNTS = Exercise(
    usage="pmi_from_counts(counts)",
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
            "Is the logarithm natural? That gives nats. Bits need base 2: np.log2.",
        ),
        Mistake(
            lambda counts: _bits(counts) * np.log10(2),
            "Is the logarithm the decimal one? Bits need base 2: np.log2.",
        ),
        Mistake(_quiet(lambda n: np.log2(n / (n.sum(axis=1, keepdims=True) * n.sum(axis=0)))), _UNNORMALIZED),
        Mistake(
            _quiet(lambda n: np.log2(n / n.sum() / (n.sum(axis=1, keepdims=True) * n.sum(axis=0)))),
            _UNNORMALIZED,
        ),
        Mistake(
            _swapped,
            "Are the margins swapped? p(i) is the sum of row i and belongs to row i; p(j) is the sum of column j.",
        ),
        Mistake(
            _quiet(lambda n: np.where(n > 0, _bits(n), 0)),
            _ZERO,
        ),
        Mistake(
            lambda counts: np.maximum(_bits(counts), 0),
            "That is PPMI, with everything below 0 cut off. The exercise asks for PMI.",
        ),
        Mistake(
            _quiet(lambda n: np.log2((n / n.sum()) / (n / n.sum()).sum(axis=1, keepdims=True))),
            "Only one margin is divided out: log p(i, j) / p(i) is log p(j|i). PMI divides by p(j) too.",
        ),
        Mistake(
            _quiet(lambda n: np.log2((n / n.sum()) / (n / n.sum()).sum(axis=0))),
            "Only one margin is divided out: log p(i, j) / p(j) is log p(i|j). PMI divides by p(i) too.",
        ),
        Mistake(
            _quiet(lambda n: (n / n.sum()) * _bits(n)),
            "That is each pair's share in the mutual information, p(i, j) times PMI. Leave out the weight p(i, j).",
        ),
        Mistake(
            lambda counts: pmi(joint_from_counts(counts, 1)),
            "Is 1 added to every count? Smoothing is a choice; here the counts are taken as they are.",
        ),
        Mistake(lambda counts: -_bits(counts), "The sign is turned round: log p(i, j) − log p(i) p(j)."),
    ),
)


# Counting in a window -----------------------------------------------------------------------------------------


def _count(tokens, window, n_words, *, before=True, after=True, itself=False, reach=0):
    counts = np.zeros((n_words, n_words), dtype=int)
    for here, word in enumerate(tokens):
        for there, other in enumerate(tokens):
            distance = there - here
            if distance == 0:
                counts[word, other] += itself
            elif abs(distance) <= window + reach and (after if distance > 0 else before):
                counts[word, other] += 1
    return counts


def _without_same(tokens, window, n_words):
    counts = _count(tokens, window, n_words)
    counts[np.diag_indices(n_words)] = 0
    return counts


def _judge_window(answer, expected, tokens, window, n_words):
    for i, j in np.argwhere(answer != expected):
        return (
            f"Words {i} and {j} stand within {window} of each other {expected[i, j]} times, counted from {i}; "
            f"you count {show(answer[i, j])}."
        )
    return None


def _build_window(draw):
    return {
        "tokens": np.array(draw.some(1, 6, lambda: draw.whole(0, 2))),
        "window": draw.whole(1, 3),
        "n_words": 3,
    }


_WINDOW_COUNTS = Exercise(
    usage="window_counts(tokens, window, n_words)",
    shape="(n_words, n_words)",
    right=_count,
    build=_build_window,
    fixed=(
        {"tokens": np.array([0, 1, 2, 0, 0]), "window": 2, "n_words": 3},
        {"tokens": np.array([2, 0, 1, 1, 2, 0]), "window": 1, "n_words": 3},
    ),
    judge=_judge_window,
    mistakes=(
        Mistake(
            lambda t, w, n: _count(t, w, n, before=False),
            "Is only what comes after counted? The window has two sides; a word before counts as well.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, after=False),
            "Is only what comes before counted? The window has two sides; a word after counts as well.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, itself=True),
            "Does each place count itself? Distance 0 is left out; only the diagonal shows it.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, itself=True, before=False),
            "Two things: each place counts itself, and only one side of the window is counted.",
        ),
        Mistake(
            _without_same,
            "Is the whole diagonal set to 0? A place is not counted with itself, but the same word may stand twice in "
            "a window, and that counts.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, reach=-1),
            "Off by one: a word exactly `window` places away still counts.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, reach=1),
            "Off by one: a word `window` + 1 places away counts no more.",
        ),
        Mistake(
            lambda t, w, n: 2 * _count(t, w, n),
            "Everything is counted twice. From each place look at its neighbors once.",
        ),
        Mistake(
            lambda t, w, n: np.minimum(_count(t, w, n), 1),
            "Is a pair counted once only? `counts[a, b] += 1` with arrays of indices adds 1 to each entry at most; "
            "use np.add.at or a loop.",
        ),
    ),
)


# Scores for a joint table -------------------------------------------------------------------------------------


def _log(joint):
    with np.errstate(divide="ignore"):
        return np.log(joint)


def _judge_scores(answer, expected, joint):
    if np.isnan(answer).any() or np.isposinf(answer).any():
        return (
            f"The scores hold {show(answer[~(answer < np.inf)][0])}; only −inf and finite numbers are scores."
        )
    weights, wanted = softmax(answer), softmax(expected)
    for i, j in np.argwhere(np.abs(weights - wanted) > 1e-9):
        return (
            f"With your scores row {i} gives column {j} the weight {show(weights[i, j])}; "
            f"p({j}|{i}) is {show(wanted[i, j])}."
        )
    return None


def _build_joint(draw):
    return {"joint": joint_from_counts(_full(draw, (draw.whole(1, 3), draw.whole(1, 3)), 4))}


_E = np.e
_SCORES_FOR = Exercise(
    usage="scores_for(joint)",
    shape="(n, m)",
    right=_log,
    build=_build_joint,
    fixed=(
        {"joint": np.array([[0.1, 0.7], [0.15, 0.05]])},
        {"joint": np.array([[0.25, 0.0], [0.125, 0.625]])},
    ),
    judge=_judge_scores,
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
            _quiet(lambda joint: pmi(joint, _E) + np.log(joint.sum(axis=1, keepdims=True))),
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
