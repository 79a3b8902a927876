"""What the computations beside this file share: sums and exponentials, without NumPy or `attn`."""

import math


def dot(one, two):
    return sum(float(a) * float(b) for a, b in zip(one, two, strict=True))


def shares(scores):
    """Softmax, without a shift: the scores are small."""
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def mixed(weights, rows):
    return [dot(weights, column) for column in zip(*rows, strict=True)]
