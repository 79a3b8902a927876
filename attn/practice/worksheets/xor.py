"""Chapter 5 by hand: four points on a rope, votes, three ways to bend the rope, a vote that a residual breaks."""

import numpy as np

from attn.attention import scaled_dot_product_attention
from attn.practice.mistakes import xor as wrong
from attn.practice.worksheets.sheet import (
    Ask,
    Blank,
    Problem,
    Table,
    added,
    first_good,
    row,
    show,
    vector,
    whole,
)
from attn.softmax import softmax
from attn.xor import BITS, XorNetwork, accuracy

CHAPTER, TITLE = "5", "Compute XOR by attention"
PAIRS = tuple(f"({a}, {b})" for a, b in BITS)
SHARP = 1000.0  # a scale at which the largest score takes all, to the last digit


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    return rope(rng), votes(rng), ways_out(rng), broken_vote(rng)


def rope(rng: np.random.Generator) -> Problem:
    """Equal weights: the unequal pairs lie in the middle, and a line gets at most three pairs right."""

    def network(drawn):
        ends, readout, bias = drawn
        zeros = np.zeros((2, 2))
        return XorNetwork(zeros, zeros, ends, np.zeros(2), readout, float(bias), read="mean")

    def lively(drawn):
        output = network(drawn)().output
        return (output != 0).all() and accuracy(output) == 0.75

    def draw():
        return 2.0 * whole(rng, -3, 3, (2, 2)), whole(rng, -2, 2, 2).astype(float), whole(rng, -5, 5)

    drawn = first_good(draw, lively)
    (ends, readout, bias), state = drawn, network(drawn)()
    return Problem(
        "On the rope",
        (
            f"Bit 0 has the value {vector(ends[0])}, bit 1 has {vector(ends[1])}. All attention weights are ½. The "
            f"readout of a point r is {vector(readout)} · r {added(int(bias))}; the network says 1 if that is above 0.",
            Table(
                ("pair", *PAIRS),
                (
                    ("point, first number", *(Blank("points", (i, 0)) for i in range(4))),
                    ("point, second number", *(Blank("points", (i, 1)) for i in range(4))),
                    ("readout", *row("output", n=4)),
                    ("says", *row("says", n=4)),
                ),
            ),
            Ask("How many pairs are right?", (Blank("right"),)),
            Ask("The readouts of (0, 0) and (1, 1), added:", (Blank("ends"),)),
            Ask("Those of (1, 0) and (0, 1), added:", (Blank("middle"),)),
        ),
        {"ends": ends, "readout": readout, "bias": int(bias)},
        {
            "points": state.read,
            "output": state.output,
            "says": (state.output > 0).astype(int),
            "right": 4 * accuracy(state.output),
            "ends": state.output[[0, 3]].sum(),
            "middle": state.output[[1, 2]].sum(),
        },
        {
            "the points": ("points", wrong.POINTS),
            "the readouts": ("output", wrong.MARGINS),
            "what it says": ("says", wrong.SAYS),
        },
        {"margins": state.output},
    )


def votes(rng: np.random.Generator) -> Problem:
    """A head with a fixed question: its answer has the sign of a sum of votes."""

    def sums(drawn):
        one, two, noise = drawn
        return one[BITS[:, 0]] + two[BITS[:, 1]] + noise

    drawn = first_good(
        lambda: (whole(rng, -6, 6, 2), whole(rng, -6, 6, 2), int(whole(rng, -4, 4))),
        lambda drawn: (sums(drawn) != 0).all() and accuracy(sums(drawn)) == 0.75,
    )
    one, two, noise = drawn
    total = sums(drawn)
    return Problem(
        "A sum of votes",
        (
            f"A head with a fixed question: the first token votes {show(int(one[0]))} for bit 0 and "
            f"{show(int(one[1]))} for bit 1, the second {show(int(two[0]))} and {show(int(two[1]))}. The other "
            f"tokens vote {show(noise)} together. The network says 1 if the sum is above 0.",
            Table(("pair", *PAIRS), (("sum of the votes", *row("sums", n=4)),)),
            Ask("How many pairs are right?", (Blank("right"),)),
            Ask("(0, 0) and (1, 1) together:", (Blank("ends"),)),
            Ask("(1, 0) and (0, 1) together:", (Blank("middle"),)),
        ),
        {"one": one, "two": two, "noise": noise},
        {
            "sums": total,
            "right": 4 * accuracy(total),
            "ends": total[[0, 3]].sum(),
            "middle": total[[1, 2]].sum(),
        },
    )


