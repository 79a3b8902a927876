"""The 60 tables of chapter 6: a part is repeated, and each answer wins in its own measure."""

import json
from importlib import resources

import numpy as np
from numpy.testing import assert_allclose

from tools.low_rank import TABLES, compare

FOUND = np.array(json.loads((resources.files("attn") / "data" / "low_rank.json").read_text(encoding="utf-8")))


def test_each_answer_wins_in_its_own_measure():
    assert FOUND.shape == (TABLES, 7, 2, 2)
    assert TABLES * 7 == 420
    (svd, trained), (svd_loss, trained_loss) = np.moveaxis(FOUND, (2, 3), (0, 1))
    assert (svd <= trained + 1e-6).all()
    assert (trained_loss <= svd_loss + 1e-6).all()
    assert FOUND[:, -1].max() < 1e-5


def test_a_part_repeats():
    for seed in (0, 59):
        assert_allclose(compare(seed, dims=(2, 5)), FOUND[seed][[1, 4]], atol=1e-4)
