"""The checkers of the exercises on heads (chapter 4). Heads, tokens and numbers count from 0."""

from collections.abc import Callable

import numpy as np

from attn.check._close import apart, far, wrong_entries
from attn.check._engine import checks
from attn.check._exercise import Result
from attn.multihead import merge_heads
from attn.multihead import split_heads as right_split
from attn.practice.mistakes import multihead as say
from attn.softmax import softmax

# Splitting --------------------------------------------------------------------------------------------------------


def _numbered(n, n_heads, d):
    """Tokens whose numbers tell where they are from: token 1, column 2 holds 12."""
    x = 10.0 * np.arange(n)[:, None] + np.arange(n_heads * d)
    return x, n_heads


def _blind_reshape(x, n_heads):
    return x.reshape(n_heads, len(x), -1)


def _dealt(x, n_heads):
    return np.stack([x[:, head::n_heads] for head in range(n_heads)])


_RESHAPE = (
    "Reshaping to (n_heads, n, d) reads x row by row, so head 0 gets the first tokens, whole, instead of every "
    "token's first block. Reshape to (n, n_heads, d), then move the heads to the front."
)


@checks(
    right=right_split,
    build=lambda draw: _numbered(draw.whole(1, 4), draw.whole(1, 4), draw.whole(1, 3)),
    fixed=(_numbered(3, 2, 2), _numbered(2, 3, 2), _numbered(4, 2, 3)),
    says=lambda head, token, number, got, right, x, n_heads: (
        f"Head {head}, token {token}, number {number} is {got}; it should be "
        f"x[{token}, {head * x.shape[1] // n_heads + number}] = {right}."
    ),
    mistakes={
        _RESHAPE: _blind_reshape,
        "The columns are dealt out like cards here, 0, 1, 0, 1 …; each head owns a block of neighbors.": (
            _dealt
        ),
        "The heads are in reverse order: the first block is head 0.": (
            lambda x, n_heads: right_split(x, n_heads)[::-1]
        ),
    },
)
def split_heads(function: Callable) -> Result:
    """Check f(x, n_heads) -> (n_heads, n, d): the columns of x (n, n_heads · d) dealt to the heads in blocks."""


# The whole layer --------------------------------------------------------------------------------------------------


def _layer(split=right_split, merge=merge_heads, power=-0.5, width="d_k", axis=-1):
    """Multi-head attention with some of its parts exchanged."""

    def layer(x, w_q, w_k, w_v, w_o, n_heads):
        q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
        size = q.shape[-1] if width == "d_k" else x.shape[-1]
        return merge(softmax(q @ np.swapaxes(k, -1, -2) * float(size) ** power, axis) @ v) @ w_o

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


def _telling_layer(seed, n, n_heads, d):
    """A case from a seed and three sizes; matrices drawn entry by entry would take minutes to shrink."""
    rng = np.random.default_rng(seed)
    width = n_heads * d
    weights = [rng.integers(-2, 3, (width, width)) / 2 for _ in range(4)]
    return rng.integers(-2, 3, (n, width)) / 2, *weights, n_heads


_AVERAGED = (
    "The heads are averaged here. They are put side by side, and W_O adds up what each of them says: no head is "
    "divided by the number of heads."
)
_MERGE = (
    "The heads are not put side by side token by token: move the head axis back behind the tokens before you "
    "reshape to (n, d_model)."
)


