"""Chapter 6: one step of gradient descent on a query, with the softmax's Jacobian by hand."""

import numpy as np

from attn.practice.program import Meaning, Program
from attn.softmax import softmax


def _given():
    rng = np.random.default_rng(6)
    names = {"q": (3,), "k": (4, 3), "v": (4, 2), "wanted": (2,)}
    return {name: rng.normal(size=shape) for name, shape in names.items()} | {"softmax": softmax}


STEP = Program(
    name="order.training-step",
    title="A training step",
    chapter="6",
    asks="One step of gradient descent on the query `q`, of size 0.1. The loss is half the squared distance "
    "of `y` from `wanted`.",
    head="def step(q, k, v, wanted):",
    lines={
        "weights": "w = softmax(k @ q)",
        "output": "y = w @ v",
        "dy": "dy = y - wanted",
        "dw": "dw = v @ dy",
        "ds": "ds = w * (dw - w @ dw)",
        "dq": "dq = ds @ k",
        "step": "q = q - 0.1 * dq",
    },
    wrong={
        "jacobian": "ds = dw",
        "uphill": "q = q + 0.1 * dq",
        "diagonal": "ds = w * dw",
    },
    returns=("q",),
    given=_given,
    means=(
        Meaning(
            "The softmax's Jacobian is left out: as if a score moved its own weight alone, one for one.",
            uses=("jacobian",),
        ),
        Meaning(
            "Half of the softmax's Jacobian: a score raises its own weight, and takes nothing from the others.",
            uses=("diagonal",),
        ),
        Meaning("The step goes up the slope in place of down.", uses=("uphill",)),
        Meaning("No step is taken: the query is what it was.", lacks=("step", "uphill")),
    ),
)
