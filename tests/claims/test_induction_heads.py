"""Chapter 9: what training does, what other networks can, and public reports."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.induction import OPTIMIZERS, SlotHeads, four_slots, guards, induction_score, slots, train
from attn.transformer import layer_norm, post_norm_block, pre_norm_block
from tests import tiers


@pytest.mark.parametrize(("heads", "served"), [(3, 5), (4, 8), (5, 9)])
def test_pairs_of_heads_serve_more_slots_than_guards(heads, served):
    """Copies of the two heads for four slots, each silenced by a foreign name that is asked for, and a guard."""
    pair = four_slots()
    tables = [np.full((heads, served, 2), fill) for fill in (-np.inf, 0.0, -np.inf, 0.0)]
    names = ("key_scores", "key_says", "value_scores", "value_says")
    tables[0][:, :, 1] = 20.0  # a foreign name: louder than all, and says nothing
    for k in range(heads // 2):
        for table, name in zip(tables, names, strict=True):
            table[2 * k : 2 * k + 2, 4 * k : 4 * k + 4] = getattr(pair, name)
    if heads % 2:
        tables[0][-1, :, 1] = -np.inf
        for table, name in zip(tables, names, strict=True):
            table[-1, -1] = getattr(guards(1), name)[0, 0]
    case = slots(served, heads)
    assert (SlotHeads(*tables)(case) * case.answers).min() > 0.3


@cache
def runs(optimizer, rate=None, steps=None, spread=0.01):
    kind = {"optimizer": optimizer, "learning_rate": rate, "n_steps": steps, "spread": spread}
    return [train(seed, progress=False, record_every=3000, **kind) for seed in range(10)]


def waits_and_falls(*kind):
    wait, end = ([run.fallen(share) for run in runs(*kind)] for share in (0.1, 0.9))
    return np.array(wait), np.subtract(end, wait)


@tiers.SLOW
@pytest.mark.parametrize(
    ("kind", "waits", "falls"),
    [
        (("descent", None, None, 0.01), (380, 388), (33, 34)),
        (("descent", 6, 600, 0.01), (191, 195), (17, 18)),
        (("descent", 0.3, 4400, 0.01), (3768, 3849), (306, 312)),
        (("descent", 3, 900, 0.1), (353, 438), (33, 34)),
        (("descent", 3, 900, 0.3), (307, 607), (33, 37)),
        (("adam", None, None, 0.01), (222, 228), (333, 337)),
        (("adam", 0.03, 300, 0.01), (39, 43), (36, 38)),
    ],
)
def test_the_table_of_waits_and_falls(kind, waits, falls):
    """Descent falls in less than a tenth of its wait from the first start; Adam in about as long, or longer."""
    assert OPTIMIZERS == {"descent": (3, 600), "adam": (0.003, 1000)}
    wait, fall = waits_and_falls(*kind)
    assert (wait.min(), wait.max(), fall.min(), fall.max()) == (*waits, *falls)
    assert all(run.accuracy[-1] == 1 for run in runs(*kind))
    if kind[3] == 0.01:
        assert (
            (fall / wait).max() < 0.1
            if kind[0] == "descent"
            else (fall / wait).min() > (0.8 if kind[1] else 1)
        )


@tiers.SLOW
def test_from_a_large_start_some_fall_slowly():
    """From a standard deviation of 1 two of ten seeds take more than 2,000 steps."""
    assert (waits_and_falls("descent", 3, 3000, 1.0)[1] > 2000).sum() == 2


def test_the_norm_of_one_and_three_zeros():
    """1.5 and 1.732: √¾ apart, and that is n − 1, not ε; so in any row."""
    x = np.array([1.0, 0, 0, 0])
    away = x - x.mean()
    less, outside = away / (x.std(ddof=1) + 1e-6), away / (x.std() + 1e-6)
    assert_allclose([less[0], outside[0], layer_norm(x)[0]], [1.5, 1.732, 1.732], atol=5e-4)
    assert_allclose([(layer_norm(x) ** 2).mean(), (less**2).mean()], [1, 0.75], atol=1e-4)
    assert not layer_norm(np.full((1, 4), 1000.0)).any()  # large numbers without spread
    x = np.random.default_rng(0).normal(size=(7, 5))
    less = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    assert_allclose(less / layer_norm(x, eps=0), np.sqrt(4 / 5))


def test_which_ways_round_keep_x():
    x = np.random.default_rng(0).normal(size=(3, 4))
    silent = np.zeros_like
    lost = silent(x)
    assert np.abs(lost + lost - x).max() > 0.1
    assert_allclose(pre_norm_block(x, silent), x)
    assert_allclose(x + layer_norm(silent(x)), x)
    assert np.abs(post_norm_block(x, silent) - x).max() > 0.1


def test_the_three_orders_are_three_models():
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(3, 4)), rng.normal(size=(4, 4))
    pre, post = (block(x, lambda read: read @ w) for block in (pre_norm_block, post_norm_block))
    between = x + layer_norm(x @ w)
    assert min(np.abs(one - two).max() for one, two in ((pre, post), (pre, between), (post, between))) > 0.1


@pytest.mark.parametrize("size", [5, 50])
def test_a_stuck_head_on_the_whole_diagonal(size):
    twice, stuck = np.tile(np.arange(size), 2), np.zeros((2 * size, 2 * size))
    stuck[:, 0] = 1
    assert_allclose(np.diagonal(stuck, 1 - size).mean(), 1 / (size + 1))
    assert induction_score(stuck, twice) == 0
