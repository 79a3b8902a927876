"""Chapter 4: two heads side by side. looks (2, n) has 1 where a head looks; values (n, 2) each; w_o (4, d_out)."""

import numpy as np

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
    return np.stack([row @ value for row, value in zip(weights, values, strict=True)])


HEAD_WEIGHTS = {
    "Does each word get a whole weight? A head has one to give away: it is shared among the words it looks at.": (
        lambda looks: looks
    ),
    "Is one sum shared by both heads? Each head has a softmax of its own, and its row sums to one.": (
        lambda looks: looks / np.sum(looks)
    ),
    "Is it divided by all words? A weight is shared among those that the head looks at.": (
        lambda looks: looks / np.shape(looks)[1]
    ),
}
HEADS = {
    "Are the values added up as they are? Multiply each by its weight first: a head gives an average.": (
        lambda looks, values_1, values_2: _each(looks, values_1, values_2)
    ),
    "Do both heads take the values of head 1? Head 2 has a W_V of its own, and so its own values.": (
        lambda weights, values_1: _each(weights, values_1, values_1)
    ),
    "Are the values exchanged? Head 1 averages the first table, head 2 the second.": (
        lambda weights, values_1, values_2: _each(weights, values_2, values_1)
    ),
}
SIDE_BY_SIDE = {
    DEALT: lambda heads: np.transpose(heads).ravel(),
    REVERSED: lambda heads: heads[::-1].ravel(),
    f"{SEVERAL}.": lambda heads: np.tile(np.mean(heads, axis=0), 2),
}
OUTPUT = {
    FIRST_ROWS: lambda heads, w_o: np.sum(heads, axis=0) @ w_o[:2],
    AVERAGED: lambda side_by_side, w_o: side_by_side @ w_o / 2,
    DEALT_ROWS: lambda heads, w_o: sum(heads[h] @ w_o[h::2] for h in range(2)),
    "Is that the share of head 1 alone? Both heads write into the output, and their shares add up.": (
        lambda heads, w_o: heads[0] @ w_o[:2]
    ),
}
