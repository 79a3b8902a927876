"""Answers to chapter 2's exercises: a right one each, and wrong ones with what their hint says."""

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
    "scaled_scores": [scores_loops],
    "variance_of_score": [by_moments],
    "mean_and_error": [bar(standard)],
    "deviation_at_start": [lambda d, h: (1 + 1 / d) / 3],
}

WRONG = {
    "scaled_scores": [
        (dots(lambda q, k: q.shape[-1]), "That is divided by d_k.*deviation of q kᵀ is √d_k"),
        (dots(lambda q, k: 1), "scale.*divide by the root of d_k"),
        (dots(lambda q, k: q.shape[1] ** -0.5), r"Multiplied by the root\? Divide: .*too large"),
        (
            dots(lambda q, k: np.sqrt(len(q))),
            r"number of queries\? d_k is the last axis, the length of one q",
        ),
        (dots(lambda q, k: np.sqrt(len(k))), r"number of keys\? d_k is the last axis, the length of one k"),
        (dots(lambda q, k: q.shape[1] ** 0.25), "root"),
        (lambda q, k: (s := q @ k.T) / s.std(), "table"),
        (lambda q, k: (q / np.linalg.norm(q, axis=1, keepdims=True)) @ k.T, "length"),
        (lambda q, k: (e := np.exp(scores_loops(q, k))) / e.sum(1, keepdims=True), "softmax"),
        (lambda q, k: k @ q.T / np.sqrt(q.shape[1]), "transposed.*Rows are queries.*columns are keys"),
    ],
    "variance_of_score": [
        (lambda d, v, w, m, n, r: d * v * w, "for means 0"),
        (lambda d, v, w, m, n, r: d * v * w * (1 + r**2), "means.*mean_q² · var_k"),
        (lambda d, v, w, m, n, r: formula(d, v, w, m, n, 0), "for independent entries.*correlation"),
        (lambda *c: formula(*c, two=0), "mixed.*2 ρ μ_q μ_k σ_q σ_k is missing"),
        (lambda *c: formula(*c, two=1), "mixed.*comes twice.*2 ρ μ_q μ_k σ_q σ_k"),
        (lambda *c: formula(*c, sign=-1), "sign.*all positive, it adds to"),
        (lambda *c: formula(*c, rho=-1), r"Is it 1 − ρ².*it is 1 \+ ρ²"),
        (lambda *c: formula(*c, rho=2), r"1 \+ 2ρ².*xy, ρ², has to be subtracted"),
        (lambda *c: formula(*c, power=1), r"square of ρ missing in 1 \+ ρ²"),
        (lambda d, *c: formula(1, *c), "d_k"),
        (lambda *c: formula(*c) ** 0.5, "That is the standard deviation"),
        (lambda d, v, w, *c: formula(d, v**2, w**2, *c), "squared"),
        (
            lambda d, v, w, m, n, r: formula(d, v, w, m, n, r) - d * (m * m * w + n * n * v - m * w - n * v),
            "squared",
        ),
        (
            lambda d, v, w, m, n, r: formula(d, v, w, m, n, r) + d * (m * m * (v - w) + n * n * (w - v)),
            "other.*mean_q² · var_k",
        ),
        (lambda d, v, w, m, n, r: d * (v + m * m) * (w + n * n), "subtracted"),
        (lambda d, v, w, m, n, r: formula(d, v, w, m, n, r, two=0) + d * 2 * r * m * n * v * w, "deviations"),
    ],
    "mean_and_error": [
        (
            bar(lambda x: np.std(x) / np.sqrt(len(x))),
            r"divided by n\. Est.*too small on.*divide by n − 1, wh.*ddof=1",
        ),
        (bar(lambda x: np.std(x, ddof=1)), "root of n"),
        (bar(np.std), "root of n.*needs n − 1.*ddof=1"),
        (bar(lambda x: np.std(x, ddof=1) / len(x)), "root of n"),
        (bar(lambda x: np.var(x, ddof=1) / np.sqrt(len(x))), "variance"),
        (bar(lambda x: np.var(x, ddof=1) / len(x)), "squared"),
        (bar(standard, 1), r"95 % interval reaches 1\.96"),
        (bar(standard, 3.92), "the whole width.*The half width"),
        (bar(lambda x: np.std(x, ddof=1) / np.sqrt(len(x) - 1)), "n − 1"),
        (lambda x: np.mean(x) + np.array([-1.96, 1.96]) * standard(x), "ends.*the half width"),
        (lambda x: np.array([np.median(x), 1.96 * standard(x)]), "mean"),
    ],
    "deviation_at_start": [
        (lambda d, h: 1 / 3, r"bias.*adds 1/\(3 d_model\)"),
        (lambda d, h: (d + 1) / d, "bound.*number has a²/3"),
        (lambda d, h: d / d, "bias"),
        (lambda d, h: (d + 1) / d / 12, r"a²/12 is for.*it is \(2a\)²/12, a²/3"),
        (lambda d, h: ((d + 1) / (3 * d)) ** 2, "root"),
        (lambda d, h: ((d + 1) / (3 * d)) ** 0.5, "q"),
        (lambda d, h: h**0.5 * (d + 1) / (3 * d), "root"),
        (lambda d, h: h**-0.5 * (d + 1) / (3 * d), "d_k"),
        (lambda d, h: 1 / 3 + 1 / (3 * d * d), "bias"),
        (lambda d, h: (d + d) / (3 * d), "bias"),
        (lambda d, h: 1 / 3 + 1 / d, r"bias 1/d_model\?"),
        (lambda d, h: (d + 1) / (3 * d) * (d / h) ** 0.5, "d_model"),
        (lambda d, h: h * ((d + 1) / (3 * d)) ** 2, "q · k"),
    ],
}