@checks(
    right=_right_layer,
    build=lambda draw: _telling_layer(draw.whole(0, 9), draw.whole(1, 3), draw.whole(1, 3), draw.whole(1, 2)),
    fixed=(_telling_layer(1, 3, 2, 2), _telling_layer(2, 4, 2, 3), _telling_layer(3, 2, 3, 2)),
    judge=_judge_layer,
    mistakes={
        _RESHAPE: (
            _layer(split=_blind_reshape, merge=_blind_merge),
            _layer(split=_blind_reshape),
        ),
        _MERGE: _layer(merge=_blind_merge),
        "The scale is 1/√d_model here; each head's queries have d_k numbers, so 1/√d_k.": (
            _layer(width="d_model")
        ),
        "The scores are divided by d_k here; the root is missing.": _layer(power=-1),
        "The scores are not scaled: multiply them by 1/√d_k.": _layer(power=0),
        _AVERAGED: (
            _mean_of_heads,
            lambda *case: _right_layer(*case) / case[-1],
        ),
        "W_O is left out: the heads are side by side, but nothing mixes them.": _without_output,
        "W_O is transposed: it acts from the right here, concat(heads) @ w_o.": (
            lambda x, w_q, w_k, w_v, w_o, n_heads: _right_layer(x, w_q, w_k, w_v, w_o.T, n_heads)
        ),
        "The weights sum to one down the columns: softmax goes along the keys, the last axis.": (
            _layer(axis=-2)
        ),
        "This is one wide head: n_heads is not used.": (
            lambda x, w_q, w_k, w_v, w_o, n_heads: _right_layer(x, w_q, w_k, w_v, w_o, 1)
        ),
        say.DEALT: _layer(split=_dealt),
    },
)
def multi_head(function: Callable) -> Result:
    """Check f(x, w_q, w_k, w_v, w_o, n_heads) -> (n, d_model): multi-head self-attention from packed weights.

    All four weights are (d_model, d_model) and act from the right; head h owns the columns h·d_k … (h + 1)·d_k − 1
    of w_q, w_k and w_v, and the rows of w_o with the same numbers. No mask, no biases.
    """


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
            f"The shares sum to the output, but that of head {head} for token {token} is {got}; it should be "
            f"{right}."
        )
    return None


def _telling_shares(seed, n_heads, n, d_v, d_out):
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n_heads, n, d_v)) / 2, rng.integers(-3, 4, (n_heads * d_v, d_out)) / 2


@checks(
    right=_right_shares,
    build=lambda draw: _telling_shares(draw.whole(0, 9), *(draw.whole(1, most) for most in (3, 3, 2, 3))),
    fixed=(_telling_shares(1, 2, 3, 2, 3), _telling_shares(2, 3, 2, 2, 4), _telling_shares(3, 2, 2, 3, 2)),
    judge=_judge_shares,
    mistakes={
        say.DEALT_ROWS: (
            lambda heads, w_o: np.stack([head @ w_o[h :: len(heads)] for h, head in enumerate(heads)])
        ),
        "Each head gets the whole output here, so together they say it n_heads times.": (
            lambda heads, w_o: np.stack([merge_heads(heads) @ w_o] * len(heads))
        ),
        "The output is divided evenly here; a head's share is what comes through its own rows of W_O.": (
            lambda heads, w_o: np.stack([merge_heads(heads) @ w_o / len(heads)] * len(heads))
        ),
        say.AVERAGED: lambda heads, w_o: _right_shares(heads, w_o) / len(heads),
        "The shares are in reverse order: head 0 comes first.": (
            lambda heads, w_o: _right_shares(heads, w_o)[::-1]
        ),
        say.FIRST_ROWS: lambda heads, w_o: np.stack([head @ w_o[: heads.shape[-1]] for head in heads]),
    },
)
def head_shares(function: Callable) -> Result:
    """Check f(heads, w_o) -> (n_heads, n, d_out): what each head adds to the output concat(heads) @ w_o.

    `heads` (n_heads, n, d_v) holds the heads' outputs, `w_o` (n_heads · d_v, d_out) what mixes them.
    """


# One attention, many matrices ------------------------------------------------------------------------------------


def _judge_pair(answer, expected, w_q, w_k):
    if np.isnan(answer).any():
        return "The matrices hold NaN: is something divided by 0, or a matrix inverted that has no inverse?"
    got, right = answer[0] @ answer[1].T, w_q @ w_k.T
    for a, b, one, other in wrong_entries(got, right):
        return (
            f"Entry [{a}, {b}] of your W_Q W_Kᵀ is {one}; that of the given pair is {other}. For tokens that are rows "
            "of the identity this is a score, so the attention is not the same."
        )
    if not (far(answer[0], w_q).any() or far(answer[1], w_k).any()):
        return "The attention is the same, and so are the matrices: another pair was asked for."
    return None


def _telling_pair(seed, d_model, d_k):
    """Matrices without a symmetry: neither product nor transpose of one is that of the other."""
    rng = np.random.default_rng(seed)
    return tuple(rng.integers(-3, 4, (2, d_model, d_k)) / 2 + np.eye(d_model, d_k))


def _mixed(own, other):
    """Both matrices times a mixing matrix: own(m) for W_Q, other(m) for W_K."""

    def pair(w_q, w_k):
        m = np.eye(w_q.shape[1]) + np.eye(w_q.shape[1], k=1)
        return np.stack([w_q @ own(m), w_k @ other(m)])

    return pair


