"""InductionReplay: what is stored is what training gives, and what the figure says of ten seeds."""

import numpy as np
import pytest
import traitlets

from attn.explore import InductionReplay
from attn.explore.induction_replay import FILE, blocks_at, runs
from attn.induction import induction_score, sentences
from research import induction_runs

STEPS = runs()["steps"]


@pytest.fixture(scope="module")
def again():
    """The first seed, learned once more."""
    return induction_runs.run(0)


def test_one_seed_learned_again_is_what_is_stored(again):
    """Up to what the order of sums leaves: one hundredth of an entry."""
    for record, step in enumerate(STEPS):
        blocks, kept = again.blocks[again.steps.tolist().index(step)], blocks_at(runs(), record)
        low = np.tril(np.ones_like(kept.look, dtype=bool))
        for name in kept._fields:
            there, here = getattr(blocks, name), getattr(kept, name)
            if name == "look":
                there, here = there[low], here[low]
            np.testing.assert_allclose(here, there, rtol=0, atol=0.0151, err_msg=f"{name} at {step}")
    for name in ("loss", "accuracy"):
        np.testing.assert_allclose(runs()[name][0], getattr(again, name)[STEPS], rtol=0, atol=0.0051)


def test_the_file_is_what_the_script_writes(again):
    """In form: its keys, the number of entries, and how large it is."""
    written = induction_runs.stored([again])
    assert set(written) == set(runs())
    assert written["steps"] == STEPS
    assert runs()["seeds"] == list(induction_runs.SEEDS)
    for name in ("look", "match", "say"):
        assert [len(entries) for entries in runs()[name]] == [len(entries) for entries in written[name]]
    assert FILE.stat().st_size < 40_000


def test_ten_of_ten_seeds_learn_it_and_suddenly():
    loss, accuracy = np.array(runs()["loss"]), np.array(runs()["accuracy"])
    assert loss.shape == accuracy.shape == (10, len(STEPS))
    assert (accuracy[:, -1] == 1).all()
    share = (loss[:, :1] - loss) / (loss[:, :1] - loss[:, -1:])
    assert (share[:, STEPS.index(375)] < 0.1).all()
    assert (share[:, STEPS.index(425)] > 0.9).all()
    plateau = slice(STEPS.index(325), STEPS.index(360) + 1)
    assert (accuracy[:, plateau] < 0.02).all()  # worse than a guess before it is learned


def test_a_fall_takes_33_or_34_steps(again):
    assert again.fallen(0.9) - again.fallen(0.1) in (33, 34)


def test_layer_1_has_its_pattern_first(again):
    """Of its own rise from the first step to the last each layer's number has half: layer 1 ten steps before."""
    tokens, _ = sentences(np.random.default_rng(99), 100)
    found = []
    for blocks in again.blocks[300 // 5 :: 1]:
        first, second = blocks.network()(tokens).weights
        score = np.mean([induction_score(w, row) for w, row in zip(second, tokens, strict=True)])
        found.append([np.diagonal(first[0], -1).mean(), score])
    found = np.array(found)
    start = [np.mean([1 / (i + 1) for i in range(1, 12)]), 0.097]
    half = (found >= (np.array(start) + found[-1]) / 2).argmax(axis=0)
    assert (half[1] - half[0]) * 5 == 10


def test_what_the_figure_counts():
    figure = InductionReplay(record=STEPS.index(350))
    said, tokens = figure.scalars(), figure.tokens
    assert tokens.tolist() == [0, 3, 8, 1, 6, 10, 2, 8, 1, 6, 10, 2]
    predicted = figure.run().logits.argmax(axis=1)
    assert said["parrots"] == sum(predicted[i] == tokens[i] for i in range(7, 11)) == 4
    assert said["right"] == sum(predicted[i] == tokens[i + 1] for i in range(7, 11)) == 0
    figure.record = len(STEPS) - 1
    assert figure.scalars()["right"] == 4
    assert figure.scalars()["after"] > 0.9
    for many in (3, 4, 5):
        figure.again = str(many)
        assert len(figure.tokens) == 12
        assert len(set(figure.tokens)) == 12 - many
        assert figure.tokens[-many:].tolist() == figure.tokens[-2 * many : -many].tolist()


def test_a_link_does_not_carry_the_runs():
    assert InductionReplay(record=3).state_traits() == ["record", "again", "opened"]


@pytest.mark.parametrize("wrong", [{"record": 28}, {"record": -1}, {"again": 6}])
def test_wrong_input(wrong):
    with pytest.raises(traitlets.TraitError):
        InductionReplay(**wrong)
