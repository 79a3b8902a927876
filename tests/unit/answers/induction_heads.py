"""Answers to chapter 9's exercises: a right one each, and wrong ones with what their hint says."""

import numpy as np


def by_two_loops(n, beta, back=1, value=None):
    return [
        [(beta if value is None else value) if j == i - back else 0.0 for j in range(n)] for i in range(n)
    ]


def by_column(column):
    """Each row looks at one column, which may be negative."""

    def answer(n, beta):
        scores = np.zeros((n, n))
        for i in range(n):
            scores[i, column(i)] = beta
        return scores

    return answer


def exponentials(scores):
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def by_words(weights, tokens, after=1, each=np.mean, every_row=False, own=0, last=False):
    """Row by row, with one thing about it changed."""
    sums = []
    for i, token in enumerate(tokens):
        before = [j for j in range(i + own) if tokens[j] == token]
        before = before[-1:] if last else before
        if before or every_row:
            sums.append(sum(weights[i][j + after] for j in before if 0 <= j + after < len(tokens)))
    return each(sums)


def by_half_of_the_text(weights, tokens):
    half = len(tokens) // 2
    return sum(weights[i, i - half + 1] for i in range(half, len(tokens))) / (len(tokens) - half)


def scoring(**how):
    return lambda weights, tokens: by_words(weights, tokens, **how)


def by_rows(x, gain, bias, eps, spread=None, middle=None):
    out = []
    for row in x:
        mean = sum(row) / len(row) if middle is None else middle
        variance = sum((entry - mean) ** 2 for entry in row) / len(row)
        divisor = (variance + eps) ** 0.5 if spread is None else spread(row, eps)
        out.append([(entry - mean) / divisor * g + b for entry, g, b in zip(row, gain, bias, strict=True)])
    return out


def by_numpy(x, gain, bias, eps, axis=-1):
    return gain * (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps) + bias


def spread(of_row):
    return lambda *case: by_rows(*case, spread=of_row)


def normed(x):
    return by_numpy(x, 1, 0, 1e-5)


def fed(x, w_1, w_2):
    hidden = x @ w_1
    return np.where(hidden > 0, hidden, 0) @ w_2


RIGHT = {
    "previous_token_scores": [by_two_loops],
    "induction_score": [by_words],
    "layer_norm": [by_rows],
    "pre_norm_block": [lambda x, *w: x + fed(normed(x), *w)],
}

WRONG = {
    "previous_token_scores": [
        (lambda n, beta: by_two_loops(n, beta, -1), "ahead.*looks at column i − 1"),
        (lambda n, beta: by_two_loops(n, beta, 0), "itself.*looks at column i − 1"),
        (by_column(lambda i: i - 1), "−1"),
        (by_column(lambda i: max(i - 1, 0)), "row 0.*itself"),
        (lambda n, beta: by_two_loops(n, beta, 2), "two back.*looks at column i − 1"),
        (lambda n, beta: beta * np.tri(n, k=-1), "everything.*only i − 1"),
        (lambda n, beta: by_two_loops(n, beta, value=1.0), "beta"),
        (lambda n, beta: exponentials(beta * np.eye(n, k=-1)), "softmax"),
    ],
    "induction_score": [
        (scoring(after=0), "same token"),
        (scoring(after=-1), "one before"),
        (by_half_of_the_text, "fixed"),
        (lambda w, t: np.diagonal(w, 1 - len(t) // 2).mean(), "one row"),
        (scoring(every_row=True), "all rows"),
        (scoring(last=True), "several"),
        (scoring(each=sum), "mean"),
    ],
    "layer_norm": [
        (spread(lambda row, eps: (np.var(row, ddof=1) + eps) ** 0.5), "d − 1"),
        (spread(lambda row, eps: np.std(row) + eps), "under the root"),
        (lambda x, g, b, eps: by_numpy(x, g, b, 0), "eps"),
        (lambda *case: by_numpy(*case, axis=0), "down the columns.*last axis"),
        (lambda *case: by_rows(*case, middle=0), "mean"),
        (spread(lambda row, eps: np.var(row) + eps), "root"),
        (lambda x, g, b, eps: (by_numpy(x, 1, 0, eps) + b) * g, "gain"),
        (lambda x, g, b, eps: by_numpy(x, 1, 0, eps), "gain and bias"),
    ],
    "pre_norm_block": [
        (lambda x, *w: normed(x + fed(x, *w)), "post-norm"),
        (lambda x, *w: normed(x) + fed(normed(x), *w), "way around"),
        (lambda x, *w: fed(normed(x), *w), "way around"),
        (lambda x, *w: 2 * fed(normed(x), *w), "old"),
        (lambda x, *w: x + fed(x, *w), r"norm\(x\)"),
        (lambda x, *w: x + normed(fed(x, *w)), "output"),
        (lambda x, w_1, w_2: x + normed(x) @ w_1 @ w_2, "0"),
    ],
}
