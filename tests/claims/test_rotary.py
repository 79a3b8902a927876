"""The claims on turned queries and keys and on other ways to tell order, each number computed anew."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.bias import alibi_bias, alibi_slopes, t5_bucket
from attn.masks import causal_mask, to_additive
from attn.multihead import MultiHeadAttention, merge_heads, split_heads
from attn.positional import angular_frequencies
from attn.rotary import rotary_attention, rotate, stretch, to_layout
from attn.softmax import softmax
from tests.claims.mixed_up import mixed_up

# very very very big: clock 0 makes half a turn a word, clock 1 a quarter
HALF_QUARTER = np.array([np.pi, np.pi / 2])
VERY, BIG = np.array([1.0, 0, 1, 0]), np.array([0.0, 1, 0, 1])
KEYS = np.array([VERY, VERY, VERY, BIG])
QUERY = np.array([-1.0, 0, 0, -2])
PLACES = np.arange(4)
close = {"rtol": 0, "atol": 1e-12}


def turned(x, places):
    return rotate(np.atleast_2d(x), places, frequencies=HALF_QUARTER)


def scores(query_at=3, keys_at=PLACES, query=QUERY, keys=KEYS):
    return (turned(query, [query_at]) @ turned(keys, keys_at).T)[0]


# By hand -------------------------------------------------------------------------------------------------------------


def test_by_hand():
    assert_allclose(
        turned(KEYS, PLACES), [[1, 0, 1, 0], [-1, 0, 0, 1], [1, 0, -1, 0], [0, -1, 1, 0]], **close
    )
    assert_allclose(turned(QUERY, [3]), [[1, 0, -2, 0]], **close)
    assert_allclose(scores(), [-1, -1, 3, -2], **close)
    weights = rotary_attention(QUERY[None], KEYS, KEYS, [3], k_positions=PLACES, frequencies=HALF_QUARTER)[1]
    assert_allclose(weights, [[0.100, 0.100, 0.739, 0.061]], atol=5e-4)
    assert_allclose((KEYS @ QUERY)[:3], -1)  # unturned, the three are alike


@pytest.mark.parametrize("start", [1, 2, 5, 1000, -3])
def test_by_hand_from_another_start(start):
    assert_allclose(scores(3 + start, PLACES + start), [-1, -1, 3, -2], atol=1e-9)


def test_the_signed_offset_counts():
    def at(o):
        return scores(10, [10 + o], keys=VERY[None]).item()

    assert_allclose([at(-1), at(1)], [3, -1], **close)
    # f(o) = Σ aᵢ cos ωᵢ o + bᵢ sin ωᵢ o, with a = q · k and b = q · (k a quarter further) in each pair
    ahead = np.stack([-VERY[1::2], VERY[0::2]], axis=-1).ravel()
    a, b = ((QUERY * k).reshape(2, 2).sum(axis=1) for k in (VERY, ahead))
    for o in range(-6, 7):
        wave = (a * np.cos(HALF_QUARTER * o) + b * np.sin(HALF_QUARTER * o)).sum()
        assert_allclose(at(o), wave, **close)


def test_what_a_slip_changes():
    assert_allclose(scores(4, PLACES + 1), scores(), **close)  # both count from 1: nothing
    assert_allclose(scores(4), [-1, -1, -1, 0], **close)  # the query one further than the keys
    assert_allclose(scores(3, -PLACES), [-1, -1, 3, 2], **close)  # keys turned backward …
    assert_allclose(scores(4, -PLACES - 1), [3, -1, -1, -2], **close)  # … and from the next start
    for p, j in ((3, 1), (4, 0), (2, 2)):  # there the sum p + j counts
        assert_allclose(scores(p, [-j], keys=VERY[None]), scores(4, [0], keys=VERY[None]), **close)
    assert_allclose(scores(-3, -PLACES), [3, -1, -1, -2], **close)  # both backward: the mirror


def test_turned_values():
    """Then the output turns with the start; turned back by the query's place, it is relative again."""
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 5, 6))

    def output(start, back):
        places = start + np.arange(5)
        found = rotary_attention(q, k, rotate(v, places), places)[0]
        return rotate(found, -places) if back else found

    assert np.abs(output(0, False) - output(7, False)).max() > 0.1
    assert_allclose(output(0, False), rotate(output(7, False), -7), atol=1e-12)
    assert_allclose(output(0, True), output(7, True), atol=1e-12)
    assert np.abs(output(0, True) - rotary_attention(q, k, v)[0]).max() > 0.1  # relative, and not the same


