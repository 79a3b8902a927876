"""Which report is right: each stands in the ledger, and the figure that decides it shows what the verdict says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn.explore
import ledger
from attn.explore import EmptyRow, FutureMoved, LongerQuery
from attn.explore._small import Small
from attn.explore.small import rotary
from attn.induction import hand_set
from attn.practice.reports import REPORTS, RULINGS
from attn.rotary import rotate
from ledger.proofs import functions_of

ERRORS = {entry["error"]: page for page, entries in ledger.errors().items() for entry in entries}
CLAIMS = {row["says"]: page for page, rows in ledger.claims().items() for row in rows if "says" in row}


@pytest.fixture(params=REPORTS.values(), ids=list(REPORTS))
def report(request):
    return request.param


def figure_of(report, **state):
    return getattr(attn.explore, report.figure)(report=report.name, **state)


def test_each_report_stands_in_the_ledger(report):
    """An error of its chapter, or one claim, or a test that decides it."""
    file, _, test = report.ledger.partition("::")
    if test:
        assert test in functions_of(file)
        return
    found = [page for text, page in (ERRORS | CLAIMS).items() if text.startswith(report.ledger)]
    assert len(found) == 1, found
    assert int(found[0].rpartition("/")[2][:2]) == int(report.chapter)


def test_each_chapter_has_two_and_neither_answer_is_always_right():
    chapters = [report.chapter for report in REPORTS.values()]
    assert chapters == sorted(chapters)
    assert all(chapters.count(chapter) >= 2 for chapter in "0123456789")
    assert len(REPORTS) / 3 <= sum(report.bug for report in REPORTS.values()) <= 2 * len(REPORTS) / 3
    kinds = [getattr(attn.explore, name) for name in attn.explore.__all__]
    listed = [one for kind in kinds if issubclass(kind, Small) for one in kind.exercises()]
    assert sorted(one["name"] for one in listed) == sorted(REPORTS), "each is listed once"


def test_the_figure_asks_with_the_report(report):
    figure = figure_of(report)
    asks = figure.predict
    assert RULINGS[asks["solution"]] == ("a bug" if report.bug else "no bug")
    assert report.says in asks["question"]
    assert "a bug" not in report.says.replace("Is it a bug?", "")
    assert (asks["explanation"], asks["exercise"], figure.right) == (report.why, report.name, None)
    figure.answer = asks["solution"]
    assert figure.right is True
    assert report.says.replace("`", "")[:20] in figure.alt.replace("`", "")
    kept = {key: getattr(figure, key) for key in (*figure.own_traits(), "predict")}
    assert type(figure)(**kept).predict == asks, "made again, as from a page, whose state holds the question"


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
# Where a page prints it from the same figure there is no test: one block, a row that sees nothing, one table, the order
# of words without positions, the first word of a causal mask, a mask that comes late.


def numbers(name, **state):
    kind = getattr(attn.explore, REPORTS[name].figure)
    figure = kind.__new__(kind)  # without a wire to a page
    for trait, value in state.items():
        setattr(figure, trait, value)
    return {key: np.asarray(value) for key, value in figure.numbers().items()}


def many(name, key, values):
    """One number of a report's figure in several states, a row a state; `values` is trait=list."""
    ((trait, states),) = values.items()
    return np.array([np.ravel(numbers(name, **{trait: state})[key]) for state in states])


def test_a_softmax_down_the_columns_sums_to_one_in_no_row():
    down, along = many("report.columns", "weights", {"axis": ("columns", "rows")}).reshape(2, 3, 3)
    assert_allclose(down.sum(axis=0), 1)
    assert_allclose(along.sum(axis=1), 1)
    assert down.sum(axis=1).min() < 0.98 < 1.02 < down.sum(axis=1).max()


def test_turned_back_it_is_another_score():
    back = numbers("report.turned-back", start=0)["score_now"][2, 0]
    ahead, behind = (rotate(rotary.ASKED[None], way * rotary.APART)[0] @ rotary.ASKS for way in (1, -1))
    assert abs(ahead - behind) > 1
    assert back == pytest.approx(ahead)


def test_weights_of_another_layout_agree_at_0_and_reordered_everywhere():
    trained, loaded, reordered = many("report.weights-of-another-layout", "score_now", {"back": range(21)}).T
    assert_allclose(reordered, trained, atol=1e-12)
    assert (np.abs(loaded - trained) < 1e-12).tolist() == [True] + [False] * 20


def test_shifted_keys_complete_the_pattern():
    rights = many("report.shifted-keys", "right", {"share": np.arange(11) / 10})
    assert rights.ravel().tolist() == [0] * 6 + [16] * 5
    shifted = numbers("report.shifted-keys", share=1.0)
    run = hand_set(5.0, beta_1=60.0)(np.array([0, 1, 4, 2, 3, 1]))  # layer 2 behind an exact layer 1
    assert_allclose(shifted["weights"][0], run.weights[1][-1], atol=1e-12)
    assert shifted["says"].argmax() == 3  # 1


def test_the_base_of_the_shares_is_e():
    near, bits = many("report.bits-in-softmax", "weight_now", {"base": (2.7, 2.0)})
    assert_allclose(near, [0.125, 0.75], atol=0.01)
    assert np.abs(bits - [0.125, 0.75]).min() > 0.02


def test_the_same_word_is_three_back_and_what_came_after_two():
    found = [numbers("report.duplicate-token", back=back) for back in (2, 3)]
    assert [(each["same"], each["after"]) for each in found] == [(0, 1), (1, 0)]


def test_keys_that_are_moved_move_scores_and_no_weight():
    name = "report.keys-moved"
    scores, weights = (many(name, key, {"times": (0.0, 1.0)}) for key in ("scores", "weights"))
    assert np.abs(scores[1] - scores[0]).min() > 1
    assert_allclose(weights[1], weights[0], atol=1e-12)


def test_divided_by_d_the_weights_are_nearly_the_same():
    by_d, root, none = many("report.divided-by-d", "weights", {"scale": ("d_k", "root", "none")})
    assert np.ptp(by_d) < 0.1 < np.ptp(root) < 0.9 < none.max()


def test_six_apart_is_more_alike_than_one_with_four_dimensions():
    (near, near_64), (far, far_64) = many("report.not-falling", "alike_now", {"distance": (1, 6)})
    assert far > near
    assert far_64 < near_64
