"""Chapter 4: two heads side by side. looks (2, n) has 1 where a head looks; values (n, 2) each; w_o (4, d_out)."""

import numpy as np

from attn.practice.mistakes import Mistake

SEVERAL = "Are they averaged over the heads? Each head has its own numbers, and they stand side by side"
DEALT = "Columns are dealt out to the heads like cards; each head owns a block of neighbors."
FIRST_ROWS = (
    "All heads go through the first rows of W_O here; each has d_v rows of its own, in the heads' order."
)
DEALT_ROWS = "Head h owns a block of neighboring rows of W_O, not every n_heads-th row."
AVERAGED = "The shares are averaged: heads add up, so nothing is divided by their number."
REVERSED = "The heads are in reverse order: the first block is the first head's."


def _each(weights, *values):
    """Row h: the weights of head h times the values of head h."""
    return np.stack([row @ np.asarray(value) for row, value in zip(weights, values, strict=True)])


HEAD_WEIGHTS = {
    "undivided": Mistake(
        lambda looks: looks,
        "Does each word get a whole weight? A head has one to give away: it is shared among the words it looks at.",
    ),
    "both-heads": Mistake(
        lambda looks: np.asarray(looks) / np.sum(looks),
        "Is one sum shared by both heads? Each head has a softmax of its own, and its row sums to one.",
    ),
    "all-words": Mistake(
        lambda looks: np.asarray(looks) / np.shape(looks)[1],
        "Is it divided by all words? A weight is shared among those that the head looks at.",
    ),
}
HEADS = {
    "sum": Mistake(
        lambda looks, values_1, values_2: _each(looks, values_1, values_2),
        "Are the values added up as they are? Multiply each by its weight first: a head gives an average.",
    ),
    "one-set": Mistake(
        lambda weights, values_1: _each(weights, values_1, values_1),
        "Do both heads take the values of head 1? Head 2 has a W_V of its own, and so its own values.",
    ),
    "crossed": Mistake(
        lambda weights, values_1, values_2: _each(weights, values_2, values_1),
        "Are the values exchanged? Head 1 averages the first table, head 2 the second.",
    ),
}
SIDE_BY_SIDE = {
    "dealt": Mistake(lambda heads: np.transpose(heads).ravel(), DEALT),
    "reversed": Mistake(lambda heads: np.asarray(heads)[::-1].ravel(), REVERSED),
    "averaged": Mistake(lambda heads: np.tile(np.mean(heads, axis=0), 2), f"{SEVERAL}."),
}
OUTPUT = {
    "first-rows": Mistake(lambda heads, w_o: np.sum(heads, axis=0) @ np.asarray(w_o)[:2], FIRST_ROWS),
    "averaged": Mistake(lambda side_by_side, w_o: np.atleast_2d(side_by_side) @ w_o / 2, AVERAGED),
    "dealt-rows": Mistake(
        lambda heads, w_o: sum(np.asarray(heads)[h] @ np.asarray(w_o)[h::2] for h in range(2)), DEALT_ROWS
    ),
    "one-head": Mistake(
        lambda heads, w_o: np.asarray(heads)[0] @ np.asarray(w_o)[:2],
        "Is that the share of head 1 alone? Both heads write into the output, and their shares add up.",
    ),
}