def before_the_split(q, k, layout, start=0):
    """Scores of two heads whose queries and keys were turned before they were split."""
    places = start + np.arange(len(q))
    q, k = (split_heads(rotate(x, places, layout=layout), 2) for x in (q, k))
    return q @ k.mT


def test_turned_before_the_split():
    """Neighbors stay in one head: relative, but head 0 has the fast clocks. Halves are torn apart: the sum stays."""
    q, k = np.random.default_rng(1).normal(size=(2, 5, 8))
    assert_allclose(
        before_the_split(q, k, "interleaved"), before_the_split(q, k, "interleaved", 9), atol=1e-12
    )
    clocks = angular_frequencies(8)
    own = [
        rotate(split_heads(q, 2)[h], np.arange(5), frequencies=clocks[2 * h : 2 * h + 2])
        @ rotate(split_heads(k, 2)[h], np.arange(5), frequencies=clocks[2 * h : 2 * h + 2]).T
        for h in range(2)
    ]
    assert_allclose(before_the_split(q, k, "interleaved"), own, atol=1e-12)
    here, there = (before_the_split(q, k, "halves", start) for start in (0, 9))
    assert (np.abs(here - there).max(axis=(1, 2)) > 0.1).all()
    assert_allclose(here.sum(axis=0), there.sum(axis=0), atol=1e-12)


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


def test_padding_on_the_left():
    q, k, v = np.random.default_rng(3).normal(size=(3, 5, 6))
    expected = rotary_attention(q, k, v, mask=causal_mask(5))[0]
    q, k, v = (np.concatenate([np.full((3, 6), 9.0), x]) for x in (q, k, v))
    seen = causal_mask(8) & (np.arange(8) >= 3)
    assert_allclose(rotary_attention(q, k, v, mask=seen)[0][3:], expected, atol=1e-12)


# Exact statements: their numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 16, 64, 128])
def test_3000_moves(d):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 3000, 1, d))
    p, j, step = (rng.integers(low, 1000, size=(3000, 1)) for low in (0, 0, -1000))
    here, there = ((rotate(q, p + by) * rotate(k, j + by)).sum(axis=-1) for by in (0, step))
    assert np.abs(here - there).max() < 3e-13 * d


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


def alike(distance, d=128):
    """The score of a word of ones with itself, by its largest."""
    return np.cos(np.multiply.outer(distance, angular_frequencies(d))).mean(axis=-1)


def test_a_word_of_ones():
    far = np.array([0, 1, 10, 100, 1000, 10_000])
    ones = np.ones(128)
    found = [(ones @ rotate(ones[None], o)[0]) / 128 for o in far]
    assert_allclose(found, [1, 0.97, 0.67, 0.48, 0.16, -0.03], atol=5e-3)
    curve = alike(np.arange(5001))
    assert (np.diff(curve[:12]) < 0).all()
    assert curve[12] > curve[11]  # it rises after 11
    assert np.flatnonzero(curve < 0)[0] == 1707
    assert_allclose(curve[1707:].max(), 0.26, atol=5e-3)  # at 1,835
    assert curve[1707:].argmax() + 1707 == 1835


def test_the_bound_that_is_drawn():
    """The mean over i of |Σ of e^(i ωⱼ o) up to j|: what RoFormer's section on long-term decay bounds scores with."""

    def bound(o):
        return np.abs(np.cumsum(np.exp(1j * o * angular_frequencies(128)))).mean()

    assert_allclose([bound(o) for o in (0, 1000, 4000)], [32.5, 4.5, 5.0], atol=0.05)
    assert bound(4000) > bound(1000)  # not even the bound decays all the way


def test_isotropic_scores_do_not_decay():
    """20,000 keys at each distance; five standard errors of a standard deviation are 0.025."""
    rng = np.random.default_rng(0)
    q = rng.normal(size=64)
    for o in (0, 1, 10, 100, 1000, 10_000):
        spread = (rotate(rng.normal(size=(20_000, 64)), o) @ q).std() / np.linalg.norm(q)
        assert abs(spread - 1) < 5 / math.sqrt(2 * 20_000)


@pytest.mark.parametrize("back", [1, 20, 100, 5000])
def test_a_peak_anywhere_and_its_runners_up(back):
    for d in (64, 128):
        for seed in range(4):
            q = np.random.default_rng(seed).normal(size=d)
            share = (q.reshape(-1, 2) ** 2).sum(axis=1) / (q**2).sum()
            offsets = np.arange(-5000 - back, 5001)
            curve = np.cos(np.multiply.outer(offsets + back, angular_frequencies(d))) @ share
            key = rotate(q[None], back)  # turned on by `back`: it fits where it stands `back` earlier
            assert_allclose((rotate(key, -back) @ q).item(), q @ q)
            assert offsets[curve.argmax()] == -back
            assert 0.9 < np.sort(curve)[-2] < 0.99


