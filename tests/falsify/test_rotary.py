"""The statements on turned queries and keys: attacked inside their conditions, broken just outside each of them.

Angles are numbers here, so that frequencies can be attacked too. Offsets are key minus query.
"""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.positional import angular_frequencies
from attn.rotary import rotate, stretch, to_layout
from attn.transformer import layer_norm, rms_norm
from tests.falsify.attack import TINY, broken, each_breaks, normal, one_by_one, softmax, worst

CLOCKS = angular_frequencies(8)


def turned(x, p, clocks):
    """`rotate` for many instances, each with a place and frequencies of its own: x (n, d), p (n,), clocks (n, d/2)."""
    a, b, angle = x[:, 0::2], x[:, 1::2], p[:, None] * clocks
    pairs = [a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)]
    return np.stack(pairs, axis=-1).reshape(x.shape)


def score(q, k, p, j, clocks):
    return (turned(q, p, clocks) * turned(k, j, clocks)).sum(axis=1)


def lengths(x):
    """The length of each pair: (n, d) -> (n, d/2)."""
    return np.hypot(x[:, 0::2], x[:, 1::2])


def test_what_is_attacked_is_the_books():
    rng = np.random.default_rng(0)
    x, p, clocks = rng.normal(size=(5, 8)), rng.normal(size=5), rng.normal(size=(5, 4))
    for row, place, own, expected in zip(x, p, clocks, turned(x, p, clocks), strict=True):
        assert_allclose(rotate(row[None], place, frequencies=own)[0], expected, atol=1e-14)


# 1. Scores know the signed offset ------------------------------------------------------------------------------------


def relative(q, k, p, j, step, clocks):
    moved = score(q, k, p, j, clocks) - score(q, k, p + step, j + step, clocks)
    return np.abs(moved) / (1 + (lengths(q) * lengths(k)).sum(axis=1))


ANY = {"q": (4,), "k": (4,), "p": (), "j": (), "step": (), "clocks": (2,)}
KEYS_OTHERWISE = {
    "the keys are turned, too": lambda k, j, w: k,
    "and forward": lambda k, j, w: turned(k, -j, w),
    "by the same clocks": lambda k, j, w: turned(k, j, w[:, ::-1]),
    "by angles in proportion to the place": lambda k, j, w: turned(k, j**2, w),
    "lengths stay": lambda k, j, w: np.exp(0.1 * j)[:, None] * turned(k, j, w),
    "nothing is added": lambda k, j, w: turned(k, j, w) + np.sin(j)[:, None],
}


def with_keys(change):
    """The same violation where the keys are turned in another way."""

    def violation(x):
        q, k, p, j, step, clocks = (x[name] for name in ANY)

        def one(p, j):
            return (turned(q, p, clocks) * change(k, j, clocks)).sum(axis=1)

        return np.abs(one(p, j) - one(p + step, j + step)) / (1 + (lengths(q) * lengths(k)).sum(axis=1))

    return violation


def test_relative():
    assert worst(normal(**ANY), lambda x: relative(**x)) <= TINY
    assert (
        worst(normal(**ANY), with_keys(lambda k, j, w: turned(k, j + 1, w))) <= TINY
    )  # another start is inside


@pytest.mark.parametrize("dropped", KEYS_OTHERWISE)
def test_more_than_the_offset_just_outside(dropped):
    assert broken(normal(**ANY), with_keys(KEYS_OTHERWISE[dropped]))


def test_the_distance_is_not_enough():
    """Unless the key is the query: that can't tell before from after."""

    def both_ways(x):
        there, back = (score(x["q"], x["k"], 0 * x["o"], sign * x["o"], x["clocks"]) for sign in (1, -1))
        return np.abs(there - back) / (1 + (lengths(x["q"]) * lengths(x["k"])).sum(axis=1))

    assert broken(normal(q=(4,), k=(4,), o=(), clocks=(2,)), both_ways)
    assert worst(normal(q=(4,), o=(), clocks=(2,)), lambda x: both_ways(x | {"k": x["q"]})) <= TINY


def test_floats_of_32_bits_lose_it():
    q, k = np.random.default_rng(1).normal(size=(2, 200, 64))

    def moved(dtype, step):
        clocks = angular_frequencies(64).astype(dtype)

        def turn(x, p):
            return (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * (np.asarray(p, dtype) * clocks).astype(float))

        here, there = ((turn(q, by) * turn(k, 3 + by).conj()).real.sum(axis=1) for by in (0, step))
        return np.abs(here - there).max()

    assert moved(np.float64, 10**6) < 1e-8
    assert moved(np.float32, 10**6) > 0.05


