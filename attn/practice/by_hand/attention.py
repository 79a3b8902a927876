"""Chapter 0: score, weigh, mix."""

import numpy as np

from attn._numbers import number
from attn.practice.exercise import Aid, Drawn, Exercise, Given, Step
from attn.practice.mistakes import attention as wrong
from attn.softmax import softmax

WORDS = ("`the`", "`cat`", "`sat`")
FOUR = ("",) * 4  # numbers of a vector need no names


def powers(lowest: int, highest: int, note: str = "") -> Aid:
    """A table of *e* to whole powers, from the lowest to the highest."""
    whole = range(lowest, highest + 1)
    return Aid("*e* to the power of", tuple((number(n), (float(np.exp(n)),)) for n in whole), note=note)


POWERS = powers(-4, 4)


def whole_scores(q: np.ndarray, k: np.ndarray) -> bool:
    """Whether q kᵀ / 2 is whole, with no two alike and none so far from another that one weight is left alone."""
    scores = q @ k.T / 2
    return bool(
        (scores % 1 == 0).all()
        and len(set(scores.ravel())) == scores.size
        and 2 <= np.ptp(scores) <= 4
        and np.abs(scores).max() <= 4
    )


class AttentionByHand(Exercise):
    """The output of one word: dot products, scores, weights, an average of values."""

    topic, title, chapter = "attention", "Score, weigh, mix", "0"
    task = "`sat` asks with its query, and each word has a key and a value. What is the output of `sat`?"
    aid = POWERS
    givens = (
        Given("q", "q of sat", ("",), FOUR, "q"),
        Given("k", "k", WORDS, FOUR, "k"),
        Given("v", "v", WORDS, ("", ""), "v"),
    )
    steps = (
        Step(
            "dots",
            WORDS,
            "Score: take the dot product of the query with each key.",
            lambda q, k: q @ k.T,
            wrong.DOTS,
            "Multiply number by number, and add the four products. Mind the minus signs.",
            label="q · k",
            rows=("`sat`",),
        ),
        Step(
            "scores",
            WORDS,
            "Divide by √*d_k*, where *d_k* = 4 is how many numbers a key has.",
            lambda dots: dots / np.sqrt(4),
            wrong.SCORES,
            "All three products are divided by the same number.",
            rows=("`sat`",),
        ),
        Step(
            "weights",
            WORDS,
            "Weigh: take *e* to the power of each score, and divide by their sum.",
            lambda scores: softmax(scores),
            wrong.WEIGHTS,
            "Look the three powers up, add them, and divide each by the sum. The weights sum to one.",
            rows=("`sat`",),
            tolerance=0.01,
        ),
        Step(
            "output",
            ("1", "2"),
            "Mix: average the values with these weights.",
            lambda weights, v: weights @ v,
            wrong.OUTPUT,
            "For each column: weight times value, word by word, and add the three.",
            rows=("`sat`",),
            role="v",
            tolerance=0.03,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        while True:
            q, k = rng.integers(-1, 3, (1, 4)), rng.integers(-1, 3, (3, 4))
            if whole_scores(q, k):
                return {"q": q, "k": k, "v": rng.integers(-4, 5, (3, 2))}
