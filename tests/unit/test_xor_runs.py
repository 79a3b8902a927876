"""The tool that records 200 runs at once takes the steps of `attn.xor.train`, and its pictures show every run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.xor import LOSSES, RUN_ONCE, RUN_VARIANTS, XorModel, recorded_runs, train
from research import xor_runs

NETWORKS = RUN_VARIANTS | RUN_ONCE


@pytest.mark.parametrize("name", NETWORKS)
def test_runs_side_by_side_are_trains(name, monkeypatch):
    """Twenty steps of two seeds with three settings: the parameters are those of `train`."""
    monkeypatch.setattr(xor_runs, "STEPS", 20)
    settings, seeds = [(LOSSES[0], 0.1), (LOSSES[1], 0.1), (LOSSES[1], 0.01)], range(3, 5)
    accuracy, loss, params = xor_runs.run(seeds, NETWORKS[name], settings)
    for i, (seed, (kind, rate)) in enumerate((seed, setting) for seed in seeds for setting in settings):
        wanted = train(seed, n_steps=20, loss=kind, learning_rate=rate, progress=False, **NETWORKS[name])
        for key, value in wanted.model.params.items():
            assert_allclose(params[key][i], value, atol=1e-9)
        where = i % len(settings), i // len(settings)
        assert accuracy[where] == wanted.accuracy[-1]
        assert loss[where] == pytest.approx(wanted.loss[-1], abs=1e-9)


def test_a_run_goes_on_where_another_ended(monkeypatch):
    monkeypatch.setattr(xor_runs, "STEPS", 10)
    first = train(7, n_steps=10, loss="probability", progress=False).model
    start = {name: value[None] for name, value in first.params.items()}
    after = xor_runs.run([7], {}, [(LOSSES[0], 0.1)], start)[2]
    for name, value in train(7, n_steps=10, start=first, progress=False).model.params.items():
        assert_allclose(after[name][0], value, atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_source_002s_loop_side_by_side(loss):
    """A hundred samples, one by one: gradient descent with momentum 0.9 in parameters that have no scale."""
    printed, accuracy = xor_runs.source_002([5, 6], loss, epochs=1, steps=100, rate=0.05)
    for i, seed in enumerate((5, 6)):
        rng = np.random.default_rng(seed)
        theta = [rng.normal(size=(1, 4, 3)), rng.normal(size=(1, 4, 3))]
        theta += [rng.uniform(-0.5, 0.5, (4, 2)), rng.uniform(-0.5, 0.5, 2)]
        names, moving = ("w_q", "w_k", "w_o", "b_o"), [0.0, 0.0, 0.0, 0.0]

        def model(theta, names=names):
            return XorModel(dict(zip(names, [np.sqrt(3) * theta[0], *theta[1:]], strict=True)))

        noise, ends = rng.uniform(-1, 1, (100, 2, 4)), 2.0 * rng.integers(0, 2, (100, 2)) - 1
        for (b, c), (a, d) in zip(noise, ends, strict=True):
            x = np.array([[np.full(4, a), b, c, np.full(4, d)]])
            slope = model(theta).loss_and_gradient(x, [int(a != d)], loss)[1]
            for j, name in enumerate(names):
                moving[j] = 0.9 * moving[j] + slope[name] * (np.sqrt(3) if name == "w_q" else 1)
                theta[j] = theta[j] - 0.05 * moving[j]
        test, bits = rng.uniform(-1, 1, (2, 4, 100)), rng.integers(0, 2, (2, 100))
        x = np.stack([np.tile(2.0 * bits[0] - 1, (4, 1)), *test, np.tile(2.0 * bits[1] - 1, (4, 1))])
        assert printed[0, i] == model(theta).accuracy(x.transpose(2, 0, 1), bits[0] ^ bits[1])
        assert 0 <= accuracy[0, i] <= 0.75


def test_what_is_not_on_record_is_said():
    for wrong, words in (
        ({"variant": "nine heads"}, "nine heads"),
        ({"variant": "one head", "learning_rate": 0.2}, "0.2"),
        ({"variant": "one head", "loss": "hinge"}, "hinge"),
    ):
        with pytest.raises(ValueError, match=words):
            recorded_runs(**wrong)
