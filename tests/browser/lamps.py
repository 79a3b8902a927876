"""What each goal of a figure asks, said a second time in NumPy; and the states around where its lamp comes on.

A predicate takes the Python explorable in its present state, and the one that the figure starts from.
"""

import itertools
import random

import numpy as np

from attn.explore import PmiTable
from attn.explore.xor import PRESETS, SHAPES, SWITCHES
from tests.browser.states import Twin, random_state, whole


def first_touch(now, start):
    weights, all_seen = now.weights[0], not any(now.hidden)
    return [
        weights[now.order.index(1)] > 0.9,  # the second word, wherever it stands
        all_seen and np.ptp(weights) < 0.005,
        all_seen and weights.max() > 0.99,
    ]


def masking(now, start):
    shown, allowed, n = now.matrices(), now.allowed, len(now.tokens)
    wanted = np.eye(n)[min(1, n - 1)]
    row = shown["weights"][min(2, n - 1)]
    return [
        np.all(np.abs(row - wanted) < 0.001),
        not allowed[0, n - 1] and shown["moved"][0, 0] > 0.05,
        now.fill == "-1e9" and now.order == "before" and (~allowed).all(axis=1).any(),
    ]


def multihead(now, start):
    shown = now.matrices()
    if start.preset == "opposites":
        return []
    if start.preset == "legible":
        output = shown["output"]
        return [
            len(output) > 2 and output[2, 1] > 0.9 and output[2, 0] < -0.9,
            bool((np.diagonal(shown["weights"][1]) > 0.5).all()),
            now.faders[0] == 1 and bool((np.abs(shown["shares"][0]) < 0.005).all()),
        ]
    first = start.matrices()["weights"]
    same = np.array_equal(now.x, start.x) and now.scaled == start.scaled
    changed = sum(
        int((np.array(getattr(now, name)) != np.array(getattr(start, name))).sum()) for name in ("w_q", "w_k")
    )
    n = min(len(first[0]), len(shown["weights"][0]))
    away = np.abs(shown["weights"][:, :n, :n] - first[:, :n, :n]).max(axis=(1, 2))
    return [bool(same and changed == 1 and far > 0.005) for far in away]


def self_attention(now, start):
    shown, row = now.matrices(), start.tokens.index(start.asks)
    other, scores = (row - 1) % len(start.tokens), shown["scores"]
    apart = scores[~np.eye(len(scores), dtype=bool)]
    return [
        now.k == start.k and np.ptp(shown["weights"][row]) < 0.005,
        shown["weights"][other, row] > 0.9 and shown["weights"][row, other] < 0.1,
        np.abs(apart).max() > 0.5 and np.abs(scores - scores.T).max() < 1e-9,
    ]


def positional(now, start):
    table, p = now.interleaved, now.position
    dot = table[p] @ table[p + now.offset]
    column = now.encoding[:, min(now.dimension, now.d_model - 1)]
    return [
        now.exponent == "paper" and now.offset >= 4 and dot > table[0] @ table[1],
        np.ptp(column) < 0.01,
        now.exponent == "doubled" and now.offset == 3 and dot < 0.75,
    ]


def variance(now, start):
    said = now.scalars()
    return [
        now.scale == "none" and now.d_k == 64 and now.temperature == 8,
        now.scale == "root" and now.d_k == 1024 and now.weights[0, 0] > 0.99,
        abs(said["sample_variance"] - said["variance"]) > said["sample_error"],
    ]


def pmi(now, start):
    bits = now.scalars()["mutual_information"] / (1 if now.unit == "bits" else np.log(2))
    joint = now.joint
    together = joint[0, 0] > 0 and abs(joint[0, 1]) < 1e-10 and abs(joint[1, 0]) < 1e-10
    away = abs(now.p_row - 0.8) > 1e-9 or abs(now.p_column - 0.25) > 1e-9
    return [away and bits < 1e-9, bool(together), abs(bits - 1) < 1e-9]