# 2. Nothing else is linear and relative, up to a basis -------------------------------------------------------------


def orthogonal(numbers):
    """An orthogonal matrix for each instance, of either determinant: Cayley's of d(d − 1)/2 numbers, and a sign."""
    n, count = numbers.shape
    d = round((1 + np.sqrt(8 * count - 7)) / 2)
    skew = np.zeros((n, d, d))
    upper = np.triu_indices(d, 1)
    skew[:, upper[0], upper[1]] = numbers[:, 1:]
    skew = skew - skew.swapaxes(1, 2)
    turn = np.linalg.solve(np.eye(d) + skew, np.eye(d) - skew)
    turn[:, 0] *= np.sign(numbers[:, :1] + 1e-300)
    return turn


def family(x, n=5):
    """Maps M_p, p = 0 … n − 1, that meet the conditions, found from them one after the other.

    M_0 is any invertible matrix. M_1 has the same products with itself, so M_1 = Q M_0 with any orthogonal Q. Each
    next one solves M_pᵀ M_(p + 1) = M_0ᵀ M_1.
    """
    first = x["first"]
    maps = [first, orthogonal(x["turn"]) @ first]
    want = first.swapaxes(1, 2) @ maps[1]
    while len(maps) < n:
        maps.append(np.linalg.solve(maps[-1].swapaxes(1, 2), want))
    return maps


def gap_of_conditions(left, right):
    """By how much (left p)ᵀ (right j) depends on more than j − p, by the size of the products."""
    gap, size = 0.0, 1e-300
    for p in range(len(left)):
        for j in range(len(right)):
            here = left[p].swapaxes(1, 2) @ right[j]
            there = left[0].swapaxes(1, 2) @ right[j - p] if j >= p else left[p - j].swapaxes(1, 2) @ right[0]
            gap = np.maximum(gap, np.abs(here - there).max(axis=(1, 2)))
            size = np.maximum(size, np.abs(here).max(axis=(1, 2)))
    return gap / size


def gap_of_rotation(maps):
    """By how much the steps M_(p + 1) M_p⁻¹ differ, or are not orthogonal."""
    steps = [
        np.linalg.solve(a.swapaxes(1, 2), b.swapaxes(1, 2)).swapaxes(1, 2)
        for a, b in zip(maps, maps[1:], strict=False)
    ]
    gaps = [(step - steps[0], step @ step.swapaxes(1, 2) - np.eye(maps[0].shape[-1])) for step in steps]
    return np.abs(gaps).max(axis=(0, 1, 3, 4))


MAPS = normal(first=(3, 3), turn=(4,))


def test_the_converse():
    """If both are mapped by M_p and scores depend on j − p alone, then M_p = Uᵖ M_0 with an orthogonal U.

    And each such family meets the condition, for any M_0, with an inverse or without.
    """

    def fine(x, gap):  # where M_0 is far enough from a matrix without an inverse for floats to tell
        return np.where(np.linalg.cond(x["first"]) < 1e3, gap, 0)

    assert worst(MAPS, lambda x: fine(x, gap_of_conditions(family(x), family(x)))) <= 1e-7
    assert worst(MAPS, lambda x: fine(x, gap_of_rotation(family(x)))) <= 1e-7

    def the_other_way(x, rank=3):
        maps = [x["first"] * (np.arange(3) < rank)]
        for _ in range(4):
            maps.append(orthogonal(x["turn"]) @ maps[-1])
        return gap_of_conditions(maps, maps)

    assert worst(MAPS, the_other_way) <= TINY
    assert worst(MAPS, lambda x: the_other_way(x, 2)) <= TINY


def test_without_an_inverse_it_still_holds():
    """Where M_p flattens, the products give one linear map on what is reached, and it keeps lengths.

    So it is enough that the maps are linear, shared and relative. The step is found from the maps by least squares.
    """
    rng = np.random.default_rng(2)
    for _ in range(200):
        turn = orthogonal(rng.normal(size=(1, 7)))[0]
        first = rng.normal(size=(4, 2)) @ rng.normal(size=(2, 4))
        maps = [np.linalg.matrix_power(turn, p) @ first for p in range(6)]
        here, there = np.hstack(maps[:-1]), np.hstack(maps[1:])
        step = there @ np.linalg.pinv(here)
        assert_allclose(step @ here, there, atol=1e-8)
        reached = np.linalg.matrix_rank(here)
        assert_allclose(np.linalg.svd(step, compute_uv=False)[:reached], 1, atol=1e-6)


