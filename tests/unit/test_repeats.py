"""The runs on repeated letters: the stored ones are what the script makes, and texts start over where they say."""

import numpy as np

from attn.data.repeats import LENGTH, LONGEST, SHORTEST, recorded, repeated, trained_on_repeats
from research import repeats_runs


def test_a_text_starts_over_after_its_period():
    texts, periods = repeated(np.random.default_rng(0), 300)
    assert texts.shape == (300, LENGTH)
    assert {*periods} == {*range(SHORTEST, LONGEST + 1)}
    for text, period in zip(texts, periods, strict=True):
        assert (text[period:] == text[:-period]).all()


def test_the_first_steps_of_a_run_give_what_is_stored():
    runs = recorded()
    _, found = repeats_runs.train(1, until=50)
    for name in ("new", "again", "induction", "previous"):
        np.testing.assert_allclose(found[name], getattr(runs, name)[1, :2], atol=5e-3, err_msg=name)


def test_the_stored_model_gives_what_is_stored_of_its_run():
    runs, model = recorded(), trained_on_repeats()
    texts, periods = repeats_runs.TEXTS
    again = repeats_runs.seen_before(periods)
    loss = repeats_runs.losses(model, texts)
    place = np.arange(1, LENGTH) - periods[:, None]
    by_place = [loss[place == j].mean() for j in range(26)]
    np.testing.assert_allclose(by_place, runs.by_place[0], atol=1e-5)
    cost = [
        [repeats_runs.losses(repeats_runs.without(model, head, way), texts)[again].mean() for head in range(8)]
        for way in (False, True)
    ]
    np.testing.assert_allclose(cost, runs.without[0], atol=1e-5)
    np.testing.assert_allclose(repeats_runs.offsets(model), runs.offsets[0], atol=1e-5)
