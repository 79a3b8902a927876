"""Ladders: each rung is what it says, in the page's own code, and what is called impossible is.

What "random" means: each entry of a state is uniform among the values that its control can take.
"""

import json
import re
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from attn.explore import MaskingLadder
from attn.explore.practice._ladder import changed, size, way
from attn.explore.practice.ladders import LADDERS
from attn.induction import questions
from attn.pmi import mutual_information, pmi
from tests.browser.states import spots
from tests.unit.climbing import RANDOM, SLACK, Climber, seeded
from tests.unit.node import answer, view_of

ROOT = Path(__file__).resolve().parents[2]
CLIMBERS = {name: Climber(kind) for name, kind in LADDERS.items()}
RUNGS = [(name, n) for name, kind in LADDERS.items() for n in range(1, len(kind.climb) + 1)]
SOLVABLE = [(name, n) for name, n in RUNGS if LADDERS[name].climb[n - 1].solution is not None]
IMPOSSIBLE = [(name, n) for name, n in RUNGS if LADDERS[name].climb[n - 1].solution is None]


@pytest.mark.parametrize("name", LADDERS)
def test_the_page_is_told_what_the_class_says(name):
    """A puzzle can be read alone, as the page Practice draws it by lot, and its own figure has what it uses."""
    widget, climber = LADDERS[name](), CLIMBERS[name]
    json.dumps(widget.rungs, allow_nan=False)
    assert 5 <= len(widget.climb) <= 8
    assert {rung.solution is None for rung in widget.climb} == {True, False}
    lines = " ".join(widget.lines_above())
    for n, (told, rung) in enumerate(zip(widget.rungs, widget.climb, strict=True), 1):
        assert told["name"] == widget.name_of(n)
        assert len(set(told["hints"])) == 3
        assert (told["solution"] is None) == (told["proof"] is not None)
        assert told["solution"] is None or climber.par(n) > 0
        assert rung.controls, "a rung without a solution says which traits a reader will try"
        assert (told["asks"], told["counts"]) == (rung.asks, rung.score.counts)
        assert not re.search(r"^(The same|Now|And|Then)\b|\bagain\b", rung.asks), n
        assert set(rung.controls) <= set(widget.state_traits()), n
        assert f"{n}. " in lines


@pytest.mark.parametrize(("name", "n"), SOLVABLE)
def test_a_solution_is_where_the_controls_reach(name, n):
    climber = CLIMBERS[name]
    for trait, value in climber.solution(n).items():
        if value == climber.first[trait]:
            continue
        for path, entry in [((), value)] if not isinstance(value, list) else spots(value):
            assert any(
                entry == other if isinstance(entry, str | bool) else abs(entry - other) < SLACK
                for other in climber.values(trait, path, entry)
            ), f"{trait}{path} = {entry}"


@pytest.mark.parametrize("name", LADDERS)
def test_a_solution_lights_its_lamp_and_not_all_around_it_does(name):
    """Neither does what stories and lecture show, nor the first state."""
    climber, rng = CLIMBERS[name], seeded(name)
    solvable = [n for other, n in SOLVABLE if other == name]
    for n in solvable:
        lit = climber.solution(n)
        around = [lit, *climber.neighbors(lit)]
        if len(around) > 250:
            around = [lit, *rng.sample(around[1:], 249)]
        said = climber.lit(around)[:, n - 1]
        assert said[0], "the stored solution lights its lamp"
        assert not said[1:].all(), "no state beside the solution is dark"
    told = [
        climber.first | {key: value for key, value in one["changes"].items() if key in climber.first}
        for one in [*climber.widget.stories, *climber.widget.lecture]
    ]
    assert not climber.lit([climber.first, *told]).any(), "a button of the figure reaches a rung"


@pytest.mark.parametrize("name", LADDERS)
def test_random_states_light_nothing(name):
    climber, rng = CLIMBERS[name], seeded(name)
    said = climber.lit([climber.drawn(rng) for _ in range(RANDOM)])
    assert said.sum(axis=0).tolist() == [0] * len(climber.kind.climb)


