"""Chapter 3: a ladder on four words and a mask."""

from attn.explore.masking import Masking
from attn.explore.practice._ladder import Ladder, Rung, changed, size, way

MY, NAME, IS, ABIR = range(4)


CELLS = changed("mask", counts="the count of painted cells that differ from the causal mask")
SETTINGS = changed(
    "preset",
    "mask",
    "window",
    "n_prefix",
    "length",
    "order",
    "fill",
    counts="the count of settings that you changed",
)


class MaskingLadder(Ladder, Masking):
    """Chapter 3's puzzles, on its laboratory."""

    view = "masking_ladder"
    chapter = "3"
    climb = (
        Rung(
            "Paint a mask: `IS` looks only at `NAME`. Change no word.",
            uses=("mask",),
            score=CELLS,
            hints=(
                "A row asks: find the row of `IS`.",
                "Hide all but one of its columns.",
                "From the causal mask two cells are enough.",
            ),
            answer="In the row of `IS`, hide `MY` and `IS` itself; `ABIR` is hidden already.",
            solution={
                "preset": "custom",
                "mask": [
                    [True, False, False, False],
                    [True, True, False, False],
                    [False, True, False, False],
                    [True, True, True, True],
                ],
            },
        ),
        Rung(
            "Get the causal mask without choosing *causal* and without painting. Change no word.",
            score=SETTINGS,
            hints=(
                "Which of the other masks hide the future as well?",
                "A window shows each word itself and some before it. How many does it take to show all of them?",
                "Or let the prefix be as short as can be.",
            ),
            answer="A window of 4 reaches back to the first word. So do a prefix of 0 or 1, and causal and padding "
            "with 4 real tokens.",
            solution={"preset": "window", "window": 4},
        ),
        Rung(
            "All four words give the same output, and it is not zero. Change no word.",
            score=SETTINGS,
            hints=(
                "Outputs are averages of the same values. When are the averages the same, whoever asks?",
                "If all look at one word and at nothing else …",
                "Hide all columns but one: as padding does.",
            ),
            answer="Padding with one real token: all look at `MY`, and there is nothing left to weigh.",
            solution={"preset": "padding", "length": 1},
        ),
        Rung(
            "Paint it: `IS` may look at nothing, and yet gives a quarter of its weight to each of the four words. "
            "Change no word.",
            uses=("mask", "fill"),
            score=CELLS,
            hints=(
                "Hide the whole row. With −∞ its weights are 0. What else may a hidden score become?",
                "With −1e9 in all places of a row, what is the difference of two of its scores?",
                "A softmax sees differences alone.",
            ),
            answer="Filled with −1e9 all four scores are the same, and the softmax gives each a quarter.",
            solution={
                "preset": "custom",
                "fill": "-1e9",
                "mask": [
                    [True, False, False, False],
                    [True, True, False, False],
                    [False, False, False, False],
                    [True, True, True, True],
                ],
            },
        ),
        Rung(
            "Choose no mask. Say that `ABIR` is padding: change its key, and nothing else, until every word gives it "
            "less than .02.",
            score=way("k", counts="how far the numbers of the key moved, all together"),
            hints=(
                "All four queries must have a low score with this key.",
                "Look at the queries: is there a number that is positive in all of them?",
                "The first numbers of the queries are 1, 1, 1 and 2. The last ones help two of the rows.",
            ),
            answer="A key that points away from all queries at once.",
            solution={"preset": "none", "k": [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [-3, -1.1, 0, -1.7]]},
        ),
        Rung(
            "No mask: get a weight of exactly 0 for some word, with no number of q, k and v above 3 in size.",
            uses=("q", "k"),
            score=way("q", "k", counts="how far the numbers of queries and keys moved, all together"),
            hints=(
                "Make a score as low as you can. What does its weight come close to?",
                "A weight is e to the power of a score, over a sum.",
                "For which score is e to its power 0?",
            ),
            answer=(
                "A weight is e to the power of a score, divided by a sum. On paper only a score of −∞ makes it 0. In "
                "floating point one some 745 below the largest does too, and numbers up to 3 don't reach that. A mask "
                "does."
            ),
            proof=("chapters/03_masking.html#by-hand", "Chapter 3, by hand"),
        ),
        Rung(
            "Let the future leak: causal mask *after* the softmax. Nudge until the output of `MY` moves by more than "
            "0.35, and change no word otherwise.",
            score=size("nudge", counts="the size of the nudge"),
            hints=(
                "The hidden score of `ABIR` is still in the sum by which the row of `MY` is divided.",
                "Nudged up, it takes from what `MY` may see. Nudged down, it gives back.",
                "Which of the two has more room?",
            ),
            answer="A nudge of −2.6: the hidden word had most of the weight, and gives about half of it back.",
            solution={"order": "after", "nudge": -2.6},
        ),
        Rung(
            "Causal mask *before* the softmax: make the output of `MY` move with the nudge, by any words you like.",
            uses=("nudge", "k"),
            score=way("q", "k", "v", counts="how far the numbers of q, k and v moved, all together"),
            hints=(
                "The nudge changes the key of `ABIR`. What of it comes into the row of `MY`?",
                "Where is the score of `ABIR` replaced, and by what?",
                "What is e to the power of −∞, or of −1e9?",
            ),
            answer=(
                "Before anything is computed from it, the hidden score is replaced by a number that the nudge does not "
                "move, −∞ or −1e9, and e to either is 0 here. It enters the sum as 0, and its weight is 0: nothing "
                "that the nudge changes is left in the row."
            ),
            proof=("chapters/03_masking.html#why-nothing-leaks", "Chapter 3, why nothing leaks"),
        ),
    )
