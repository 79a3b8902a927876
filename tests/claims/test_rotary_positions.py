"""Claims of chapter 8's pages that stand beside those of test_rotary.py: exercises, the show of hands, a bucket."""

import numpy as np
from numpy.testing import assert_allclose

from attn.bias import alibi_bias, t5_bucket
from attn.explore import LayersWithoutPlaces
from attn.positional import angular_frequencies
from attn.rotary import rotate, stretch
from attn.softmax import softmax


def test_independent_entries_keep_mean_and_variance_alone():
    """All four keys of coins: the score of a turned one has mean 0 and the same variance, and other values."""
    keys = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=float)
    query = np.array([1.0, 0])
    here, there = (rotate(keys, o, frequencies=[1.0]) @ query for o in (0, 1))
    for scores in (here, there):
        assert_allclose([scores.mean(), scores.var()], [0, 1], atol=1e-12)
    assert len(np.unique(here.round(9))) == 2
    assert len(np.unique(there.round(9))) == 4
    # with another mean, or unequal variances, neither stays
    ones, spread = np.ones(64), np.tile([2.0, 0.1], 32)
    (moved,) = rotate(ones[None], 20)
    assert_allclose(ones @ moved, 37.8, atol=0.05)
    every_second = np.tile([1.0, 0], 32)
    deviations = [np.linalg.norm(rotate(every_second[None], -o) * spread) for o in (0, 20)]
    assert_allclose(deviations, [11.3, 9.7], atol=0.05)


def test_identical_words_stay_identical_and_others_do_not():
    rng = np.random.default_rng(0)
    w_q, w_k, w_v = rng.normal(size=(3, 4, 4)) / 2

    def outputs(x):
        hidden = np.where(np.tri(len(x), dtype=bool), 0, -np.inf)
        return [softmax(x @ w_q @ (x @ w_k).T + mask) @ (x @ w_v) for mask in (0, hidden)]

    word, other = rng.normal(size=(2, 4))
    for out in outputs(np.array([word] * 5)):
        assert_allclose(out, np.tile(out[0], (5, 1)), atol=1e-12)
    _, masked = outputs(np.array([word, other, word]))
    assert np.abs(masked[0] - masked[2]).max() > 0.01


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


def test_bucket_16_is_never_used():
    """Both ways, bucket 16 would be for a key that is ahead by 0."""
    used = np.unique(t5_bucket(np.arange(-5000, 5001), bidirectional=True))
    assert sorted(set(range(32)) - set(used.tolist())) == [16]
    causal = t5_bucket(np.arange(-5000, 5001), bidirectional=False)
    assert len(np.unique(causal)) == 32


def test_a_lead_against_a_slope():
    """Among words of which the one right before is `very`, `big` has more weight up to 8 back, and as much at 9."""
    for back in range(1, 15):
        content = np.zeros(back + 2)
        content[-1 - back] = 2
        weights = softmax(content + alibi_bias(1, back + 2, np.array([0.25]), offset=back + 1)[0, 0])
        big, very = weights[-1 - back], weights[-2]
        if back == 1:
            continue  # there it is the word right before
        assert (big > very * (1 + 1e-9)) == (back <= 8)
        if back == 9:
            assert_allclose(big, very)


def test_man_in_both_orders():
    one, two = (LayersWithoutPlaces(layers=layers).matrices() for layers in ("one", "two"))
    assert_allclose([one["forward"][0, 0], one["swapped"][0, 0]], 0.98, atol=5e-3)
    assert np.abs(two["forward"] - two["swapped"]).max() > 0.1


SIXTY_FOUR = angular_frequencies(128)


def test_three_clocks_by_hand():
    """Stretch the context: a turn in 2, 8 and 32 words, texts of 12 words and of 48."""
    clocks = 2 * np.pi / np.array([2, 8, 32])
    ways = [clocks, *(stretch(clocks, 4, how) for how in ("interpolation", "ntk"))]
    assert_allclose(12 / np.array([2, 8, 32]), [6, 1.5, 0.375])
    turns = [48 * way / (2 * np.pi) for way in ways]
    assert_allclose(turns, [[24, 6, 1.5], [6, 1.5, 0.375], [24, 3, 0.375]])