def test_the_converse_just_outside():
    rng = np.random.default_rng(3)
    b = rng.normal(size=(3, 3)) + 2 * np.eye(3)
    keys = [np.linalg.matrix_power(b, j)[None] for j in range(4)]
    queries = [np.linalg.inv(np.linalg.matrix_power(b, p)).T[None] for p in range(4)]
    assert gap_of_conditions(queries, keys)[0] < 1e-9  # relative, with two different maps …
    assert gap_of_rotation(keys)[0] > 0.1  # … that are no rotations
    scaled = [(1.1**p) * np.eye(3)[None] for p in range(4)]
    assert gap_of_conditions(scaled, scaled)[0] > 0.1  # shared, but it knows more than the offset
    assert gap_of_rotation(scaled)[0] > 0.1
    free = rng.normal(size=(4, 1, 3, 3))  # learned places
    assert gap_of_conditions(free, free)[0] > 0.1

    # not linear: each vector turns by its own length times the place, and equally long ones meet relatively
    def turn(x, p):
        return turned(x[None], np.array([p * np.hypot(*x)]), 1)[0]

    q, k, longer = np.array([1.0, 2]), np.array([2.0, -1]), np.array([4.0, -2])
    assert_allclose(turn(q, 1) @ turn(k, 3), turn(q, 6) @ turn(k, 8))
    assert abs(turn(q, 1) @ turn(longer, 3) - turn(q, 6) @ turn(longer, 8)) > 0.1


# 3. Layouts ----------------------------------------------------------------------------------------------------------


def two_heads(x, w_q, w_k, w_v, w_o, layout):
    """Scores and output of two heads of width 6, row by row."""
    places = np.arange(len(x))
    q, k, v = (np.stack(np.split(x @ w, 2, axis=-1)) for w in (w_q, w_k, w_v))
    scores = rotate(q, places, layout=layout) @ rotate(k, places, layout=layout).mT
    return scores, np.hstack(softmax(scores) @ v) @ w_o


def layouts_differ(reorder):
    """The largest difference of scores and of outputs, over draws, if weights are reordered so."""
    rng, gaps = np.random.default_rng(4), []
    for _ in range(40):
        x, w_o = rng.normal(size=(7, 5)), rng.normal(size=(12, 5))
        w = dict(zip(("w_q", "w_k", "w_v"), rng.normal(size=(3, 5, 12)), strict=True))
        one = two_heads(x, **w, w_o=w_o, layout="interleaved")
        two = two_heads(x, **w | reorder(w), w_o=w_o, layout="halves")
        gaps.append([np.abs(a - b).max() for a, b in zip(one, two, strict=True)])
    return np.max(gaps, axis=0)


def inside(w, n_heads=2):
    return to_layout(w, "interleaved", "halves", n_heads=n_heads)


def test_layouts():
    assert (layouts_differ(lambda w: {name: inside(w[name]) for name in ("w_q", "w_k")}) < 1e-11).all()
    outside = {
        "weights are reordered": lambda w: {},
        "those of the keys, too": lambda w: {"w_q": inside(w["w_q"])},
        "those of the queries, too": lambda w: {"w_k": inside(w["w_k"])},
        "inside each head": lambda w: {name: inside(w[name], n_heads=1) for name in ("w_q", "w_k")},
        "the right way": lambda w: {
            name: to_layout(w[name], "halves", "interleaved", n_heads=2) for name in ("w_q", "w_k")
        },
    }
    assert each_breaks({dropped: layouts_differ(reorder)[0] for dropped, reorder in outside.items()})
    scores, output = layouts_differ(lambda w: {name: inside(w[name]) for name in ("w_q", "w_k", "w_v")})
    assert scores < 1e-11
    assert output > 0.1  # values keep their order


# 4. Lengths and norms ----------------------------------------------------------------------------------------------


def after(norm):
    """By how much a score moves with all places, if queries and keys pass a norm once they are turned."""

    def violation(x):
        def one(step):
            q, k = (turned(x[n], x[at] + step, x["clocks"]) for n, at in (("q", "p"), ("k", "j")))
            return (norm(q, x) * norm(k, x)).sum(axis=1)

        return np.abs(one(0) - one(x["step"]))

    return violation


def by_gain(x, gain):
    return rms_norm(x) * np.clip(gain, -3, 3)


