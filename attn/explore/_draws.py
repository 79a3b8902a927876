"""The chance in the explorables: a small seeded generator that the browser has too (``normals`` in js/core.js).

A reader may ask for a new draw without Python near, and what the page then shows is still NumPy's answer: the whole
numbers are the same to the bit, the normal numbers to the rounding of one logarithm and one sine.
"""

import math

import numpy as np

_STEP = np.uint32(0x9E3779B9)


def _mix(x: np.ndarray) -> np.ndarray:
    """Stir 32 bits: lowbias32 by Chris Wellons, a bijection of the whole numbers below 2³²."""
    x = x ^ (x >> np.uint32(16))
    x = x * np.uint32(0x21F0AAAD)
    x = x ^ (x >> np.uint32(15))
    x = x * np.uint32(0x735A2D97)
    return x ^ (x >> np.uint32(15))


def whole(seed: int, count: int) -> np.ndarray:
    """Return the first `count` random whole numbers below 2³² of stream `seed`."""
    return _mix(_mix(np.array([seed], dtype=np.uint32)) + np.arange(count, dtype=np.uint32) * _STEP)


def normals(seed: int, count: int) -> np.ndarray:
    """Return the first `count` (an even number) standard normal numbers of stream `seed`, by Box and Muller."""
    uniform = (whole(seed, count) + 0.5) / 2**32  # inside (0, 1)
    radius, angle = np.sqrt(-2 * np.log(uniform[0::2])), 2 * np.pi * uniform[1::2]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).ravel()


def in_bins(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The share of values in each bin, (1, n); what lies beyond is counted in the first and the last."""
    inside = np.clip(values, edges[0], np.nextafter(edges[-1], 0))
    return np.histogram(inside, edges)[0][None] / len(values)


def normal_in_bins(edges: np.ndarray, deviation: float, mean: float = 0.0) -> np.ndarray:
    """The normal law's share in each bin, (1, n); all of it lies between the first edge and the last."""
    below = np.array([math.erf((edge - mean) / (deviation * math.sqrt(2))) for edge in edges])
    below[0], below[-1] = -1, 1
    return np.diff(below)[None] / 2
