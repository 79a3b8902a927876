"""The Python side of MultiHead: presets, validation, and numbers that are those of attn.multihead."""

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose

from attn.explore import MultiHead
from attn.explore.multihead import PRESETS
from attn.multihead import MultiHeadAttention


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_its_layer(preset):
    for n_tokens in (2, 3, 4):
        widget = MultiHead(preset, n_tokens=n_tokens, faders=[1.0, 1.0])
        layer = MultiHeadAttention(widget.w_q, widget.w_k, widget.w_v, np.vstack(widget.w_o))
        x = np.array(widget.x)[:n_tokens]
        output, weights = layer(x)
        assert_allclose(widget.weights, weights, atol=1e-12)
        assert_allclose(widget.output, output, atol=1e-11)
        assert_allclose(widget.matrices()["shares"], layer.shares(x), atol=1e-11)


def test_faders_and_scale():
    one, two = MultiHead(faders=[1.0, 0.0]), MultiHead(faders=[0.0, -0.5])
    both = MultiHead(faders=[1.0, -0.5])
    assert_allclose(one.output + two.output, both.output, atol=1e-15)
    said = MultiHead().matrices()["shares"]
    assert_allclose(both.output, said[0] - 0.5 * said[1], atol=1e-15)
    loud = MultiHead(scaled=False).matrices()["scores"]
    assert_allclose(loud, np.sqrt(3) * MultiHead().matrices()["scores"], atol=1e-12)


def test_first_state_is_legible():
    assert (np.sort(MultiHead().weights, axis=-1)[..., -1] > 0.98).all()


WRONG = {
    "no such preset": (lambda: MultiHead("loud"), ["preset", "legible", "'loud'"]),
    "one token": (lambda: MultiHead(tokens=["a"], x=[[1, 0, 0, 0]]), ["tokens", "1"]),
    "three heads": (lambda: MultiHead(w_q=np.ones((3, 4, 3))), ["w_q", "2 heads", "3"]),
    "w_k is narrower": (lambda: MultiHead(w_k=np.ones((2, 4, 2))), ["w_k[0]", "(4, 3)", "(4, 2)"]),
    "x is too short": (lambda: MultiHead(x=np.eye(3)), ["x", "(3, 3)"]),
    "w_o fits no head": (lambda: MultiHead(w_o=np.ones((2, 2, 4))), ["w_o[0]", "(2, 4)"]),
    "NaN": (lambda: MultiHead(w_v=np.full((2, 4, 3), np.nan)), ["w_v[0]", "finite"]),
}


@pytest.mark.parametrize(("wrong", "words"), WRONG.values(), ids=WRONG)
def test_says_what_it_expected(wrong, words):
    with pytest.raises(ValueError, match=r".") as error:
        wrong()
    assert [word for word in words if word not in str(error.value)] == [], str(error.value)


def test_faders_are_two():
    with pytest.raises(traitlets.TraitError):
        MultiHead(faders=[1.0])


@pytest.mark.parametrize("preset", ["source", "paper"])
def test_the_lecture_on_the_notebook_is_true(preset):
    """One number is dead, another turns the head, and normalized tokens make both heads weigh."""
    start = MultiHead(preset)
    steps = {step["name"]: MultiHead(preset, **step["changes"]) for step in start.lecture}
    assert list(steps) == ["saturated", "dead", "alive", "normalized"]
    assert steps["saturated"].weights.max(axis=-1).min() > 0.999
    assert np.abs(steps["dead"].weights - start.weights).max() < 0.005
    assert (steps["alive"].weights[0, :, 0] > 0.8).all()
    assert_allclose(steps["alive"].weights[1], start.weights[1])
    assert steps["normalized"].weights.min() > 0.3
    assert MultiHead(preset, x=np.ones((4, 4))).lecture == []


def test_the_lecture_on_opposites_is_true():
    outputs = [
        MultiHead("opposites", **step["changes"]).output[:, 0] for step in MultiHead("opposites").lecture
    ]
    assert [set(numbers.round(3)) for numbers in outputs] == [{1.0}, {-1.0}, {2.0}, {0.0}]
