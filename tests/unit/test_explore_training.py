"""The Python side of TrainingReplay."""

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore import TrainingReplay
from attn.xor import train

VARIANTS = {
    "two heads": {},
    "two heads, no bias": {"query_bias": False},
    "one head": {"n_heads": 1},
    "one head, ReLU": {"n_heads": 1, "hidden": 8},
    "two heads, ReLU": {"hidden": 3},
}


@pytest.fixture(scope="module")
def histories():
    return {
        name: [train(seed, n_steps=200, record_every=50, **variant) for seed in (3, 0)]
        for name, variant in VARIANTS.items()
    }


def test_the_shown_model_is_the_recorded_one_rounded(histories):
    replay = TrainingReplay(histories, run="one head", record=3)
    recorded = histories["one head"][0].models[3]
    for name, value in recorded.params.items():
        assert_allclose(replay.model.params[name], value, atol=5.1e-4)
    assert replay.scalars()["accuracy"] == round(histories["one head"][0].accuracy[3], 4)
    assert_array_equal(replay.steps, [0, 50, 100, 150, 200])
    assert replay.runs[0]["seeds"] == [3, 0]
    forward = replay.model.forward(replay.x)
    assert_allclose(replay.weights[0], forward.weights[:, 0])
    assert_array_equal(replay.decision > 0.5, forward.logits.argmax(axis=1).astype(bool))


def test_a_score_is_what_the_head_asks_for_times_the_token(histories):
    for name in VARIANTS:
        replay = TrainingReplay(histories, run=name, record=2, draw=4)
        scores = replay.x @ replay.matrices()["asked"].T  # (cases, tokens, heads)
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        assert_allclose(weights.transpose(2, 0, 1), replay.weights, atol=1e-12)


def test_a_long_run_is_thinned_at_its_end(histories):
    replay = TrainingReplay({"long": train(0, n_steps=100, record_every=1)})
    assert len(replay.steps) <= 25
    assert (replay.steps[0], replay.steps[-1]) == (0, 100)
    assert np.diff(replay.steps)[:5].max() < np.diff(replay.steps)[-5:].min()


def test_what_does_not_fit_is_refused(histories):
    with pytest.raises(ValueError, match="needs one run or more"):
        TrainingReplay()
    with pytest.raises(ValueError, match="one run or more"):
        TrainingReplay({})
    with pytest.raises(ValueError, match="recorded at the same steps"):
        TrainingReplay({"one": train(0, n_steps=2), "two": train(0, n_steps=3)})
    with pytest.raises(ValueError, match="one head or two"):
        TrainingReplay({"baseline": train(0, n_heads=0, query_bias=False, n_steps=2)})
    with pytest.raises(ValueError, match="tokens of the same size"):
        TrainingReplay({"one": train(0, n_steps=2), "two": train(0, d=3, n_steps=2)})
    for wrong in ({"run": "three heads"}, {"record": 5}, {"draw": 9}):
        with pytest.raises(traitlets.TraitError):
            TrainingReplay(histories, **wrong)


def test_the_lecture_of_runs(histories):
    """Before, after, and each other kind of run at its end, by what it is and not by its name."""
    wrong = {"loss on probabilities": train(0, n_steps=200, record_every=50, loss="probability")}
    replay = TrainingReplay(histories | wrong)
    steps = {step["name"]: step["changes"] for step in replay.lecture}
    assert [name for name in steps if name != "first-right"] == [
        "before", "trained", "other-noise", "two-heads", "one-head", "relu", "wrong-loss",
    ]  # fmt: skip
    assert steps["before"] == {"record": 0}
    assert steps["one-head"] == {"run": "one head", "record": 4}
    for name, changes in steps.items():
        assert TrainingReplay(histories | wrong, **changes).record == changes["record"], name


def test_the_lecture_knows_a_stuck_run():
    stuck = {name: train(seed, n_heads=1, hidden=8) for name, seed in (("learned", 0), ("not learned", 2))}
    replay = TrainingReplay({"two heads": train(0), **stuck})
    steps = {step["name"]: step["changes"] for step in replay.lecture}
    assert steps["relu"]["run"] == "learned"
    assert steps["stuck"]["run"] == "not learned"
    replay.record = steps["first-right"]["record"]
    assert ((replay.decision > 0.5) == [False, True, True, False]).all()
    replay.record -= 1
    assert ((replay.decision > 0.5) != [False, True, True, False]).any()
