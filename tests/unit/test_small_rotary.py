"""The small figures of turned positions: what each idea says is so, beside that page and NumPy agree."""

import numpy as np
from numpy.testing import assert_allclose

from attn.explore import (
    LayersWithoutPlaces,
    LoadedWeights,
    MeanOverOffsets,
    MovedTogether,
    ScoreByOffset,
    SpreadByDistance,
    StretchedClocks,
    TurnTogether,
)
from attn.explore.small import positional_encoding, rotary
from attn.positional import angular_frequencies
from attn.practice.mistakes.turning import mixed_up
from attn.rotary import rotate, stretch


def at(back):
    return ScoreByOffset(back=back).numbers()["score_now"][:, 0]


def test_each_curve_is_a_score_of_turned_vectors():
    clocks = angular_frequencies(64)
    for back in (0, 1, 13, 20, 60):
        key_at, query_at = 200 - back, 200  # the start does not matter
        query = rotate(rotary.QUERY[None], query_at)[0]
        found = [query @ rotate(key[None], key_at)[0] / 64 for key in (rotary.QUERY, rotary.CHOSEN)]
        assert_allclose(at(back)[:2], found, atol=1e-12)
        assert_allclose(at(back)[0], np.cos(back * clocks).mean(), atol=1e-12)


def test_the_chosen_key_peaks_20_back_and_ones_here():
    curves = ScoreByOffset().numbers()["score"]
    assert curves[:2].argmax(axis=1).tolist() == [0, 4 * rotary.BACK]
    assert_allclose([at(0)[0], at(rotary.BACK)[1]], 1)
    assert (np.diff(curves[0]) > 0).any()  # it swings, and does not only fall
    low, high = ScoreByOffset.made_of[0]["ends"]
    assert low <= curves.min() <= curves.max() <= high + 1e-12


def test_the_spread_stays():
    curves = ScoreByOffset().numbers()["score"]
    assert_allclose(curves[2], 1, rtol=1e-12)
    rng = np.random.default_rng(0)
    for back in (0, 30):
        scores = rotate(rng.normal(size=(20_000, 64)), -back) @ rotary.QUERY
        assert abs(scores.std() / 8 - at(back)[2]) < 5 / np.sqrt(40_000)


def test_one_layer_sees_a_bag_and_two_see_more():
    one, two = (LayersWithoutPlaces(layers=layers).numbers() for layers in ("one", "two"))
    assert_allclose(one["forward"], one["swapped"], atol=1e-14)
    assert np.abs(two["forward"] - two["swapped"]).max() > 0.3
    assert rotary.WORDS is positional_encoding.WORDS


def test_only_two_angles_in_a_pair_change_a_length():
    places = np.linspace(0, 20, 81)
    halves = rotate(rotary._rows(rotary.ASKS, len(places)), places, layout="halves")
    mixed = mixed_up(rotary._rows(rotary.ASKS, len(places)), places, angular_frequencies(len(rotary.ASKS)))
    assert np.ptp(np.linalg.norm(halves, axis=1)) < 1e-12
    assert np.ptp(np.linalg.norm(mixed, axis=1)) > 1


def test_the_curves_stay_on_their_scale_and_their_points_lie_on_them():
    assert_allclose(MovedTogether().numbers()["score_now"][1], 4.98, atol=0.005)
    assert_allclose(LoadedWeights().numbers()["score_now"], 4, atol=1e-12)  # at offset 0 all three agree
    trained, loaded, reordered = LoadedWeights().numbers()["score"]
    assert_allclose(reordered, trained, atol=1e-12)
    assert np.abs(loaded - trained).max() > 5
    for kind, trait in ((MovedTogether, "start"), (LoadedWeights, "back")):
        curves = kind().numbers()["score"]
        low, high = kind.made_of[0]["ends"]
        assert low <= curves.min() <= curves.max() <= high
        for place in (0, 7, 20):
            assert_allclose(
                kind(**{trait: place}).numbers()["score_now"][:, 0], curves[:, 4 * place], atol=1e-12
            )


def test_one_pair_of_each_turns_and_its_dot_product_stays():
    first = TurnTogether().numbers()
    assert_allclose(first["dot"], 0.94, atol=0.005)
    assert_allclose(first["query"] @ first["key"].T, np.cos(np.deg2rad(20)))  # 20 + 40 from 80
    for start in range(rotary.TURNS + 1):
        found = TurnTogether(start=start).numbers()
        assert_allclose(found["dot"], first["dot"], atol=1e-12)
        for arrow, degrees in (("query", 60), ("key", 80)):
            angle = np.deg2rad(degrees + 40 * start)
            assert_allclose(found[arrow], [[np.cos(angle), np.sin(angle)]], atol=1e-12)
            if start % rotary.TURNS:  # nine words are a whole turn
                assert np.abs(found[arrow] - first[arrow]).max() > 0.2


