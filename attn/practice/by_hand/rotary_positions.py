"""Chapter 8: a query and three keys on two clocks, their scores, and everyone one place further."""

import numpy as np

from attn.practice.exercise import Aid, Drawn, Exercise, Given, Step
from attn.practice.mistakes import rotary_positions as wrong
from attn.practice.mistakes.rotary_positions import keys, turned

NUMBERS = ("0", "1", "2", "3")
WORDS = ("1st `very`", "2nd `very`", "`big`")


class TurnedScoresByHand(Exercise):
    """A query and three keys, turned by their places, their scores, and the scores one place further."""

    topic, title, chapter = "turned-scores", "Turn, score, and move on", "8"
    task = (
        "`big` asks, in `very very big`. Two clocks: numbers 0 and 1 are a pair that makes a half turn a word, numbers "
        "2 and 3 a pair that makes a quarter turn. Each word turns by its place. What are the scores of `big`?"
    )
    aid = Aid(
        "The pair (2, 1), turned",
        (("a quarter turn", (-1.0, 2.0)), ("a half turn", (-2.0, -1.0)), ("three quarters", (1.0, -2.0))),
        names=("x", "y"),
        note="A half turn makes (*x*, *y*) into (−*x*, −*y*), a quarter turn into (−*y*, *x*), "
        "three of them (*y*, −*x*).",
    )
    givens = (
        Given("q", "q", ("",), NUMBERS, "q"),
        Given("k", "k", ("`very`", "`big`"), NUMBERS, "k"),
        Given("places", "place", ("",), WORDS),
    )
    steps = (
        Step(
            "asks",
            NUMBERS,
            "Turn the query by its place: each pair by its own clock.",
            lambda q, places: turned(q, places[:, 2]),
            wrong.ASKS,
            "Count the quarter turns of each pair. Four of them are none.",
            label="q, turned",
            role="q",
        ),
        Step(
            "asked",
            NUMBERS,
            "Turn the key of each word by the word's place.",
            lambda k, places: turned(keys(k), places),
            wrong.ASKED,
            "Both `very` have the same key, and not the same place. Count quarter turns for each pair.",
            label="k, turned",
            rows=WORDS,
            role="k",
        ),
        Step(
            "scores",
            WORDS,
            "Take the dot product of the turned query with each turned key, without a scale.",
            lambda asks, asked: asks @ asked.T,
            wrong.SCORES,
            "Multiply number by number, and add the four products.",
        ),
        Step(
            "moved",
            WORDS,
            "All three words stand one place further now. What are the scores?",
            lambda q, k, places: turned(q, places[:, 2] + 1) @ turned(keys(k), places + 1).T,
            wrong.MOVED,
            "Turn query and keys by one place more, and take the dot products; or think of what turns with what.",
            label="moved on",
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        first = rng.choice([1, 3, 5])
        return {
            "q": rng.integers(-3, 4, (1, 4)),
            "k": rng.integers(-3, 4, (2, 4)),
            "places": first + np.arange(3)[None],
        }
