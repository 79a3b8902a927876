"""Chapter 4: two heads, side by side, and W_O."""

import numpy as np

from attn.multihead import merge_heads
from attn.practice.by_hand.attention import WORDS
from attn.practice.exercise import Drawn, Exercise, Given, Step
from attn.practice.mistakes import multihead as wrong

HEADS = ("head 1", "head 2")


class HeadsByHand(Exercise):
    """What two heads give, side by side, times W_O."""

    topic, title, chapter = "heads", "Two heads, one output", "4"
    task = (
        "`sat` has two heads. A 1 says that a head looks at a word; all words that it looks at have the same score, "
        "the others are hidden. Each head has values of its own. What is the output of `sat`?"
    )
    givens = (
        Given("looks", "looks", HEADS, WORDS),
        Given("values_1", "v, head 1", WORDS, ("", ""), "v"),
        Given("values_2", "v, head 2", WORDS, ("", ""), "v"),
        Given("w_o", "W_O", ("1", "2", "3", "4"), ("", "")),
    )
    steps = (
        Step(
            "weights",
            WORDS,
            "Equal scores get equal weights. What are the weights of each head?",
            lambda looks: looks / looks.sum(axis=1, keepdims=True),
            wrong.HEAD_WEIGHTS,
            "One over the number of words that the head looks at; the others get 0.",
            rows=HEADS,
            tolerance=0.005,
        ),
        Step(
            "heads",
            ("1", "2"),
            "Each head averages its own values with its own weights.",
            lambda weights, values_1, values_2: np.stack([weights[0] @ values_1, weights[1] @ values_2]),
            wrong.HEADS,
            "Average the rows that the head looks at, column by column.",
            rows=HEADS,
            role="v",
            tolerance=0.03,
        ),
        Step(
            "side_by_side",
            ("1", "2", "3", "4"),
            "Put the answers of the heads side by side, head 1 first.",
            lambda heads: merge_heads(heads[:, None]),
            wrong.SIDE_BY_SIDE,
            "Two numbers from head 1, then two from head 2.",
            role="v",
            tolerance=0.01,
        ),
        Step(
            "output",
            ("1", "2"),
            "Multiply this row by W_O.",
            lambda side_by_side, w_o: side_by_side @ w_o,
            wrong.OUTPUT,
            "Each of the four numbers times its row of W_O; add the four rows, column by column.",
            role="v",
            tolerance=0.05,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        # no head looks at nothing, and one of them at two or more
        looks = rng.integers(0, 2, (2, 3))
        while not looks.any(axis=1).all() or looks.sum() < 3:
            looks = rng.integers(0, 2, (2, 3))
        return {
            "looks": looks,
            "values_1": rng.integers(-4, 5, (3, 2)),
            "values_2": rng.integers(-4, 5, (3, 2)),
            "w_o": rng.integers(-2, 3, (4, 2)),
        }
