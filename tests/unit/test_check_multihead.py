"""The checkers of the exercises on heads: right answers of every style pass, known wrong ones get their hint."""

import numpy as np
import pytest

from attn.multihead import MultiHeadAttention
from attn.multihead import split_heads as split
from attn.softmax import softmax
from tests.unit.checkers import assert_hint, assert_passes


def by_slices(x, n_heads):
    d = x.shape[1] // n_heads
    return [x[:, h * d : (h + 1) * d] for h in range(n_heads)]


def by_loops(x, w_q, w_k, w_v, w_o, n_heads):
    d, said = x.shape[1] // n_heads, []
    for h in range(n_heads):
        own = slice(h * d, (h + 1) * d)
        q, k, v = x @ w_q[:, own], x @ w_k[:, own], x @ w_v[:, own]
        scores = np.exp(q @ k.T / np.sqrt(d))
        said.append(scores / scores.sum(axis=1, keepdims=True) @ v)
    return np.hstack(said) @ w_o


def by_einsum(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (np.reshape(x @ w, (len(x), n_heads, -1)) for w in (w_q, w_k, w_v))
    p = softmax(np.einsum("ihd,jhd->hij", q, k) / q.shape[-1] ** 0.5)
    return np.einsum("hij,jhd->ihd", p, v).reshape(len(x), -1) @ w_o


def by_attn(x, w_q, w_k, w_v, w_o, n_heads):
    return MultiHeadAttention(*(split(w, n_heads) for w in (w_q, w_k, w_v)), w_o)(x)[0]


def by_sum_of_shares(x, w_q, w_k, w_v, w_o, n_heads):
    layer = MultiHeadAttention(*(split(w, n_heads) for w in (w_q, w_k, w_v)), w_o)
    return layer.shares(x).sum(axis=0).astype(np.float32)


def shares_by_slices(heads, w_o):
    d = heads.shape[-1]
    return [head @ w_o[h * d : (h + 1) * d] for h, head in enumerate(heads)]


def shares_by_silence(heads, w_o):
    """Silence all heads but one."""
    alone = []
    for h in range(len(heads)):
        kept = np.zeros_like(heads)
        kept[h] = heads[h]
        alone.append(np.hstack(kept) @ w_o)
    return np.array(alone)


def turned(w_q, w_k):
    """Both turned by the same angle in their first two columns."""
    turn = np.eye(w_q.shape[1])
    turn[:2, :2] = [[0.6, -0.8], [0.8, 0.6]]
    return w_q @ turn, w_k @ turn


def by_inverse(w_q, w_k):
    m = np.triu(np.ones((w_q.shape[1],) * 2))
    return np.array([w_q @ m, np.linalg.solve(m, w_k.T).T])


def by_singular_values(w_q, w_k):
    """The product, factored anew."""
    u, s, vt = np.linalg.svd(w_q @ w_k.T)
    found = np.zeros((2, *w_q.shape))
    n = min(w_q.shape)
    found[0, :, :n], found[1, :, :n] = (u * s)[:, :n], vt[:n].T
    return found


def by_jacobian(d_model, d_k):
    """In how many directions the product can move: the rank of its derivative, at random matrices."""
    rng = np.random.default_rng(0)
    if d_model > 20:  # the derivative would fill gigabytes: by symmetry, from d_k · d_k blocks of small ones
        return 2 * d_model * d_k - d_k**2
    w_q, w_k = rng.normal(size=(2, d_model, d_k))
    moves = []
    for index in np.ndindex(d_model, d_k):
        unit = np.zeros((d_model, d_k))
        unit[index] = 1
        moves += [(unit @ w_k.T).ravel(), (w_q @ unit.T).ravel()]
    return np.linalg.matrix_rank(np.array(moves))


RIGHT = {
    "split_heads": [
        by_slices,
        lambda x, n: x.reshape(len(x), n, -1).transpose(1, 0, 2),
        lambda x, n: np.moveaxis(x.reshape(len(x), n, -1), 1, 0),
        lambda x, n: np.split(x, n, axis=1),
    ],
    "multi_head": [by_loops, by_einsum, by_attn, by_sum_of_shares],
    "head_shares": [
        shares_by_slices,
        shares_by_silence,
        lambda heads, w_o: heads @ np.array(np.split(w_o, len(heads))),
    ],
    "same_attention": [
        lambda w_q, w_k: np.stack([w_q / 4, 4 * w_k]),
        lambda w_q, w_k: [(-w_q).tolist(), (-w_k).tolist()],
        lambda w_q, w_k: np.array([w_q[:, ::-1], w_k[:, ::-1]]),
        lambda w_q, w_k: np.array(turned(w_q, w_k), dtype=np.float32),
        by_inverse,
        by_singular_values,
    ],
    "free_numbers": [by_jacobian, lambda d_model, d_k: 2 * d_model * d_k - d_k * d_k],
}


@pytest.mark.parametrize(
    ("name", "function"), [(name, function) for name, functions in RIGHT.items() for function in functions]
)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


def heads_of(x, w_q, w_k, w_v, n_heads, size=None):
    q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return softmax(q @ np.swapaxes(k, 1, 2) / np.sqrt(size or q.shape[-1])) @ v


def reshaped(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = ((x @ w).reshape(n_heads, len(x), -1) for w in (w_q, w_k, w_v))
    said = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])) @ v
    return said.reshape(len(x), -1) @ w_o


def averaged(x, w_q, w_k, w_v, w_o, n_heads):
    said = heads_of(x, w_q, w_k, w_v, n_heads).mean(axis=0)
    return np.hstack([said] * n_heads) @ w_o


