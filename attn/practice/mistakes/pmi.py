"""Chapter 7: from a table of days to PMI. days (2, 2): skies are rows, streets are columns."""

import numpy as np

from attn.practice.mistakes import Mistake

NATS = "Is the logarithm natural? That gives nats. Bits need base 2"
DECIMAL = "Is the logarithm the decimal one? Bits need base 2"
UNNORMALIZED = "Are the counts divided by their sum?"
SWAPPED = (
    "Are the margins swapped? p(i) is the sum of row i and belongs to row i; p(j) is the sum of column j."
)
TURNED = "The sign is reversed"


def _column(values):
    return np.reshape(values, (2, 1))


def _row(values):
    return np.reshape(values, (1, 2))


SKIES = {
    "columns": Mistake(
        lambda days: _column(np.sum(days, axis=0)),
        "Are the columns added up? Those are the days of a street; a sky has a row.",
    ),
    "shares": Mistake(
        lambda days: _column(np.sum(days, axis=1)) / np.sum(days),
        "Is that the share of all days? Here the number of days is asked for.",
    ),
    "first": Mistake(
        lambda days: _column(np.asarray(days)[:, 0]),
        "Are these the wet days alone? A sky's days are those with either street.",
    ),
}
STREETS = {
    "rows": Mistake(
        lambda days: _row(np.sum(days, axis=1)),
        "Are the rows added up? Those are the days of a sky; a street has a column.",
    ),
    "shares": Mistake(
        lambda days: _row(np.sum(days, axis=0)) / np.sum(days),
        "Is that the share of all days? Here the number of days is asked for.",
    ),
    "first": Mistake(
        lambda days: _row(np.asarray(days)[0]),
        "Are these the clear days alone? A street's days are those under either sky.",
    ),
}
CHANCE = {
    "undivided": Mistake(
        lambda skies, streets: _column(skies) * _row(streets),
        f"{UNNORMALIZED} Days times days must be divided by all days once, to be days again.",
    ),
    "swapped": Mistake(
        lambda skies, streets: _column(streets) * _row(skies) / np.sum(skies),
        SWAPPED,
    ),
    "even": Mistake(
        lambda days: np.full((2, 2), np.sum(days) / 4),
        "Do all pairs get the same? By chance, a pair of frequent partners meets more often.",
    ),
}
RATIOS = {
    "upside-down": Mistake(
        lambda days, chance: np.asarray(chance) / days,
        "Is it upside down? How often they meet stands above, how often they would by chance below.",
    ),
    "shares": Mistake(
        lambda days: np.asarray(days) / np.sum(days),
        "Is that the share of all days? Divide by what chance would give.",
    ),
    "one-margin": Mistake(
        lambda days, skies: np.asarray(days) / _column(skies),
        "Is only one margin divided out? That is how often a street comes under this sky; chance has both margins.",
    ),
    "difference": Mistake(
        lambda days, chance: np.asarray(days) - chance,
        "Is chance taken away? Divide by it: the ratio says how many times as often.",
    ),
}
BITS = {
    "nats": Mistake(lambda ratios: np.log(np.asarray(ratios)[0, 0]), f"{NATS}."),
    "decimal": Mistake(lambda ratios: np.log10(np.asarray(ratios)[0, 0]), f"{DECIMAL}."),
    "turned": Mistake(
        lambda ratios: -np.log2(np.asarray(ratios)[0, 0]),
        f"{TURNED}: a pair that meets more often than by chance has a PMI above 0.",
    ),
    "no-logarithm": Mistake(
        lambda ratios: np.asarray(ratios)[0, 0],
        "Is the logarithm missing? A bit more is twice as often: to which power is 2 raised?",
    ),
}
