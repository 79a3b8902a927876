"""Chapter 6: back through a softmax, and the loss of one row. p, d_p, x (n,): weights, ∂L/∂p, numbers of tokens."""

import numpy as np

from attn.practice.mistakes import Mistake
from attn.practice.mistakes.attention import NO_DIVISION
from attn.softmax import softmax

AVERAGE = {
    "plain-mean": Mistake(
        lambda d_p: np.mean(d_p),
        "Is that the plain average? Each derivative counts as often as its weight says.",
    ),
    "sum": Mistake(
        lambda d_p: np.sum(d_p),
        "Are the derivatives added up as they are? Multiply each by its weight first.",
    ),
    "numbers": Mistake(
        lambda p, x: np.ravel(p) @ np.ravel(x),
        "Is that the average of the tokens' numbers x? Here the derivatives ∂L/∂p are averaged.",
    ),
}
APART = {
    "added": Mistake(
        lambda d_p, average: np.asarray(d_p) + average,
        "Is the average added? The question is how far each derivative differs from it: take it away.",
    ),
    "turned": Mistake(
        lambda d_p, average: average - np.asarray(d_p),
        "Is the difference taken the other way round? It is the derivative minus the average.",
    ),
    "plain-mean": Mistake(
        lambda d_p: np.asarray(d_p) - np.mean(d_p),
        "Is the plain average taken away? Take the average of the step before, where the weights count.",
    ),
}
D_S = {
    "no-weight": Mistake(
        lambda d_p, average: np.asarray(d_p) - average,
        "Is the weight missing? The difference is multiplied by the token's own weight p.",
    ),
    "no-average": Mistake(
        lambda p, d_p: np.asarray(p) * d_p,
        "Is the average left out? A score moves all weights of its row, because they share a sum of 1.",
    ),
    "own-alone": Mistake(
        lambda p, d_p: np.asarray(p) * (1 - np.asarray(p)) * d_p,
        "Is only the token's own weight moved? When one weight grows, the others shrink, and their derivatives count "
        "too.",
    ),
}
D_Q = {
    "no-key": Mistake(
        lambda d_s: np.sum(d_s),
        "Are the derivatives of the scores added up? That is the slope of adding a constant to all scores, which "
        "changes nothing. Multiply each by its x.",
    ),
    "of-weights": Mistake(
        lambda x, d_p: np.ravel(x) @ np.ravel(d_p),
        "Are those the derivatives of the weights? The query moves the scores: take ∂L/∂s.",
    ),
    "mean": Mistake(
        lambda x, d_s: np.mean(np.ravel(x) * np.ravel(d_s)),
        "Is that divided by the number of tokens? The slopes add up, undivided.",
    ),
}

# ------------------------------------------------------------------------------------------- one row's loss


def _right(probabilities, target):
    return float(np.ravel(probabilities) @ np.ravel(target))


PROBABILITIES = {
    "undivided": Mistake(lambda exponentials: exponentials, NO_DIVISION),
    "by-largest": Mistake(
        lambda exponentials: np.asarray(exponentials) / np.max(exponentials),
        "Is it divided by the largest? Divide by the sum of all three, so that the row sums to one.",
    ),
    "twice": Mistake(
        lambda exponentials: softmax(exponentials),
        "Is e raised to these numbers once more? They are powers of e already: divide each by their sum.",
    ),
}
LOSS = {
    "sign": Mistake(
        lambda probabilities, target: np.log(_right(probabilities, target)),
        "Is the minus missing? The logarithm of a probability is negative, and the loss is minus that.",
    ),
    "bits": Mistake(
        lambda probabilities, target: -np.log2(_right(probabilities, target)),
        "Is the logarithm one with base 2? The loss takes the natural one, and is measured in nats.",
    ),
    "one-minus": Mistake(
        lambda probabilities, target: 1 - _right(probabilities, target),
        "Is that what is missing from a probability of 1? The loss is minus its logarithm.",
    ),
    "largest": Mistake(
        lambda probabilities: -np.log(np.max(probabilities)),
        "Is that the loss of the likeliest answer? It is the right answer's probability that counts.",
    ),
}
D_Z = {
    "no-target": Mistake(
        lambda probabilities: probabilities,
        "Is the right answer left out? Its own derivative is its probability minus 1.",
    ),
    "turned": Mistake(
        lambda probabilities, target: np.asarray(target) - probabilities,
        "Is the sign reversed? That is the way downhill; the derivative points uphill.",
    ),
    "right-alone": Mistake(
        lambda probabilities, target: (np.asarray(probabilities) - 1) * target,
        "Do the other logits not move the loss? They do: what they take, the right answer lacks.",
    ),
}
