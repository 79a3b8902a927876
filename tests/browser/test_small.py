"""Small figures: each mark of the parts that only they have stands where its number says, in every state."""

import numpy as np
import pytest

from attn.explore.small import FIGURES
from tests.browser.scales import CHARTS, axis, check_histogram, check_line, close, value_of
from tests.browser.states import Twin, states

N = 8
# What is read of each part (marks.js).
PIECES = [
    ".abh-pieces > *",
    {
        "bars": [
            "[data-row]:has(.abh-upright)",
            {"place": "rect | x width y height", "text": ".abh-num | x y", "beyond": ".abh-beyond"},
        ],
        "lines": [".abh-axes line", "y1 y2"],
        "ends": [".abh-end", "text"],
        "ticks": [".abh-tick", "x + text"],
        "disks": [".abh-share-disk", "cx cy r"],
        "words": [".abh-under-bar, .abh-over-disk", "x + text"],
        "mark": ".abh-result-mark | transform",
        "marks": [
            "[data-matrix]",
            {
                "name": "=data-matrix",
                "arrows": [".abh-arrow", "d"],
                "points": [".abh-spot", "cx cy"],
                "words": ["text", "text"],
            },
        ],
        "segments": [".abh-segment", "x1 y1 x2 y2"],
    },
]


def every_state(widget):
    """All options of each control, or both ends and some between."""
    found = []
    for name in widget.state_traits():
        control = widget.control(name)
        if "step" in control:
            found += [*states(widget, N, name), {name: control["min"]}, {name: control["max"]}]
        else:
            options = control.get("options", [(False, ""), (True, "")])
            found += [{name: value} for value, _ in options]
    return found


def check_columns(part, shown, numbers):
    values, (low, high) = numbers[part["name"]][0], part["ends"]
    first, *_, last = sorted({y for line in shown["lines"] for y in line})
    scale = lambda y: last + (np.clip(y, low, high) - low) / (high - low) * (first - last)  # noqa: E731
    ends = [f"{end:g}".replace("-", "−") for end in dict.fromkeys((low, high)) if end]
    assert shown["ends"] == ends
    assert len({y for line in shown["lines"] for y in line}) == len({low, 0, high})
    assert any(close(line, scale(0)) for line in shown["lines"]), "no line at zero"
    assert [text for _, text in shown["words"]] == [name.replace("_", "") for name in part["names"]]
    assert len(shown["bars"]) == len(values)
    for bar, value, (middle, _) in zip(shown["bars"], values, shown["words"], strict=True):
        x, wide, y, tall = bar["place"]
        assert close([y, y + tall], [scale(max(value, 0)), scale(min(value, 0))]), (part["name"], value)
        assert close(x + wide / 2, middle)
        assert close(bar["text"][0], middle)
        assert bar["text"][1] < y if value >= 0 else bar["text"][1] > y + tall
        assert bar["beyond"] == (not low <= value <= high)


def check_weights(part, shown, numbers):
    scale, _, _ = axis(shown["ticks"], value_of)
    values, weights = numbers[part["name"]][0], numbers[part["weights"]][0]
    assert [text for _, text in shown["words"]] == list(part["names"])
    for (x, _, r), (word, _), value, weight in zip(
        shown["disks"], shown["words"], values, weights, strict=True
    ):
        assert close([x, word], scale(value))
        assert close(r, max(1.5, 22 * np.sqrt(weight)))
    assert close(shown["mark"][0][0], scale(numbers[part["result"]][0, 0]))


def check_plane(part, shown, numbers):
    reach = part["ends"][1]
    placed = lambda point: 150 + 150 / reach * np.array([point[0], -point[1]])  # noqa: E731
    for mark, (name, names, _) in zip(shown["marks"], [*part["arrows"], *part["points"]], strict=True):
        assert (mark["name"], mark["words"]) == (name, list(names))
        for path, point in zip(mark["arrows"], numbers[name] if mark["arrows"] else (), strict=True):
            assert close(path[:2], [[150, 150], placed(point)])
            barbs, way = np.array([path[3], path[5]]) - placed(point), placed(point) - 150
            assert close(np.hypot(*barbs.T), 12, 0.2)  # both go back from the tip
            assert np.hypot(*way) < 1 or (barbs @ way < 0).all()
        for spot, point in zip(mark["points"], numbers[name] if mark["points"] else (), strict=True):
            assert close(spot, placed(point))
        assert np.abs(numbers[name]).max() <= reach, f"{name} leaves its picture"
    for segment, (start, end) in zip(shown["segments"], part["segments"], strict=True):
        assert close(segment, [*placed(numbers[start][0]), *placed(numbers[end][0])])