# ------------------------------------------------------------ what is impossible
def _held(*first, **given):
    """Keeps a state inside of a rung's other conditions: traits that stay as at first, and what others are.

    What is given may follow from the state.
    """

    def keep(climber, state):
        values = {name: value(state) if callable(value) else value for name, value in given.items()}
        return state | {name: climber.first[name] for name in first} | values

    return keep


def _hull(f):
    return f.output[2, 0] - 2


def _two_jobs(f):
    return min(np.delete(row, i).max() - row[i] for i, row in enumerate(f.weights))


def _margin(f):
    return f.scalars()["margin"]


def _one_way(f):
    numbers = f.numbers()["logit"] * np.array([-1, 1, 1, -1])
    return numbers.min()


def _parted(f):
    slopes = f.numbers()["slopes"]
    return np.abs(slopes[[0, 2]] - slopes[[1, 3]]).max() - 0.001


def _told_by_equal_rows(f):
    """Bits, less what rows apart cost: above 0 only where the rows are the same and tell something."""
    return mutual_information(f.joint, 2) - 0.001 - 1e9 * np.abs(f.weights[0] - f.weights[1]).max()


NO_HELP = dict.fromkeys(("second_head", "position", "position_in_scores", "residual", "ffn"), False)

RIGHT_ANGLES = {"pairs": "neighbors", "query_at": "own", "fixed": False}

#: For each impossible rung: how far beyond its bound a figure is (above 0 it would be reached), and what keeps a state
#: inside its other conditions.
FAR = {
    ("AttentionLadder", 5): (_hull, _held("v")),
    ("AttentionLadder", 7): (_two_jobs, _held(k=lambda state: state["q"])),
    ("PositionalLadder", 3): (
        lambda f: abs(f.dot - np.cos(3) - np.cos(0.03)) - 0.01,
        _held(d_model=4, base=10000.0, exponent="paper", offset=3),
    ),
    ("PositionalLadder", 5): (
        lambda f: f.dot - f.scalars()["squared_length"] if f.offset else -1.0,
        _held(exponent="paper", offset=lambda state: max(1, state["offset"])),
    ),
    ("VarianceLadder", 4): (lambda f: 1 - f.scalars()["variance"], _held(scale="root", temperature=1.0)),
    ("VarianceLadder", 7): (lambda f: f.scalars()["entropy"] - np.log(8), _held()),
    ("MaskingLadder", 6): (lambda f: -f.weights.min() + 1e-300, _held(preset="none")),
    ("MaskingLadder", 8): (
        lambda f: f.matrices()["moved"][0, 0] - 1e-9, _held(preset="causal", order="before"),
    ),
    ("HeadsLadder", 4): (
        lambda f: -f.output.min(),
        _held("tokens", "x", "w_v", "w_o", faders=lambda state: [abs(x) for x in state["faders"]]),
    ),
    ("HeadsLadder", 7): (
        lambda f: np.abs(f.weights[0, 0] - f.weights[0, 1]).max() - 0.005, _held("tokens", "x", "w_q"),
    ),
    ("XorLadder", 2): (_margin, _held(**NO_HELP)),
    ("XorLadder", 4): (_margin, _held(**NO_HELP | {"position_in_scores": True})),
    ("XorLadder", 7): (_margin, _held(**NO_HELP | {"residual": True, "read": "row 1"})),
    ("LearningLadder", 3): (_one_way, _held(reads=lambda state: [state["reads"][0], 0.0])),
    ("LearningLadder", 5): (
        _parted,
        _held(**{name: lambda state, name=name: [state[name][0] or 0.1] * 2 for name in ("asks", "reads")}),
    ),
    ("LearningLadder", 7): (lambda f: -f.scalars()["loss"], _held()),
    ("PmiLadder", 4): (lambda f: pmi(f.joint, 2).min(), _held()),
    ("PmiLadder", 7): (_told_by_equal_rows, _held()),
    ("RotaryLadder", 2): (lambda f: abs(f.scalars()["score"] - 3) - 0.01, _held("q", "k", **RIGHT_ANGLES)),
    ("RotaryLadder", 7): (lambda f: f.matrices()["leads"].min() - 0.1, _held(**RIGHT_ANGLES)),
    ("InductionLadder", 3): (lambda f: f.right_of_16 - 12, _held(places=False, causal=False)),
    ("InductionLadder", 8): (
        lambda f: f.right_of_16 - 14, _held(layer_2=lambda state: not state["layer_1"]),
    ),
}  # fmt: skip


