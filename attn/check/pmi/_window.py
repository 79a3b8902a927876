"""The checker of counting in a window."""

from collections.abc import Callable

import numpy as np

from attn.check._cases import show
from attn.check._engine import checks
from attn.check._exercise import Mistake, Result


def _count(tokens, window, n_words, *, before=True, after=True, itself=False, reach=0):
    counts = np.zeros((n_words, n_words), dtype=int)
    for here, word in enumerate(tokens):
        for there, other in enumerate(tokens):
            distance = there - here
            if distance == 0:
                counts[word, other] += itself
            elif abs(distance) <= window + reach and (after if distance > 0 else before):
                counts[word, other] += 1
    return counts


def _without_same(tokens, window, n_words):
    counts = _count(tokens, window, n_words)
    counts[np.diag_indices(n_words)] = 0
    return counts


def _judge_window(answer, expected, tokens, window, n_words):
    for i, j in np.argwhere(answer != expected):
        return (
            f"Words {i} and {j} stand within {window} of each other {expected[i, j]} times, counted from {i}; "
            f"you count {show(answer[i, j])}."
        )
    return None


def _build_window(draw):
    return {
        "tokens": np.array(draw.some(1, 6, lambda: draw.whole(0, 2))),
        "window": draw.whole(1, 3),
        "n_words": 3,
    }


@checks(
    shape="(n_words, n_words)",
    right=_count,
    build=_build_window,
    fixed=(
        {"tokens": np.array([0, 1, 2, 0, 0]), "window": 2, "n_words": 3},
        {"tokens": np.array([2, 0, 1, 1, 2, 0]), "window": 1, "n_words": 3},
    ),
    judge=_judge_window,
    mistakes=(
        Mistake(
            lambda t, w, n: _count(t, w, n, before=False),
            "Is only what comes after counted? The window has two sides; a word before counts as well.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, after=False),
            "Is only what comes before counted? The window has two sides; a word after counts as well.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, itself=True),
            "Does each place count itself? Distance 0 is left out; only the diagonal shows it.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, itself=True, before=False),
            "Two things: each place counts itself, and only one side of the window is counted.",
        ),
        Mistake(
            _without_same,
            "Is the whole diagonal set to 0? A place is not counted with itself, but the same word may stand twice in "
            "a window, and that counts.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, reach=-1),
            "Off by one: a word exactly `window` places away still counts.",
        ),
        Mistake(
            lambda t, w, n: _count(t, w, n, reach=1),
            "Off by one: a word `window` + 1 places away counts no more.",
        ),
        Mistake(
            lambda t, w, n: 2 * _count(t, w, n),
            "Everything is counted twice. From each place look at its neighbors once.",
        ),
        Mistake(
            lambda t, w, n: np.minimum(_count(t, w, n), 1),
            "Is a pair counted once only? `counts[a, b] += 1` with arrays of indices adds 1 to each entry at most; "
            "use np.add.at or a loop.",
        ),
    ),
)
def window_counts(function: Callable) -> Result:
    """Check f(tokens, window, n_words) -> counts (n_words, n_words): who stands near whom.

    `tokens` holds word numbers below n_words. Each place counts the others up to `window` places away, before it
    and after it, and never itself.
    """
