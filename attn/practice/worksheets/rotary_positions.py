"""Chapter 8 by hand: two clocks a word and their scores, everyone further on, and which columns make a pair."""

import numpy as np

from attn.practice.mistakes import rotary_positions as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, first_good, row, vector, whole
from attn.rotary import rotate, to_layout

CHAPTER, TITLE = "8", "Turn the pairs"
CLOCKS = np.array([np.pi, np.pi / 2])  # half a turn a word, and a quarter turn


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""

    def scores(drawn):
        q, k = drawn
        keys = turned(np.tile(k, (3, 1)), np.arange(3))
        return keys @ turned(q[None], [2])[0]

    q, k = first_good(
        lambda: whole(rng, -2, 2, (2, 4)),
        lambda drawn: len(set(scores(drawn).tolist())) == 3 and drawn.any(axis=0).all(),
    )
    moved = int(whole(rng, 1, 9))
    keys = turned(np.tile(k, (3, 1)), np.arange(3))
    asks = turned(q[None], [2])[0]
    later = turned(q[None], [2 + moved])[0]
    key_later = turned(k[None], [moved])[0]
    return (
        Problem(
            "Turn, then score",
            (
                "Three times the same word. Clock 0 (the first two numbers) makes half a turn from word to word, "
                "clock 1 (the last two) a quarter turn. Half a turn makes (−x, −y) of (x, y), a quarter turn (−y, x).",
                f"The key of each word is {vector(k)}. The last word, at position 2, asks with {vector(q)}.",
                Ask("The turned query:", row("asks", n=4)),
                Table(
                    ("position", "turned key", "", "", "", "score"),
                    tuple((str(p), *row("keys", p, n=4), Blank("scores", (p,))) for p in range(3)),
                ),
            ),
            {"q": q, "k": k},
            {"asks": asks, "keys": keys, "scores": keys @ asks},
            {
                "the turned query": ("asks", wrong.ASKS),
                "the turned keys": ("keys", wrong.ASKED),
                "the scores": ("scores", wrong.SCORES),
            },
            as_by_hand(q, k, asks, keys),
        ),
        Problem(
            "Everyone further on",
            (
                f"Now all three words stand {moved} place{'s' * (moved > 1)} later: at {moved}, {moved + 1} and "
                f"{moved + 2}.",
                Ask("The turned query:", row("later", n=4)),
                Ask("The turned key of the first word:", row("key_later", n=4)),
                Ask("Their score:", (Blank("score_later"),)),
            ),
            {"moved": moved},
            {"later": later, "key_later": key_later, "score_later": key_later @ later},
        ),
        layout(rng),
    )


def as_by_hand(q: np.ndarray, k: np.ndarray, asks: np.ndarray, keys: np.ndarray) -> dict:
    """The same numbers as the exercise by hand has them, where the last word may have a key of its own."""
    rows = {"q": q[None], "k": np.array([k, k]), "asks": asks[None]}
    return rows | {"places": np.arange(3)[None], "asked": keys}


def turned(x: np.ndarray, places: object) -> np.ndarray:
    """Rows turned by whole half and quarter turns: whole numbers again."""
    return np.round(rotate(x.astype(float), np.asarray(places), frequencies=CLOCKS)).astype(int)


def layout(rng: np.random.Generator) -> Problem:
    """A head of six columns, from neighbors to halves."""
    columns = first_good(lambda: whole(rng, 1, 9, 6), lambda drawn: len(set(drawn.tolist())) == 6)
    return Problem(
        "Load the weights",
        (
            f"One row of W_Q, for a head of six: {vector(columns)}. It was trained with neighbors as pairs. Write it "
            "for code that pairs number i with number i + 3.",
            Ask("The row:", row("halves", n=6)),
            Ask("Which number does the first one now turn with?", (Blank("partner"),)),
        ),
        {"columns": columns},
        {"halves": to_layout(columns[None], "interleaved", "halves")[0], "partner": columns[1]},
    )
