"""Chapter 7 by hand: a table with a PMI of whole bits, a window, the pair that came once, rivals that are drawn."""

import functools

import numpy as np

from attn.pmi import cooccurrence_counts, joint_from_counts, pmi
from attn.practice.mistakes import pmi as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, first_good, row, whole

CHAPTER, TITLE = "7", "Measure association with PMI"
SKIES, STREETS = ("clear", "cloudy"), ("wet", "dry")
WORDS = ("fog", "rain", "sun")


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    return by_hand(rng), windows(rng), once(rng), negatives(rng)


@functools.cache
def tables() -> list[tuple[int, int, int, int]]:
    """All tables of 40 to 120 days whose first pair has a PMI of −2, −1, 1 or 2 bits, and whole numbers by chance."""
    found = []
    for n in (40, 60, 80, 100, 120):
        for clear in range(8, n - 3, 4):
            for wet in range(8, n - 3, 4):
                for both in {clear * wet * power // (4 * n) for power in (1, 2, 8, 16)}:
                    table = (both, clear - both, wet - both, n - clear - wet + both)
                    times = 4 * both * n
                    if clear * wet % n == 0 and min(table) > 0 and times % (clear * wet) == 0:
                        found.append(table)
    return [table for table in found if table != (10, 70, 15, 5)]  # the chapter's own


def by_hand(rng: np.random.Generator) -> Problem:
    """Margins, chance, ratios, a PMI, and attention's weights from it."""
    days = np.array(tables()[rng.integers(len(tables()))]).reshape(2, 2)
    n, joint = int(days.sum()), joint_from_counts(days)
    bits = pmi(joint)
    p_row, p_col = joint.sum(axis=1), joint.sum(axis=0)
    return Problem(
        "Beyond chance",
        (
            f"On {n} days a sky and a street were noted:",
            Table(
                ("days", "`wet`", "`dry`", "all"),
                (
                    *((f"`{sky}`", *map(int, days[i]), Blank("skies", (i,))) for i, sky in enumerate(SKIES)),
                    ("all", *row("streets", n=2), n),
                ),
            ),
            "By chance a pair would meet on (days of the sky) · (days of the street) / (all days). The ratio is how "
            "many times as often it does meet.",
            Table(
                ("pair", "meets", "by chance", "ratio"),
                tuple(
                    (
                        f"`{SKIES[i]}`, `{STREETS[j]}`",
                        int(days[i, j]),
                        Blank("chance", (i, j)),
                        Blank("ratios", (i, j), True),
                    )
                    for i, j in np.ndindex(2, 2)
                ),
            ),
            Ask(
                "The PMI of `clear` and `wet` is the logarithm of its ratio with base 2, in bits:",
                (Blank("bits"),),
            ),
            Ask(
                "The scores PMI + ln p(street) make attention's weights the ratio times the street's share of all "
                "days. For `clear`, the weights of `wet` and `dry`:",
                row("weights", n=2, fraction=True),
            ),
        ),
        {"days": days},
        {
            "skies": n * p_row,
            "streets": n * p_col,
            "chance": n * np.outer(p_row, p_col),
            "ratios": 2.0**bits,
            "bits": bits[0, 0],
            "weights": (2.0**bits * p_col)[0],
        },
        {
            "the days of the skies": ("skies", wrong.SKIES),
            "the days of the streets": ("streets", wrong.STREETS),
            "by chance": ("chance", wrong.CHANCE),
            "the ratios": ("ratios", wrong.RATIOS),
            "the PMI": ("bits", wrong.BITS),
        },
    )


def windows(rng: np.random.Generator) -> Problem:
    """Count pairs in a window."""
    window = int(whole(rng, 1, 2))
    tokens = first_good(
        lambda: [WORDS[i] for i in rng.integers(3, size=int(whole(rng, 6, 7)))],
        lambda tokens: (
            set(tokens) == set(WORDS) and len(set(map(tuple, cooccurrence_counts(tokens, window)[0]))) == 3
        ),
    )
    counts, words = cooccurrence_counts(tokens, window)
    return Problem(
        "A window",
        (
            f"A text: {' '.join(f'`{token}`' for token in tokens)}. From each place, count who stands up to {window} "
            "before it and after it; never the place itself.",
            Table(
                ("from \\ to", *(f"`{word}`" for word in words)),
                tuple((f"`{word}`", *row("counts", i, n=3)) for i, word in enumerate(words)),
            ),
            Ask("The sum of the table:", (Blank("sum"),)),
        ),
        {"tokens": tokens, "window": window},
        {"counts": counts, "sum": counts.sum()},
    )


def once(rng: np.random.Generator) -> Problem:
    """One coincidence has the highest PMI there is."""
    power = int(whole(rng, 3, 12))
    n = 2**power
    plain = joint_from_counts(np.diag((1, n - 1)))
    return Problem(
        "Only once",
        (
            f"A text has {n} pairs. Two words come once each, and together.",
            Ask("The ratio of that pair to chance:", (Blank("ratio"),)),
            Ask("Its PMI in bits:", (Blank("bits"),)),
        ),
        {"n": n},
        {"ratio": 2.0 ** pmi(plain)[0, 0], "bits": pmi(plain)[0, 0]},
    )


def negatives(rng: np.random.Generator) -> Problem:
    """What negative sampling aims at, with rivals drawn from p and from p to the 3/4."""
    roots = rng.permutation((1, 2, 3))
    counts = roots**4  # their power 3/4 is the cube of the root
    near = first_good(lambda: whole(rng, 1, 5, 3), lambda near: len(set(near.tolist())) > 1)
    k = int(rng.choice((1, 2, 5)))
    by_p, by_power = counts / counts.sum(), counts**0.75 / (counts**0.75).sum()
    given_fog = near / near.sum()
    return Problem(
        "Rivals",
        (
            f"Negative sampling draws {k} rival{'s' * (k > 1)} for each pair and asks of each: yes or no? Its best "
            "score s of a pair has e to the s = p(j | i) / (k · r(j)), where r(j) is the chance that a rival is j. "
            "Beside `fog` stood, and in the whole text are:",
            Table(
                ("j", *(f"`{word}`" for word in WORDS)),
                (("beside `fog`", *map(int, near)), ("in the whole text", *map(int, counts))),
            ),
            "Write fractions. (n to the 3/4 is the cube of n's fourth root: 16 gives 8, 81 gives 27.)",
            Table(
                ("j", *(f"`{word}`" for word in WORDS)),
                (
                    ("p(j | `fog`)", *row("given_fog", n=3, fraction=True)),
                    ("p(j)", *row("by_p", n=3, fraction=True)),
                    ("e to the s, rivals drawn from p(j)", *row("plain", n=3, fraction=True)),
                    ("r(j), in proportion to p(j) to the 3/4", *row("by_power", n=3, fraction=True)),
                    ("e to the s, rivals drawn from r(j)", *row("powered", n=3, fraction=True)),
                ),
            ),
        ),
        {"near": near, "n": counts, "negative": k},
        {
            "given_fog": given_fog,
            "by_p": by_p,
            "plain": given_fog / (k * by_p),
            "by_power": by_power,
            "powered": given_fog / (k * by_power),
        },
    )