def test_how_long_one_word_can_lead():
    """On the slowest clock a lead that starts at its top lasts a quarter turn; one that starts at 0, half a turn."""
    for base, words in ((1e4, 13_603), (5e5, 639_799)):
        slowest = angular_frequencies(128, base)[-1]
        lead = np.cos(slowest * np.arange(words + 1))
        assert (lead[:words] > 0).all()
        assert lead[words] <= 0
        rising = np.sin(slowest * np.arange(1, 2 * words))
        assert (rising[: 2 * words - 2] > 0).all()
    slowest = angular_frequencies(128)[-1]
    assert round(2 * np.pi / slowest) == 54_410
    lead = np.sin(slowest * (np.arange(27_206) + 0.5))  # starts half a word behind its zero
    assert (lead[:27_205] > 0).all()
    assert lead[27_205] < 0


def test_a_part_that_turns_is_not_a_part_of_the_clocks():
    """A quarter of d = 64: 16 numbers that have the clocks of a whole head of 16, or the 8 fastest clocks of 32."""
    partly = angular_frequencies(16)
    fastest = angular_frequencies(64)[:8]
    assert_allclose([partly[-1], fastest[-1]], [0.0003, 0.133], atol=5e-4)
    x = np.random.default_rng(0).normal(size=(3, 64))
    clocks = np.concatenate([fastest, np.zeros(24)])
    one, two = rotate(x, [1, 2, 300], n_rotary=16), rotate(x, [1, 2, 300], frequencies=clocks)
    assert_array_equal(one[:, 16:], two[:, 16:])
    assert np.abs(one - two).max() > 0.1


LLAMA_2 = angular_frequencies(128)
STRETCHED = {
    "unchanged": LLAMA_2,
    "interpolation": stretch(LLAMA_2, 4, "interpolation"),
    "ntk": stretch(LLAMA_2, 4, "ntk"),
    "yarn": stretch(LLAMA_2, 4, "yarn", n_trained=4096),
}


def looks(clocks, back):
    """Where a head looks most that was set to look `back` words back with Llama 2's clocks, all pairs alike."""
    curve = np.cos(np.arange(16_384)[:, None] * clocks - LLAMA_2 * back).sum(axis=1)
    return int(curve.argmax())


def test_yarn_as_its_code_has_it():
    """There the share falls with the pair's number, not with the turns: other clocks, and 4,098 in place of 3,011."""

    def number(turns):
        return 128 * math.log(4096 / (turns * 2 * math.pi)) / (2 * math.log(10_000))

    low, high = math.floor(number(32)), math.ceil(number(1))
    divided = np.clip((np.arange(64) - low) / (high - low), 0, 1)
    clocks = LLAMA_2 * (divided / 4 + 1 - divided)
    assert (low, high) == (20, 46)
    assert np.abs(clocks / STRETCHED["yarn"] - 1).max() > 0.3
    assert [looks(clocks, back) for back in (1, 20, 100, 1000)] == [1, 20, 100, 4098]


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


def test_a_longer_text_dilutes_a_head():
    """The peak of a hand-set head stays where it is at any length; its weight does not, for scores are bounded."""
    clocks = angular_frequencies(64)
    weights = []
    for n in (10, 100, 1000, 10_000):
        scores = 8 * np.cos(np.multiply.outer(np.arange(n) - 3, clocks)).mean(axis=1)
        assert scores.argmax() == 3
        weights.append(softmax(scores)[3])
    assert (np.diff(weights) < 0).all()
    assert weights[-1] < weights[0] / 3


# Without turning -----------------------------------------------------------------------------------------------------


def layers(rng, n):
    return [MultiHeadAttention.init(rng, 8, 2) for _ in range(n)]


def run(x, heads, mask=None):
    for head in heads:
        x = x + head(x, mask=mask)[0]
    return x


