"""The checkers on what a mask is for: each token's target, and the loss that a mask lets through. All counts from 0."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._close import apart, far
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result
from attn.masks import causal_mask

# Inputs and targets -----------------------------------------------------------------------------------------------


def _pairs(tokens):
    return np.stack([tokens[:-1], tokens[1:]])


def _judge_pairs(answer, expected, tokens):
    for row, i in np.argwhere(answer != expected):
        if row == 0:
            return f"Input {i} is {show(answer[0, i])}; it should be {show(expected[0, i])}, which is tokens[{i}]."
        return (
            f"The target of input {i} is {show(answer[1, i])}; what follows {show(tokens[i])} is tokens[{i + 1}] = "
            f"{show(expected[1, i])}."
        )
    return None


_LETTERS = ({"tokens": np.array([5, 3, 8, 1])}, {"tokens": np.array([2, 7, 4, 9, 6])})


@checks(
    shape="(2, n − 1)",
    right=_pairs,
    build=lambda draw: {"tokens": np.array(draw.some(2, 6, lambda: draw.whole(0, 9)))},
    fixed=_LETTERS,
    judge=_judge_pairs,
    mistakes=(
        Mistake(
            lambda tokens: np.stack([tokens[1:], tokens[:-1]]),
            "Are the two rows swapped? The target of a token is the one that comes after it.",
        ),
        Mistake(
            lambda tokens: np.stack([tokens[:-1], tokens[:-1]]),
            "Nothing is shifted: each token is asked to guess itself, which is in plain sight. Such a loss falls to 0 "
            "and teaches nothing.",
        ),
        Mistake(
            lambda tokens: np.stack([tokens, np.roll(tokens, -1)]),
            "np.roll brings the first token round to the end: nothing follows the last one, so it has no target, and "
            "drops out of the inputs.",
        ),
        Mistake(
            lambda tokens: np.stack([tokens, np.roll(tokens, 1)]),
            "np.roll by +1 shifts the other way, and brings the last token round to the start: the target is the next "
            "token.",
        ),
        Mistake(
            lambda tokens: _pairs(tokens).T,
            "It is transposed: inputs in the first row, targets in the second.",
        ),
        Mistake(
            lambda tokens: np.stack([tokens[:-2], tokens[2:]]),
            "The targets are two steps ahead; the next token is one step ahead.",
        ),
        Mistake(lambda tokens: tokens[1:], "Those are the targets alone; the inputs stand above them."),
    ),
)
def inputs_and_targets(function: Callable) -> Result:
    """Check f(tokens) -> (2, n − 1): above what goes in, below what each of these tokens should guess, the next one.

    `tokens` (n,) holds word numbers, n ≥ 2. Column i is a token and the one that follows it.
    """


# The loss that a mask lets through --------------------------------------------------------------------------------


def _lowest(mask, n_symbols):
    hidden = ~np.append(np.diagonal(mask, 1), False)  # the target of the last token is not among the inputs
    return np.asarray(hidden.mean() * np.log(n_symbols))


def _judge_lowest(answer, expected, mask, n_symbols):
    if not far(answer, expected):
        return None
    got, right = apart(answer, expected)
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
    return {"mask": draw.array((n, n), (False, True)), "n_symbols": draw.choice((2, 4, 26))}


def _off_by_one(n):
    return causal_mask(n, offset=1)


# A few masks that tell the mistakes apart: off by one, right, strict, a leak in one row, and one of the row after next.
_MASKS = (
    {"mask": _off_by_one(4), "n_symbols": 26},
    {"mask": causal_mask(4), "n_symbols": 4},
    {"mask": np.array([[1, 0, 1], [1, 1, 1], [0, 1, 0]], dtype=bool), "n_symbols": 3},
    {"mask": np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool), "n_symbols": 26},
)


def _share(rule):
    """A wrong loss: rule(mask) says which of the n tokens know their target."""
    return lambda mask, n_symbols: np.mean(~rule(mask)) * np.log(n_symbols)


def _future(mask):
    return np.triu(mask, 1).any(axis=1)


@checks(
    shape="one number",
    right=_lowest,
    build=_build_lowest,
    fixed=_MASKS,
    judge=_judge_lowest,
    mistakes=(
        Mistake(
            lambda mask, n_symbols: _lowest(mask, n_symbols) / np.log(2),
            "That is in bits. The loss is in nats: the natural logarithm.",
        ),
        Mistake(
            lambda mask, n_symbols: _lowest(mask, n_symbols) * len(mask),
            "That is the sum over the tokens. The mean is asked for.",
        ),
        Mistake(
            lambda mask, n_symbols: np.log(n_symbols),
            "The mask is not used. Whoever has its target in sight can copy it, and pays nothing.",
        ),
        Mistake(
            _share(lambda mask: np.append(np.diagonal(mask, -1), False)),
            "Is the diagonal below the main one read? That says who may look at the token before. The target of token "
            "i is token i + 1: entry [i, i + 1].",
        ),
        Mistake(
            _share(np.diagonal),
            "Is the main diagonal read? That a token may look at itself gives nothing away: its target is the next.",
        ),
        Mistake(
            _share(_future),
            "Is any future token taken for a leak? The symbols are independent: only token i + 1 itself tells token i "
            "its target.",
        ),
        Mistake(
            lambda mask, n_symbols: (1 - np.diagonal(mask, 1).mean()) * np.log(n_symbols),
            "Is the last token left out? It counts as well, and its target is not among the inputs: it always pays.",
        ),
        Mistake(
            lambda mask, n_symbols: (1 - _lowest(mask, n_symbols) / np.log(n_symbols)) * np.log(n_symbols),
            "Is it the other way round? Tokens that see their target pay 0, the others pay ln(n_symbols).",
        ),
        Mistake(
            lambda mask, n_symbols: _lowest(mask, n_symbols) / np.log(n_symbols),
            "That is the share of tokens that have to guess. Each of them pays ln(n_symbols).",
        ),
    ),
)
def lowest_loss(function: Callable) -> Result:
    """Check f(mask, n_symbols) -> number: the lowest mean loss, in nats, that one layer can reach under this mask.

    n + 1 symbols are drawn evenly and independently from n_symbols. The first n go in; token i should guess token
    i + 1. `mask` (n, n) is True where query i may look at key j. A guess that has its target in sight costs 0; all
    others know nothing of it, and cost ln(n_symbols) at best.
    """
