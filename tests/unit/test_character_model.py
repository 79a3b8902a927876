"""The trained character model: its gradient, its forward pass, its data, and how what heads look at is measured."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.data import characters
from attn.data.characters import (
    CONTEXT,
    FILE,
    PLACES,
    VOCABULARY,
    encode,
    from_arrays,
    held_back,
    look_where,
    recorded_looks,
    trained_model,
    trained_on,
    uniform_looks,
)
from research.character_model import BATCH, EARLY, SEEDS, STEPS, loss_and_gradient, start, train


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def test_training_runs_the_transformer_that_is_shipped(rng):
    w = {name: value + 0.1 * rng.normal(size=value.shape) for name, value in start(rng).items()}
    windows = rng.integers(0, len(VOCABULARY), (3, CONTEXT + 1))
    assert_allclose(loss_and_gradient(w, windows)[0], look_where(from_arrays(w), windows)[0], atol=1e-12)


def test_the_record_is_that_of_the_shipped_model():
    record = recorded_looks()
    loss, looks = look_where(trained_model(), held_back())
    assert record.weights.shape == (len(record.seeds), 8, len(PLACES))
    assert len(record.losses) == len(record.early) == len(set(record.seeds)) <= SEEDS
    assert list(record.seeds) == sorted(record.seeds)
    assert record.seeds[0] == 0
    assert record.seeds[-1] < SEEDS
    assert_allclose(looks, record.weights[0], atol=1e-6)
    assert_allclose(loss, record.losses[0], atol=1e-6)
    assert FILE.stat().st_size < 300_000


@pytest.mark.parametrize("which", [0, -1])
def test_a_run_begins_as_it_was_recorded(which):
    record = recorded_looks()
    assert_allclose(train(int(record.seeds[which]), until=EARLY)[1][-1], record.early[which], atol=2e-3)


def test_nothing_that_is_measured_on_was_trained_on():
    text = encode(" ".join(characters.book()))
    seen, windows = trained_on(), held_back()
    assert_array_equal(text[: len(seen)], seen)
    assert_array_equal(text[len(seen) : len(seen) + windows.size], windows.ravel())
    assert len(text) - len(seen) - windows.size < CONTEXT + 1


def test_heads_that_are_known_are_measured_as_such():
    windows = np.array([encode("the cat a at")])
    n = windows.shape[1] - 1

    def look(places):
        """A head that gives all its weight to these places, one a query; the query itself where there is none."""
        weights = np.zeros((1, n, n))
        weights[0, range(n), [i if j is None else j for i, j in enumerate(places)]] = 1
        return dict(zip(PLACES, characters._on_places(weights, windows[:, :-1]), strict=True))

    back = look([None, *range(n - 1)])
    assert back["one back"] == 1
    assert back["two back"] == 0
    assert back["itself"] == 1 / n
    assert look([None, None, *range(n - 2)])["two back"] == 1
    assert look([0] * n)["first"] == 1
    #            t     h     e     _  c  a  t  _  a  _  a
    spaces = look([None, None, None, 3, 3, 3, 3, 7, 7, 9, 9])
    assert spaces["last space"] == 1
    same = look([None, None, None, None, None, None, 0, 3, 5, 7, 8])
    assert same["same before"] == 1
    after = look([None, None, None, None, None, None, 1, 4, 6, 8, 9])
    assert after["after same"] == 1
    assert after["same before"] == 0


def test_chance_is_a_head_that_looks_at_all_alike():
    windows = held_back()[:20]
    even = dict(zip(PLACES, uniform_looks(windows), strict=True))
    assert_allclose(even["itself"], (1 / np.arange(1, CONTEXT + 1)).mean())
    assert_allclose(even["one back"], (1 / np.arange(2, CONTEXT + 1)).mean())
    assert_allclose(even["first"], even["one back"])


def test_the_model_is_what_the_page_says():
    model = trained_model()
    assert model.embedding.shape == (len(VOCABULARY), 32) == (28, 32)
    assert model.places.shape == (CONTEXT, 32) == (32, 32)
    assert len(model.layers) == 2
    for layer in model.layers:
        assert layer.w_q.shape == (4, 32, 8)
        assert layer.w_1.shape == (32, 64)
        assert layer.norm == "pre"
    assert (STEPS, BATCH) == (2000, 16)
    assert len(held_back()) == 362