def test_one_causal_layer_without_places_sees_a_bag():
    rng = np.random.default_rng(0)
    a, b, c, d = rng.normal(size=(4, 8))
    heads = layers(rng, 2)

    def last(words, depth):
        return run(np.array(words), heads[:depth], causal_mask(len(words)))[-1]

    assert_allclose(last([a, b, c], 1), last([b, a, c], 1), atol=1e-12)
    assert_allclose(last([a, b, c], 1), last([a, b, c, a, b, c, a, b, c], 1), atol=1e-12)  # proportions
    assert np.abs(last([a, b, c], 1) - last([a, b, b, c], 1)).max() > 1e-3
    assert np.abs(last([a, b, c], 1) - last([a, c, b], 1)).max() > 1e-3  # its own word counts
    assert (
        np.abs(last([a, b, d, c], 2) - last([b, a, d, c], 2)).max() > 1e-3
    )  # two layers see more than a bag


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_without_places_and_mask_order_is_not_seen(depth):
    rng = np.random.default_rng(1)
    heads, x = layers(rng, depth), rng.normal(size=(6, 8))
    order = rng.permutation(6)
    assert_allclose(run(x[order], heads), run(x, heads)[order], atol=1e-10)
    same = run(np.tile(x[:1], (6, 1)), heads, causal_mask(6))  # identical words: identical rows, mask or not
    assert_allclose(same, np.tile(same[:1], (6, 1)), atol=1e-12)


@pytest.mark.parametrize("n", [2, 5, 12])
def test_a_first_word_makes_a_counter(n):
    """Equal weights, value 1 at the first word alone: 1, ½, ⅓, ¼. A sum of n − 1 ReLUs makes 1, 2, 3, 4 of them."""
    value = np.zeros((n, 1))
    value[0] = 1
    shares = scaled_dot_product_attention(np.zeros((n, 1)), np.zeros((n, 1)), value, causal_mask(n))[0][:, 0]
    assert_allclose(shares, 1 / np.arange(1, n + 1))
    knots = 1 / np.arange(n, 0, -1)  # rising: 1/n … 1
    slopes = np.diff(np.arange(n, 0, -1)) / np.diff(knots)
    bends = np.diff(slopes, prepend=0)
    counted = n + np.maximum(0, shares[:, None] - knots[:-1]) @ bends
    assert_allclose(counted, np.arange(1, n + 1), atol=1e-9)


def test_a_counter_can_find_the_word_before():
    """Scores 4 (2 (t − 1) j − j²), from counted places t and j: the word before gets .965, the first more."""
    t = np.arange(1, 41)
    found = 4.0 * (2 * (t[:, None] - 1) * t - t**2)
    weights = softmax(np.where(causal_mask(40), found, -np.inf))
    before = np.diag(weights, -1)
    assert_allclose(before[1:], 0.965, atol=5e-4)
    assert before[0] > 0.98  # word 2 has no word two back
    assert (weights[1:].argmax(axis=1) == np.arange(39)).all()


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


def test_twelve_heads():
    assert_allclose(alibi_slopes(12, "sentence")[:2], [0.63, 0.40], atol=5e-3)
    assert_allclose(alibi_slopes(12, "code")[[0, 7, 8]], [0.5, 0.0039, 0.71], atol=5e-3)
    with pytest.raises(ValueError, match="no power of two"):
        alibi_slopes(12)


# Identical words: what the first head can do --------------------------------------------------------------------------


N = 40


def last_row(bias=0.0, q=(0.0, 0), k=(1.0, 0), clocks=(0.0,)):
    """The newest word's weights among N identical words, by turned keys and a bias on offsets −(N − 1) … 0."""
    q, k = np.array([q]), np.tile(k, (N, 1))
    scores = rotate(q, [N - 1], frequencies=clocks) @ rotate(k, np.arange(N), frequencies=clocks).T
    return softmax(scores[0] + bias)


def kinds(weights):
    """Which of the table's columns a row of weights is: all alike, the nearest most, two back most."""
    uniform = np.allclose(weights, 1 / N)
    return uniform, not uniform and weights.argmax() == N - 1, weights.argmax() == N - 3


def test_what_a_first_head_can_do_among_identical_words():
    distance = np.arange(N)[::-1]
    for q in ((0.0, 0), (3.0, 0), (-3.0, 2)):  # without places: alike, whatever the query
        assert kinds(last_row(q=q)) == (True, False, False)
    for m in alibi_slopes(8):  # ALiBi: the nearest, in each head and for each query
        assert kinds(last_row(-m * distance, q=(2.0, 1))) == (False, True, False)
    learned = np.zeros(32)
    assert kinds(last_row(learned[t5_bucket(-distance)]))[0]
    for back, column in ((0, 1), (2, 2)):  # T5 learns any
        learned = np.zeros(32)
        learned[t5_bucket(-back)] = 5
        assert kinds(last_row(learned[t5_bucket(-distance)]))[column]
    assert kinds(last_row(q=(0.0, 0), clocks=[1.0]))[0]  # RoPE: alike for q = 0
    for back, column in ((0, 1), (2, 2)):
        q = 5 * rotate(np.array([[1.0, 0]]), -back, frequencies=[1.0])[0]
        assert kinds(last_row(q=q, clocks=[1.0]))[column]


