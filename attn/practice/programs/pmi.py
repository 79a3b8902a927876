"""Chapter 7: pointwise mutual information from a table of counts."""

import numpy as np

from attn.practice.program import Meaning, Program

PMI = Program(
    name="order.pmi",
    title="PMI from counts",
    chapter="7",
    asks="The PMI of each pair, in nats, from a table of counts: rows are one word, columns the other.",
    head="def pmi(counts):",
    lines={
        "joint": "joint = counts / counts.sum()",
        "rows": "row = joint.sum(axis=1, keepdims=True)",
        "columns": "col = joint.sum(axis=0, keepdims=True)",
        "ratio": "ratio = joint / (row * col)",
        "log": "pmi = np.log(ratio)",
    },
    wrong={
        "bits": "pmi = np.log2(ratio)",
        "undivided": "ratio = counts / (row * col)",
        "swapped": "row = joint.sum(axis=0, keepdims=True)",
    },
    returns=("pmi",),
    given=lambda: {"np": np, "counts": np.array([[6.0, 1.0, 3.0], [2.0, 8.0, 1.0], [4.0, 5.0, 9.0]])},
    means=(
        Meaning(
            "A logarithm of base 2 gives bits: 1/ln 2, about 1.44 times what it is in nats.", uses=("bits",)
        ),
        Meaning(
            "Counts that are not divided by their sum: that adds one number to every PMI, the logarithm of the sum.",
            uses=("undivided",),
        ),
        Meaning(
            "Both margins are sums of columns: a pair is compared with how often its second word comes, twice.",
            uses=("swapped",),
        ),
    ),
)
