"""The worksheet of chapter 2 once more, without `attn`: one function a problem, given -> answers."""

import itertools
import math
from collections import Counter
from fractions import Fraction


def coins(d_k, a, b, scores):
    cases = [
        sum(q * k for q, k in zip(one, two, strict=True))
        for one in itertools.product((-a, a), repeat=d_k)
        for two in itertools.product((-b, b), repeat=d_k)
    ]
    times = Counter(cases)
    assert sorted(times) == list(scores)
    variance = Fraction(sum(case**2 for case in cases), len(cases))
    return {
        "counts": [times[score] // 2**d_k for score in scores],
        "variance": float(variance),
        "scaled": float(variance / d_k),
    }


def entries_with_a_mean(d_k, q, k):
    def law(values):
        mean = Fraction(sum(values), len(values))
        return mean, sum((value - mean) ** 2 for value in values) / len(values)

    products = law(
        [x * y for x in q for y in k]
    )  # entries are independent: the variances of d_k products add up
    seen = d_k * law(k)[1] * Fraction(sum(x * x for x in q), 2)
    return {
        "q": law(q),
        "k": law(k),
        "mean": d_k * products[0],
        "variance": d_k * products[1],
        "seen": seen,
    }


def which_scale(d_k, n_heads):
    return {
        "variances": [d_k, 1, 1 / d_k, 1 / d_k, 1 / n_heads],
        "forgot": math.isqrt(d_k),
        "too_much": 1 / math.isqrt(d_k),
    }


def a_power(scores, factor):
    return {"exponent": scores[0] - scores[1], "multiplied": factor * (scores[0] - scores[1])}


def what_a_layer_starts_with(d_model, d_k):
    third = Fraction(1, 3)  # an entry of q sums d_model products, each of variance 1/3 over d_model
    return {
        "weight": float(third / d_model),
        "entry": float(third),
        "raw": float(d_k * third**2),
        "deviation": float(third),
        "biased": float(Fraction(d_model + 1, 3 * d_model)),
    }


PROBLEMS = (coins, entries_with_a_mean, which_scale, a_power, what_a_layer_starts_with)
