"""The checkers of the variance exercises: right answers of every style pass, known wrong ones get the right hint."""

import math

import numpy as np
import pytest

from attn import check
from tests.unit.checkers import assert_hint, assert_passes


def scores_loops(q, k):
    answer = np.zeros((len(q), len(k)))
    for i, query in enumerate(q):
        for j, key in enumerate(k):
            answer[i, j] = sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query))
    return answer


def formula_by_moments(d_k, var_q, var_k, mean_q, mean_k, correlation):
    """E[(qk)²] − E[qk]², through the covariance."""
    both = correlation * math.sqrt(var_q * var_k)
    square = (var_q + mean_q**2) * (var_k + mean_k**2) + 2 * both**2 + 4 * both * mean_q * mean_k
    return d_k * (square - (both + mean_q * mean_k) ** 2)


def right_formula(d, v, w, m, n, r, *, rho=1, two=2, sign=1, power=2):
    root = math.sqrt(v * w)
    return d * (v * w * (1 + rho * r**power) + m * m * w + n * n * v + sign * two * r * m * n * root)


def bar(draws, error):
    return np.array([np.mean(draws), error])


RIGHT = {
    "scaled_scores": [
        scores_loops,
        lambda q, k: q @ k.T / np.sqrt(q.shape[-1]),
        lambda q, k: (q / np.sqrt(q.shape[1])) @ k.T,
        lambda q, k: (q * k.shape[1] ** -0.25) @ (k * k.shape[1] ** -0.25).T,
        lambda q, k: np.einsum("id,jd->ij", q, k) / math.sqrt(k.shape[1]),
        lambda q, k: scores_loops(q, k).tolist(),
    ],
    "variance_of_score": [
        formula_by_moments,
        right_formula,
        lambda *case: np.float64(right_formula(*case)),
        lambda *case: np.array(formula_by_moments(*case)),
    ],
    "mean_and_error": [
        lambda x: bar(x, 1.96 * np.std(x, ddof=1) / np.sqrt(len(x))),
        lambda x: [np.mean(x), 1.96 * math.sqrt(np.var(x, ddof=1) / len(x))],
        lambda x: bar(x, 1.96 * math.sqrt(((x - x.mean()) ** 2).sum() / (len(x) * (len(x) - 1)))),
        lambda x: bar(x, 1.96 * x.std() / np.sqrt(len(x) - 1)),  # the same number by another road
    ],
}


@pytest.mark.parametrize(
    ("name", "function"), [(name, function) for name, functions in RIGHT.items() for function in functions]
)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


def scores_in_place(q, k):
    q /= np.sqrt(q.shape[-1])
    return q @ k.T


def scaled_twice(q, k):
    q = q / np.sqrt(q.shape[-1])
    return q @ k.T / np.sqrt(q.shape[-1])


