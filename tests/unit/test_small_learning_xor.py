"""The small figures of chapter 6: what the page says of them is so."""

import numpy as np
import pytest

from attn.explore import AdamAndScale, OneScoreOfFour, PullOfLosses, QueryLearns, SampleAndMirror, ThreeOfFour
from attn.softmax import log_softmax, softmax
from attn.xor import XorModel, all_cases, noise_token_batch

TOKENS = np.array([1, 0.5, -0.5, -1])


def entry(figure, name):
    """One number that a figure shows: "weights.0.1", or a scalar."""
    name, *place = name.split(".")
    value = np.asarray(figure.numbers()[name], dtype=float)
    return value[tuple(map(int, place))] if place else value.item()


def loss_of(scores):
    """The example by hand once more: minus the logarithm of the probability of "differ"."""
    return -log_softmax(np.array([0, softmax(scores) @ TOKENS]))[1]


@pytest.mark.parametrize("score", [-4.0, 0.3, 1.0, 6.0])
def test_both_slopes_are_central_differences(score):
    """Of each of the four scores, and of the query."""
    scores, h = np.array([2, score, -1, -2]), 1e-5
    measured = [(loss_of(scores + h * one) - loss_of(scores - h * one)) / (2 * h) for one in np.eye(4)]
    np.testing.assert_allclose(OneScoreOfFour(score=score).numbers()["d_scores"][0], measured, atol=1e-9)
    q = score / 2
    slope = (loss_of((q + h) * TOKENS) - loss_of((q - h) * TOKENS)) / (2 * h)
    assert entry(QueryLearns(query=q), "slope") == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize("exponent", [-9, -8, -5, -3, 0, 1])
def test_adams_curve_is_its_code(exponent):
    """The page's own `adam`, with the same gradient at each step: each step is as long as the figure says."""
    gradient, mean, square, rate = 10.0**exponent, 0.0, 0.0, 0.1
    adams, plain = 10 ** AdamAndScale(exponent=exponent).numbers()["step_now"].ravel()
    for t in range(1, 30):
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        m, s = mean / (1 - 0.9**t), square / (1 - 0.999**t)
        assert rate * m / (np.sqrt(s) + 1e-8) == pytest.approx(adams, rel=1e-9)
    assert plain == pytest.approx(rate * gradient)
    if exponent >= -6:
        assert adams == pytest.approx(rate, rel=0.011)


def test_three_of_four_and_never_all():
    """Over the slider, and where the other two numbers are moved as well."""
    seen = set()
    for plus in np.linspace(-3, 3, 61):
        low, mixed, same, high = ThreeOfFour(plus=plus).numbers()["votes"][0]
        assert mixed == same
        assert [low, mixed, high] == pytest.approx([-1 - 1 + 0.6, -1 + plus + 0.6, plus + plus + 0.6])
        seen.add(((low < 0) + 2 * (mixed > 0) + (high < 0)).item())
        equal, differ = ThreeOfFour(plus=plus).numbers()["pairs"][0]
        assert equal == pytest.approx(differ)
    assert seen == {1, 2, 3}
    low, mixed, same, high = ThreeOfFour(plus=1.0).numbers()["votes"][0]
    assert (low < 0, mixed > 0, same > 0, high < 0) == (True, True, True, False)


def test_to_mend_the_last_case_costs_two():
    for plus in np.linspace(-3, 3, 61):
        _, mixed, _, high = ThreeOfFour(plus=plus).numbers()["votes"][0]
        assert not (mixed > 0 and high < 0)


def test_the_mean_of_a_sample_and_its_mirror_is_least_at_one_half():
    sample, mirror, mean = SampleAndMirror().numbers()["losses"]
    np.testing.assert_allclose(sample, mirror[::-1], atol=1e-12)
    assert mean.argmin() == 40
    assert mean[40] == pytest.approx(np.log(2))


def test_a_network_without_a_query_bias_gives_the_mirror_the_other_logit():
    """What the figure of the mirror assumes, of networks with random weights and no constant in the readout."""
    rng = np.random.default_rng(6)
    cases, _ = all_cases(noise_token_batch(rng, 20, 4)[0])
    for n_heads in (1, 2, 4):
        model = XorModel.init(rng, n_heads=n_heads, query_bias=False)
        there, mirrored = (model.forward(x).logits for x in (cases, -cases))
        lead, other = there[:, 1] - there[:, 0], mirrored[:, 1] - mirrored[:, 0]
        assert np.abs(lead).max() > 0.1
        np.testing.assert_allclose(other, -lead, atol=1e-12)


@pytest.mark.parametrize("lead", [-6.0, -2.0, 0.0, 3.0])
def test_both_pulls_are_slopes(lead):
    """Downhill: minus the derivative of −ln p, and of −p, for the right answer's logit."""
    h, p = 1e-5, lambda z: softmax(np.array([z, 0.0]))[0]
    slopes = [(f(p(lead + h)) - f(p(lead - h))) / (2 * h) for f in (lambda p: -np.log(p), lambda p: -p)]
    np.testing.assert_allclose(
        PullOfLosses(lead=lead).numbers()["pull_now"].ravel(), -np.array(slopes), atol=1e-9
    )
