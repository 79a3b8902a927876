"""Chapter 1: a ladder on two positions and their clocks."""

from attn.explore.positional import PositionalEncoding
from attn.explore.practice._ladder import Ladder, Rung, size

DISTANCE = size("offset", counts="the distance of the two positions")
POSITION = size("position", counts="the first position")


class PositionalLadder(Ladder, PositionalEncoding):
    """Chapter 1's puzzles, on its laboratory."""

    view = "positional_ladder"
    chapter = "1"
    climb = (
        Rung(
            "Four numbers, base 10,000, the paper's formula, the first position as it is: find a distance above 0 at "
            "which the product is above 1.96.",
            score=DISTANCE,
            hints=(
                "The product is a sum of two cosines of the distance: one of a fast clock, one of a slow one.",
                "The slow clock hardly turns here. When is the fast one back where it was?",
                "One turn of the fast clock is 2π positions, and one turn may not be near enough to a whole number.",
            ),
            answer="At 19 the fast clock has made three turns and hardly more: cos 19 + cos 0.19 = 1.971. At 6 it "
            "has not quite made one.",
            solution={"offset": 19},
        ),
        Rung(
            "Four numbers, base 10,000, the paper's formula, the first position as it is: get the product below −0.06.",
            score=DISTANCE,
            hints=(
                "The fast clock should have turned half a turn more than some whole ones.",
                "At 3 the fast clock gives −0.99, and the slow one takes all of it back. It needs time.",
                "Half turns of the fast clock come every 6.28 positions after 3.14. Which of them are near to a "
                "whole number, with the slow clock far enough on?",
            ),
            answer="cos 41 + cos 0.41 = −0.070. At 47 and at 60 it is lower still, and farther.",
            solution={"offset": 41},
        ),
        Rung(
            "Keep the distance 3, four numbers, base 10,000 and the paper's formula. Move the positions until their "
            "product changes, by 0.01 or more.",
            uses=("position",),
            score=POSITION,
            hints=(
                "Slide both positions through all places. What do the hands do, and what the number?",
                "Both hands of a clock turn by the same angle.",
                "Write the sum of sin p sin q and cos p cos q as one cosine.",
            ),
            answer=(
                "For each clock, sin *a* sin *b* + cos *a* cos *b* = cos(*a* − *b*), and *a* − *b* is the clock's "
                "speed times the distance. The position is not in it."
            ),
            proof=(
                "chapters/01_positional_encoding.html#the-inner-product-depends-on-the-distance-alone",
                "Chapter 1, the inner product depends on the distance alone",
            ),
        ),
        Rung(
            "A notebook's formula, with distance 3, four numbers and base 10,000: get the product below 0.75.",
            score=POSITION,
            hints=(
                "With this formula the sine and the cosine of a clock have different speeds.",
                "The product moves with the position now. Slide far.",
                "The sine is the fast part: look near the places where sin *p* sin(*p* + 3) is least, and farther "
                "right, where the slow cosine has fallen.",
            ),
            answer="At position 55 it is 0.72.",
            solution={"exponent": "doubled", "position": 55},
        ),
        Rung(
            "The paper's formula: two different positions that are more alike than a position is with itself, that "
            "is, a product above the squared length.",
            uses=("offset", "position"),
            score=DISTANCE,
            hints=(
                "Try large bases: neighbors come very close.",
                "How long is the encoding of a position? And of another?",
                "A product of two vectors of the same length is largest when they point the same way.",
            ),
            answer=(
                "All encodings have the same length, since sin² + cos² = 1 for each clock. And a product of two "
                "vectors is at most the product of their lengths."
            ),
            proof=(
                "chapters/01_positional_encoding.html#the-inner-product-depends-on-the-distance-alone",
                "Chapter 1, the inner product depends on the distance alone",
            ),
        ),
        Rung(
            "A notebook's formula, eight numbers, base 10,000 and distance 3: get a product that is above the squared "
            "length by more than 0.01.",
            score=POSITION,
            hints=(
                "With this formula positions have different lengths.",
                "The first position should be a short one, and the second a longer one.",
                "The sines hardly help here. Where does the cosine that turns by 0.1 a step grow in size over three "
                "steps?",
            ),
            answer="Position 19 is shorter than position 22, and points nearly the same way.",
            solution={"exponent": "doubled", "d_model": 8, "position": 19},
        ),
    )
