"""Chapter 8: a cache of turned keys, four public reports, and what the libraries have."""

import math

import numpy as np
from numpy.testing import assert_allclose

from attn.attention import scaled_dot_product_attention
from attn.bias import alibi_bias, alibi_slopes
from attn.masks import causal_mask, to_additive
from attn.multihead import split_heads
from attn.positional import angular_frequencies
from attn.rotary import rotary_attention, rotate, stretch, to_layout
from attn.softmax import softmax
from tests.claims.mixed_up import mixed_up

# very very very big: clock 0 makes half a turn a word, clock 1 a quarter
HALF_QUARTER = np.array([np.pi, np.pi / 2])
VERY, QUERY = np.array([1.0, 0, 1, 0]), np.array([-1.0, 0, 0, -2])


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


def test_turned_before_the_split():
    """Neighbors stay in one head and relative. Halves are torn apart: the sum of both heads' scores alone stays."""
    q, k = np.random.default_rng(1).normal(size=(2, 5, 8))

    def scores(layout, start):
        places = start + np.arange(5)
        q_heads, k_heads = (split_heads(rotate(x, places, layout=layout), 2) for x in (q, k))
        return q_heads @ k_heads.mT

    assert_allclose(scores("interleaved", 0), scores("interleaved", 9), atol=1e-12)
    here, there = (scores("halves", start) for start in (0, 9))
    assert (np.abs(here - there).max(axis=(1, 2)) > 0.1).all()
    assert_allclose(here.sum(axis=0), there.sum(axis=0), atol=1e-12)


def test_a_mixed_layout_begins_well():
    """Code of one layout, weights of the other: right and wrong scores of random vectors, d = 64.

    Their correlation is the mean of the products of the two diagonals, so it is computed, and 4,000 draws agree.
    """
    clocks = angular_frequencies(64)
    q, k = np.random.default_rng(0).normal(size=(2, 4000, 64))
    right_of, wrong_of = np.repeat(clocks, 2), np.tile(clocks, 2)
    for o, told in ((0, 1), (1, 0.939), (2, 0.837), (5, 0.663), (20, 0.396), (100, 0.236)):
        exact = (np.cos(o * right_of) * np.cos(o * wrong_of)).mean()
        assert_allclose(exact, told, atol=5e-4)
        right, wrong = ((q * rotate(k, o, layout=layout)).sum(axis=1) for layout in ("interleaved", "halves"))
        assert abs(np.corrcoef(right, wrong)[0, 1] - exact) < 4 / math.sqrt(4000)
        assert o or np.abs(right - wrong).max() < 1e-12  # right at offset 0


def test_yarn_as_its_code_has_it():
    """There the share falls with the pair's number, not with the turns: other clocks, and 4,098 in place of 3,011."""

    def number(turns):
        return 128 * math.log(4096 / (turns * 2 * math.pi)) / (2 * math.log(10_000))

    low, high = math.floor(number(32)), math.ceil(number(1))
    divided = np.clip((np.arange(64) - low) / (high - low), 0, 1)
    trained = angular_frequencies(128)
    clocks = trained * (divided / 4 + 1 - divided)
    assert (low, high) == (20, 46)
    assert np.abs(clocks / stretch(trained, 4, "yarn", n_trained=4096) - 1).max() > 0.3
    for back, looks in (
        (1, 1),
        (20, 20),
        (100, 100),
        (1000, 4098),
    ):  # set to look `back` with the trained clocks
        curve = np.cos(np.arange(16_384)[:, None] * clocks - trained * back).sum(axis=1)
        assert curve.argmax() == looks


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


def alibi_weights(bias, n=6):
    q = np.zeros((len(bias), n, 2))
    return scaled_dot_product_attention(q, q, q, bias + to_additive(causal_mask(n)))[1]


def test_what_of_alibi_is_visible():
    slopes, i, j = alibi_slopes(8)[:, None, None], np.arange(6)[:, None], np.arange(6)
    right = alibi_weights(-slopes * (i - j))
    for other in (slopes * j + 0.0 * i, -slopes * (i - j + 1)):
        assert_allclose(alibi_weights(other), right, rtol=1e-12)
    from_1 = alibi_weights(-2 * slopes * (i - j))  # slopes 1, ½ … in place of ½, ¼ …
    assert np.abs(from_1 - right).max() > 0.1
    step = alibi_bias(1, 6, alibi_slopes(8))[:, 0]  # a cached step whose query is taken for the first
    assert np.abs(softmax(step) - right[:, -1]).max() > 0.1
    assert_allclose(softmax(alibi_bias(1, 6, alibi_slopes(8), offset=5)[:, 0]), right[:, -1], rtol=1e-12)
    flat = softmax(0 * step)  # or has no bias at all
    assert np.abs(flat - right[:, -1]).max() > 0.1


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


def test_report_2_by_hand():
    """The score of big with its neighbor: 1, 3, 1, 3 in place of 3, so a test at one place would pass."""
    found = [
        mixed_up(QUERY, 3 + start, HALF_QUARTER) @ mixed_up(VERY, 2 + start, HALF_QUARTER)
        for start in range(4)
    ]
    assert_allclose(found, [1, 3, 1, 3], atol=1e-12)
    odd = mixed_up(np.eye(4), 1, HALF_QUARTER)
    assert_allclose(
        [np.linalg.det(odd[:2, :2]), np.linalg.det(odd[2:, 2:])], 0, atol=1e-12
    )  # squashed to a line


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


def test_slips_that_a_small_test_misses():
    """At d = 2 all exponents agree, from d = 4 on they don't; and i / d, 4 i / d, halves pass the moving test."""
    q, k = np.random.default_rng(6).normal(size=(2, 1, 8))
    i = np.arange(4)
    for clocks in (10_000.0 ** (-i / 8), 10_000.0 ** (-4 * i / 8), np.ones(4)):
        here, there = (
            (rotate(q, p + 3, frequencies=clocks) @ rotate(k, p, frequencies=clocks).T).item() for p in (0, 9)
        )
        assert_allclose(here, there, atol=1e-12)
        assert abs(here - (rotate(q, 3) @ k.T).item()) > 0.01
    for exponent in (1, 2, 4):
        assert 10_000.0 ** (-exponent * 0 / 2) == angular_frequencies(2)[0]


def test_keys_that_resemble_the_query_decay():
    """Keys q / 2 plus noise, drawn and turned; the noise alone gives scores of mean 0 at each offset."""
    query, rng = np.ones(64), np.random.default_rng(8)
    keys = query / 2 + rng.normal(size=(100_000, 64))
    for offset, wanted in ((0, 32), (100, 18), (1000, 9), (4000, 0)):
        scores = rotate(keys, -offset) @ query
        assert abs(scores.mean() - wanted) < 0.3
        assert abs(scores.std() - 8) < 0.1  # how far they spread stays
    assert (
        round((rotate(query[None] / 2, -17_156) @ query).item()) == -13
    )  # the mean: it has not gone for good


def test_halves_stay_after_50():
    """The show of hands: paired by halves, no score moves, in the first row or any other; nor does it get smaller."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 9, 16))
    here, later = (
        rotate(q, start + np.arange(9), layout="halves") @ rotate(k, start + np.arange(9), layout="halves").T
        for start in (0, 50)
    )
    assert_allclose(later, here, atol=1e-12)
    neighbors = rotate(q, np.arange(9)) @ rotate(k, np.arange(9)).T
    assert np.abs(here - neighbors).max() > 0.1  # they are not those of the paper's pairs, and they stay
