"""Answers to chapter 3's exercises: a right one each, and wrong ones with what their hint says."""

import sys

import numpy as np

from attn.masks import causal_mask, padding_mask
from attn.softmax import softmax
from tests.unit.leaks import audit_by_loops, both_ways, moves, plus

inf = np.inf


def naive(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def shifted(x, axis=-1):
    return naive(x - x.max(axis=axis, keepdims=True), axis)


def hide(scores, mask):
    return np.where(mask, scores, -inf)


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


def shares(e):
    """Each row divided by its sum, and rows of zeros left alone."""
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, where=total > 0, out=np.zeros_like(e))


def cached_loops(n_q, n_k):
    return [[j <= i + n_k - n_q for j in range(n_k)] for i in range(n_q)]


def decoder_loops(lengths, n):
    mask = np.zeros((len(lengths), n, n), dtype=bool)
    for b, i, j in np.ndindex(mask.shape):
        mask[b, i, j] = j <= i and j < lengths[b]
    return mask


def pairs_by_loop(tokens):
    return [[tokens[i] for i in range(len(tokens) - 1)], [tokens[i + 1] for i in range(len(tokens) - 1)]]


def loss_by_guessing(mask, n_symbols, sees=lambda mask, i: i + 1 < len(mask) and mask[i, i + 1]):
    """A guesser that copies what it sees, and else gives each symbol the same chance."""
    return np.mean([0 if sees(mask, i) else -np.log(1 / n_symbols) for i in range(len(mask))])


def leaks_by_derivative(attend, x):
    """Central differences, feature by feature."""
    n, d = x.shape
    answer = np.zeros((n, n), dtype=bool)
    for j, feature in np.ndindex(n, d):
        h = np.zeros((n, d))
        h[j, feature] = 1e-4
        slope = (attend(x + h) - attend(x - h)) / 2e-4
        answer[:, j] |= np.abs(slope).max(axis=1) > 1e-6
    return answer


RIGHT = {
    "masked_softmax": [soft_loops],
    "cached_causal_mask": [cached_loops],
    "decoder_mask": [decoder_loops],
    "leaks": [both_ways, moves([plus(1e-3), plus(-1e-3)], tolerance=0), leaks_by_derivative],
    "inputs_and_targets": [pairs_by_loop],
    "lowest_loss": [loss_by_guessing],
    "mask_audit": [
        audit_by_loops,
        lambda attend, x, mask: leaks_by_derivative(attend, x).astype(int) - mask.astype(int),
    ],
}


def soft_raises(scores, mask):
    if not mask.all():
        raise ZeroDivisionError("no weight at <object at 0x7f00deadbeef>\nsecond line")
    return softmax(scores)


def triangle(n_q, n_k, more=0):
    return np.tri(n_q, n_k, n_k - n_q + more, dtype=bool)


def sorts_its_lengths(lengths, n):
    lengths.sort()
    return decoder_loops(lengths, n)


def loss_without_the_last(mask, n):
    last = len(mask) - 1
    return np.mean([0 if mask[i, i + 1] else np.log(n) for i in range(last)]) if last else np.log(n)


def all_at_once(attend, x):
    return np.array([(attend(x + 1) != attend(x)).any(1)] * len(x)).T


