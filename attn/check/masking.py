"""The checkers of the exercises on masking (chapter 3). Rows and tokens count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import On, Result
from attn.masks import causal_mask, padding_mask
from attn.practice.mistakes import masking as say
from attn.softmax import softmax

# A softmax under a mask ---------------------------------------------------------------------------------------------


def _weights(scores, mask):
    return softmax(np.where(mask, scores, -np.inf))


def _judge_weights(answer, expected, scores, mask):
    large = np.abs(scores).max() > 700  # exp(710) overflows
    for i, row in enumerate(answer):
        if not mask[i].any() and far(row, 0).any():
            because = ": −inf − (−inf) is NaN, and so is 0/0" if np.isnan(row).any() else ""
            return f"Row {i} may look at nothing, so all its weights should be 0, but they are {show(row)}{because}."
        if np.isnan(row).any():
            because = (
                ", as inf/inf and 0/0 do: exp of a large score overflows, so subtract the row's largest first"
            )
            return f"Row {i} holds NaN{because if large else ''}."
        for j in np.flatnonzero(~mask[i] & far(row, 0)):
            return f"Row {i} gives token {j} the weight {show(row[j])}, but token {j} is hidden from it."
        if mask[i].any() and far(row.sum(), 1):
            because = "; subtract the largest score that the row may look at, not the largest of all"
            return f"Row {i} sums to {apart(row.sum(), 1.0)[0]}, not 1{because if large else ''}."
        for j in np.flatnonzero(far(row, expected[i])):
            got, right = apart(row[j], expected[i, j])
            return f"Row {i} gives token {j} the weight {got}; it should be {right}."
    return None


def _build_weights(draw):
    n_k = draw.whole(1, 4)
    options = draw.choice(((0.0, 1.0, 2.0, -1.0), (0.0, 1000.0, -1000.0, 1.0), (0.0, 1e300, -1e300, 1.0)))
    rows = draw.some(1, 4, lambda: (draw.array((n_k,), options), draw.array((n_k,), (True, False))))
    return _scores_and_mask(*zip(*rows, strict=True))


def _scores_and_mask(scores, mask):
    return list(scores), np.array(mask, dtype=bool)


# Square, not symmetric, with something to see and something hidden in each row and column.
_PLAIN = (
    _scores_and_mask([[0, 1, 2], [1, -1, 0], [0.5, 2, -2]], [[1, 1, 0], [0, 1, 1], [1, 0, 0]]),
    _scores_and_mask([[1, 2], [0, 3]], [[0, 1], [1, 0]]),
)
_EMPTY_ROW = (_scores_and_mask([[0, 1, 2], [1, -1, 0]], [[0, 0, 0], [1, 0, 1]]),)
_LARGE = (
    _scores_and_mask([[1000, 1001, 0]], [[1, 1, 0]]),
    _scores_and_mask([[1000, 0, 1]], [[0, 1, 1]]),
    _scores_and_mask([[-1000, -1001, 0]], [[1, 1, 0]]),
    _scores_and_mask([[1e300, -1e300], [-1e300, -1e300]], [[1, 1], [1, 0]]),
)


def _over_visible(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


@checks(
    right=_weights,
    build=_build_weights,
    fixed=_PLAIN + _EMPTY_ROW + _LARGE,
    telling=_PLAIN,
    judge=_judge_weights,
    mistakes={
        say.AFTER: lambda scores, mask: softmax(scores) * mask,
        say.NO_EFFECT: lambda scores, mask: softmax(scores),
        "Was the mask of 0 and 1 added? Adding 1 only helps the visible scores a little; hidden ones need −inf.": (
            lambda scores, mask: softmax(scores + mask)
        ),
        say.ZEROED: lambda scores, mask: softmax(scores * mask),
        say.INVERTED: lambda scores, mask: _weights(scores, ~mask),
        "Does the softmax run over the wrong axis? Each row, one query, sums to one: that is the last axis.": (
            lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=0)
        ),
        "Is the mask transposed? Its rows are queries, its columns keys, as in the scores.": (
            lambda scores, mask: _weights(scores, mask.T)
        ),
        "Put −inf into the scores, before the softmax; a hidden weight is 0.": (
            lambda scores, mask: np.where(mask, softmax(scores), -np.inf)
        ),
        "Is there (1 − mask) · −inf? 0 · inf is NaN: use np.where(mask, scores, -np.inf).": (
            lambda scores, mask: np.full(scores.shape, np.nan)
        ),
        say.LARGE_NEGATIVE: On(
            _EMPTY_ROW,
            lambda scores, mask: softmax(np.where(mask, scores, -1e9)),
            lambda scores, mask: softmax(scores + np.where(mask, 0, -1e9)),
        ),
        say.TOO_LATE: On(
            _PLAIN + _LARGE,
            lambda scores, mask: _over_visible(softmax(scores) * mask),
            lambda scores, mask: np.nan_to_num(_over_visible(softmax(scores) * mask)),
        ),
    },
)
def masked_softmax(function: Callable) -> Result:
    """Check f(scores, mask) -> weights (n_q, n_k): softmax over the keys that the mask lets each query see.

    `scores` (n_q, n_k) holds finite floats up to ±1e300, `mask` (n_q, n_k) is True where query i may look at
    key j. Each row sums to one; a row that may look at nothing is all zeros. The input stays what it is.
    """


# Two masks ----------------------------------------------------------------------------------------------------------


def _sees(j, got):
    """What a row sees too much or too little."""
    return f"may see token {j}, which is hidden" if got == "True" else f"can't see token {j}, but should"


def _cached(n_q, n_k):
    return causal_mask(n_q, n_k, offset=n_k - n_q)


def _build_cached(draw):
    n_k = draw.whole(1, 6)
    return draw.whole(1, n_k), n_k


@checks(
    right=_cached,
    build=_build_cached,
    fixed=((2, 4), (3, 5), (1, 3), (3, 3)),
    says=lambda i, j, got, right, n_q, n_k: (
        f"Row {i} {_sees(j, got)}: the queries are the last {n_q} of {n_k} tokens, so row {i} is token "
        f"{i + n_k - n_q}."
    ),
    mistakes={
        say.TOP_LEFT: causal_mask,
        say.NOT_ITSELF: lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q - 1),
        say.ONE_AHEAD: lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q + 1),
        "Two things: query 0 is not token 0 (n_k − n_q tokens came before it), and a token may look at itself.": (
            lambda n_q, n_k: causal_mask(n_q, n_k, offset=-1)
        ),
        say.INVERTED: lambda n_q, n_k: ~_cached(n_q, n_k),
        "Does each row see the future instead of the past? Key j is visible to token i iff j ≤ i.": (
            lambda n_q, n_k: np.triu(np.ones((n_q, n_k), dtype=bool), n_k - n_q)
        ),
        "Is it transposed? Rows are queries, columns are keys.": lambda n_q, n_k: _cached(n_q, n_k).T,
        say.ADDITIVE: (lambda n_q, n_k: np.where(_cached(n_q, n_k), 0, -np.inf)),
        "Nothing is hidden: where is the future?": lambda n_q, n_k: np.ones((n_q, n_k), dtype=bool),
    },
)
def cached_causal_mask(function: Callable) -> Result:
    """Check f(n_q, n_k) -> bool (n_q, n_k): the causal mask when the queries are the last n_q of n_k tokens.

    So it is with a KV cache: the keys of the earlier tokens are kept, only the last tokens ask.
    """


def _decoder(lengths, n):
    return causal_mask(n) & padding_mask(lengths, n)


def _says_decoder(b, i, j, got, right, lengths, n):
    if got == "False":
        because = f"token {j} is neither padding nor in the future"
    else:
        because = "it is padding" if j >= lengths[b] else "it lies in the future"
    return f"In sequence {b}, of length {lengths[b]}, row {i} {_sees(j, got)}: {because}."


def _build_decoder(draw):
    n = draw.whole(1, 4)
    return np.array(draw.some(1, 3, lambda: n - draw.whole(0, n))), n


@checks(
    right=_decoder,
    build=_build_decoder,
    fixed=((np.array([3, 1]), 4), (np.array([2, 0, 3]), 3)),
    says=_says_decoder,
    mistakes={
        "Does the padding hide rows? It hides keys, which are columns; what a padding query sees is not used.": (
            lambda lengths, n: _decoder(lengths, n) & padding_mask(lengths, n).swapaxes(-1, -2)
        ),
        "Is the length taken for the index of the last token? The keys are 0 … lengths[b] − 1, so it is <, not ≤.": (
            lambda lengths, n: causal_mask(n) & padding_mask(np.minimum(lengths + 1, n), n)
        ),
        "One real token too many is hidden: the keys 0 … lengths[b] − 1 are real.": (
            lambda lengths, n: causal_mask(n) & padding_mask(np.maximum(lengths - 1, 0), n)
        ),
        "Off by one: a token may look at itself too, so the causal part is ≤, not <.": (
            lambda lengths, n: np.tril(_decoder(lengths, n), -1)
        ),
        "Are the two masks joined by or? A key must be allowed by both: &.": (
            lambda lengths, n: causal_mask(n) | padding_mask(lengths, n)
        ),
        "Only the causal part is there: the padding is visible.": (
            lambda lengths, n: np.broadcast_to(causal_mask(n), (len(lengths), n, n))
        ),
        "Only the padding part is there: the future is visible.": (
            lambda lengths, n: padding_mask(lengths, n) & np.ones((n, 1), dtype=bool)
        ),
        "Only the padding part is there, one row for all queries: the causal part needs n rows.": (
            padding_mask
        ),
        "Does each row see the future instead of the past? Key j is visible to query i iff j ≤ i.": (
            lambda lengths, n: padding_mask(lengths, n) & causal_mask(n).T
        ),
        say.INVERTED: lambda lengths, n: ~_decoder(lengths, n),
        say.ADDITIVE: (lambda lengths, n: np.where(_decoder(lengths, n), 0, -np.inf)),
        "Is the batch axis missing? Each sequence has its own length: lengths[:, None, None] makes room.": tuple(
            lambda lengths, n, pick=pick: causal_mask(n) & (np.arange(n) < pick(lengths))
            for pick in (lambda lengths: lengths[0], np.max, np.min, lambda lengths: lengths[-1])
        ),
    },
)
def decoder_mask(function: Callable) -> Result:
    """Check f(lengths, n) -> bool (batch, n, n): causal mask and padding mask together.

    Sequence b has lengths[b] real tokens (0 … n); the keys from there on are padding, and hidden.
    """


# Inputs and targets -----------------------------------------------------------------------------------------------


def _pairs(tokens):
    return np.stack([tokens[:-1], tokens[1:]])


@checks(
    right=_pairs,
    build=lambda draw: (np.array(draw.some(2, 6, lambda: draw.whole(0, 9))),),
    fixed=((np.array([5, 3, 8, 1]),), (np.array([2, 7, 4, 9, 6]),)),
    says=lambda row, i, got, right, tokens: (
        f"The target of input {i} is {got}; what follows {show(tokens[i])} is tokens[{i + 1}] = {right}."
        if row
        else f"Input {i} is {got}; it should be {right}, which is tokens[{i}]."
    ),
    mistakes={
        "Are the two rows swapped? The target of a token is the one that comes after it.": (
            lambda tokens: np.stack([tokens[1:], tokens[:-1]])
        ),
        "Nothing is shifted: each token is asked to guess itself, which is in plain sight. Such a loss falls to 0 "
        "and teaches nothing.": lambda tokens: np.stack([tokens[:-1], tokens[:-1]]),
        "np.roll brings the first token round to the end: nothing follows the last one, so it has no target, and "
        "drops out of the inputs.": lambda tokens: np.stack([tokens, np.roll(tokens, -1)]),
        "np.roll by +1 shifts the other way, and brings the last token round to the start: the target is the next "
        "token.": lambda tokens: np.stack([tokens, np.roll(tokens, 1)]),
        "It is transposed: inputs in the first row, targets in the second.": lambda tokens: _pairs(tokens).T,
        "The targets are two steps ahead; the next token is one step ahead.": (
            lambda tokens: np.stack([tokens[:-2], tokens[2:]])
        ),
        "Those are the targets alone; the inputs stand above them.": lambda tokens: tokens[1:],
    },
)
def inputs_and_targets(function: Callable) -> Result:
    """Check f(tokens) -> (2, n − 1): above what goes in, below what each of these tokens should guess, the next one.

    `tokens` (n,) holds word numbers, n ≥ 2. Column i is a token and the one that follows it.
    """


# The loss that a mask lets through --------------------------------------------------------------------------------


def _lowest(mask, n_symbols):
    hidden = ~np.append(np.diagonal(mask, 1), False)  # the target of the last token is not among the inputs
    return np.asarray(hidden.mean() * np.log(n_symbols))


def _says_lowest(got, right, mask, n_symbols):
    sees = np.flatnonzero(np.diagonal(mask, 1))
    who = (
        f"Tokens {', '.join(map(str, sees))} have"
        if sees.size > 1
        else f"Token {', '.join(map(str, sees))} has"
    )
    known = f"{who} the target in sight" if sees.size else "No token has its target in sight"
    return f"The lowest loss is {right} nats here, but the answer is {got}. {known}, of {len(mask)}."


def _build_lowest(draw):
    n = draw.whole(1, 4)
    return draw.array((n, n), (False, True)), draw.choice((2, 4, 26))


def _share(rule):
    """A wrong loss: rule(mask) says which of the n tokens know their target."""
    return lambda mask, n_symbols: np.mean(~rule(mask)) * np.log(n_symbols)


@checks(
    right=_lowest,
    build=_build_lowest,
    # A few masks that tell the mistakes apart: off by one, right, strict, a leak in one row, and one of the row after
    # next.
    fixed=(
        (causal_mask(4, offset=1), 26),
        (causal_mask(4), 4),
        (np.array([[1, 0, 1], [1, 1, 1], [0, 1, 0]], dtype=bool), 3),
        (np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool), 26),
    ),
    says=_says_lowest,
    mistakes={
        "That is in bits. The loss is in nats: the natural logarithm.": (
            lambda mask, n_symbols: _lowest(mask, n_symbols) / np.log(2)
        ),
        "That is the sum over the tokens. The mean is asked for.": (
            lambda mask, n_symbols: _lowest(mask, n_symbols) * len(mask)
        ),
        "The mask is not used. Whoever has its target in sight can copy it, and pays nothing.": (
            lambda mask, n_symbols: np.log(n_symbols)
        ),
        "Is the diagonal below the main one read? That says who may look at the token before. The target of token "
        "i is token i + 1: entry [i, i + 1].": _share(lambda mask: np.append(np.diagonal(mask, -1), False)),
        "Is the main diagonal read? That a token may look at itself gives nothing away: its target is the next.": (
            _share(np.diagonal)
        ),
        "Is any future token taken for a leak? The symbols are independent: only token i + 1 itself tells token i "
        "its target.": _share(lambda mask: np.triu(mask, 1).any(axis=1)),
        "Is the last token left out? It counts as well, and its target is not among the inputs: it always pays.": (
            lambda mask, n_symbols: (1 - np.diagonal(mask, 1).mean()) * np.log(n_symbols)
        ),
        "Is it the other way round? Tokens that see their target pay 0, the others pay ln(n_symbols).": (
            lambda mask, n_symbols: (1 - _lowest(mask, n_symbols) / np.log(n_symbols)) * np.log(n_symbols)
        ),
        "That is the share of tokens that have to guess. Each of them pays ln(n_symbols).": (
            lambda mask, n_symbols: _lowest(mask, n_symbols) / np.log(n_symbols)
        ),
    },
)
def lowest_loss(function: Callable) -> Result:
    """Check f(mask, n_symbols) -> number: the lowest mean loss, in nats, that one layer can reach under this mask.

    n + 1 symbols are drawn evenly and independently from n_symbols. The first n go in; token i should guess token
    i + 1. `mask` (n, n) is True where query i may look at key j. A guess that has its target in sight costs 0; all
    others know nothing of it, and cost ln(n_symbols) at best.
    """
