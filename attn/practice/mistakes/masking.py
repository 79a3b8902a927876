"""Chapter 3: one word looks at those that its mask lets it see. mask (n,) has 1 where it may look."""

import numpy as np

from attn.practice.mistakes import Mistake
from attn.practice.mistakes.attention import BY_D_K, NO_DIVISION, NO_ROOT, OUTPUT
from attn.softmax import softmax

AFTER = "Was the mask applied after the softmax? Then the hidden scores still count in the sum: hide them before it."
NO_EFFECT = "The mask has no effect: is it used?"
ZEROED = "Were the scores multiplied by the mask? A score of 0 is not hidden, exp(0) = 1; it must be −inf."
INVERTED = "Is the mask inverted?"
TRANSPOSED = "Is the mask transposed? Its rows are queries, its columns keys."
TOO_LATE = (
    "Is the mask applied after exp? Dividing by the new sum is right on paper, but where a hidden score is much the "
    "largest, the visible weights have already rounded to 0: put −inf into the scores first."
)
LARGE_NEGATIVE = (
    "A large negative number such as −1e9 is not −inf: where all scores get it, they just compete again."
)
TOP_LEFT = (
    "Is the triangle aligned top-left? That is right only when n_q = n_k. With a cache, query 0 is not token "
    "0: n_k − n_q tokens came before it, and the triangle ends bottom-right."
)
NOT_ITSELF = "Off by one: a token may look at itself too, so it is ≤, not <."
ONE_AHEAD = "Off by one: each row sees one token of its own future."


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
