"""Answers to chapter 7's exercises: a right one each, and wrong ones with what their hint says."""

import numpy as np

from attn.pmi import pmi
from attn.softmax import log_softmax

inf = np.inf


def by_loops(counts):
    table = np.zeros(counts.shape)
    for (i, j), n in np.ndenumerate(counts):
        chance = counts[i].sum() * counts[:, j].sum() / counts.sum()
        table[i, j] = np.log2(n / chance) if n else -inf
    return table


def ratio(counts, rows, columns):
    return np.log2(counts / rows[:, None] / columns)


def window_loops(tokens, window, n_words, itself=0):
    counts = np.zeros((n_words, n_words))
    for here, word in enumerate(tokens):
        for there in range(max(0, here - window), min(len(tokens), here + window + 1)):
            if there != here or itself:
                counts[word, tokens[there]] += 1
    return counts


def one_side(tokens, window, n_words, first=1):
    counts = np.zeros((n_words, n_words))
    for distance in range(first, window + 1):
        for a, b in zip(tokens, tokens[distance:], strict=False):
            counts[a, b] += 1
    return counts


def fancy(tokens, window, n_words):
    counts = np.zeros((n_words, n_words))
    for distance in range(1, window + 1):
        counts[tokens[:-distance], tokens[distance:]] += 1
    return counts + counts.T


def best(joint, k, power):
    total = sum(column.sum() ** power for column in joint.T)
    table = np.zeros(joint.shape)
    for (i, j), p in np.ndenumerate(joint):
        rival = joint[:, j].sum() ** power / total
        table[i, j] = np.log(p) - np.log(joint[i].sum()) - np.log(rival) - np.log(k)
    return table


def of_joint(of_pair):
    """of_pair(p_ij, p_i, p_j, k, power) for each entry."""

    def table(joint, k, power):
        return of_pair(joint, joint.sum(axis=1, keepdims=True), joint.sum(axis=0), k, power)

    return table


RIGHT = {
    "pmi_from_counts": [by_loops],
    "window_counts": [window_loops],
    "scores_for": [
        np.log,
        lambda joint: pmi(joint, np.e) + np.log(joint.sum(axis=0)),
        lambda joint: np.log(1000 * joint) + np.arange(len(joint))[:, None],
    ],
    "negative_scores": [best],
}

WRONG = {
    "pmi_from_counts": [
        (lambda n: by_loops(n) * np.log(2), r"logarithm natural.*base 2: np\.log2"),
        (lambda n: by_loops(n) / np.log2(10), r"logarithm the decimal one.*base 2: np\.log2"),
        (lambda n: ratio(n, n.sum(1), n.sum(0)), "factor N"),
        (
            lambda n: ratio(n / n.sum(), n.sum(0) / n.sum(), n.sum(1) / n.sum()),
            r"margins.*p\(i\) is the sum of row i.*p\(j\) is the sum of column j",
        ),
        (lambda n: np.where(n > 0, by_loops(n), 0), "−inf"),
        (lambda n: np.maximum(by_loops(n), 0), "PPMI"),
        (
            lambda n: np.log2(n / n.sum(1, keepdims=True)),
            r"margin.*log p\(i, j\) / p\(i\) is log p\(j\|i\).*divides by p\(j\) too",
        ),
        (
            lambda n: np.log2(n / n.sum(axis=0)),
            r"margin.*log p\(i, j\) / p\(j\) is log p\(i\|j\).*divides by p\(i\) too",
        ),
        (lambda n: n / n.sum() * by_loops(n), r"mutual information.*p\(i, j\) times PMI"),
        (lambda n: by_loops(n + 1), "smooth"),
        (lambda n: -by_loops(n), r"sign.*reversed: log p\(i, j\) − log p\(i\) p\(j\)\."),
    ],
    "window_counts": [
        (one_side, "what comes after counted.*a word before counts"),
        (lambda t, w, n: one_side(t, w, n).T, "what comes before counted.*a word after counts"),
        (lambda t, w, n: window_loops(t, w, n, itself=1), "itself"),
        (lambda t, w, n: one_side(t, w, n, first=0), "two things"),
        (lambda t, w, n: window_loops(t, w, n) * (1 - np.eye(n)), "diagonal"),
        (lambda t, w, n: window_loops(t, w - 1, n), "off by one"),
        (lambda t, w, n: window_loops(t, w + 1, n), "off by one"),
        (lambda t, w, n: 2 * window_loops(t, w, n), "is counted twice"),
        (lambda t, w, n: np.minimum(window_loops(t, w, n), 1), r"add\.at"),
        (fancy, "words"),
    ],
    "scores_for": [
        (lambda j: pmi(j, np.e), r"prior.*proportional to p\(i, j\) / p\(j\).*add log p\(j\)"),
        (pmi, "nats.*prior"),
        (lambda j: pmi(j) + np.log(j.sum(axis=0)), "bits"),
        (np.log2, "bits"),
        (
            lambda j: pmi(j, np.e) + np.log(j.sum(axis=1, keepdims=True)),
            r"margin.*log p\(j\), one for each column",
        ),
        (lambda j: np.exp(log_softmax(np.log(j))), "logarithm"),
        (lambda j: np.where(j > 0, np.log(j), 0), "−inf"),
    ],
    "negative_scores": [
        (lambda joint, k, power: best(joint, k, 1), r"power.*from p\(j\) itself: PMI − ln k"),
        (of_joint(lambda p, a, b, k, power: np.log(p / a / b**power / k)), "sum"),
        (lambda joint, k, power: best(joint, 1, power), "is lower by ln k"),
        (lambda joint, k, power: best(joint, 1 / k, power), "sign"),
        (lambda *case: best(*case) / np.log(2), "nats"),
        (of_joint(lambda p, a, b, k, power: np.log2(p / a / b) - np.log(k)), "power.*nats"),
        (lambda joint, k, power: best(joint.T, k, power).T, "margin"),
        (lambda joint, k, power: best(joint, k, power) + np.log(joint.sum(axis=0)), r"ln p\(j\)"),
        (of_joint(lambda p, a, b, k, power: np.log((p / a / b) ** power / k)), "power"),
        (lambda *case: np.maximum(best(*case), 0), "shifted PPMI"),
        (of_joint(lambda p, a, b, k, power: np.log(p / a)), "cross-entropy"),
    ],
}
