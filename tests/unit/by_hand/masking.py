"""The worksheet of chapter 3 once more, without `attn`: one function a problem, given -> answers."""

import math

from tests.unit.by_hand.arithmetic import dot, mixed, shares


def one_row_twice(q, k, v, asks):
    scores = [dot(q, key) / 2 for key in k]
    weights, seen = shares(scores), shares(scores[: asks + 1])
    return {
        "scores": scores,
        "exponentials": [math.exp(score) for score in scores],
        "in_sight": weights,
        "masked": seen + [0] * (3 - asks),
        "output": mixed(seen, v[: asks + 1]),
        "after": sum(weights[: asks + 1]),
    }


def shapes_of_masks(window, prefix, n, length):
    pairs = [(i, j) for i in range(n) for j in range(n)]
    return {
        "drawn": [[int(i - window < j <= i) for j in range(5)] for i in range(5)],
        "causal": n * (n + 1) // 2,
        "prefix": sum(j <= i or j < prefix for i, j in pairs),
        "both": sum(j <= i and j < length for i, j in pairs),
    }


def cache(n_q, n_k):
    return {"first": n_k - n_q + 1, "last": n_k, "offset": n_k - n_q, "top_left": 1}


def inputs_and_targets(text):
    n = len(text) - 1  # the target of place i stands at place i + 1, and that of the last outside
    return {
        "inputs": [text[i] for i in range(n)],
        "targets": [text[i + 1] for i in range(n)],
        "right": 0,
        "off": n - 1,
        "honest": 1,
        "too_good": 1 / n,
    }


PROBLEMS = (one_row_twice, shapes_of_masks, cache, inputs_and_targets)
