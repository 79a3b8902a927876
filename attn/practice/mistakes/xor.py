"""Chapter 5: four pairs on a segment, and votes. ends (2, 2): the values of bit 0 and bit 1; readout (2,); bias."""

import numpy as np

BITS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])  # as in attn.xor

NOT_LOUDER = "No token is louder than another here: the vote is multiplied by e^score."
DIVIDED = (
    "These are divided by the softmax's sum. The sum depends on every token, so a vote would depend on the others; it "
    "is positive, so leave it out: the sign stays."
)
BIAS_AFTER = (
    "The bias is added after the exponential. It should be multiplied by it: e^s (readout · x + bias)."
)
NO_BIAS = "The bias is left out. It is part of every vote: bias = Σ weight · bias, since weights sum to one."


POINTS = {
    "Are the two values added? Each has the weight one half: the point lies in the middle between them.": (
        lambda ends: ends[BITS].sum(axis=1)
    ),
    "Is that the value of the first bit alone? Both bits have the same weight.": (
        lambda ends: ends[BITS[:, 0]]
    ),
    "Is one value taken away from the other? Weights are positive: an average adds.": (
        lambda ends: (ends[BITS[:, 0]] - ends[BITS[:, 1]]) / 2
    ),
}
MARGINS = {
    "The bias is left out. It moves all four numbers by the same amount.": (
        lambda points, readout: points @ np.ravel(readout)
    ),
    "Is the bias added twice? It is added once, to the sum of the two products.": (
        lambda points, readout, bias: points @ np.ravel(readout) + 2 * bias
    ),
    "Is the second number of the point left out? The readout has a number for each.": (
        lambda points, readout, bias: points[:, 0] * np.ravel(readout)[0] + bias
    ),
}
SAYS = {
    "Is that what XOR should be? The question is what this network says: 1 where its number is above 0.": (
        lambda: BITS[:, 0] ^ BITS[:, 1]
    ),
    "Is it the wrong way round? The network says 1 where its number is above 0.": (
        lambda margins: np.ravel(margins) < 0
    ),
    "Does it say 1 everywhere? Where its number is below 0 it says 0.": lambda: np.ones(4),
}

# -------------------------------------------------------------------------------------------------- votes

VOTE_MARGINS = {
    NO_BIAS: lambda x, readout: readout * np.ravel(x),
    "Is the bias added before the readout? It comes after: readout · x + bias.": (
        lambda x, readout, bias: readout * (np.ravel(x) + bias)
    ),
    "Is the bias taken away? It is added, with the sign that it has.": (
        lambda x, readout, bias: readout * np.ravel(x) - bias
    ),
}
VOTES = {
    NOT_LOUDER: lambda margins: margins,
    BIAS_AFTER: lambda loud, x, readout, bias: np.ravel(loud) * readout * np.ravel(x) + bias,
    DIVIDED: lambda loud, margins: np.ravel(loud) / np.sum(loud) * np.ravel(margins),
    "Is the loudness added? A token that is twice as loud counts twice: multiply.": (
        lambda loud, margins: np.ravel(loud) + np.ravel(margins)
    ),
}
VOTED = {
    "Is that the sum of the votes? It has the right sign; the output is that sum divided by the sum of the e^s.": (
        lambda votes: np.sum(votes)
    ),
    "Is the sum of the votes divided by the number of tokens? Divide by the sum of the e^s.": (
        lambda votes: np.mean(votes)
    ),
    "Is that the plain average of readout · x + bias? The louder tokens count for more.": (
        lambda margins: np.mean(margins)
    ),
}