def test_lengths_and_norms():
    """RMSNorm without gains, or with gains that agree within each pair; before turning all are inside."""
    draw = normal(**ANY, gain=(4,))

    def change(x):
        before, now = lengths(x["q"]), lengths(turned(x["q"], x["p"], x["clocks"]))
        return np.abs(now - before).max(axis=1) / (1 + before.max(axis=1))

    def commutes(x):
        one, two = (
            rms_norm(turned(x["q"], x["p"], x["clocks"])),
            turned(rms_norm(x["q"]), x["p"], x["clocks"]),
        )
        return np.abs(one - two).max(axis=1)

    def normed_before(x):
        q, k = (by_gain(layer_norm(x[name]), x["gain"]) for name in "qk")
        return relative(q, k, *(x[name] for name in ("p", "j", "step", "clocks")))

    assert worst(draw, change) <= TINY
    assert worst(draw, commutes) <= TINY
    assert worst(draw, normed_before) <= 1e-8
    assert worst(draw, after(lambda y, x: rms_norm(y))) <= TINY
    assert worst(draw, after(lambda y, x: by_gain(y, np.repeat(x["gain"][:, ::2], 2, axis=1)))) <= 1e-8
    assert broken(draw, after(lambda y, x: by_gain(y, x["gain"])))  # gains that differ within a pair
    assert broken(draw, after(lambda y, x: layer_norm(y)))  # a mean is taken off, which is not turned


# 5. No decay ---------------------------------------------------------------------------------------------------------


def test_no_decay():
    """Keys of no preferred direction, drawn apart from the query: the same distribution at each distance.

    The statement is exact: a turn takes an isotropic distribution into itself. Here 20,000 keys at each distance;
    ranks of the scores differ by chance alone.
    """
    rng = np.random.default_rng(5)
    clocks, n = angular_frequencies(16), 20_000
    q = rng.normal(size=16)
    levels = np.linspace(-3, 3, 25) * np.linalg.norm(q)
    shares = [
        (rotate(rng.normal(size=(n, 16)), o, frequencies=clocks) @ q < levels[:, None]).mean(axis=1)
        for o in (0, 1, 10, 100, 1000, 10_000)
    ]
    assert np.ptp(shares, axis=0).max() < 5 * 0.5 / np.sqrt(n)


def test_no_decay_just_outside():
    rng, clocks = np.random.default_rng(6), [np.pi / 4]
    signs = rng.choice([-1.0, 1], size=(100_000, 2))  # independent, but not of no direction
    near, far = (rotate(signs, o, frequencies=clocks)[:, 0] for o in (0, 1))
    assert_allclose([near.mean(), near.std()], [far.mean(), far.std()], atol=0.02)  # mean and variance stay …
    assert (far**4).mean() > (
        near**4
    ).mean() + 0.4  # … the fourth moment is 1 at one distance and 1.5 at the next
    tied = rng.normal(size=(100_000, 2))  # keys that depend on the query have a mean that falls
    means = [(tied * rotate(tied, o, frequencies=clocks)).sum(axis=1).mean() for o in (0, 1)]
    assert_allclose(means, [2, 2 * np.cos(np.pi / 4)], atol=0.02)
    ones = np.ones(128)
    assert rotate(ones[None], 1000)[0] @ ones / 128 < 0.2  # and so have some fixed ones


# 6. A peak anywhere --------------------------------------------------------------------------------------------------


def scores_at(q, k, offsets, clocks):
    """The scores of one query with one key at each offset."""
    return rotate(np.repeat(k[None], len(offsets), axis=0), offsets, frequencies=clocks) @ q


def lead_over_others(q, clocks, offset, reach=300):
    """How far the score at `offset` lies above all others within reach, if the key is the query turned back by it."""
    offsets = np.arange(-reach, reach + 1)
    scores = scores_at(q, rotate(q[None], -offset, frequencies=clocks)[0], offsets, clocks)
    return scores[offsets == offset].item() - scores[offsets != offset].max()


def test_a_peak_anywhere():
    def violation(x):
        offset = int(np.clip(np.round(40 * x[0]), -200, 200))
        q = np.clip(x[1:7], -10, 10)
        return -lead_over_others(q + 0.1 * np.sign(q + 1e-12), np.array([1.0, 0.1, 0.01]), offset)

    assert one_by_one(violation, lambda rng: rng.normal(size=7)).violation < 0
    q = np.array([1.0, 0, 1, 0])
    assert lead_over_others(q, np.array([1.0, np.pi]), 7) > 0
    assert (
        lead_over_others(q, np.array([np.pi / 2, np.pi]), 7) < 1e-9
    )  # clocks that all repeat: 11 is as high
    assert (
        lead_over_others(q * [0, 0, 1, 1], np.array([1.0, np.pi]), 7) < 1e-9
    )  # one does not, but is not used


