"""The checkers of two masks. Rows and tokens count from 0 in all messages."""

from collections.abc import Callable

import numpy as np

from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.masks import causal_mask, padding_mask
from attn.practice.mistakes import masking as say


def _first_difference(answer, expected):
    """Say which row sees too much or too little: (index, words), or (None, None)."""
    for index in np.argwhere(answer != expected):
        *_, i, j = index
        words = (
            f"may see token {j}, which is hidden"
            if answer[tuple(index)]
            else f"can't see token {j}, but should"
        )
        return index, f"row {i} {words}"
    return None, None


def _judge_cached(answer, expected, n_q, n_k):
    index, words = _first_difference(answer, expected)
    if index is None:
        return None
    token = index[0] + n_k - n_q
    return f"{words.capitalize()}: the queries are the last {n_q} of {n_k} tokens, so row {index[0]} is token {token}."


def _cached(n_q, n_k):
    return causal_mask(n_q, n_k, offset=n_k - n_q)


def _build_cached(draw):
    n_k = draw.whole(1, 6)
    return {"n_q": draw.whole(1, n_k), "n_k": n_k}


@checks(
    right=_cached,
    build=_build_cached,
    fixed=({"n_q": 2, "n_k": 4}, {"n_q": 3, "n_k": 5}, {"n_q": 1, "n_k": 3}, {"n_q": 3, "n_k": 3}),
    judge=_judge_cached,
    shape="(n_q, n_k)",
    mistakes=(
        Mistake(
            causal_mask,
            say.TOP_LEFT,
        ),
        Mistake(
            lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q - 1),
            say.NOT_ITSELF,
        ),
        Mistake(
            lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q + 1),
            say.ONE_AHEAD,
        ),
        Mistake(
            lambda n_q, n_k: causal_mask(n_q, n_k, offset=-1),
            "Two things: query 0 is not token 0 (n_k − n_q tokens came before it), and a token may look at itself.",
        ),
        Mistake(
            lambda n_q, n_k: ~_cached(n_q, n_k), "Is the mask inverted? True means that the query may look."
        ),
        Mistake(
            lambda n_q, n_k: np.triu(np.ones((n_q, n_k), dtype=bool), n_k - n_q),
            "Does each row see the future instead of the past? Key j is visible to token i iff j ≤ i.",
        ),
        Mistake(
            lambda n_q, n_k: _cached(n_q, n_k).T, "Is it transposed? Rows are queries, columns are keys."
        ),
        Mistake(
            lambda n_q, n_k: np.where(_cached(n_q, n_k), 0, -np.inf),
            "That is the additive form, 0 and −inf. The exercise asks for Booleans.",
        ),
        Mistake(lambda n_q, n_k: np.ones((n_q, n_k), dtype=bool), "Nothing is hidden: where is the future?"),
    ),
)
def cached_causal_mask(function: Callable) -> Result:
    """Check f(n_q, n_k) -> bool (n_q, n_k): the causal mask when the queries are the last n_q of n_k tokens.

    So it is with a KV cache: the keys of the earlier tokens are kept, only the last tokens ask.
    """


def _decoder(lengths, n):
    return causal_mask(n) & padding_mask(lengths, n)


def _judge_decoder(answer, expected, lengths, n):
    index, words = _first_difference(answer, expected)
    if index is None:
        return None
    b, i, j = index
    if not answer[b, i, j]:
        because = f"token {j} is neither padding nor in the future"
    else:
        because = "it is padding" if j >= lengths[b] else "it lies in the future"
    return f"In sequence {b}, of length {lengths[b]}, {words}: {because}."


def _build_decoder(draw):
    n = draw.whole(1, 4)
    return {"lengths": np.array(draw.some(1, 3, lambda: n - draw.whole(0, n))), "n": n}


@checks(
    right=_decoder,
    build=_build_decoder,
    fixed=({"lengths": np.array([3, 1]), "n": 4}, {"lengths": np.array([2, 0, 3]), "n": 3}),
    judge=_judge_decoder,
    shape="(batch, n, n)",
    mistakes=(
        Mistake(
            lambda lengths, n: _decoder(lengths, n) & padding_mask(lengths, n).swapaxes(-1, -2),
            "Does the padding hide rows? It hides keys, which are columns; what a padding query sees is not used.",
        ),
        Mistake(
            lambda lengths, n: causal_mask(n) & padding_mask(np.minimum(lengths + 1, n), n),
            "Is the length taken for the index of the last token? The keys are 0 … lengths[b] − 1, so it is <, not ≤.",
        ),
        Mistake(
            lambda lengths, n: causal_mask(n) & padding_mask(np.maximum(lengths - 1, 0), n),
            "One real token too many is hidden: the keys 0 … lengths[b] − 1 are real.",
        ),
        Mistake(
            lambda lengths, n: np.tril(_decoder(lengths, n), -1),
            "Off by one: a token may look at itself too, so the causal part is ≤, not <.",
        ),
        Mistake(
            lambda lengths, n: causal_mask(n) | padding_mask(lengths, n),
            "Are the two masks joined by or? A key must be allowed by both: &.",
        ),
        Mistake(
            lambda lengths, n: np.broadcast_to(causal_mask(n), (len(lengths), n, n)),
            "Only the causal part is there: the padding is visible.",
        ),
        Mistake(
            lambda lengths, n: padding_mask(lengths, n) & np.ones((n, 1), dtype=bool),
            "Only the padding part is there: the future is visible.",
        ),
        Mistake(
            padding_mask,
            "Only the padding part is there, one row for all queries: the causal part needs n rows.",
        ),
        Mistake(
            lambda lengths, n: padding_mask(lengths, n) & causal_mask(n).T,
            "Does each row see the future instead of the past? Key j is visible to query i iff j ≤ i.",
        ),
        Mistake(
            lambda lengths, n: ~_decoder(lengths, n),
            "Is the mask inverted? True means that the query may look.",
        ),
        Mistake(
            lambda lengths, n: np.where(_decoder(lengths, n), 0, -np.inf),
            "That is the additive form, 0 and −inf. The exercise asks for Booleans.",
        ),
        *(
            Mistake(
                lambda lengths, n, pick=pick: causal_mask(n) & (np.arange(n) < pick(lengths)),
                "Is the batch axis missing? Each sequence has its own length: lengths[:, None, None] makes room.",
            )
            for pick in (lambda lengths: lengths[0], np.max, np.min, lambda lengths: lengths[-1])
        ),
    ),
)
def decoder_mask(function: Callable) -> Result:
    """Check f(lengths, n) -> bool (batch, n, n): causal mask and padding mask together.

    Sequence b has lengths[b] real tokens (0 … n); the keys from there on are padding, and hidden.
    """
