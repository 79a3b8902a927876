"""Chapter 8: a cache of turned keys, angles that were mixed up, and what the libraries have."""

import math

import numpy as np
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from attn.positional import angular_frequencies
from attn.rotary import rotary_attention, rotate, stretch
from tests.claims.mixed_up import mixed_up


def test_a_cache_of_turned_keys():
    """It equals the full pass; new queries that are put at 0 get row 0 right and no other."""
    q, k, v = np.random.default_rng(2).normal(size=(3, 5, 6))
    full = rotary_attention(q, k, v, mask=causal_mask(5))[0]
    kept = rotate(k, np.arange(5))

    def step(n, at):
        return scaled_dot_product_attention(rotate(q[n : n + 1], [at]), kept[: n + 1], v[: n + 1])[0][0]

    assert_allclose([step(n, n) for n in range(5)], full, atol=1e-12)
    wrong = np.abs([step(n, 0) for n in range(5)] - full).max(axis=1)
    assert wrong[0] < 1e-12
    assert (wrong[1:] > 1e-3).all()


def test_llama_3_1_has_the_formula_with_four_turns():
    """As the library has it: by wavelengths, with two thresholds and a line between; 8, 1, 4 and 8,192 are Llama's."""
    clocks = angular_frequencies(128, base=500_000)
    theirs = []
    for omega in clocks:
        wave = 2 * math.pi / omega
        if wave < 8192 / 4:
            theirs.append(omega)
        elif wave > 8192 / 1:
            theirs.append(omega / 8)
        else:
            share = (8192 / wave - 1) / (4 - 1)
            theirs.append((1 - share) * omega / 8 + share * omega)
    assert_allclose(stretch(clocks, 8, "yarn", n_trained=8192, many_turns=4), theirs, rtol=1e-12)
    assert np.abs(stretch(clocks, 8, "yarn", n_trained=8192) / theirs - 1).max() > 0.3


def test_report_2_angles_in_halves_on_pairs_of_neighbors():
    """Random scores of size 8, query at 3, key at 0, move by 4.7 as both move by 100. An area shrinks by cos(a − b)."""
    clocks = angular_frequencies(64)
    eye = np.eye(64)

    def between(p, j):
        return mixed_up(eye, p, clocks) @ mixed_up(eye, j, clocks).T

    assert_allclose(np.linalg.norm(between(0, 0)), 8)
    assert_allclose(np.linalg.norm(between(3, 0) - between(103, 100)), 4.7, atol=0.05)
    q, k = np.random.default_rng(1).normal(size=(2, 20_000, 64))
    here, there = (
        (mixed_up(q, 3 + step, clocks) * mixed_up(k, step, clocks)).sum(axis=1) for step in (0, 100)
    )
    assert_allclose(np.sqrt(((here - there) ** 2).mean()), 4.7, atol=0.15)
    longer = np.linalg.norm(mixed_up(q, 100, clocks), axis=1) / np.linalg.norm(q, axis=1)
    assert longer.min() < 0.85
    assert longer.max() > 1.13
    angles = 7 * np.concatenate([clocks, clocks]).reshape(-1, 2)
    moved = mixed_up(eye, 7, clocks)
    areas = [np.linalg.det(moved[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]) for i in range(32)]
    assert_allclose(areas, np.cos(angles[:, 0] - angles[:, 1]), atol=1e-12)