@checks(
    right=lambda w_q, w_k: np.stack([2 * w_q, w_k / 2]),
    build=lambda draw: _telling_pair(draw.whole(0, 9), draw.whole(2, 4), draw.whole(2, 3)),
    fixed=(_telling_pair(1, 3, 2), _telling_pair(2, 4, 3), _telling_pair(3, 3, 3)),
    judge=_judge_pair,
    free=True,
    mistakes={
        "Change one of them, and take the change back in the other.": lambda w_q, w_k: np.stack([w_q, w_k]),
        "Both are doubled, so each score is four times as large. What multiplies one must divide the other.": (
            lambda w_q, w_k: 2 * np.stack([w_q, w_k])
        ),
        "One matrix alone is changed, so the scores change. Take it back in the other.": (
            lambda w_q, w_k: np.stack([2 * w_q, w_k])
        ),
        "The two are swapped: that transposes the scores, and who asks becomes who is asked.": (
            lambda w_q, w_k: np.stack([w_k, w_q])
        ),
        "One sign is turned around: the head then seeks what it avoided. Turn both.": (
            lambda w_q, w_k: np.stack([-w_q, w_k])
        ),
        "Both are multiplied by the same matrix M. Then M Mᵀ stands in the middle of the scores; it must be M for "
        "one, and the inverse of Mᵀ for the other.": _mixed(lambda m: m, lambda m: m),
        "Is a transpose missing? The key's matrix is transposed in the scores: with W_Q M, the other is "
        "W_K (M⁻¹)ᵀ.": _mixed(lambda m: m, np.linalg.inv),
        "The numbers of the queries are in another order, those of the keys are not: put both in the same order.": (
            lambda w_q, w_k: np.stack([w_q[:, ::-1], w_k])
        ),
        "Rows belong to the numbers of a token: in another order they meet other words. Columns may change places.": (
            lambda w_q, w_k: np.stack([w_q[::-1], w_k[::-1]])
        ),
        "Adding to one and subtracting from the other is not enough: the scores are products.": (
            lambda w_q, w_k: np.stack([w_q + 1, w_k - 1])
        ),
    },
)
def same_attention(function: Callable) -> Result:
    """Check f(w_q, w_k) -> (2, d_model, d_k): another W_Q above another W_K, with the same weights for all tokens.

    `w_q` and `w_k` are (d_model, d_k), 2 or more wide. Scores are x W_Q (x W_K)ᵀ, all divided by the same number.
    """


@checks(
    right=lambda d_model, d_k: np.asarray(d_k * (2 * d_model - d_k)),
    build=lambda draw: (lambda d_k: (d_k + draw.whole(0, 4), d_k))(draw.whole(1, 4)),
    fixed=((4, 3), (768, 64), (5, 1), (6, 2)),
    says=lambda got, right, d_model, d_k: (
        f"With d_model = {d_model} and d_k = {d_k} the two hold {2 * d_model * d_k} numbers, of which {right} count; "
        f"the answer is {got}."
    ),
    mistakes={
        "Those are all numbers of both matrices. The d_k² of a mixing matrix change nothing: take them off.": (
            lambda d_model, d_k: 2 * d_model * d_k
        ),
        "That counts a free matrix W_Q W_Kᵀ. Its rank is at most d_k, so its entries are not free of each other.": (
            lambda d_model, d_k: d_model**2
        ),
        "That is one of the two matrices; what the other holds is left out.": (
            lambda d_model, d_k: d_model * d_k
        ),
        "Those are the numbers that do not count. How many are left?": lambda d_model, d_k: d_k**2,
        "Is only the scale of each column taken off? Columns can be mixed with each other, too: a whole d_k × d_k "
        "matrix.": lambda d_model, d_k: 2 * d_model * d_k - d_k,
        "Is only one common factor taken off? A whole d_k × d_k matrix can go from one to the other.": (
            lambda d_model, d_k: 2 * d_model * d_k - 1
        ),
        "Are only rotations taken off? Any invertible matrix does, with d_k² numbers.": (
            lambda d_model, d_k: 2 * d_model * d_k - d_k * (d_k - 1) // 2
        ),
    },
)
def free_numbers(function: Callable) -> Result:
    """Check f(d_model, d_k) -> number: how many of the numbers in a head's W_Q and W_K its scores depend on.

    The two hold 2 · d_model · d_k numbers, d_k ≤ d_model. Each invertible (d_k, d_k) matrix leads to other pairs with
    the same product W_Q W_Kᵀ, and these many choices do not count.
    """