def test_the_bound_falls_and_the_scores_do_not():
    """512 scores: five standard errors of a standard deviation are 0.16."""
    found = {back: SpreadByDistance(back=back).numbers() for back in rotary.DISTANCES}
    bounds = [float(numbers["bound"][0, 0]) for numbers in found.values()]
    assert_allclose([bounds[0], *bounds[-2:]], [32.50, 4.47, 5.04], atol=0.005)
    first, far = (found[back]["deviation"].item() for back in ("0", "1000"))
    assert_allclose([first, far], [1.02, 1.04], atol=0.005)
    assert (np.diff(bounds[:-1]) < 0).all()
    for back, numbers in found.items():
        assert_allclose([numbers["share"].sum(), numbers["normal"].sum()], 1)
        deviation = numbers["deviation"][0, 0]
        assert abs(deviation - 1) < 5 / np.sqrt(2 * rotary.N_KEYS), back
        assert abs(deviation - found["0"]["deviation"][0, 0]) < 0.1
        query, keys = rotary._drawn()
        scores = rotate(keys, 7) @ rotate(query[None], 7 + int(back))[0] / np.linalg.norm(query)
        assert_allclose(scores.std(ddof=1), deviation, atol=1e-9)
        assert np.abs(scores).max() < rotary.EDGES[-1]


def test_the_keys_on_the_page_prefer_no_direction():
    query, keys = rotary._drawn()
    assert abs(np.linalg.norm(keys.mean(axis=0)) - np.sqrt(128 / 512)) < 0.1
    assert abs(keys.std() - 1) < 5 / np.sqrt(2 * keys.size)
    assert abs(np.corrcoef(query, keys.mean(axis=0))[0, 1]) < 5 / np.sqrt(128)


def test_a_mean_stays_within_its_bound():
    bound, mean, negative = MeanOverOffsets().numbers()["mean"]
    assert (np.abs(mean) <= bound).all()
    assert_allclose(negative, -bound)
    assert (np.abs(mean) / bound).max() > 0.9  # it comes near
    offsets = np.arange(256)
    scores = np.array([rotary.BIG @ rotate(rotary.VERY[None], o, frequencies=[1, 0.1])[0] for o in offsets])
    assert_allclose(scores[0], -1)
    assert_allclose(MeanOverOffsets().numbers()["mean_now"][:2, 0], [2.63, -1.27], atol=0.005)
    for n in (16, 100, 256):
        now = MeanOverOffsets(offsets=n).numbers()["mean_now"][:, 0]
        wide = (1 / np.sin(0.5) + 2 / np.sin(0.05)) / n
        assert_allclose(now, [wide, scores[:n].mean(), -wide], atol=1e-12)
    low, high = MeanOverOffsets.made_of[0]["ends"]
    assert low <= negative.min() <= bound.max() <= high


def test_a_clock_in_a_text_four_times_as_long():
    """Each curve is an angle of the long text beside the one of training, both from turned arrows."""
    first = StretchedClocks().numbers()
    assert_allclose(first["turns"], 651.90, atol=0.005)
    assert_allclose(first["reach_now"][:, 0], [4, 4, 4, 1])
    clocks = angular_frequencies(128)
    ways = [clocks, *(stretch(clocks, 4, how, n_trained=4096) for how in ("ntk", "yarn", "interpolation"))]
    for clock in (0, 21, 45, 46, 63):
        found = StretchedClocks(clock=clock).numbers()
        assert_allclose(found["turns"], 4096 / (2 * np.pi / clocks[clock]))
        reached = [16_384 * way[clock] / (4096 * clocks[clock]) for way in ways]
        assert_allclose(found["reach_now"][:, 0], reached)
        assert_allclose(found["reach"][:, clock], reached)
    low, high = StretchedClocks.made_of[0]["ends"]
    assert low <= first["reach"].min() <= first["reach"].max() <= high


def test_the_clocks_that_never_got_round():
    """46 … 63: unchanged and with NTK they leave their arc, the last one with NTK aside."""
    for clock in range(64):
        found = StretchedClocks(clock=clock).numbers()
        assert (found["turns"].item() < 1) == (clock >= 46)
        leaves = found["reach_now"][:, 0] > 1 + 1e-9
        if clock >= 46:
            assert leaves.tolist() == [True, clock < 63, False, False]
