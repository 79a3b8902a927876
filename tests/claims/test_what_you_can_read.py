"""The block of *What you can now read*: its cells run, and what the page says of its lines holds of them."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.claims.pages import ROOT

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def page():
    """The names that the page's cells leave behind."""
    text = (ROOT / "chapters" / "what_you_can_read.md").read_text(encoding="utf-8")
    names = {}
    for cell in CELL.findall(text):
        exec(cell, names)
    return names


def test_rows_sum_to_one_and_nothing_is_above_the_diagonal(page):
    weights = page["weights"]
    assert weights.shape == (4, 6, 6)
    assert_allclose(weights.sum(axis=-1), 1)
    assert (weights[:, np.triu_indices(6, 1)[0], np.triu_indices(6, 1)[1]] == 0).all()


@pytest.mark.parametrize("factor", [1, 10, 1000, 1e6])
def test_what_is_normalized_does_not_grow(page, factor):
    """Variance 1 however large x has grown, and the same weights; without it the weights would be a switch."""
    x = page["x"]
    assert_allclose(page["normalized"](factor * x).var(axis=-1), 1, atol=1e-4)
    assert_allclose(page["block"](factor * x)[1], page["block"](x)[1], atol=1e-4)
    if factor > 1:
        assert np.abs(page["heads"](factor * x)[1] - page["heads"](x)[1]).max() > 0.1


def test_without_the_mask_or_positions_order_is_not_seen(page):
    words, order, heads, normalized = (page[name] for name in ("words", "order", "heads", "normalized"))
    assert_allclose(heads(normalized(words[order]))[0], heads(normalized(words))[0][order])
    assert page["gap"].max() > 0.1  # with positions it is
