"""Chapter 0: one word looks at the others. q (d_k,) or (1, d_k), k (n, d_k), v (n, d_v)."""

import numpy as np

from attn.practice.mistakes import Mistake
from attn.softmax import softmax

_ROOT = "the scores are divided by √d_k, the root of the width of a key"
NO_ROOT = f"Is the root missing? Here {_ROOT}."
BY_D_K = f"Are the scores divided by d_k? Take the root: {_ROOT}."
TIMES_ROOT = f"Are the scores multiplied by the root? Here {_ROOT}."
ROOT_OF_WORDS = f"Is that the root of the number of words? Here {_ROOT}."
ROOT_OF_D_MODEL = f"Is that the root of d_model, the width of a word? Here {_ROOT}."
ROOT_OF_D_V = f"Is that the root of d_v, the width of a value? Here {_ROOT}."
KEYS_MIXED = "Are the keys mixed? They only decide the weights; it is the values that are mixed"
NO_SOFTMAX = (
    "Is the softmax missing? Scores may be negative and sum to anything; weights are positive and sum to one."
)
NO_DIVISION = (
    "Is the division missing? Divide each exponential by the sum of its row, so that the row sums to one."
)
ONE_SUM = (
    "Is there one sum for all words? Each row is divided by its own: sum along the last axis, keepdims=True."
)

DOTS = {
    "added": Mistake(
        lambda q, k: (np.atleast_2d(q)[:, None] + k).sum(axis=-1),
        "Is the query added to the key? Multiply number by number, then add the products.",
    ),
    "signs-lost": Mistake(
        lambda q, k: np.abs(q) @ np.abs(k).T,
        "Is a minus lost? The product of a positive and a negative number is negative, and pulls the sum down.",
    ),
    "first-half": Mistake(
        lambda q, k: np.atleast_2d(q)[:, :2] @ np.asarray(k)[:, :2].T,
        "Did the products stop half way? Each number of the query meets the number in its place of the key.",
    ),
}
SCORES = {
    "no-root": Mistake(lambda dots: dots, NO_ROOT),
    "by-d-k": Mistake(lambda dots, k: np.asarray(dots) / np.shape(k)[-1], BY_D_K),
    "times-root": Mistake(lambda dots, k: np.asarray(dots) * np.sqrt(np.shape(k)[-1]), TIMES_ROOT),
    "root-of-words": Mistake(lambda dots, k: np.asarray(dots) / np.sqrt(len(k)), ROOT_OF_WORDS),
}
WEIGHTS = {
    "dots": Mistake(
        lambda dots: softmax(dots),
        "Are these the weights of the dot products? Divide by √d_k first: a larger spread makes the softmax sharper.",
    ),
    "undivided": Mistake(lambda scores: np.exp(scores), NO_DIVISION),
    "shares": Mistake(lambda scores: np.asarray(scores) / np.sum(scores), NO_SOFTMAX),
    "base-two": Mistake(
        lambda scores: softmax(np.log(2) * np.asarray(scores)),
        "Is that a power of two? The softmax raises e to the scores; the table has its powers.",
    ),
}
OUTPUT = {
    "largest": Mistake(
        lambda weights, v: np.asarray(v)[np.argmax(weights)],
        "Is that the value of one word alone? The others have some weight too: each value counts as much as its "
        "weight.",
    ),
    "mean": Mistake(
        lambda v: np.mean(v, axis=0),
        "Is that the plain average? Each value is multiplied by its own weight, and they are not alike.",
    ),
    "sum": Mistake(
        lambda v: np.sum(v, axis=0),
        "Are the values added up as they are? Multiply each by its weight first: the output is an average.",
    ),
    "keys": Mistake(
        lambda weights, k, v: np.atleast_2d(weights) @ np.asarray(k)[:, : np.shape(v)[1]], f"{KEYS_MIXED}."
    ),
    "scores": Mistake(
        lambda scores, v: np.atleast_2d(scores) @ v,
        "Are the values multiplied by the scores? They are averaged with the weights, which sum to one.",
    ),
}
