"""Small figures: their tables, what a second way gives, and that each idea is so. On the page: test_three_ways.py."""

from itertools import product

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose

from attn import corpus, explore, xor
from attn._numbers import number as text
from attn.attention import scaled_dot_product_attention
from attn.explore import _small, self_attention
from attn.explore.masking import K, Q, V
from attn.explore.small import FIGURES
from attn.induction import induction_score
from attn.masks import causal_mask
from attn.pmi import cooccurrence_counts, pmi
from attn.transformer import layer_norm
from tests.unit.node import answer, view_of


def every(widget):
    """All states of its controls."""
    controls = {
        name: _small.values_of(widget.control(name), isinstance(getattr(widget, name), int))
        for name in widget.state_traits()
    }
    return [dict(zip(controls, values, strict=True)) for values in product(*controls.values())]


def some(widget):
    """The states at both ends of its controls and some between, or all that it has."""
    states = every(widget)
    places = sorted({round((len(states) - 1) * share) for share in np.linspace(0, 1, 13)})
    return [states[k] for k in places]


def at(name, **state):
    """A figure in a state, without a wire to a page."""
    figure = FIGURES[name].__new__(FIGURES[name])
    for trait, value in state.items():
        setattr(figure, trait, value)
    return figure


def shown(name, **state):
    """What a figure shows in a state: arrays by name."""
    return {key: np.asarray(value, dtype=float) for key, value in at(name, **state).numbers().items()}


def each(name, of):
    """One of a figure's numbers in all states of its control, a row a state, and what the control is set to."""
    states = every(at(name))
    values = [value for (value,) in (state.values() for state in states)]
    return np.array([shown(name, **state)[of].ravel() for state in states]), np.array(values)


# ------------------------------------------------------------------------------------------ tables


def on_the_page(kind, table, states):
    """What a figure's view shows in each of some states, in node."""
    return answer(view_of(kind.view), "states.map((one) => compute(one, table))", states=states, table=table)


class TwoKeys(explore.KeysMoved):
    view = "two_keys"
    more = traitlets.Int(1, min=1, max=4).tag(sync=True, label="more", step=1)
    turned = traitlets.Bool(False).tag(sync=True, label="turned")

    def numbers(self):
        return {"scores": np.array([[self.times, self.more, self.turned]]), "weights": np.ones((1, 1))}

    def tell(self, now):
        return f"{text(self.times)}, {self.more}{', turned' if self.turned else ''}"


def test_several_controls_make_one_table():
    """Each state is a row, and a number that no control reaches shows the nearer one, or what Python added."""
    table = _small.table_of(TwoKeys)
    assert table["keys"] == ["times", "more", "turned"]
    assert list(map(len, table["values"])) == [41, 4, 2]
    assert len(table["says"]) == 41 * 4 * 2
    assert table["says"][-1] == "1, 4, turned"
    assert table["numbers"]["weights"] == {"all": [[1.0]]}
    states = [
        {"times": times, "more": more, "turned": turned}
        for times, more, turned in product((-1, 0.35, 0.36), (1, 3), (False, True))
    ]
    for state, now in zip(states, on_the_page(TwoKeys, table, states), strict=True):
        assert now["scores"] == [[min(state["times"], 0.35), state["more"], state["turned"]]]
    own = TwoKeys(times=0.36, more=3)
    assert own.table["own"]["says"] == "0.36, 3"
    (now,) = on_the_page(TwoKeys, own.table, [{"times": 0.36, "more": 3, "turned": False}])
    assert now["scores"] == [[0.36, 3, 0]]
    own.times = 0.35
    assert "own" not in own.table
    assert (own.rules["more"], own.rules["turned"]) == (["of", 1, 2, 3, 4], ["bool"])  # what a link sets
    assert 0.35 in own.rules["times"]
    assert 0.36 not in own.rules["times"]


def test_a_table_has_an_end():
    class Many(explore.KeysMoved):
        view = "many_keys"
        more = traitlets.Int(1, min=1, max=100).tag(sync=True, label="more", step=1)

        def tell(self, now):
            return ""

    with pytest.raises(ValueError, match="Many has 4,100 states, more than 2,000: take longer steps"):
        Many()
    with pytest.raises(ValueError, match="q, k, v, ink"):
        _small.columns("x", "", names=["a"], ends=(0, 1), role="blue")


