"""Chapter 9: complete a pattern with two layers, line by line."""

import numpy as np

from attn.practice.program import Meaning, Program
from attn.softmax import softmax


def _given():
    words = np.array([0, 1, 4, 2, 3, 1])  # BOS A 1 B 0 A
    sees = np.tri(6, dtype=bool)
    return {"x": np.eye(5)[words], "beta": np.array(5.0), "sees": sees, "np": np, "softmax": softmax}


INDUCTION_HEAD = Program(
    name="order.induction-head",
    title="Who stood before, and what came then",
    chapter="9",
    asks="The rows of `x` are the six words `BOS A 1 B 0 A`, one-hot. The first layer looks exactly one place back and "
    "writes the word it sees. The second matches each word with that, under a causal mask, and says the words it "
    "finds: `1` after the last `A`. `sees` is that mask.",
    head="def complete(x, beta, sees):",
    lines={
        "back": "back = np.eye(6, k=-1)",
        "before": "before = back @ x",
        "scores": "scores = beta * x @ before.T",
        "hide": "scores = np.where(sees, scores, -np.inf)",
        "weights": "weights = softmax(scores)",
        "output": "output = weights @ x",
    },
    wrong={
        "ahead": "back = np.eye(6, k=1)",
        "own": "scores = beta * x @ x.T",
        "lane": "output = weights @ before",
    },
    returns=("output",),
    given=_given,
    means=(
        Meaning(
            "Layer 1 looks one place ahead: what it writes is the word that comes, and layer 2 finds the place before "
            "a match in place of the one after it.",
            uses=("ahead",),
            lacks=("back", "own"),
        ),
        Meaning(
            "Words are matched with words, and not with what stood before them: a duplicate-token head. It finds the "
            "word that it has.",
            uses=("own",),
            lacks=("scores",),
        ),
        Meaning(
            "It says what stands in *before* at the places it finds. That lane says where to look: what was asked "
            "for comes back.",
            uses=("lane",),
            lacks=("output", "own"),
        ),
        Meaning(
            "And it says what stands in *before* at the places it finds, not the words there.",
            uses=("lane", "own"),
            lacks=("output",),
        ),
        Meaning("Nothing is hidden: a word sees those after it too.", lacks=("hide",)),
    ),
)
