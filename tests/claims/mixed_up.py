"""The turn of a bug report: angles f₀ f₁ … f₀ f₁ … on pairs of neighbors, so that each number of a pair has its own."""

import numpy as np


def mixed_up(x, places, clocks):
    """Turn rows of x so: x (..., d), places a number or (..., 1), clocks (d/2,) in radians a place."""
    angles = places * np.concatenate([clocks, clocks])
    partner = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + partner * np.sin(angles)