@pytest.mark.parametrize("name", FIGURES)
def test_no_number_leaves_its_scale(name):
    """What a bar or a point can't show is not shown: ends hold all that the control reaches."""
    for state in some(at(name)):
        numbers = shown(name, **state)
        for part in FIGURES[name].made_of:
            if part["ends"] and part["kind"] != "histogram":
                low, high = part["ends"]
                array = numbers[f"{part['name']}_now" if part["kind"] == "curve" else part["name"]]
                reached = (
                    f"at {state} {part['name']} has {np.min(array)} to {np.max(array)}, its ends: {low, high}"
                )
                assert low - 1e-9 <= np.min(array) <= np.max(array) <= high + 1e-9, reached


# ------------------------------------------------------------------------------------------ a second way


def weather(both):
    """Chapter 7's table with another share of days that are both cloudy and wet."""
    return np.array([[0.25 - both, 0.55 + both], [both, 0.2 - both]])


def moved_by(f):
    keys = np.array(K) * np.where(np.arange(4) == 3, f.times, 1)[:, None]
    old, new = (
        scaled_dot_product_attention(np.array(Q), k, np.array(V), causal_mask(4))[0] for k in (K, keys)
    )
    return {"before": np.linalg.norm(new - old, axis=-1)}


#: What some of a figure's numbers are, by a formula that the figure does not use. Those of others stand in sentences
#: that their pages print.
AGAIN = {
    "FutureMoved": moved_by,
    "BiasOfVotes": lambda f: {
        "sums": [sum(np.exp(x) * (x + f.bias) for x in pair) for pair in ((-1, -1), (1, -1), (-1, 1), (1, 1))]
    },
    "RatioInBits": lambda f: {"bits_now": pmi(weather(f.days / 100), 2)[1, 0]},
    "StuckHeadScore": lambda f: {"score_now": [1 / (f.length + 1), 0]},
    "HeadByOffset": lambda f: {"after": induction_score(f.numbers()["weights"], np.array([0, 1, 2] * 2))},
    "NormAndEpsilon": lambda f: {
        "first_now": [layer_norm(np.array([1.0, 0, 0, 0]), eps=10.0**f.power)[0], 0.75 / (0.5 + 10.0**f.power)]
    },
}  # fmt: skip


@pytest.mark.parametrize("name", AGAIN)
def test_a_second_way_gives_the_same(name):
    for state in some(at(name)):
        for key, wanted in AGAIN[name](at(name, **state)).items():
            got = shown(name, **state)[key].ravel()
            assert_allclose(got, np.ravel(wanted), rtol=1e-9, atol=5e-9, err_msg=f"{key} at {state}")


# ------------------------------------------------------------------------------------------ what each idea says


def test_a_program_has_its_chapters_numbers():
    """A small figure computes what its program says, where the numbers of the chapter stand once more."""
    q, k, v = (np.array(rows, dtype=float) for rows in (self_attention.Q, self_attention.K, self_attention.V))
    output, weights = scaled_dot_product_attention(q, k, v)
    assert_allclose(shown("WordsShuffled")["output"], output)
    assert_allclose(shown("AxisOfSoftmax", axis="rows")["weights"], weights)
    for name in ("LongerQuery", "KeysMoved", "ExponentialsToWeights"):
        assert_allclose(shown(name)["weights"][0], weights[2], atol=5e-3)  # of the last, a score is rounded
    row = scaled_dot_product_attention(np.array(Q[2:3]), np.array(K), np.array(V))[1]
    for name, of in (("HiddenScore", "weights"), ("EmptyRow", "infinite")):
        assert_allclose(shown(name)[of], row)
    counts, words = cooccurrence_counts(corpus.book(), 10)
    met = counts[words.index("query"), [words.index(word) for word in ("the", "key", "kindness")]]
    assert_allclose(shown("PriorShare", share=1.0)["weights"][0], met / met.sum())
    assert_allclose(shown("PriorShare")["met"][0], met / met.sum())
    words = np.random.default_rng(1).normal(size=(3, 4)).round(1)  # of `dog`, `bites` and `man` on the page
    assert_allclose(shown("OrderSeen")["bites"][0], scaled_dot_product_attention(words, words, words)[0][0])


def test_one_head_at_best_is_the_nearest_of_all_weights_and_faders():
    """Of all weights over three words and all faders, on a grid: none is nearer to what is wanted than the figure's."""
    steps = np.linspace(0, 1, 51)
    the, cat = (grid.ravel() for grid in np.meshgrid(steps, steps))
    the, cat = the[the + cat <= 1 + 1e-12], cat[the + cat <= 1 + 1e-12]
    fader = np.linspace(-3, 3, 121)[:, None]
    for best, wanted in zip(*each("OneHeadAtBest", "one_head"), strict=True):
        away = (fader * cat - 1) ** 2 + (fader * the - wanted) ** 2 + (fader * (1 - the - cat)) ** 2
        mine = ((best - [wanted, 1]) ** 2).sum()
        assert mine <= away.min() + 1e-12
        if wanted >= 0:  # a sum needs no second head
            assert mine == 0
        else:
            assert best.tolist() == [0, 1]


