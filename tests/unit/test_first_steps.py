"""The first steps of the fit, entry by entry: what a long run forgets, a first step shows.

Adam's first step is the step size times the sign of the gradient, whatever its size; the second is worked out by hand
from the two gradients. The step size falls along half a cosine where the page says so.
"""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.bilinear import fit, loss_and_gradient
from tests.unit.answers.xor import adam

JOINT = np.array([[0.1, 0.6], [0.2, 0.1], [0.0, 0.0]])


def path_of(gradient_at, x, rates):
    """Where Adam goes, entry by entry."""
    x, mean, square, path = np.array(x, dtype=float), np.zeros(len(x)), np.zeros(len(x)), []
    for t, rate in enumerate(rates, start=1):
        step = lambda slope, m, s: m / (math.sqrt(s) + 1e-12)  # noqa: E731
        x, mean, square = adam(x, gradient_at(x), mean, square, t, rate, step)
        path.append(x)
    return path


def falling(rate, n):
    """Half a cosine, from the whole rate to 0."""
    return [rate * (0.5 + 0.5 * math.cos(math.pi * step / n)) for step in range(n)]


@pytest.mark.parametrize("n_steps", [1, 2, 3, 7])
@pytest.mark.parametrize("prior", [None, [0.5, -1.0]])
def test_fit_step_by_step(n_steps, prior):
    rng = np.random.default_rng(0)
    start = rng.normal(size=(3, 2)), rng.normal(size=(2, 2))
    kept = [x.copy() for x in start]
    shift = np.zeros(2) if prior is None else np.array(prior)

    def gradient_at(x):
        q, k = x[:6].reshape(3, 2), x[6:].reshape(2, 2)
        scores = q @ k.T + shift
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        d = JOINT.sum(axis=1, keepdims=True) * weights - JOINT
        return np.concatenate([(d @ k).ravel(), (d.T @ q).ravel()])

    found = fit(JOINT, 2, None, n_steps=n_steps, learning_rate=0.3, start=start, prior=prior)
    path = path_of(gradient_at, np.concatenate([x.ravel() for x in start]), falling(0.3, n_steps))
    assert_allclose(np.concatenate([found.q.ravel(), found.k.ravel()]), path[-1], rtol=1e-9, atol=1e-12)
    for now, then in zip(start, kept, strict=True):
        assert_array_equal(now, then)
    assert len(found.loss) == n_steps
    first = loss_and_gradient(*kept, JOINT, shift)[0]
    assert found.loss[0] == pytest.approx(first, rel=1e-12)
    for step, x in enumerate(path[:-1], start=1):
        loss = loss_and_gradient(x[:6].reshape(3, 2), x[6:].reshape(2, 2), JOINT, shift)[0]
        assert found.loss[step] == pytest.approx(loss, rel=1e-9)


def test_fit_draws_its_first_queries_then_its_keys():
    """With a step size of zero it hands back what it drew: 0.3 times a normal number."""
    rng = np.random.default_rng(3)
    q, k = 0.3 * rng.standard_normal((3, 4)), 0.3 * rng.standard_normal((2, 4))
    found = fit(JOINT, 4, np.random.default_rng(3), n_steps=2, learning_rate=0.0)
    assert_allclose(found.q, q, rtol=1e-12)
    assert_allclose(found.k, k, rtol=1e-12)
