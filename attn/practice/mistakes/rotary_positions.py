"""Chapter 8: four numbers on two clocks, the first pair a half turn a word, the second a quarter."""

import numpy as np

ALL_ALIKE = "Do both pairs turn equally fast here? Each pair has a clock of its own, and one of them is twice as fast."
MIXED = "Do the two numbers of a pair turn by different angles here? A pair turns by one angle, both numbers."
HALVES = "Is the first number paired with the third here? Here neighbors are a pair."

#: Cosine and sine of no quarter turn, of one, of two and of three.
QUARTERS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])


def turned(
    x: np.ndarray, places: np.ndarray, pairs: str = "neighbors", clocks: tuple[int, int] = (2, 1)
) -> np.ndarray:
    """Rows of four numbers turned by their places: (n, 4).

    Parameters
    ----------
    x : (n, 4) array
    places : (n,) array
        Where the rows stand, in words.
    pairs : {"neighbors", "mixed", "halves"}
        Numbers side by side turn by one angle; or each of them by an angle of its own; or number i turns with i + 2.
    clocks : two int
        How many quarter turns the two pairs make a word; −1 is a quarter turn back.
    """
    x = np.asarray(x, dtype=float).reshape(-1, 4)
    order = [0, 2, 1, 3] if pairs == "halves" else [0, 1, 2, 3]
    fast, slow = clocks
    speeds = [fast, slow, fast, slow] if pairs == "mixed" else [fast, fast, slow, slow]
    x = x[:, order]
    cos, sin = np.moveaxis(QUARTERS[np.multiply.outer(np.ravel(places).astype(int), speeds) % 4], -1, 0)
    return (x * cos + x[:, [1, 0, 3, 2]] * [-1, 1, -1, 1] * sin)[:, order]


def keys(k: np.ndarray) -> np.ndarray:
    """The keys of `very very big`, from those of `very` and of `big`: (3, 4)."""
    return np.asarray(k, dtype=float)[[0, 0, 1]]


ASKS = {
    "Does the slow pair turn the other way here? A quarter turn makes the second number the first, with a minus.": (
        lambda q, places: turned(q, places[:, 2], clocks=(-2, -1))
    ),
    ALL_ALIKE: lambda q, places: turned(q, places[:, 2], clocks=(1, 1)),
    MIXED: lambda q, places: turned(q, places[:, 2], "mixed"),
    HALVES: lambda q, places: turned(q, places[:, 2], "halves"),
    "Is the query turned by one place too many? It turns by the place of its own word.": (
        lambda q, places: turned(q, places[:, 2] + 1)
    ),
}
ASKED = {
    "Are the slow pairs turned the other way? A score stays only if queries and keys turn the same way.": (
        lambda k, places: turned(keys(k), places, clocks=(-2, -1))
    ),
    "Are all keys turned by the place of the query? Each key turns by the place of its own word.": (
        lambda k, places: turned(keys(k), np.repeat(places[:, 2], 3))
    ),
    ALL_ALIKE: lambda k, places: turned(keys(k), places, clocks=(1, 1)),
    MIXED: lambda k, places: turned(keys(k), places, "mixed"),
    HALVES: lambda k, places: turned(keys(k), places, "halves"),
}
SCORES = {
    "Are these the scores without turning? Take the turned numbers.": lambda q, k: q @ keys(k).T,
    "Is the query as it was? It is turned as well, by its own place.": lambda q, asked: q @ asked.T,
    "Are the keys as they were? Each is turned by its own place.": lambda asks, k: asks @ keys(k).T,
    "Did you divide by √4? These are the scores before they are scaled.": (
        lambda asks, asked: asks @ asked.T / 2
    ),
}
MOVED = {
    "Did the query alone move on? The keys stand one place further as well.": (
        lambda q, asked, places: turned(q, places[:, 2] + 1) @ asked.T
    ),
    "Did the keys alone move on? The query stands one place further as well.": (
        lambda asks, k, places: asks @ turned(keys(k), places + 1).T
    ),
    "Did the scores slide along by a word? The words are the same, and each keeps its neighbors.": (
        lambda scores: np.roll(scores, 1)
    ),
}