def test_each_impossible_rung_is_searched():
    assert set(FAR) == set(IMPOSSIBLE)


@pytest.mark.parametrize(("name", "n"), IMPOSSIBLE)
def test_a_search_finds_no_way(name, n):
    """Random states inside the rung's conditions, and from the best of them uphill along single controls."""
    climber, rng = CLIMBERS[name], seeded(f"{name} {n}")
    far, inside = FAR[name, n]
    best, found = climber.uphill(far, rng, starts=8, rounds=150, keep=partial(inside, climber))
    assert best <= SLACK, found
    tried = [inside(climber, climber.drawn(rng)) for _ in range(200)]
    assert not climber.lit([found, *tried])[:, n - 1].any()


#: Outside of an impossible rung's conditions, one of them dropped, the same is possible: the condition is needed, and
#: the rung's test is not one that could say no to everything.
JUST_OUTSIDE = {
    ("AttentionLadder", 5): {"q": [[1, 0], [-1, 2], [-3, 0]], "v": [[2, 2], [-2, -1], [3, -2]]},
    ("AttentionLadder", 7): {"q": [[2.3, 0.8], [-2.3, 0.8], [0, -2.1]]},
    ("PositionalLadder", 3): {"exponent": "doubled", "position": 40},
    ("PositionalLadder", 5): {"exponent": "doubled", "d_model": 8, "position": 19},
    ("VarianceLadder", 4): {"scale": "root", "temperature": 1.25},
    ("MaskingLadder", 8): {"order": "after", "nudge": 2.0},
    ("HeadsLadder", 4): {"faders": [1.0, -1.0]},
    ("XorLadder", 2): {"second_head": True, "angle": 0.0},
    ("RotaryLadder", 2): {"pairs": "mixed"},
    ("RotaryLadder", 7): {"fixed": True, "q": [[-1, 0, 0, -0.8]]},
    ("InductionLadder", 3): {
        "causal": False,
        "bos": False,
        "turn": 1.0,
        "say": np.diag([1, 0, 0, 1, 1]).tolist(),
    },
    ("InductionLadder", 8): {"turn": 1.0},
}


@pytest.mark.parametrize(("name", "n"), sorted(JUST_OUTSIDE))
def test_just_outside_it_is_no_longer_impossible(name, n):
    climber = CLIMBERS[name]
    far, _ = FAR[name, n]
    state = climber.first | JUST_OUTSIDE[name, n]
    assert far(climber.at(state)) > SLACK
    assert not climber.lit([state])[0, n - 1]  # and it does not count


# ------------------------------------------------------------ what hints and answers say
def _solved(name, n):
    return CLIMBERS[name].at(CLIMBERS[name].solution(n))


def _says(name, n):
    rung = LADDERS[name].climb[n - 1]
    return " ".join([*rung.hints, rung.answer])


def test_numbers_of_chapter_1s_answers():
    assert f"it is {_solved('PositionalLadder', 4).dot:.2f}." in _says("PositionalLadder", 4)
    encoding = _solved("PositionalLadder", 6).matrices()["encoding"]
    gains = encoding[19] * encoding[22] - encoding[19] ** 2
    assert gains.argmax() == 1
    assert gains[0::2].sum() < 0.01 < gains[1]  # the sines hardly help


def test_numbers_of_chapter_2s_answers():
    largest = {
        degree: LADDERS["VarianceLadder"](log2_d_k=10, temperature=degree).weights.max()
        for degree in (20.75, 21.0, 32.0)
    }
    assert largest[20.75] > 0.5 > largest[21.0]
    for degree in (21.0, 32.0):
        assert f"{largest[degree]:.3f}".rstrip("0") in _says("VarianceLadder", 2)


