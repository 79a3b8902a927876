"""The worksheet of chapter 5 once more, without `attn`: one function a problem, given -> answers."""

from fractions import Fraction

from tests.unit.by_hand.arithmetic import dot

PAIRS = [(0, 0), (1, 0), (0, 1), (1, 1)]


def judged(outputs):
    right = sum((output > 0) == (a != b) for output, (a, b) in zip(outputs, PAIRS, strict=True))
    return {"right": right, "ends": outputs[0] + outputs[3], "middle": outputs[1] + outputs[2]}


def rope(ends, readout, bias):
    points = [[(ends[a][i] + ends[b][i]) / 2 for i in range(2)] for a, b in PAIRS]
    outputs = [dot(point, readout) + bias for point in points]
    return {
        "points": points,
        "output": outputs,
        "says": [output > 0 for output in outputs],
        **judged(outputs),
    }


def votes(one, two, noise):
    sums = [one[a] + two[b] + noise for a, b in PAIRS]
    return {"sums": sums, **judged(sums)}


def ways_out(low, high):
    half = (high - low) / 2
    return {
        "two_heads": [0, high - low, high - low, 0],
        "residual": [0, -half, -half, 0],
        "mean": [-half, 0, 0, half],
        "relu": [half, 0, 0, half],
    }


def broken_vote(one, two, loud, gain):
    shouts = [1 if b else loud for _, b in PAIRS]
    numerators = [one[a] + shout * two[b] for shout, (a, b) in zip(shouts, PAIRS, strict=True)]
    return {
        "weight": [Fraction(shout, 1 + shout) for shout in shouts],
        "output": [
            Fraction(numerator, 1 + shout) + gain * a
            for numerator, shout, (a, _) in zip(numerators, shouts, PAIRS, strict=True)
        ],
        "says": [0, 1, 1, 0],
        "votes": numerators,
        "ends": one[0] + one[1] + loud * two[0] + two[1],
        "middle": one[0] + one[1] + loud * two[0] + two[1],
    }


PROBLEMS = (rope, votes, ways_out, broken_vote)
