"""Chapter 3: the row of one word under a causal mask."""

import numpy as np

from attn.practice.by_hand.attention import FOUR, POWERS, whole_scores
from attn.practice.exercise import Drawn, Exercise, Given, Step
from attn.practice.mistakes import masking as wrong
from attn.softmax import softmax

WORDS = ("`MY`", "`NAME`", "`IS`", "`ABIR`")


class MaskingByHand(Exercise):
    """Scores, the weights of those in sight, and their average."""

    topic, title, chapter = "masking", "One row under a mask", "3"
    task = (
        "One word asks, and its mask has 1 for each word that it may look at. What is its output when the others are "
        "hidden?"
    )
    aid = POWERS
    givens = (
        Given("q", "q", ("",), FOUR, "q"),
        Given("k", "k", WORDS, FOUR, "k"),
        Given("v", "v", WORDS, ("", ""), "v"),
        Given("mask", "mask", ("",), WORDS),
    )
    steps = (
        Step(
            "scores",
            WORDS,
            "Take the dot product of the query with each key, and divide by √*d_k* = √4.",
            lambda q, k: q @ k.T / np.sqrt(4),
            wrong.SCORES,
            "Multiply number by number, add the four products, and divide by the root.",
        ),
        Step(
            "weights",
            WORDS,
            "The scores of hidden words become −∞, and *e* to the −∞ is 0. What are the weights?",
            lambda scores, mask: softmax(np.where(mask != 0, scores, -np.inf)),
            wrong.WEIGHTS,
            "Add the powers of those in sight alone, and divide each by that sum. A hidden word gets 0.",
            tolerance=0.01,
        ),
        Step(
            "output",
            ("1", "2"),
            "Average the values with these weights.",
            lambda weights, v: weights @ v,
            wrong.MASKED_OUTPUT,
            "For each column: weight times value, word by word, and add them up.",
            role="v",
            tolerance=0.03,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        while True:
            q, k = rng.integers(-1, 3, (1, 4)), rng.integers(-1, 3, (4, 4))
            if whole_scores(q, k):
                sees = np.arange(4) <= rng.integers(1, 3)  # the second or the third word asks
                return {"q": q, "k": k, "v": rng.integers(-4, 5, (4, 2)), "mask": sees[None].astype(int)}
