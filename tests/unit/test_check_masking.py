"""The checkers of the masking exercises: right answers of every style pass, known wrong ones get the right hint."""

import itertools
import os
import random
import subprocess
import sys
import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from attn import check
from attn.check._cases import Draw, show
from attn.check.masking._attends import KINDS, TOKENS, Attend
from attn.masks import causal_mask, padding_mask
from attn.softmax import softmax
from tests.unit.checkers import assert_hint, assert_passes
from tests.unit.leaks import audit_by_loops, both_ways, moves, plus

inf = np.inf


def naive(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def shifted(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# Right answers ------------------------------------------------------------------------------------------------


def soft_loops(scores, mask):
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        seen = [j for j in range(len(row)) if mask[i, j]]
        if seen:
            top = max(row[j] for j in seen)
            total = sum(np.exp(row[j] - top) for j in seen)
            for j in seen:
                weights[i, j] = np.exp(row[j] - top) / total
    return weights


def soft_additive_then_nan_to_num(scores, mask):
    return np.nan_to_num(shifted(scores + np.where(mask, 0.0, -inf)))


def soft_where(scores, mask):
    hidden = np.where(mask, scores, -inf)
    top = np.where(mask.any(axis=1, keepdims=True), hidden.max(axis=1, keepdims=True), 0)
    e = np.exp(hidden - top)
    return e / np.maximum(e.sum(axis=1, keepdims=True), 1e-300)


def soft_where_argument(scores, mask):
    top = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-inf)
    e = np.exp(scores - top, where=mask, out=np.zeros_like(scores))
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, where=total > 0, out=np.zeros_like(e))


def soft_own_copy(scores, mask):
    scores = scores.copy()
    scores[~mask] = -inf
    return softmax(scores)


def soft_lists(scores, mask):
    return soft_loops(scores, mask).tolist()


def soft_noisy(scores, mask):
    print("working on it")
    warnings.warn("careful", stacklevel=1)
    return soft_additive_then_nan_to_num(scores, mask)


def cached_loops(n_q, n_k):
    return [[j <= i + n_k - n_q for j in range(n_k)] for i in range(n_q)]


def decoder_loops(lengths, n):
    mask = np.zeros((len(lengths), n, n), dtype=bool)
    for b, length in enumerate(lengths):
        for i in range(n):
            for j in range(n):
                mask[b, i, j] = j <= i and j < length
    return mask


def decoder_broadcast(lengths, n):
    i, j = np.arange(n)[:, None], np.arange(n)
    return (j <= i) & (j < np.asarray(lengths)[:, None, None])


def pairs_by_loop(tokens):
    return [[tokens[i] for i in range(len(tokens) - 1)], [tokens[i + 1] for i in range(len(tokens) - 1)]]


def loss_by_guessing(mask, n_symbols):
    """A guesser that copies what it sees, and else gives each symbol the same chance."""
    losses = []
    for i, row in enumerate(mask):
        chances = np.full(n_symbols, 1 / n_symbols)
        if i + 1 < len(mask) and row[i + 1]:
            chances = np.eye(n_symbols)[0]  # the target, wherever it stands
        losses.append(-np.log(chances[0]))
    return sum(losses) / len(losses)


def leaks_by_derivative(attend, x):
    """Central differences, feature by feature."""
    n, d = x.shape
    answer = np.zeros((n, n), dtype=bool)
    for j in range(n):
        for feature in range(d):
            h = np.zeros((n, d))
            h[j, feature] = 1e-4
            slope = (attend(x + h) - attend(x - h)) / 2e-4
            answer[:, j] |= np.abs(slope).max(axis=1) > 1e-6
    return answer


def leaks_by_random_tokens(attend, x):
    rng = np.random.default_rng(0)
    return moves([lambda token: rng.normal(size=token.shape) * 3 for _ in range(10)])(attend, x)


def leaks_put_back(attend, x):
    x = x.copy()
    before, rows = attend(x), []
    for j in range(len(x)):
        kept, moved = x[j].copy(), np.zeros(len(x), dtype=bool)
        for delta in (0.5, -0.5):
            x[j] = kept + delta
            moved |= ~np.isclose(attend(x), before, rtol=0, atol=1e-12).all(axis=1)
        x[j] = kept
        rows.append(moved)
    return np.array(rows).T


