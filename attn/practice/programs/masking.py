"""Chapter 3: attention under a causal mask, line by line."""

import numpy as np

from attn.practice.program import Meaning, Program
from attn.softmax import softmax


def _given():
    rng = np.random.default_rng(3)
    shapes = {"q": (4, 3), "k": (4, 3), "v": (4, 2)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()} | {"np": np, "softmax": softmax}


UPSIDE = "`triu` keeps the upper half: a word may see itself and those after it, the mask upside down."

CAUSAL_ATTENTION = Program(
    name="order.causal-attention",
    title="Masked attention",
    chapter="3",
    asks="Each of four words averages over itself and the words before it. Queries have three numbers, "
    "and the weights of a row sum to one.",
    head="def causal_attention(q, k, v):",
    lines={
        "sees": "sees = np.tril(np.ones((4, 4), bool))",
        "scores": "scores = q @ k.T / np.sqrt(3)",
        "hide": "scores = np.where(sees, scores, -np.inf)",
        "weights": "weights = softmax(scores, axis=1)",
        "output": "output = weights @ v",
    },
    wrong={
        "late": "weights = np.where(sees, weights, 0)",
        "upside": "sees = np.triu(np.ones((4, 4), bool))",
        "added": "scores = scores + sees",
    },
    returns=("output",),
    given=_given,
    means=(
        Meaning(
            "The mask comes after the softmax: hidden words still take their share of it, and each row that hides a "
            "word sums to less than one.",
            uses=("late",),
            lacks=("hide",),
        ),
        Meaning(UPSIDE, uses=("upside", "hide"), lacks=("sees",)),
        Meaning(UPSIDE, uses=("upside", "late"), lacks=("sees", "hide")),
        Meaning(
            "It makes two masks, one of them upside down; a line that takes one takes the last made above it.",
            uses=("upside", "sees"),
        ),
        Meaning(
            "Added to the scores, a mask of zeros and ones makes some of them larger by one. It hides no word.",
            uses=("added",),
        ),
        Meaning("Nothing is hidden: each word sees those after it too.", lacks=("hide", "late")),
    ),
)
