"""Chapter 3: one word looks at those that its mask lets it see. mask (n,) has 1 where it may look."""

import numpy as np

from attn.practice.mistakes import attention
from attn.softmax import softmax

AFTER = "Was the mask applied after the softmax? Then the hidden scores still count in the sum: hide them before it."
NO_EFFECT = "The mask has no effect: is it used?"
ZEROED = "Were the scores multiplied by the mask? A score of 0 is not hidden, exp(0) = 1; it must be −inf."
INVERTED = "Is the mask inverted? True means that the query may look."
ADDITIVE = "That is the additive form, 0 and −inf. The exercise asks for Booleans."
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


SCORES = {
    attention.NO_ROOT: lambda q, k: q @ np.transpose(k),
    attention.BY_D_K: lambda q, k: q @ np.transpose(k) / np.shape(k)[-1],
    "Were the columns of k taken? The key of a word is its row.": (
        lambda q, k: q @ k / np.sqrt(np.shape(k)[-1])
    ),
}
WEIGHTS = {
    AFTER: lambda scores, mask: softmax(scores) * mask,
    NO_EFFECT: lambda scores: softmax(scores),
    ZEROED: lambda scores, mask: softmax(scores * mask),
    "Is the mask inverted? 1 marks a word that may be looked at.": (
        lambda scores, mask: softmax(np.where(mask == 0, scores, -np.inf))
    ),
    attention.NO_DIVISION: lambda scores, mask: np.exp(scores) * mask,
}
MASKED_OUTPUT = {
    "Do the hidden words take part? Average with the masked weights: a hidden value counts for nothing.": (
        lambda scores, v: softmax(scores) @ v
    ),
    attention.VALUES_ADDED: lambda mask, v: mask @ v,
    attention.PLAIN_AVERAGE: lambda mask, v: mask @ v / np.sum(mask),
    attention.ONE_VALUE: attention.OUTPUT[attention.ONE_VALUE],
}