def xor(now, start):
    right = round(4 * now.scalars()["accuracy"])
    on = {name for name in SWITCHES if name not in ("read", "position_in_scores") and getattr(now, name)}
    source = PRESETS["source"]
    as_it_was = [getattr(now, name) == source[name] for name in (*SHAPES, "angle", "length", *SWITCHES)]
    story = next(told["changes"] for told in now.stories if told["name"] == "asker")
    asking = [getattr(now, name) == story[name] for name in (*SHAPES, "angle", *SWITCHES)]
    return [
        not on and right == 3,
        on == {"second_head"} and right == 4,
        on == {"residual"} and now.read == "mean" and right == 4,
        all(as_it_was) and right == 4,
        all(asking) and now.scalars()["margin"] > 0.55,
    ]


def training(now, start):
    wanted, decision = np.array([False, True, True, False]), now.decision
    found = [bool(((decision > 0.5) == wanted).all())]
    if any("probab" in run["name"] for run in now.runs):
        found.append(np.where(wanted, decision, 1 - decision).min() < 0.01)
    if any("w_1" in run["params"] for run in now.runs):
        units, alike = now.matrices().get("units"), False
        if units is not None:
            near = np.abs(units[:, None] - units[None]).max(axis=-1) < 0.02
            for odd in range(4):
                one, two, three = (case for case in range(4) if case != odd)
                alike |= bool(near[one, two] and near[one, three] and not near[one, odd])
        found.append(alike)
    return found


def rotary(now, start):
    row, leads = now.weights[0], now.matrices()["leads"]
    alike = now.k[0] == now.k[1] and now.pairs == "neighbors" and now.query_at == "own"
    return [
        alike and row[1] > 0.75,
        alike and np.ptp(row) < 0.005 and any(now.q[0]),
        alike and row[2] < 0.05 and np.ptp(row[[0, 1, 3]]) < 0.005,
        leads.min() > 0.1,
    ]


def induction(now, start):
    every, one = now.right_of_16 == 16, now.layer_1 + now.layer_2 == 1
    off = 7 - sum((now.layer_1, now.layer_2, now.residual_1, now.residual_2, now.causal, now.bos, now.places))
    asked = [now.first, now.second, now.third, now.fourth, now.last] == ["A", "1", "B", "0", "A"]
    return [
        now.says == "B" and asked,
        every and now.beta_1 + now.beta_2 <= 5.0005,
        every and now.lane == "token",
        every and not now.bos,
        every and off >= 3,
        one and now.right_of_16 >= 12,
    ]


def induction_replay(now, start):
    said = now.scalars()
    return [
        said["parrots"] == int(now.again) - 1,
        said["before"] > 0.5 > said["after"],
        now.again == "5" and said["right"] in (2, 3),
    ]


def read_along(now, start):
    row, at = now.matrices()["weights"][0], now.at
    far = at - int(row.argmax())
    surprise = now.scalars()["loss"]
    return [
        at > 0 and row[at - 1] > 0.9,
        far >= 6 and row.max() > 0.5,
        len(now.text) >= 12 and surprise < 0.65,
    ]


def no_goals(now, start):
    return []


ASKED = {
    "FirstTouch": first_touch, "Masking": masking, "MultiHead": multihead, "SelfAttention": self_attention,
    "PositionalEncoding": positional, "ScoreVariance": variance, "PmiTable": pmi, "XorLab": xor,
    "TrainingReplay": training, "Rotary": rotary, "Induction": induction,
    "InductionReplay": induction_replay, "ReadAlong": read_along,
}  # fmt: skip


def a_bit_of_nats():
    """How often two words meet, both in half of all cases, so that they tell ln 2 bits of each other: not one bit."""
    twin, (low, high) = Twin(PmiTable(p_row=0.5, p_column=0.5)), (0.25, 0.5)
    for _ in range(60):
        middle = (low + high) / 2
        less = twin.at({"p_11": middle, "p_row": 0.5, "p_column": 0.5}).scalars()[
            "mutual_information"
        ] < np.log(2)
        low, high = (middle, high) if less else (low, middle)
    return low


