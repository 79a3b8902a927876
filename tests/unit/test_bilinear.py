"""attn.bilinear: the gradient against finite differences, and what training finds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.bilinear import cross_entropy, fit
from attn.pmi import pmi


def centered(scores):
    return scores - scores.mean(axis=1, keepdims=True)


def random_joint(seed, n=6, m=5):
    table = np.exp(np.random.default_rng(seed).normal(size=(n, m)))
    return table / table.sum()


def test_a_masked_score_of_an_impossible_pair_costs_nothing():
    joint = np.array([[0.25, 0.55], [0.0, 0.2]])
    loss, slope = cross_entropy(np.array([[0.0, 0.0], [-np.inf, 0.0]]), joint)
    assert loss == pytest.approx(0.8 * np.log(2))
    assert_allclose(slope[1], 0)


@pytest.mark.parametrize("seed", range(3))
def test_training_finds_pmi_plus_the_prior_where_d_k_suffices(seed):
    joint = random_joint(seed)
    target = pmi(joint, np.e) + np.log(joint.sum(axis=0))
    found = fit(joint, 4, np.random.default_rng(seed))  # five columns: rank 4
    assert np.abs(centered(found.scores) - centered(target)).max() < 1e-6
    given = fit(joint, 5, np.random.default_rng(seed), prior=np.log(joint.sum(axis=0)))
    assert np.abs(centered(given.scores) - centered(pmi(joint, np.e))).max() < 1e-6


@pytest.mark.parametrize("d_k", [1, 2, 3])
def test_too_short_each_answer_wins_in_its_own_measure(d_k):
    joint = random_joint(7)
    target = centered(np.log(joint))
    u, s, vt = np.linalg.svd(target, full_matrices=False)
    svd = (u[:, :d_k] * s[:d_k]) @ vt[:d_k]
    trained = fit(joint, d_k, np.random.default_rng(1), start=(u[:, :d_k] * s[:d_k], vt[:d_k].T)).scores
    assert np.linalg.norm(svd - target) < np.linalg.norm(centered(trained) - target)
    assert cross_entropy(trained, joint)[0] < cross_entropy(svd, joint)[0]
