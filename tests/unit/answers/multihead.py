"""Answers to chapter 4's exercises: a right one each, and wrong ones with what their hint says."""

import numpy as np

from attn.softmax import softmax


def by_slices(x, n_heads):
    d = x.shape[1] // n_heads
    return [x[:, h * d : (h + 1) * d] for h in range(n_heads)]


def heads_by_loops(x, w_q, w_k, w_v, n_heads, own=None, root=None, axis=1):
    """The heads' outputs; own(h, d) are the columns of a head, and scores are divided by `root`."""
    d, said = x.shape[1] // n_heads, []
    for h in range(n_heads):
        q, k, v = (x @ w[:, slice(h * d, (h + 1) * d) if own is None else own(h)] for w in (w_q, w_k, w_v))
        e = np.exp(q @ k.T / (np.sqrt(d) if root is None else root))
        said.append(e / e.sum(axis=axis, keepdims=True) @ v)
    return said


def mixed(join=np.hstack, **how):
    return lambda x, q, k, v, o, n: join(heads_by_loops(x, q, k, v, n, **how)) @ o


def shares_by_slices(heads, w_o):
    d = heads.shape[-1]
    return [head @ w_o[h * d : (h + 1) * d] for h, head in enumerate(heads)]


def by_inverse(w_q, w_k):
    m = np.triu(np.ones((w_q.shape[1],) * 2))
    return np.array([w_q @ m, np.linalg.solve(m, w_k.T).T])


RIGHT = {
    "split_heads": [by_slices],
    "multi_head": [mixed()],
    "head_shares": [shares_by_slices],
    "same_attention": [
        lambda w_q, w_k: np.stack([w_q / 4, 4 * w_k]),
        lambda w_q, w_k: np.array([w_q[:, ::-1], w_k[:, ::-1]]),
        by_inverse,
    ],
    "free_numbers": [lambda d_model, d_k: 2 * d_model * d_k - d_k * d_k],
}


def reshaped(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = ((x @ w).reshape(n_heads, len(x), -1) for w in (w_q, w_k, w_v))
    said = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])) @ v
    return said.reshape(len(x), -1) @ w_o


def below_each_other(x, w_q, w_k, w_v, w_o, n_heads):
    return np.concatenate(heads_by_loops(x, w_q, w_k, w_v, n_heads)).reshape(len(x), -1) @ w_o


def mixed_alike(w):
    return w + np.pad(w, ((0, 0), (1, 0)))[:, :-1]


def mixed_without_a_transpose(q, k):
    m = np.eye(q.shape[1]) + np.eye(q.shape[1], k=1)
    return np.array([q @ m, np.linalg.solve(m.T, k.T).T])


WRONG = {
    "split_heads": [
        (lambda x, n: x.reshape(n, len(x), -1), r"row by row.*Reshape to \(n, n_heads, d\), then"),
        (lambda x, n: [x[:, h::n] for h in range(n)], "cards"),
        (lambda x, n: np.array(np.split(x, n, axis=1))[::-1], "order.*the first block is head 0"),
    ],
    "multi_head": [
        (reshaped, "row by row"),
        (below_each_other, "side by side"),
        (
            lambda *case: mixed(root=np.sqrt(case[0].shape[1]))(*case),
            "scale is 1/√d_model.*queries have d_k numbers.*so 1/√d_k",
        ),
        (lambda *case: mixed(root=case[0].shape[1] // case[-1])(*case), "scores are divided by d_k.*root"),
        (mixed(root=1), "scale.*multiply them by 1/√d_k"),
        (mixed(lambda heads: np.hstack([np.mean(heads, axis=0)] * len(heads))), "averaged"),
        (mixed(np.vstack), "raised ValueError"),
        (lambda x, q, k, v, o, n: np.hstack(heads_by_loops(x, q, k, v, n)), "W_O"),
        (lambda x, q, k, v, o, n: mixed()(x, q, k, v, o.T, n), r"transposed.*concat\(heads\) @ w_o"),
        (lambda *case: mixed()(*case[:-1], 1), "n_heads"),
        (mixed(axis=0), "down the columns.*last axis"),
        (lambda *case: mixed(own=lambda h: slice(h, None, case[-1]))(*case), "cards"),
    ],
    "head_shares": [
        (lambda heads, o: np.array([head @ o[h :: len(heads)] for h, head in enumerate(heads)]), "block"),
        (lambda heads, o: np.array([np.hstack(heads) @ o / len(heads)] * len(heads)), "evenly"),
        (lambda heads, o: np.array(shares_by_slices(heads, o)) / len(heads), "averaged"),
        (lambda heads, o: np.array(shares_by_slices(heads, o))[::-1], "order.*head 0 comes first"),
        (lambda heads, o: np.array([h @ np.split(o, len(heads))[0] for h in heads]), "d_v rows"),
        (lambda heads, o: np.array([np.hstack(heads) @ o for _ in heads]), "whole output"),
    ],
    "same_attention": [
        (lambda q, k: np.array([q, k]), "take the change back"),
        (lambda q, k: np.array([q + q, k + k]), "four times as large"),
        (lambda q, k: np.array([q * 2, k]), "one matrix"),
        (lambda q, k: np.array([k, q]), "swapped"),
        (lambda q, k: np.array([q * -1, k]), "sign"),
        (lambda q, k: np.array([np.fliplr(q), k]), "order"),
        (lambda q, k: np.array([np.flipud(q), np.flipud(k)]), "columns"),
        (lambda q, k: np.array([q + 1, k - 1]), "products"),
        (lambda q, k: np.array([mixed_alike(q), mixed_alike(k)]), "inverse"),
        (mixed_without_a_transpose, r"transpose.*with W_Q M, the other is W_K \(M⁻¹\)ᵀ"),
    ],
    "free_numbers": [
        (lambda d, d_k: d * d_k + d * d_k, "The d_k² of.*mixing"),
        (lambda d, d_k: d * d, "rank"),
        (lambda d, d_k: d_k * d_k, "not count"),
        (lambda d, d_k: d * d_k, "one of the two"),
        (lambda d, d_k: d * d_k * 2 - 1, "factor"),
        (lambda d, d_k: d_k * (2 * d - 1), "column"),
        (lambda d, d_k: 2 * d * d_k - sum(range(d_k)), "rotation"),
    ],
}
