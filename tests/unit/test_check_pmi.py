"""The checkers of the PMI chapter: right answers of any style pass, each known mistake gets its own hint."""

import numpy as np
import pytest

from attn.check.pmi import _window
from attn.pmi import cooccurrence_counts, joint_from_counts, pmi
from tests.unit.checkers import assert_hint, assert_passes

inf = np.inf


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(all="ignore"):
        yield


def by_loops(counts):
    table = np.zeros(counts.shape)
    for (i, j), n in np.ndenumerate(counts):
        chance = counts[i].sum() * counts[:, j].sum() / counts.sum()
        table[i, j] = np.log2(n / chance) if n else -inf
    return table


def window_loops(tokens, window, n_words):
    counts = np.zeros((n_words, n_words))
    for here, word in enumerate(tokens):
        for there in range(max(0, here - window), min(len(tokens), here + window + 1)):
            if there != here:
                counts[word, tokens[there]] += 1
    return counts


def conditional(joint):
    return np.log(joint / joint.sum(axis=1, keepdims=True))


RIGHT = {
    "pmi_from_counts": [
        by_loops,
        lambda counts: pmi(joint_from_counts(counts)),
        lambda counts: np.log(counts * counts.sum() / np.outer(counts.sum(1), counts.sum(0))) / np.log(2),
    ],
    "window_counts": [window_loops, lambda t, w, n: window_loops(t.tolist(), w, n).astype(int)],
    "scores_for": [
        np.log,
        conditional,
        lambda joint: pmi(joint, np.e) + np.log(joint.sum(axis=0)),
        lambda joint: np.log(joint) + np.arange(len(joint))[:, None],
        lambda joint: np.log(1000 * joint),
    ],
}
RIGHT_CASES = [(name, function) for name, functions in RIGHT.items() for function in functions]


@pytest.mark.parametrize(("name", "function"), RIGHT_CASES)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


def ratio(counts, rows, columns):
    return np.log2(counts / rows[:, None] / columns)


def one_side(tokens, window, n_words):
    counts = np.zeros((n_words, n_words))
    for distance in range(1, window + 1):
        for a, b in zip(tokens, tokens[distance:], strict=False):
            counts[a, b] += 1
    return counts


def with_itself(tokens, window, n_words):
    return window_loops(tokens, window, n_words) + np.diag(np.bincount(tokens, minlength=n_words))


def fancy(tokens, window, n_words):
    counts = np.zeros((n_words, n_words))
    for distance in range(1, window + 1):
        counts[tokens[:-distance], tokens[distance:]] += 1
    return counts + counts.T


WRONG = {
    "nats for bits": ("pmi_from_counts", lambda n: by_loops(n) * np.log(2), ["natural", "np.log2"]),
    "decimal": ("pmi_from_counts", lambda n: by_loops(n) / np.log2(10), ["decimal"]),
    "counts not divided": (
        "pmi_from_counts",
        lambda n: ratio(n, n.sum(1), n.sum(0)),
        ["divided by their sum", "factor N"],
    ),
    "only the joint divided": (
        "pmi_from_counts",
        lambda n: ratio(n / n.sum(), n.sum(1), n.sum(0)),
        ["divided by their sum"],
    ),
    "margins swapped": (
        "pmi_from_counts",
        lambda n: ratio(n / n.sum(), n.sum(0) / n.sum(), n.sum(1) / n.sum()),
        ["margins swapped"],
    ),
    "zero for −inf": (
        "pmi_from_counts",
        lambda n: np.where(n > 0, by_loops(n), 0),
        ["never meet", "−inf, not 0"],
    ),
    "PPMI": ("pmi_from_counts", lambda n: np.maximum(by_loops(n), 0), ["PPMI"]),
    "one margin": ("pmi_from_counts", lambda n: np.log2(n / n.sum(1, keepdims=True)), ["Only one margin"]),
    "a share of the information": (
        "pmi_from_counts",
        lambda n: n / n.sum() * by_loops(n),
        ["share in the mutual information"],
    ),
    "smoothed": ("pmi_from_counts", lambda n: by_loops(n + 1), ["1 added"]),
    "after": ("window_counts", one_side, ["only what comes after", "two sides"]),
    "before": ("window_counts", lambda t, w, n: one_side(t, w, n).T, ["only what comes before"]),
    "itself": ("window_counts", with_itself, ["Distance 0"]),
    "no diagonal": (
        "window_counts",
        lambda t, w, n: window_loops(t, w, n) * (1 - np.eye(n)),
        ["whole diagonal"],
    ),
    "short": ("window_counts", lambda t, w, n: window_loops(t, w - 1, n), ["Off by one"]),
    "long": ("window_counts", lambda t, w, n: window_loops(t, w + 1, n), ["Off by one"]),
    "twice": ("window_counts", lambda t, w, n: 2 * window_loops(t, w, n), ["twice"]),
    "lost repeats": ("window_counts", fancy, ["words", "times"]),
    "no prior": ("scores_for", lambda j: pmi(j, np.e), ["prior", "log p(j)"]),
    "bits": ("scores_for", pmi, ["nats"]),
    "bits and prior": ("scores_for", lambda j: np.log2(j), ["base e"]),
    "wrong margin": (
        "scores_for",
        lambda j: pmi(j, np.e) + np.log(j.sum(axis=1, keepdims=True)),
        ["wrong margin"],
    ),
    "probabilities": ("scores_for", lambda j: j / j.sum(axis=1, keepdims=True), ["logarithms"]),
    "zero kept": ("scores_for", lambda j: np.where(j > 0, np.log(j), 0), ["−inf replaced by 0"]),
}


@pytest.mark.parametrize(("name", "function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=7, characters=900)


def test_the_right_window_is_that_of_the_package():
    rng = np.random.default_rng(0)
    for _ in range(50):
        tokens, window = np.append(rng.integers(3, size=6), [0, 1, 2]), int(rng.integers(1, 10))
        counts, words = cooccurrence_counts(tokens.tolist(), window)
        assert words == [0, 1, 2]
        np.testing.assert_array_equal(_window._count(tokens, window, 3), counts)
