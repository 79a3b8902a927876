"""Chapter 8: pairs that are turned by their place, what a turned query meets, and weights in another layout."""

import numpy as np


def mixed_up(x: np.ndarray, positions: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Rows turned by a program with a slip: neighbors are pairs, but the two numbers of a pair turn by two angles.

    Parameters
    ----------
    x : (n, d) array
    positions : (n,) array
        Where the rows stand.
    frequencies : (d/2,) array
        Radians a word of each clock; the program repeats the list as a whole, as code that pairs halves does.

    Returns
    -------
    (n, d) array
    """
    angles = np.multiply.outer(np.asarray(positions), np.tile(frequencies, 2))
    partner = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + partner * np.sin(angles)


UNTURNED = "Is anything turned? These are the numbers that went in."
OTHER_WAY = (
    "They turn the other way: the first number of a pair loses y sin and the second gains x sin. If queries and keys "
    "both do so, one word back counts as one word ahead."
)
ONE_SIGN = "One sign is off: of the two products with a sine one is subtracted and one is added."
OVERWRITTEN = (
    "The second number of a pair is computed from the first one as it is *after* the turn. Keep both as they were, "
    "then write."
)
HALVES = "Is number i paired with number i + d/2? That is the other layout, and as good; here neighbors are a pair."
MIXED = (
    "Neighbors are paired, but they don't share an angle: the angles stand as they do for halves. Each is needed "
    "twice, side by side."
)
SLOW_HALF = "The exponent is half of what it should be: ω_i = 10000 ** (−2i / d), where i counts pairs."
DOUBLED = "The exponent is doubled: ω_i = 10000 ** (−2i / d), where i counts pairs."
ONE_CLOCK = "All pairs turn equally fast. Each has a frequency of its own: ω_i = 10000 ** (−2i / d)."
DEGREES = "Are the angles taken for degrees? They are radians, which np.sin and np.cos take as they are."
ROWS = "Are the rows taken for positions 0, 1, 2 …? Their positions are given."
ADDED = "Is an encoding added? Nothing is added here: each pair is turned."

PLAIN = "Are queries and keys turned at all? These are the outputs without positions."
QUERIES_ALONE = (
    "The keys are not turned. Then a score knows where the query stands, and not how far off the key is."
)
KEYS_ALONE = "The queries are not turned. Then a score knows where the key stands, and not how far off it is."
VALUES_TOO = (
    "The values are turned as well, so the output depends on where the text starts. Leave them as they are."
)
QUERY_AHEAD = (
    "The queries stand one further than the keys, so to each query the next word seems to stand where it stands "
    "itself. Start both alike."
)
AGAINST = "The keys turn against the queries. Then the *sum* of the positions counts. Turn both the same way."
MIRROR = "Both turn the other way, so one word back counts as one word ahead. The first number of a pair loses y sin."
NO_SCALE = "Is the scale missing? The scores are divided by √d before the softmax."
COLUMNS = "Does the softmax run down the columns? The weights of a query sum to one along its row."

AT_ZERO = (
    "The query is not turned, as if it stood at 0. It is the newest of n words: it stands at n − 1. One word alone "
    "doesn't show it."
)
AT_N = "The query stands one too far: the first word is at 0, so the newest of n is at n − 1."
TURNED_TWICE = "The keys are turned a second time. They were turned when they went into the cache."
BACKWARD = "The query turns the other way than the keys did. The first number of a pair loses y sin."
NEW_FRAME = "The keys are turned *back*, and the query is not turned: nothing knows a place. Leave the cache as it is."

ACROSS = "Are columns moved from one head to another? Each head is reordered by itself."
WRONG_WAY = "That is the way back, from halves to neighbors. At 4 columns a head both are the same, at 6 not."
UNCHANGED = "Nothing is reordered: the code of halves would pair columns that never were a pair."
MIXED_HEADS = "Are the heads taken apart by every second column? A head's columns stand side by side."
