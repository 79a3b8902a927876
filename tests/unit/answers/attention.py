"""Answers to chapter 0's exercises: a right one each, and wrong ones with what their hint says."""

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
    "self_attention": [by_loops],
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
        (lambda *c: weighed(*c, weigh=lambda s: softmax(s, axis=0)), "down the columns.*Each row.*last axis"),
        (lambda *c: weighed(*c, root=1), "root.*are divided by √d_k.*root of the width of a key"),
        (lambda *c: weighed(*c, root=c[1].shape[1]), r"divided by d_k\?"),
        (lambda *c: weighed(*c, root=c[1].shape[1] ** -0.5), r"multiplied by the root\?"),
        (lambda *c: weighed(*c, root=c[0].shape[1] ** 0.5), "root of d_model, the width of a word"),
        (lambda *c: weighed(*c, root=c[3].shape[1] ** 0.5), "root of d_v, the width of a value"),
        (lambda *c: weighed(*c, root=len(c[0]) ** 0.5), "number of words"),
        (lambda x, q, k, v: weighed(x, k, q, v), "q and k swapped.*scores are q kᵀ"),
        (lambda x, q, k, v: weighed(x, q, q, v), "the keys made with w_q.*A key is x @ w_k"),
        (lambda x, q, k, v: weighed(x, k, k, v), "the queries made with w_k.*A query is x @ w_q"),
        (
            lambda x, q, k, v: weighed(x, q, k, v, mixed=x @ k),
            r"the keys mixed\? They only decide the weights; it is the values that are mixed, x @ w_v",
        ),
        (
            lambda x, q, k, v: weighed(x, q, k, v, mixed=x @ q),
            r"the queries mixed\? They only decide the weights; it is the values that are mixed, x @ w_v",
        ),
        (
            lambda x, q, k, v: weighed(x, q, k, v, mixed=x),
            r"words themselves mixed\? What is mixed are the values, x @ w_v",
        ),
        (lambda x, q, k, v: weighed(x, q, k, v, mixed=np.eye(len(x))), "weights @ v"),
        (lambda *c: weighed(*c, weigh=lambda s: s), "softmax"),
        (
            lambda *c: weighed(*c, weigh=np.exp),
            r"division missing\? Divide each exponential by the sum of its row, so that the row sum",
        ),
        (
            lambda *c: weighed(*c, weigh=lambda s: np.exp(s) / np.sum(np.exp(s))),
            "one sum.*Each row.*last axis",
        ),
        (
            lambda *c: weighed(*c, weigh=lambda s: np.exp(s) / np.exp(s).sum(1, keepdims=True)),
            r"exp\(710\) is infinite\. Subtract each row's largest",
        ),
        (
            lambda x, q, k, v: softmax(x @ q @ (x @ k) / np.sqrt(k.shape[1])) @ (x @ v),
            r"q @ k runs.*scores are q @ k\.T",
        ),
        (lambda *c: weighed(*c, weigh=lambda s: softmax(np.clip(s, -50, 50))), "word"),
        (lambda *c: weighed(*c, weigh=lambda s: softmax(np.where(np.tri(len(s)), s, -np.inf))), "word 0"),
    ],
    "pair_for": [
        (back(np.log), "Attention divides by √d_k.*and d_k is n here.*so multiply by it"),
        (back(lambda w: w), "logarithm"),
        (back(lambda w: np.eye(len(w)), root_times), "column"),
        (back(lambda w: root_times(w, np.log2)), r"base 2\?.*np\.log"),
        (back(lambda w: len(w) * np.log(w)), "d_k"),
        (back(lambda w: np.log(w) * len(w) ** -0.5), "multiply"),
        (back(lambda w: root_times(w, np.exp)), "exponential"),
        (back(lambda w: np.full(w.shape, -np.inf)), "finite"),
    ],
    "another_pair": [
        (lambda q, k: np.stack([2 * q, 2 * k]), "double|scale"),
        (
            lambda q, k: [q + q, k],
            r"The queries are longer, so the choice is sharper\. Give it back on the side of the keys",
        ),
        (
            lambda q, k: [q, k + k],
            r"The keys are longer, so all scores are\. Give it back on the side of the queries",
        ),
        (lambda q, k: np.stack([q + 1, k]), "queries"),
        (
            lambda q, k: [q + 1, 1 + k],
            "Added to the keys a vector does no harm; added to the queries it does",
        ),
        (lambda q, k: [0 - q, k], "sign"),
        (lambda q, k: [k, q], "queries.*keys"),
        (lambda q, k: np.stack([q[::-1], k[::-1]]), "order"),
        (lambda q, k: [np.fliplr(q), k], "Only the queries have.*order.*The keys need"),
        (lambda q, k: [q, [row / sum(row * row) ** 0.5 for row in k]], "length"),
        (lambda q, k: np.stack([q, k + 0.001]), "given"),
        (lambda q, k: np.stack([turned(q, k)[0], k]), "word"),
    ],
}
