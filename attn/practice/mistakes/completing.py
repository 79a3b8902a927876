"""Chapter 9: complete the pattern. What layer 1 writes, what layer 2 matches, and what it then says."""

import numpy as np
from numpy.typing import ArrayLike

PARROT = (
    "Is the present word compared with the words themselves? Then a head finds the word that it has, and parrots it. "
    "Compare it with the lane *before*."
)
OWN_PLACE = (
    "Is the match where the word stood, in place of one further? The place that is wanted is the next: there the word "
    "is in the lane *before*."
)
AHEAD = "Does layer 1 look one place ahead? What comes is not known yet. It writes the word one place back."
ITSELF = "Does each place write its own word? Layer 1 looks one place back."
WRAPPED = "Does `BOS` get the last word? Nothing stands before it. It sees itself alone, and writes itself."
HALF_SCORE = "Is the score divided by a root? Here scores are taken as they are."
NOTHING = (
    "Does a score of 0 become nothing? The number *e* to the 0 is 1: places without a match keep a little."
)


def before(words: np.ndarray) -> np.ndarray:
    """The word one place back; the first place has only itself to look at: (1, n) -> (1, n)."""
    return np.concatenate([words[:, :1], words[:, :-1]], axis=1)


def powers(found: np.ndarray, words: np.ndarray, grown: ArrayLike) -> np.ndarray:
    """`grown` at the places where `found` is the last of the words, 1 elsewhere: (1, n).

    Parameters
    ----------
    found : (1, n) array
        What is compared with the last word: the lane *before*, as a rule.
    words : (1, n) array
    grown : float or (1, 1) array
        e to the score of a match.
    """
    return np.where(found == words[:, -1:], grown, 1.0)


def says(weights: np.ndarray, words: np.ndarray) -> np.ndarray:
    """The weights of a word's places, added, for the words 1 … 4: (4,)."""
    return np.array([weights[words == word].sum() for word in range(1, 5)])


def _moved(x: np.ndarray, back: int) -> np.ndarray:
    """Entries `back` places further to the right; 0 where nothing comes from."""
    return np.where(np.arange(x.shape[1]) < back, 0, np.roll(x, back, axis=1))


BEFORE = {
    ITSELF: lambda words: words,
    AHEAD: lambda words: np.append(words[:, 1:], 0),
    "Does it look two places back? This layer 1 looks exactly one place back.": (
        lambda words: _moved(words, 2)
    ),
    WRAPPED: lambda words: np.roll(words, 1),
}
POWERS = {
    PARROT: lambda words, grown: powers(words, words, grown),
    OWN_PLACE: lambda words, before, grown: powers(np.append(before[:, 1:], 0), words, grown),
    "Is the match one place too far? It is right after the earlier occurrence, not two places after it.": (
        lambda words, grown: powers(_moved(words, 2), words, grown)
    ),
    NOTHING: lambda words, before, grown: np.where(before == words[:, -1:], grown, 0.0),
    HALF_SCORE: lambda words, before, grown: powers(before, words, np.sqrt(grown)),
}
WEIGHTS = {
    "Are these the powers? Divide each by their sum: weights sum to one.": lambda powers: powers,
    "Is each divided by the number of places? Divide by the sum of the powers.": (
        lambda powers: powers / powers.size
    ),
    "Do the matches get everything? The other places keep a little, each the same.": (
        lambda powers: (powers == powers.max()) / (powers == powers.max()).sum()
    ),
    "Is `BOS` left out of the sum? It is a place like any other, and takes its share.": (
        lambda powers: powers / powers[:, 1:].sum()
    ),
}
SAYS = {
    "Is this what stands in the lane *before*? That lane says where to look. What is handed over is the word that "
    "stands there.": lambda weights, before: says(weights, before),
    "Is it the word after the place that is looked at? Layer 2 looks at the follower already, and says that.": (
        lambda weights, words: says(_moved(weights, 1), words)
    ),
    "Are the weights of a word averaged? A word that is there twice is heard twice: add its weights.": (
        lambda weights, words: says(weights, words) / np.maximum(says(np.ones(words.shape), words), 1)
    ),
    "Does only the largest weight count? All places speak, each as loud as its weight.": (
        lambda weights, words: says(weights >= np.max(weights) - 1e-9, words)
    ),
}
