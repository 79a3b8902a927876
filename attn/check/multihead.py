"""The checkers of the exercises on heads (chapter 4). Heads, tokens and numbers count from 0."""

import numpy as np

from attn.check._close import apart, far
from attn.check._engine import run
from attn.check._exercise import Exercise, Mistake
from attn.multihead import merge_heads
from attn.multihead import split_heads as right_split
from attn.softmax import softmax

__all__ = ["head_shares", "multi_head", "split_heads"]


def split_heads(function):
    """Check f(x, n_heads) -> (n_heads, n, d): the columns of x (n, n_heads · d) dealt to the heads in blocks."""
    return run(_SPLIT_HEADS, function)


def multi_head(function):
    """Check f(x, w_q, w_k, w_v, w_o, n_heads) -> (n, d_model): multi-head self-attention from packed weights.

    All four weights are (d_model, d_model) and act from the right; head h owns the columns h·d_k … (h + 1)·d_k − 1
    of w_q, w_k and w_v, and the rows of w_o with the same numbers. No mask, no biases.
    """
    return run(_MULTI_HEAD, function)


def head_shares(function):
    """Check f(heads, w_o) -> (n_heads, n, d_out): what each head adds to the output concat(heads) @ w_o.

    `heads` (n_heads, n, d_v) holds the heads' outputs, `w_o` (n_heads · d_v, d_out) what mixes them.
    """
    return run(_HEAD_SHARES, function)


# Splitting --------------------------------------------------------------------------------------------------------


def _judge_split(answer, expected, x, n_heads):
    d = x.shape[1] // n_heads
    for head, token, number in np.argwhere(far(answer, expected)):
        got, right = apart(answer[head, token, number], expected[head, token, number])
        return (
            f"Head {head}, token {token}, number {number} is {got}; it should be "
            f"x[{token}, {head * d + number}] = {right}."
        )
    return None


def _numbered(n, n_heads, d):
    """Tokens whose numbers tell where they are from: token 1, column 2 holds 12."""
    x = 10.0 * np.arange(n)[:, None] + np.arange(n_heads * d)
    return {"x": x, "n_heads": n_heads}


def _blind_reshape(x, n_heads):
    return x.reshape(n_heads, len(x), -1)


def _dealt(x, n_heads):
    return np.stack([x[:, head::n_heads] for head in range(n_heads)])


_RESHAPE = (
    "Reshaping to (n_heads, n, d) reads x row by row, so head 0 gets the first tokens, whole, instead of every "
    "token's first block. Reshape to (n, n_heads, d), then move the heads to the front."
)

_SPLIT_HEADS = Exercise(
    usage="split_heads(x, n_heads)",
    shape="(n_heads, n, d)",
    right=right_split,
    build=lambda draw: _numbered(draw.whole(1, 4), draw.whole(1, 4), draw.whole(1, 3)),
    fixed=(_numbered(3, 2, 2), _numbered(2, 3, 2), _numbered(4, 2, 3)),
    judge=_judge_split,
    mistakes=(
        Mistake(_blind_reshape, _RESHAPE),
        Mistake(
            _dealt,
            "The columns are dealt out like cards here, 0, 1, 0, 1 …; each head owns a block of neighbors.",
        ),
        Mistake(
            lambda x, n_heads: right_split(x, n_heads)[::-1],
            "The heads are in reverse order: the first block is head 0.",
        ),
    ),
)


# The whole layer --------------------------------------------------------------------------------------------------


def _attend(q, k, v, scale, axis=-1):
    return softmax(q @ np.swapaxes(k, -1, -2) * scale, axis=axis) @ v


def _layer(split=right_split, merge=merge_heads, power=-0.5, width="d_k", axis=-1):
    """Multi-head attention with some of its parts exchanged."""

    def layer(x, w_q, w_k, w_v, w_o, n_heads):
        q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
        size = q.shape[-1] if width == "d_k" else x.shape[-1]
        return merge(_attend(q, k, v, float(size) ** power, axis)) @ w_o

    return layer


_right_layer = _layer()


def _blind_merge(heads):
    return heads.reshape(heads.shape[1], -1)


def _without_output(x, w_q, w_k, w_v, w_o, n_heads):
    return _right_layer(x, w_q, w_k, w_v, np.eye(len(w_o)), n_heads)


def _mean_of_heads(x, w_q, w_k, w_v, w_o, n_heads):
    heads = right_split(_without_output(x, w_q, w_k, w_v, w_o, n_heads), n_heads)
    return np.tile(heads.mean(axis=0), n_heads) @ w_o


def _judge_layer(answer, expected, x, w_q, w_k, w_v, w_o, n_heads):
    if np.isnan(answer).any():
        return "The output holds NaN: is there a division by zero, or does the softmax overflow?"
    for token in np.flatnonzero(far(answer, expected).any(axis=-1)):
        got, right = apart(answer[token], expected[token])
        return f"The output of token {token} is {got}; it should be {right}."
    return None


def _build_layer(draw):
    return _telling_layer(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3), draw.whole(1, 2))


def _telling_layer(seed, n, n_heads, d):
    """A case from a seed and three sizes; matrices drawn entry by entry would take minutes to shrink."""
    rng = np.random.default_rng(seed)
    width = n_heads * d
    weights = {name: rng.integers(-2, 3, (width, width)) / 2 for name in ("w_q", "w_k", "w_v", "w_o")}
    return {"x": rng.integers(-2, 3, (n, width)) / 2, **weights, "n_heads": n_heads}