def test_which_of_64_clocks_are_new_and_which_are_slowed():
    ways = {how: stretch(SIXTY_FOUR, 4, how, n_trained=4096) for how in ("interpolation", "ntk", "yarn")}
    turns = 4096 * SIXTY_FOUR / (2 * np.pi)
    assert_allclose(turns[[0, 20, 21, 45, 46, 63]], [651.90, 36.66, 31.75, 1.00, 0.87, 0.08], atol=0.005)
    assert np.flatnonzero(turns < 1).tolist() == list(range(46, 64))
    new = [(16_384 * way > 4096 * SIXTY_FOUR * (1 + 1e-12))[46:].sum() for way in ways.values()]
    slowed = [(way < SIXTY_FOUR * (1 - 1e-12)).sum() for way in ways.values()]
    assert (new, slowed) == ([0, 17, 0], [64, 63, 43])
    assert_allclose(ways["yarn"][:21], SIXTY_FOUR[:21])
    assert_allclose(ways["ntk"][[0, -1]] / SIXTY_FOUR[[0, -1]], [1, 0.25])


def test_how_far_ntk_holds():
    """Clock 46 until 4^(46/63) times 4,096 words; with 2,048 words of training clock 41 is the first of them."""
    assert_allclose([4 ** (46 / 63), 4096 * 4 ** (46 / 63)], [2.75, 11_270.9], atol=0.05)
    assert np.flatnonzero(2 * np.pi > 2048 * SIXTY_FOUR)[0] == 41
    slowed = stretch(SIXTY_FOUR, 4, "ntk")
    assert 11_270 * slowed[46] < 4096 * SIXTY_FOUR[46] < 11_271 * slowed[46]
    assert 5048 * slowed[41] < 2048 * SIXTY_FOUR[41] < 5049 * slowed[41]


def test_enough_for_all_clocks():
    """The exercise: 4^(63/46), and no less; then 17 clocks are slowed by more than 4."""
    factor = 4 ** (63 / 46)
    assert_allclose(factor, 6.68, atol=0.005)
    enough, less = (4 * stretch(SIXTY_FOUR, f, "ntk")[46:] for f in (factor, 0.999 * factor))
    assert (enough <= SIXTY_FOUR[46:] * (1 + 1e-12)).all()
    assert (enough < SIXTY_FOUR[46:] * (1 - 1e-9)).sum() == 17
    assert less[0] > SIXTY_FOUR[46]
    assert_allclose(SIXTY_FOUR[-1] / stretch(SIXTY_FOUR, factor, "ntk")[-1], 6.68, atol=0.005)


def test_yarns_code_and_its_formula():
    """In its code the share goes by the clock's number, 20 to 46; the clocks are 0.98 to 1.73 times the formula's."""
    divided = np.clip((np.arange(64) - 20) / (46 - 20), 0, 1)
    ratio = SIXTY_FOUR * (divided / 4 + 1 - divided) / stretch(SIXTY_FOUR, 4, "yarn", n_trained=4096)
    assert_allclose([ratio.min(), ratio.max()], [0.98, 1.73], atol=0.005)


def test_a_peak_20_back_in_a_longer_text():
    """Scores up to 8: the weight at the peak in 4,096 words and in 16,384; YaRN raises scores by (0.1 ln 4 + 1)²."""
    weights = []
    for n in (4096, 16_384):
        scores = 8 * np.cos((np.arange(n)[:, None] - 20) * SIXTY_FOUR).mean(axis=1)
        weights.append(softmax(scores)[20])
        assert scores.argmax() == 20
    assert weights[1] < weights[0]
    assert_allclose((0.1 * np.log(4) + 1) ** 2, 1.30, atol=0.005)
