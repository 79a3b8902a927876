"""Chapter 8: a ladder on two clocks and a score."""

from attn.explore.practice._ladder import Ladder, Rung, size, way
from attn.explore.rotary import Rotary

CHAPTER = "chapters/08_rotary_positions.html"


START = size("start", counts="the start")
QUERY = way("q", counts="how far the numbers of q moved, all together")


class RotaryLadder(Ladder, Rotary):
    """Chapter 8's puzzles, on its laboratory."""

    view = "rotary_ladder"
    chapter = "8"
    climb = (
        Rung(
            "Mix up the angles, and change nothing else but the start. Find a start at which the score of `big` with "
            "its neighbor is right all the same: 3.",
            score=START,
            hints=(
                "Angles mixed up, the score moves with the start. Slide.",
                "Its two values come in turn, at even starts and at odd ones.",
                "At 0 it is wrong. Try the next one.",
            ),
            answer="At start 1, and at each odd start: a test at that place alone would pass.",
            solution={"pairs": "mixed", "start": 1},
        ),
        Rung(
            "The angles as they should be, both clocks running, the query at its own place, and no number changed: "
            "find a start at which the score of `big` with its neighbor is not 3, by 0.01 or more.",
            uses=("start",),
            score=START,
            hints=(
                "Go through all starts. What do the hands do, and what the number?",
                "Both hands of a clock turn by the same angle.",
                "A dot product is made of lengths and of the angle between.",
            ),
            answer=(
                "Each start turns the query and the key by the same angle more, on each clock. Lengths and the angle "
                "between them stay, so each clock's share of the score stays."
            ),
            proof=(f"{CHAPTER}#why-only-the-offset-counts", "Chapter 8, why only the offset counts"),
        ),
        Rung(
            "Put the query at position 0, as a careless cache does, and change no number. Find a start at which all "
            "four scores are right all the same: −1, −1, 3 and −2.",
            score=START,
            hints=(
                "Its own place is three words after the start. When is a turn by that many words no turn at all?",
                "One clock is back after two words, the other after four.",
                "The place of `big` has to be a multiple of 4.",
            ),
            answer="At start 1 `big` stands at 4, and both clocks are back where they were at 0. At 5 they are again.",
            solution={"query_at": "zero", "start": 1},
        ),
        Rung(
            "Change the query alone: `big` gives the first word more than 0.7 of its weight.",
            score=QUERY,
            hints=(
                "All three `very` have one key. Their places differ, and so do their turned keys.",
                "From the first word to `big` it is three words: as good as a half turn on clock 0, and three quarters "
                "of a turn on clock 1.",
                "Before the turn, the query should be opposite to the key on clock 0, and a quarter turn ahead of it "
                "on clock 1.",
            ),
            answer="Long hands that meet the first key on both clocks: −2.6 and 2.1 do, for example. With −2.5 and "
            "2.1, or −2.6 and 2.0, it is just below 0.7.",
            solution={"q": [[-2.6, 0, 0, 2.1]]},
        ),
        Rung(
            "All words alike: both rows of k are 1, 0, 1, 0. Weigh all four words the same, within 0.005, with a query "
            "of length 2 or more.",
            score=QUERY,
            hints=(
                "On clock 1 no hand, unless its length is 0, gives all four places the same score.",
                "So that hand has to have the length 0. What is left is clock 0.",
                "A half turn leads from a key to its opposite. Which query has the same product with both?",
            ),
            answer="On clock 0 a query at right angles to the keys: half turns never bring them nearer. On clock 1 "
            "none.",
            solution={"k": [[1, 0, 1, 0], [1, 0, 1, 0]], "q": [[0, 2, 0, 0]]},
        ),
        Rung(
            "All words alike: both rows of k are 1, 0, 1, 0. Look at all but the neighbor: less than 0.05 for it, and "
            "the other three the same, within 0.005.",
            score=QUERY,
            hints=(
                "Begin with the query of the first state, which likes the neighbor. What is its opposite?",
                "Clock 0 has two values in turn, clock 1 four. Their sums should be low once, and otherwise equal.",
                "Take the slow hand twice as long as the fast one.",
            ),
            answer="With 1 on clock 0 and 2 on clock 1 the scores are 1, 1, −3 and 1.",
            solution={"k": [[1, 0, 1, 0], [1, 0, 1, 0]], "q": [[1, 0, 0, 2]]},
        ),
        Rung(
            "Let the query prefer the key of `big` to that of `very` at each place: all four leads above 0.1, by any "
            "numbers, with the angles as they should be, both clocks running, and the query at its own place.",
            uses=("q", "k"),
            score=way("q", "k", counts="how far the numbers of q and k moved, all together"),
            hints=(
                "Raise one lead. What becomes of the others?",
                "Add up the four leads. Do it again after you changed something.",
                "In four words each clock makes whole turns. What is the sum of a hand's four places?",
            ),
            answer=(
                "A lead is the product of the query with one and the same difference of keys, turned by four places "
                "in a row. On each clock the four places of a hand add up to 0, so the four leads do, and not all of "
                "them are above 0."
            ),
            proof=("chapters/further/08_far_away.html#zero-on-average", "Look far away, zero on average"),
        ),
        Rung(
            "Stop clock 0, and do it: all four leads above 0.1. Change the query alone.",
            score=QUERY,
            hints=(
                "A clock that stands still says the same at each place.",
                "What it says is 1 here. What does clock 1 take away, and where?",
                "Make the hand on clock 1 shorter.",
            ),
            answer="Clock 0 gives each lead 1, and a query of −0.8 on clock 1 takes at most 0.8 of it back.",
            solution={"fixed": True, "q": [[-1, 0, 0, -0.8]]},
        ),
    )