_AVERAGED = (
    "The heads are averaged here. They are put side by side, and W_O adds up what each of them says: no head is "
    "divided by the number of heads."
)
_MERGE = (
    "The heads are not put side by side token by token: move the head axis back behind the tokens before you "
    "reshape to (n, d_model)."
)

_MULTI_HEAD = Exercise(
    usage="multi_head(x, w_q, w_k, w_v, w_o, n_heads)",
    shape="(n, d_model)",
    right=_right_layer,
    build=_build_layer,
    fixed=(_telling_layer(1, 3, 2, 2), _telling_layer(2, 4, 2, 3), _telling_layer(3, 2, 3, 2)),
    judge=_judge_layer,
    mistakes=(
        Mistake(_layer(split=_blind_reshape, merge=_blind_merge), _RESHAPE),
        Mistake(_layer(split=_blind_reshape), _RESHAPE),
        Mistake(_layer(merge=_blind_merge), _MERGE),
        Mistake(
            _layer(width="d_model"),
            "The scale is 1/√d_model here; each head's queries have d_k numbers, so 1/√d_k.",
        ),
        Mistake(_layer(power=-1), "The scores are divided by d_k here; the root is missing."),
        Mistake(_layer(power=0), "The scores are not scaled: multiply them by 1/√d_k."),
        Mistake(_mean_of_heads, _AVERAGED),
        Mistake(lambda *case: _right_layer(*case) / case[-1], _AVERAGED),
        Mistake(_without_output, "W_O is left out: the heads are side by side, but nothing mixes them."),
        Mistake(
            lambda x, w_q, w_k, w_v, w_o, n_heads: _right_layer(x, w_q, w_k, w_v, w_o.T, n_heads),
            "W_O is transposed: it acts from the right here, concat(heads) @ w_o.",
        ),
        Mistake(
            _layer(axis=-2),
            "The weights sum to one down the columns: softmax goes along the keys, the last axis.",
        ),
        Mistake(
            lambda x, w_q, w_k, w_v, w_o, n_heads: _right_layer(x, w_q, w_k, w_v, w_o, 1),
            "This is one wide head: n_heads is not used.",
        ),
        Mistake(
            _layer(split=_dealt),
            "Columns are dealt out to the heads like cards; each head owns a block of neighbors.",
        ),
    ),
)


# Shares -----------------------------------------------------------------------------------------------------------


def _right_shares(heads, w_o):
    return heads @ w_o.reshape(len(heads), -1, w_o.shape[-1])


def _judge_shares(answer, expected, heads, w_o):
    total = merge_heads(heads) @ w_o
    for token in np.flatnonzero(far(answer.sum(axis=0), total).any(axis=-1)):
        got, right = apart(answer.sum(axis=0)[token], total[token])
        return f"For token {token} the shares sum to {got}, but concat(heads) @ w_o is {right}."
    for head, token in np.argwhere(far(answer, expected).any(axis=-1)):
        got, right = apart(answer[head, token], expected[head, token])
        return (
            f"The shares sum to the output, but that of head {head} for token {token} is {got}; "
            f"it should be {right}."
        )
    return None


def _build_shares(draw):
    return _telling_shares(
        draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3), draw.whole(1, 2), draw.whole(1, 3)
    )


def _telling_shares(seed, n_heads, n, d_v, d_out):
    rng = np.random.default_rng(seed)
    return {
        "heads": rng.integers(-3, 4, (n_heads, n, d_v)) / 2,
        "w_o": rng.integers(-3, 4, (n_heads * d_v, d_out)) / 2,
    }


_HEAD_SHARES = Exercise(
    usage="head_shares(heads, w_o)",
    shape="(n_heads, n, d_out)",
    right=_right_shares,
    build=_build_shares,
    fixed=(_telling_shares(1, 2, 3, 2, 3), _telling_shares(2, 3, 2, 2, 4), _telling_shares(3, 2, 2, 3, 2)),
    judge=_judge_shares,
    mistakes=(
        Mistake(
            lambda heads, w_o: np.stack([head @ w_o[h :: len(heads)] for h, head in enumerate(heads)]),
            "Head h owns a block of neighboring rows of W_O, not every n_heads-th row.",
        ),
        Mistake(
            lambda heads, w_o: np.stack([merge_heads(heads) @ w_o] * len(heads)),
            "Each head gets the whole output here, so together they say it n_heads times.",
        ),
        Mistake(
            lambda heads, w_o: np.stack([merge_heads(heads) @ w_o / len(heads)] * len(heads)),
            "The output is divided evenly here; a head's share is what comes through its own rows of W_O.",
        ),
        Mistake(
            lambda heads, w_o: _right_shares(heads, w_o) / len(heads),
            "The shares are averaged: heads add up, so nothing is divided by their number.",
        ),
        Mistake(
            lambda heads, w_o: _right_shares(heads, w_o)[::-1],
            "The shares are in reverse order: head 0 comes first.",
        ),
        Mistake(
            lambda heads, w_o: np.stack([head @ w_o[: heads.shape[-1]] for head in heads]),
            "All heads go through the first rows of W_O here: head h starts at row h · d_v.",
        ),
    ),
)
