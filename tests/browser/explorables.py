"""One row for each explorable: what the tests can't find out from the page. A new explorable adds a row."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from attn.explore import (
    Cards,
    CodeInOrder,
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
from attn.explore.practice.by_hand import BY_HAND
from attn.explore.practice.ladders import LADDERS
from attn.explore.small import FIGURES as SMALL
from attn.xor import train


@dataclass(frozen=True)
class Row:
    """What the contract promises of one class.

    Parameters
    ----------
    example : makes a small one
    beside_first : names that may be in sight with it at first, because its choice needs them
    moves : matrix (or scalar) -> the length of its range; sweeping the first control moves an entry by 0.2 of it
    goals : widget -> for each goal of "What to try", the way from the first state to it: [name, value] of inputs, or
        the action of a button that is pressed
    held : what a hand can hold in it beside sliders and switches: "grip", "cell", "painter", "list"
    unseen : JavaScript, root -> the part of the state that is drawn, but that no input holds
    """

    example: Callable
    beside_first: tuple[str, ...] = ()
    moves: dict[str, float] = field(default_factory=dict)
    goals: Callable = lambda widget: []
    held: tuple[str, ...] = ()
    unseen: str = ""


def multihead_goals(widget):
    match widget.preset:
        case "legible":
            own = [[f"w_{kind}.1.{i}.{j}", 3 * (i == j)] for kind in "qk" for i in range(4) for j in range(3)]
            return [
                own,
                [["faders.0", 1], *([f"w_o.0.{i}.{j}", 0] for i in range(3) for j in range(4))],
            ]
        case "source" | "paper":
            return [[["w_q.0.3.0", -1.7]], [["w_q.1.3.1", -2]]]
    return []


def self_attention_goals(widget):
    row = widget.tokens.index(widget.asks)
    other = (row - 1) % len(widget.tokens)
    k = np.array(widget.k, dtype=float)

    def ask(who, sign, whom):
        """The query of `who`, as far as the sliders go toward the key of `whom` or away from it."""
        away = sign * (k[whom] - np.delete(k, whom, axis=0).mean(axis=0))
        return [[f"q.{who}.{c}", float(3 * np.sign(away[c]))] for c in range(2)]

    silent = [[f"q.{row}.{c}", 0] for c in range(2)]
    shared = [[f"k.{i}.{c}", value] for i, line in enumerate(widget.q) for c, value in enumerate(line)]
    return [silent, [*ask(other, 1, row), *ask(row, -1, other)], shared]


def rotary_goals(widget):
    def ask(*query):
        return [[f"q.0.{i}", value] for i, value in enumerate(query)]

    alike = [[f"k.1.{i}", value] for i, value in enumerate(widget.k[0])]
    return [
        [*alike, *ask(2, 0, -2, 0)],
        [*alike, *ask(0, 2, 0, 0)],
        [*alike, *ask(1, 0, 0, 2)],
        [*ask(-2, 2, 0, 0), ["fixed", True]],
    ]


def induction_goals(widget):
    back, silent = ["turn", 1], [["say.1.1", 0], ["say.2.2", 0]]  # the keys' words are not handed on
    return [
        [["turn", 2]],
        [back, ["beta_1", 2.5], ["beta_2", 2]],
        [back, ["lane", "token"], ["say.3.3", 1.5], ["say.4.4", 1.5]],
        [back, ["bos", False], *silent],
        [back, ["bos", False], ["causal", False], ["residual_2", False], *silent],
        [back, ["layer_2", False], ["lane", "before"]],
    ]


def replay():
    """A small one: two short runs."""
    runs = {"two heads": {}, "one head, ReLU": {"n_heads": 1, "hidden": 4}}
    return TrainingReplay(
        {name: train(0, n_steps=40, record_every=10, **variant) for name, variant in runs.items()}
    )


def replay_goals(widget):
    right = np.array([False, True, True, False])

    def moment(wanted):
        """The first run, draw of noise and record that are as wanted."""
        for run in widget.runs:
            for draw in range(1, len(widget.noise) + 1):
                for record in range(1, len(widget.steps)):
                    widget.run, widget.draw, widget.record = run["name"], draw, record
                    if wanted():
                        return [["run", run["name"]], ["draw", draw], ["record", record]]
        raise AssertionError("no moment reaches the goal")

    def same_units():
        units = widget.matrices().get("units")
        if units is None:
            return False
        for odd in range(4):
            others = np.delete(units, odd, axis=0)
            if np.abs(others - others[0]).max() < 0.02 <= np.abs(units[odd] - others[0]).max():
                return True
        return False

    ways = [moment(lambda: ((widget.decision > 0.5) == right).all())]
    if any("probab" in run["name"] for run in widget.runs):
        ways.append(moment(lambda: np.where(right, widget.decision, 1 - widget.decision).min() < 0.01))
    if any("w_1" in run["params"] for run in widget.runs):
        ways.append(moment(same_units))
    return ways


EXPLORABLES = {
    "FirstTouch": Row(
        example=FirstTouch,
        moves={"weights": 1.0},
        goals=lambda widget: [
            [["angle", -71], ["length", 3.2]],
            [["length", 0]],
            [["angle", -175], ["length", 3.2]],
        ],
        held=("grip", "cell", "list"),
        # The words stand above the columns in the order of the sentence.
        unseen="""(root, state) => ({order: [...root.querySelectorAll('[data-matrix="weights"] thead th:not(.abh-sum)')]
            .map((th) => state.tokens.indexOf(th.textContent))})""",
    ),
    "Masking": Row(
        example=Masking,
        beside_first=("window", "n_prefix", "length"),
        moves={"weights": 1.0},
        goals=lambda widget: [
            [[f"mask.2.{j}", j == 1] for j in range(4)],
            [["preset", "causal"], ["order", "after"], ["nudge", 3]],
            [*([f"mask.0.{j}", False] for j in range(4)), ["order", "before"], ["fill", "-1e9"]],
        ][: 3 * (len(widget.q) <= 8)],  # a large one has none
        held=("cell", "painter"),
    ),
    "MultiHead": Row(
        example=MultiHead,
        moves={"output": 4.0},
        goals=multihead_goals,
        held=("cell",),
        # A preset brings its own tokens; the shown ones are in the matrix x.
        unseen="""(root) => {
            const lines = [...root.querySelectorAll('[data-matrix="x"] tbody tr')];
            const rows = lines.map((line) => [...line.querySelectorAll("td")].map((td) => Number(td.dataset.value)));
            return {x: rows, tokens: rows.map(() => "word")};
        }""",
    ),
    "SelfAttention": Row(
        example=SelfAttention,
        moves={"weights": 1.0},
        goals=self_attention_goals,
        held=("grip", "cell"),
    ),
    "PmiTable": Row(
        example=PmiTable,
        moves={"weights": 1.0},
        goals=lambda widget: [
            [["p_row", 0.5], ["p_column", 0.5], ["p_11", 0.25]],
            [["p_row", 0.25], ["p_column", 0.25], ["p_11", 0.25]],
            [["p_row", 0.5], ["p_column", 0.5], ["p_11", 0.5]],
        ],
    ),
    "PositionalEncoding": Row(
        example=PositionalEncoding,
        moves={"hands": 2.0},
        goals=lambda widget: [
            [["exponent", "paper"], ["d_model", 4], ["base", 10000], ["offset", 6]],
            [["d_model", 8], ["base", 10000], ["columns", "interleaved"], ["dimension", 7]],
            [["exponent", "doubled"], ["d_model", 4], ["base", 10000], ["offset", 3], ["position", 55]],
        ],
    ),
    "Rotary": Row(
        example=Rotary,
        moves={"hands": 6.6},
        goals=rotary_goals,
        held=("cell",),
    ),
    "Induction": Row(
        example=Induction,
        moves={"answer": 1.0, "weights_1": 1.0, "weights_2": 1.0},
        goals=induction_goals,
        held=("grip", "cell"),
    ),
    "InductionReplay": Row(
        example=InductionReplay,
        moves={"weights_1": 1.0, "weights_2": 1.0},
        goals=lambda widget: [
            [["again", "5"], ["record", widget.history["steps"].index(step)]] for step in (350, 395, 385)
        ],
    ),
    "ReadAlong": Row(
        example=ReadAlong,
        beside_first=("text", "asks"),  # whose heads they are, and at which letter
        moves={"weights": 1.0},
        goals=lambda widget: [
            [["head", "1.3"]],
            [["text", "read along with me"], ["head", "2.2"], ["asks", 17]],
            [["text", "the weights of the"]],
        ],
    ),
    "ScoreVariance": Row(
        example=ScoreVariance,
        moves={"weights": 1.0},
        goals=lambda widget: [
            [["scale", "none"], ["log2_d_k", 6], ["temperature", 8]],
            [["scale", "root"], ["log2_d_k", 10], ["correlation", 0.8]],
            [["seed", 5]],  # a draw whose error bar misses the formula
        ],
    ),
    "XorLab": Row(
        example=XorLab,
        beside_first=("second_head",),  # the question after the first
        moves={"output": 6.0},
        goals=lambda widget: [
            ["preset-rope", ["angle", 45]],
            ["preset-second-head"],
            ["preset-residual"],
            ["preset-source", ["bias", -0.55]],
            ["preset-asker", ["length", 2.4], ["bias", -3]],
        ],
        held=("grip", "cell"),
    ),
    "TrainingReplay": Row(
        example=replay,
        moves={"decision": 1.0, "weights": 1.0},
        goals=replay_goals,
    ),
    "Cards": Row(lambda: Cards("3")),
    "CodeInOrder": Row(CodeInOrder, held=("list",)),
    "Predict": Row(lambda: Predict("Which?", options=["a", "b"], solution=1, explanation="The *second*.")),
}


def row_of(kind):
    """The row of a small figure follows from its class: one control, and parts with a scale each."""
    ends = {}
    for part in kind.made_of:
        length = np.ptp(part["ends"] or 0)
        ends |= {part["name"]: length, f"{part['name']}_now": length, part.get("weights"): 1.0}
    return Row(kind, moves={name: ends[name] for name in kind.shown() if ends.get(name)})


EXPLORABLES |= {name: row_of(kind) for name, kind in SMALL.items()}

#: What a ladder stands on: the figure whose view draws it. One has a figure of its own.
STANDS_ON = {
    name: next((base.__name__ for base in kind.__mro__[1:] if base.__name__ in EXPLORABLES), name)
    for name, kind in LADDERS.items()
}
# Its rungs take the place of the figure's goals.
EXPLORABLES |= {
    name: replace(EXPLORABLES[figure], example=LADDERS[name], goals=lambda widget: [])
    for name, figure in STANDS_ON.items()
    if figure != name
}
EXPLORABLES["LearningLadder"] = Row(LADDERS["LearningLadder"], moves={"decision": 1.0})
#: Of an exercise by hand the numbers come with a press.
SEED = "root => ({seed: Number(root.querySelector('[data-exercise]').dataset.seed)})"
EXPLORABLES |= {name: Row(kind, unseen=SEED) for name, kind in BY_HAND.items()}

#: The figures with a control that moves numbers. The others are questions.
MOVED = [name for name in EXPLORABLES if name not in ("Cards", "CodeInOrder", "Predict")]
#: The figures whose state can go into a link.
SHARED = [name for name in EXPLORABLES if name not in ("Cards", "Predict")]
#: Those that draw, too: an exercise by hand has words, and cells to type into.
DRAWN = [name for name in MOVED if name not in BY_HAND]
