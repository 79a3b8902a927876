"""Chapter 9 by hand: notes and who finds them, the votes of one head, and a norm with two divisors."""

import numpy as np

from attn.practice.mistakes import induction_heads as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, first_good, row, show, vector, whole

CHAPTER, TITLE = "9", "Complete the pattern"
CASES = ("A 1 B 0 A", "A 0 B 1 A", "B 1 A 0 A", "B 0 A 1 A")


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    words = first_good(lambda: whole(rng, 1, 9, 4), lambda drawn: len(set(drawn.tolist())) == 4)
    asked = int(rng.integers(3))
    text = np.concatenate([words, words[asked : asked + 1]])
    note = np.concatenate([[0], text[:-1]])
    place = asked + 2  # of BOS, at place 0, comes one more
    return (
        Problem(
            "Notes, and who finds them",
            (
                f"Words are numbers. `BOS` is 0, at place 0, and the text after it is {vector(text)}. Layer 1 lets "
                "each word note the word before it. In layer 2 the last word looks for its own name in the notes, and "
                "says the word that stands there.",
                Table(
                    ("place", "word", "note"),
                    tuple((str(p + 1), str(text[p]), Blank("note", (p,))) for p in range(5)),
                ),
                Ask("The place where its name stands in the notes:", (Blank("place"),)),
                Ask("What it says:", (Blank("says"),)),
            ),
            {"text": text},
            {"note": note, "place": place, "says": int(text[place - 1])},
            {
                "the notes": ("note", wrong.NOTE),
                "the place": ("place", wrong.PLACE),
                "what it says": ("says", wrong.SAYS),
            },
        ),
        votes(rng),
        norm(rng),
    )


def _vote(value: int) -> str:
    """A vote with its sign: +1, −2, 0."""
    return f"{'+' if value > 0 else ''}{show(float(value))}"


def votes(rng: np.random.Generator) -> Problem:
    """Four sums of two votes each."""

    def sums(drawn: np.ndarray) -> np.ndarray:
        return np.add.outer(drawn[:2], drawn[2:]).ravel()

    drawn = first_good(
        lambda: whole(rng, -4, 4, 4), lambda d: (sums(d) != 0).all() and d[0] != d[1] and d[2] != d[3]
    )
    found = sums(drawn)
    wants = np.array([1, -1, -1, 1])
    return Problem(
        "Four sums",
        (
            f"One head adds two votes; above 0 a vote is for the answer `1`, below 0 for `0`. The order of the names: "
            f"`A … B` gives {_vote(drawn[0])}, `B … A` gives {_vote(drawn[1])}. The order of the digits: `1 … 0` "
            f"gives {_vote(drawn[2])}, `0 … 1` gives {_vote(drawn[3])}. The answer is `1` if the sum is above 0, else "
            "`0`.",
            Table(
                ("question", "right answer", "sum of the votes"),
                tuple(
                    (f"`{case}`", "`1`" if want > 0 else "`0`", Blank("sums", (i,)))
                    for i, (case, want) in enumerate(zip(CASES, wants, strict=True))
                ),
            ),
            Ask("How many are right?", (Blank("right"),)),
            Ask("The first and the last sum together:", (Blank("outer"),)),
            Ask("The two others together:", (Blank("inner"),)),
        ),
        {"votes": drawn},
        {
            "sums": found,
            "right": int((found * wants > 0).sum()),
            "outer": int(found[0] + found[3]),
            "inner": int(found[1] + found[2]),
        },
        {"the sums": ("sums", wrong.SUMS)},
    )


def norm(rng: np.random.Generator) -> Problem:
    """Three numbers with a whole mean, their squares, and what dividing by 3 or by 2 makes of them."""
    x = first_good(
        lambda: whole(rng, -4, 8, 3), lambda drawn: drawn.sum() % 3 == 0 and len(set(drawn.tolist())) == 3
    )
    away = x - int(x.sum()) // 3
    squares = int((away**2).sum())
    return Problem(
        "A norm with two divisors",
        (
            f"A token has the numbers {vector(x)}. LayerNorm subtracts their mean and divides by the root of their "
            "variance. A program divides the sum of the squares by d − 1 in place of d.",
            Ask("What is left after the mean is subtracted:", row("away", n=3)),
            Ask("The sum of the squares:", (Blank("squares"),)),
            Ask("The variance, by d = 3:", (Blank("variance"),)),
            Ask("What the program takes for it:", (Blank("sample"),)),
        ),
        {"x": x},
        {"away": away, "squares": squares, "variance": squares / 3, "sample": squares / 2},
        {"the variance": ("variance", wrong.VARIANCE)},
    )
