"""Chapter 6: back through a softmax, and the loss of one row. p, d_p, x (n,): weights, ∂L/∂p, numbers of tokens."""

import numpy as np

from attn.practice.mistakes.attention import NO_DIVISION
from attn.softmax import softmax

AVERAGE = {
    "Is that the plain average? Each derivative counts as often as its weight says.": (
        lambda d_p: np.mean(d_p)
    ),
    "Are the derivatives added up as they are? Multiply each by its weight first.": lambda d_p: np.sum(d_p),
    "Is that the average of the tokens' numbers x? Here the derivatives ∂L/∂p are averaged.": (
        lambda p, x: np.ravel(p) @ np.ravel(x)
    ),
}
APART = {
    "Is the average added? The question is how far each derivative differs from it: take it away.": (
        lambda d_p, average: d_p + average
    ),
    "Is the difference taken the other way round? It is the derivative minus the average.": (
        lambda d_p, average: average - d_p
    ),
    "Is the plain average taken away? Take the average of the step before, where the weights count.": (
        lambda d_p: d_p - np.mean(d_p)
    ),
}
D_S = {
    "Is the weight missing? The difference is multiplied by the token's own weight p.": (
        lambda d_p, average: d_p - average
    ),
    "Is the average left out? A score moves all weights of its row, because they share a sum of 1.": (
        lambda p, d_p: p * d_p
    ),
    "Is only the token's own weight moved? When one weight grows, the others shrink, and their derivatives count "
    "too.": lambda p, d_p: p * (1 - p) * d_p,
}
D_Q = {
    "Are the derivatives of the scores added up? That is the slope of adding a constant to all scores, which "
    "changes nothing. Multiply each by its x.": lambda d_s: np.sum(d_s),
    "Are those the derivatives of the weights? The query moves the scores: take ∂L/∂s.": (
        lambda x, d_p: np.ravel(x) @ np.ravel(d_p)
    ),
    "Is that divided by the number of tokens? The slopes add up, undivided.": (
        lambda x, d_s: np.mean(np.ravel(x) * np.ravel(d_s))
    ),
}

# ------------------------------------------------------------------------------------------- one row's loss

PROBABILITIES = {
    NO_DIVISION: lambda exponentials: exponentials,
    "Is it divided by the largest? Divide by the sum of all three, so that the row sums to one.": (
        lambda exponentials: exponentials / np.max(exponentials)
    ),
    "Is e raised to these numbers once more? They are powers of e already: divide each by their sum.": (
        lambda exponentials: softmax(exponentials)
    ),
}
LOSS = {
    "Is the minus missing? The logarithm of a probability is negative, and the loss is minus that.": (
        lambda probabilities, target: np.log((probabilities * target).sum())
    ),
    "Is the logarithm one with base 2? The loss takes the natural one, and is measured in nats.": (
        lambda probabilities, target: -np.log2((probabilities * target).sum())
    ),
    "Is that what is missing from a probability of 1? The loss is minus its logarithm.": (
        lambda probabilities, target: 1 - (probabilities * target).sum()
    ),
    "Is that the loss of the likeliest answer? It is the right answer's probability that counts.": (
        lambda probabilities: -np.log(np.max(probabilities))
    ),
}
D_Z = {
    "Is the right answer left out? Its own derivative is its probability minus 1.": (
        lambda probabilities: probabilities
    ),
    "Is the sign reversed? That is the way downhill; the derivative points uphill.": (
        lambda probabilities, target: target - probabilities
    ),
    "Do the other logits not move the loss? They do: what they take, the right answer lacks.": (
        lambda probabilities, target: (probabilities - 1) * target
    ),
}
