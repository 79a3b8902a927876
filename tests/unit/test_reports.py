"""Which report is right: each stands in the ledger, and the figure that decides it shows what the verdict says."""

import numpy as np
import pytest

import attn.explore
import ledger
from attn.explore import EmptyRow, FutureMoved, LongerQuery
from attn.explore._base import Explorable
from attn.explore._small import Small
from attn.explore.small import rotary
from attn.induction import hand_set, induction_score
from attn.practice.reports import REPORTS, RULINGS
from attn.rotary import rotate
from attn.softmax import softmax
from attn.transformer import layer_norm

ERRORS = {entry["error"]: page for page, entries in ledger.errors().items() for entry in entries}
CLAIMS = {row["says"]: page for page, rows in ledger.claims().items() for row in rows if "says" in row}


@pytest.fixture(params=REPORTS.values(), ids=list(REPORTS))
def report(request):
    return request.param


def figure_of(report, **state):
    return getattr(attn.explore, report.figure)(report=report.name, **state)


def test_each_report_stands_in_the_ledger(report):
    """An error of its chapter, or one claim; a bug is an error in the wild, or a claim says what it does."""
    found = [page for text, page in (ERRORS | CLAIMS).items() if text.startswith(report.ledger)]
    assert len(found) == 1, found
    assert int(found[0].split("/")[1][:2]) == int(report.chapter)


def test_each_chapter_has_two_and_neither_answer_is_always_right():
    chapters = [report.chapter for report in REPORTS.values()]
    assert chapters == sorted(chapters)
    assert all(chapters.count(chapter) >= 2 for chapter in "0123456789")
    bugs = sum(report.bug for report in REPORTS.values())
    assert len(REPORTS) / 3 <= bugs <= 2 * len(REPORTS) / 3


def test_the_figure_asks_with_the_report(report):
    figure = figure_of(report)
    assert isinstance(figure, Small)
    asks = figure.predict
    assert asks["options"] == list(RULINGS)
    assert RULINGS[asks["solution"]] == ("a bug" if report.bug else "no bug")
    assert report.says in asks["question"]
    assert asks["explanation"] == report.why
    assert asks["exercise"] == report.name
    assert "a bug" not in report.says.replace("Is it a bug?", "")
    assert figure.right is None
    figure.answer = asks["solution"]
    assert figure.right is True
    assert report.says.replace("`", "")[:20] in figure.alt.replace("`", "")


def test_a_figure_that_was_asked_can_be_made_again(report):
    """As from a page, whose state holds the question."""
    figure = figure_of(report)
    state = {
        key: value
        for key, value in figure.get_state().items()
        if key in figure.own_traits() or key == "predict"
    }
    assert type(figure)(**state).predict == figure.predict


def test_exercises_are_listed_once_each():
    kinds = [getattr(attn.explore, name) for name in attn.explore.__all__]
    listed = [one for kind in kinds if issubclass(kind, Small) for one in kind.exercises()]
    assert sorted(one["name"] for one in listed) == sorted(REPORTS)
    for one in listed:
        assert one == {
            "name": one["name"], "title": REPORTS[one["name"]].title, "chapter": REPORTS[one["name"]].chapter,
            "kind": "report",
        }  # fmt: skip
    assert not hasattr(Explorable, "exercises")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: EmptyRow(report="report.keys-moved"),
            "report must be one that EmptyRow decides, report.minus-billion, got 'report.keys-moved'",
        ),
        (lambda: LongerQuery(report="report.keys-moved"), "and there is none, got"),
        (lambda: FutureMoved(report="nonsense"), "report.mask-after-softmax, got 'nonsense'"),
    ],
)
def test_wrong_input(make, says):
    with pytest.raises(ValueError, match=says):
        make()


# ---------------------------------------------------------------- what the verdicts say is in the figures' numbers


def numbers(name, **state):
    return {key: np.asarray(value) for key, value in figure_of(REPORTS[name], **state).numbers().items()}


def test_keys_that_are_moved_move_scores_and_no_weight():
    (name,) = attn.explore.KeysMoved.state_traits()
    here, there = numbers("report.keys-moved", **{name: 0.0}), numbers("report.keys-moved", **{name: 1.0})
    assert (np.abs(there["scores"] - here["scores"]) > 1).all()
    np.testing.assert_allclose(there["weights"], here["weights"], atol=1e-12)


