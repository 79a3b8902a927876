"""Answers to chapter 2's exercises: right ones of several styles, and wrong ones with a word of their hint."""

import math

import numpy as np


def scores_loops(q, k):
    return [
        [sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query)) for key in k]
        for query in q
    ]


def dots(by):
    """q kᵀ divided by a number of the two."""
    return lambda q, k: q @ k.T / by(q, k)


def by_moments(d_k, var_q, var_k, mean_q, mean_k, correlation):
    """E[(qk)²] − E[qk]², through the covariance."""
    both = correlation * math.sqrt(var_q * var_k)
    square = (var_q + mean_q**2) * (var_k + mean_k**2) + 2 * both**2 + 4 * both * mean_q * mean_k
    return d_k * (square - (both + mean_q * mean_k) ** 2)


def formula(d, v, w, m, n, r, *, rho=1, two=2, sign=1, power=2):
    root = math.sqrt(v * w)
    return d * (v * w * (1 + rho * r**power) + m * m * w + n * n * v + sign * two * r * m * n * root)


def bar(error, times=1.96):
    return lambda draws: np.array([np.mean(draws), times * error(draws)])


def standard(draws):
    return np.std(draws, ddof=1) / np.sqrt(len(draws))


RIGHT = {
    "scaled_scores": [scores_loops, dots(lambda q, k: np.sqrt(q.shape[-1]))],
    "variance_of_score": [by_moments, formula],
    "mean_and_error": [bar(standard), lambda x: [np.mean(x), 1.96 * math.sqrt(np.var(x, ddof=1) / len(x))]],
    "deviation_at_start": [
        lambda d, h: (1 + 1 / d) / 3,
        lambda d, h: np.sqrt(h * ((d + 1) / (3 * d)) ** 2) / np.sqrt(h),
    ],
}

WRONG = {
    "scaled_scores": [
        (dots(lambda q, k: q.shape[-1]), "by d_k"),
        (lambda q, k: (q / np.sqrt(q.shape[1])) @ (k / np.sqrt(q.shape[1])).T, "twice"),
        (dots(lambda q, k: 1), "scale"),
        (dots(lambda q, k: q.shape[1] ** -0.5), "multiplied"),
        (dots(lambda q, k: np.sqrt(len(q))), "queries"),
        (dots(lambda q, k: np.sqrt(len(k))), "keys"),
        (dots(lambda q, k: q.shape[1] ** 0.25), "root"),
        (lambda q, k: (s := q @ k.T) / s.std(), "table"),
        (lambda q, k: (q / np.linalg.norm(q, axis=1, keepdims=True)) @ k.T, "length"),
        (lambda q, k: (e := np.exp(scores_loops(q, k))) / e.sum(1, keepdims=True), "softmax"),
        (lambda q, k: k @ q.T / np.sqrt(q.shape[1]), "transposed"),
        (lambda q, k: (q * k[: len(q)]).sum(1), "shape"),
    ],
    "variance_of_score": [
        (lambda d, v, w, m, n, r: d * v * w, "means 0|terms"),
        (lambda d, v, w, m, n, r: d * v * w * (1 + r**2), "means"),
        (lambda d, v, w, m, n, r: formula(d, v, w, m, n, 0), "correlation"),
        (lambda d, v, w, m, n, r: d * ((v + m * m) * (w + n * n) - m * m * n * n), "correlation"),
        (lambda *c: formula(*c, two=0), "mixed"),
        (lambda *c: formula(*c, two=1), "mixed"),
        (lambda *c: formula(*c, sign=-1), "sign"),
        (lambda *c: formula(*c, rho=-1), "ρ²"),
        (lambda *c: formula(*c, rho=2), "ρ²"),
        (lambda *c: formula(*c, power=1), "square of ρ"),
        (lambda d, *c: formula(1, *c), "d_k"),
        (lambda d, *c: formula(1, *c) * d**0.5, "d_k"),
        (lambda d, *c: formula(1, *c) * d**2, "d_k"),
        (lambda *c: formula(*c) ** 0.5, "deviation"),
        (lambda d, v, w, *c: formula(d, v**2, w**2, *c), "squared"),
        (
            lambda d, v, w, m, n, r: formula(d, v, w, m, n, r) - d * (m * m * w + n * n * v - m * w - n * v),
            "squared",
        ),
        (
            lambda d, v, w, m, n, r: formula(d, v, w, m, n, r) + d * (m * m * (v - w) + n * n * (w - v)),
            "other",
        ),
        (lambda d, v, w, m, n, r: d * (v + m * m) * (w + n * n), "subtracted"),
        (lambda d, v, w, m, n, r: formula(d, v, w, m, n, r, two=0) + d * 2 * r * m * n * v * w, "deviations"),
        (lambda *c: -formula(*c), "negative"),
    ],
    "mean_and_error": [
        (bar(lambda x: np.std(x) / np.sqrt(len(x))), "ddof"),
        (bar(lambda x: np.std(x, ddof=1)), "root of n"),
        (bar(np.std), "root of n"),
        (bar(lambda x: np.std(x, ddof=1) / len(x)), "root of n"),
        (bar(lambda x: np.var(x, ddof=1) / np.sqrt(len(x))), "variance"),
        (bar(lambda x: np.var(x, ddof=1) / len(x)), "squared"),
        (bar(standard, 1), r"1\.96"),
        (bar(standard, 3.92), "width"),
        (bar(lambda x: np.std(x, ddof=1) / np.sqrt(len(x) - 1)), "n − 1"),
        (lambda x: np.mean(x) + np.array([-1.96, 1.96]) * standard(x), "ends"),
        (lambda x: np.array([np.median(x), 1.96 * standard(x)]), "mean"),
    ],
    "deviation_at_start": [
        (lambda d, h: 1 / 3, "bias"),
        (lambda d, h: (d + 1) / d, "bound"),
        (lambda d, h: d / d, "bias"),
        (lambda d, h: (d + 1) / d / 12, "a²"),
        (lambda d, h: ((d + 1) / (3 * d)) ** 2, "root"),
        (lambda d, h: ((d + 1) / (3 * d)) ** 0.5, "q"),
        (lambda d, h: h**0.5 * (d + 1) / (3 * d), "root"),
        (lambda d, h: h**-0.5 * (d + 1) / (3 * d), "d_k"),
        (lambda d, h: 1 / 3 + 1 / (3 * d * d), "bias"),
        (lambda d, h: (d + d) / (3 * d), "bias"),
        (lambda d, h: 1 / 3 + 1 / d, "bias"),
        (lambda d, h: (d + 1) / (3 * d) * (d / h) ** 0.5, "d_model"),
        (lambda d, h: h * ((d + 1) / (3 * d)) ** 2, "q · k"),
        (lambda d, h: 1.02 * (d + 1) / (3 * d), "answer"),
    ],
}