RIGHT = {
    "masked_softmax": [
        soft_loops,
        soft_additive_then_nan_to_num,
        soft_where,
        soft_where_argument,
        soft_own_copy,
        soft_lists,
        soft_noisy,
        lambda scores, mask: softmax(np.where(mask, scores, -inf)),
    ],
    "cached_causal_mask": [
        cached_loops,
        lambda n_q, n_k: np.tril(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q),
        lambda n_q, n_k: np.tril(np.ones((n_q, n_k)), n_k - n_q).astype(bool),
        lambda n_q, n_k: np.tri(n_k, dtype=bool)[-n_q:],
        lambda n_q, n_k: np.arange(n_k) <= np.arange(n_k - n_q, n_k)[:, None],
        lambda n_q, n_k: ~np.triu(np.ones((n_q, n_k), dtype=bool), n_k - n_q + 1),
        lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q),
    ],
    "decoder_mask": [
        decoder_loops,
        decoder_broadcast,
        lambda lengths, n: causal_mask(n) & padding_mask(lengths, n),
        lambda lengths, n: np.array([np.tri(n, dtype=bool) & (np.arange(n) < length) for length in lengths]),
        lambda lengths, n: np.tril(np.arange(n) < lengths[:, None, None] * np.ones((n, 1))),
    ],
    "leaks": [
        moves([plus(1), plus(-1)]),
        moves([plus(1), plus(-1)], tolerance=0),
        moves([plus(1e-3), plus(-1e-3)]),
        moves([plus(100), plus(-100)]),
        moves([plus(d) for d in ([1, 0], [-1, 0], [0, 1], [0, -1])]),
        leaks_by_derivative,
        leaks_by_random_tokens,
        leaks_put_back,
    ],
    "inputs_and_targets": [
        pairs_by_loop,
        lambda tokens: np.vstack([tokens[:-1], tokens[1:]]),
        lambda tokens: np.lib.stride_tricks.sliding_window_view(tokens, 2).T,
        lambda tokens: np.array([tokens[:-1], np.roll(tokens, -1)[:-1]], dtype=float),
    ],
    "lowest_loss": [
        loss_by_guessing,
        lambda mask, n_symbols: np.float32((1 - mask.diagonal(1).sum() / len(mask)) * np.log(n_symbols)),
    ],
    "mask_audit": [
        audit_by_loops,
        lambda attend, x, mask: leaks_by_derivative(attend, x).astype(int) - mask.astype(int),
        lambda attend, x, mask: (leaks_put_back(attend, x).astype(float) - mask).tolist(),
    ],
}


@pytest.mark.parametrize(
    ("name", "function"), [(name, function) for name, functions in RIGHT.items() for function in functions]
)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


# Known wrong answers ------------------------------------------------------------------------------------------


def soft_in_place(scores, mask):
    scores[~mask] = -inf
    return softmax(scores)


def soft_renormalized(scores, mask):
    weights = shifted(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.divide(weights, total, where=total > 0, out=np.zeros_like(weights))


def soft_no_shift(scores, mask):
    e = np.exp(scores) * mask
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, where=total > 0, out=np.zeros_like(e))


def soft_one_shift_for_all(scores, mask):
    scores = np.where(mask, scores, -inf)
    e = np.exp(scores - (scores.max() if mask.any() else 0))
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, where=total > 0, out=np.zeros_like(e))


def soft_half(scores, mask):
    weights = softmax(np.where(mask, scores, -inf))
    return None if mask.shape[0] == 2 else weights


def soft_raises(scores, mask):
    if not mask.all():
        raise ZeroDivisionError("no weight at <object at 0x7f00deadbeef>\nsecond line")
    return softmax(scores)


def soft_exits(scores, mask):
    sys.exit("goodbye")


def decoder_square_only(lengths, n):
    return np.tril(np.ones((n, n), dtype=bool)) & (np.arange(n) < lengths[0])


def leaks_in_place(attend, x):
    answer = np.zeros((len(x), len(x)), dtype=bool)
    for j in range(len(x)):
        before = attend(x)
        x[j] += 1
        up = attend(x)
        x[j] -= 2
        answer[:, j] = (np.abs(up - before) + np.abs(attend(x) - before) > 1e-9).any(axis=1)
    return answer


hide = lambda scores, mask: np.where(mask, scores, -inf)  # noqa: E731

