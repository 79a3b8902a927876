"""Chapter 5: four pairs on a segment, and votes. ends (2, 2): the values of bit 0 and bit 1; readout (2,); bias."""

import numpy as np

from attn.practice.mistakes import Mistake

BITS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])  # as in attn.xor

NOT_LOUDER = "No token is louder than another here: the vote is multiplied by e^score."
DIVIDED = (
    "These are divided by the softmax's sum. The sum depends on every token, so a vote would depend on the others; it "
    "is positive, so leave it out: the sign stays."
)
BIAS_AFTER = (
    "The bias is added after the exponential. It should be multiplied by it: e^s (readout · x + bias)."
)
NO_BIAS = "The bias is left out."


def _of(number):
    return float(np.ravel(number)[0])


POINTS = {
    "summed": Mistake(
        lambda ends: np.asarray(ends)[BITS].sum(axis=1),
        "Are the two values added? Each has the weight one half: the point lies in the middle between them.",
    ),
    "first-alone": Mistake(
        lambda ends: np.asarray(ends)[BITS[:, 0]],
        "Is that the value of the first bit alone? Both bits have the same weight.",
    ),
    "difference": Mistake(
        lambda ends: (np.asarray(ends)[BITS[:, 0]] - np.asarray(ends)[BITS[:, 1]]) / 2,
        "Is one value taken away from the other? Weights are positive: an average adds.",
    ),
}
MARGINS = {
    "no-bias": Mistake(
        lambda points, readout: np.asarray(points) @ np.ravel(readout),
        f"{NO_BIAS} It moves all four numbers by the same amount.",
    ),
    "bias-each": Mistake(
        lambda points, readout, bias: np.asarray(points) @ np.ravel(readout) + 2 * _of(bias),
        "Is the bias added twice? It is added once, to the sum of the two products.",
    ),
    "first-number": Mistake(
        lambda points, readout, bias: np.asarray(points)[:, 0] * np.ravel(readout)[0] + _of(bias),
        "Is the second number of the point left out? The readout has a number for each.",
    ),
}
SAYS = {
    "wished": Mistake(
        lambda: BITS[:, 0] ^ BITS[:, 1],
        "Is that what XOR should be? The question is what this network says: 1 where its number is above 0.",
    ),
    "turned": Mistake(
        lambda margins: np.ravel(margins) < 0,
        "Is it the wrong way round? The network says 1 where its number is above 0.",
    ),
    "all-one": Mistake(
        lambda: np.ones(4), "Does it say 1 everywhere? Where its number is below 0 it says 0."
    ),
}

# -------------------------------------------------------------------------------------------------- votes

VOTE_MARGINS = {
    "no-bias": Mistake(
        lambda x, readout: _of(readout) * np.ravel(x),
        f"{NO_BIAS} It is part of every vote: bias = Σ weight · bias, since weights sum to one.",
    ),
    "bias-first": Mistake(
        lambda x, readout, bias: _of(readout) * (np.ravel(x) + _of(bias)),
        "Is the bias added before the readout? It comes after: readout · x + bias.",
    ),
    "bias-away": Mistake(
        lambda x, readout, bias: _of(readout) * np.ravel(x) - _of(bias),
        "Is the bias taken away? It is added, with the sign that it has.",
    ),
}
VOTES = {
    "not-louder": Mistake(lambda margins: margins, NOT_LOUDER),
    "bias-after": Mistake(
        lambda loud, x, readout, bias: np.ravel(loud) * _of(readout) * np.ravel(x) + _of(bias), BIAS_AFTER
    ),
    "divided": Mistake(lambda loud, margins: np.ravel(loud) / np.sum(loud) * np.ravel(margins), DIVIDED),
    "added": Mistake(
        lambda loud, margins: np.ravel(loud) + np.ravel(margins),
        "Is the loudness added? A token that is twice as loud counts twice: multiply.",
    ),
}
VOTED = {
    "sum": Mistake(
        lambda votes: np.sum(votes),
        "Is that the sum of the votes? It has the right sign; the output is that sum divided by the sum of the e^s.",
    ),
    "by-tokens": Mistake(
        lambda votes: np.mean(votes),
        "Is the sum of the votes divided by the number of tokens? Divide by the sum of the e^s.",
    ),
    "plain-mean": Mistake(
        lambda margins: np.mean(margins),
        "Is that the plain average of readout · x + bias? The louder tokens count for more.",
    ),
}