def test_how_often_the_bar_of_a_variance_holds_it():
    """As the figure draws it at first, in 20,000 draws; and which of the page's 64 miss."""
    q, k = np.random.default_rng(0).normal(size=(2, 20_000, 128, 4))
    scores = (q * k).sum(axis=-1)
    away = scores - scores.mean(axis=1, keepdims=True)
    variance = (away**2).mean(axis=1)
    error = 1.96 * np.sqrt(((away**4).mean(axis=1) - variance**2) / 128)
    assert (np.abs(variance - 4) <= error).mean() == pytest.approx(0.91, abs=0.01)
    assert "in about 91" in _says("VarianceLadder", 6)
    numbers = [LADDERS["VarianceLadder"](seed=seed).scalars() for seed in range(1, 65)]
    missed = [abs(x["sample_variance"] - x["variance"]) > x["sample_error"] for x in numbers]
    assert (missed[11 - 1], sum(missed)) == (True, 7)


def test_numbers_of_chapter_0s_and_3s_answers():
    keys = np.array(LADDERS["AttentionLadder"]().k)
    logs = np.sqrt(2) * np.log([(1 / 2) / (3 / 8), (1 / 8) / (3 / 8)])
    query = np.linalg.solve([keys[1] - keys[0], keys[2] - keys[0]], logs)
    np.testing.assert_allclose(query, [1, -0.3], atol=0.05)
    q = [[3] * 4] * 4
    figure = MaskingLadder(preset="none", q=q, k=[[-3] * 4] * 3 + [[3] * 4], nudge=3.0)
    assert np.ptp(figure.matrices()["scores"], axis=1).max() == pytest.approx(40.5)
    for fill in ("-inf", "-1e9"):
        figure = MaskingLadder(fill=fill, nudge=3.0)
        assert (figure.matrices()["moved"][0, 0], figure.weights[0, 3]) == (0, 0)


def test_numbers_of_chapters_4_6_and_8():
    weights = LADDERS["HeadsLadder"]().weights[0]  # `the` for itself, and `cat` for the word before
    assert weights[:2, 0].min() > 0.9
    logit = _solved("LearningLadder", 2).numbers()["logit"]  # two sure, one barely right, and the wrong one
    assert -0.1 < logit[0] < 0
    assert (logit[1:3] > 6).all()
    assert f"costs {np.log1p(np.exp(logit[3])):.1f}." in _says("LearningLadder", 2)
    ladder = LADDERS["RotaryLadder"]
    np.testing.assert_allclose(_solved("RotaryLadder", 6).matrices()["scores"][0], [1, 1, -3, 1], atol=1e-12)
    climber = CLIMBERS["RotaryLadder"]
    starts = climber.lit([climber.first | {"query_at": "zero", "start": start} for start in range(9)])
    assert np.flatnonzero(starts[:, 2]).tolist() == [1, 5]
    still = ladder(fixed=True).matrices()["leads"][0]
    np.testing.assert_allclose(sorted(still), [-1, -1, 3, 3], atol=1e-12)  # 1 from clock 0, 2 from clock 1
    assert np.linalg.norm(_solved("RotaryLadder", 8).q[0][2:]) == 0.8


