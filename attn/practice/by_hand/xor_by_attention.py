"""Chapter 5: four points on a segment, and the votes of three tokens."""

import numpy as np

from attn.practice.exercise import Drawn, Exercise, Given, Step
from attn.practice.mistakes import xor as wrong
from attn.xor import BITS

PAIRS = tuple(f"({a}, {b})" for a, b in BITS)
TOKENS = ("token 1", "token 2", "token 3")


class RopeByHand(Exercise):
    """All weights are one half: where the four pairs lie, and what a readout says."""

    topic, title, chapter = "rope", "Four points on a segment", "5"
    task = (
        "Each bit has a value, a point in the plane, and all attention weights are ½. What does this network say to "
        "the four pairs of bits?"
    )
    givens = (
        Given("ends", "values", ("bit 0", "bit 1"), ("", ""), "v"),
        Given("readout", "readout", ("",), ("", "")),
        Given("bias", "bias", ("",), ("",)),
    )
    steps = (
        Step(
            "points",
            ("1", "2"),
            "Where does each pair lie? Average the values of its two bits.",
            lambda ends: ends[np.asarray(BITS)].mean(axis=1),
            wrong.POINTS,
            "Half of the one value and half of the other, column by column.",
            rows=PAIRS,
            role="v",
        ),
        Step(
            "margins",
            PAIRS,
            "Take the dot product of the readout with each point, and add the bias.",
            lambda points, readout, bias: (points @ readout.T + bias).T,
            wrong.MARGINS,
            "First number times first number, second times second, add both and the bias.",
            label="output",
        ),
        Step(
            "says",
            PAIRS,
            "The network says 1 where that is above 0, else 0. What does it say?",
            lambda margins: margins > 0,
            wrong.SAYS,
            "Look at the sign of each number alone.",
            label="it says",
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        while True:
            ends, readout, bias = 2 * rng.integers(-3, 4, (2, 2)), rng.integers(-2, 3, 2), rng.integers(-5, 6)
            zero, one = ends @ readout + bias
            if zero * one < 0 < zero + one:  # three of the four are right, and none lies on the line
                return {"ends": ends, "readout": readout, "bias": bias}


class VotesByHand(Exercise):
    """What each token adds to one head's output: its margin, its vote, and the vote's outcome."""

    topic, title, chapter = "votes", "Count the votes", "5"
    task = (
        "One head reads three tokens, each a single number *x*. The table has *e* to the power of each score: how loud "
        "a token is. What is the head's output?"
    )
    givens = (
        Given("x", "*x*", ("",), TOKENS, "v"),
        Given("loud", "*e* to the score", ("",), ("", "", "")),
        Given("readout", "readout", ("",), ("",)),
        Given("bias", "bias", ("",), ("",)),
    )
    steps = (
        Step(
            "margins",
            TOKENS,
            "What would each token say alone? Readout times *x*, plus the bias.",
            lambda x, readout, bias: readout * x + bias,
            wrong.VOTE_MARGINS,
            "Multiply first, then add. Mind the minus signs.",
            label="margin",
        ),
        Step(
            "votes",
            TOKENS,
            "A louder token counts for more. Its vote: *e* to the score, times that.",
            lambda loud, margins: loud * margins,
            wrong.VOTES,
            "Token by token: loudness times margin.",
            label="vote",
        ),
        Step(
            "output",
            ("",),
            "Add the votes, and divide by the sum of the *e* to the score.",
            lambda votes, loud: votes.sum() / loud.sum(),
            wrong.VOTED,
            "The sum of the votes over the sum of the loudnesses; a fraction is welcome.",
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        return {
            "x": rng.integers(-3, 4, 3),
            "loud": rng.integers(1, 6, 3),
            "readout": rng.choice((-3, -2, 2, 3)),
            "bias": rng.choice((-3, -2, -1, 1, 2, 3)),
        }
