"""The scale of a picture, read from what it says of itself: its ticks; and what stands on it."""

import numpy as np

#: What is read of each chart, in the picture's units (marks.js): its ticks with their words, and what is drawn.
CHARTS = [
    ".abh-curves",
    {
        "name": "=data-curves",
        "x": [".abh-axes line:not(.abh-grid) + text", "x + text"],
        "strokes": [".abh-axes line:not(.abh-grid)", "x1 x2"],
        "y": [".abh-axes line.abh-grid", "y1 + ~text"],
        "grid": [".abh-axes line.abh-grid", "x1 x2 y1 y2"],
        "lines": [
            "path.abh-curve",
            {"points": "d", "now": "~?cx cy", "tag": "~~x y", "label": "~~text"},
        ],
        "bins": ["rect.abh-bin", "x width y height"],
        "dots": ["circle.abh-bin-dot", "cx cy"],
    },
]
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


def check_line(line, x, y, points, ends, now, label):
    """A curve of a chart passes where its axes say, cut at their ends; its present point lies there, too."""
    points = np.array(points, dtype=float)
    assert close(line["points"], np.stack([x(points[:, 0]), y(points[:, 1].clip(*ends))], axis=1)), label
    assert (line["now"] is None) == (now is None), label
    if now:
        assert close(line["now"], [x(now[0]), y(np.clip(now[1], *ends))]), label
    if label is not None:
        assert line["label"] == label.replace("_", "")  # the index of d_k is below the line


def check_histogram(chart, ends, shares, law):
    """Bins are as tall as their shares, a gap of one apart; the dots of a law stand over their middles."""
    x, _, _ = axis(chart["x"], value_of)
    y, _, high = axis(chart["y"], value_of)
    edges = np.linspace(*ends, len(shares) + 1)
    left, wide, top, tall = np.array(chart["bins"]).T
    assert close(left - x(edges[:-1]), 0.5)
    assert close(wide, x(edges[1:]) - x(edges[:-1]) - 1)
    assert close(top, y(shares.clip(0, high)))
    assert close(top + tall, y(0), 2 * ROUNDED)
    assert close(chart["lines"][0]["points"], chart["dots"])
    assert close(chart["dots"], np.stack([x((edges[1:] + edges[:-1]) / 2), y(law.clip(0, high))], axis=1))
    return high
