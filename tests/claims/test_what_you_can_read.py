"""The pages of *What you can now read*: its cells run, and what it says of its lines and of the trained model holds."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.data.characters import held_back, trained_on
from tests.claims.pages import ROOT

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TAGS = re.compile(r"^:tags:.*\n", re.MULTILINE)


@pytest.fixture(scope="module")
def page():
    """The names that the page's cells leave behind."""
    text = (ROOT / "chapters" / "what_you_can_read.md").read_text(encoding="utf-8")
    names = {}
    for cell in CELL.findall(text):
        exec(TAGS.sub("", cell), names)
    return names


def test_rows_sum_to_one_and_nothing_is_above_the_diagonal(page):
    weights = page["weights"]
    assert weights.shape == (4, 6, 6)
    assert_allclose(weights.sum(axis=-1), 1)
    assert (weights[:, np.triu_indices(6, 1)[0], np.triu_indices(6, 1)[1]] == 0).all()


@pytest.mark.parametrize("factor", [1, 10, 1000, 1e6])
def test_what_is_read_does_not_grow(page, factor):
    """A mean square of 1 however large x has grown, and the same weights; without the norm they would be a switch."""
    x, places, sees = page["x"], page["places"], page["sees"]
    assert_allclose((page["rms_norm"](factor * x) ** 2).mean(axis=-1), 1, atol=1e-4)
    weights = page["block"](x, places, sees)[1]
    assert_allclose(page["block"](factor * x, places, sees)[1], weights, atol=1e-4)
    if factor > 1:
        scope = dict(page) | {"rms_norm": lambda x, gain: x}
        bare = type(page["block"])(page["block"].__code__, scope)
        with np.errstate(over="ignore"):  # the gate is shut: its exponential is infinite
            grown = bare(factor * x, places, sees)[1]
        assert np.abs(grown - bare(x, places, sees)[1]).max() > 0.1


def test_only_how_far_words_are_apart_is_seen(page):
    """Moved along together, by any step, nothing changes; moved apart, it does."""
    x, places, sees, block = (page[name] for name in ("x", "places", "sees", "block"))
    for by in (1, 100, -3, 0.5):
        assert_allclose(block(x, places + by, sees)[0], page["before"])
    assert np.abs(block(x, 2 * places, sees)[0] - page["before"]).max() > 0.1


def test_counting_by_three_letters():
    """As the page of the trained head counts by two: 0.1 for each count at first, held-back guesses."""
    seen, windows = trained_on(), held_back()
    counts = np.full((28,) * 4, 0.1)
    np.add.at(counts, (seen[:-3], seen[1:-2], seen[2:-1], seen[3:]), 1)
    chances = counts / counts.sum(axis=-1, keepdims=True)
    given = windows[:, :-3], windows[:, 1:-2], windows[:, 2:-1], windows[:, 3:]
    assert_allclose(-np.log(chances[given]).mean(), 1.43, atol=5e-3)
