"""Large figures in NumPy: each is the network, the layer or the runs that it says, and refuses what can't be."""

import base64
import itertools
import json
import math

import numpy as np
import pytest
import traitlets
from numpy.testing import assert_allclose, assert_array_equal

from attn.data.characters import VOCABULARY as LETTERS
from attn.data.characters import encode, trained_model, trained_weights
from attn.explore import (
    FirstTouch,
    Induction,
    InductionReplay,
    Masking,
    MultiHead,
    PmiTable,
    PositionalEncoding,
    Predict,
    ReadAlong,
    Rotary,
    ScoreVariance,
    SelfAttention,
    TrainingReplay,
    XorLab,
)
from attn.explore._draws import whole
from attn.explore.induction import VOCABULARY
from attn.explore.induction_replay import FILE, blocks_at, runs
from attn.explore.multihead import PRESETS
from attn.explore.read_along import packed
from attn.explore.rotary import K
from attn.explore.xor import SHAPES, random_weights
from attn.induction import hand_set, questions
from attn.multihead import MultiHeadAttention
from attn.rotary import rotary_attention
from attn.softmax import softmax
from attn.variance import score_variance
from attn.xor import ASKER, ROPE, WAYS_OUT, margin, train
from research import induction_runs
from tests.unit.node import answer, view_of

RIGHT = [False, True, True, False]  # XOR of the four pairs

# ------------------------------------------------------------------------------------------ wrong input


def runs_of(**more):
    return lambda: TrainingReplay({"one": train(0, n_steps=2), "two": train(0, **({"n_steps": 2} | more))})


WRONG = [
    (lambda: Masking(tokens=["one"]), "at least two"),
    (lambda: Masking(q=np.zeros((3, 4))), r"q must have shape \(4, d\), got \(3, 4\)"),
    (lambda: Masking(k=np.zeros((4, 3))), r"k must have shape \(4, 4\), got \(4, 3\)"),
    (lambda: Masking(v=[[np.nan, 0]] * 4), "v must be finite"),
    (lambda: Masking(mask=np.ones((4, 4))), "mask must be boolean .* got float64"),
    (lambda: Masking(mask=np.ones((3, 4), dtype=bool)), r"\(4, 4\), got bool with shape \(3, 4\)"),
    (lambda: FirstTouch(tokens=["a", "b"]), "at least three"),
    (lambda: FirstTouch(k=[[1, 2]] * 4), r"k must have shape \(3, 2\)"),
    (lambda: FirstTouch(order=[0, 0, 1]), "permutation"),
    (lambda: FirstTouch(hidden=[True]), "hidden must hold 3"),
    (lambda: PositionalEncoding(d_model=5), "d_model must be even, got 5"),
    (lambda: PositionalEncoding(base=0.5), "base must be 1 or more"),
    (lambda: Predict("?", options=["a"], solution=1, explanation=""), "solution"),
    (lambda: MultiHead("loud"), "preset.*legible.*'loud'"),
    (lambda: MultiHead(tokens=["a"], x=[[1, 0, 0, 0]]), "tokens.*1"),
    (lambda: MultiHead(w_q=np.ones((3, 4, 3))), "w_q.*2 heads.*3"),
    (lambda: MultiHead(w_k=np.ones((2, 4, 2))), r"w_k\[0\].*\(4, 3\).*\(4, 2\)"),
    (lambda: MultiHead(x=np.eye(3)), r"x.*\(3, 3\)"),
    (lambda: MultiHead(w_v=np.full((2, 4, 3), np.nan)), r"w_v\[0\].*finite"),
    *((lambda d_k=d_k: ScoreVariance(d_k=d_k), "power of two from 1 to 1024") for d_k in (0, 3, 2048, -4, 2.5)),
    (lambda: PmiTable(p_11=0.3), r"from 0.05 to 0.25 where p_row is 0.8 and p_column 0.25, got 0.3"),
    (lambda: setattr(PmiTable(), "p_11", 0.04), "from 0.05 to 0.25"),
    (lambda: PmiTable(rows=["a", "b", "c"]), "rows must be two words, got 3"),
    (lambda: XorLab("loud"), "preset.*rope.*'loud'"),
    (lambda: XorLab(w_1=np.ones((2, 2))), r"w_1.*\(3, 2\).*\(2, 2\)"),
    (lambda: XorLab(w_q=[[1, np.nan], [0, 0]]), "w_q.*finite"),
    (lambda: TrainingReplay(), "needs one run or more"),
    (lambda: TrainingReplay({}), "one run or more"),
    (runs_of(n_steps=3), "recorded at the same steps"),
    (runs_of(n_heads=0, query_bias=False), "one head or two"),
    (runs_of(d=3), "tokens of the same size"),
    (lambda: TrainingReplay({"one": train(0, n_steps=2)}, run="three heads"), "run"),
    (lambda: TrainingReplay({"one": train(0, n_steps=2)}, record=5), "record"),
    (lambda: Rotary(q=np.ones((1, 3))), r"q must have shape \(1, 4\), got \(1, 3\)"),
    (lambda: Induction(look=np.ones((3, 3))), r"look must have shape \(2, 2\), got \(3, 3\)"),
    (lambda: Induction(say=np.ones((4, 5))), r"say must have shape \(5, 5\), got \(4, 5\)"),
    (lambda: Induction(match=np.full((5, 5), np.nan)), "match must be finite"),
    (lambda: SelfAttention(k=[[1, 0], [0, 1]]), r"k must have shape \(3, 2\), got \(2, 2\)"),
    (lambda: SelfAttention(asks="dog"), "asks must be one of the, cat, sat, got 'dog'"),
    (lambda: SelfAttention(tokens=["the", "cat", "the"]), "all be different"),
    (lambda: SelfAttention(tokens=["the"]), "two to eight words, got 1"),
    (lambda: setattr(SelfAttention(), "asks", "dog"), "asks must be one of"),
    *((lambda record=record: InductionReplay(record=record), "record") for record in (28, -1)),
    *((lambda n=n: ReadAlong(text="a" * n), f"text must have 2 to 24 letters, got {n}") for n in (1, 25)),
    (lambda: ReadAlong(text="Cat"), "lower-case letters, apostrophes and spaces, got 'C'"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "says"), WRONG, ids=[f"{n} {says}" for n, (_, says) in enumerate(WRONG)])
