"""Answers to the exercises of chapters 5 and 6: a right one each, and wrong ones with what their hint says."""

import math

import numpy as np

from attn.softmax import log_softmax, softmax


def plain(scores, axis=-1):
    e = np.exp(scores)
    return e / np.sum(e, axis=axis, keepdims=True)


def by_log_sum(logits, y):
    top = logits.max(axis=1)
    total = np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top
    return np.mean(total - np.take_along_axis(logits, y[:, None], axis=1)[:, 0])


def chances(logits, y):
    return softmax(logits)[range(len(y)), y]


def votes(x, query, readout, bias, loud=math.exp):
    """Token by token."""
    found = []
    for token in x:
        score = sum(a * b for a, b in zip(token, query, strict=True))
        value = sum(a * b for a, b in zip(token, readout, strict=True))
        found.append(loud(score) * (value + bias))
    return np.array(found)


def spread(w, d_w, middle):
    return w * (d_w - middle)


def adam(w, gradient, mean, square, t, rate, step=None, inside=0.0):
    """Adam, entry by entry; step(slope, m, s) is subtracted, but for the rate; `inside` stands under the root."""
    rows = []
    for weight, slope, m, s in zip(w, gradient, mean, square, strict=True):
        m, s = m + (slope - m) / 10, s + (slope * slope - s) / 1000
        far, high = m / (1 - 0.9**t), s / (1 - 0.999**t)
        move = step(slope, far, high) if step else far / ((high + inside) ** 0.5 + 1e-8 * (not inside))
        rows.append([weight - rate * move, m, s])
    return np.array(rows).T


def stepping(step):
    return lambda *case: adam(*case, step=step)


def uncorrected(w, g, m, s, t, rate):
    m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
    return [w - rate * m / (np.sqrt(s) + 1e-8), m, s]


def xor_table(gain):
    """Scores of both tokens, values of both: an answer that breaks the vote."""
    return [[0, 0], [np.log(3), 0], [-gain / 2, -7 * gain / 2], [0, gain]]


RIGHT = {
    "adam_step": [adam],
    "break_the_vote": [
        xor_table,
        lambda gain: np.array([[5, 5], [5 + np.log(3), 5], *xor_table(gain)[2:]]),
        lambda gain: np.array([[0, 0], [2.0, 0], *xor_table(gain)[2:]], dtype=np.float32),
    ],
    "attention_pattern": [lambda x, w_q, w_k: plain(x @ w_q @ w_k.T @ x.T)],
    "decode": [lambda memory, query: plain(memory @ query) @ memory],
    "votes": [votes],
    "log_loss": [by_log_sum],
    "softmax_backward": [lambda p, dp: spread(p, dp, (p * dp).sum(axis=-1, keepdims=True))],
}

