"""Who can hear whom in an attention that nobody looked into: what moves when a token changes."""

import itertools

import numpy as np


def moves(changes, tolerance=1e-9):
    """A leak detector that tries some changes: functions of one token."""

    def leaks(attend, x):
        before = attend(x)
        answer = np.zeros((len(x), len(x)), dtype=bool)
        for j, change in itertools.product(range(len(x)), changes):
            other = x.copy()
            other[j] = change(other[j])
            answer[:, j] |= (np.abs(attend(other) - before) > tolerance).any(axis=1)
        return answer

    return leaks


def plus(delta):
    return lambda token: token + np.asarray(delta)


both_ways = moves([plus(1), plus(-1)])


def audit_by_loops(attend, x, mask):
    found = np.zeros(mask.shape, dtype=int)
    moved = both_ways(attend, x)
    for i, j in itertools.product(range(len(x)), repeat=2):
        if moved[i, j] and not mask[i, j]:
            found[i, j] = 1
        if mask[i, j] and not moved[i, j]:
            found[i, j] = -1
    return found