# 7. Zero mean --------------------------------------------------------------------------------------------------------


def mean_and_bound(q, k, clocks, n):
    """The mean score over offsets 0 … n − 1, and what the theorem allows."""
    size = np.hypot(*q.reshape(-1, 2).T) * np.hypot(*k.reshape(-1, 2).T)
    return scores_at(q, k, np.arange(n), clocks).mean(), (size / (n * np.abs(np.sin(clocks / 2)))).sum()


def test_zero_mean():
    def violation(x):
        x = np.clip(x, -10, 10)
        clocks = x[8:10]
        if np.abs(np.sin(clocks / 2)).min() < 1e-6:
            return -1.0
        mean, bound = mean_and_bound(x[:4], x[4:8], clocks, 1 + int(abs(x[10]) * 40))
        return abs(mean) - bound * (1 + 1e-9)

    assert one_by_one(violation, lambda rng: rng.normal(size=11)).violation <= 0
    one = np.array([1.0, 0])
    assert_allclose(*mean_and_bound(one, one, np.array([np.pi]), 1))  # it is attained: no smaller bound holds
    q = np.array([1.0, 0, 1, 0])
    for clocks in ([2 * np.pi, 1.0], [0.0, 1]):  # whole turns, or a pair that is not turned: its part stays
        assert abs(scores_at(q, q, np.arange(5000), clocks).mean() - 1) < 0.01


def test_no_word_is_preferred_at_each_offset():
    """Leads add up to 0 over a whole round: with clocks of a half and a quarter turn, over four offsets.

    With any clocks a lead over n offsets has a lowest value of the bound at most, so it is above no margin.
    """

    def over_a_round(x):
        lead = scores_at(x[:4], x[4:8] - x[8:], np.arange(4), [np.pi, np.pi / 2])
        return lead.min() / (1 + np.abs(lead).max()) - 1e-12

    def above_a_margin(x):
        x = np.clip(x, -10, 10)
        clocks, n, difference = x[12:14], 200, x[4:8] - x[8:12]
        if np.abs(np.sin(clocks / 2)).min() < 1e-3:
            return -1.0
        leads = scores_at(x[:4], difference, np.arange(n), clocks)
        return leads.min() - mean_and_bound(x[:4], difference, clocks, n)[1] * (1 + 1e-9)

    assert one_by_one(over_a_round, lambda rng: rng.normal(size=12)).violation <= 0
    assert one_by_one(above_a_margin, lambda rng: rng.normal(size=14)).violation <= 0


def test_a_word_can_be_preferred_just_outside():
    """A clock that stands still; fewer offsets than a quarter turn, or half, if the key is a quarter ahead."""

    def least_lead(clocks, n, difference):
        return scores_at(right, difference, np.arange(n), clocks).min()

    right, slowest = np.array([1.0, 0]), angular_frequencies(128)[-1:]
    assert least_lead([0.0], 1000, right) == 1
    quarter = int(np.pi / 2 / slowest[0])
    assert least_lead(slowest, quarter + 1, right) > 0 > least_lead(slowest, quarter + 2, right)
    ahead = rotate(right[None], -quarter, frequencies=slowest)[0]
    assert least_lead(slowest, 2 * quarter + 1, ahead) > 0


# 8, 9. Partial clocks, stretched clocks ------------------------------------------------------------------------------


def test_interpolation_is_exact():
    """A head that peaks b back peaks s b back once all clocks go at a pace of 1/s, where s b is whole."""
    offsets, clocks = np.arange(400)[:, None], angular_frequencies(32)
    for b, s in product((1, 2, 7, 20), (2, 3, 4)):
        scores = np.cos(offsets * stretch(clocks, s, "interpolation") - b * clocks).sum(axis=1)
        assert scores.argmax() == s * b
        assert_allclose(scores.max(), 16)
    for how in ("ntk", "yarn"):  # no other stretch has a place where all clocks agree again
        slower = stretch(clocks, 4, how, n_trained=100)
        assert np.cos(offsets * slower - 20 * clocks).sum(axis=1).max() < 15.9