WRONG = {
    "attention_pattern": [
        (
            lambda x, w_q, w_k: plain(x @ w_q @ w_k.T @ x.T, axis=0),
            "down the columns.*last axis",
        ),  # as in source 000
        (
            lambda x, w_q, w_k: plain(x @ w_k @ w_q.T @ x.T),
            "Queries and keys are exchanged: rows are queries, x @ w_q.*columns are keys, x @ w_k",
        ),
        (lambda x, w_q, w_k: plain(x @ w_q @ w_k.T @ x.T / np.sqrt(x.shape[1])), "divided by √d_k.*scale"),
        (lambda x, w_q, w_k: x @ w_q @ w_k.T @ x.T, "softmax"),
        (lambda x, w_q, w_k: plain(x @ x.T), "W_Q"),
        (lambda x, w_q, w_k: plain(x @ w_q @ w_k.T @ x.T, axis=(0, 1)), "All weights.*each row"),
        (lambda x, w_q, w_k: plain(x @ w_q @ w_k @ x.T), "not yet"),
    ],
    "decode": [
        (
            lambda memory, query: plain(query @ memory) @ memory,
            "query @ memory.*product: memory @ query",
        ),  # as in source 000
        (lambda memory, query: memory @ softmax(memory @ query), "weights @ memory, not memory @ weights"),
        (lambda memory, query: memory.mean(axis=0), "query"),
        (lambda memory, query: memory[(memory @ query).argmax()], "best"),
        (lambda memory, query: (memory @ query) @ memory, "softmax"),
        (lambda memory, query: softmax(memory @ query / np.sqrt(len(query))) @ memory, "divided by √d_k"),
    ],
    "votes": [
        (lambda x, q, r, b: softmax(x @ q) * (x @ r + b), "sum"),
        (lambda x, q, r, b: votes(x, q, r, 0), "bias"),
        (lambda x, q, r, b: votes(x, q, r, 0) + b, r"bias.*e\^s \(readout · x \+ bias\)"),
        (lambda x, q, r, b: votes(x, q, r, 0) + b / len(x), "evenly"),
        (lambda *c: votes(*c, loud=lambda s: 1), "loud"),
        (lambda *c: votes(*c, loud=lambda s: s), "negative"),
        (lambda x, q, r, b: votes(x, q / np.sqrt(len(q)), r, b), "divided by √d_k"),
    ],
    "log_loss": [
        (lambda z, y: -chances(z, y).mean(), "source 002"),
        (lambda z, y: -log_softmax(z)[range(len(y)), y].sum(), "This is the sum.*mean"),
        (lambda z, y: -log_softmax(softmax(z))[range(len(y)), y].mean(), "twice"),
        (lambda z, y: -np.log(plain(z)[range(len(y)), y]).mean(), "overflow"),
        (lambda z, y: -np.log(np.clip(chances(z, y), 1e-12, 1)).mean(), "clip"),
        (lambda z, y: -np.log(chances(z, 1 - y)).mean(), "other answer"),
        (lambda z, y: np.log(chances(z, y)).mean(), "sign.*is −log p"),
        (lambda z, y: -np.log2(chances(z, y)).mean(), "This is in bits"),
        (lambda z, y: -z[range(len(y)), y].mean(), "scores"),
        (lambda z, y: -np.log(chances(z, y).mean()), "the mean of the logs"),
    ],
    "softmax_backward": [
        (lambda p, dp: dp, r"Jacobian.*diag\(p\) − p pᵀ"),
        (lambda p, dp: p * dp, r"Half.*diag\(p\) without − p pᵀ"),
        (lambda p, dp: p * (1 - p) * dp, r"diagonal.*p \(1 − p\)"),
        (lambda p, dp: spread(p, dp, (p * dp).sum(axis=0)), "down the columns.*each row.*last axis"),
        (lambda p, dp: spread(p, (p * dp).sum(1, keepdims=True), dp), "sign"),
        (lambda p, dp: spread(p, dp, np.sum(p * dp)), "all rows.*each row"),
        (lambda p, dp: spread(p, dp, np.average(dp, axis=1)[:, None]), "mean"),
    ],
    "adam_step": [
        (uncorrected, r"divide by 1 − 0\.9\^t and 1 − 0\.999\^t before"),
        (lambda *case: adam(*case, inside=1e-8), r"under the root.*added to the root: √square \+ 1e-8"),
        (lambda w, *rest: [2 * w - adam(w, *rest)[0], *adam(w, *rest)[1:]], "step is subtracted"),
        (stepping(lambda slope, m, s: slope), "plain"),
        (lambda w, g, m, s, t, rate: [w - rate * g, m, s], "plain"),
        (
            stepping(lambda slope, m, s: slope / (s**0.5 + 1e-8)),
            r"last gradient.*of them, divided by 1 − 0\.9\^t",
        ),
        (
            lambda w, g, m, s, t, rate: adam(w, g, m, s, 1 + t, rate),
            r"too far: t is the number of this step, and the first one is 1\.",
        ),
        (stepping(lambda slope, m, s: m / (s + 1e-8)), "root"),
        (lambda *case: adam(*case)[0], r"Only w.*np\.stack\(\[w, mean, square\]\)\."),
        (lambda w, *rest: [w, *adam(w, *rest)[1:]], "step"),
    ],
    "break_the_vote": [
        (lambda gain: xor_table(1), "gain 1"),
        (lambda gain: xor_table(gain)[2:] + xor_table(gain)[:2], "scores and values"),
        (lambda gain: [xor_table(gain)[row] for row in (1, 0, 3, 2)], "tokens"),
        (lambda gain: [row[::-1] for row in xor_table(gain)], "columns"),
        (lambda gain: [[0, 0], [0, 0], [-gain, 0], [0, gain]], "plain mean"),
        (lambda gain: [[-2, 2]] * 2 + [[-gain, gain]] * 2, r"\bOR\b"),
        (lambda gain: [[0, 3], [1, 1], [-gain, -3 * gain], [-gain, gain]], "Theorem 2"),
        (lambda gain: [[0, 0], [0, np.log(3)], [-gain / 2, -7 * gain / 2], [gain, 0]], "opposite"),
    ],
}