#: Changes from the first state that come near a goal in a way to which no single trait leads.
NEARLY = {
    "SelfAttention": [
        {"q": [[0, 0]] * 3, "k": [[1, 0], [0, 1], [1, 1]]},  # symmetric, and nothing is scored
        {"q": [[0.1, 0], [0, 0.2], [0.3, 0.1]], "k": [[0.1, 0], [0, 0.2], [0.3, 0.1]]},
        {"k": [[1, 1]] * 3},  # all the same, by moved keys
    ],
    "ScoreVariance": [
        # Another key than its own takes all.
        *({"scale": "root", "log2_d_k": 10, "temperature": 0.25, "seed": seed} for seed in range(1, 65)),
        *({"scale": "none", "log2_d_k": power, "temperature": 8.0} for power in (5, 7)),
        {"scale": "root", "log2_d_k": 6, "temperature": 8.0},
    ],
    "PmiTable": [
        {"p_11": 0.2},  # independent, and the margins have not moved
        {"p_11": 0.0, "p_row": 0.5, "p_column": 0.5},  # the other two occur only together
        {"p_11": 0.0, "p_row": 0.25, "p_column": 0.75},
        {"p_11": a_bit_of_nats(), "p_row": 0.5, "p_column": 0.5, "unit": "bits"},
        {"p_11": a_bit_of_nats(), "p_row": 0.5, "p_column": 0.5, "unit": "nats"},
    ],
    "MultiHead": [{"faders": [1.0, -1.0], "n_tokens": 2}, {"faders": [0.0, 1.0]}, {"faders": [1.0, 1.0]}],
    "Masking": [{"nudge": 3.0, "preset": "none"}, {"fill": "-1e9", "preset": "causal"}],
    "XorLab": [{"angle": 45.0, "position_in_scores": True}, {"angle": 45.0, "second_head": True}],
}


def rebuilt(value, spot, entry):
    """Nested lists with another entry at a place."""
    if not spot:
        return entry
    copy = list(value)
    copy[spot[0]] = rebuilt(copy[spot[0]], spot[1:], entry)
    return copy


def spots(value, path=()):
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from spots(inner, (*path, index))
    else:
        yield path, value


class Around:
    """The states just inside and just outside of a goal, one trait at a time."""

    def __init__(self, widget):
        self.widget, self.twin, self.asked = widget, Twin(widget), ASKED.get(type(widget).__name__, no_goals)

    def __call__(self, state):
        """Which goals a state reaches; None where it is no state."""
        if "p_11" in state:
            low = max(0.0, state["p_row"] + state["p_column"] - 1)
            if not low <= state["p_11"] <= min(state["p_row"], state["p_column"]):
                return None
        return [int(bool(lit)) for lit in self.asked(self.twin.at(state), self.widget)]

    def edges(self, goal, lit):
        """From a state that lights a goal: along each trait the last that does and the first that doesn't, if any."""
        for name, rule in self.widget.rules.items():
            if rule[0] == "fixed" or (rule[0] == "of" and isinstance(lit[name], list)):
                continue
            if rule[0] == "order":
                for order in itertools.permutations(lit[name]):
                    yield lit | {name: list(order)}
                continue
            for path, value in spots(lit[name]):
                with_entry = lambda entry, name=name, path=path: lit | {name: rebuilt(lit[name], path, entry)}  # noqa: E731
                match rule:
                    case ["bool"]:
                        yield with_entry(not value)
                    case ["of", *options]:
                        yield from (with_entry(option) for option in options)
                    case ["text", letters, fewest, most]:
                        shorter = [value[:k] for k in range(fewest, len(value))]
                        longer = [value + letter for letter in letters if len(value) < most]
                        other = [value[:k] + "x" + value[k + 1 :] for k in range(len(value))]
                        yield from (with_entry(entry) for entry in shorter + longer + other)
                    case ["int", low, high]:
                        others = (
                            {value - 1, value + 1, low, high} if high - low > 64 else range(low, high + 1)
                        )
                        yield from (with_entry(other) for other in others if low <= other <= high)
                    case ["number", low, high]:
                        for end in {max(low, value - 6), min(high, value + 6), low, high}:
                            yield from self.boundary(goal, with_entry, float(value), float(end))

    def boundary(self, goal, with_entry, inside, outside):
        def lights(entry):
            reached = self(with_entry(entry))
            return reached is not None and reached[goal]

        if inside == outside or lights(outside):
            return
        for _ in range(14):
            if abs(inside - outside) < 2e-3:
                break
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if lights(middle) else (inside, middle)
        yield with_entry(inside)
        yield with_entry(outside)


def wild(widget, n, seed):
    rng = random.Random(seed)
    return [whole(widget, random_state(widget, rng)) for _ in range(n)]
