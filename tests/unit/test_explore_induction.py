"""The figure of the pattern is the book's network, and says in NumPy what its goals and its chapter need."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.explore import FourCasesOneHead, Induction
from attn.explore.induction import VOCABULARY
from attn.induction import hand_set, questions
from tests.browser.explorables import EXPLORABLES
from tests.browser.lamps import induction as goals_of

SILENT = np.diag([1.0, 0, 0, 1, 1])  # names hand nothing on
PARTS = ("layer_1", "layer_2", "residual_1", "residual_2", "causal", "bos", "places")


def test_the_answer_goes_through_the_words_as_the_hand_turns():
    said = [Induction(turn=float(turn)) for turn in range(4)]
    assert [figure.says for figure in said] == ["A", "1", "B", "0"]
    assert_allclose(said[0].weights[1, -1, [1, 5]], [0.501, 0.485], atol=5e-4)  # `A` stands at both
    for figure, place in zip(said[1:], (2, 3, 4), strict=True):
        assert_allclose(figure.weights[1, -1, place], 0.965, atol=5e-4)


@pytest.mark.parametrize("turn", [0, 1, 1.3, 2.5, 5.9])
@pytest.mark.parametrize(("beta_1", "beta_2"), [(10, 5), (2, 0), (0, 7)])
def test_it_is_the_books_network(turn, beta_1, beta_2):
    figure = Induction(turn=turn, beta_1=beta_1, beta_2=beta_2)
    network = hand_set(beta_2, hands=True, turn=turn, beta_1=beta_1)
    for tokens, _ in questions():
        mine, its = figure.network(tokens), network(tokens)
        assert_allclose(mine.logits, its.logits, atol=1e-12)
        assert_allclose(mine.stream[-1], its.stream[-1], atol=1e-12)
    tokens = np.array([VOCABULARY.index(word) for word in figure.words])
    assert_allclose(figure.matrices()["answer"], network(tokens).logits[-1:], atol=1e-12)
    assert_allclose(figure.weights, network(tokens).weights, atol=1e-12)


def test_between_which_turns_all_sixteen_are_right():
    right = {turn: Induction(turn=turn / 10).right_of_16 for turn in range(60)}
    assert [turn for turn, count in right.items() if count == 16] == list(range(6, 15))


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        *(({name: False}, 0) for name in ("layer_1", "layer_2", "residual_1", "places")),
        ({"residual_2": False}, 16), ({"bos": False}, 8), ({"causal": False}, 8),
        ({"norm": "pre"}, 16), ({"norm": "post"}, 16),
        ({"lane": "token"}, 0), ({"lane": "token", "say": 1.1 * np.eye(5)}, 16),
        ({"bos": False, "say": SILENT}, 16),
        ({"bos": False, "causal": False, "residual_2": False, "say": SILENT}, 16),
        ({"match": np.zeros((5, 5))}, 0), ({"copy": np.zeros((5, 5))}, 0),
    ],
)  # fmt: skip
def test_what_each_part_is_needed_for_here(changes, count):
    """In these weights: others do without some of them."""
    assert Induction(turn=1.0, **changes).right_of_16 == count


def test_each_goal_has_its_way():
    first = Induction()
    assert not any(goals_of(first, first))
    for goal, way in enumerate(EXPLORABLES["Induction"].goals(first)):
        figure = Induction()
        for name, value in way:
            trait, *path = name.split(".")
            if path:
                block = np.array(getattr(figure, trait))
                block[tuple(map(int, path))] = value
                value = block.tolist()
            setattr(figure, trait, value)
        assert goals_of(figure, figure)[goal], way


def test_one_layer_alone_gets_twelve_and_never_four_of_the_four():
    """Theorem: of the four cases that differ in the orders of names and digits one is wrong; others can be right."""
    cases = [
        next(
            i
            for i, (tokens, _) in enumerate(questions())
            if "".join(VOCABULARY[t] for t in tokens[1:]) == text
        )
        for text in ("A1B0A", "A0B1A", "B1A0A", "B0A1A")
    ]
    rng, best = np.random.default_rng(0), 0
    for layer, lane, norm in itertools.product((1, 2), ("next", "token", "before"), ("none", "pre", "post")):
        for _ in range(12):
            blocks = {name: rng.uniform(-3, 3, (5, 5)).round(1) for name in ("copy", "match", "say")}
            figure = Induction(
                look=rng.uniform(-3, 3, (2, 2)), turn=rng.uniform(0, 5.9), norm=norm, lane=lane,
                layer_1=layer == 1, layer_2=layer == 2, **blocks,
            )  # fmt: skip
            best = max(best, figure.right_of_16)
            assert figure.rights()[cases].sum() <= 3
    alone = [Induction(turn=turn, layer_2=False, lane="before") for turn in (1.0, 3.0)]
    assert [figure.right_of_16 for figure in alone] == [12, 12]
    assert best <= 14


def test_a_layer_that_is_not_there_looks_at_nothing():
    figure = Induction(layer_1=False)
    assert_allclose(figure.weights[0], 0)
    assert_allclose(figure.weights[1].sum(axis=1), 1)
    assert Induction(layer_1=False, layer_2=False).says == ""


def test_without_bos_the_words_move_up_a_place():
    figure = Induction(bos=False, turn=1.0)
    assert figure.words == ["A", "1", "B", "0", "A"]
    assert figure.matrices()["stream"].shape == (5, 17)


def test_ranks_are_those_of_the_products():
    figure = Induction(say=np.diag([1.0, 0, 2, 0, 0]), look=[[1, 2], [0.5, 1]], turn=1.7)
    made, said = figure.products(), figure.scalars()
    assert said["rank_qk_1"] == np.linalg.matrix_rank(made["w_qk_1"]) == 1
    assert said["rank_qk_2"] == np.linalg.matrix_rank(made["w_qk_2"]) == 5
    assert said["rank_ov_1"] == np.linalg.matrix_rank(made["w_ov_1"]) == 5
    assert said["rank_ov_2"] == np.linalg.matrix_rank(made["w_ov_2"]) == 2
    assert Induction(beta_1=0.0).scalars()["rank_qk_1"] == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"look": np.ones((3, 3))}, r"look must have shape \(2, 2\), got \(3, 3\)"),
        ({"say": np.ones((4, 5))}, r"say must have shape \(5, 5\), got \(4, 5\)"),
        ({"match": np.full((5, 5), np.nan)}, "match must be finite"),
    ],
)
def test_wrong_shapes_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Induction(**given)


def test_a_prediction_about_the_hand():
    """As the chapter asks it: a drag of the hand answers it, a drag of anything else leaves it open."""
    asks = {
        "question": "Turn the hand one place back: what does the network say then?",
        "options": ["`0`", "`1`", "still `A`"],
        "solution": 1,
        "explanation": "`1` has noted who stands before it.",
        "about": ["turn"],
    }
    assert Induction(predict=asks).predict["about"] == ["turn"]


def test_one_head_gets_two_or_three_of_four():
    count = {vote: FourCasesOneHead(vote=vote / 10).scalars()["right"] for vote in range(-40, 41)}
    assert set(count.values()) == {2, 3}
    for vote in count:
        totals = FourCasesOneHead(vote=vote / 10).matrices()["totals"][0]
        assert totals[0] == pytest.approx(totals[1])
