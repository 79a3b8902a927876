"""Chapter 7: from a table of days to PMI. days (2, 2): skies are rows, streets are columns."""

import numpy as np

NATS = "Is the logarithm natural? That gives nats. Bits need base 2"
DECIMAL = "Is the logarithm the decimal one? Bits need base 2"
UNNORMALIZED = "Are the counts divided by their sum?"
SWAPPED = (
    "Are the margins swapped? p(i) is the sum of row i and belongs to row i; p(j) is the sum of column j."
)
TURNED = "The sign is reversed"

SKIES = {
    "Are the columns added up? Those are the days of a street; a sky has a row.": (
        lambda days: days.sum(axis=0)[:, None]
    ),
    "Is that the share of all days? Here the number of days is asked for.": (
        lambda days: days.sum(axis=1, keepdims=True) / days.sum()
    ),
    "Are these the wet days alone? A sky's days are those with either street.": lambda days: days[:, :1],
}
STREETS = {
    "Are the rows added up? Those are the days of a sky; a street has a column.": (
        lambda days: days.sum(axis=1)
    ),
    "Is that the share of all days? Here the number of days is asked for.": (
        lambda days: days.sum(axis=0) / days.sum()
    ),
    "Are these the clear days alone? A street's days are those under either sky.": lambda days: days[0],
}
CHANCE = {
    f"{UNNORMALIZED} Days times days must be divided by all days once, to be days again.": (
        lambda skies, streets: skies * streets
    ),
    SWAPPED: lambda skies, streets: streets.T * skies.T / skies.sum(),
    "Do all pairs get the same? By chance, a pair of frequent partners meets more often.": (
        lambda days: np.full((2, 2), np.sum(days) / 4)
    ),
}
RATIOS = {
    "Is it upside down? How often they meet stands above, how often they would by chance below.": (
        lambda days, chance: chance / days
    ),
    "Is that the share of all days? Divide by what chance would give.": lambda days: days / np.sum(days),
    "Is only one margin divided out? That is how often a street comes under this sky; chance has both margins.": (
        lambda days, skies: days / skies
    ),
    "Is chance taken away? Divide by it: the ratio says how many times as often.": (
        lambda days, chance: days - chance
    ),
}
BITS = {
    f"{NATS}.": lambda ratios: np.log(ratios[0, 0]),
    f"{DECIMAL}.": lambda ratios: np.log10(ratios[0, 0]),
    f"{TURNED}: a pair that meets more often than by chance has a PMI above 0.": (
        lambda ratios: -np.log2(ratios[0, 0])
    ),
    "Is the logarithm missing? A bit more is twice as often: to which power is 2 raised?": (
        lambda ratios: ratios[0, 0]
    ),
}
