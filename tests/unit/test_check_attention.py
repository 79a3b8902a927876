"""The checker of the exercise on self-attention: right answers of every style pass, known wrong ones get their hint."""

import numpy as np
import pytest

from attn import check
from attn.softmax import softmax
from tests.unit.checkers import assert_passes


def by_loops(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    output = np.zeros((len(x), v.shape[1]))
    for i, query in enumerate(q):
        scores = [query @ key / len(key) ** 0.5 for key in k]
        e = [np.exp(score - max(scores)) for score in scores]
        for j, value in enumerate(v):
            output[i] += e[j] / sum(e) * value
    return output


def by_matrices(x, w_q, w_k, w_v):
    return softmax(x @ w_q @ (x @ w_k).T / np.sqrt(w_q.shape[1])) @ (x @ w_v)


def by_columns(x, w_q, w_k, w_v):
    """Rows and columns exchanged throughout: right too."""
    q, k, v = (x @ w_q).T, (x @ w_k).T, (x @ w_v).T
    return (v @ softmax(k.T @ q / np.sqrt(len(q)), axis=0)).T


def values_last(x, w_q, w_k, w_v):
    return (softmax((x @ w_q) @ (x @ w_k).T / np.sqrt(w_k.shape[-1])) @ x @ w_v).tolist()


RIGHT = [by_loops, by_matrices, by_columns, values_last]


@pytest.mark.parametrize("function", RIGHT)
def test_right_answers_pass(function, capsys):
    assert_passes("self_attention", function, capsys)


def clipped(x, w_q, w_k, w_v):
    return np.nan_to_num(softmax(np.clip(x @ w_q @ (x @ w_k).T / np.sqrt(w_q.shape[1]), -50, 50)) @ (x @ w_v))


def transposed(x, w_q, w_k, w_v):
    return by_matrices(x, w_q, w_k, w_v).T


def both(x, w_q, w_k, w_v):
    return by_matrices(x, w_q, w_k, w_v), None


def in_place(x, w_q, w_k, w_v):
    output = by_matrices(x, w_q, w_k, w_v)
    x -= x
    return output


OTHER_WRONG = {
    "transposed": (transposed, ["shape", "(n, d_v)"]),
    "output and weights": (both, ["tuple of 2", "one array"]),
    "changes its input": (in_place, ["changed its input x"]),
    "clips large scores": (clipped, ["word"]),
    "plain mean": (lambda x, w_q, w_k, w_v: np.tile((x @ w_v).mean(0), (len(x), 1)), ["word"]),
    "values alone": (lambda x, w_q, w_k, w_v: x @ w_v, ["word"]),
    "masked": (
        lambda x, w_q, w_k, w_v: (
            softmax(
                np.where(np.tri(len(x), dtype=bool), x @ w_q @ (x @ w_k).T / np.sqrt(w_q.shape[1]), -np.inf)
            )
            @ (x @ w_v)
        ),
        ["word 0"],
    ),
}


@pytest.mark.parametrize(("function", "words"), OTHER_WRONG.values(), ids=OTHER_WRONG)
def test_other_wrong_answers_are_rejected(function, words):
    result = check.self_attention(function)
    assert not result.passed
    assert [word for word in words if word not in result.message] == [], result.message
