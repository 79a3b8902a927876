"""Chapter 8: a cache of turned keys, four public reports, and what the libraries have."""

import math

import numpy as np
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from attn.multihead import split_heads
from attn.positional import angular_frequencies
from attn.rotary import rotary_attention, rotate, stretch, to_layout
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


def test_report_1_halves_are_paired():
    """Number i turns with number i + d/2. Move both: nothing moves. It is a layout, and no bug."""
    q, k = np.random.default_rng(0).normal(size=(2, 200, 64))
    clocks = angular_frequencies(64)

    def score(p, j):
        turned = []
        for x, place in ((q, p), (k, j)):
            angles = place * np.concatenate([clocks, clocks])
            turned.append(x * np.cos(angles) + np.hstack([-x[:, 32:], x[:, :32]]) * np.sin(angles))
        return (turned[0] * turned[1]).sum(axis=1)

    for step in (1, 20, 1000):
        assert np.abs(score(3, 0) - score(3 + step, step)).max() < 1e-11
    assert_allclose(
        score(3, 0), (rotate(q, 3, layout="halves") * rotate(k, 0, layout="halves")).sum(axis=1), atol=1e-12
    )


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


def test_report_3_turned_by_minus_theta():
    """With every second column of W_Q and W_K negated the scores are the same: a sign that training finds."""
    rng = np.random.default_rng(2)
    x, w_q, w_k = rng.normal(size=(7, 5)), *rng.normal(size=(2, 5, 8))
    flip = np.tile([1.0, -1], 4)
    places = np.arange(7)
    right = rotate(x @ w_q, places) @ rotate(x @ w_k, places).T
    other = rotate(x @ (w_q * flip), -places) @ rotate(x @ (w_k * flip), -places).T
    assert_allclose(other, right, atol=1e-12)
    same_weights = rotate(x @ w_q, -places) @ rotate(x @ w_k, -places).T
    assert np.abs(same_weights - right).max() > 0.1  # trained ones are of one direction


def test_report_4_weights_of_neighbors_code_of_halves():
    """Right at offset 0 and off everywhere else; reordered on loading, right."""
    rng = np.random.default_rng(3)
    x, (w_q, w_k) = rng.normal(size=(9, 16)), rng.normal(size=(2, 16, 32)) / 4
    places = np.arange(9)

    def scores(w_q, w_k, layout):
        q, k = (rotate(split_heads(x @ w, 2), places, layout=layout) for w in (w_q, w_k))
        return q @ k.mT

    right, wrong = (scores(w_q, w_k, layout) for layout in ("interleaved", "halves"))
    off = np.abs(right - wrong)
    assert_allclose(np.diagonal(off, axis1=1, axis2=2), 0, atol=1e-12)
    assert off.max() > 1
    loaded = [to_layout(w, "interleaved", "halves", n_heads=2) for w in (w_q, w_k)]
    assert_allclose(scores(*loaded, "halves"), right, atol=1e-11)