WRONG = {
    "masked_softmax": [
        (lambda s, m: shifted(s) * m, "applied after the softmax"),
        (lambda s, m: shares(shifted(s) * m), "exp"),
        (lambda s, m: softmax(hide(s, m), axis=0), "axis.*Each row.*last axis"),
        (lambda s, m: shifted(s + m), "added"),
        (lambda s, m: shifted(s * m), r"multiplied.*score of 0 is.*exp\(0\) = 1"),
        (lambda s, m: softmax(hide(s, ~m)), "True means"),
        (lambda s, m: softmax(hide(s, m.T)), "transposed.*rows are queries.*columns keys"),
        (lambda s, m: shifted(s), "no effect|used"),
        (lambda s, m: np.where(m, shifted(s), -inf), "−inf"),
        (lambda s, m: shifted(s + (1 - m) * -inf), r"np\.where\(mask, scores, -np\.inf\)"),
        (lambda s, m: shares(np.exp(s) * m), "largest"),
        (lambda s, m: shares(np.exp(hide(s, m) - (hide(s, m).max() if m.any() else 0))), "largest"),
        (lambda s, m: shifted(np.where(m, s, -1e9)), "−1e9"),
        (lambda s, m: shifted(hide(s, m)), r"−inf − \(−inf\)"),
        (lambda s, m: [[1], [1, 2]], "array of numbers"),
        (lambda s, m: None if len(m) == 2 else softmax(hide(s, m)), "return"),
        (soft_raises, "ZeroDivisionError: no weight"),
        (lambda s, m: sys.exit("goodbye"), "SystemExit: goodbye"),
        (lambda s: s, r"masked_softmax\(scores, mask\).*TypeError"),
    ],
    "cached_causal_mask": [
        (lambda n_q, n_k: causal_mask(n_q, n_k), "n_k − n_q tokens came before.*bottom-right"),
        (lambda n_q, n_k: triangle(n_q, n_k, -1), "it is ≤, not <"),
        (lambda n_q, n_k: triangle(n_q, n_k, 1), "future"),
        (lambda n_q, n_k: np.tri(n_q, n_k, -1) == 1, "n_k − n_q tokens came before.*itself"),
        (lambda n_q, n_k: ~triangle(n_q, n_k), "True means"),
        (
            lambda n_q, n_k: np.triu(np.ones((n_q, n_k)), n_k - n_q) == 1,
            "the future instead of the past.*iff j ≤ i",
        ),
        (lambda n_q, n_k: triangle(n_q, n_k).T, "transposed.*Rows are queries.*columns are keys"),
        (lambda n_q, n_k: np.where(triangle(n_q, n_k), 0, -inf), "Booleans"),
        (lambda n_q, n_k: triangle(n_q, n_k) * 1.0, "float64, not bool"),
        (lambda n_q, n_k: np.ones((n_q, n_k), bool), "nothing"),
    ],
    "decoder_mask": [
        (lambda lens, n: causal_mask(n) & (np.arange(n)[:, None] < lens[:, None, None]), "columns"),
        (
            lambda lens, n: causal_mask(n) & (np.arange(n) <= lens[:, None, None]),
            r"keys are 0 … lengths\[b\] − 1, so it is <, not ≤",
        ),
        (
            lambda lens, n: causal_mask(n) & (np.arange(n) < lens[:, None, None] - 1),
            r"too many.*keys 0 … lengths\[b\] − 1",
        ),
        (lambda lens, n: np.tril(decoder_loops(lens, n), -1), "itself.*part is ≤, not <"),
        (lambda lens, n: causal_mask(n) | padding_mask(lens, n), "&"),
        (
            lambda lens, n: np.repeat(causal_mask(n)[None], len(lens), 0),
            "Only the causal part is there: the padding is",
        ),
        (
            lambda lens, n: np.repeat(padding_mask(lens, n), n, 1),
            "Only the padding part is there: the future is",
        ),
        (lambda lens, n: padding_mask(lens, n), "n rows"),
        (
            lambda lens, n: padding_mask(lens, n) & causal_mask(n).T,
            "the future instead of the past.*iff j ≤ i",
        ),
        (lambda lens, n: ~decoder_loops(lens, n), "True means"),
        (lambda lens, n: np.where(decoder_loops(lens, n), 0, -inf), "Booleans"),
        (lambda lens, n: np.tri(n, dtype=bool) & (np.arange(n) < lens[0]), "batch"),
        (sorts_its_lengths, "row"),
    ],
    "leaks": [
        (lambda attend, x: both_ways(attend, x).T, "transposed"),
        (lambda attend, x: ~both_ways(attend, x), "True"),
        (moves([plus(1)]), "direction"),
        (moves([plus([1, 0]), plus([-1, 0])]), "feature"),
        (moves([plus(1), plus(-1)], 0.05), "coarse"),
        (lambda f, x: np.array([[not np.allclose(f(x + 1e-9), f(x))] * len(x)] * len(x)), "allclose"),
        (lambda attend, x: both_ways(attend, x) | np.eye(len(x), dtype=bool), "diagonal"),
        (lambda attend, x: both_ways(attend, x) & ~np.eye(len(x), dtype=bool), "own output"),
        (lambda attend, x: np.triu(both_ways(attend, x), 1), "later"),
        (lambda attend, x: np.tri(len(x), dtype=bool), "triangle"),
        (lambda attend, x: np.ones((len(x), len(x)), bool), "everything"),
        (all_at_once, "token"),
        (moves([lambda token: token * np.nan]), "ValueError.*nan"),
        (lambda attend, x: np.full((len(x), len(x)), 0.37), r"0\.37"),
        (lambda attend, x: attend(x[0]), r"ValueError.*\(2,\)"),
    ],
    "inputs_and_targets": [
        (lambda t: np.array([t[:-1], t[:-1]]), "itself"),
        (lambda t: np.array([t[1:], t[:-1]]), "swapped.*one that comes after"),
        (lambda t: np.array([t, np.r_[t[1:], t[:1]]]), "roll"),
        (lambda t: np.array([t, np.r_[t[-1:], t[:-1]]]), "next"),
        (lambda t: np.array([t[:-2], t[2:]]), "are two steps ahead.*is one step ahead"),
        (
            lambda t: np.array([*zip(t[:-1], t[1:], strict=True)]),
            "transposed.*inputs in the first.*targets in the second",
        ),
        (lambda t: t[1:], "alone"),
    ],
    "lowest_loss": [
        (lambda mask, n: loss_by_guessing(mask, n) / np.log(2), "That is in bits.*nats"),
        (lambda mask, n: loss_by_guessing(mask, n) * len(mask), "mean"),
        (lambda mask, n: np.log(n), "not used"),
        (lambda mask, n: loss_by_guessing(mask.T, n), r"diagonal below.*entry \[i, i \+ 1\]"),
        (lambda mask, n: loss_by_guessing(mask, n, lambda mask, i: mask[i, i]), "main diagonal"),
        (lambda mask, n: loss_by_guessing(mask, n, lambda mask, i: mask[i, i + 1 :].any()), "future"),
        (loss_without_the_last, "last"),
        (lambda mask, n: np.log(n) - loss_by_guessing(mask, n), r"pay 0, the others pay ln\(n_symbols\)"),
        (lambda mask, n: loss_by_guessing(mask, n) / np.log(n), "share"),
    ],
    "mask_audit": [
        (lambda a, x, m: both_ways(a, x) & ~m, "leaks"),
        (lambda a, x, m: -(m & ~both_ways(a, x)).astype(int), "hidden"),
        (lambda a, x, m: both_ways(a, x) ^ m, "both"),
        (lambda a, x, m: 0 - audit_by_loops(a, x, m), "sign"),
        (lambda a, x, m: both_ways(a, x), "not used"),
        (lambda a, x, m: audit_by_loops(a, x, m.T), "mask transposed"),
        (lambda a, x, m: both_ways(a, x).T * 1 - m, "moves transposed"),
        (lambda a, x, m: both_ways(a, x) * 1 - (1 - m), "inverted"),
        (lambda a, x, m: np.triu(audit_by_loops(a, x, m), 1), "later"),
        (lambda a, x, m: moves([plus(1)])(a, x) * 1 - m, "direction"),
        (lambda a, x, m: moves([plus([1, 0]), plus([-1, 0])])(a, x) * 1 - m, "feature"),
        (lambda a, x, m: 0 * m, "nothing"),
    ],
}