WRONG = {
    "scaled_scores": {
        "no root": (lambda q, k: q @ k.T / q.shape[-1], ["divided by d_k", "root"]),
        "scaled twice": (scaled_twice, ["the root twice", "q scaled"]),
        "q and k both": (
            lambda q, k: (q / np.sqrt(q.shape[1])) @ (k / np.sqrt(q.shape[1])).T,
            ["the root twice"],
        ),
        "no scale": (lambda q, k: q @ k.T, ["scale is missing"]),
        "times the root": (lambda q, k: q @ k.T * np.sqrt(q.shape[1]), ["Multiplied"]),
        "root of n_q": (lambda q, k: q @ k.T / np.sqrt(len(q)), ["number of queries", "last axis"]),
        "root of n_k": (lambda q, k: q @ k.T / np.sqrt(k.shape[0]), ["number of keys", "last axis"]),
        "fourth root on one side": (
            lambda q, k: (q / q.shape[1] ** 0.25) @ k.T,
            ["taken twice", "d_k**0.25"],
        ),
        "standardized": (lambda q, k: (s := q @ k.T) / s.std(), ["one table", "same for every table"]),
        "length of q": (
            lambda q, k: (q / np.linalg.norm(q, axis=1, keepdims=True)) @ k.T,
            ["length of each query", "QK-norm"],
        ),
        "weights": (
            lambda q, k: (e := np.exp(scores_loops(q, k))) / e.sum(1, keepdims=True),
            ["the weights", "before the softmax"],
        ),
        "transposed": (lambda q, k: k @ q.T / np.sqrt(q.shape[1]), ["transposed", "Rows are queries"]),
        "changes its input": (scores_in_place, ["changed its input q"]),
        "only the diagonal": (lambda q, k: (q * k[: len(q)]).sum(1), ["shape"]),
    },
    "variance_of_score": {
        "no means, no correlation": (lambda d, v, w, m, n, r: d * v * w, ["other terms are missing"]),
        "no means": (lambda d, v, w, m, n, r: d * v * w * (1 + r**2), ["Where are the means?"]),
        "no correlation": (
            lambda d, v, w, m, n, r: right_formula(d, v, w, m, n, 0),
            ["independent entries", "correlation is missing"],
        ),
        "no correlation, product form": (
            lambda d, v, w, m, n, r: d * ((v + m * m) * (w + n * n) - m * m * n * n),
            ["independent entries"],
        ),
        "no mixed term": (lambda *c: right_formula(*c, two=0), ["mixed term", "is missing"]),
        "mixed term once": (lambda *c: right_formula(*c, two=1), ["comes twice"]),
        "sign of ρ": (lambda *c: right_formula(*c, sign=-1), ["sign", "adds to the variance"]),
        "1 − ρ²": (lambda *c: right_formula(*c, rho=-1), ["1 − ρ²", "1 + ρ²"]),
        "1 + 2ρ²": (lambda *c: right_formula(*c, rho=2), ["1 + 2ρ²", "subtracted"]),
        "1 + ρ": (lambda *c: right_formula(*c, power=1), ["square of ρ missing"]),
        "no d_k": (lambda d, *c: right_formula(1, *c), ["but d_k", "factor"]),
        "root of d_k": (lambda d, *c: right_formula(1, *c) * d**0.5, ["but d_k", "add up"]),
        "d_k squared": (lambda d, *c: right_formula(1, *c) * d**2, ["but d_k"]),
        "standard deviation": (lambda *c: right_formula(*c) ** 0.5, ["standard deviation", "square"]),
        "variances squared": (
            lambda d, v, w, *c: right_formula(d, v**2, w**2, *c),
            ["variances already", "squared"],
        ),
        "means not squared": (
            lambda d, v, w, m, n, r: (
                right_formula(d, v, w, m, n, r) - d * (m * m * w + n * n * v - m * w - n * v)
            ),
            ["means have to be squared"],
        ),
        "means with their own variance": (
            lambda d, v, w, m, n, r: (
                right_formula(d, v, w, m, n, r) + d * (m * m * (v - w) + n * n * (w - v))
            ),
            ["variance of the other"],
        ),
        "the mean not subtracted": (
            lambda d, v, w, m, n, r: d * (v + m * m) * (w + n * n),
            ["square of the mean", "subtracted"],
        ),
        "variances in the mixed term": (
            lambda d, v, w, m, n, r: right_formula(d, v, w, m, n, r, two=0) + d * 2 * r * m * n * v * w,
            ["standard deviations, not variances"],
        ),
        "negative": (lambda *c: -right_formula(*c), ["never negative"]),
        "a matrix": (lambda *c: np.ones((2, 2)), ["shape (2, 2)", "one number"]),
    },
    "mean_and_error": {
        "population variance": (
            lambda x: bar(x, 1.96 * np.std(x) / np.sqrt(len(x))),
            ["The mean is right", "population variance", "ddof=1"],
        ),
        "spread of one draw": (lambda x: bar(x, 1.96 * np.std(x, ddof=1)), ["single draws", "root of n"]),
        "both": (lambda x: bar(x, 1.96 * np.std(x)), ["Two things"]),
        "by n": (lambda x: bar(x, 1.96 * np.std(x, ddof=1) / len(x)), ["root of n only"]),
        "variance": (lambda x: bar(x, 1.96 * np.var(x, ddof=1) / np.sqrt(len(x))), ["Is that the variance?"]),
        "no root at all": (lambda x: bar(x, 1.96 * np.var(x, ddof=1) / len(x)), ["squared standard error"]),
        "one standard error": (
            lambda x: bar(x, np.std(x, ddof=1) / np.sqrt(len(x))),
            ["one standard error", "1.96"],
        ),
        "whole width": (lambda x: bar(x, 3.92 * np.std(x, ddof=1) / np.sqrt(len(x))), ["whole width"]),
        "n − 1 twice": (
            lambda x: bar(x, 1.96 * np.std(x, ddof=1) / np.sqrt(len(x) - 1)),
            ["into the variance only"],
        ),
        "the two ends": (
            lambda x: np.mean(x) + np.array([-1.96, 1.96]) * np.std(x, ddof=1) / np.sqrt(len(x)),
            ["two ends"],
        ),
        "median": (
            lambda x: np.array([np.median(x), 1.96 * np.std(x, ddof=1) / np.sqrt(len(x))]),
            ["The mean of these draws is"],
        ),
        "a tuple": (lambda x: (np.mean(x), 0.0), ["tuple of 2"]),
    },
}
WRONG_CASES = [(name, *rest) for name, cases in WRONG.items() for rest in cases.values()]
WRONG_IDS = [f"{name}: {title}" for name, cases in WRONG.items() for title in cases]


@pytest.mark.parametrize(("name", "function", "words"), WRONG_CASES, ids=WRONG_IDS)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=10, characters=900)


def test_the_case_shown_is_small():
    message = check.scaled_scores(lambda q, k: q @ k.T / q.shape[-1]).message
    assert "q     = [[1, 1]]" in message
    message = check.mean_and_error(lambda x: bar(x, 1.96 * np.std(x) / np.sqrt(len(x)))).message
    assert "draws = [0, 1]" in message
