"""Large figures in NumPy: what they refuse, their lectures and runs, and what was trained.

Their numbers are computed twice more, by the page and by the program that it lets a reader copy: test_three_ways.py.
"""

import base64
import json

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
from attn.explore.induction_replay import FILE, blocks_at, runs
from attn.explore.read_along import packed
from attn.softmax import softmax
from attn.xor import ASKER, WAYS_OUT, margin, train
from research import induction_runs

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


# ------------------------------------------------------------------------------------------ chapter 4


@pytest.mark.parametrize("preset", ["source", "paper"])
def test_the_lecture_on_the_notebook_is_of_its_numbers_alone(preset):
    names = [step["name"] for step in MultiHead(preset).lecture]
    assert names == ["saturated", "dead", "alive", "normalized"]
    assert MultiHead(preset, x=np.ones((4, 4))).lecture == []


# ------------------------------------------------------------------------------------------ chapters 5 and 6


@pytest.mark.parametrize("name", [*WAYS_OUT, "asker"])
def test_a_preset_is_the_network_of_attn(name):
    lab, network = XorLab(name), (WAYS_OUT | {"asker": ASKER})[name]
    for shown, wanted in zip(lab.network(), network(), strict=True):
        assert_allclose(shown, wanted, atol=1e-12)
    assert lab.scalars()["accuracy"] == 1
    assert lab.scalars()["margin"] == pytest.approx(float(margin(network().output)))


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


# ------------------------------------------------------------------------------------------ chapter 9


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
