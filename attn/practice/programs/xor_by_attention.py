"""Chapter 5: XOR of two bits by two looks, weights set by hand."""

import numpy as np

from attn.practice.program import Meaning, Program
from attn.softmax import softmax
from attn.xor import BITS

XOR = Program(
    name="order.xor-by-hand",
    title="XOR by two looks",
    chapter="5",
    asks="For each of four pairs of bits, a row of `bits`: do they differ? One look takes the plain mean, the other "
    "listens more to ones.",
    head="def xor(bits):",
    lines={
        "mean": "mean = bits.mean(axis=1)",
        "scores": "scores = np.log(3) * bits",
        "weights": "weights = softmax(scores, axis=1)",
        "loud": "loud = (weights * bits).sum(axis=1)",
        "vote": "vote = loud - mean",
        "answer": "answer = vote > 1/8",
    },
    wrong={
        "sum": "vote = loud + mean",
        "columns": "weights = softmax(scores, axis=0)",
        "line": "answer = loud > 1/2",
    },
    returns=("answer",),
    given=lambda: {"np": np, "softmax": softmax, "bits": BITS.astype(float)},
    means=(
        Meaning(
            "Added in place of taken away, the two looks find any one there is: that is OR.", uses=("sum",)
        ),
        Meaning("The softmax runs over the four pairs, not over the two bits of a pair.", uses=("columns",)),
        Meaning(
            "One look alone is cut by one line, and a line gets at most three of the four pairs right.",
            uses=("line",),
        ),
    ),
)