WRONG = {
    "masked_softmax": {
        "mask after, not renormalized": (
            lambda s, m: shifted(s) * m,
            ["Row 0", "sums to 0.5, not 1", "after the softmax?"],
        ),
        "mask after, naive": (lambda s, m: naive(s) * m, ["sums to 0.5", "after the softmax?"]),
        "mask after, renormalized": (
            soft_renormalized,
            ["sums to 0, not 1", "applied after exp?", "largest"],
        ),
        "mask after, 0/0": (
            lambda s, m: (w := shifted(s) * m) / w.sum(axis=1, keepdims=True),
            ["Row 0 may look at nothing", "nan", "0/0"],
        ),
        "wrong axis": (lambda s, m: softmax(hide(s, m), axis=0), ["sums to 2, not 1", "wrong axis?", "last"]),
        "wrong axis, naive": (lambda s, m: naive(hide(s, m), axis=0), ["wrong axis?"]),
        "0/1 mask added": (lambda s, m: shifted(s + m), ["Row 0", "0 and 1 added?", "−inf"]),
        "mask multiplied": (lambda s, m: shifted(s * m), ["multiplied", "exp(0) = 1"]),
        "inverted": (lambda s, m: softmax(hide(s, ~m)), ["inverted?", "True means"]),
        "inverted, naive": (lambda s, m: naive(hide(s, ~m)), ["inverted?"]),
        "transposed": (lambda s, m: softmax(hide(s, m.T)), ["transposed?", "rows are queries"]),
        "mask not used": (lambda s, m: shifted(s), ["may look at nothing", "has no effect"]),
        "−inf as a weight": (lambda s, m: np.where(m, shifted(s), -inf), ["-inf", "into the scores"]),
        "0 · inf": (lambda s, m: shifted(s + (1 - m) * -inf), ["NaN", "0 · inf", "np.where"]),
        "no shift": (soft_no_shift, ["Row 0 holds NaN", "overflows", "subtract", "1000"]),
        "one shift for all rows": (
            soft_one_shift_for_all,
            ["sums to 0, not 1", "subtract the largest", "may look at"],
        ),
        "−1e9": (
            lambda s, m: shifted(np.where(m, s, -1e9)),
            ["may look at nothing", "should be 0", "[1]", "−1e9 is not −inf"],
        ),
        "−1e9 added": (
            lambda s, m: shifted(s + np.where(m, 0, -1e9)),
            ["may look at nothing", "−1e9 is not −inf"],
        ),
        "−1e9 added, as (1 − mask)": (
            lambda s, m: shifted(s + (1 - m) * -1e9),
            ["may look at nothing", "−1e9 is not"],
        ),
        "NaN for an empty row": (
            lambda s, m: shifted(hide(s, m)),
            ["may look at nothing", "[nan]", "−inf − (−inf)"],
        ),
        "uniform for an empty row": (
            lambda s, m: np.where(m.any(1, keepdims=True), softmax(hide(s, m)), 1 / s.shape[1]),
            ["Row 0 may look at nothing", "should be 0", "[1]"],
        ),
        "changes its input": (soft_in_place, ["changed its input scores", "copy"]),
        "temperature": (
            lambda s, m: softmax(hide(s / 2, m)),
            ["Row 0 gives token 0 the weight", "it should be"],
        ),
        "transposed answer": (lambda s, m: softmax(hide(s, m)).T, ["shape", "(n_q, n_k)"]),
        "one row": (lambda s, m: softmax(hide(s, m))[0], ["shape (1,)", "(n_q, n_k) is (1, 1)"]),
        "two things": (lambda s, m: (softmax(hide(s, m)), m), ["tuple of 2", "one array"]),
        "text": (lambda s, m: "0.5", ["not an array of numbers"]),
        "ragged": (lambda s, m: [[1], [1, 2]], ["not an array of numbers"]),
        "sometimes nothing": (soft_half, ["returned nothing", "`return`"]),
        "raises": (soft_raises, ["raised ZeroDivisionError: no weight", "mask   = [[False]]"]),
        "exits": (soft_exits, ["raised SystemExit: goodbye"]),
        "takes one argument": (lambda s: s, ["Called as masked_softmax(scores, mask)", "TypeError"]),
    },
    "cached_causal_mask": {
        "top-left": (
            lambda n_q, n_k: causal_mask(n_q, n_k),
            ["can't see token 1", "last 1 of 2", "top-left?", "bottom-right"],
        ),
        "top-left, tril": (lambda n_q, n_k: np.tril(np.ones((n_q, n_k))) == 1, ["top-left?"]),
        "one too few": (
            lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q - 1),
            ["Off by one", "itself", "≤"],
        ),
        "one too many": (
            lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q + 1),
            ["which is hidden", "Off by one", "own future"],
        ),
        "strictly lower, top-left": (lambda n_q, n_k: np.tri(n_q, n_k, -1) == 1, ["Two things", "itself"]),
        "inverted": (lambda n_q, n_k: ~np.tri(n_q, n_k, n_k - n_q, dtype=bool), ["inverted?", "True means"]),
        "upper": (
            lambda n_q, n_k: np.triu(np.ones((n_q, n_k)), n_k - n_q) == 1,
            ["future instead of the past?"],
        ),
        "transposed": (lambda n_q, n_k: causal_mask(n_q, n_k, offset=n_k - n_q).T, ["shape", "transposed?"]),
        "additive": (
            lambda n_q, n_k: np.where(np.tri(n_q, n_k, n_k - n_q), 0, -inf),
            ["additive", "Booleans"],
        ),
        "0 and 1": (
            lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q),
            ["pattern is right", "float64, not bool", "astype(bool)"],
        ),
        "0 and 1, int": (
            lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q, dtype=int),
            ["pattern is right", "int64, not bool"],
        ),
        "0 and 1, top-left": (lambda n_q, n_k: np.tri(n_q, n_k), ["can't see", "top-left?"]),
        "square": (lambda n_q, n_k: causal_mask(n_k), ["shape", "(n_q, n_k)"]),
        "nothing hidden": (
            lambda n_q, n_k: np.ones((n_q, n_k), bool),
            ["which is hidden", "Nothing is hidden"],
        ),
        "arguments swapped": (lambda n_q, n_k: causal_mask(n_k, n_q, offset=n_q - n_k), ["shape"]),
    },
    "decoder_mask": {
        "padding on rows": (
            lambda lens, n: causal_mask(n) & (np.arange(n)[:, None] < lens[:, None, None]),
            ["can't see token 0", "hide rows?", "columns"],
        ),
        "padding on both": (
            lambda lens, n: decoder_loops(lens, n) & (np.arange(n)[:, None] < lens[:, None, None]),
            ["can't see token 0", "hide rows?"],
        ),
        "length is the last index": (
            lambda lens, n: causal_mask(n) & (np.arange(n) <= lens[:, None, None]),
            ["padding", "index of the last", "<, not ≤"],
        ),
        "one too short": (
            lambda lens, n: causal_mask(n) & (np.arange(n) < lens[:, None, None] - 1),
            ["can't see", "too many is hidden"],
        ),
        "strictly lower": (
            lambda lens, n: np.tril(decoder_loops(lens, n), -1),
            ["can't see token 0", "itself"],
        ),
        "or": (
            lambda lens, n: causal_mask(n) | padding_mask(lens, n),
            ["which is hidden", "joined by or?", "&"],
        ),
        "causal only": (
            lambda lens, n: np.repeat(causal_mask(n)[None], len(lens), 0),
            ["it is padding", "Only the causal part"],
        ),
        "padding only": (
            lambda lens, n: np.repeat(padding_mask(lens, n), n, 1),
            ["in the future", "Only the padding part"],
        ),
        "padding only, one row": (
            lambda lens, n: padding_mask(lens, n),
            ["shape", "Only the padding part", "n rows"],
        ),
        "upper": (lambda lens, n: padding_mask(lens, n) & causal_mask(n).T, ["future instead of the past?"]),
        "inverted": (lambda lens, n: ~decoder_loops(lens, n), ["inverted?"]),
        "additive": (lambda lens, n: np.where(decoder_loops(lens, n), 0, -inf), ["additive", "Booleans"]),
        "no batch axis": (
            decoder_square_only,
            ["shape (1, 1)", "(batch, n, n) is (1, 1, 1)", "batch axis missing?"],
        ),
        "no batch axis, longest": (
            lambda lens, n: causal_mask(n) & (np.arange(n) < lens.max()),
            ["batch axis missing?"],
        ),
        "no axis for the rows": (
            lambda lens, n: causal_mask(n) & (np.arange(n) < lens[:, None]),
            ["shape", "(batch, n, n)"],
        ),
        "batch at the end": (
            lambda lens, n: np.moveaxis(decoder_loops(lens, n), 0, -1),
            ["shape", "(batch, n, n)"],
        ),
        "transposed": (lambda lens, n: decoder_loops(lens, n).swapaxes(1, 2), ["row 0", "token"]),
        "0 and 1": (lambda lens, n: decoder_loops(lens, n) * 1, ["pattern is right", "int64, not bool"]),
        "sorts its lengths": (lambda lens, n: (lens.sort(), decoder_loops(lens, n))[1], ["row"]),
    },
    "leaks": {
        "transposed": (
            lambda attend, x: both_ways(attend, x).T,
            ["does not", "transposed?", "output that moves"],
        ),
        "inverted": (lambda attend, x: ~both_ways(attend, x), ["inverted?"]),
        "up only": (moves([plus(1)]), ["can move output", "one direction", "x − δ", "smaller features"]),
        "up only, a little": (moves([plus(1e-4)]), ["can move output", "one direction"]),
        "down only": (moves([plus(-1)]), ["one direction", "larger features"]),
        "slope forward": (moves([plus([1e-5, 0]), plus([0, 1e-5])]), ["one direction"]),
        "set to large": (moves([lambda token: token * 0 + 50]), ["one direction"]),
        "first feature only": (moves([plus([1, 0]), plus([-1, 0])]), ["second feature", "only one feature"]),
        "first feature up": (moves([plus([1, 0])]), ["can move output", "only one feature"]),
        "last feature only": (moves([plus([0, 1]), plus([0, -1])]), ["first feature", "only one feature"]),
        "coarse threshold": (moves([plus(1), plus(-1)], 0.05), ["can move output", "too coarse?"]),
        "lost in allclose": (
            lambda attend, x: np.array([[not np.allclose(attend(x + 1e-9), attend(x))] * len(x)] * len(x)),
            ["can move output 0", "Nothing ever moves", "allclose"],
        ),
        "diagonal by hand": (
            lambda attend, x: both_ways(attend, x) | np.eye(len(x), dtype=bool),
            ["copy of the token before", "diagonal set by hand?"],
        ),
        "self left out": (
            lambda attend, x: both_ways(attend, x) & ~np.eye(len(x), dtype=bool),
            ["can move output 0", "own output"],
        ),
        "later tokens only": (
            lambda attend, x: np.triu(both_ways(attend, x), 1),
            ["can move", "later tokens?"],
        ),
        "the triangle": (lambda attend, x: np.tri(len(x), dtype=bool), ["causal triangle whatever"]),
        "everything": (lambda attend, x: np.ones((len(x), len(x)), bool), ["Everything moves", "fresh copy"]),
        "all tokens at once": (
            lambda attend, x: np.array([(attend(x + 1) != attend(x)).any(1)] * len(x)).T,
            ["token"],
        ),
        "poisoned with NaN": (
            moves([lambda token: token * np.nan]),
            ["raised ValueError", "finite", "nan"],
        ),
        "changes its input": (leaks_in_place, ["token"]),
        "numbers instead of answers": (
            lambda attend, x: np.full((len(x), len(x)), 0.37),
            ["0.37", "only True and False"],
        ),
        "one number a token": (
            lambda attend, x: both_ways(attend, x).any(0),
            ["shape (1,)", "(n, n) is (1, 1)"],
        ),
        "0 and 1": (
            lambda attend, x: both_ways(attend, x).astype(float),
            ["pattern is right", "float64, not bool"],
        ),
        "one token at a time": (lambda attend, x: attend(x[0]), ["raised ValueError", "all tokens", "(2,)"]),
    },
    "inputs_and_targets": {
        "not shifted": (
            lambda t: np.array([t[:-1], t[:-1]]),
            ["The target of input 0", "tokens[1]", "guess itself"],
        ),
        "shifted to the past": (
            lambda t: np.array([t[1:], t[:-1]]),
            ["Input 0", "tokens[0]", "rows swapped?"],
        ),
        "wrapped": (lambda t: np.array([t, np.r_[t[1:], t[:1]]]), ["shape (2, 2)", "is (2, 1)", "np.roll"]),
        "wrapped, other way": (lambda t: np.array([t, np.r_[t[-1:], t[:-1]]]), ["shape", "by +1", "next"]),
        "two ahead": (lambda t: np.array([t[:-2], t[2:]]), ["shape (2, 0)", "two steps ahead"]),
        "as columns": (lambda t: np.array([*zip(t[:-1], t[1:], strict=True)]), ["shape", "transposed"]),
        "targets alone": (lambda t: t[1:], ["shape (1,)", "the targets alone"]),
    },
    "lowest_loss": {
        "bits": (
            lambda mask, n: loss_by_guessing(mask, n) / 0.6931471805599453,
            ["No token has its target in sight, of 1", "nats"],
        ),
        "sum": (lambda mask, n: loss_by_guessing(mask, n) * len(mask), ["lowest loss", "the sum", "mean"]),
        "mask unused": (lambda mask, n: np.log(n), ["Token 0 has the target in sight, of 2", "not used"]),
        "below the diagonal": (
            lambda mask, n: loss_by_guessing(mask.T, n),
            ["below the main one", "[i, i + 1]"],
        ),
        "itself": (
            lambda mask, n: np.mean([0 if mask[i, i] else np.log(n) for i in range(len(mask))]),
            ["main diagonal read?", "target is"],
        ),
        "any future": (
            lambda mask, n: np.mean([0 if row[i + 1 :].any() else np.log(n) for i, row in enumerate(mask)]),
            ["any future token", "independent"],
        ),
        "the last forgotten": (
            lambda mask, n: (
                np.mean([0 if mask[i, i + 1] else np.log(n) for i in range(len(mask) - 1)])
                if len(mask) > 1
                else np.log(n)
            ),
            ["last token left out?", "always pays"],
        ),
        "other way round": (
            lambda mask, n: np.log(n) - loss_by_guessing(mask, n),
            ["other way round?"],
        ),
        "share": (lambda mask, n: loss_by_guessing(mask, n) / np.log(n), ["share of tokens"]),
        "a vector": (lambda mask, n: np.zeros(len(mask)), ["shape (1,)", "one number is ()"]),
        "not a number": (lambda mask, n: np.log(-1.0), ["the answer is nan"]),
    },
    "mask_audit": {
        "leaks only": (
            lambda a, x, m: both_ways(a, x) & ~m,
            ["it should be -1", "may look at token", "can't move", "Only leaks"],
        ),
        "hidden in error only": (
            lambda a, x, m: -(m & ~both_ways(a, x)).astype(int),
            ["it should be 1", "may not look at", "can move", "hidden in error"],
        ),
        "no sign": (lambda a, x, m: both_ways(a, x) ^ m, ["it should be -1", "Both faults look the same"]),
        "other sign": (lambda a, x, m: 0 - audit_by_loops(a, x, m), ["sign turned around?"]),
        "mask unused": (lambda a, x, m: both_ways(a, x), ["mask not used?"]),
        "transposed": (lambda a, x, m: audit_by_loops(a, x, m.T), ["Is the mask transposed?"]),
        "moves transposed": (
            lambda a, x, m: both_ways(a, x).T * 1 - m,
            ["what moves transposed?"],
        ),
        "inverted": (lambda a, x, m: both_ways(a, x) * 1 - (1 - m), ["mask inverted?"]),
        "above the diagonal only": (
            lambda a, x, m: np.triu(audit_by_loops(a, x, m), 1),
            ["Only the effect of later tokens"],
        ),
        "up only": (lambda a, x, m: moves([plus(1)])(a, x) * 1 - m, ["one direction only?"]),
        "first feature only": (
            lambda a, x, m: moves([plus([1, 0]), plus([-1, 0])])(a, x) * 1 - m,
            ["only one feature"],
        ),
        "nothing": (lambda a, x, m: 0 * m, ["Nothing is ever wrong"]),
    },
}
WRONG_CASES = [(name, *rest) for name, cases in WRONG.items() for rest in cases.values()]
WRONG_IDS = [f"{name}: {title}" for name, cases in WRONG.items() for title in cases]