def test_wrong_input(make, says):
    with pytest.raises((ValueError, traitlets.TraitError), match=says):
        make()


# ------------------------------------------------------------------------------------------ chapters 2 and 4


@pytest.mark.parametrize(("rho", "scale"), [(0.0, "none"), (0.5, "root"), (-1.0, "d_k")])
def test_the_samples_follow_the_formula(rho, scale):
    inside = 0
    for seed in range(1, 65):
        numbers = ScoreVariance(d_k=64, scale=scale, correlation=rho, seed=seed).scalars()
        factor = {"none": 1, "root": 1 / 8, "d_k": 1 / 64}[scale]
        assert_allclose(numbers["variance"], score_variance(64, correlation=rho, scale=factor))
        inside += abs(numbers["sample_variance"] - numbers["variance"]) < numbers["sample_error"]
    assert 54 <= inside <= 64  # 95 % of 64 are 61


def test_histogram_and_normal_curve_are_shares():
    for state in ({}, {"d_k": 1024}, {"d_k": 1024, "scale": "d_k"}, {"d_k": 256, "correlation": 0.9}):
        found = ScoreVariance(**state).matrices()
        assert_allclose([found["histogram"].sum(), found["normal"].sum()], 1)
    found = ScoreVariance(d_k=64, scale="root").matrices()  # normal: within the error of 128 draws
    error = np.sqrt(found["normal"] * (1 - found["normal"]) / 128)
    assert (np.abs(found["histogram"] - found["normal"]) <= 4 * error + 1 / 128).all()
    assert ScoreVariance(d_k=1024, scale="d_k").scalars()["entropy"] > 0.99 * math.log(8)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_its_layer(preset):
    for n_tokens in (2, 3, 4):
        widget = MultiHead(preset, n_tokens=n_tokens, faders=[1.0, -0.5])
        layer = MultiHeadAttention(widget.w_q, widget.w_k, widget.w_v, np.vstack(widget.w_o))
        x = np.array(widget.x)[:n_tokens]
        shares = layer.shares(x) * np.array([1, -0.5])[:, None, None]
        assert_allclose(widget.weights, layer(x)[1], atol=1e-12)
        assert_allclose(widget.matrices()["shares"], shares, atol=1e-11)
        assert_allclose(widget.output, shares[0] + shares[1], atol=1e-11)
    loud = MultiHead(preset, scaled=False).matrices()["scores"]
    assert_allclose(loud, np.sqrt(layer.w_q.shape[-1]) * MultiHead(preset).matrices()["scores"], atol=1e-12)


