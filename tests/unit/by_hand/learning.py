"""The worksheet of chapter 6 once more, without `attn`: one function a problem, given -> answers."""

from tests.unit.by_hand.arithmetic import dot


def backward(p, d_p, x):
    average = dot(p, d_p)
    d_s = [w * (slope - average) for w, slope in zip(p, d_p, strict=True)]
    return {
        "apart": [slope - average for slope in d_p],
        "d_s": d_s,
        "average": average,
        "sum": 0,
        "d_q": dot(x, d_s),
    }


def two_losses(p):
    return {
        "log": [-(1 - one) for one in p],
        "plain": [-one * (1 - one) for one in p],
        "times": [1 / one for one in p],
    }


def mirror(x, w_q, w_k, bias):
    def scores(tokens, beta):
        return [(w_q * tokens[1] + beta) * w_k * token for token in tokens]

    there = [-token for token in x]
    return {
        "plain": scores(x, 0),
        "plain_mirror": scores(x, 0),
        "biased": scores(x, bias),
        "biased_mirror": scores(there, bias),
    }


def first_step(g):
    return {
        "mean": [one / 10 for one in g],
        "first": list(g),
        "second": [one * one for one in g],
        "adam": [-0.1 if one > 0 else 0.1 for one in g],
        "plain": [-one / 10 for one in g],
        "then": -g[0],
    }


PROBLEMS = (backward, two_losses, mirror, first_step)