def ways_out(rng: np.random.Generator) -> Problem:
    """The two tokens low and high: largest minus smallest, a residual, a ReLU layer."""
    low, high = first_good(lambda: np.sort(whole(rng, -6, 6, 2)), lambda two: two[1] - two[0] >= 2)
    if (low + high) % 2:
        high += 1
    tokens = np.array([low, high], dtype=float)[BITS][..., None]  # (4 pairs, 2 tokens, 1)
    seek = np.ones((4, 2, 1))
    largest, smallest = (
        scaled_dot_product_attention(sign * seek, tokens, tokens, scale=SHARP)[0][..., 0] for sign in (1, -1)
    )
    middle = (low + high) / 2
    mean = scaled_dot_product_attention(0 * seek, tokens - middle, tokens - middle)[0][:, 0, 0]
    answers = {
        "two_heads": largest[:, 0] - smallest[:, 0],
        "residual": (tokens[..., 0] - largest).mean(axis=1),
        "mean": mean,
        "relu": np.maximum(mean, 0) + np.maximum(-mean, 0),
    }
    return Problem(
        "Three ways out",
        (
            f"Bit 0 is the number {show(int(low))}, bit 1 is {show(int(high))}. A head that seeks the largest "
            "number gives it all its weight, one that seeks the smallest likewise.",
            Table(
                ("pair", *PAIRS),
                (
                    ("largest − smallest (two heads)", *row("two_heads", n=4)),
                    ("mean of (token − largest) over both tokens (residual)", *row("residual", n=4)),
                    (f"m = mean of both tokens {added(-middle)}", *row("mean", n=4)),
                    ("relu(m) + relu(−m) (ReLU layer)", *row("relu", n=4)),
                ),
            ),
            "In which rows are equal pairs the same, and different from the unequal ones? Those compute XOR.",
        ),
        {"low": int(low), "high": int(high)},
        answers,
    )


def broken_vote(rng: np.random.Generator) -> Problem:
    """Theorem 2 without its condition on the residual: an asker that adds its own bit."""

    def outputs(drawn, residual=True):
        one, two, loud, gain = drawn
        weights = softmax(np.log([[1, loud if not second else 1] for _, second in BITS]))
        read = weights[:, 0] * one[BITS[:, 0]] + weights[:, 1] * two[BITS[:, 1]]
        return weights, read + residual * gain * BITS[:, 0]

    def lively(drawn):
        output = outputs(drawn)[1]
        return (np.abs(output) > 1e-9).all() and accuracy(output) == 1

    drawn = first_good(
        lambda: (
            whole(rng, (-6, -20), (-1, -5)),
            whole(rng, (-1, 2), (1, 8)),
            int(rng.choice((3, 4))),
            int(whole(rng, 2, 4)),
        ),
        lively,
    )
    one, two, loud, gain = drawn
    weights, output = outputs(drawn)
    total = np.where(BITS[:, 1] == 0, 1 + loud, 2)
    plain = total * outputs(drawn, residual=False)[1]
    return Problem(
        "A vote that breaks",
        (
            f"Two tokens, a bit each. The first one asks, and a residual connection adds {gain} times its own bit. "
            f"Token 1 has e to its score = 1; token 2 has {loud} if its bit is 0, else 1. Token 1's value is "
            f"{show(int(one[0]))} for bit 0 and {show(int(one[1]))} for bit 1, token 2's {show(int(two[0]))} and "
            f"{show(int(two[1]))}. Write fractions.",
            Table(
                ("pair", *PAIRS),
                (
                    ("weight of token 2", *row("weight", n=4, fraction=True)),
                    ("output, with the residual", *row("output", n=4, fraction=True)),
                    ("the network says (above 0: 1)", *row("says", n=4)),
                    ("without the residual: numerator, Σ e to the s · value", *row("votes", n=4)),
                ),
            ),
            Ask("The numerators of (0, 0) and (1, 1), added:", (Blank("ends"),)),
            Ask("Those of (1, 0) and (0, 1), added:", (Blank("middle"),)),
        ),
        {"one": one, "two": two, "loud": loud, "gain": gain},
        {
            "weight": weights[:, 1],
            "output": output,
            "says": (output > 0).astype(int),
            "votes": plain,
            "ends": plain[[0, 3]].sum(),
            "middle": plain[[1, 2]].sum(),
        },
    )
