"""The 60 tables of chapter 7: a part is repeated, and each answer wins in its own measure."""

import json
from importlib import resources

import numpy as np
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, fit
from research.low_rank import compare

FOUND = np.array(json.loads((resources.files("attn") / "data" / "low_rank.json").read_text(encoding="utf-8")))


def test_another_start_leaves_the_worse_valley():
    """And the SVD is never behind in its own measure; how often training leads in the other, the page prints."""
    (svd, trained), (svd_loss, trained_loss) = np.moveaxis(FOUND, (2, 3), (0, 1))
    assert (svd <= trained + 1e-6).all()
    for seed, index in np.argwhere(trained_loss > svd_loss + 1e-6):
        table = np.exp(np.random.default_rng([6, seed]).normal(scale=1.2, size=(8, 8)))
        table /= table.sum()
        least = cross_entropy(np.log(table), table)[0]
        others = [fit(table, index + 1, np.random.default_rng([s]), n_steps=1000).loss[-1] for s in range(6)]
        assert min(others) - least < svd_loss[seed, index] - 1e-3


def test_a_part_repeats():
    for seed in (0, 59):
        assert_allclose(compare(seed, dims=(2, 5)), FOUND[seed][[1, 4]], atol=1e-4)
