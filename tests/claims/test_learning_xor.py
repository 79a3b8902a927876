"""The claims of the page on learning XOR that no other test shows, on more cases than the page has room for."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.softmax import log_softmax, softmax
from attn.xor import (
    LOSSES,
    RUN_ONCE,
    RUN_RATES,
    RUN_VARIANTS,
    XorModel,
    all_cases,
    noise_token_batch,
    recorded_rescue,
    recorded_runs,
    recorded_source_002,
    train,
)
from tests import tiers

SEEDS = range(6)
VARIANTS = {
    "noise token alone": {"n_heads": 0, "query_bias": False},
    "one head, no query bias": {"n_heads": 1, "query_bias": False},
    "two heads, no query bias": {"n_heads": 2, "query_bias": False},
    "one head": {"n_heads": 1},
    "two heads": {},
    "four heads": {"n_heads": 4},
    "one head, ReLU": {"n_heads": 1, "hidden": 8},
    "one head, no query bias, −p": {"n_heads": 1, "query_bias": False, "loss": "probability"},
    "two heads, −p": {"loss": "probability"},
}


@pytest.fixture(scope="module")
def runs():
    return {
        name: [train(seed, progress=False, **variant) for seed in SEEDS] for name, variant in VARIANTS.items()
    }


@pytest.fixture(scope="module")
def fresh():
    return noise_token_batch(np.random.default_rng(20_000), 20_000, 4)


def accuracies(histories, fresh):
    return np.array([history.model.accuracy(*fresh) for history in histories])


def test_accuracy_on_fresh_samples(runs, fresh):
    """What the issue of this page asked for, and the reader's table."""
    found = {name: accuracies(histories, fresh) for name, histories in runs.items()}
    assert (np.abs(found["noise token alone"] - 0.5) <= 0.02).all()
    for name in ("one head", "one head, no query bias", "two heads, no query bias"):
        assert found[name].max() <= 0.76, name
    assert found["one head"].min() >= 0.74
    assert (found["two heads"] >= 0.99).sum() == 6
    assert (found["four heads"] >= 0.99).sum() == 6
    assert_array_equal(found["one head, ReLU"] > 0.999, [True, True, False, True, True, True])
    assert found["one head, ReLU"][2] <= 0.76


def test_losses_end_where_the_page_says(runs):
    ends = {name: np.array([history.loss[-1] for history in histories]) for name, histories in runs.items()}
    for name in ("noise token alone", "one head, no query bias", "two heads, no query bias"):
        assert_allclose(ends[name], np.log(2), atol=0.003)
    wall = 0.75 * -(2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3))
    assert_allclose(wall, 0.477, atol=5e-4)
    assert_allclose(ends["one head"], wall, atol=0.005)
    assert_allclose(ends["one head, ReLU"][2], wall, atol=0.005)
    assert ends["two heads"].max() < 0.04


def test_one_head_never_passes_the_line(runs):
    """On samples that show every draw of noise with all four cases, theorem 2 holds for each record of each run."""
    for name in ("one head", "one head, no query bias", "one head, no query bias, −p"):
        assert max(history.accuracy.max() for history in runs[name]) <= 0.75


def signs(model, x):
    """Which sign each head asks for, sample by sample: the sign of the score of a token of ones, (n, n_heads)."""
    p = model.params
    q = np.einsum("nd,hdk->nhk", x[:, 1], p["w_q"]) + p["b_q"]
    return np.sign(np.einsum("hdk,nhk->nh", p["w_k"], q))


def test_two_heads_become_max_and_min(runs):
    """One asks for +1 and the other for −1 with any noise, and the readout adds them with opposite signs."""
    x, _ = noise_token_batch(np.random.default_rng(1), 200, 4)
    for history in runs["two heads"]:
        p, asked = history.model.params, signs(history.model, x)
        assert (asked == asked[0]).mean() > 0.95
        assert asked[0].sum() == 0
        readout = (p["w_o"][:, 1] - p["w_o"][:, 0]).reshape(2, 4).sum(axis=1)
        assert_array_equal(np.sign(readout), asked[0])


