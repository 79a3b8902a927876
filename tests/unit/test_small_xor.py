"""What chapter 5 says of its small figures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn import xor
from attn.explore import (
    BiasOfVotes,
    FoldedMean,
    PlacesInValues,
    PointOnTheRope,
    ResidualTakesAway,
    TwoHeadsPull,
    VoteRectangle,
    WeightsThatKnow,
)
from attn.xor import XOR

EQUAL, UNEQUAL = [0, 3], [1, 2]


def steps(kind):
    """The figure in each state that its slider has."""
    (name,) = kind().state_traits()
    control = kind().control(name)
    count = round((control["max"] - control["min"]) / control["step"])
    return [kind(**{name: round(control["min"] + i * control["step"], 6)}) for i in range(count + 1)]


def parted(row):
    """Whether one cut has the equal pairs on one side and the unequal ones on the other."""
    row = np.ravel(row)
    equal, unequal = row[EQUAL], row[UNEQUAL]
    return equal.max() < unequal.min() - 1e-9 or equal.min() > unequal.max() + 1e-9


def test_in_the_residual_bit_0_has_the_number_1():
    assert ResidualTakesAway().numbers()["mean"][0].tolist() == [1, 0.5, 0.5, 0]


def test_the_first_state_is_the_network_by_hand():
    numbers, state = WeightsThatKnow().numbers(), xor.ROPE()
    assert_allclose(numbers["own"][0], state.attention[:, 0, 0], atol=1e-12)
    assert_allclose(numbers["read"][0], state.read[:, 0], atol=1e-12)
    assert xor.ROPE.query.tolist() == [0.3, 0.3]


def test_sharper_weights_move_unequal_bits_up_but_not_past_the_end():
    rows = [figure.numbers() for figure in steps(WeightsThatKnow)]
    assert all(parted(row["own"]) for row in rows[1:])
    assert not any(parted(row["read"]) for row in rows)
    assert (np.diff([row["read"][0, 1] for row in rows]) > 0).all()
    assert all(-1.5 < row["read"][0, 1] < 1.5 for row in rows)


def test_a_point_on_the_rope_has_an_output_between_those_of_the_ends():
    for figure in steps(PointOnTheRope):
        first, middle, last = figure.numbers()["outputs"][0]
        assert first - 1e-12 <= middle <= last + 1e-12
        assert middle == pytest.approx((1 - figure.share) * first + figure.share * last)


def test_any_negative_factor_parts_the_folded_mean_and_no_other():
    for figure in steps(FoldedMean):
        assert parted(figure.numbers()["folded"]) == (figure.slope < 0)
    assert_allclose(FoldedMean().numbers()["folded"][0], np.abs(FoldedMean().numbers()["mean"][0]))


def test_two_totals_are_one_and_no_bias_makes_the_votes_xor():
    found = {}
    for figure in steps(BiasOfVotes):
        numbers = figure.numbers()
        assert_allclose(*numbers["totals"][0], atol=1e-12)
        found[figure.bias] = tuple((numbers["sums"][0] > 0).astype(int).tolist())
    assert tuple(XOR) not in found.values()
    assert found[0.5] == (0, 1, 1, 1)
    assert set(found.values()) == {(0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 1, 1), (1, 1, 1, 1)}


def test_a_rectangle_of_votes_has_opposite_corners_on_no_side_of_the_line():
    for figure in steps(VoteRectangle):
        numbers = figure.numbers()
        sums = numbers["sums"][0]
        assert_allclose(sums, numbers["corners"].sum(axis=1))
        assert sums[0] + sums[3] == pytest.approx(sums[1] + sums[2])
        assert (sums[1] > 1e-9) == (figure.vote > 1.2)
        assert (sums[3] > 1e-9) == (figure.vote > -1.7)
        assert sums[0] < 0 < sums[2]
        assert not ((sums > 1e-9) == (XOR == 1)).all()
        corner = [numbers[name][0] for name in ("c00", "c10", "c01", "c11")]
        assert_allclose(corner, numbers["corners"])
    assert_allclose(numbers["a"].sum(), numbers["b"].sum())  # both ends of the line where votes cancel
    assert numbers["a"].sum() == 0


def test_half_the_difference_of_the_two_heads_is_tanh():
    for figure in steps(TwoHeadsPull):
        numbers = figure.numbers()
        half = (numbers["up"] - numbers["down"])[0] / 2
        assert_allclose(half, np.tanh(figure.beta) * XOR, atol=1e-12)
        assert numbers["unequal"].item() == pytest.approx(half[2])
        assert numbers["equal"].item() == pytest.approx(half[0], abs=1e-12)


@pytest.mark.parametrize(
    ("figure", "name", "way"),
    [(PlacesInValues(), "says", "position"), (ResidualTakesAway(), "left", "residual")],
)
def test_two_ways_out_are_those_of_attn(figure, name, way):
    assert_allclose(figure.numbers()[name][0], xor.WAYS_OUT[way]().read[:, 0], atol=1e-12)


def test_places_part_the_pairs_unless_they_say_nothing():
    for figure in steps(PlacesInValues):
        assert parted(figure.numbers()["says"]) == (figure.place != 0)


def test_more_than_half_must_be_taken_away():
    for figure in steps(ResidualTakesAway):
        assert parted(figure.numbers()["left"]) == (figure.times > 0.5)


def test_a_quarter_turn_leaves_the_rope_and_the_other_ways_bring_its_ends_together():
    for name, network in xor.WAYS_OUT.items():
        first, *unequal, last = network().read
        if name == "second head":
            assert_allclose(first, -last)
            along, across = last - first, unequal[0] - first
            assert abs(along[0] * across[1] - along[1] * across[0]) > 1
        else:
            assert_allclose(first, last, atol=1e-12)
            assert np.abs(unequal - first).max() > 0.45


def test_the_mean_at_the_ends_and_between():
    """With equal weights a row of the by-hand values is −1.5, 0, 0, 1.5, and two ReLUs make its absolute value."""
    state = xor.WAYS_OUT["ffn"]()
    assert_allclose(state.attention, 0.5)
    mean = state.attention @ (xor.one_hot_pairs() @ xor.WAYS_OUT["ffn"].w_v)
    assert_allclose(mean[..., 0], np.repeat([[-1.5], [0], [0], [1.5]], 2, axis=1))
    assert_allclose(state.hidden[..., 0], np.abs(mean[..., 0]))


@pytest.mark.parametrize("slope", [-1.0, -0.3, -0.1, 0.0, 0.5, 1.0])
def test_folding_moves_the_value_of_0_0_alone_and_a_negative_factor_lifts_it_above_the_unequal(slope):
    value = FoldedMean(slope=slope).numbers()["folded"][0]
    assert value[3] == 1
    assert value[0] == -slope
    np.testing.assert_array_equal(value[1:3], 0)
    assert (value[0] > value[1:3]).all() == (slope < 0)