def check_curve(part, chart, numbers, state):
    assert chart["name"] == part["name"]
    x, _, _ = axis(chart["x"], lambda text: np.log2(value_of(text)) if part["power"] else value_of(text))
    y, _, _ = axis(chart["y"], value_of)
    lines = np.atleast_2d(numbers[part["name"]])
    at = np.asarray(numbers.get(part["at"], state.get(part["at"]))).item()
    assert len(chart["lines"]) == len(lines)
    for drawn, line, now, name in zip(
        chart["lines"], lines, np.ravel(numbers[f"{part['name']}_now"]), part["names"], strict=True
    ):
        places = np.linspace(*part["x"], len(line))
        check_line(drawn, x, y, np.stack([places, line], axis=1), part["ends"], (at, now), name)
        if np.isclose(places, at, atol=1e-9).any():  # the point lies on its curve
            assert np.isclose(now, line[np.isclose(places, at, atol=1e-9)][0], atol=1e-9)


@pytest.mark.parametrize("name", FIGURES)
def test_every_mark_is_where_its_number_says(mounted, name):
    widget = FIGURES[name]()
    twin, given = Twin(widget), every_state(widget)
    seen = mounted.put(widget).read(given, {"pieces": PIECES, "charts": CHARTS})
    for state, found in zip(given, seen, strict=True):
        pieces, charts = found["pieces"], iter(found["charts"])
        numbers = {key: np.asarray(value) for key, value in twin.at(state).numbers().items()}
        assert len(pieces) == len(widget.made_of)
        for part, shown in zip(widget.made_of, pieces, strict=True):
            match part["kind"]:
                case "columns":
                    check_columns(part, shown, numbers)
                case "line":
                    check_weights(part, shown, numbers)
                case "plane":
                    check_plane(part, shown, numbers)
                case "curve":
                    check_curve(part, next(charts), numbers, state)
                case "histogram":
                    shares, law = (np.ravel(numbers[part[key]]) for key in ("name", "law"))
                    high = check_histogram(next(charts), part["x"], shares, law)
                    assert close(high, part["ends"][1])


@pytest.mark.parametrize("name", FIGURES)
def test_the_words_keep_their_room_and_buttons_their_place(mounted, name):
    """On a phone, whatever the control says, the figure stays as high; Reset and Share stand beside the control."""
    widget = FIGURES[name]()
    mounted.page.set_viewport_size({"width": 360, "height": 800})
    try:
        heights = mounted.put(widget).tour([{}, *every_state(widget)], "(root) => root.offsetHeight")
        ((hand, *buttons),) = mounted.tour(
            [{}],
            """(root) =>
          [".abh-stage > .abh-full:last-of-type", "[data-action=reset]", "[data-action=share]"].map((each) => {
            const { left, right, top, bottom } = root.querySelector(each).getBoundingClientRect();
            return { left, right, top, bottom };
          })""",
        )
        mounted.page.evaluate("mounted.root().querySelector('[data-action=share]').click()")
        (wide,) = mounted.tour([{}], "(root) => root.querySelector('.abh-share').offsetWidth")
    finally:
        mounted.page.set_viewport_size({"width": 1280, "height": 900})
    assert len(set(heights)) == 1
    for box in buttons:
        assert box["bottom"] - box["top"] >= 24
        assert box["left"] >= hand["right"]
        assert hand["top"] - 12 <= box["top"] < hand["bottom"]
    assert buttons[1]["top"] >= buttons[0]["bottom"] - 0.5
    assert wide > 290, "what Share opens has all of the width"