# ------------------------------------------------------------------------------------------ the mirror


@pytest.mark.parametrize("n_heads", [1, 2, 3])
def test_the_mirror(n_heads):
    """100,000 random networks without a query bias: no better than a coin in log loss, at most 75 % right."""
    d, d_k, total = 2, 2, 34_000
    rng = np.random.default_rng(n_heads)
    cases, y = all_cases(rng.uniform(-1, 1, (1, 4, d)))
    both, y = np.concatenate([cases, -cases]), np.tile(y, 2)
    size = np.exp(rng.uniform(-2, 3, (total, 1, 1, 1)))
    w_q, w_k = size * rng.normal(size=(2, total, n_heads, d, d_k))
    readout, bias = rng.normal(scale=4, size=(total, n_heads * d)), rng.normal(scale=2, size=(total, 1))
    asked = np.einsum("nhdk,nhek,ce->nhcd", w_k, w_q, both[:, 1])
    weights = softmax(np.einsum("nhcd,ctd->nhct", asked, both))
    read = np.einsum("nhct,ctd->nchd", weights, both).reshape(total, 8, -1)
    logit = np.einsum("ncr,nr->nc", read, readout) + bias
    loss = np.logaddexp(0, np.where(y == 1, -logit, logit)).mean(axis=1)
    assert loss.min() >= np.log(2) - 1e-12
    assert ((logit > 0) == y).mean(axis=1).max() <= 0.75
    assert_allclose(weights[:, :, :4], weights[:, :, 4:], atol=1e-9)
    # A query bias breaks it: the same networks with a constant in the query do better.
    asked = (
        asked
        + np.einsum("nhdk,nhk->nhd", w_k, size[:, :, 0] * rng.normal(size=(total, n_heads, d_k)))[:, :, None]
    )
    weights = softmax(np.einsum("nhcd,ctd->nhct", asked, both))
    read = np.einsum("nhct,ctd->nchd", weights, both).reshape(total, 8, -1)
    logit = np.einsum("ncr,nr->nc", read, readout) + bias
    loss = np.logaddexp(0, np.where(y == 1, -logit, logit)).mean(axis=1)
    assert loss.min() < 0.6


def test_a_relu_breaks_the_mirror(fresh):
    """No query bias, no query at all: |mean of the tokens| < 1/4 says that the ends differ."""
    quarter = np.full((4, 1), 1 / 4)
    model = XorModel(
        {
            "w_q": np.zeros((1, 4, 3)),
            "w_k": np.zeros((1, 4, 3)),
            "w_1": np.hstack([quarter, -quarter]),
            "b_1": np.zeros(2),
            "w_2": np.array([[0, -4], [0, -4]]),
            "b_2": np.array([0, 1]),
        }
    )
    assert 0.985 <= model.accuracy(*fresh) <= 0.995


# ------------------------------------------------------------------------------------------ the wrong loss


def test_the_lost_case_has_no_pull(runs, fresh):
    cases, y = all_cases(fresh[0][:500])
    for history in runs["two heads, −p"]:
        p = softmax(history.model.forward(cases).logits)[np.arange(2000), y].reshape(500, 4)
        case = p.mean(axis=0).argmin()
        assert p[:, case].mean() < 0.01
        assert np.delete(p, case, axis=1).mean() > 0.99
        pulls = [
            max(
                np.abs(part).max()
                for part in history.model.loss_and_gradient(cases[case::4], y[case::4], loss)[1].values()
            )
            for loss in LOSSES
        ]
        assert pulls[0] > 0.1
        assert pulls[1] < 0.01


def test_the_right_loss_frees_them(runs, fresh):
    for seed, history in zip(SEEDS, runs["two heads, −p"], strict=True):
        assert train(seed, start=history.model, progress=False).model.accuracy(*fresh) >= 0.99


