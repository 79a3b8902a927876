"""Small figures: the page shows what NumPy computes; and what each idea says is so."""

import json

import numpy as np
import pytest
import traitlets

from attn import explore
from attn._numbers import number as text
from attn.explore import CostOfWords, KeysMoved, ScoreAsShadow, WordsShuffled, _small
from attn.explore._base import joined_module
from attn.explore.small import FIGURES, positional_encoding
from attn.positional import shift_matrix, sinusoidal_encoding
from tests import tiers
from tests.unit.node import answer


def values(widget):
    """Its control, and both ends of it and some between, or all of its options."""
    (name,) = widget.state_traits()
    every = _small.values_of(widget.control(name), isinstance(getattr(widget, name), int))
    return name, [
        every[k] for k in sorted({round((len(every) - 1) * share) for share in np.linspace(0, 1, 13)})
    ]


def how(name):
    """Of which sort a figure's control is."""
    widget = FIGURES[name]()
    return {
        ("options" in widget.control(key), "step" in widget.control(key)) for key in widget.state_traits()
    }


def on_the_page(kind, table, states):
    """What a figure's view shows in each of some states, in node."""
    script = joined_module(kind.view).replace("export default ", "const view = ")
    script += f"\nconst given = {json.dumps(table)};"
    return answer(script, f"{json.dumps(states)}.map((state) => view.compute(state, given))")


@pytest.mark.parametrize("name", tiers.cover(FIGURES, how))
def test_the_page_shows_what_numpy_computes(name):
    """A slider, a list, a switch."""
    widget = FIGURES[name]()
    trait, chosen = values(widget)
    got = on_the_page(FIGURES[name], widget.table, [{trait: value} for value in chosen])
    for value, shown in zip(chosen, got, strict=True):
        setattr(widget, trait, value)
        wanted = widget.numbers()
        assert set(shown) == set(wanted)
        for key, array in wanted.items():
            np.testing.assert_allclose(
                np.asarray(shown[key], dtype=float), np.atleast_2d(array), rtol=1e-12, atol=1e-12
            )


class TwoKeys(KeysMoved):
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
        for times in (-1, 0.35, 0.36)
        for more in (1, 3)
        for turned in (False, True)
    ]
    shown = on_the_page(TwoKeys, table, states)
    for state, now in zip(states, shown, strict=True):
        np.testing.assert_allclose(
            now["scores"], [[min(state["times"], 0.35), state["more"], state["turned"]]]
        )
    own = TwoKeys(times=0.36, more=3)
    assert own.table["own"]["says"] == "0.36, 3"
    (now,) = on_the_page(TwoKeys, own.table, [{"times": 0.36, "more": 3, "turned": False}])
    assert now["scores"] == [[0.36, 3, 0]]
    own.times = 0.35
    assert "own" not in own.table


def test_a_link_sets_what_a_control_can():
    rules = TwoKeys().rules
    assert rules["more"] == ["of", 1, 2, 3, 4]
    assert rules["turned"] == ["bool"]
    assert 0.35 in rules["times"]
    assert 0.36 not in rules["times"]


def test_a_table_has_an_end():
    class Many(KeysMoved):
        view = "many_keys"
        more = traitlets.Int(1, min=1, max=100).tag(sync=True, label="more", step=1)

        def tell(self, now):
            return ""

    with pytest.raises(ValueError, match="Many has 4,100 states, more than 2,000: take longer steps"):
        Many()


@pytest.mark.parametrize("name", FIGURES)
def test_no_number_leaves_its_scale(name):
    """What a bar or a point can't show is not shown: ends hold all that the control reaches."""
    widget = FIGURES[name]()
    trait, chosen = values(widget)
    for value in chosen:
        setattr(widget, trait, value)
        numbers = widget.numbers()
        for part in widget.made_of:
            if part["ends"] and part["kind"] not in ("curve", "histogram"):
                low, high = part["ends"]
                array = numbers[part["name"]]
                assert low - 1e-9 <= np.min(array) <= np.max(array) <= high + 1e-9, (part["name"], value)


def test_a_role_is_one_of_four():
    with pytest.raises(ValueError, match="q, k, v, ink"):
        _small.columns("x", "", names=["a"], ends=(0, 1), role="blue")


def test_the_shadow_lies_on_the_key_at_a_right_angle():
    for angle in range(-180, 181, 15):
        numbers = ScoreAsShadow(angle=angle).numbers()
        query, key, shadow = (numbers[name][0] for name in ("query", "key", "shadow"))
        assert np.linalg.norm(query) == pytest.approx(2)
        assert key[0] * shadow[1] == pytest.approx(key[1] * shadow[0])
        assert (query - shadow) @ key == pytest.approx(0, abs=1e-12)
        assert numbers["dot"][0, 0] == pytest.approx(shadow @ key)


def test_moved_keys_move_scores_and_no_weight():
    first = KeysMoved().numbers()
    for times in (-1.0, 0.4, 1.0):
        moved = KeysMoved(times=times).numbers()
        assert np.abs(moved["scores"] - first["scores"]).min() > 1.5
        np.testing.assert_allclose(moved["weights"], first["weights"], atol=1e-12)


def test_shuffled_words_get_the_same_outputs():
    rows = {word: WordsShuffled().numbers()["output"][i] for i, word in enumerate(("the", "cat", "sat"))}
    for order, _ in WordsShuffled().control("order")["options"]:
        for word, row in zip(order.split(), WordsShuffled(order=order).numbers()["output"], strict=True):
            np.testing.assert_allclose(row, rows[word], atol=1e-12)


