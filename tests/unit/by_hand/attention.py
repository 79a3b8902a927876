"""The worksheet of chapter 0 once more, without `attn`: one function a problem, given -> answers."""

import math

from tests.unit.by_hand.arithmetic import dot, mixed, shares


def score_weigh_mix(q, k, v):
    dots = [dot(q, key) for key in k]
    scores = [number / 2 for number in dots]
    weights = shares(scores)
    return {
        "dots": dots,
        "scores": scores,
        "exponentials": [math.exp(score) for score in scores],
        "weights": weights,
        "output": mixed(weights, v),
    }


def what_changes(u, q, k, v):
    top, second, _ = sorted((dot(q, key) / 2 for key in k), reverse=True)
    return {"odds": top - second, "odds_twice": 2 * (top - second), "shift": dot(q, u) / 2, "weight_shift": 0}


def from_weights_to_queries(odds, added):
    # One-hot keys: a score is half of the query's own number, and only differences to `sat` count.
    return {
        "queries": [[2 * n for n in one] for one in odds],
        "halved": list(odds[0]),
        "other": [2 * (n + added) for n in odds[0]],
    }


PROBLEMS = (score_weigh_mix, what_changes, from_weights_to_queries)
