"""Chapter 1: the encoding of a position, and a query and a key that are turned."""

import numpy as np

from attn.positional import angular_frequencies
from attn.practice.exercise import Aid, Drawn, Exercise, Given, Step
from attn.practice.mistakes import positional as wrong
from attn.practice.mistakes.positional import turned

DIMENSIONS = ("0", "1", "2", "3")
WAVES = Aid(
    "Sine and cosine of",
    tuple((str(n), (float(np.sin(n)), float(np.cos(n)))) for n in (1, 2, 3, 4, 5, 6, 8, 9)),
    names=("sin", "cos"),
)


class EncodingByHand(Exercise):
    """Four numbers for a position: divisors, angles, waves, and their sum with a word."""

    topic, title, chapter = "encoding", "Encode a position", "1"
    task = (
        "A word of four numbers stands at position *pos*. The base is a small one here, in place of 10,000. What are "
        "the four numbers of the word with its position?"
    )
    aid = WAVES
    givens = (
        Given("base", "base", ("",), ("",)),
        Given("pos", "*pos*", ("",), ("",)),
        Given("word", "word", ("",), ("",) * 4, "v"),
    )
    steps = (
        Step(
            "divisors",
            DIMENSIONS,
            "The dimensions 2*i* and 2*i* + 1 divide the position by the base to the power 2*i* / 4. By what?",
            lambda base: np.repeat(1 / angular_frequencies(4, base.item()), 2),
            wrong.DIVISORS,
            "The pairs are *i* = 0, 0, 1, 1: a pair shares its divisor, and the first one is 1.",
        ),
        Step(
            "angles",
            DIMENSIONS,
            "Divide the position by each of them: the angle of each dimension's clock.",
            lambda pos, divisors: pos / divisors,
            wrong.ANGLES,
            "Position over divisor, in each dimension.",
        ),
        Step(
            "encoding",
            DIMENSIONS,
            "Take the sine in the even dimensions, the cosine in the odd ones (in radians).",
            lambda angles: np.where([True, False, True, False], np.sin(angles), np.cos(angles)),
            wrong.ENCODING,
            "Look the angle up: its sine comes first, its cosine second.",
        ),
        Step(
            "sum",
            DIMENSIONS,
            "Add the encoding to the word's own numbers.",
            lambda word, encoding: word + encoding,
            wrong.SUM,
            "Number by number. Mind the minus signs.",
            role="v",
            tolerance=0.01,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        root = rng.integers(2, 5)
        pos = root * rng.integers(1, 9 // root + 1)
        return {"base": root**2, "pos": pos, "word": rng.integers(-5, 6, 4)}


class RotationByHand(Exercise):
    """A query and a key, each turned by its own place, and their score."""

    topic, title, chapter = "rotation", "Turn a query and a key", "1"
    task = (
        "A query and a key of two numbers. Each is turned by the place where its word stands: (*x*, *y*) becomes "
        "(*x* cos − *y* sin, *x* sin + *y* cos). What is their score?"
    )
    aid = Aid(
        "Cosine and sine of the turn",
        tuple(
            (f"at place {place}", tuple(float(x) for x in turned(np.array([1, 0]), place).ravel()))
            for place in (1, 2)
        ),
        names=("cos", "sin"),
    )
    givens = (
        Given("q", "q", ("",), ("", ""), "q"),
        Given("k", "k", ("",), ("", ""), "k"),
        Given("places", "place", ("",), ("of q", "of k")),
    )
    steps = (
        Step(
            "asks",
            ("x", "y"),
            "Turn the query by its place.",
            lambda q, places: turned(q, places[0, 0]),
            wrong.ASKS,
            "First *x* cos − *y* sin, then *x* sin + *y* cos. A minus in *x* or *y* counts too.",
            label="q, turned",
            role="q",
        ),
        Step(
            "asked",
            ("x", "y"),
            "Turn the key by its place.",
            lambda k, places: turned(k, places[0, 1]),
            wrong.ASKED,
            "First *x* cos − *y* sin, then *x* sin + *y* cos. A minus in *x* or *y* counts too.",
            label="k, turned",
            role="k",
        ),
        Step(
            "score",
            ("",),
            "Take the dot product of the two, without a scale.",
            lambda asks, asked: asks @ asked.T,
            wrong.SCORE,
            "First number times first number, plus second times second.",
            tolerance=0.05,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        return {"q": rng.integers(-4, 5, 2), "k": rng.integers(-4, 5, 2), "places": rng.permutation((1, 2))}
