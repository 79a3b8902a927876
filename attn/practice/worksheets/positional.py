"""Chapter 1 by hand: divisors, an encoding, the distance in an inner product, a turn, turned queries and keys."""

import numpy as np

from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding
from attn.practice.mistakes import positional as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, first_good, row, show, vector, whole

CHAPTER, TITLE = "1", "Encode positions with waves"
SQUARES = (16, 25, 36, 49, 64, 81, 100, 121, 144)
ANGLES = Table(
    ("n", *(str(n) for n in range(1, 10))),
    (
        ("sin n", *(show(float(np.sin(n))) for n in range(1, 10))),
        ("cos n", *(show(float(np.cos(n))) for n in range(1, 10))),
    ),
)


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    base = int(rng.choice(SQUARES))
    formula = np.repeat(1 / angular_frequencies(4, base), 2)
    # The doubled exponent: base^(2j/4) for j = 0 … 3, which are the frequencies of twice the width and base².
    doubled = 1 / angular_frequencies(8, base**2)
    # 3 is the distance of the chapter's own example.
    pos, offset = first_good(lambda: whole(rng, 1, 8, 2), lambda two: sum(two) <= 9 and two[1] != 3)
    later = int(whole(rng, 10, 90))
    table = sinusoidal_encoding(later + 10, 4)
    return (
        Problem(
            "Who shares a clock?",
            (
                f"Four dimensions, base {base}. The formula divides the position in the dimensions 2i and 2i + 1 by "
                f"{base} to the power 2i / 4. A notebook puts the number of the dimension in place of i.",
                Table(
                    ("dimension", "0", "1", "2", "3"),
                    (
                        ("divisor by the formula", *row("formula", n=4)),
                        ("divisor in the notebook", *row("doubled", n=4)),
                    ),
                ),
                Ask("In how many dimensions do the two agree?", (Blank("agree"),)),
            ),
            {"base": base},
            {"formula": formula, "doubled": doubled, "agree": np.isclose(formula, doubled).sum()},
            {"the divisors by the formula": ("formula", wrong.DIVISORS)},
        ),
        Problem(
            "Encode a position",
            (
                "Four dimensions, base 10000: the angles are pos / 1 and pos / 100. For a small angle the sine is "
                "about the angle itself, and the cosine about 1. The other sines and cosines (in radians):",
                ANGLES,
                Ask(f"The four numbers of position {pos}:", row("encoding", n=4)),
            ),
            {"pos": int(pos)},
            {"encoding": table[pos]},
            {"the four numbers": ("encoding", wrong.ENCODING)},
            {"angles": pos * np.repeat(angular_frequencies(4), 2)},
        ),
        Problem(
            "Only the distance",
            (
                "The inner product of two encodings is cos o + cos(o / 100), where o is the distance. Take "
                "cos(o / 100) as 1.",
                Ask(f"Positions {pos} and {pos + offset}:", (Blank("near"),)),
                Ask(f"Positions {later} and {later + offset}:", (Blank("far"),)),
                Ask(f"Position {later} and itself:", (Blank("itself"),)),
            ),
            {"pos": int(pos), "offset": int(offset), "later": later},
            {
                "near": table[pos] @ table[pos + offset],
                "far": table[later] @ table[later + offset],
                "itself": table[later] @ table[later],
            },
        ),
        Problem(
            "Turn the first clock",
            (
                f"One matrix takes the first pair (sin pos, cos pos) of every position to that of position pos + "
                f"{offset}. Write it down.",
                Table(
                    ("", "from sin", "from cos"),
                    (("to sin", *row("turn", 0, n=2)), ("to cos", *row("turn", 1, n=2))),
                ),
            ),
            {"offset": int(offset)},
            {"turn": shift_matrix(offset, 4)[:2, :2]},
        ),
        quarter_turns(rng),
    )


def quarter_turns(rng: np.random.Generator) -> Problem:
    """Rotary positions with a quarter turn a step: scores of places that are as far apart are equal."""
    q, k = first_good(
        lambda: whole(rng, -3, 3, (2, 2)),
        lambda two: (
            two.all() and abs(two[0] @ two[1]) != abs(two[0] @ [two[1][1], -two[1][0]]) and two[0] @ two[1]
        ),
    )
    places, moved = first_good(
        lambda: (whole(rng, 0, 3, 2), int(whole(rng, 1, 5))), lambda drawn: (drawn[0][0] - drawn[0][1]) % 4
    )
    quarter = np.array([[0, -1], [1, 0]])

    def turned(pair, place):
        return np.linalg.matrix_power(quarter, int(place)) @ pair

    asks, asked = turned(q, places[0]), turned(k, places[1])
    later = [turned(pair, place + moved) for pair, place in zip((q, k), places, strict=True)]
    pairs = vector(q), vector(k)
    return Problem(
        "Turn queries and keys",
        (
            "A query and a key of two numbers. Instead of adding an encoding, turn each by a quarter turn for each "
            "place before it: one quarter turn makes (−y, x) of (x, y).",
            Table(
                ("", "pair", "place", "turned, 1", "turned, 2"),
                (
                    ("q", pairs[0], int(places[0]), *row("asks", n=2)),
                    ("k", pairs[1], int(places[1]), *row("asked", n=2)),
                ),
            ),
            Ask("The score, turned q · turned k:", (Blank("score"),)),
            f"Now both words stand {moved} place{'s' * (moved > 1)} later.",
            Table(
                ("", "turned, 1", "turned, 2"),
                (("q", *row("asks_later", n=2)), ("k", *row("asked_later", n=2))),
            ),
            Ask("The score:", (Blank("score_later"),)),
            Ask("If only the key moves, one place later, the score is:", (Blank("apart"),)),
        ),
        {"q": q, "k": k, "places": places, "moved": moved},
        {
            "asks": asks,
            "asked": asked,
            "score": asks @ asked,
            "asks_later": later[0],
            "asked_later": later[1],
            "score_later": later[0] @ later[1],
            "apart": asks @ turned(k, places[1] + 1),
        },
        {"the score": ("score", wrong.SCORE)},
    )
