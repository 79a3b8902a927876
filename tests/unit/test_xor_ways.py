"""What the networks set by hand put out, by formulas on paper; and what the cells of chapter 5's table may see."""

import math
from itertools import product

import numpy as np
import pytest

from attn.xor import READINGS, WAYS, WAYS_OUT
from attn.xor._ways import hide, shapes

EQUAL = np.array([True, False, False, True])  # which of the four pairs have equal bits


def by_second_head():
    """Each row looks at its own bit with e²/(e² + 1), so the rows read ±t; the two heads seek +t and −t."""
    t = 1.5 * math.tanh(1)
    return 0, 2 * t * math.tanh(0.6 * t)


# What is put out for equal bits and for different ones, but for the bias.
ON_PAPER = {
    "second head": (-0.7, by_second_head),
    "max − min": (-0.7, by_second_head),
    # Place 1 is worth 2 and place 2 is worth −2; row 1 looks at itself with ½, or with e²/(e² + 1).
    "position": (-0.7, lambda: (0, 4 * math.exp(2) / (math.exp(2) + 1) - 2)),
    # Twice (the share of zeros − the weight that falls on zeros, which is 1/(1 + e⁹) beside a one).
    "residual": (-0.5, lambda: (0, 2 * (0.5 - 1 / (1 + math.exp(9))))),
    "ffn": (0.75, lambda: (-1.5, 0)),
}


@pytest.mark.parametrize("name", WAYS_OUT)
def test_a_way_out_puts_out_what_paper_says(name):
    bias, found = ON_PAPER[name]
    equal, different = found()
    np.testing.assert_allclose(
        WAYS_OUT[name]().output, bias + np.where(EQUAL, equal, different), rtol=0, atol=1e-12
    )


CELLS = list(product(WAYS, READINGS))


@pytest.mark.parametrize(("way", "reading"), CELLS)
@pytest.mark.parametrize("places_in_scores", [False, True])
def test_what_a_cell_hides_is_where_tokens_hold_their_place(way, reading, places_in_scores):
    """A bit is in entries 0 to 2 of a token, its place in 3 to 5."""
    seen = hide(
        {name: np.ones(shape) for name, shape in shapes(way, reading).items()}, way, reading, places_in_scores
    )
    bit = np.arange(6) < 3
    scores = np.ones((6, 6), bool) if places_in_scores else np.outer(bit, bit)
    if reading in ("direct", "bit 1 asks"):
        scores = scores.any(axis=0)
    valued = np.ones(6, bool) if way in ("positions", "residual and positions") else bit
    for head in seen["scores"]:
        assert np.array_equal(head != 0, scores)
    for head in seen["values"]:
        assert np.array_equal(head.all(axis=1), valued)
        assert np.array_equal(head.any(axis=1), valued)
    if "token" in seen:
        assert np.array_equal(seen["token"] != 0, np.stack([valued, valued], axis=1))
    for name in set(seen) - {"scores", "values", "token"}:
        assert (seen[name] == 1).all()
