"""Chapter 9's checkers. Right answers of every style pass; the wrong ones that people give get their hint."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn import check
from attn.check.induction_heads import _BLOCK, _NORM, _PREVIOUS, _SCORE
from tests.unit.checkers import STUBS, assert_hint, assert_not_solved_yet, assert_passes

# The token before


def by_two_loops(n, beta, back=1, value=None):
    return [
        [(beta if value is None else value) if j == i - back else 0.0 for j in range(n)] for i in range(n)
    ]


def by_assignment(n, beta):
    scores = np.zeros((n, n))
    scores[np.arange(1, n), np.arange(n - 1)] = beta
    return scores


def by_comparison(n, beta):
    place = np.arange(n)
    return np.where(place[:, None] - 1 == place, beta, 0)


def by_negative_index(n, beta):
    scores = np.zeros((n, n))
    for i in range(n):
        scores[i, i - 1] = beta
    return scores


def by_maximum(n, beta):
    scores = np.zeros((n, n))
    for i in range(n):
        scores[i, max(i - 1, 0)] = beta
    return scores


def exponentials(scores):
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


# The score of a head


def by_words(weights, tokens, after=1, each=None, every_row=False, own=0, last=False):
    """Row by row, with one thing about it changed."""
    sums = []
    for i, token in enumerate(tokens):
        before = [j for j in range(i + own) if tokens[j] == token]
        before = before[-1:] if last else before
        if before or every_row:
            sums.append(sum(weights[i][j + after] for j in before if 0 <= j + after < len(tokens)))
    return np.mean(sums) if each is None else each(sums)


def by_a_mask(weights, tokens):
    tokens = np.asarray(tokens)
    same = np.tril(tokens[:, None] == tokens, -1)
    after = np.roll(same, 1, axis=1)  # the last column of `same` is empty
    rows = same.any(axis=1)
    return (weights * after)[rows].sum() / rows.sum()


def by_the_diagonal(weights, tokens):
    return np.diagonal(weights, 1 - len(tokens) // 2).mean()


def by_half_of_the_text(weights, tokens):
    half = len(tokens) // 2
    return sum(weights[i, i - half + 1] for i in range(half, len(tokens))) / (len(tokens) - half)


# The norm


def by_rows(x, gain, bias, eps, spread=None, middle=None):
    out = []
    for row in x:
        mean = sum(row) / len(row) if middle is None else middle
        variance = sum((entry - mean) ** 2 for entry in row) / len(row)
        divisor = (variance + eps) ** 0.5 if spread is None else spread(row, eps)
        out.append([(entry - mean) / divisor * g + b for entry, g, b in zip(row, gain, bias, strict=True)])
    return out


def by_numpy(x, gain, bias, eps):
    return gain * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + bias


def down(x, gain, bias, eps):
    return (x - x.mean(0)) / np.sqrt(x.var(0) + eps) * gain + bias


# The block


def normed(x):
    return by_numpy(x, 1, 0, 1e-5)


def fed(x, w_1, w_2):
    hidden = x @ w_1
    return np.where(hidden > 0, hidden, 0) @ w_2


def block(x, w_1, w_2):
    return x + fed(normed(x), w_1, w_2)


def block_in_place(x, w_1, w_2):
    out = x.copy()
    out += fed(normed(x), w_1, w_2)
    return out.tolist()


def lost(x, w_1, w_2):
    x = fed(normed(x), w_1, w_2)
    return x + x


RIGHT = {
    "previous_token_scores": [by_two_loops, by_assignment, by_comparison],
    "induction_score": [by_words, by_a_mask],
    "layer_norm": [by_rows, by_numpy],
    "pre_norm_block": [block, block_in_place],
}

WRONG = {
    "previous_token_scores": {
        "one ahead": (lambda n, beta: by_two_loops(n, beta, -1), ["one ahead"]),
        "itself": (lambda n, beta: by_two_loops(n, beta, 0), ["look at itself"]),
        "wrapped": (by_negative_index, ["an index of −1"]),
        "row 0 itself": (by_maximum, ["Row 0 looks at itself"]),
        "two back": (lambda n, beta: by_two_loops(n, beta, 2), ["two back"]),
        "all before": (
            lambda n, beta: [[beta if j < i else 0.0 for j in range(n)] for i in range(n)],
            ["everything that came before"],
        ),
        "no beta": (lambda n, beta: by_two_loops(n, beta, value=1.0), ["Is beta missing"]),
        "weights": (lambda n, beta: exponentials(by_assignment(n, beta)), ["Are these weights"]),
        "weights, masked": (
            lambda n, beta: exponentials(by_assignment(n, beta) + np.triu(np.full((n, n), -np.inf), 1)),
            ["Are these weights"],
        ),
        "nearly": (lambda n, beta: 1.02 * by_assignment(n, beta), ["should be"]),
    },
    "induction_score": {
        "same token": (lambda w, t: by_words(w, t, after=0), ["the same token stood"]),
        "before it": (lambda w, t: by_words(w, t, after=-1), ["one before"]),
        "fixed": (by_half_of_the_text, ["a fixed way back"]),
        "the diagonal": (by_the_diagonal, ["One row too many"]),
        "all rows": (lambda w, t: by_words(w, t, every_row=True), ["mean over all rows"]),
        "the latest": (lambda w, t: by_words(w, t, last=True), ["There can be several"]),
        "summed": (lambda w, t: by_words(w, t, each=sum), ["Take their mean"]),
        "its own": (lambda w, t: by_words(w, t, own=1), ["mean over all rows"]),
        "nearly": (lambda w, t: 1.02 * by_a_mask(w, t), ["should be"]),
    },
    "layer_norm": {
        "sample": (
            lambda x, g, b, eps: by_rows(x, g, b, eps, lambda row, eps: (np.var(row, ddof=1) + eps) ** 0.5),
            ["divides by d − 1"],
        ),
        "as in a well-known program": (
            lambda x, g, b, eps: by_rows(x, g, b, eps, lambda row, eps: np.std(row, ddof=1) + eps),
            ["divides by d − 1"],
        ),
        "eps outside": (
            lambda x, g, b, eps: by_rows(x, g, b, eps, lambda row, eps: np.std(row) + eps),
            ["under the root"],
        ),
        "no eps": (lambda x, g, b, eps: by_numpy(x, g, b, 0), ["Is eps missing"]),
        "down": (down, ["down the columns"]),
        "mean left in": (lambda x, g, b, eps: by_rows(x, g, b, eps, middle=0), ["Is the mean left in"]),
        "no root": (
            lambda x, g, b, eps: by_rows(x, g, b, eps, lambda row, eps: np.var(row) + eps),
            ["Is the root missing"],
        ),
        "bias first": (lambda x, g, b, eps: (by_numpy(x, 1, 0, eps) + b) * g, ["The gain comes first"]),
        "plain": (lambda x, g, b, eps: by_numpy(x, 1, 0, eps), ["gain and bias missing"]),
        "nearly": (lambda *case: 1.02 * by_numpy(*case), ["should be"]),
    },
    "pre_norm_block": {
        "post": (lambda x, *w: normed(x + fed(x, *w)), ["post-norm"]),
        "the way normed": (lambda x, *w: normed(x) + fed(normed(x), *w), ["The way around is normalized"]),
        "no way": (lambda x, *w: fed(normed(x), *w), ["Is there a way around"]),
        "x + x": (lost, ["the old `x` is gone"]),
        "no norm": (lambda x, *w: x + fed(x, *w), ["reads norm(x)"]),
        "inner": (lambda x, *w: x + normed(fed(x, *w)), ["Normalize what goes into it"]),
        "no fold": (lambda x, w_1, w_2: x + normed(x) @ w_1 @ w_2, ["they become 0"]),
        "nearly": (lambda *case: 1.02 * block(*case), ["should be"]),
    },
}


def flat(table):
    return [(name, row) for name, rows in table.items() for row in rows]


@pytest.mark.parametrize(("name", "function"), flat(RIGHT))
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


@pytest.mark.parametrize(
    ("name", "function", "words"),
    [(name, *row) for name, rows in WRONG.items() for row in rows.values()],
    ids=[f"{name}: {title}" for name, rows in WRONG.items() for title in rows],
)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=8, characters=900)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("stub", STUBS)
def test_a_stub_is_not_solved_yet(name, stub, capsys):
    assert_not_solved_yet(name, stub, capsys)


def test_what_is_called_right_is_right():
    rng = np.random.default_rng(0)
    assert_allclose(_PREVIOUS.right(6, 3.0), by_two_loops(6, 3.0))
    tokens, weights = rng.integers(3, size=9), rng.dirichlet(np.ones(9), size=9)
    assert_allclose(_SCORE.right(weights, tokens), by_words(weights, tokens), atol=1e-12)
    x, gain, bias = rng.normal(size=(4, 5)), *rng.normal(size=(2, 5))
    assert_allclose(_NORM.right(x, gain, bias, 0.1), by_rows(x, gain, bias, 0.1), atol=1e-12)
    w_1, w_2 = rng.normal(size=(5, 7)), rng.normal(size=(7, 5))
    assert_allclose(_BLOCK.right(x, w_1, w_2), block(x, w_1, w_2), atol=1e-12)


def test_cases_where_nothing_shows_are_not_all_there_is():
    """In a text that comes twice a fixed way back is right, so the checkers go on to others."""
    weights, tokens = np.full((6, 6), 1 / 6), np.array([1, 2, 3, 1, 2, 3])
    assert_allclose(by_half_of_the_text(weights, tokens), by_words(weights, tokens))
    fixed = [case["tokens"] for case in _SCORE.fixed]
    assert any(len(case) % 2 or (case[: len(case) // 2] != case[len(case) // 2 :]).any() for case in fixed)


def test_names_are_the_chapters():
    assert {"induction_score", "layer_norm", "pre_norm_block", "previous_token_scores"} <= set(check.__all__)