@pytest.mark.parametrize("preset", ["source", "paper"])
def test_the_lecture_on_the_notebook_is_true(preset):
    """One number is dead, another turns the head, and normalized tokens make both heads weigh."""
    start = MultiHead(preset)
    steps = {step["name"]: MultiHead(preset, **step["changes"]) for step in start.lecture}
    assert list(steps) == ["saturated", "dead", "alive", "normalized"]
    assert steps["saturated"].weights.max(axis=-1).min() > 0.999
    assert np.abs(steps["dead"].weights - start.weights).max() < 0.005
    assert (steps["alive"].weights[0, :, 0] > 0.8).all()
    assert_allclose(steps["alive"].weights[1], start.weights[1])
    assert steps["normalized"].weights.min() > 0.3
    assert MultiHead(preset, x=np.ones((4, 4))).lecture == []


def test_the_lecture_on_opposites_is_true():
    lecture = MultiHead("opposites").lecture
    outputs = [MultiHead("opposites", **step["changes"]).output[:, 0] for step in lecture]
    assert [set(numbers.round(3)) for numbers in outputs] == [{1.0}, {-1.0}, {2.0}, {0.0}]


# ------------------------------------------------------------------------------------------ chapters 5 and 6


@pytest.mark.parametrize("name", [*WAYS_OUT, "asker"])
def test_a_preset_is_the_network_of_attn(name):
    lab, network = XorLab(name), (WAYS_OUT | {"asker": ASKER})[name]
    for shown, wanted in zip(lab.network(), network(), strict=True):
        assert_allclose(shown, wanted, atol=1e-12)
    assert lab.scalars()["accuracy"] == 1
    assert lab.scalars()["margin"] == pytest.approx(float(margin(network().output)))


def test_the_first_state_is_the_rope_with_its_line_turned():
    lab = XorLab()
    assert_allclose(lab.network().read, ROPE().read)
    for lab.second_head, seen in ((False, {0.25, 0.5, 0.75}), (True, {1})):
        assert {lab.scalars()["accuracy"] for lab.angle in range(-180, 181)} >= seen
    lab.angle, lab.length = 90.0, 2.0
    assert_allclose(lab.readout, [0, 2], atol=1e-15)


def test_the_page_draws_the_same_networks():
    page = view_of("xor", "randomWeights")
    shapes = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    found = answer(page, "[0, 1, 77].map((i) => randomWeights(shapes, stream(3), i))", shapes=shapes)
    ours = random_weights(3, 78)
    assert found == [{name: values[i].tolist() for name, values in ours.items()} for i in (0, 1, 77)]
    assert answer(page, "[0, 1, 2, 9].map(stream(11))") == whole(11, 10)[[0, 1, 2, 9]].tolist()


def test_the_lectures_tell_the_story():
    """Three of four, with either end wrong; then each way out. And the notebook's own network, one bias away."""
    steps = {step["name"]: XorLab(**step["changes"]) for step in XorLab().lecture}
    wrong = {
        name: np.flatnonzero((lab.network().output > 0) != RIGHT).tolist() for name, lab in steps.items()
    }
    assert wrong == {
        "three": [3], "other-end": [0], "second-head": [], "positions": [], "residual": [], "relu": [], "asker": [],
    }  # fmt: skip
    source = [XorLab("source", **step["changes"]) for step in XorLab("source").lecture]
    assert [lab.scalars()["accuracy"] for lab in source] == [0.5, 1, 0.75]
    assert (source[0].network().output > 0).all()
    assert XorLab("source", bias=-0.55).scalars()["accuracy"] == 1


VARIANTS = {
    "two heads": {},
    "two heads, no bias": {"query_bias": False},
    "one head": {"n_heads": 1},
    "one head, ReLU": {"n_heads": 1, "hidden": 8},
    "two heads, ReLU": {"hidden": 3},
}


@pytest.fixture(scope="module")
def histories():
    return {
        name: [train(seed, n_steps=200, record_every=50, **variant) for seed in (3, 0)]
        for name, variant in VARIANTS.items()
    }


