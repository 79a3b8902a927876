"""Chapter 7: a ladder on a table of four pairs."""

from attn.explore.pmi import PmiTable
from attn.explore.practice._ladder import Ladder, Rung, way

TABLE = ("p_11", "p_row", "p_column")


WAY = way(*TABLE, counts="how far the three sliders moved, all together")


class PmiLadder(Ladder, PmiTable):
    """Chapter 7's puzzles, on its laboratory."""

    view = "pmi_ladder"
    chapter = "7"
    climb = (
        Rung(
            "Two words that tell nothing about each other, and all four pairs equally often.",
            score=WAY,
            hints=(
                "How often has each word to come if all four pairs are equally often?",
                "Set the margins first.",
                "Four equal parts of one whole.",
            ),
            answer="Both margins 0.5, and 0.25 for the pair.",
            solution={"p_11": 0.25, "p_row": 0.5, "p_column": 0.5},
        ),
        Rung(
            "A table that carries one whole bit.",
            score=WAY,
            hints=(
                "One bit: the first word answers a yes-or-no question about the second in full.",
                "And the question has to be worth a bit: both answers equally often.",
                "Both margins 0.5. Now the pair as often, or as seldom, as can be.",
            ),
            answer="Both margins 0.5, and the pair at 0: then each word tells the other. As often as can be, 0.5, "
            "does it as well, and is farther.",
            solution={"p_11": 0.0, "p_row": 0.5, "p_column": 0.5},
        ),
        Rung(
            "`clear` and `wet` with a PMI above 4.3 bits.",
            score=WAY,
            hints=(
                "PMI compares how often they meet with how often chance would have it.",
                "Frequent words meet by chance. Rare ones?",
                "As rare as the sliders allow, and never apart.",
            ),
            answer="Both words 0.05, and always together: 0.05 is twenty times 0.0025, and log₂ 20 = 4.32.",
            solution={"p_11": 0.05, "p_row": 0.05, "p_column": 0.05},
        ),
        Rung(
            "All four pairs meet more often than by chance: four PMI above 0.",
            uses=("p_11", "p_row", "p_column"),
            score=WAY,
            hints=(
                "Raise one pair. What becomes of the pair beside it?",
                "The margins stay: what one pair of a row gains, the other loses.",
                "Add up all four p(i, j), and all four p(i) p(j).",
            ),
            answer=(
                "A PMI above 0 means p(i, j) > p(i) p(j). Added over all four pairs that would be 1 > 1, since both "
                "tables sum to one."
            ),
            proof=("chapters/07_pmi.html#why-pmi-is-almost-a-score", "Chapter 7, where both tables stand"),
        ),
        Rung(
            "Two pairs that never meet, while `clear` keeps its 0.8.",
            score=WAY,
            hints=(
                "At one end of the first slider one pair is gone. When are two gone at once?",
                "The first word then tells the second: so both come equally often, or together make a whole.",
                "p(wet) has to be 0.2 or 0.8.",
            ),
            answer="`wet` 0.2, and never with `clear`: then dry is clear and wet is cloudy.",
            solution={"p_11": 0.0, "p_column": 0.2},
        ),
        Rung(
            "Half a bit, to 0.001, with both margins at 0.5.",
            score=WAY,
            hints=(
                "At 0.25 there are no bits, at both ends there is one.",
                "It is not halfway: the bits grow slowly at first.",
                "Near an end: 0.05, or a little more.",
            ),
            answer="0.055, or 0.445 on the other side: a guess that is right 89 times in 100 is worth half a bit.",
            solution={"p_11": 0.055, "p_row": 0.5, "p_column": 0.5},
        ),
        Rung(
            "Both rows of attention the same, and yet more than 0.001 bits of mutual information.",
            uses=("p_11", "p_row", "p_column"),
            score=WAY,
            hints=(
                "Rows that are the same: what does a first word then tell?",
                "Each row is p(j|i). If it is the same for all i, what is it?",
                "Then it is p(j). Put that into PMI.",
            ),
            answer=(
                "If p(j|i) is the same in both rows, it is p(j), their average. Then p(i, j) = p(i) p(j) for all four "
                "pairs, each PMI is log 1 = 0, and so is their average."
            ),
            proof=("chapters/07_pmi.html#read-it-as-attention", "Chapter 7, read it as attention"),
        ),
    )