def furthest(words, step):
    """How far the angle that is worst off is from the angles of a text, in steps, and how wide a gap is left."""
    shown = np.sort(np.mod(np.arange(words) * step, 2 * np.pi))
    gaps = np.diff(shown, append=shown[0] + 2 * np.pi)
    return gaps.max() / 2 / step, gaps.max() / step


def test_a_clock_that_got_round():
    """At most half a step from each angle, up to the last text that is long enough; steps above a turn are in, too.

    One word less, and the gap is wider than a step.
    """
    rng = np.random.default_rng(9)
    for step in np.exp(rng.uniform(np.log(0.01), np.log(7), 400)):
        enough = int(np.ceil(2 * np.pi / step))
        for words in (enough, enough + 1, enough + int(rng.integers(1, 200))):
            assert furthest(words, step)[0] <= 0.5 + 1e-9
        for words in range(max(1, enough - 3), enough if step < 3 else 0):
            half, gap = furthest(words, step)
            assert gap > 1
            assert half > 0.5


def test_interpolation_keeps_each_clock_on_its_arc():
    """Scores at o are those at o/s, for any factor, text and pairs; the last word of the long text is on the arc."""
    rng = np.random.default_rng(11)
    for _ in range(300):
        pairs, s, words = int(rng.integers(1, 20)), rng.uniform(1, 40), int(rng.integers(1, 500))
        clocks = np.sort(np.exp(rng.uniform(-8, 1, pairs)))[::-1]
        slower = stretch(clocks, s, "interpolation")
        q, k = rng.normal(size=(2, 1, 2 * pairs))
        o = int(rng.integers(-500, 500))
        one = q @ rotate(k, o, frequencies=slower).T
        assert_allclose(one, q @ rotate(k, o / s, frequencies=clocks).T, atol=1e-9)
        assert ((s * words - 1) * slower < words * clocks).all()
        if s > 1.01:
            faster = stretch(clocks, s / 1.01, "interpolation")  # a little less, in a long enough text
            assert ((s * 1000 - 1) * faster > 1000 * clocks).all()


def test_ntk_keeps_a_clock_up_to_its_length():
    """The same as a larger base; clock i is back at its Lω in s^(i/(n−1)) times the words, and sooner with less."""
    rng = np.random.default_rng(12)
    for _ in range(300):
        pairs, s, base = int(rng.integers(2, 40)), rng.uniform(1, 40), np.exp(rng.uniform(0, 14))
        d = 2 * pairs
        clocks = angular_frequencies(d, base)
        slower = stretch(clocks, s, "ntk")
        assert_allclose(slower, angular_frequencies(d, base * s ** (d / (d - 2))), rtol=1e-9)
        lengths = s ** (np.arange(pairs) / (pairs - 1))
        assert_allclose(lengths * slower, clocks, rtol=1e-9)
        assert (1.01 * lengths * slower > clocks).all()
        assert_allclose([slower[0], s * slower[-1]], clocks[[0, -1]], rtol=1e-9)
        if s > 2:
            plain = angular_frequencies(d, base * s)  # without the exponent the slowest clock is too fast
            assert s * plain[-1] > clocks[-1] * (1 + 1e-6)


# 10. One causal layer without positions sees a bag --------------------------------------------------------------------


def last_read(scores, values, words):
    """What the last of the chosen words reads."""
    weights = np.exp(scores[:, words] - scores[:, words].max(axis=1, keepdims=True))
    return (weights * values[:, words]).sum(axis=1) / weights.sum(axis=1)


def test_a_bag():
    """The order of the others, and how often all are said, do not count. Proportions do, and a bias for each place."""
    draw = normal(scores=(4,), values=(4,))

    def differ(one, two, bias=(0, 0, 0)):
        def violation(x):
            pair = []
            for words in (one, two):
                scores = x["scores"][:, words]
                scores[:, :3] += bias
                pair.append(last_read(scores, x["values"][:, words], slice(None)))
            return np.abs(pair[0] - pair[1]) / (1 + np.abs(x["values"]).max(axis=1))

        return violation

    assert worst(draw, differ([0, 1, 2, 3], [2, 0, 1, 3])) <= TINY
    assert worst(draw, differ([0, 1, 3], [0, 1, 3] * 3)) <= TINY
    assert broken(draw, differ([0, 1, 3], [0, 1, 1, 3]))
    assert broken(draw, differ([0, 1, 3], [1, 0, 3], bias=(1, 0, 0)))
