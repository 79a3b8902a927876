"""The scale of a picture, read from what it says of itself: its ticks."""

import numpy as np

ROUNDED = 0.06  # of a picture's units: places have one decimal


def value_of(text):
    """The number that a tick states."""
    return float(text.replace("−", "-").replace(",", ""))


def close(got, wanted, slack=ROUNDED):
    return np.allclose(np.asarray(got, dtype=float), np.asarray(wanted, dtype=float), rtol=0, atol=slack)


def axis(ticks, read):
    """The scale of an axis, from its first tick and its last; the others stand on it."""
    places, values = [place for place, _ in ticks], [read(text) for _, text in ticks]
    slope = (places[-1] - places[0]) / (values[-1] - values[0])
    assert slope != 0
    scale = lambda value: places[0] + slope * (np.asarray(value, dtype=float) - values[0])  # noqa: E731
    assert close(places, scale(values)), ticks
    return scale, min(values), max(values)
