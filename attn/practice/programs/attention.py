"""Chapter 0: self-attention, line by line."""

import numpy as np

from attn.practice.program import Meaning, Program
from attn.softmax import softmax


def _given():
    rng = np.random.default_rng(0)
    names = {"x": (3, 5), "w_q": (5, 4), "w_k": (5, 4), "w_v": (5, 2)}
    return {name: rng.normal(size=shape) for name, shape in names.items()} | {"np": np, "softmax": softmax}


SELF_ATTENTION = Program(
    name="order.self-attention",
    title="Self-attention",
    chapter="0",
    asks="Each of three words, a row of `x`, gets its weighted average of all the values.",
    head="def self_attention(x, w_q, w_k, w_v):",
    lines={
        "q": "q = x @ w_q",
        "k": "k = x @ w_k",
        "v": "v = x @ w_v",
        "scores": "scores = q @ k.T / np.sqrt(k.shape[1])",
        "weights": "weights = softmax(scores, axis=1)",
        "output": "output = weights @ v",
    },
    wrong={
        "turned": "scores = k @ q.T / np.sqrt(k.shape[1])",
        "columns": "weights = softmax(scores, axis=0)",
        "plain": "scores = q @ k / np.sqrt(k.shape[1])",
    },
    returns=("output",),
    given=_given,
    means=(
        Meaning(
            "Keys ask and queries answer: row i of the scores has what the others ask of word i.",
            uses=("turned",),
            lacks=("columns",),
        ),
        Meaning(
            "The softmax runs down the columns: each word shares itself out among those who ask, and the weights of "
            "a row do not sum to one.",
            uses=("columns",),
            lacks=("turned",),
        ),
        Meaning(
            "Keys ask here, and the softmax runs down the columns: these are the right weights, lying on their side. "
            "Row i has what each query gives to word i, so the values are mixed with the wrong ones.",
            uses=("turned", "columns"),
        ),
    ),
)