def test_the_shown_model_is_the_recorded_one_rounded(histories):
    replay = TrainingReplay(histories, run="one head", record=3)
    for name, value in histories["one head"][0].models[3].params.items():
        assert_allclose(replay.model.params[name], value, atol=5.1e-4)
    assert replay.scalars()["accuracy"] == round(histories["one head"][0].accuracy[3], 4)
    assert replay.runs[0]["seeds"] == [3, 0]
    forward = replay.model.forward(replay.x)
    assert_allclose(replay.weights[0], forward.weights[:, 0])
    assert_array_equal(replay.decision > 0.5, forward.logits.argmax(axis=1).astype(bool))
    for name in VARIANTS:  # a score is what the head asks for times the token
        replay = TrainingReplay(histories, run=name, record=2, draw=4)
        scores = replay.x @ replay.matrices()["asked"].T  # (cases, tokens, heads)
        assert_allclose(softmax(scores, axis=1).transpose(2, 0, 1), replay.weights, atol=1e-12)
    long = TrainingReplay({"long": train(0, n_steps=100, record_every=1)}).steps
    assert len(long) <= 25, "a long run is thinned at its end"
    assert (long[0], long[-1]) == (0, 100)
    assert np.diff(long)[:5].max() < np.diff(long)[-5:].min()


def test_a_run_goes_on_with_the_right_loss():
    """The records of both halves in one: the switch is the first's end, and the second starts from there."""
    lost = train(0, n_steps=200, loss="probability")
    freed = train(0, n_steps=200, start=lost.model)
    replay = TrainingReplay({"two heads": lost}, freed)
    (run,), switch = replay.runs, replay.runs[0]["switch"]
    assert len(replay.steps) <= 25
    assert (replay.steps[switch], replay.steps[-1]) == (200, 400)
    assert (np.diff(replay.steps) > 0).all()
    for record, model in ((switch, lost.model), (switch + 1, freed.models[1]), (-1, freed.model)):
        assert_allclose(run["params"]["w_k"][record], model.params["w_k"], atol=5.1e-4)
    assert run["loss"][switch + 1] == round(freed.loss[1], 4)
    assert {"name": "switch", "record": switch}.items() <= {
        "name": replay.lecture[1]["name"], **replay.lecture[1]["changes"]
    }.items()  # fmt: skip
    with pytest.raises(ValueError, match="one run alone"):
        TrainingReplay({"two heads": [lost, lost]}, freed)


def test_the_lecture_of_runs(histories):
    """Before, after, and each other kind of run at its end, by what it is and not by its name; a stuck one is known."""
    wrong = {"loss on probabilities": train(0, n_steps=200, record_every=50, loss="probability")}
    replay = TrainingReplay(histories | wrong)
    steps = {step["name"]: step["changes"] for step in replay.lecture}
    assert [name for name in steps if name != "first-right"] == [
        "before", "trained", "other-noise", "two-heads", "one-head", "relu", "wrong-loss",
    ]  # fmt: skip
    assert (steps["before"], steps["one-head"]) == ({"record": 0}, {"run": "one head", "record": 4})
    stuck = {name: train(seed, n_heads=1, hidden=8) for name, seed in (("learned", 0), ("not learned", 2))}
    replay = TrainingReplay({"two heads": train(0), **stuck})
    steps = {step["name"]: step["changes"] for step in replay.lecture}
    assert (steps["relu"]["run"], steps["stuck"]["run"]) == ("learned", "not learned")
    replay.record = steps["first-right"]["record"]
    assert ((replay.decision > 0.5) == RIGHT).all()
    replay.record -= 1
    assert ((replay.decision > 0.5) != RIGHT).any()


# ------------------------------------------------------------------------------------------ chapter 7


def test_at_independence_attention_returns_the_prior():
    table = PmiTable(p_11=0.2)
    assert_allclose(table.matrices()["pmi"], 0, atol=1e-15)
    assert_allclose(table.weights, [[0.25, 0.75]] * 2)


@pytest.mark.parametrize(("p_11", "cell"), [(0.05, (1, 1)), (0.25, (1, 0))])
def test_at_either_end_a_pair_never_meets(p_11, cell):
    table = PmiTable(p_11=p_11)
    assert table.joint[cell] == table.weights[cell] == 0
    for name in ("pmi", "scores"):
        assert_array_equal(np.argwhere(np.isneginf(table.matrices()[name])), [cell])


