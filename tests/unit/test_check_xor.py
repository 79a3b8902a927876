"""The checkers of the exercises on XOR: right answers of every style pass, known wrong ones get their hint."""

import math

import numpy as np
import pytest

from attn import check
from attn.softmax import log_softmax, softmax, softmax_jacobian
from tests.unit.checkers import assert_hint, assert_passes


def plain(scores):
    e = np.exp(scores)
    return e / np.sum(e, axis=-1, keepdims=True)


def by_loops(x, query, readout, bias):
    found = []
    for token in x:
        score = sum(a * b for a, b in zip(token, query, strict=True))
        value = sum(a * b for a, b in zip(token, readout, strict=True))
        found.append(math.exp(score) * (value + bias))
    return found


def by_log_sum(logits, y):
    top = logits.max(axis=1)
    total = np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top
    return np.mean(total - np.take_along_axis(logits, y[:, None], axis=1)[:, 0])


def by_difference(logits, y):
    """Two classes: log(1 + e^−margin)."""
    return np.mean(np.logaddexp(0, np.where(y == 1, 1, -1) * (logits[:, 0] - logits[:, 1])))


def adam_by_loops(w, gradient, mean, square, t, rate):
    found = [[], [], []]
    for weight, slope, m, s in zip(w, gradient, mean, square, strict=True):
        m, s = m + 0.1 * (slope - m), s + 0.001 * (slope * slope - s)
        step = rate * (m / (1 - math.pow(0.9, t))) / (math.sqrt(s / (1 - math.pow(0.999, t))) + 1e-8)
        for row, value in zip(found, (weight - step, m, s), strict=True):
            row.append(value)
    return found


RIGHT = {
    "adam_step": [
        adam_by_loops,
        lambda w, gradient, mean, square, t, rate: np.array(
            adam_by_loops(w, gradient, mean, square, t, rate), dtype=np.float32
        ),
    ],
    "break_the_vote": [
        lambda gain: [[0, 0], [np.log(3), 0], [-gain / 2, -7 * gain / 2], [0, gain]],
        lambda gain: np.array([[5, 5], [5 + np.log(3), 5], [-gain / 2, -7 * gain / 2], [0, gain]]),
        lambda gain: np.array([[0, 0], [2.0, 0], [-gain / 2, -7 * gain / 2], [0, gain]], dtype=np.float32),
    ],
    "attention_pattern": [
        lambda x, w_q, w_k: plain(x @ w_q @ w_k.T @ x.T),
        lambda x, w_q, w_k: softmax(np.einsum("id,jd->ij", x @ w_q, x @ w_k)),
        lambda x, w_q, w_k: softmax((x @ w_k) @ (x @ w_q).T, axis=0).T,
        lambda x, w_q, w_k: softmax(x @ w_q @ (x @ w_k).T).astype(np.float32),
    ],
    "decode": [
        lambda memory, query: plain(memory @ query) @ memory,
        lambda memory, query: (softmax(memory @ query)[:, None] * memory).sum(axis=0),
        lambda memory, query: memory.T @ softmax(query @ memory.T),
    ],
    "votes": [
        by_loops,
        lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout + bias),
        lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout) + np.exp(x @ query) * bias,
    ],
    "log_loss": [by_log_sum, by_difference, lambda logits, y: -log_softmax(logits)[range(len(y)), y].mean()],
    "softmax_backward": [
        lambda p, dp: p * (dp - (p * dp).sum(axis=-1, keepdims=True)),
        lambda p, dp: np.einsum("nij,nj->ni", softmax_jacobian(p), dp),
        lambda p, dp: np.array(
            [(np.diag(row) - np.outer(row, row)) @ d for row, d in zip(p, dp, strict=True)]
        ),
        lambda p, dp: p * dp - p * np.einsum("ij,ij->i", p, dp)[:, None],
    ],
}


@pytest.mark.parametrize(
    ("name", "function"), [(name, function) for name, functions in RIGHT.items() for function in functions]
)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


def source_softmax(scores):
    """As source 000 has it."""
    return np.exp(scores) / np.sum(np.exp(scores), axis=0)


def two_loops(weights, d_weights):
    """The Jacobian's diagonal alone, by loops."""
    d_scores = np.zeros_like(weights)
    for i, row in enumerate(weights):
        for j, p in enumerate(row):
            d_scores[i, j] = p * (1 - p) * d_weights[i, j]
    return d_scores


