"""Chapter 2: the variance of a score under three scales, and what a factor on the scores does to the odds.

For entries ±a of q and ±b of k, by independent tosses of a fair coin, and d_k of them: numbers, or rows of them.
"""

import numpy as np

from attn.practice.mistakes import Mistake
from attn.practice.mistakes.attention import NO_SOFTMAX
from attn.softmax import softmax

NO_SCALE = "The scale is missing: divide by the root of d_k."

PRODUCT = {
    "deviation": Mistake(
        lambda a, b: np.asarray(a) * b,
        "Is that the size of a product? Its variance is the average of the squares: the size, squared.",
    ),
    "added": Mistake(
        lambda a, b: np.square(a) + np.square(b),
        "Are the two variances added? That is the variance of a sum; for a product of independent entries with mean 0 "
        "they are multiplied.",
    ),
    "one-side": Mistake(
        lambda a: np.square(a), "Is that the variance of an entry of q alone? The entry of k is a factor too."
    ),
}
SCORE = {
    "one-product": Mistake(
        lambda product: product, "Is that the variance of one product? A score adds d_k of them."
    ),
    "d-k-squared": Mistake(
        lambda product, d_k: np.square(d_k) * product,
        "Did the typical sizes add up? Independent products cancel in part: it is their variances that add.",
    ),
    "root": Mistake(
        lambda product, d_k: np.sqrt(d_k) * product,
        "Is the root taken? The typical score grows like √d_k, and its square, the variance, like d_k.",
    ),
}
BY_ROOT = {
    "not-squared": Mistake(
        lambda score, d_k: np.asarray(score) / np.sqrt(d_k),
        "Is the variance divided by the root? A factor on the scores counts twice in the variance: square it.",
    ),
    "unchanged": Mistake(lambda score: score, NO_SCALE),
    "too-often": Mistake(
        lambda score, d_k: np.asarray(score) / np.square(d_k),
        "Is that squared once too often? The square of √d_k is d_k.",
    ),
}
BY_D_K = {
    "not-squared": Mistake(
        lambda score, d_k: np.asarray(score) / d_k,
        "Is the variance divided by d_k? A factor on the scores counts twice in the variance: square it.",
    ),
    "root": Mistake(
        lambda score, d_k: np.asarray(score) / np.sqrt(d_k),
        "Is the variance divided by the root? Here the scores are divided by d_k itself, and the variance by its "
        "square.",
    ),
    "unchanged": Mistake(
        lambda score: score,
        "Is the division missing? Dividing the scores by d_k makes their variance smaller.",
    ),
}

# --------------------------------------------------------------------------------------- a factor is a power


def _first(scores):
    return np.ravel(scores)[0]


def _others(scores):
    return np.ravel(scores)[1:]


GAPS = {
    "turned": Mistake(
        lambda scores: _others(scores) - _first(scores),
        "Is the difference taken the other way round? Key 1 leads, so it is ahead by a positive number.",
    ),
    "added": Mistake(
        lambda scores: _first(scores) + _others(scores),
        "Are the scores added? What decides about the ratio of two weights is the difference of their scores.",
    ),
    "ratio": Mistake(
        lambda scores: _first(scores) / _others(scores),
        "Is one score divided by the other? It is the weights that have a ratio; the scores have a difference.",
    ),
}
GROWN = {
    "added": Mistake(
        lambda gaps, factor: np.asarray(gaps) + factor,
        "Is the factor added? All scores are multiplied by it, and so are their differences.",
    ),
    "unchanged": Mistake(
        lambda gaps: gaps,
        "Did the differences stay? That is so when a number is added to all scores; here they are multiplied.",
    ),
    "exponential": Mistake(
        lambda gaps: np.exp(gaps),
        "Is that already the ratio of the weights? Here its exponent is asked for: how far key 1 is ahead.",
    ),
}
ODDS_WEIGHTS = {
    "before": Mistake(
        lambda gaps: softmax(np.append(0, -np.ravel(gaps))),
        "Are these the weights before the factor? Take the lead that key 1 has after it.",
    ),
    "undivided": Mistake(
        lambda grown: np.exp(np.append(0, -np.ravel(grown))),
        "Is the division missing? Relative to key 1 these are right; divide by their sum, so that they sum to one.",
    ),
    "shares": Mistake(lambda scores: np.ravel(scores) / np.sum(scores), NO_SOFTMAX),
    "turned": Mistake(
        lambda grown: softmax(np.append(0, np.ravel(grown))),
        "Is the order reversed? Key 1 leads, so it has the largest weight.",
    ),
}