@pytest.mark.parametrize(("name", "function", "words"), WRONG_CASES, ids=WRONG_IDS)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=7, characters=900)


SMALL = {
    "mask after": (
        "masked_softmax",
        lambda s, m: shifted(s) * m,
        ["scores = [[0, 0]]", "mask   = [[True, False]]"],
    ),
    "−1e9": ("masked_softmax", lambda s, m: shifted(np.where(m, s, -1e9)), ["[[0]]", "[[False]]"]),
    "top-left": ("cached_causal_mask", lambda n_q, n_k: causal_mask(n_q, n_k), ["n_q   = 1", "n_k   = 2"]),
    "no padding": (
        "decoder_mask",
        lambda lens, n: np.repeat(causal_mask(n)[None], len(lens), 0),
        ["lengths = [0]", "n       = 1"],
    ),
    "triangle": (
        "leaks",
        lambda attend, x: np.tri(len(x), dtype=bool),
        ["attention without a mask", "x      = [[0.5, 1], [0.5, 1]]"],
    ),
}


@pytest.mark.parametrize(("name", "function", "lines"), SMALL.values(), ids=SMALL)
def test_the_case_shown_is_the_smallest(name, function, lines):
    message = getattr(check, name)(function).message
    assert [line for line in lines if line not in message] == [], message
    assert "yours" in message
    assert "right" in message