def test_content_at_each_offset():
    """A key liked better by g: without places at each offset, with ALiBi within g/m words, with RoPE not."""
    g, m = 2.0, 1 / 16
    liked = np.arange(1, 100)
    assert ((g - m * liked > 0) == (liked < g / m)).all()
    clocks = angular_frequencies(8)
    rng = np.random.default_rng(0)
    for _ in range(20):  # the slowest clock needs 6,283 words for a turn
        q, lead = rng.normal(size=(2, 8))
        at = rotate(np.tile(lead, (20_000, 1)), -np.arange(20_000), frequencies=clocks) @ q
        assert at.min() < 0
    still = np.concatenate([clocks[:3], [0]])  # p-RoPE: a clock that stands still
    at = rotate(np.tile([0.0, 0, 0, 0, 0, 0, 1, 0], (1000, 1)), -np.arange(1000), frequencies=still)
    assert (at @ [0, 0, 0, 0, 0, 0, 1, 0] == 1).all()


# Four reports --------------------------------------------------------------------------------------------------------


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


def test_norms_on_both_sides():
    """Gains behind the turn break it, unless they agree within pairs; in front of it they don't."""
    q, k = np.random.default_rng(4).normal(size=(2, 1, 8))
    gain = np.array([1.0, 2, 1, 1, 1, 1, 1, 1])

    def score(p, gain_q):
        return ((rotate(q, p + 3) * gain_q) @ (rotate(k, p) * gain_q).T).item()

    assert abs(score(0, gain) - score(5, gain)) > 0.1
    agree = np.repeat([1.0, 2, 3, 4], 2)
    assert_allclose(score(0, agree), score(5, agree), atol=1e-12)


# The figure's goals --------------------------------------------------------------------------------------------------

ALIKE = np.tile(VERY, (4, 1))


@pytest.mark.parametrize(
    ("query", "weights"),
    [
        ((-1.5, 0, 0, -3), (0.04, 0.04, 0.87, 0.04)),  # one back
        ((1.5, 0, -3, 0), (0.04, 0.87, 0.04, 0.04)),  # two back
        ((0, 0, -3, -3), (0.02, 0.48, 0.48, 0.02)),  # both alike
        ((1.5, 0, 0, 3), (0.33, 0.33, 0.02, 0.33)),  # all but the neighbor
        ((0, 3, 0, 0), (0.25, 0.25, 0.25, 0.25)),  # all alike, and q is not 0
    ],
)
def test_goals(query, weights):
    query = np.array([query], dtype=float)
    found = rotary_attention(query, ALIKE, ALIKE, [3], k_positions=PLACES, frequencies=HALF_QUARTER)[1]
    assert_allclose(found, [weights], atol=5e-3)
    if weights[0] == 0.25:
        assert_allclose(scores(query=query[0], keys=ALIKE), 0, atol=1e-12)


def test_the_goal_that_can_not_be_reached():
    """Leads of big over very add up to 0 over four offsets, until clock 0 stands still."""
    difference = np.tile(BIG - VERY, (4, 1))
    for query in np.random.default_rng(5).uniform(-3, 3, size=(200, 4)):
        assert_allclose(scores(0, -PLACES, query, difference).sum(), 0, atol=1e-12)
    still = rotate(difference, -PLACES, frequencies=[0, np.pi / 2]) @ [-1, 1, 0, 0]
    assert_allclose(still, 2)


def test_where_it_meets_again():
    """Half and quarter turns repeat after 4 words; a clock of 1 radian is nearly back after 44."""
    for o in (1, 2, 3):
        assert np.abs(turned(VERY, [o]) - VERY).max() > 0.5
    assert_allclose(turned(VERY, [4]), [VERY], **close)
    back = rotate(np.array([[1.0, 0]]), 44, frequencies=[1.0])
    assert_allclose(back, [[1, 0]], atol=0.02)


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


def test_heads_are_split_before_they_turn():
    """`merge_heads(split_heads(x))` is x, so what differs is where the turn stands."""
    x = np.random.default_rng(7).normal(size=(5, 8))
    after = merge_heads(rotate(split_heads(x, 2), np.arange(5)))
    assert np.abs(after - rotate(x, np.arange(5))).max() > 0.1
    assert_allclose(merge_heads(split_heads(x, 2)), x)


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
    )  # the mean itself: it has not gone for good