def test_a_softmax_down_the_columns_has_three_sums_of_one_and_none_in_a_row():
    columns, rows = (numbers("report.columns", axis=axis) for axis in ("columns", "rows"))
    np.testing.assert_allclose(columns["weights"].sum(axis=0), 1)
    assert (np.abs(columns["sums"] - 1) > 0.02).all()
    assert columns["sums"].min() < 1 < columns["sums"].max()
    np.testing.assert_allclose(rows["sums"], 1)
    assert ((columns["weights"] > 0) & (columns["weights"] < 1)).all()


def test_without_positions_the_order_is_lost():
    (name,) = attn.explore.OrderSeen.state_traits()
    options = [value for value, _ in figure_of(REPORTS["report.order-lost"]).control(name)["options"]]
    (one, other) = (lambda found: list(found.values()))(numbers("report.order-lost", **{name: options[0]}))
    np.testing.assert_allclose(one, other, atol=1e-12)
    (one, other) = (lambda found: list(found.values()))(numbers("report.order-lost", **{name: options[-1]}))
    assert not np.allclose(one, other, atol=0.05)


def test_six_apart_is_more_alike_than_one_with_four_dimensions():
    (near, far) = (numbers("report.not-falling", distance=d)["alike_now"].ravel() for d in (1, 6))
    assert far[0] > near[0]
    assert far[1] < near[1]  # with 64


def test_divided_by_d_the_weights_are_nearly_the_same():
    found = {
        scale: numbers("report.divided-by-d", scale=scale)["weights"] for scale in ("d_k", "root", "none")
    }
    assert np.ptp(found["d_k"]) < 0.1
    assert 0.1 < np.ptp(found["root"]) < 0.9
    assert found["none"].max() > 0.9


def test_one_table_wanders_on_both_sides_of_eight():
    found = [
        float(figure_of(REPORTS["report.variance-of-a-table"], draw=draw).scalars()["variance"])
        for draw in range(1, 65)
    ]
    assert min(found) < 5
    assert max(found) > 11
    assert found[0] < 6  # as the report says of the first


def test_the_past_moves_when_the_mask_comes_late():
    moved = numbers("report.mask-after-softmax", times=3.0)
    assert (moved["before"][0, :3] == 0).all()
    assert (moved["after"][0, :3] > 0).any()


def test_a_row_that_sees_nothing_sees_all_with_a_billion():
    for hidden in range(4):
        found = numbers("report.minus-billion", hidden=hidden)
        np.testing.assert_allclose(found["infinite"], found["finite"])
    found = numbers("report.minus-billion", hidden=4)
    assert (found["infinite"] == 0).all()
    np.testing.assert_allclose(found["finite"], 0.25)


def test_the_first_word_looks_at_itself_alone():
    np.testing.assert_array_equal(numbers("report.first-word", mask="causal")["weights"][0], [1, 0, 0, 0, 0])


def test_only_head_2s_share_and_the_sum_move():
    (name,) = attn.explore.AddedShares.state_traits()
    one, other = (numbers("report.one-block", **{name: value})["shares"] for value in (0.0, 1.0))
    assert list((one != other).any(axis=1)) == [False, True, True]  # head 1, head 2, sum


def test_no_bias_gets_four_of_four():
    for bias in np.arange(-20, 21) / 10:
        votes = numbers("report.three-of-four", bias=float(bias))
        (sums,) = [value.ravel() for value in votes.values() if value.size == 4]
        assert ((sums > 0) == [False, True, True, False]).sum() < 4


def test_the_bias_is_part_of_each_vote():
    """It moves the four sums by different amounts, and both totals by the same."""
    low, high = (numbers("report.three-of-four", bias=bias) for bias in (-1.0, 1.0))
    assert len(set((high["sums"] - low["sums"]).round(6).ravel())) == 3
    for votes in (low, high):
        np.testing.assert_allclose(votes["totals"][0, 0], votes["totals"][0, 1])


def test_counting_columns_parts_a_sine_from_its_cosine():
    paper, columns = (
        numbers("report.doubled-exponent", counts=counts)["exponent"][0] for counts in ("pairs", "dimensions")
    )
    assert columns[0] == paper[0]
    assert (columns[1:] > paper[1:]).all()
    assert (paper[0::2] == paper[1::2]).all()
    assert (columns[0::2] != columns[1::2]).all()


def test_a_mask_after_the_softmax_leaks_unless_the_rest_is_rescaled():
    scores, sees = np.array([0.3, -0.2, 1.1, 0.4]), np.array([True, True, False, False])
    moved = scores + [0, 0, 0, 2]
    one, other = (np.where(sees, softmax(x), 0) for x in (scores, moved))
    assert np.abs(one - other).max() > 0.05
    np.testing.assert_allclose(one / one.sum(), other / other.sum())