def test_weights_are_the_conditional_distribution_everywhere():
    rng = np.random.default_rng(0)
    for _ in range(200):
        p_row, p_column = rng.integers(1, 20, size=2) / 20
        low, high = PmiTable(p_row=p_row, p_column=p_column).bounds
        table = PmiTable(p_row=p_row, p_column=p_column, p_11=low + rng.random() * (high - low))
        assert (table.joint >= 0).all()
        assert_allclose(table.joint.sum(axis=1)[0], p_row)
        assert_allclose(table.weights, table.joint / table.joint.sum(axis=1, keepdims=True), atol=1e-12)


# ------------------------------------------------------------------------------------------ chapter 8


def turned(**state):
    return Rotary(**state).matrices()


def test_the_figure_of_turned_words_by_hand():
    first = turned()
    assert_allclose(first["turned_q"], [[1, 0, -2, 0]], atol=1e-12)
    keys = [[1, 0, 1, 0], [-1, 0, 0, 1], [1, 0, -1, 0], [0, -1, 1, 0]]
    assert_allclose(first["turned_k"], keys, atol=1e-12)
    assert_allclose(first["scores"], [[-1, -1, 3, -2]], atol=1e-12)
    for start in range(9):
        assert Rotary(start=start).score == pytest.approx(3)
        assert Rotary(start=start, pairs="mixed").score == pytest.approx((1, 3)[start % 2])
        assert_allclose(
            turned(start=start, pairs="halves")["scores"], turned(pairs="halves")["scores"], atol=1e-12
        )
        assert_allclose(turned(start=start, query_at="next")["scores"], [[-1, -1, -1, 0]], atol=1e-12)
    scores = [turned(start=start, query_at="zero")["scores"][0] for start in range(8)]
    assert_allclose(
        scores[:4], scores[4:], atol=1e-12
    )  # each offset grows by one a step: it repeats after four
    assert np.ptp(scores, axis=0).min() > 1


def test_it_is_the_books_attention():
    for start in (0, 3):
        state, places = turned(start=start), start + np.arange(4)
        weights = rotary_attention(
            state["q"], np.array(K)[[0, 0, 0, 1]], np.eye(4), [places[-1]], k_positions=places,
            frequencies=[np.pi, np.pi / 2],
        )[1]  # fmt: skip
        assert_allclose(state["weights"], weights, atol=1e-12)


def test_hands_values_and_leads_of_turned_words():
    for pairs in ("neighbors", "halves"):
        hands = [turned(start=start, pairs=pairs)["hands"].reshape(2, 2, 2) for start in (0, 1)]
        assert_allclose(hands[1][:, 0], -hands[0][:, 0], atol=1e-12)  # half a turn
        assert_allclose(hands[1][:, 1], hands[0][:, 1] @ [[0, 1], [-1, 0]], atol=1e-12)  # a quarter
    outputs = [turned(start=start, turn_v=True)["output"][0] for start in (0, 1, 4)]
    assert_allclose(outputs[1], [-outputs[0][1], outputs[0][0]], atol=1e-12)  # turned values know the start
    assert_allclose(outputs[2], outputs[0], atol=1e-12)
    state, k = {"q": [[1, -2, 0.5, 1]], "start": 2}, np.array(K)
    big, very = (turned(k=np.tile(k[row], (2, 1)), **state)["scores"] for row in (1, 0))
    assert_allclose(turned(**state)["leads"], big - very, atol=1e-12)
    rng = np.random.default_rng(0)
    for pairs, start in itertools.product(("neighbors", "mixed", "halves"), range(4)):
        drawn = {"q": rng.uniform(-3, 3, (1, 4)), "k": rng.uniform(-3, 3, (2, 4))}
        assert turned(start=start, pairs=pairs, **drawn)["leads"].sum() == pytest.approx(0, abs=1e-12)
    assert_allclose(turned(q=[[-2, 2, 0, 0]], fixed=True)["leads"], 4, atol=1e-12)  # a clock stands still


# ------------------------------------------------------------------------------------------ chapter 9

SILENT = np.diag([1.0, 0, 0, 1, 1])  # names hand nothing on


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


def test_what_is_left_of_a_network_whose_parts_are_off():
    figure = Induction(layer_1=False)
    assert_allclose(figure.weights[0], 0)
    assert_allclose(figure.weights[1].sum(axis=1), 1)
    assert Induction(layer_1=False, layer_2=False).says == ""
    figure = Induction(bos=False, turn=1.0)
    assert figure.words == ["A", "1", "B", "0", "A"]
    assert figure.matrices()["stream"].shape == (5, 17)


