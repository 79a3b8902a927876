"""Chapter 8: attention with turned queries and keys, line by line."""

import numpy as np

from attn.practice.program import Meaning, Program
from attn.softmax import softmax


def _aside(x):
    """Each pair (x, y) of neighbors as (−y, x)."""
    return np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)


def _halves(x):
    """The same where number i is paired with the number half a row on."""
    half = x.shape[1] // 2
    return np.concatenate([-x[:, half:], x[:, :half]], axis=1)


def _given():
    rng = np.random.default_rng(8)
    values = {name: rng.normal(size=(3, 4)) for name in "qkv"}
    return values | {
        "p": np.array([2, 3, 4]), "clocks": np.array([2.0, 0.5]), "np": np, "softmax": softmax, "aside": _aside,
        "halves": _halves,
    }  # fmt: skip


ROTARY_ATTENTION = Program(
    name="order.rotary-attention",
    title="Turn, then attend",
    chapter="8",
    asks="Three words stand at the places `p`. Queries and keys turn, pair by pair, neighbors being a pair: a pair "
    "turns by its clock's angle times the place. `aside` makes each pair (x, y) into (−y, x), and `halves` does that "
    "with number i and the one half a row on.",
    head="def attend(q, k, v, p, clocks):",
    lines={
        "angles": "angles = np.outer(p, clocks.repeat(2))",
        "waves": "cos, sin = np.cos(angles), np.sin(angles)",
        "q": "asks = q * cos + aside(q) * sin",
        "k": "keys = k * cos + aside(k) * sin",
        "output": "output = softmax(asks @ keys.T / 2) @ v",
    },
    wrong={
        "mixed": "angles = np.outer(p, np.tile(clocks, 2))",
        "halves": "keys = k * cos + halves(k) * sin",
        "v": "v = v * cos + aside(v) * sin",
    },
    returns=("output",),
    given=_given,
    means=(
        Meaning(
            "The angles go f₀ f₁ f₀ f₁ along a row, and neighbors are a pair: its two numbers turn by two angles. "
            "Lengths change, and scores depend on where the words stand.",
            uses=("mixed",),
            lacks=("angles",),
        ),
        Meaning(
            "`halves` takes the partner from half a row on, but the angles are laid out for neighbors: numbers i and "
            "i + 2 of a key don't share an angle, and don't turn as in the query. Away from position 0, query and key "
            "don't meet as they should.",
            uses=("halves",),
            lacks=("k", "mixed"),
        ),
        Meaning(
            "The key is turned as code for halves does it, and the query is not: query and key don't meet as they "
            "should.",
            uses=("halves", "mixed"),
            lacks=("k", "angles"),
        ),
        Meaning(
            "The values are turned as well: what is averaged depends on where the words stand, and so does the "
            "output.",
            uses=("v",),
        ),
    ),
)
