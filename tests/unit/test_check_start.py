"""The checker of the spread before training: right answers pass, each known mistake gets its own hint."""

import numpy as np
import pytest

from attn.check.variance._start import _right
from tests.unit.checkers import assert_hint, assert_passes

NAME = "deviation_at_start"


@pytest.mark.parametrize(("d_model", "d_k"), [(1, 3), (2, 7), (5, 2), (16, 4)])
def test_what_is_called_right_is_measured(d_model, d_k):
    """Layers drawn as nn.Linear draws them, a pair for each score; the input has mean square 1."""
    rng, n = np.random.default_rng(d_model), 200_000
    x = rng.normal(size=(n, d_model))
    x /= np.sqrt((x**2).mean(axis=1, keepdims=True))
    score = np.zeros(n)
    for _ in range(d_k):
        q, k = (
            (x * rng.uniform(-1, 1, size=(n, d_model))).sum(axis=1) + rng.uniform(-1, 1, size=n) for _ in "qk"
        )
        score += q * k / d_model
    assert (score / np.sqrt(d_k)).std() == pytest.approx(float(_right(d_model, d_k)), rel=0.02)


@pytest.mark.parametrize(
    "function",
    [
        lambda d, h: (1 + 1 / d) / 3,
        lambda d, h: np.float32(1 / 3 + 1 / (3 * d)),
        lambda d, h: np.sqrt(h * ((d + 1) / (3 * d)) ** 2) / np.sqrt(h),
    ],
)
def test_right_answers_pass(function, capsys):
    assert_passes(NAME, function, capsys)


WRONG = {
    "no bias": (lambda d, h: 1 / 3, ["bias", "1/(3 d_model)"]),
    "bound for deviation": (lambda d, h: (d + 1) / d, ["*bound*", "a²/3"]),
    "twelfth": (lambda d, h: (d + 1) / d / 12, ["a²/12"]),
    "variance": (lambda d, h: ((d + 1) / (3 * d)) ** 2, ["variance", "root"]),
    "one entry": (lambda d, h: ((d + 1) / (3 * d)) ** 0.5, ["one entry of q"]),
    "not scaled": (lambda d, h: h**0.5 * (d + 1) / (3 * d), ["root missing"]),
    "divided by d_k": (lambda d, h: h**-0.5 * (d + 1) / (3 * d), ["Divided by d_k"]),
    "nearly": (lambda d, h: 1.02 * (d + 1) / (3 * d), ["but the answer is"]),
    "infinite": (lambda d, h: np.inf, ["inf"]),
}


@pytest.mark.parametrize(("function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(function, words, capsys):
    assert_hint(NAME, function, words, capsys, lines=7, characters=700)