# Stubs, and what else may be handed over ----------------------------------------------------------------------


def stub_later(scores, mask):
    if len(scores) == 1:
        raise NotImplementedError
    return softmax(np.where(mask, scores, -inf))


def test_half_a_stub_is_a_stub():
    assert "not solved yet" in check.masked_softmax(stub_later).message


def test_a_stub_is_not_solved_yet_whatever_its_arguments():
    assert "not solved yet" in check.leaks(lambda attend, x: None).message
    assert "TypeError" in check.leaks(lambda: None).message


@pytest.mark.parametrize("thing", [np.ones((2, 2)), 3, "f"])
def test_what_is_no_function(thing):
    result = check.decoder_mask(thing)
    assert not result
    assert "the function itself" in result.message


def test_answers_that_change_from_call_to_call():
    calls = itertools.count()

    def moody(n_q, n_k):
        return causal_mask(n_q, n_k, offset=n_k - n_q + (next(calls) == 3))

    message = check.cached_causal_mask(moody).message
    assert "different answers for the same input" in message


def test_the_reader_may_interrupt():
    def endless(n_q, n_k):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check.cached_causal_mask(endless)


# The result, and what a checker leaves behind -----------------------------------------------------------------


def test_the_result_is_small_and_frozen(capsys):
    passed = check.cached_causal_mask(cached_loops)
    failed = check.cached_causal_mask(None)
    assert passed
    assert not failed
    assert repr(passed) == "Result(passed=True)"
    assert repr(failed) == "Result(passed=False)"
    with pytest.raises(FrozenInstanceError):
        failed.passed = True
    assert isinstance(passed, check.Result)