def written_into(weights, d_weights):
    d_weights -= (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * d_weights


WRONG = {
    "softmax over the wrong axis, as in source 000": (
        "attention_pattern",
        lambda x, w_q, w_k: source_softmax(x @ w_q @ w_k.T @ x.T),
        ["down the columns", "though each column does", "not to 1"],
    ),
    "queries and keys exchanged": (
        "attention_pattern",
        lambda x, w_q, w_k: plain(x @ w_k @ w_q.T @ x.T),
        ["exchanged", "rows are queries, x @ w_q", "columns are keys, x @ w_k"],
    ),
    "scaled": (
        "attention_pattern",
        lambda x, w_q, w_k: plain(x @ w_q @ w_k.T @ x.T / np.sqrt(x.shape[1])),
        ["no scale"],
    ),
    "scores alone": ("attention_pattern", lambda x, w_q, w_k: x @ w_q @ w_k.T @ x.T, ["softmax is missing"]),
    "W_K not transposed": (
        "attention_pattern",
        lambda x, w_q, w_k: plain(x @ w_q @ w_k @ x.T),
        ["not yet"],
    ),
    "features scored, v @ memory, as in source 000": (
        "decode",
        lambda memory, query: source_softmax(query @ memory) @ memory,
        ["Was `query @ memory` scored?", "a score for each feature"],
    ),
    "features scored, and put together to fit any shape": (
        "decode",
        lambda memory, query: memory @ softmax(query @ memory),
        ["a score for each feature"],
    ),
    "weights on the wrong side": (
        "decode",
        lambda memory, query: memory @ softmax(memory @ query),
        ["weights @ memory"],
    ),
    "the mean": ("decode", lambda memory, query: memory.mean(axis=0), ["query is not used"]),
    "hard": ("decode", lambda memory, query: memory[(memory @ query).argmax()], ["leaves something"]),
    "no softmax": ("decode", lambda memory, query: (memory @ query) @ memory, ["no average of the rows"]),
    "votes over the sum": (
        "votes",
        lambda x, query, readout, bias: softmax(x @ query) * (x @ readout + bias),
        ["divided by the softmax's sum"],
    ),
    "votes without bias": (
        "votes",
        lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout),
        ["The bias is left out"],
    ),
    "bias outside": (
        "votes",
        lambda x, query, readout, bias: np.exp(x @ query) * (x @ readout) + bias,
        ["after the exponential"],
    ),
    "one vote for all": (
        "votes",
        lambda x, query, readout, bias: readout @ (softmax(x @ query) @ x) + bias,
        ["It returned shape ()"],
    ),
    "loss on probabilities, as in source 002": (
        "log_loss",
        lambda logits, y: -softmax(logits)[np.arange(len(y)), y].mean(),
        ["nll_loss", "never negative", "source 002"],
    ),
    "sum of the losses": (
        "log_loss",
        lambda logits, y: -log_softmax(logits)[np.arange(len(y)), y].sum(),
        ["not the mean"],
    ),
    "softmax twice": (
        "log_loss",
        lambda logits, y: -log_softmax(softmax(logits))[np.arange(len(y)), y].mean(),
        ["taken twice"],
    ),
    "log of a rounded zero": (
        "log_loss",
        lambda logits, y: -np.log(plain(logits)[np.arange(len(y)), y]).mean(),
        ["exp overflows"],
    ),
    "clipped": (
        "log_loss",
        lambda logits, y: -np.log(np.clip(softmax(logits)[np.arange(len(y)), y], 1e-12, 1)).mean(),
        ["clipped"],
    ),
    "one loss a sample": (
        "log_loss",
        lambda logits, y: -log_softmax(logits)[np.arange(len(y)), y],
        ["It returned shape"],
    ),
    "a gradient without the softmax Jacobian": ("softmax_backward", lambda p, dp: dp, ["passed by"]),
    "half the Jacobian": ("softmax_backward", lambda p, dp: p * dp, ["Half of the Jacobian", "should be 0"]),
    "its diagonal": ("softmax_backward", two_loops, ["Only the diagonal"]),
    "summed down the columns": (
        "softmax_backward",
        lambda p, dp: p * (dp - (p * dp).sum(axis=0)),
        ["down the columns"],
    ),
    "no correction of the first means": (
        "adam_step",
        lambda w, g, m, s, t, rate: [
            w - rate * (0.9 * m + 0.1 * g) / (np.sqrt(0.999 * s + 0.001 * g * g) + 1e-8),
            0.9 * m + 0.1 * g,
            0.999 * s + 0.001 * g * g,
        ],
        ["1 − 0.9^t"],
    ),
    "uphill": (
        "adam_step",
        lambda w, g, m, s, t, rate: [
            2 * w - np.array(adam_by_loops(w, g, m, s, t, rate)[0]),
            *adam_by_loops(w, g, m, s, t, rate)[1:],
        ],
        ["climbs"],
    ),
    "steps counted from 0": (
        "adam_step",
        lambda w, g, m, s, t, rate: [
            w - rate * (0.9 * m + 0.1 * g) / (1 - 0.9 ** (t - 1)),
            0.9 * m + 0.1 * g,
            0.999 * s + 0.001 * g * g,
        ],
        ["After the step w[0] is", "it should be"],
    ),
    "momentum alone": (
        "adam_step",
        lambda w, g, m, s, t, rate: [w - rate * (0.9 * m + 0.1 * g), 0.9 * m + 0.1 * g, s],
        ["square[0] is", "it should be"],
    ),
    "the old weights come back": (
        "adam_step",
        lambda w, g, m, s, t, rate: [w, *adam_by_loops(w, g, m, s, t, rate)[1:]],
        ["After the step w[0] is"],
    ),
    "one set of numbers for every gain": (
        "break_the_vote",
        lambda gain: [[0, 0], [np.log(3), 0], [-0.5, -3.5], [0, 1]],
        ["the same for every gain"],
    ),
    "a plain mean": (
        "break_the_vote",
        lambda gain: [[0, 0], [0, 0], [-gain, 0], [0, gain]],
        ["equal, so the head is a plain mean", "does not depend on its bit"],
    ),
    "the second token's score does not hear its bit": (
        "break_the_vote",
        lambda gain: [[0, 3], [1, 1], [-gain, -3 * gain], [-gain, gain]],
        ["does not depend on its bit", "Theorem 2 holds"],
    ),
    "the opposite": (
        "break_the_vote",
        lambda gain: [[0, 0], [0, np.log(3)], [-gain / 2, -7 * gain / 2], [gain, 0]],
        ["the opposite of XOR"],
    ),
    "seven numbers": ("break_the_vote", lambda gain: np.zeros(7), ["It returned shape (7,)"]),
    "writes into its input": ("softmax_backward", written_into, ["changed its input d_weights"]),
}


@pytest.mark.parametrize(("name", "function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=11, characters=1200)


def test_where_many_answers_are_right_none_is_shown():
    message = check.break_the_vote(lambda gain: np.zeros((4, 2))).message
    assert "yours" in message
    assert "right =" not in message
    assert "1.099" not in message