@pytest.mark.parametrize("p", [1e-9, 0.1, 0.5, 0.9])
def test_derivatives_of_the_two_losses(p):
    model = XorModel({"w_o": np.zeros((4, 2)), "b_o": np.array([0, np.log(p / (1 - p))])})
    x = np.ones((1, 4, 4))
    assert_allclose(model.loss_and_gradient(x, [1])[1]["b_o"][1], -(1 - p))
    assert_allclose(model.loss_and_gradient(x, [1], "probability")[1]["b_o"][1], -p * (1 - p))


# ------------------------------------------------------------------------------------------ the rest


def test_the_stuck_head_reads_the_same_three_times(runs, fresh):
    four, _ = all_cases(fresh[0][:200])
    read = runs["one head, ReLU"][2].model.forward(four).read.reshape(200, 4, 4)
    apart = np.abs(read[:, 1:] - read[:, 1:2]).max(axis=(1, 2))
    assert np.median(apart) < 0.01
    assert np.abs(read[:, 0] - read[:, 1]).max(axis=1).min() > 0.1
    weights = runs["one head, ReLU"][2].model.forward(four).weights.reshape(200, 4, 4)
    jacobian = weights[:, 1:3] * (1 - weights[:, 1:3])
    assert np.median(jacobian.max(axis=(1, 2))) < 0.01
    for seed in (0, 1, 3, 4, 5):
        read = runs["one head, ReLU"][seed].model.forward(four).read.reshape(200, 4, 4)
        assert min(np.abs(np.delete(read, odd, axis=1) - read[:, [odd - 1]]).max() for odd in range(4)) > 0.1


def test_one_step_by_hand():
    model = XorModel(
        {
            "w_q": np.zeros((1, 1, 1)),
            "b_q": np.full((1, 1), 2.0),
            "w_k": np.ones((1, 1, 1)),
            "w_o": np.array([[0.0, 1.0]]),
            "b_o": np.zeros(2),
        }
    )
    x = np.array([1, 0.5, -0.5, -1]).reshape(1, 4, 1)
    state = model.forward(x)
    assert_allclose(state.weights[0, 0], [0.696, 0.256, 0.035, 0.013], atol=5e-4)
    assert_allclose(state.read, 0.794, atol=5e-4)
    loss, gradient = model.loss_and_gradient(x, [1])
    assert_allclose(loss, 0.373, atol=5e-4)
    assert_allclose(gradient["b_q"], -0.047, atol=5e-4)


def test_without_the_jacobian_is_another_gradient():
    tokens = np.array([1, 0.5, -0.5, -1])
    p = softmax(2 * tokens)
    d_p = (softmax([0, p @ tokens])[1] - 1) * tokens
    whole = p * (d_p - p @ d_p)
    step = 1e-5 * np.eye(4)
    loss = [[-log_softmax([0, softmax(2 * tokens + sign * h) @ tokens])[1] for h in step] for sign in (1, -1)]
    assert_allclose(whole, (np.array(loss[0]) - loss[1]) / 2e-5, atol=1e-9)
    assert_allclose(whole.sum(), 0, atol=1e-15)
    assert_allclose(d_p.sum(), 0, atol=1e-15)  # luck: the tokens sum to 0
    assert_allclose((p * d_p).sum(), -0.247, atol=5e-4)
    assert np.abs(d_p - whole).max() > 0.2


# ------------------------------------------------------------------------------------------ 200 seeds

WALL = 0.76  # on 500 draws with all four cases; without a query bias 0.75 is a bound for all draws, not for these
SETTINGS = list(product(RUN_VARIANTS, LOSSES, RUN_RATES))
REPEATED = 3 if tiers.ALL else 1