def test_a_notebook_shows_the_message_once():
    formatters = pytest.importorskip("IPython.core.formatters")
    assert formatters.DisplayFormatter().format(check.cached_causal_mask(cached_loops)) == ({}, {})


def test_random_numbers_and_print_options_stay():
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    with np.printoptions(precision=1), np.errstate(all="raise"):
        message = check.masked_softmax(lambda s, m: shifted(s) * m).message
        assert np.geterr()["divide"] == "raise"
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    assert message == check.masked_softmax(lambda s, m: shifted(s) * m).message


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_same_message_everywhere_and_no_files(tmp_path, seed):
    """In another folder, with another hash seed and other modules loaded."""
    (tmp_path / "mine.py").write_text("numbers = [1, 2, 3, 17, 1234567, 0.125, 3.5]\n", encoding="utf-8")
    code = "import mine; import numpy as np; from attn import check; check.masked_softmax(lambda s, m: np.exp(s) * m)"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == check.masked_softmax(lambda s, m: np.exp(s) * m).message + "\n"
    assert done.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


# The test pieces of check.leaks -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.label)
def test_the_truth_about_each_attend(kind):
    """Every token sequence that a learner may meet: what moves moves clearly, what doesn't stays to the last bit."""
    changes = [plus(delta) for size in (1, 1e-3) for delta in (size, -size)]
    both = [plus(np.multiply(sign, d)) for sign in (1, -1) for d in ([1, 0], [0, 1], [2, -1], [1e4, 1e4])]
    for n in range(1, 5):
        truth = kind.truth(n)
        for rows in itertools.product(TOKENS, repeat=n):
            x = np.array(rows)
            attend = Attend(kind, x.copy())
            before = attend(x)
            assert before.shape[0] == n
            clearly = np.zeros((2, n, n))
            for j in range(n):
                for c, change in enumerate(changes + both):
                    other = x.copy()
                    other[j] = change(x[j])
                    moved = np.abs(attend(other) - before).max(axis=1)
                    assert not moved[~truth[:, j]].any()
                    if c < 4:
                        clearly[c // 2, :, j] = np.maximum(clearly[c // 2, :, j], moved)
            assert (clearly[0][truth] > 1e-3).all()
            assert (clearly[1][truth] > 1e-6).all()


def looks_at(may, feature=slice(None)):
    """Attention of tokens on each other, row by row: i looks at j where may(i, j, n)."""

    def attend(x, start):
        n, x = len(x), x[:, feature]
        rows = []
        for i in range(n):
            seen = [j for j in range(n) if may(i, j, n)]
            scores = np.array([x[i] @ x[j] for j in seen]) / np.sqrt(2)
            rows.append(np.exp(scores) @ x[seen] / np.exp(scores).sum())
        return np.array(rows)

    return attend


def summed(noticed):
    return lambda x, start: np.array([noticed(x, start)[: i + 1].sum(axis=0) for i in range(len(x))])


def causally(i, j, n):
    return j <= i


def with_a_hundredth(x, start):
    out = looks_at(causally)(x, start)
    return np.vstack([out[:1] + x[-1:] / 100, out[1:]])


def weighed_and_cut(x, start):
    e = np.exp(x @ x.T / np.sqrt(2))
    return np.array([(e[i, : i + 1] / e[i].sum()) @ x[: i + 1] for i in range(len(x))])


# What a learner reads of an attend, and the function that its words say.
LABELS = {
    "attention without a mask": looks_at(lambda i, j, n: True),
    "causal attention": looks_at(causally),
    "attention in a window of 2": looks_at(lambda i, j, n: j in (i - 1, i)),
    "a copy of the token before": lambda x, start: np.vstack([0 * x[:1], x[:-1]]),
    "attention masked after the softmax, not renormalized": weighed_and_cut,
    "causal attention, but output 0 sees the last token": looks_at(
        lambda i, j, n: j <= i or (i == 0 and j == n - 1)
    ),
    "causal attention, but 0.01 of the last token is added to output 0": with_a_hundredth,
    "causal attention to the second feature": looks_at(causally, slice(1, 2)),
    "causal attention to the first feature": looks_at(causally, slice(0, 1)),
    "a sum of the past that notices smaller features only": summed(np.minimum),
    "a sum of the past that notices larger features only": summed(np.maximum),
}


def test_an_attend_does_what_its_name_says():
    assert [kind.label for kind in KINDS] == list(LABELS)
    for kind, (n, change) in itertools.product(KINDS, itertools.product((1, 2, 4), (0.0, 0.75, -0.25))):
        x = TOKENS[:n] + change * np.arange(n)[:, None]
        np.testing.assert_allclose(
            Attend(kind, TOKENS[:n])(x), LABELS[kind.label](x, TOKENS[:n]), rtol=0, atol=1e-12
        )


def test_an_attend_has_a_name_and_keeps_its_input():
    attend = Attend(KINDS[1], TOKENS)
    assert repr(attend) == "causal attention"
    x = TOKENS.copy()
    attend(x)
    np.testing.assert_array_equal(x, TOKENS)


# The parts of a case ------------------------------------------------------------------------------------------


def test_draw_reaches_every_option_and_starts_with_the_first():
    for most in range(4):
        assert Draw(lambda _, most=most: most).choice("abcd") == "abcd"[most]
    least, greatest = Draw(lambda most: 0), Draw(lambda most: most)
    assert [least.whole(2, 5), greatest.whole(2, 5)] == [2, 5]
    assert [least.some(1, 3, list), greatest.some(1, 3, list)] == [[[]], [[], [], []]]
    assert least.array((2, 3), (True, False)).tolist() == [[True] * 3] * 2
    assert greatest.array((1, 2), (0.0, 1.5)).tolist() == [[1.5, 1.5]]
    assert least.array((0, 2), (True, False)).dtype == bool


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array([[0.0, -0.0], [1 / 3, 1000.0]]), "[[0, 0], [0.3333, 1000]]"),
        (np.array([1e300, -inf, np.nan]), "[1e300, -inf, nan]"),
        (np.array([True, False]), "[True, False]"),
        (np.float64(0.5), "0.5"),
        (np.array(2), "2"),
        (3, "3"),
        (np.zeros((0, 2)), "[]"),
    ],
)
def test_show(value, text):
    assert show(value) == text