# ------------------------------------------------------------------------------------------ what was trained

STEPS = runs()["steps"]


def test_one_seed_learned_again_is_what_is_stored():
    """Up to what the order of sums leaves: one hundredth of an entry. And the file is what the script writes."""
    again = induction_runs.run(0)
    for record, step in enumerate(STEPS):
        blocks, kept = again.blocks[again.steps.tolist().index(step)], blocks_at(runs(), record)
        low = np.tril(np.ones_like(kept.look, dtype=bool))
        for name in kept._fields:
            there, here = getattr(blocks, name), getattr(kept, name)
            if name == "look":
                there, here = there[low], here[low]
            assert_allclose(here, there, rtol=0, atol=0.0151, err_msg=f"{name} at {step}")
    for name in ("loss", "accuracy"):
        assert_allclose(runs()[name][0], getattr(again, name)[STEPS], rtol=0, atol=0.0051)
    written = induction_runs.stored([again])
    assert (set(written), written["steps"]) == (set(runs()), STEPS)
    assert runs()["seeds"] == list(induction_runs.SEEDS)
    for name in ("look", "match", "say"):
        assert [len(entries) for entries in runs()[name]] == [len(entries) for entries in written[name]]
    assert FILE.stat().st_size < 40_000


def test_what_the_replay_counts():
    figure = InductionReplay(record=STEPS.index(350))
    said, tokens = figure.scalars(), figure.tokens
    assert tokens.tolist() == [0, 3, 8, 1, 6, 10, 2, 8, 1, 6, 10, 2]
    predicted = figure.run().logits.argmax(axis=1)
    assert said["parrots"] == sum(predicted[i] == tokens[i] for i in range(7, 11)) == 4
    assert said["right"] == sum(predicted[i] == tokens[i + 1] for i in range(7, 11)) == 0
    figure.record = len(STEPS) - 1
    assert figure.scalars()["right"] == 4
    assert figure.scalars()["after"] > 0.9
    for many in (3, 4, 5):
        figure.again = str(many)
        assert (len(figure.tokens), len(set(figure.tokens))) == (12, 12 - many)
        assert figure.tokens[-many:].tolist() == figure.tokens[-2 * many : -many].tolist()


def test_the_page_gets_the_trained_weights():
    """To the last bit, in the order of their names, and in less than 60 KB; a link carries neither them nor runs."""
    numbers = np.frombuffer(base64.b64decode(packed()["halves"]), "<f2")
    start = 0
    for (name, shape), (wanted, array) in zip(packed()["shapes"], trained_weights().items(), strict=True):
        assert name == wanted
        assert_array_equal(numbers[start : start + array.size].reshape(shape), array)
        start += array.size
    assert start == len(numbers)
    assert len(json.dumps(packed())) < 62_000
    assert ReadAlong().state_traits() == ["head", "text", "asks", "opened"]
    assert InductionReplay(record=3).state_traits() == ["record", "again", "opened"]


def test_read_along_shows_one_letter_of_one_head():
    text = "what is the cat"
    figure, run = ReadAlong(text=text, head="2.3", asks=4), trained_model()(encode(text))
    assert_array_equal(figure.matrices()["weights"], run.weights[6][4:5])
    assert_array_equal(figure.matrices()["weights_1_3"], run.weights[2])
    chances = softmax(run.logits[4])
    best = sorted(range(28), key=lambda letter: -chances[letter])[:5]
    assert figure.expected() == [LETTERS[letter] for letter in best]
    assert_array_equal(figure.matrices()["expects"][:, 0], chances[best])
    each = [-np.log(softmax(run.logits[i])[LETTERS.index(text[i + 1])]) for i in range(len(text) - 1)]
    assert figure.scalars()["loss"] == pytest.approx(np.mean(each), abs=1e-12)
    figure.text, figure.asks = "cat", 23
    assert (figure.at, figure.matrices()["weights"].shape) == (2, (1, 3)), (
        "in a shorter text the last letter asks"
    )


def test_the_first_state_of_read_along_does_not_answer_the_question():
    """The head that is shown does not give most to the letter before; another one does."""
    figure = ReadAlong()
    assert figure.weights[figure.at].argmax() != figure.at - 1
    figure.head = "1.3"
    assert figure.weights[figure.at][figure.at - 1] > 0.9
