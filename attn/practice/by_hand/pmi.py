"""Chapter 7: from a table of days to PMI."""

import numpy as np

from attn.pmi import joint_from_counts, pmi
from attn.practice.exercise import Drawn, Exercise, Given, Step
from attn.practice.mistakes import pmi as wrong

SKIES, STREETS = ("`clear`", "`cloudy`"), ("`wet`", "`dry`")


class PmiByHand(Exercise):
    """Margins, what chance would give, ratios, and the PMI of one pair in bits."""

    topic, title, chapter = "pmi", "Beyond chance", "7"
    task = "The table counts days by sky and street. How many bits is the PMI of `clear` and `wet`?"
    givens = (Given("days", "days", SKIES, STREETS),)
    steps = (
        Step(
            "skies",
            ("days",),
            "The margins: how many days has each sky?",
            lambda days: days.sum(axis=1, keepdims=True),
            wrong.SKIES,
            "Add the two numbers of its row.",
            label="sky",
            rows=SKIES,
        ),
        Step(
            "streets",
            STREETS,
            "And how many days has each street?",
            lambda days: days.sum(axis=0),
            wrong.STREETS,
            "Add the two numbers of its column.",
            label="street",
        ),
        Step(
            "chance",
            STREETS,
            "On how many days would each pair meet by chance? Days of the sky times days of the street, over all days.",
            lambda skies, streets: skies * streets / skies.sum(),
            wrong.CHANCE,
            "All days are the sum of the table. Each row and column sums to its margin, as in the table of days.",
            label="by chance",
            rows=SKIES,
        ),
        Step(
            "ratios",
            STREETS,
            "How many times as often does each pair meet? Fractions such as 2/3 are welcome.",
            lambda days, chance: days / chance,
            wrong.RATIOS,
            "Days over days by chance, pair by pair.",
            label="ratio",
            rows=SKIES,
        ),
        Step(
            "bits",
            ("",),
            "The PMI of `clear` and `wet`: the logarithm of its ratio with base 2.",
            lambda days: pmi(joint_from_counts(days))[0, 0],
            wrong.BITS,
            "To which power must 2 be raised to give the ratio? Below 1 the power is negative.",
            label="PMI in bits",
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        """A table of at most 61 days a pair: whole days by chance, and whole bits for the first pair."""
        while True:
            days = rng.integers(1, 62, (4000, 2, 2))
            by_chance = days.sum(axis=2)[:, 0] * days.sum(axis=1)[:, 0] / days.sum(axis=(1, 2))
            good = np.isin(days[:, 0, 0] / by_chance, (0.25, 0.5, 2, 4)) & (by_chance % 1 == 0)
            if good.any():
                return {"days": days[np.argmax(good)]}
