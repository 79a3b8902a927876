"""Chapter 9: complete the pattern. What layer 1 writes, what layer 2 matches, and what it then says."""

import numpy as np
from numpy.typing import ArrayLike

from attn.practice.mistakes import Mistake

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


def _row(x: ArrayLike) -> np.ndarray:
    return np.ravel(np.asarray(x, dtype=float))


def before(words: np.ndarray) -> np.ndarray:
    """The word one place back; the first place has only itself to look at: (n,) -> (n,)."""
    words = _row(words)
    return np.concatenate([words[:1], words[:-1]])


def powers(found: np.ndarray, words: np.ndarray, grown: ArrayLike) -> np.ndarray:
    """`grown` at the places where `found` is the last of the words, 1 elsewhere: (n,).

    Parameters
    ----------
    found : (n,) array
        What is compared with the last word: the lane *before*, as a rule.
    words : (n,) array
    grown : float or (1, 1) array
        e to the score of a match.
    """
    return np.where(_row(found) == _row(words)[-1], _row(grown)[0], 1.0)


def says(weights: np.ndarray, words: np.ndarray, count: int = 4) -> np.ndarray:
    """The weights of a word's places, added, for the words 1 … count: (count,)."""
    return np.array([_row(weights)[_row(words) == word].sum() for word in range(1, count + 1)])


def _moved(x: np.ndarray, back: int) -> np.ndarray:
    """Entries `back` places further to the right, or to the left; 0 where nothing comes from."""
    x = _row(x)
    found = np.zeros_like(x)
    if back > 0:
        found[back:] = x[:-back]
    else:
        found[:back] = x[-back:]
    return found


def _averaged(weights: np.ndarray, words: np.ndarray) -> np.ndarray:
    counts = np.array([(_row(words) == word).sum() for word in range(1, 5)])
    return says(weights, words) / np.maximum(counts, 1)


BEFORE = {
    "itself": Mistake(lambda words: _row(words), ITSELF),
    "ahead": Mistake(lambda words: _moved(words, -1), AHEAD),
    "two-back": Mistake(
        lambda words: _moved(words, 2),
        "Does it look two places back? This layer 1 looks exactly one place back.",
    ),
    "wrapped": Mistake(lambda words: np.roll(_row(words), 1), WRAPPED),
}
POWERS = {
    "parrot": Mistake(lambda words, grown: powers(words, words, grown), PARROT),
    "own-place": Mistake(
        lambda words, before, grown: powers(np.append(_row(before)[1:], 0), words, grown), OWN_PLACE
    ),
    "too-far": Mistake(
        lambda words, grown: powers(_moved(words, 2), words, grown),
        "Is the match one place too far? It is right after the earlier occurrence, not two places after it.",
    ),
    "nothing": Mistake(
        lambda words, before, grown: np.where(_row(before) == _row(words)[-1], _row(grown)[0], 0.0), NOTHING
    ),
    "root": Mistake(lambda words, before, grown: powers(before, words, np.sqrt(grown)), HALF_SCORE),
}
WEIGHTS = {
    "undivided": Mistake(
        lambda powers: _row(powers), "Are these the powers? Divide each by their sum: weights sum to one."
    ),
    "by-count": Mistake(
        lambda powers: _row(powers) / _row(powers).size,
        "Is each divided by the number of places? Divide by the sum of the powers.",
    ),
    "all-or-nothing": Mistake(
        lambda powers: (_row(powers) == _row(powers).max()) / (_row(powers) == _row(powers).max()).sum(),
        "Do the matches get everything? The other places keep a little, each the same.",
    ),
    "without-bos": Mistake(
        lambda powers: _row(powers) / _row(powers)[1:].sum(),
        "Is `BOS` left out of the sum? It is a place like any other, and takes its share.",
    ),
}
SAYS = {
    "who-before": Mistake(
        lambda weights, before: says(weights, before),
        "Is this what stands in the lane *before*? That lane says where to look. What is handed over is the word that "
        "stands there.",
    ),
    "one-further": Mistake(
        lambda weights, words: says(_moved(weights, 1), words),
        "Is it the word after the place that is looked at? Layer 2 looks at the follower already, and says that.",
    ),
    "averaged": Mistake(
        _averaged,
        "Are the weights of a word averaged? A word that is there twice is heard twice: add its weights.",
    ),
    "loudest": Mistake(
        lambda weights, words: says(np.asarray(weights) >= np.max(weights) - 1e-9, words),
        "Does only the largest weight count? All places speak, each as loud as its weight.",
    ),
}
