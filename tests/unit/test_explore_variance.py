"""The Python side of ScoreVariance: what it accepts, and that its numbers mean what they say."""

import math

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose, assert_array_equal

from attn.explore import ScoreVariance
from attn.softmax import softmax
from attn.variance import score_variance


def test_d_k_is_a_power_of_two():
    assert ScoreVariance().d_k == 4
    assert ScoreVariance(d_k=1024).log2_d_k == 10
    for wrong in (0, 3, 2048, -4, 2.5):
        with pytest.raises(ValueError, match="power of two from 1 to 1024"):
            ScoreVariance(d_k=wrong)


@pytest.mark.parametrize(
    "wrong", [{"log2_d_k": 11}, {"scale": "sqrt"}, {"temperature": 0.0}, {"correlation": 1.1}, {"seed": 0}]
)
def test_traits_are_checked(wrong):
    with pytest.raises(traitlets.TraitError):
        ScoreVariance(**wrong)


def test_scales_and_temperature_are_one_factor():
    plain = ScoreVariance(d_k=64)
    assert_allclose(ScoreVariance(d_k=64, scale="root").scores, plain.scores / 8)
    assert_allclose(ScoreVariance(d_k=64, scale="d_k").scores, plain.scores / 64)
    assert_allclose(ScoreVariance(d_k=64, temperature=8).weights, ScoreVariance(d_k=64, scale="root").weights)
    assert_allclose(plain.weights, softmax(plain.scores))


def test_prefix_sums_are_of_one_draw():
    """The score at d_k = 2 is that at 1 and one product more: nothing is drawn anew."""
    for seed in (1, 12):
        scores = np.array([ScoreVariance(log2_d_k=i, seed=seed).scores[0] for i in range(11)])
        steps = np.diff(scores, axis=0)
        sizes = np.sqrt(2.0 ** np.arange(10))[:, None]  # each step adds as many products as there were
        assert 0.6 < (steps / sizes).std() < 1.6


def test_the_correlation_acts_on_the_own_key_alone():
    before, after = ScoreVariance(d_k=1024), ScoreVariance(d_k=1024, correlation=1.0)
    assert_array_equal(after.scores[0, 1:], before.scores[0, 1:])
    assert abs(after.scores[0, 0] / 1024 - 1) < 0.15  # q·q
    assert_allclose(ScoreVariance(d_k=1024, correlation=-1.0).scores[0, 0], -after.scores[0, 0])


@pytest.mark.parametrize("rho", [0.0, 0.5, -1.0])
@pytest.mark.parametrize("scale", ["none", "root", "d_k"])
def test_the_samples_follow_the_formula(rho, scale):
    inside = 0
    for seed in range(1, 65):
        numbers = ScoreVariance(d_k=64, scale=scale, correlation=rho, seed=seed).scalars()
        factor = {"none": 1, "root": 1 / 8, "d_k": 1 / 64}[scale]
        assert_allclose(numbers["variance"], score_variance(64, correlation=rho, scale=factor))
        inside += abs(numbers["sample_variance"] - numbers["variance"]) < numbers["sample_error"]
    assert 54 <= inside <= 64  # 95 % of 64 are 61


def test_histogram_and_normal_curve_are_shares():
    for state in ({}, {"d_k": 1024}, {"d_k": 1024, "scale": "d_k"}, {"d_k": 256, "correlation": 0.9}):
        widget = ScoreVariance(**state)
        found = widget.matrices()
        assert_allclose(found["histogram"].sum(), 1)
        assert_allclose(found["normal"].sum(), 1)
        assert (found["normal"] >= 0).all()
    # At d_k = 64 with the root, the shape is normal: within the error of 128 draws.
    found = ScoreVariance(d_k=64, scale="root").matrices()
    error = np.sqrt(found["normal"] * (1 - found["normal"]) / 128)
    assert (np.abs(found["histogram"] - found["normal"]) <= 4 * error + 1 / 128).all()


def test_alt_text_and_fallback_say_what_is_drawn():
    widget = ScoreVariance(d_k=64, scale="root")
    assert "d_k = 64" in widget.alt
    assert "√d_k" in widget.alt
    assert widget.png()[:4] == b"\x89PNG"
    assert repr(widget).startswith("<ScoreVariance: weights 1×8")


def test_gauges():
    numbers = ScoreVariance(d_k=1024).scalars()
    assert numbers["largest_weight"] > 0.99
    assert numbers["entropy"] < 0.05
    blurred = ScoreVariance(d_k=1024, scale="d_k").scalars()
    assert blurred["entropy"] > 0.99 * math.log(8)
    assert blurred["jacobian_norm"] <= 0.5
