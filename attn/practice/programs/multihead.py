"""Chapter 4: a table into heads, and heads into a table."""

import numpy as np

from attn.practice.program import Meaning, Program


def _rows(*shape):
    return np.random.default_rng(4).normal(size=shape)


SPLIT = Program(
    name="order.split-heads",
    title="Split into heads",
    chapter="4",
    asks="From `x`, 3 words × 8 numbers, to two heads of 3 words × 4 numbers. A head owns columns, of all words.",
    head="def split(x, n_heads):",
    lines={
        "sizes": "n, d_model = x.shape",
        "head": "d_head = d_model // n_heads",
        "cut": "x = x.reshape(n, n_heads, d_head)",
        "turn": "x = x.transpose(1, 0, 2)",
    },
    wrong={
        "blocks": "x = x.reshape(n_heads, n, d_head)",
        "last": "x = x.transpose(2, 0, 1)",
    },
    returns=("x",),
    given=lambda: {"np": np, "x": _rows(3, 8), "n_heads": 2},
    means=(
        Meaning(
            "`reshape(n_heads, n, d_head)` reads the table row after row: a head owns one word and a half in place of "
            "half of the columns.",
            uses=("blocks",),
            lacks=("cut",),
        ),
        Meaning(
            "The table is cut, and its axes stay: words come first, then heads.",
            uses=("cut",),
            lacks=("turn", "last"),
        ),
        Meaning("The table is not cut into heads.", lacks=("cut", "blocks")),
        Meaning(
            "`transpose(2, 0, 1)` brings the numbers of a head to the front, not the heads.",
            uses=("last",),
            lacks=("turn",),
        ),
        Meaning("Turned twice, the axes end in another order.", uses=("turn", "last")),
        Meaning(
            "Turned between two cuts, the numbers land in the wrong rows or heads.", uses=("cut", "blocks")
        ),
    ),
)

MERGE = Program(
    name="order.merge-heads",
    title="Merge the heads",
    chapter="4",
    asks="From two heads of 3 words × 4 numbers to the layer's output: each word's heads side by side, times `w_o`.",
    head="def merge(heads, w_o):",
    lines={
        "sizes": "n_heads, n, d_v = heads.shape",
        "turn": "x = heads.transpose(1, 0, 2)",
        "join": "x = x.reshape(n, n_heads * d_v)",
        "output": "y = x @ w_o",
    },
    wrong={
        "straight": "x = heads.reshape(n, n_heads * d_v)",
        "mean": "x = np.tile(heads.mean(axis=0), n_heads)",
        "half": "y = heads[0] @ w_o[:d_v]",
    },
    returns=("y",),
    given=lambda: {"np": np, "heads": _rows(2, 3, 4), "w_o": np.random.default_rng(5).normal(size=(8, 5))},
    means=(
        Meaning(
            "A reshape without the transpose: a row of the result has numbers of two different words in place of one "
            "word's two heads.",
            uses=("straight",),
        ),
        Meaning(
            "The heads are averaged: each gets the same mean in place of its own output.", uses=("mean",)
        ),
        Meaning("The first head speaks alone; the others are not heard.", uses=("half",)),
    ),
)