def test_a_billion_fits_in_float32_and_not_in_half_of_it():
    with np.errstate(over="ignore"):
        assert np.isneginf(np.float16(-1e9))
    np.testing.assert_array_equal(softmax(np.full(4, -1e9, np.float32)), np.full(4, 0.25, np.float32))


def test_a_pair_below_chance_has_negative_pmi():
    found = numbers("report.negative-information", days=1)
    assert [round(float(value.item()), 1) for value in found.values() if value.size == 1].count(-2.3) >= 1


def test_both_words_move_and_only_two_angles_in_a_pair_move_the_score():
    found = np.array([numbers("report.turned-back", start=start)["score_now"] for start in range(21)])
    halves, mixed, back = found[..., 0].T
    assert max(np.ptp(halves), np.ptp(back)) < 1e-12
    assert np.ptp(mixed) > 10
    assert halves[0] == numbers("report.pairs-by-halves")["score_now"][0, 0]


def test_turned_back_it_is_the_score_at_the_opposite_offset():
    places = rotary.APART * np.array([1, -1])
    ahead, behind = (rotate(rotary.ASKED[None], place)[0] @ rotary.ASKS for place in places)
    assert abs(ahead - behind) > 1
    np.testing.assert_allclose(numbers("report.turned-back")["score_now"][2, 0], ahead)


def test_weights_of_another_layout_agree_at_0_and_reordered_everywhere():
    for back in range(21):
        trained, loaded, reordered = numbers("report.weights-of-another-layout", back=back)["score_now"][:, 0]
        assert reordered == pytest.approx(trained, abs=1e-12)
        assert (abs(loaded - trained) < 1e-12) == (back == 0)
    curves = numbers("report.weights-of-another-layout")["score"]
    assert np.abs(curves[1] - curves[0]).max() > 10


def test_the_same_word_is_three_back_and_what_came_after_two():
    found = [numbers("report.duplicate-token", back=back) for back in (2, 3)]
    assert [(each["same"], each["after"]) for each in found] == [(0, 1), (1, 0)]
    for back in range(5):
        weights = numbers("report.duplicate-token", back=back)["weights"]
        np.testing.assert_array_equal(weights.argmax(axis=1), np.maximum(np.arange(6) - back, 0))


def test_one_row_of_five_is_a_fifth():
    for length in range(2, 21):
        whole, repeated = numbers("report.first-row-of-the-stripe", length=length)["score_now"][:, 0]
        assert (whole, repeated) == (pytest.approx(1 / (length + 1)), 0)
    ideal = np.eye(8, k=-3)  # what the stripe is for: it counts 1 either way
    assert np.diagonal(ideal, -3).mean() == induction_score(ideal, np.arange(8) % 4) == 1


def test_n_minus_one_is_no_epsilon():
    tiny = numbers("report.n-minus-one", power=-12)["first_now"][:, 0]
    np.testing.assert_allclose(tiny[0], layer_norm(np.array([1.0, 0, 0, 0]), eps=1e-12)[0])
    np.testing.assert_allclose(tiny, [np.sqrt(3), 1.5], atol=1e-10)
    for power in range(-12, 1):
        found = numbers("report.n-minus-one", power=power)["first_now"][:, 0]
        assert (abs(found[1] / found[0] - np.sqrt(3 / 4)) < 1e-3) == (power <= -3)
        assert found[1] < 0.9 * found[0]


def test_shifted_keys_complete_the_pattern_and_see_no_later_word():
    own, shifted = (numbers("report.shifted-keys", share=share) for share in (0.0, 1.0))
    assert (own["right"], shifted["right"]) == (0, 16)
    assert own["says"].argmax() == 0  # A
    assert shifted["says"].argmax() == 3  # 1
    counts = [numbers("report.shifted-keys", share=k / 10)["right"].item() for k in range(11)]
    assert counts == [0] * 6 + [16] * 5
    # The same as layer 2 of the drawn network behind an exact layer 1.
    run = hand_set(5.0, beta_1=60.0)(np.array([0, 1, 4, 2, 3, 1]))
    np.testing.assert_allclose(shifted["weights"][0], run.weights[1][-1], atol=1e-12)


def test_the_base_of_the_shares_is_e():
    """Where the curves meet the shares of the days, 0.125 and 0.75; with base 2 `wet` differs from both."""
    near, bits = (numbers("report.bits-in-softmax", base=base) for base in (2.7, 2.0))
    key = next(name for name in near if name.endswith("_now"))
    assert np.abs(near[key].ravel() - [0.125, 0.75]).max() < 0.01
    assert np.abs(bits[key].ravel() - [0.125, 0.75]).min() > 0.02
