"""Chapter 2: a ladder on one query, eight keys and a scale."""

from attn.explore.practice._ladder import Ladder, Rung, changed, size, way
from attn.explore.variance import ScoreVariance

CHANGES = changed(
    "log2_d_k", "scale", "temperature", "correlation", "seed", counts="the count of controls that you changed"
)


class VarianceLadder(Ladder, ScoreVariance):
    """Chapter 2's puzzles, on its laboratory."""

    view = "variance_ladder"
    chapter = "2"
    climb = (
        Rung(
            "No scale, and d_k = 64: get the weights that ÷ √d_k gives, with the temperature.",
            score=CHANGES,
            hints=(
                "A temperature divides all scores. So does the root.",
                "Which number is √d_k here?",
                "64 = 8 · 8.",
            ),
            answer="A temperature of 8, which is √64.",
            solution={"log2_d_k": 6, "temperature": 8.0},
        ),
        Rung(
            "No scale, d_k = 1024, this draw, no correlation: no weight above one half, with the lowest temperature "
            "that you find.",
            score=size("temperature", counts="the temperature"),
            hints=(
                "Raise the temperature: the weights come together.",
                "The root would be 32. Is as much needed?",
                "The largest weight falls slowly: go down in steps of a quarter.",
            ),
            answer="At 21 the largest weight is 0.498. The root, 32, makes the spread about 1, and then the largest "
            "weight is 0.37; for one half less is enough.",
            solution={"log2_d_k": 10, "temperature": 21.0},
        ),
        Rung(
            "The root is on, d_k = 1024, temperature 1, this draw: key 1 gets more than .99.",
            score=size("correlation", counts="the size of the correlation"),
            hints=(
                "The root holds the spread of the scores of strangers. Is key 1 one?",
                "A key that is like its query has a score that grows with d_k itself, and the root takes away only "
                "its root.",
                "A correlation of ρ adds about ρ √d_k to the score of key 1.",
            ),
            answer="A correlation of 0.3 is enough: it adds about 0.3 · 32 to one score of eight.",
            solution={"scale": "root", "log2_d_k": 10, "correlation": 0.3},
        ),
        Rung(
            "The root is on, temperature 1: bring the variance by the formula below 1.",
            uses=("log2_d_k", "correlation"),
            score=CHANGES,
            hints=(
                "Which controls does the formula's number follow at all?",
                "It is 1 without a correlation. Does a negative one bring it down?",
                "In the formula the correlation is squared.",
            ),
            answer=(
                "For normal entries, as here, the variance of a score is d_k (1 + ρ²), and the root divides it by d_k: "
                "1 + ρ² is at least 1, for every ρ of either sign."
            ),
            proof=(
                "chapters/further/02_sharp_and_flat.html#when-queries-and-keys-are-correlated",
                "Sharp and flat, when queries and keys are correlated",
            ),
        ),
        Rung(
            "Divided by d_k, temperature 1, and d_k above 1: a variance by the formula of exactly 1.",
            score=CHANGES,
            hints=(
                "Divided by d_k, the variance without a correlation is 1/d_k: too small.",
                "With a correlation it is (1 + ρ²)/d_k. How large can the upper part be?",
                "1 + ρ² is 2 at most.",
            ),
            answer="d_k = 2 and a correlation of 1 or −1: (1 + 1)/2.",
            solution={"scale": "d_k", "log2_d_k": 1, "correlation": -1.0},
        ),
        Rung(
            "Everything as it was, but for the draw: find one whose error bar misses the formula.",
            score=way("seed", counts="how far you went through the draws"),
            hints=(
                "The bar is meant to hold the truth in 95 draws of 100, and holds it in about 91. How many of 64 miss?",
                "You need not go far.",
                "Go back, not on.",
            ),
            answer="Draw 11 misses, and so do six others of the 64. That is no sign of a wrong formula.",
            solution={"seed": 11},
        ),
        Rung(
            "Make the weights more even than even: an entropy above ln 8 = 2.08 nats.",
            uses=("temperature", "log2_d_k"),
            score=CHANGES,
            hints=(
                "Raise the temperature. What does the entropy come close to?",
                "What is it where all eight weights are 1/8?",
                "The logarithm bends downward: what does that say of its average?",
            ),
            answer=(
                "The entropy is the average of ln(1/p), each key counted by its p. The logarithm bends downward, "
                "so that is at most the logarithm of the average of 1/p. And the average of 1/p is 8: each of the "
                "eight keys adds p times 1/p."
            ),
            proof=(
                "chapters/02_qk_variance.html#the-laboratory",
                "Chapter 2, why the entropy is at most ln n",
            ),
        ),
    )
