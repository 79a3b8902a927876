"""Chapter 3: one word looks at those that its mask lets it see. mask (n,) has 1 where it may look."""

import numpy as np

from attn.mistakes import Mistake
from attn.mistakes.attention import BY_D_K, NO_DIVISION, NO_ROOT, OUTPUT
from attn.softmax import softmax

AFTER = "Was the mask applied after the softmax? Then the hidden scores still count in the sum: hide them before it."
NO_EFFECT = "The mask has no effect: is it used?"
ZEROED = "Were the scores multiplied by the mask? A score of 0 is not hidden, exp(0) = 1; it must be −inf."
INVERTED = "Is the mask inverted?"


def _visible(mask):
    return np.asarray(mask) != 0


def _hidden(scores, visible):
    return softmax(np.where(visible, scores, -np.inf))


SCORES = {
    "no-root": Mistake(lambda q, k: np.atleast_2d(q) @ np.transpose(k), NO_ROOT),
    "by-d-k": Mistake(lambda q, k: np.atleast_2d(q) @ np.transpose(k) / np.shape(k)[-1], BY_D_K),
    "columns": Mistake(
        lambda q, k: np.atleast_2d(q) @ k / np.sqrt(np.shape(k)[-1]),
        "Were the columns of k taken? The key of a word is its row.",
    ),
}
WEIGHTS = {
    "after": Mistake(lambda scores, mask: softmax(scores) * mask, AFTER),
    "ignored": Mistake(lambda scores: softmax(scores), NO_EFFECT),
    "zeroed": Mistake(lambda scores, mask: softmax(np.asarray(scores) * mask), ZEROED),
    "inverted": Mistake(
        lambda scores, mask: _hidden(scores, ~_visible(mask)),
        f"{INVERTED} 1 marks a word that may be looked at.",
    ),
    "undivided": Mistake(lambda scores, mask: np.exp(scores) * mask, NO_DIVISION),
}
MASKED_OUTPUT = {
    "all-in-sight": Mistake(
        lambda scores, v: softmax(scores) @ v,
        "Do the hidden words take part? Average with the masked weights: a hidden value counts for nothing.",
    ),
    "sum": Mistake(lambda mask, v: np.atleast_2d(mask) @ v, OUTPUT["sum"].hint),
    "mean": Mistake(lambda mask, v: np.atleast_2d(mask) @ v / np.sum(mask), OUTPUT["mean"].hint),
    "largest": OUTPUT["largest"],
}
