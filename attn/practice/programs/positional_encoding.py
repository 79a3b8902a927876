"""Chapter 1: the sinusoidal encoding, line by line."""

import numpy as np

from attn.practice.program import Meaning, Program

ENCODING = Program(
    name="order.positional-encoding",
    title="Positional encoding",
    chapter="1",
    asks="A row for each of `n` positions. Pair i, a sine and a cosine, turns by 10000^(−2i/d) a step.",
    head="def encoding(n, d):",
    lines={
        "positions": "pos = np.arange(n)[:, None]",
        "pairs": "i = np.arange(d // 2)",
        "angle": "angle = pos / 10000 ** (2 * i / d)",
        "table": "pe = np.zeros((n, d))",
        "sine": "pe[:, 0::2] = np.sin(angle)",
        "cosine": "pe[:, 1::2] = np.cos(angle)",
    },
    wrong={
        "columns": "i = np.arange(0, d, 2)",
        "flat": "pos = np.arange(n)",
        "whole": "pe = np.zeros((n, d), int)",
    },
    returns=("pe",),
    given=lambda: {"np": np, "n": 5, "d": 8},
    means=(
        Meaning(
            "Here `i` counts columns in steps of two, and the formula doubles it once more: the exponent is twice "
            "the paper's, and the clocks slow down too soon.",
            uses=("columns",),
        ),
        Meaning(
            "A table of whole numbers cuts every sine and cosine between −1 and 1 to 0.", uses=("whole",)
        ),
        Meaning(
            "The even columns stay 0: no sine is written into the table that is returned.",
            lacks=("sine", "whole"),
        ),
        Meaning(
            "The odd columns stay 0: no cosine is written into the table that is returned.",
            lacks=("cosine", "whole"),
        ),
    ),
)
