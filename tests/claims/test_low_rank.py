"""The 60 tables of chapter 7: a part is repeated, and each answer wins in its own measure."""

import json
from importlib import resources

import numpy as np
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, fit
from tools.low_rank import TABLES, compare

FOUND = np.array(json.loads((resources.files("attn") / "data" / "low_rank.json").read_text(encoding="utf-8")))


def test_each_answer_wins_in_its_own_measure():
    assert FOUND.shape == (TABLES, 7, 2, 2)
    assert (FOUND[:, 6, 1] < 1e-6).all()  # at d_k = 7 both find the least loss, so the other six count
    (svd, trained), (svd_loss, trained_loss) = np.moveaxis(FOUND, (2, 3), (0, 1))
    assert (svd <= trained + 1e-6).all()
    lost = np.argwhere(trained_loss > svd_loss + 1e-6)
    assert len(lost) == 2
    shorter = trained_loss[:, :6] < svd_loss[:, :6]
    assert (shorter.sum(), shorter.size) == (358, 360)
    assert (lost[:, 1] == 0).all()  # d_k = 1


def test_another_start_leaves_the_worse_valley():
    (svd_loss, trained_loss) = FOUND[..., 1, 0], FOUND[..., 1, 1]
    for seed, index in np.argwhere(trained_loss > svd_loss + 1e-6):
        table = np.exp(np.random.default_rng([6, seed]).normal(scale=1.2, size=(8, 8)))
        table /= table.sum()
        least = cross_entropy(np.log(table), table)[0]
        others = [fit(table, index + 1, np.random.default_rng([s]), n_steps=1000).loss[-1] for s in range(6)]
        assert min(others) - least < svd_loss[seed, index] - 1e-3


def test_a_part_repeats():
    for seed in (0, 59):
        assert_allclose(compare(seed, dims=(2, 5)), FOUND[seed][[1, 4]], atol=1e-4)
