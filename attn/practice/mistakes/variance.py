"""Chapter 2: the variance of a score under three scales, and what a factor on the scores does to the odds.

For entries ±a of q and ±b of k, by independent tosses of a fair coin, and d_k of them: numbers, or rows of them.
"""

import numpy as np

from attn.practice.mistakes.attention import NO_SOFTMAX
from attn.softmax import softmax

NO_SCALE = "The scale is missing: divide by the root of d_k."

PRODUCT = {
    "Is that the size of a product? Its variance is the average of the squares: the size, squared.": (
        lambda a, b: a * b
    ),
    "Are the two variances added? That is the variance of a sum; for a product of independent entries with mean 0 "
    "they are multiplied.": lambda a, b: np.square(a) + np.square(b),
    "Is that the variance of an entry of q alone? The entry of k is a factor too.": lambda a: np.square(a),
}
SCORE = {
    "Is that the variance of one product? A score adds d_k of them.": lambda product: product,
    "Did the typical sizes add up? Independent products cancel in part: it is their variances that add.": (
        lambda product, d_k: np.square(d_k) * product
    ),
    "Is the root taken? The typical score grows like √d_k, and its square, the variance, like d_k.": (
        lambda product, d_k: np.sqrt(d_k) * product
    ),
}
BY_ROOT = {
    "Is the variance divided by the root? A factor on the scores counts twice in the variance: square it.": (
        lambda score, d_k: score / np.sqrt(d_k)
    ),
    NO_SCALE: lambda score: score,
    "Is that squared once too often? The square of √d_k is d_k.": lambda score, d_k: score / np.square(d_k),
}
BY_D_K = {
    "Is the variance divided by d_k? A factor on the scores counts twice in the variance: square it.": (
        lambda score, d_k: score / d_k
    ),
    "Is the variance divided by the root? Here the scores are divided by d_k itself, and the variance by its "
    "square.": lambda score, d_k: score / np.sqrt(d_k),
    "Is the division missing? Dividing the scores by d_k makes their variance smaller.": lambda score: score,
}

# --------------------------------------------------------------------------------------- a factor is a power

GAPS = {
    "Is the difference taken the other way round? Key 1 leads, so it is ahead by a positive number.": (
        lambda scores: scores[:, 1:] - scores[:, :1]
    ),
    "Are the scores added? What decides about the ratio of two weights is the difference of their scores.": (
        lambda scores: scores[:, :1] + scores[:, 1:]
    ),
    "Is one score divided by the other? It is the weights that have a ratio; the scores have a difference.": (
        lambda scores: scores[:, :1] / scores[:, 1:]
    ),
}
GROWN = {
    "Is the factor added? All scores are multiplied by it, and so are their differences.": (
        lambda gaps, factor: gaps + factor
    ),
    "Did the differences stay? That is so when a number is added to all scores; here they are multiplied.": (
        lambda gaps: gaps
    ),
    "Is that already the ratio of the weights? Here its exponent is asked for: how far key 1 is ahead.": (
        lambda gaps: np.exp(gaps)
    ),
}
ODDS_WEIGHTS = {
    "Are these the weights before the factor? Take the lead that key 1 has after it.": (
        lambda gaps: softmax(np.append(0, -np.ravel(gaps)))
    ),
    "Is the division missing? Relative to key 1 these are right; divide by their sum, so that they sum to one.": (
        lambda grown: np.exp(np.append(0, -np.ravel(grown)))
    ),
    NO_SOFTMAX: lambda scores: np.ravel(scores) / np.sum(scores),
    "Is the order reversed? Key 1 leads, so it has the largest weight.": (
        lambda grown: softmax(np.append(0, np.ravel(grown)))
    ),
}
