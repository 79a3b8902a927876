"""Searches that try to break a claim, one instance at a time: random draws, then climbing on the violation."""

import numpy as np


def attack(violation, draw, *, seed=0, starts=150, climbs=4, rounds=40):
    """Return the largest violation found, and where.

    Parameters
    ----------
    violation : callable
        From a flat array to a number: above 0 breaks the claim.
    draw : callable
        From a generator to a flat array. Draw all that the words of the claim leave open.
    starts, climbs, rounds : int
        Random draws; how many of the best are climbed from; how many rounds each.
    """
    rng = np.random.default_rng(seed)
    tries = sorted((draw(rng) for _ in range(starts)), key=violation)
    return max((_climb(violation, x, rng, rounds) for x in tries[-climbs:]), key=lambda found: found[0])


def _climb(violation, x, rng, rounds):
    """Steps along the finite-difference gradient, single coordinates, and at random; a step is kept if it helps."""
    best, size, h = violation(x), 0.5, 1e-6
    for _ in range(rounds):
        before = best
        slope = np.array([(violation(x + h * e) - best) / h for e in np.eye(len(x))])
        length = np.linalg.norm(slope)
        moves = [size * slope / length] if np.isfinite(length) and length > 0 else []
        moves += [size * rng.choice([-1, 1]) * np.eye(len(x))[rng.integers(len(x))] for _ in range(4)]
        moves += [size * rng.normal(size=len(x)) for _ in range(2)]
        for move in moves:
            value = violation(x + move)
            if value > best:
                best, x = value, x + move
        size *= 1.3 if best > before else 0.6
    return best, x
