"""Answers to chapter 0's exercises: right ones of several styles, and wrong ones with a word of their hint."""

import numpy as np

from attn.softmax import softmax


def by_loops(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    output = np.zeros((len(x), v.shape[1]))
    for i, query in enumerate(q):
        scores = [query @ key / len(key) ** 0.5 for key in k]
        e = [np.exp(score - max(scores)) for score in scores]
        for j, value in enumerate(v):
            output[i] += e[j] / sum(e) * value
    return output


def weighed(x, w_q, w_k, w_v, mixed=None, root=None, weigh=None):
    """What is mixed, what the scores are divided by, how they become weights."""
    q, k = x @ w_q, x @ w_k
    scores = np.einsum("id,jd->ij", q, k) / (np.sqrt(k.shape[1]) if root is None else root)
    if weigh is None:
        scores = scores - scores.max(axis=1, keepdims=True)
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    else:
        weights = weigh(scores)
    return weights @ (x @ w_v if mixed is None else mixed)


def turned(q, k):
    """All queries and keys turned by one angle in their first two numbers."""
    turn = np.eye(q.shape[1])
    turn[:2, :2] = [[0.6, -0.8], [0.8, 0.6]]
    return np.stack([q @ turn, k @ turn])


def back(q, k=None):
    return lambda w: np.stack([q(w), np.eye(len(w)) if k is None else k(w)])


def root_times(w, logarithm=np.log):
    return np.sqrt(len(w)) * logarithm(w)


RIGHT = {
    "self_attention": [by_loops, weighed],
    "pair_for": [
        back(root_times),
        lambda w: np.stack([np.eye(len(w)), root_times(w).T]),
        lambda w: np.stack([5 * np.log(7 * w), np.eye(len(w)) * np.sqrt(len(w)) / 5]),
    ],
    "another_pair": [
        lambda q, k: np.stack([2 * q, k / 2]),
        lambda q, k: np.stack([-q, -k]),
        lambda q, k: np.stack([q, k + np.arange(1, k.shape[1] + 1)]),
        lambda q, k: np.stack([q[:, ::-1], k[:, ::-1]]),
        turned,
    ],
}

WRONG = {
    "self_attention": [
        (lambda *c: weighed(*c, weigh=lambda s: softmax(s, axis=0)), "columns"),
        (lambda *c: weighed(*c, root=1), "root"),
        (lambda *c: weighed(*c, root=c[1].shape[1]), "by d_k"),
        (lambda *c: weighed(*c, root=c[1].shape[1] ** -0.5), "multiplied"),
        (lambda *c: weighed(*c, root=c[0].shape[1] ** 0.5), "d_model"),
        (lambda *c: weighed(*c, root=c[3].shape[1] ** 0.5), "d_v"),
        (lambda *c: weighed(*c, root=len(c[0]) ** 0.5), "number of words"),
        (lambda x, q, k, v: weighed(x, k, q, v), r"q\b.*\bk\b"),
        (lambda x, q, k, v: weighed(x, q, q, v), "keys.*w_q"),
        (lambda x, q, k, v: weighed(x, k, k, v), "queries.*w_k"),
        (lambda x, q, k, v: weighed(x, q, k, v, mixed=x @ k), "keys.*w_v"),
        (lambda x, q, k, v: weighed(x, q, k, v, mixed=x @ q), "queries.*w_v"),
        (lambda x, q, k, v: weighed(x, q, k, v, mixed=x), "words.*w_v"),
        (lambda x, q, k, v: weighed(x, q, k, v, mixed=np.eye(len(x))), "weights @ v"),
        (lambda *c: weighed(*c, weigh=lambda s: s), "softmax"),
        (lambda *c: weighed(*c, weigh=np.exp), "divi.*sum"),
        (lambda *c: weighed(*c, weigh=lambda s: np.exp(s) / np.sum(np.exp(s))), "one sum"),
        (lambda *c: weighed(*c, weigh=lambda s: np.exp(s) / np.exp(s).sum(1, keepdims=True)), "exp.*largest"),
        (lambda x, q, k, v: softmax(x @ q @ (x @ k) / np.sqrt(k.shape[1])) @ (x @ v), r"q @ k\.T"),
        (lambda *c: weighed(*c, weigh=lambda s: softmax(np.clip(s, -50, 50))), "word"),
        (lambda x, q, k, v: np.tile((x @ v).mean(0), (len(x), 1)), "word"),
        (lambda x, q, k, v: x @ v, "word"),
        (lambda *c: weighed(*c, weigh=lambda s: softmax(np.where(np.tri(len(s)), s, -np.inf))), "word 0"),
    ],
    "pair_for": [
        (back(np.log), "√d_k"),
        (back(lambda w: w), "logarithm"),
        (back(lambda w: np.eye(len(w)), root_times), "column"),
        (back(lambda w: root_times(w, np.log2)), "base"),
        (back(lambda w: len(w) * np.log(w)), "d_k"),
        (back(lambda w: np.log(w) * len(w) ** -0.5), "multiply"),
        (back(lambda w: root_times(w, np.exp)), "exponential"),
        (back(lambda w: 1.02 * root_times(w)), "word"),
        (back(lambda w: np.full(w.shape, -np.inf)), "finite"),
        (np.log, "shape"),
    ],
    "another_pair": [
        (lambda q, k: np.stack([2 * q, 2 * k]), "double|scale"),
        (lambda q, k: [q + q, k], "queries.*keys"),
        (lambda q, k: [q, k + k], "keys.*queries"),
        (lambda q, k: np.stack([q + 1, k]), "queries"),
        (lambda q, k: [q + 1, 1 + k], "added.*queries"),
        (lambda q, k: [0 - q, k], "sign"),
        (lambda q, k: [k, q], "queries.*keys"),
        (lambda q, k: np.stack([q[::-1], k[::-1]]), "order"),
        (lambda q, k: [np.fliplr(q), k], "order"),
        (lambda q, k: [q, [row / sum(row * row) ** 0.5 for row in k]], "length"),
        (lambda q, k: np.stack([q, k]), "given"),
        (lambda q, k: np.stack([q, k + 0.001]), "given"),
        (lambda q, k: np.stack([turned(q, k)[0], k]), "word"),
    ],
}