@pytest.mark.parametrize(("name", "loss", "rate"), SETTINGS)
def test_recorded_runs_repeat(name, loss, rate):
    """Seeds drawn for each setting, trained again by `train`; three of every setting at night."""
    ends = recorded_runs(name, loss=loss, learning_rate=rate)
    for seed in np.random.default_rng([*map(ord, name + loss), int(1000 * rate)]).integers(0, 200, REPEATED):
        again = train(
            int(seed), loss=loss, learning_rate=rate, record_every=1000, progress=False, **RUN_VARIANTS[name]
        )
        # Some networks that end sure and wrong hang on the last bits of their gradients: if one shakes these, a loss of
        # 9.35 becomes anything from 9.2 to 9.8, and its accuracy moves by 0.007.
        loose = ends.loss[seed] > 2
        assert again.accuracy[-1] == pytest.approx(ends.accuracy[seed], abs=0.015 if loose else 0.003)
        assert again.loss[-1] == pytest.approx(ends.loss[seed], abs=0.01, rel=0.1 if loose else 0.01)


@pytest.mark.parametrize("name", RUN_ONCE)
def test_what_was_run_once_repeats(name):
    ends = recorded_runs(name)
    assert ends.accuracy.shape == ends.loss.shape == (200,)
    again = train(11, record_every=1000, progress=False, **RUN_ONCE[name])
    assert again.accuracy[-1] == pytest.approx(ends.accuracy[11], abs=0.003)
    assert again.loss[-1] == pytest.approx(ends.loss[11], abs=0.01, rel=0.01)
    for other in ({"loss": "probability"}, {"learning_rate": 0.03}):
        with pytest.raises(ValueError, match="is on record with 'log-probability' and 0.1 alone"):
            recorded_runs(name, **other)


def test_the_rescue_repeats():
    lost = train(3, loss="probability", record_every=1000, progress=False).model
    again = train(3, start=lost, record_every=1000, progress=False)
    assert again.accuracy[-1] == pytest.approx(recorded_rescue()[3], abs=0.003)


def test_source_002s_own_loop():
    """Two epochs of two seeds once more, one sample at a time, in the source's own parameters, which have no scale."""
    printed, accuracy = recorded_source_002()
    for seed in (0, 117):
        rng = np.random.default_rng(seed)
        theta = {"w_q": rng.normal(size=(1, 4, 3)), "w_k": rng.normal(size=(1, 4, 3))}
        theta |= {"w_o": rng.uniform(-0.5, 0.5, (4, 2)), "b_o": rng.uniform(-0.5, 0.5, 2)}
        momentum = {name: np.zeros_like(value) for name, value in theta.items()}
        unseen = all_cases(noise_token_batch(np.random.default_rng([seed, 1]), 500, 4)[0])
        for epoch in range(2):
            noise, ends = rng.uniform(-1, 1, (3000, 2, 4)), 2.0 * rng.integers(0, 2, (3000, 2)) - 1
            for (b, c), (a, d) in zip(noise, ends, strict=True):
                x = np.array([[np.full(4, a), b, c, np.full(4, d)]])
                scaled = XorModel(theta | {"w_q": np.sqrt(3) * theta["w_q"]})
                gradient = scaled.loss_and_gradient(x, [int(a != d)], "probability")[1]
                gradient["w_q"] = gradient["w_q"] * np.sqrt(3)
                for name in theta:
                    momentum[name] = 0.9 * momentum[name] + gradient[name]
                    theta[name] = theta[name] - 1e-3 * momentum[name]
            rng.uniform(-1, 1, (2, 4, 100)), rng.integers(0, 2, (2, 100))  # its 100 test samples
            model = XorModel(theta | {"w_q": np.sqrt(3) * theta["w_q"]})
            assert model.accuracy(*unseen) == pytest.approx(accuracy[epoch, seed], abs=0.002)
    assert printed.shape == accuracy.shape == (10, 200)
    assert accuracy.max() <= 0.75  # Theorem 2, on samples with all four cases
    end = accuracy[-1]
    assert (recorded_source_002("log-probability")[1][-1] < end).sum() == 196  # seed by seed
    assert ((end >= 0.74).sum(), ((end >= 0.6) & (end < 0.74)).sum(), (end < 0.6).sum()) == SOURCE_ENDS
    assert round(float(np.median(end)), 2) == 0.61
    assert printed.max() == 0.86
    mended = recorded_source_002("log-probability")[1][-1]
    assert ((mended < 0.6).sum(), (mended >= 0.74).sum()) == (199, 0)


