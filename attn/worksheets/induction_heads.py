"""DRAFT: chapter 9 by hand. Divide the scores, then weigh; and what is left of a lead."""

import numpy as np

from attn.induction_heads import temperature_for, tempered
from attn.worksheets.sheet import EXPONENTIALS, Ask, Blank, Problem, Table, first_good, row, show, whole

CHAPTER, TITLE = "9", "Complete the pattern"
WORDS = ("the", "cat", "sat")


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    temperature = int(rng.choice([2, 3, 4]))
    divided = first_good(lambda: whole(rng, -3, 3, 3), lambda s: len(set(s.tolist())) == 3 and np.ptp(s) <= 4)
    scores = temperature * divided
    lead, hot = first_good(
        lambda: (whole(rng, 2, 12), whole(rng, 2, 6)), lambda drawn: drawn[0] % drawn[1] == 0
    )
    return (
        Problem(
            "Divide, then weigh",
            (
                f"The temperature is {temperature}. Divide each score by it. Take e to the power of what you get (the "
                "last table has it); divide each by their sum to get the weights.",
                Table(
                    ("`sat` looks at", *WORDS),
                    (
                        ("score", *map(show, scores.tolist())),
                        ("divided", *row("divided", n=3)),
                        ("e to that", *row("exponentials", n=3)),
                        ("weight", *row("weights", n=3)),
                    ),
                ),
                EXPONENTIALS,
            ),
            {"scores": scores, "temperature": temperature},
            {"divided": divided, "exponentials": np.exp(divided), "weights": tempered(scores, temperature)},
        ),
        Problem(
            "What is left of a lead",
            (
                f"The score of `cat` is {lead} above that of `the`. The ratio of their weights is e to a whole number.",
                Ask("The number at a temperature of 1:", (Blank("cold"),)),
                Ask(f"The number at a temperature of {hot}:", (Blank("warm"),)),
                Ask(f"At which temperature is the number {lead // hot}?", (Blank("back"),)),
            ),
            {"lead": lead, "hot": hot},
            {
                "cold": lead,
                "warm": np.log(np.divide(*tempered(np.array([lead, 0.0]), hot))),
                "back": temperature_for(lead, np.exp(lead / hot)),
            },
        ),
    )
