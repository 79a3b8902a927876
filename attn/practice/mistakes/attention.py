"""Chapter 0: one word looks at the others. q (1, d_k), k (n, d_k), v (n, d_v)."""

import numpy as np

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
ONE_VALUE = (
    "Is that the value of one word alone? The others have some weight too: each value counts as much as its "
    "weight."
)
PLAIN_AVERAGE = (
    "Is that the plain average? Each value is multiplied by its own weight, and they are not alike."
)
VALUES_ADDED = (
    "Are the values added up as they are? Multiply each by its weight first: the output is an average."
)

DOTS = {
    "Is the query added to the key? Multiply number by number, then add the products.": (
        lambda q, k: (q[:, None] + k).sum(axis=-1)
    ),
    "Is a minus lost? The product of a positive and a negative number is negative, and pulls the sum down.": (
        lambda q, k: np.abs(q) @ np.abs(k).T
    ),
    "Did the products stop half way? Each number of the query meets the number in its place of the key.": (
        lambda q, k: q[:, :2] @ k[:, :2].T
    ),
}
SCORES = {
    NO_ROOT: lambda dots: dots,
    BY_D_K: lambda dots, k: dots / np.shape(k)[-1],
    TIMES_ROOT: lambda dots, k: dots * np.sqrt(np.shape(k)[-1]),
    ROOT_OF_WORDS: lambda dots, k: dots / np.sqrt(len(k)),
}
WEIGHTS = {
    "Are these the weights of the dot products? Divide by √d_k first: a larger spread makes the softmax sharper.": (
        lambda dots: softmax(dots)
    ),
    NO_DIVISION: lambda scores: np.exp(scores),
    NO_SOFTMAX: lambda scores: scores / np.sum(scores),
    "Is that a power of two? The softmax raises e to the scores; the table has its powers.": (
        lambda scores: softmax(np.log(2) * scores)
    ),
}
OUTPUT = {
    ONE_VALUE: lambda weights, v: v[np.argmax(weights)],
    PLAIN_AVERAGE: lambda v: np.mean(v, axis=0),
    VALUES_ADDED: lambda v: np.sum(v, axis=0),
    f"{KEYS_MIXED}.": lambda weights, k, v: weights @ k[:, : np.shape(v)[1]],
    "Are the values multiplied by the scores? They are averaged with the weights, which sum to one.": (
        lambda scores, v: scores @ v
    ),
}