def test_twice_the_words_are_four_times_the_scores():
    four, eight = (CostOfWords(words=n).numbers()["count_now"].ravel() for n in (4, 8))
    assert (eight / four).tolist() == [4, 1]


def entry(figure, name):
    """One number that a figure shows: "weights.0.1", or a scalar."""
    name, *place = name.split(".")
    value = np.asarray(figure.numbers()[name], dtype=float)
    return value[tuple(map(int, place))] if place else value.item()


def test_dog_is_the_same_in_both_sentences_until_positions_are_added():
    nothing, position = (explore.OrderSeen(added=added).numbers() for added in ("nothing", "position"))
    np.testing.assert_allclose(nothing["bites"], nothing["bitten"], atol=1e-15)
    assert np.abs(position["bites"] - position["bitten"]).max() > 0.4
    np.testing.assert_array_equal(
        positional_encoding.WORDS, np.random.default_rng(1).normal(size=(3, 4)).round(1)
    )


def test_six_words_away_is_more_alike_than_one():
    """With 4 dimensions, not with 64; and each curve is the product of encodings, divided by d/2."""
    for row, d in enumerate((4, 64)):
        places = sinusoidal_encoding(29, d)
        near = [explore.AlikeByDistance(distance=n).numbers()["alike_now"][row, 0] for n in range(29)]
        np.testing.assert_allclose(near, places @ places[0] / (d / 2), atol=1e-12)
        assert (near[6] > near[1]) == (d == 4)


def test_from_pair_11_on_no_clock_gets_round_in_128_positions():
    turns = [entry(explore.PairWave(pair=pair), "turns") for pair in range(32)]
    assert [pair for pair, n in enumerate(turns) if n < 1] == list(range(11, 32))
    assert int(turns[0]) == 20
    assert turns[31] < 0.01
    some = explore.PairWave(pair=5).numbers()
    wave = some["wave"][0]
    at = np.linspace(0, 128, len(wave))
    encoded = sinusoidal_encoding(129, 64)[:, 11]
    np.testing.assert_allclose(np.interp(np.arange(129), at, wave), encoded, atol=0.02)
    assert some["wave_now"].item() == pytest.approx(1)


def test_exponents_of_dimensions_are_doubled():
    """0, 0, 0.5, 0.5 by pairs; and what they give is the page's encoding, and the notebook's, printed as 0.99995."""
    pairs, dimensions = (explore.ExponentOfPairs(counts=i).numbers() for i in ("pairs", "dimensions"))
    assert pairs["exponent"].tolist() == [[0, 0, 0.5, 0.5]]
    assert dimensions["exponent"].tolist() == [[0, 0.5, 1, 1.5]]
    np.testing.assert_allclose(pairs["world"], sinusoidal_encoding(2, 4)[1:])
    np.testing.assert_allclose(dimensions["world"], [[0.84147098, 0.99995, 0.0001, 1]], atol=5e-9)


def test_one_sine_has_two_futures():
    """They differ by 2 sin 1 cos a: whatever is made of the sine alone misses one by half of that, 0.84 at most."""
    for angle in range(-60, 61, 15):
        numbers = explore.SameSine(angle=angle).numbers()
        assert numbers["rising"][0, 0] == numbers["falling"][0, 0]
        up, down = numbers["later"][0]
        assert up - down == pytest.approx(2 * np.sin(1) * np.cos(np.deg2rad(angle)))
        shift = shift_matrix(1, 2)
        for hand, later in (("rising", up), ("falling", down)):
            assert (numbers[hand] @ shift.T)[0, 0] == pytest.approx(later)


def test_one_score_moves_one_exponential_and_every_weight():
    low, high = (explore.ExponentialsToWeights(score=score).numbers() for score in (0.3, 0.4))
    moved = {name: (np.abs(high[name] - low[name])[0] > 1e-6).tolist() for name in low}
    assert moved == {"exponentials": [False, True, False], "weights": [True, True, True]}


def test_one_head_at_best_is_the_nearest_of_all_weights_and_faders():
    """Of all weights over three words and all faders, on a grid: none is nearer to what is wanted than the figure's."""
    steps = np.linspace(0, 1, 51)
    the, cat = (grid.ravel() for grid in np.meshgrid(steps, steps))
    the, cat = the[the + cat <= 1 + 1e-12], cat[the + cat <= 1 + 1e-12]
    fader = np.linspace(-3, 3, 121)[:, None]
    for wanted in np.linspace(-1, 1, 11):
        (best,) = explore.OneHeadAtBest(wanted=wanted).numbers()["one_head"]
        away = (fader * the - 1) ** 2 + (fader * cat - wanted) ** 2 + (fader * (1 - the - cat)) ** 2
        mine = ((best - [1, wanted]) ** 2).sum()
        assert mine <= away.min() + 1e-12
        if wanted >= 0:  # a sum needs no second head
            assert mine == 0
        else:
            assert best.tolist() == [1, 0]


def test_a_blind_head_gets_whole_tokens():
    for power, heads in ((0, 1), (1, 2), (2, 4)):
        numbers = explore.WhoseNumbers(heads=str(2**power)).numbers()
        assert numbers["right"].tolist() == [[4 / heads] * 4]
        assert numbers["blind"].tolist() == [[4] * (4 // heads) + [0] * (4 - 4 // heads)]