def wrong_axis(x, w_q, w_k, w_v, w_o, n_heads):
    return np.concatenate(heads_of(x, w_q, w_k, w_v, n_heads), axis=0).reshape(len(x), -1) @ w_o


def wrong_axis_plainly(x, w_q, w_k, w_v, w_o, n_heads):
    return np.concatenate(heads_of(x, w_q, w_k, w_v, n_heads), axis=0) @ w_o


WRONG = {
    "reshape without transpose": (
        "split_heads",
        lambda x, n: x.reshape(n, len(x), -1),
        ["row by row", "Head 0, token 1, number 0 is", "x[1, 0] = 10"],
    ),
    "transpose without reshape": ("split_heads", lambda x, n: x.T, ["shape"]),
    "heads not in front": ("split_heads", lambda x, n: x.reshape(len(x), n, -1), ["(n_heads, n, d) is"]),
    "dealt like cards": ("split_heads", lambda x, n: [x[:, h::n] for h in range(n)], ["like cards"]),
    "reshape without transpose, all through": ("multi_head", reshaped, ["row by row"]),
    "scale by d_model": (
        "multi_head",
        lambda x, q, k, v, o, n: np.hstack(heads_of(x, q, k, v, n, size=x.shape[1])) @ o,
        ["1/√d_model", "so 1/√d_k"],
    ),
    "no scale": (
        "multi_head",
        lambda x, q, k, v, o, n: np.hstack(heads_of(x, q, k, v, n, size=1)) @ o,
        ["not scaled"],
    ),
    "heads averaged": ("multi_head", averaged, ["averaged"]),
    "the mean of the heads alone": (
        "multi_head",
        lambda x, q, k, v, o, n: heads_of(x, q, k, v, n).mean(axis=0),
        ["not yet"],
    ),
    "heads concatenated on the wrong axis": ("multi_head", wrong_axis, ["side by side token by token"]),
    "heads below each other": ("multi_head", wrong_axis_plainly, ["raised ValueError"]),
    "W_O left out": (
        "multi_head",
        lambda x, q, k, v, o, n: np.hstack(heads_of(x, q, k, v, n)),
        ["W_O is left out"],
    ),
    "W_O from the left": (
        "multi_head",
        lambda x, q, k, v, o, n: np.hstack(heads_of(x, q, k, v, n)) @ o.T,
        ["transposed"],
    ),
    "one wide head": ("multi_head", lambda *case: by_attn(*case[:-1], 1), ["one wide head"]),
    "NaN": ("multi_head", lambda x, *rest: np.full_like(x, np.nan), ["NaN"]),
    "writes into its input": (
        "multi_head",
        lambda x, *rest: [by_attn(x, *rest), x.fill(0)][0],
        ["changed its input x"],
    ),
    "every n-th row": (
        "head_shares",
        lambda heads, w_o: np.array([head @ w_o[h :: len(heads)] for h, head in enumerate(heads)]),
        ["block of neighboring rows"],
    ),
    "divided evenly": (
        "head_shares",
        lambda heads, w_o: np.array([np.hstack(heads) @ w_o / len(heads)] * len(heads)),
        ["divided evenly", "The shares sum to the output, but that of head 0"],
    ),
    "shares averaged": (
        "head_shares",
        lambda heads, w_o: np.array(shares_by_slices(heads, w_o)) / len(heads),
        ["averaged", "but concat(heads) @ w_o is"],
    ),
    "summed": ("head_shares", lambda heads, w_o: np.hstack(heads) @ w_o, ["(n_heads, n, d_out) is"]),
    "the same pair": (
        "same_attention",
        lambda w_q, w_k: np.array([w_q, w_k]),
        ["another pair was asked for", "take the change back"],
    ),
    "both doubled": (
        "same_attention",
        lambda w_q, w_k: np.array([w_q + w_q, w_k + w_k]),
        ["Entry [0, 0] of your W_Q W_Kᵀ", "four times"],
    ),
    "one doubled": ("same_attention", lambda w_q, w_k: np.array([w_q * 2, w_k]), ["One matrix alone"]),
    "swapped": ("same_attention", lambda w_q, w_k: np.array([w_k, w_q]), ["transposes the scores"]),
    "one sign": ("same_attention", lambda w_q, w_k: np.array([w_q * -1, w_k]), ["Turn both"]),
    "one order": ("same_attention", lambda w_q, w_k: np.array([np.fliplr(w_q), w_k]), ["same order"]),
    "rows for columns": (
        "same_attention",
        lambda w_q, w_k: np.array([np.flipud(w_q), np.flipud(w_k)]),
        ["Columns may change places"],
    ),
    "a tuple of two": ("same_attention", lambda w_q, w_k: (w_q / 2, w_k * 2), ["returned a tuple of 2"]),
    "all of them": (
        "free_numbers",
        lambda d, d_k: d * d_k + d * d_k,
        ["hold 2 numbers, of which 1", "mixing"],
    ),
    "the whole product": ("free_numbers", lambda d, d_k: d * d, ["rank"]),
    "what does not count": ("free_numbers", lambda d, d_k: d_k * d_k, ["do not count"]),
    "half": ("free_numbers", lambda d, d_k: d * d_k, ["one of the two"]),
    "one factor": ("free_numbers", lambda d, d_k: d * d_k * 2 - 1, ["one common factor"]),
}


@pytest.mark.parametrize(("name", "function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=11, characters=1200)