SOURCE_ENDS = (43, 87, 70)


def test_a_coins_loss_is_not_a_coins_accuracy(runs, fresh):
    """No query bias, the log loss: ln 2 from each seed, and accuracies from below 0.35 to above 0.65."""
    for name in ("one head, no query bias", "two heads, no query bias"):
        ends = recorded_runs(name)
        assert_allclose(ends.loss, np.log(2), atol=2e-3)
        assert ends.accuracy.min() < 0.35
        assert ends.accuracy.max() > 0.65
        assert round(float(ends.accuracy.mean()), 2) in (0.50, 0.51)
    six = accuracies(runs["one head, no query bias"], fresh)
    assert_allclose(six, [0.50, 0.50, 0.50, 0.41, 0.50, 0.65], atol=0.006)


def test_one_head_ends_at_the_wall():
    for rate in RUN_RATES:
        ends = recorded_runs("one head", learning_rate=rate)
        assert ends.accuracy.min() >= 0.748
        assert ends.accuracy.max() <= 0.75
    assert_allclose(recorded_runs("one head").loss, 0.477, atol=0.005)


def test_a_relu_layer_learns_from_most_seeds():
    ends = recorded_runs("one head, ReLU").accuracy
    assert ((ends >= 0.99).sum(), (ends <= WALL).sum()) == (164, 36)
    assert ends[2] <= WALL
    assert ends[[0, 1, 3, 4, 5]].min() >= 0.99


def test_four_heads_learn_from_every_seed():
    assert recorded_runs("four heads").accuracy.min() >= 0.99
    lost = recorded_runs("four heads", loss="probability").accuracy
    assert (lost <= WALL).sum() == 199


def test_two_heads_that_ask_the_same_are_one(fresh):
    """Four of 200 stay at the wall, with both heads after one sign; 196 pass it."""
    ends = recorded_runs("two heads").accuracy
    stay = np.flatnonzero(ends <= WALL)
    assert_array_equal(stay, [57, 143, 144, 154])
    assert (ends >= 0.99).sum() == 196
    for seed in stay:
        asked = signs(train(int(seed), progress=False, record_every=1000).model, fresh[0][:500])
        assert len(np.unique(asked)) == 1


def test_the_wrong_loss_holds_most_but_not_all():
    """−p, step size 0.1: two heads end at the wall 191 times of 200 and past it nine times, one head never past it."""
    two = recorded_runs("two heads", loss="probability").accuracy
    assert ((np.abs(two - 0.75) <= 0.01).sum(), (two >= 0.99).sum()) == (191, 9)
    assert two[19] >= 0.99
    one = recorded_runs("one head, no query bias", loss="probability").accuracy
    assert ((one >= 0.74).sum(), (one < 0.74).sum()) == (161, 39)
    assert one.max() <= 0.75
    freed = recorded_rescue()
    assert ((freed >= 0.99).sum(), (freed <= WALL).sum()) == (188, 11)
    assert freed[(freed > WALL) & (freed < 0.99)].round(2).tolist() == [0.98]
    held = two <= WALL  # nine of the 188 were free before
    assert (held.sum(), (freed[held] >= 0.99).sum(), (freed[~held] >= 0.99).sum()) == (191, 179, 9)


def test_four_right_on_one_draw_say_nothing_of_the_accuracy():
    """Say "differ" where the mean of all tokens is within 0.02 of 0: four right on one draw in seven, 0.57 in all."""
    noise = noise_token_batch(np.random.default_rng(20_000), 2000, 4)[0][:, 1:3]
    right = []
    for a, d in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        mean = (noise.sum(axis=(1, 2)) + 4 * (a + d)) / 16
        right.append((np.abs(mean) < 0.02) == (a != d))
    assert 0.55 < np.mean(right) < 0.6
    assert 200 < np.all(right, axis=0).sum() < 400