def test_numbers_of_chapter_9s_answers():
    ladder = LADDERS["InductionLadder"]
    assert [ladder(turn=turn).says for turn in (2.5, 2.6, 3.0, 3.4, 3.5)] == ["B", "0", "0", "0", "A"]
    climber = CLIMBERS["InductionLadder"]
    for turn, step in product(np.arange(6, 15), range(46)):
        state = climber.first | {"turn": turn / 10, "beta_1": step / 10, "beta_2": round(4.4 - step / 10, 1)}
        assert state["beta_2"] < 0 or climber.at(state).right_of_16 < 16, state
    assert ladder(turn=1.0, layer_2=False, lane="before").right_of_16 == 12  # "within reach"
    no_bos = ladder(turn=1.0, bos=False)
    first_asked = np.array([tokens[1] == tokens[5] for tokens, _ in questions()])
    assert (no_bos.rights() == ~first_asked).all()
    assert no_bos.weights[1][-1, 0] - 0.1 < no_bos.weights[1][-1, 1] < no_bos.weights[1][-1, 0]
    louder = _solved("InductionLadder", 4)
    assert 0.95 < louder.weights[1][-1, 2] < 1 < louder.matrices()["answer"][0][4]
    lane = _solved("InductionLadder", 6).matrices()["before"]
    assert min(lane[2, 0], lane[4, 4]) > 0.1  # `BOS` after the first `A`, `1` after the second
    assert lane[4, 0] < 0.01


def test_chapter_9s_par_without_bos_is_the_least_in_steps_of_a_tenth():
    """An entry of *copy*, *match* or *say* mends the questions of one name, or of one digit; *look* mends none."""
    climber, base = CLIMBERS["InductionLadder"], {"bos": False}
    assert climber.par(5) == pytest.approx(0.2)
    steps = [
        (name, place, by)
        for name in ("look", "copy", "match", "say")
        for place in np.ndindex(np.shape(climber.first[name]))
        for by in (-0.1, 0.1)
    ]
    for turn, beta_1, beta_2 in [(1.0, 10.0, 5.0), (0.8, 14.0, 5.0), (1.0, 20.0, 20.0), (0.5, 20.0, 10.0)]:
        state = climber.first | base | {"turn": turn, "beta_1": beta_1, "beta_2": beta_2}
        assert climber.at(state).right_of_16 < 16
        for name, place, by in steps:
            block = np.array(state[name], dtype=float)
            block[place] += by
            assert climber.at(state | {name: block.tolist()}).right_of_16 < 16, (name, place, by)


@pytest.mark.parametrize(
    "changes", [{"norm": "post"}, {"norm": "pre"}, {"causal": False}, {"residual_2": False}]
)
def test_chapter_9s_tie_is_to_be_solved_with_all_parts_and_no_norm(changes):
    """A LayerNorm lets the later match win by more than 2, with no block moved at all."""
    climber = CLIMBERS["InductionLadder"]
    state = climber.first | {"third": "A", "turn": 1.0, "beta_1": 2.0, "beta_2": 20.0, **changes}
    logits = climber.at(state).matrices()["answer"][0]
    if changes == {"norm": "post"}:
        assert climber.at(state).right_of_16 == 16
        assert logits[3] - np.delete(logits, 3).max() > 2
    assert not climber.lit([state, climber.solution(6) | changes])[:, 5].any()


# ------------------------------------------------------------ proofs
def slug(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


@pytest.mark.parametrize(("name", "n"), IMPOSSIBLE)
def test_its_proof_is_where_it_says(name, n):
    address, title = LADDERS[name].climb[n - 1].proof
    page, anchor = address.split("#")
    notebook = json.loads((ROOT / page).with_suffix(".ipynb").read_text(encoding="utf-8"))
    lines = "".join(
        "".join(cell["source"]) + "\n" for cell in notebook["cells"] if cell["cell_type"] == "markdown"
    ).splitlines()
    assert anchor in [slug(line.lstrip("# ")) for line in lines if line.startswith("##")]
    assert title


# ------------------------------------------------------------ scores
def test_scores_by_hand():
    first, state = {"a": [[1, -2], [0, 3]], "b": 0.5}, {"a": [[1, 2], [0, -3]], "b": -0.5}
    kinds = [size("a"), size("a.1", "b"), way("a", "b"), changed("a", "b")]
    scores = [[kind.how, *kind.of] for kind in kinds]
    code = "[state, first].map((one) => scores.map((score) => scoreOf(score, one, first)))"
    found = answer(view_of("pmi_ladder"), code, first=first, state=state, scores=scores)
    assert found == [[6, 3.5, 11, 3], [6, 3.5, 0, 0]]
