"""Chapter 6: back through a softmax, and the loss of one row."""

import numpy as np

from attn.practice.exercise import Aid, Drawn, Exercise, Given, Step
from attn.practice.mistakes import learning as wrong

TOKENS = ("`a`", "`b`", "`c`", "`d`")
ANSWERS = ("A", "B", "C")


class GradientByHand(Exercise):
    """From the derivatives of the weights to that of the query."""

    topic, title, chapter = "gradient", "Back through a softmax", "6"
    task = (
        "One query *q* looks at four tokens, each a number *x*; the score is *q* times *x*. You are given the weights "
        "*p*, and the derivative of the loss by each weight, ∂L/∂p. What is the derivative by *q*?"
    )
    givens = (
        Given("x", "*x*", ("",), TOKENS, "k"),
        Given("p", "*p*", ("",), ("",) * 4, unit=1 / 8),
        Given("d_p", "∂L/∂p", ("",), ("",) * 4),
    )
    steps = (
        Step(
            "average",
            ("",),
            "Average the derivatives ∂L/∂p, each as often as its weight says.",
            lambda p, d_p: p @ d_p.T,
            wrong.AVERAGE,
            "Weight times derivative, token by token, and add the four.",
        ),
        Step(
            "apart",
            TOKENS,
            "How far is each derivative from that average?",
            lambda d_p, average: d_p - average,
            wrong.APART,
            "Derivative minus average. Minus a minus is a plus.",
        ),
        Step(
            "d_s",
            TOKENS,
            "The derivative by each score: its weight times how far it is apart.",
            lambda p, apart: p * apart,
            wrong.D_S,
            "Weight times difference, token by token.",
            label="∂L/∂s",
        ),
        Step(
            "d_q",
            ("",),
            "The derivative by the query: the sum of *x* times ∂L/∂s.",
            lambda x, d_s: x @ d_s.T,
            wrong.D_Q,
            "Token by token *x* times ∂L/∂s, and add the four.",
            label="∂L/∂q",
            tolerance=0.03,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        return {
            "x": rng.integers(-2, 3, 4),
            "p": rng.permutation((4, 2, 1, 1)),
            "d_p": 4 * rng.integers(-4, 5, 4),
        }


class LossByHand(Exercise):
    """The loss of one row, and its derivative by each logit."""

    topic, title, chapter = "loss", "The loss of one row", "6"
    task = (
        "A network gives three answers a logit *z* each. The table has *e* to the power of each, and a 1 for the right "
        "answer. What is the loss, and which way do the logits have to go?"
    )
    aid = Aid(
        "The natural logarithm of",
        tuple((str(n), (float(np.log(n)),)) for n in range(2, 13)),
        note="The logarithm of a fraction is a difference: ln (2/9) = ln 2 − ln 9.",
    )
    givens = (
        Given("exponentials", "*e* to the *z*", ("",), ANSWERS),
        Given("target", "right", ("",), ("", "", "")),
    )
    steps = (
        Step(
            "probabilities",
            ANSWERS,
            "What probability does each answer have? Fractions such as 2/9 are welcome.",
            lambda exponentials: exponentials / exponentials.sum(),
            wrong.PROBABILITIES,
            "Each number over the sum of the three.",
            label="*p*",
        ),
        Step(
            "loss",
            ("",),
            "The loss: minus the natural logarithm of the right answer's probability.",
            lambda probabilities, target: -np.log((probabilities * target).sum()),
            wrong.LOSS,
            "The logarithm of the sum minus the logarithm of the right answer's number.",
            tolerance=0.03,
        ),
        Step(
            "d_z",
            ANSWERS,
            "The derivative by each logit: its probability, minus 1 for the right answer.",
            lambda probabilities, target: probabilities - target,
            wrong.D_Z,
            "Two are positive, the right answer's is negative, and the three sum to 0.",
            label="∂L/∂z",
            tolerance=0.01,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        while True:
            exponentials = rng.integers(1, 9, 3)
            if exponentials.sum() <= 12:
                return {"exponentials": exponentials, "target": np.eye(3, dtype=int)[rng.integers(3)]}
