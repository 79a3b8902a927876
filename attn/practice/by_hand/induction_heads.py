"""Chapter 9: what a previous-token head writes, what an induction head finds there, and what the network says."""

import numpy as np

from attn.practice.exercise import Drawn, Exercise, Given, Step
from attn.practice.mistakes import completing as wrong
from attn.practice.mistakes.completing import before, powers, says

PLACES = ("`BOS`", "1st", "2nd", "3rd", "4th")
VOCABULARY = ("1", "2", "3", "4")


class InductionByHand(Exercise):
    """The lane that layer 1 writes, the powers and weights of layer 2's last row, and what the network says."""

    topic, title, chapter = "induction-head", "Who stood before, and what came then", "9"
    task = (
        "The words are numbers: 1, 2, 3 and 4, and 0 is `BOS`. Layer 1 looks exactly one place back and writes what "
        "it sees into the lane *before*. In layer 2 the 4th word asks: where the lane *before* holds that word, the "
        "score is *β*, elsewhere 0. What does the network say?"
    )
    givens = (
        Given("words", "words", ("",), PLACES, "k"),
        Given("grown", "*e* to the *β*", ("",), ("",)),
    )
    steps = (
        Step(
            "before",
            PLACES,
            "Write the lane *before*. `BOS` has nobody but itself to look at.",
            lambda words: before(words),
            wrong.BEFORE,
            "Each place writes the word one place to its left.",
            role="k",
        ),
        Step(
            "powers",
            PLACES,
            "The 4th word asks. Raise *e* to the score of each place: *e* to the *β* at a match, *e* to the 0 "
            "elsewhere.",
            lambda words, before, grown: powers(before, words, grown),
            wrong.POWERS,
            "Compare each place's *before* with the 4th word, at the 4th place too; nothing else counts.",
            role="q",
        ),
        Step(
            "weights",
            PLACES,
            "Divide them by their sum.",
            lambda powers: np.asarray(powers) / np.sum(powers),
            wrong.WEIGHTS,
            "Add all five powers, then divide each of them by that.",
        ),
        Step(
            "says",
            VOCABULARY,
            "How loud is each word? Add the weights of the places where it stands.",
            lambda weights, words: says(weights, words),
            wrong.SAYS,
            "Go through the words 1 to 4: at which places does each one stand, and with which weights?",
            label="it says",
            role="v",
            tolerance=0.03,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        words = (rng.integers(1, 5) + np.cumsum(rng.integers(1, 4, 4))) % 4 + 1  # no word twice in a row
        words[-1] = rng.choice(words[:2][words[:2] != words[2]])  # it has stood there before
        return {"words": np.append(0, words)[None], "grown": rng.choice([4, 9, 16])}
