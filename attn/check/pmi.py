"""The checkers of the exercises on PMI (chapter 7). Rows, columns and words count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import Draw, show
from attn.check._close import wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Result
from attn.pmi import joint_from_counts, pmi
from attn.practice.mistakes import pmi as say
from attn.softmax import softmax

# Counting in a window -----------------------------------------------------------------------------------------------


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


@checks(
    right=_count,
    build=lambda draw: (np.array(draw.some(1, 6, lambda: draw.whole(0, 2))), draw.whole(1, 3), 3),
    fixed=(
        (np.array([0, 1, 2, 0, 0]), 2, 3),
        (np.array([2, 0, 1, 1, 2, 0]), 1, 3),
    ),
    says=(
        "Words {0} and {1} stand within {window} of each other {right} times, counted from {0}; you count {got}."
    ),
    mistakes={
        "Is only what comes after counted? The window has two sides; a word before counts as well.": (
            lambda t, w, n: _count(t, w, n, before=False)
        ),
        "Is only what comes before counted? The window has two sides; a word after counts as well.": (
            lambda t, w, n: _count(t, w, n, after=False)
        ),
        "Does each place count itself? Distance 0 is left out; only the diagonal shows it.": (
            lambda t, w, n: _count(t, w, n, itself=True)
        ),
        "Two things: each place counts itself, and only one side of the window is counted.": (
            lambda t, w, n: _count(t, w, n, itself=True, before=False)
        ),
        "Is the whole diagonal set to 0? A place is not counted with itself, but the same word may stand twice in "
        "a window, and that counts.": _without_same,
        "Off by one: a word exactly `window` places away still counts.": (
            lambda t, w, n: _count(t, w, n, reach=-1)
        ),
        "Off by one: a word `window` + 1 places away counts no more.": (
            lambda t, w, n: _count(t, w, n, reach=1)
        ),
        "Everything is counted twice. From each place look at its neighbors once.": (
            lambda t, w, n: 2 * _count(t, w, n)
        ),
        "Is a pair counted once only? `counts[a, b] += 1` with arrays of indices adds 1 to each entry at most; "
        "use np.add.at or a loop.": lambda t, w, n: np.minimum(_count(t, w, n), 1),
    },
)
def window_counts(function: Callable) -> Result:
    """Check f(tokens, window, n_words) -> counts (n_words, n_words): who stands near whom.

    `tokens` holds word numbers below n_words. Each place counts the others up to `window` places away, before it
    and after it, and never itself.
    """


# PMI from counts ----------------------------------------------------------------------------------------------------


def _quiet(function: Callable) -> Callable:
    """Let a function take logarithms of 0 in silence."""

    def calm(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)

    return calm


def _full(draw: Draw, shape: tuple[int, int], most: int) -> np.ndarray:
    """A table of counts with something in every row and column."""
    table = draw.array(shape, np.arange(most + 1))
    for i in range(shape[0]):
        if not table[i].any():
            table[i, i % shape[1]] = 1
    for j in range(shape[1]):
        if not table[:, j].any():
            table[j % shape[0], j] = 1
    return table


def _bits(counts):
    return pmi(joint_from_counts(counts))


@_quiet
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
    right=_bits,
    build=lambda draw: (_full(draw, (draw.whole(1, 3), draw.whole(1, 3)), 5),),
    fixed=(
        (np.array([[2, 14], [3, 1]]),),
        (np.array([[4, 0], [1, 3]]),),
        (np.array([[5, 1], [1, 2]]),),
    ),
    says=lambda i, j, got, right, counts: (
        f"Row {i}, column {j} has the PMI {got}; it should be {right} bits."
        if counts[i, j]
        else f"Row {i} and column {j} never meet, so their PMI is −inf, but it is {got}."
    ),
    mistakes={
        f"{say.NATS}: np.log2.": lambda counts: _bits(counts) * np.log(2),
        f"{say.DECIMAL}: np.log2.": lambda counts: _bits(counts) * np.log10(2),
        _UNNORMALIZED: (
            _quiet(lambda n: np.log2(n / (n.sum(axis=1, keepdims=True) * n.sum(axis=0)))),
            _quiet(lambda n: np.log2(n / n.sum() / (n.sum(axis=1, keepdims=True) * n.sum(axis=0)))),
        ),
        say.SWAPPED: _swapped,
        _ZERO: _quiet(lambda n: np.where(n > 0, _bits(n), 0)),
        "That is PPMI, with everything below 0 cut off. The exercise asks for PMI.": (
            lambda counts: np.maximum(_bits(counts), 0)
        ),
        "Only one margin is divided out: log p(i, j) / p(i) is log p(j|i). PMI divides by p(j) too.": (
            _quiet(lambda n: np.log2((n / n.sum()) / (n / n.sum()).sum(axis=1, keepdims=True)))
        ),
        "Only one margin is divided out: log p(i, j) / p(j) is log p(i|j). PMI divides by p(i) too.": (
            _quiet(lambda n: np.log2((n / n.sum()) / (n / n.sum()).sum(axis=0)))
        ),
        "That is each pair's share in the mutual information, p(i, j) times PMI. Leave out the weight p(i, j).": (
            _quiet(lambda n: (n / n.sum()) * _bits(n))
        ),
        "Is 1 added to every count? Smoothing is a choice; here the counts are taken as they are.": (
            lambda counts: pmi(joint_from_counts(counts, 1))
        ),
        f"{say.TURNED}: log p(i, j) − log p(i) p(j).": lambda counts: -_bits(counts),
    },
)
def pmi_from_counts(function: Callable) -> Result:
    """Check f(counts) -> pmi (n, m): PMI in bits of a table of counts (n, m), −inf where two never meet.

    Every row and column holds at least one count. The input stays what it is.
    """


# Scores for a joint table -------------------------------------------------------------------------------------------


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


_E = np.e


@checks(
    right=_log,
    build=lambda draw: (joint_from_counts(_full(draw, (draw.whole(1, 3), draw.whole(1, 3)), 4)),),
    fixed=(
        ([[0.1, 0.7], [0.15, 0.05]],),
        ([[0.25, 0.0], [0.125, 0.625]],),
    ),
    judge=_judge_scores,
    free=True,
    mistakes={
        "Is the prior missing? Softmax of PMI alone gives weights proportional to p(i, j) / p(j); add log p(j).": (
            lambda joint: pmi(joint, _E)
        ),
        "Two things: softmax has base e, so PMI must be in nats; and the prior, log p(j), is missing.": pmi,
        "Is PMI in bits? Softmax has base e: scores must be in nats.": (
            lambda joint: pmi(joint) + np.log(joint.sum(axis=0))
        ),
        "Are the scores in bits? Softmax has base e: scores must be in nats.": (
            lambda joint: _log(joint) / np.log(2)
        ),
        "Is the wrong margin added? A constant for each row changes nothing; the prior is log p(j), one for each "
        "column.": _quiet(lambda joint: pmi(joint, _E) + np.log(joint.sum(axis=1, keepdims=True))),
        "Are those the probabilities themselves? Softmax takes the exponential, so it wants their logarithms.": (
            lambda joint: joint,
            lambda joint: joint / joint.sum(axis=1, keepdims=True),
        ),
        "Is −inf replaced by 0? A score of 0 still gets e⁰ = 1; only −inf gets weight 0.": (
            lambda joint: np.where(joint > 0, _log(joint), 0)
        ),
    },
)
def scores_for(function: Callable) -> Result:
    """Check f(joint) -> scores (n, m): scores whose softmax along the last axis is p(j|i).

    A constant for each row is the learner's to choose. Where p(i, j) = 0 the score is −inf.
    """


# What negative sampling aims at -------------------------------------------------------------------------------------


def _best(joint, n_negative, power):
    margin = joint.sum(axis=0)
    rivals = margin**power / (margin**power).sum()
    return pmi(joint, np.e) + np.log(margin) - np.log(rivals) - np.log(n_negative)


def _build_rivals(draw):
    counts = draw.array((draw.whole(1, 3), draw.whole(1, 3)), (1.0, 2.0, 4.0, 9.0))
    return joint_from_counts(counts), draw.whole(1, 5), draw.choice((1.0, 0.75, 0.5))


def _with_rivals(rivals, axis=0):
    """Ln p(i, j) − ln k p(i) r(j), for other rivals r made of the margin, of the count k and of the power."""
    return lambda joint, k, power: np.log(
        joint
        / (joint.sum(axis=1 - axis, keepdims=True) * rivals(joint.sum(axis=axis, keepdims=True), k, power))
    )


@checks(
    right=_best,
    build=_build_rivals,
    fixed=(
        ([[0.1, 0.7], [0.15, 0.05]], 5, 0.75),
        ([[0.25, 0.05, 0.1], [0.1, 0.3, 0.2]], 2, 0.5),
    ),
    says="The score of row {0} and column {1} is {got}; with {n_negative} rivals from p(j)^{power:g} the loss is "
    "least at {right}.",
    mistakes={
        "Is the power left out? These are the scores for rivals from p(j) itself: PMI − ln k.": (
            _with_rivals(lambda p, k, power: k * p)
        ),
        "Do the chances of the rivals sum to one? Divide p(j)^power by its sum: each pair is judged alone, so a "
        "constant counts.": _with_rivals(lambda p, k, power: k * p**power),
        "Where are the draws? With k rivals for each pair the best score is lower by ln k.": (
            _with_rivals(lambda p, k, power: p**power / (p**power).sum())
        ),
        'Is the sign of ln k reversed? More rivals make "no" more likely, so the best score is lower.': (
            _with_rivals(lambda p, k, power: p**power / (p**power).sum() / k)
        ),
        "Are these bits? A logistic function has base e: scores are in nats.": (
            lambda joint, k, power: _best(joint, k, power) / np.log(2)
        ),
        "Is PMI in bits, and the power left out? A logistic function has base e: scores are in nats.": (
            lambda joint, k, power: pmi(joint) - np.log(k)
        ),
        "Is the power on the wrong margin? The rivals are columns j, drawn in the place of the neighbor.": (
            _with_rivals(lambda p, k, power: k * p**power / (p**power).sum(), axis=1)
        ),
        "Is ln p(j) added? That belongs to cross-entropy over all j; here rivals are drawn, and it cancels.": (
            lambda joint, k, power: _best(joint, k, power) + np.log(joint.sum(axis=0))
        ),
        "Is all of PMI multiplied by the power? Only the chances of the rivals have it.": (
            lambda joint, k, power: power * pmi(joint, np.e) - np.log(k)
        ),
        "Is what is below 0 cut off? That is *shifted PPMI*, a choice made afterwards.": (
            lambda joint, k, power: np.maximum(_best(joint, k, power), 0)
        ),
        "That is ln p(j|i), what cross-entropy aims at. Negative sampling divides by the chances of its rivals.": (
            lambda joint, k, power: np.log(joint / joint.sum(axis=1, keepdims=True))
        ),
    },
)
def negative_scores(function: Callable) -> Result:
    """Check f(joint, n_negative, power) -> (n, m): the best scores of negative sampling, a constant included.

    `n_negative` rivals are drawn for each pair, j with a chance proportional to p(j) ** power.
    """
