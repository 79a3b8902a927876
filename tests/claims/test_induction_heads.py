"""Chapter 9: what training does, what other networks can, and public reports."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.induction import (
    OPTIMIZERS,
    SlotHeads,
    four_slots,
    guards,
    hand_set,
    induction_score,
    questions,
    slots,
    train,
)
from attn.transformer import layer_norm, post_norm_block, pre_norm_block
from tests import tiers


def right(network, cut=0):
    count = 0
    for tokens, answer in questions():
        logits = network(tokens[cut:]).logits[-1]
        count += logits[answer] > np.delete(logits, answer).max() + 1e-9
    return count


def test_bos_decides_half():
    assert (right(hand_set()), right(hand_set(), 1)) == (16, 8)


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
def runs(optimizer, rate=None, steps=None):
    kind = {"optimizer": optimizer, "learning_rate": rate, "n_steps": steps}
    return [train(seed, progress=False, record_every=2000, **kind) for seed in range(10)]


@tiers.SLOW
def test_plain_descent_falls_at_once():
    """Ten of ten seeds: nothing for some 380 steps, then from a tenth to nine tenths within 33 or 34."""
    begin = [run.fallen(0.1) for run in runs("descent")]
    end = [run.fallen(0.9) for run in runs("descent")]
    assert 380 <= min(begin) <= max(begin) <= 388
    assert {b - a for a, b in zip(begin, end, strict=True)} <= {33, 34}
    assert all(run.accuracy[-1] == 1 for run in runs("descent"))
    assert all(b / a < 10 / 9 for a, b in zip(begin, end, strict=True))  # nine tenths of the steps are over


@tiers.SLOW
def test_the_step_sets_the_wait_and_the_fall_and_a_large_start_changes_them():
    """One over the step; from small starts the waits hardly differ, from 0.3 they do, and from 1 the falls do too."""

    def waits_and_falls(**kind):
        four = [train(seed, progress=False, record_every=2000, **kind) for seed in range(4)]
        waits = np.array([run.fallen(0.1) for run in four])
        return waits, np.array([run.fallen(0.9) for run in four]) - waits

    wait, fall = waits_and_falls()
    for step, n_steps in ((1.5, 1200), (6, 600)):
        for slow, usual in zip(
            waits_and_falls(learning_rate=step, n_steps=n_steps), (wait, fall), strict=True
        ):
            assert_allclose(slow * step / (usual * 3), 1, atol=0.04)
    small = np.array([waits_and_falls(spread=spread) for spread in (0.001, 0.1)])
    assert (small[:, 0].min(), small[:, 0].max()) == (353, 413)
    assert set(small[:, 1].flat) == {33, 34}
    begin, gaps = waits_and_falls(spread=0.3)
    assert (min(begin), max(begin)) == (307, 511)
    assert (min(gaps), max(gaps)) == (33, 36)
    gaps = waits_and_falls(spread=1.0)[1]
    assert gaps.max() > 1.2 * gaps.min() > 60


@tiers.SLOW
def test_descent_with_a_tenth_of_the_step():
    """A tenth at 3,768 to 3,849, a fall of 306 to 312 steps: less than a tenth of the wait, as with the step of 3."""
    slow = runs("descent", 0.3, 4400)
    begin = np.array([run.fallen(0.1) for run in slow])
    fall = np.array([run.fallen(0.9) for run in slow]) - begin
    assert (begin.min(), begin.max(), fall.min(), fall.max()) == (3768, 3849, 306, 312)
    usual = np.array([[run.fallen(0.1), run.fallen(0.9)] for run in runs("descent")])
    assert max((fall / begin).max(), (np.diff(usual, axis=1)[:, 0] / usual[:, 0]).max()) < 0.1


@tiers.SLOW
def test_adam_does_not_fall_at_once():
    """The same seeds: a tenth at 222 to 228, nine tenths at 558 to 562; at a step of 0.03 it is all faster."""
    assert OPTIMIZERS["adam"][0] == 0.003
    begin = [run.fallen(0.1) for run in runs("adam")]
    end = [run.fallen(0.9) for run in runs("adam")]
    assert (min(begin), max(begin), min(end), max(end)) == (222, 228, 558, 562)
    assert all(b - a > a for a, b in zip(begin, end, strict=True))  # longer than the wait
    fast = runs("adam", 0.03, 300)
    assert max(run.fallen(0.9) for run in fast) < 85
    gaps = [run.fallen(0.9) - run.fallen(0.1) for run in fast]
    assert (min(gaps), max(gaps)) == (36, 38)  # about as long as plain descent
    assert all(run.accuracy[-1] == 1 for run in [*runs("adam"), *fast])


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