def test_a_blind_head_gets_whole_tokens():
    for heads in (1, 2, 4):
        numbers = shown("WhoseNumbers", heads=str(heads))
        assert numbers["right"].tolist() == [[4 / heads] * 4]
        assert numbers["blind"].tolist() == [[4] * (4 // heads) + [0] * (4 - 4 // heads)]


def test_adams_curve_is_its_code():
    """The page's own `adam`, with the same gradient at each step: each step is as long as the figure says."""
    for exponent in range(-9, 2):
        gradient, mean, square, rate = 10.0**exponent, 0.0, 0.0, 0.1
        adams, plain = 10 ** shown("AdamAndScale", exponent=exponent)["step_now"].ravel()
        for t in range(1, 30):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            m, s = mean / (1 - 0.9**t), square / (1 - 0.999**t)
            assert rate * m / (np.sqrt(s) + 1e-8) == pytest.approx(adams, rel=1e-9)
        assert plain == pytest.approx(rate * gradient)
        assert (adams == pytest.approx(rate, rel=0.011)) == (exponent >= -6)


def parted(row):
    """Whether one cut has the equal pairs on one side and the unequal ones on the other."""
    equal, unequal = row[[0, 3]], row[[1, 2]]
    return equal.max() < unequal.min() - 1e-9 or equal.min() > unequal.max() + 1e-9


def test_what_is_subtracted_once_leaves_the_residual_network():
    read = xor.WAYS_OUT["residual"]().read[:, 1]
    assert_allclose(shown("ResidualTakesAway", times=1.0)["left"][0], read, atol=1e-12)


def test_sharper_weights_move_unequal_bits_up_but_not_past_the_end():
    own, read = (each("WeightsThatKnow", of)[0] for of in ("own", "read"))
    assert all(map(parted, own[1:]))
    assert not any(map(parted, read))
    assert (np.diff(read[:, 1]) > 0).all()
    assert (np.abs(read[:, 1]) < 1.5).all()


def test_two_totals_are_one_and_no_bias_makes_the_votes_xor():
    (totals, _), (sums, biases) = each("BiasOfVotes", "totals"), each("BiasOfVotes", "sums")
    assert_allclose(totals[:, 0], totals[:, 1], atol=1e-12)
    said = dict(zip(biases, ("".join("01"[int(vote > 0)] for vote in row) for row in sums), strict=True))
    assert said[0.5] == "0111"
    assert set(said.values()) == {"0000", "0001", "0111", "1111"}
    assert len({*(sums[-1] - sums[0]).round(6)}) == 3  # the bias moves the four sums by different amounts


def test_a_rectangle_of_votes_has_opposite_corners_on_no_side_of_the_line():
    (sums, votes), (corners, _) = each("VoteRectangle", "sums"), each("VoteRectangle", "corners")
    assert_allclose(sums, corners.reshape(-1, 4, 2).sum(axis=2))
    assert_allclose(sums[:, 0] + sums[:, 3], sums[:, 1] + sums[:, 2])
    assert (sums[:, 0] < 0).all()
    assert (sums[:, 2] > 0).all()
    np.testing.assert_array_equal(sums[:, 1] > 1e-9, votes > 1.2)
    np.testing.assert_array_equal(sums[:, 3] > 1e-9, votes > -1.7)
    assert not ((sums > 1e-9) == (xor.XOR == 1)).all(axis=1).any()
    numbers = shown("VoteRectangle")
    assert_allclose([numbers[name][0] for name in ("c00", "c10", "c01", "c11")], numbers["corners"])
    assert_allclose([numbers["equal"], numbers["unequal"]], numbers["sums"][0, [1, 2]].sum())
    assert numbers["a"].sum() == numbers["b"].sum() == 0  # both ends of the line where votes cancel


@pytest.mark.parametrize(
    ("name", "of", "parts"),
    [
        ("FoldedMean", "folded", lambda slope: slope < 0),
        ("PlacesInValues", "says", lambda place: place != 0),
        ("ResidualTakesAway", "left", lambda times: times > 0.5),
    ],
)
def test_where_the_pairs_are_parted(name, of, parts):
    for row, value in zip(*each(name, of), strict=True):
        assert parted(row) == parts(value), value
