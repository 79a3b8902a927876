"""Chapter 2: from queries and keys to weights, with a scale and a softmax that stands large scores."""

import numpy as np

from attn.practice.program import Meaning, Program


def _given():
    """Scores near 800, where a plain exponential overflows."""
    rng = np.random.default_rng(2)
    q, k = rng.normal(size=(3, 4)) + 20, rng.normal(size=(5, 4)) / 20 + 20
    return {"np": np, "q": q, "k": k}


WEIGHTS = Program(
    name="order.scaled-weights",
    title="From queries and keys to weights",
    chapter="2",
    asks="The weights of three queries on five keys, with the scale 1/√d. Scores may be as large as 800.",
    head="def weights(q, k):",
    lines={
        "size": "d = q.shape[1]",
        "products": "s = q @ k.T",
        "scale": "s = s / np.sqrt(d)",
        "shift": "s = s - s.max(axis=1, keepdims=True)",
        "powers": "e = np.exp(s)",
        "weights": "w = e / e.sum(axis=1, keepdims=True)",
    },
    wrong={
        "rows": "d = q.shape[0]",
        "full": "s = s / d",
    },
    returns=("w",),
    given=_given,
    means=(
        Meaning(
            "`d` is the number of queries here: the scale follows the length of the text.", uses=("rows",)
        ),
        Meaning(
            "Divided by the root and by d: the scores are too small, and the weights too even.",
            uses=("full", "scale"),
        ),
        Meaning(
            "Divided by d in place of its root: the scores are too small, and the weights too even.",
            uses=("full",),
            lacks=("scale",),
        ),
        Meaning(
            "Not scaled: the scores grow with d, and the largest takes too much.", lacks=("full", "scale")
        ),
        Meaning(
            "In 64 bits an exponential overflows from about 710 on: take the largest score away first.",
            broken=True,
        ),
    ),
)
