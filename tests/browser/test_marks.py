"""Every mark of a figure follows from its number and a scale: length, side, place, thickness, color, and its words.

The numbers are NumPy's, from the figure's Python twin. The scale is read from the picture: from two ticks of its axes,
from the rim of a clock, from what is written at an edge. A plane has no ticks: it goes from −3.4 to 3.4, on paper too.
"""

import math
import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

from attn._numbers import number, weight
from attn.explore import Induction, Masking, MultiHead, PositionalEncoding, Rotary, XorLab
from attn.explore.xor import PRESETS
from tests.browser.explorables import DRAWN, EXPLORABLES, SMALL, STANDS_ON
from tests.browser.scales import CHARTS, ROUNDED, axis, check_line, close, value_of
from tests.browser.states import Twin, states, whole

# What a ladder stands on is drawn by the figure's own view.
FIGURES = [name for name in DRAWN if STANDS_ON.get(name, name) == name]
N = 6  # states of each figure
REACH = 3.4  # of a plane


# ---------------------------------------------------------------- every number as text


def rounds_to(text, value):
    """Whether a text is a number, rounded to what it shows of it: two decimals, or one; and at least two digits."""
    text = text.replace("−", "-").replace(",", "")
    if bound := re.match(r"([<>])(\.\d+)$|^<(\.\d+) ", text):
        edge = float(bound[2] or bound[3])
        return value > edge if bound[1] == ">" else 0 <= value < edge
    if part := re.fullmatch(r"(\d) of (\d)", text):
        return value == int(part[1]) / int(part[2])
    found = re.match(r"\(?([+-]?\d*(?:\.(\d+))?(?:e(-?\d+))?)( million)?", text)
    size = 1e6 if found[4] else 10.0 ** int(found[3] or 0)
    away = abs(float(found[1]) * (1e6 if found[4] else 1) - value)
    return away <= (0.5 + 1e-9) * size * 10.0 ** -len(found[2] or "") and away <= max(0.05, 0.05 * abs(value))


# What a slider stands for, where it isn't its own number.
STANDS_FOR = {
    ("InductionReplay", "record"): lambda value, widget: widget.history["steps"][int(value)],
    ("ScoreVariance", "log2_d_k"): lambda value, widget: 2 ** int(value),
    ("TrainingReplay", "record"): lambda value, widget: widget.steps[int(value)],
}


def at(value, path):
    for step in path:
        value = value[int(step)]
    return value


SUMS = [
    "tr:has(> td.abh-sum)",
    {"values": ["td[data-row]", "data-value"], "text": ".abh-sum | text", "off": ".abh-sum | .abh-off"},
]
SLIDERS = [
    ".abh-slider",
    {"name": "input | =name", "min": "input | min", "max": "input | max", "text": ".abh-value | text"},
]


@pytest.mark.parametrize("name", FIGURES)
def test_every_number_is_written_as_it_is(mounted, name):
    widget = EXPLORABLES[name].example()
    given = states(widget, N, name, opened=True)
    found = zip(
        mounted.put(widget).tour(given, "marks.numbers"),
        mounted.read(given, SUMS),
        mounted.read(given, SLIDERS),
        strict=True,
    )
    for state, (numbers, sums, sliders) in zip(given, found, strict=True):
        assert len(numbers) > 5 or name in SMALL
        for entry in numbers:
            text, value = entry["text"], entry["value"]
            if entry.get("heat") or value == -math.inf:
                assert text == ("" if entry.get("heat") else "−∞"), f"{entry} in {state}"
            else:
                assert rounds_to(text.removesuffix("moves"), value), f"{entry} in {state}"
        for row in sums:
            total = math.fsum(row["values"])
            full = abs(total - 1) < 1e-9
            assert row == row | {"text": f"Σ {weight(1 if full else total)}", "off": not full}, state
        for entry in sliders:
            trait, *path = entry["name"].split(".")
            value = min(max(at(state[trait], path), entry["min"]), entry["max"])
            if power := widget.control(trait).get("power"):  # it moves an exponent
                value = power**value
            if stands_for := STANDS_FOR.get((name, trait)):
                value = stands_for(value, widget)
            assert rounds_to(entry["text"], value), f"{entry} in {state}"


# ---------------------------------------------------------------- charts


def wave_paths(figure, state):
    d, dimension = state["d_model"], min(state["dimension"], state["d_model"] - 1)
    pair = dimension // 2 if state["columns"] == "interleaved" else dimension % (d // 2)
    x, p, omega = np.arange(257) / 4, state["position"], figure.frequencies
    for label, wave, w in (("sine", np.sin, omega[2 * pair]), ("cosine", np.cos, omega[2 * pair + 1])):
        yield label, np.stack([x, wave(w * x)], axis=1), (p, wave(w * p))


def distance_paths(figure, state):
    table = figure.interleaved
    alike = table @ table.T / (state["d_model"] / 2)
    far = np.arange(65)
    for start in (state["position"], 0):
        way = alike[start, start + far]
        yield f"from {start}", np.stack([far, way], axis=1), (state["offset"], way[state["offset"]])


def run_of(state):
    return next(run for run in state["runs"] if run["name"] == state["run"])


def course_paths(figure, state):
    run, last = run_of(state), len(state["steps"]) - 1
    for label in ("accuracy", "loss"):
        values = run[label]
        yield label, list(enumerate(values)), (state["record"], values[state["record"]])
    yield "75 %", [(0, 0.75), (last, 0.75)], None


def ten_seeds(name):
    def paths(figure, state):
        steps, lines = state["history"]["steps"], state["history"][name]
        for seed, values in enumerate(lines):
            now = (steps[state["record"]], values[state["record"]])
            yield None if seed else "ten seeds", list(zip(steps, values, strict=True)), None if seed else now

    return paths


CURVES = {
    ("InductionReplay", "loss"): ten_seeds("loss"),
    ("InductionReplay", "accuracy"): ten_seeds("accuracy"),
    ("PositionalEncoding", "waves"): wave_paths,
    ("PositionalEncoding", "by_distance"): distance_paths,
    ("TrainingReplay", "course"): course_paths,
}


def read_x(name, state):
    """What a tick below a chart stands for, in the units of its curves."""
    if name == "TrainingReplay":
        return lambda text: state["steps"].index(int(text))
    return value_of


@pytest.mark.parametrize("name", sorted({name for name, _ in CURVES}))
def test_curves_pass_where_their_axes_say(mounted, name):
    widget = EXPLORABLES[name].example()
    twin, given = Twin(widget), states(widget, N, name, opened=True)
    wanted_charts = {chart for figure, chart in CURVES if figure == name}
    for state, charts in zip(given, mounted.put(widget).read(given, CHARTS), strict=True):
        state = {name: getattr(widget, name) for name in widget.own_traits()} | state
        assert wanted_charts <= {chart["name"] for chart in charts}
        for chart in charts:
            if (name, chart["name"]) not in CURVES:
                continue
            x, _, _ = axis(chart["x"], read_x(name, state))
            y, low, high = axis(chart["y"], value_of)
            assert close(chart["strokes"], [[place, place] for place, _ in chart["x"]])
            for x1, x2, y1, y2 in chart["grid"]:
                assert x1 < x2
                assert y1 == y2
            wanted = list(CURVES[name, chart["name"]](twin.at(state), state))
            assert len(chart["lines"]) == len(wanted)
            for line, (label, points, now) in zip(chart["lines"], wanted, strict=True):
                check_line(line, x, y, points, (low, high), now, label)
            tags = [(line["points"][-1][1], line["tag"]) for line in chart["lines"] if line["label"]]
            tags = sorted(tags, key=lambda tag: tag[1][1])
            assert all(place[0] > chart["lines"][0]["points"][-1][0] for _, place in tags), (
                "labels are at the right"
            )
            apart = np.diff([place[1] for _, place in tags])
            assert (apart > 12.8).all(), f"labels lie on each other: {tags}"
            ends = [end for end, _ in tags]
            assert ends == sorted(ends), f"labels in another order than their curves: {tags}"


# ---------------------------------------------------------------- planes

# What is read of a plane, in its own units, 300 on a side.
PLANE = {
    "size": ".abh-plane | =viewBox",
    "axes": [".abh-plane .abh-axes line", "x1 x2 y1 y2"],
    "hulls": ["polygon.abh-hull", "points"],
    "ropes": [".abh-plane .abh-weight-line", "x1 y1 x2 y2 stroke-width"],
    "ties": [".abh-plane .abh-segment", "x1 y1 x2 y2"],
    "words": [
        ".abh-plane .abh-point",
        {
            "at": "transform",
            "word": ".abh-word | text",
            "role": ".abh-ring > text | text",
            "label": ".abh-word | x y",
            "hidden": ".abh-hidden-point",
        },
    ],
    "veils": [".abh-veil", "?cx cy"],
    "looks": [".abh-look", "?cx cy"],
    "arrows": [
        ".abh-plane g:has(> .abh-arrow)",
        {"path": ".abh-arrow | d", "halo": ".abh-halo | cx cy", "name": ".abh-arrow-name | ?text"},
    ],
    "dots": [".abh-dot-v", "?cx cy"],
    "cuts": ["line.abh-cut", "?x1 y1 x2 y2"],
    "sides": [".abh-cut-side", "points"],
    "results": [
        ".abh-mark-point",
        {
            "at": "transform",
            "word": ".abh-word | text",
            "full": ".abh-full-point",
            "disk": "circle | ?cx",
            "far": "path | ?=transform",
        },
    ],
    "grips": ["[data-grip]", "=data-grip + =hidden"],
    "says": ".abh-plane-box p | text",
}


def planes(mounted, given):
    """What stands in a plane in each state; and the middle of each grip there."""
    boxes = mounted.tour(given, "(root) => marks.within(root, '.abh-plane', '[data-grip]')")
    for plane, around in zip(mounted.read(given, PLANE), boxes, strict=True):
        for mark in (*plane["words"], *plane["results"]):
            (mark["at"],) = mark["at"]
        plane["grips"] = {
            trait: [150 * (left + right), 150 * (top + bottom)]
            for (trait, hidden), (left, right, top, bottom) in zip(plane["grips"], around, strict=True)
            if hidden is None
        }
        yield plane


def placed(points, reach=REACH, size=300):
    points = np.asarray(points, dtype=float)
    return np.stack(
        [size / 2 * (1 + points[..., 0] / reach), size / 2 * (1 - points[..., 1] / reach)], axis=-1
    )


def inside(corners, points, slack=0.0):
    """Which points lie in a convex polygon, corner by corner, or on its rim."""
    corners = np.array(corners)
    if len(corners) < 3:
        return np.full(len(points), slack > 0)  # all of it on a line
    ahead = np.roll(corners, -1, axis=0) - corners
    apart = np.asarray(points)[:, None, :] - corners[None]
    side = ahead[None, :, 0] * apart[..., 1] - ahead[None, :, 1] * apart[..., 0]
    side /= np.maximum(np.hypot(*ahead.T), 1e-9)
    return (side <= slack).all(axis=1) | (side >= -slack).all(axis=1)


def is_hull(corners, points):
    """Whether corners are some of the points, and the others lie between them."""
    points = np.asarray(points)
    each = [np.abs(points - corner).max(axis=1).min() for corner in corners]
    return max(each, default=0) < 2 * ROUNDED and inside(corners, points, 0.1).all()


def check_grips(plane, wanted):
    held = plane["grips"]
    assert set(held) == set(wanted)
    for trait, place in wanted.items():
        assert close(held[trait], placed(place), 0.5), trait


def in_the_picture(place):
    return bool(((place >= 0) & (place <= 300)).all())


def check_words(plane, wanted):
    """Words: [(place, text, role, hidden)]."""
    assert len(plane["words"]) == len(wanted)
    for word, (place, text, role, hidden) in zip(plane["words"], wanted, strict=True):
        assert close(word["at"], place), word
        assert (word["word"], word["role"] or "", word["hidden"]) == (text, role, hidden)
        if in_the_picture(place):
            assert in_the_picture(place + word["label"]), f"{word} has its name beside the picture"


def check_arrow(arrow, tip, name, shown=True):
    assert (arrow["name"] is not None) == shown
    if shown:
        assert close(arrow["path"][:2], [[150, 150], tip])
        assert close(arrow["halo"], tip)
        assert arrow["name"] == name


def first_touch_plane(widget, state, plane):
    shown, order, tokens = widget.matrices(), state["order"], state["tokens"]
    k = np.array(state["k"], dtype=float)
    seen = np.array([not hidden for hidden in state["hidden"]])
    by_word = np.empty(len(order))
    by_word[order] = shown["weights"][0]
    output = shown["output"][0]
    assert is_hull(plane["hulls"][0], placed(k[seen]))
    for word, rope in enumerate(plane["ropes"]):
        assert close(rope[:4], [*placed(k[word]), *placed(output)]), f"rope of {tokens[word]}"
        assert close(rope[4], 14 * by_word[word]), f"rope of {tokens[word]}"
    check_words(
        plane,
        [
            (placed(k[t]), f"{tokens[t]}{order.index(t) + 1}", "", state["hidden"][t])
            for t in range(len(tokens))
        ],
    )
    for word, veil in enumerate(plane["veils"]):
        assert (veil is not None) == state["hidden"][word]
        if veil:
            assert close(veil, placed(k[word]))
    turn_2 = np.deg2rad(state["angle_2"])
    q_2 = state["length_2"] * np.array([np.cos(turn_2), np.sin(turn_2)])
    check_arrow(plane["arrows"][0], placed(shown["q"][0]), "query")
    check_arrow(plane["arrows"][1], placed(q_2), "query 2", state["second"])
    assert (plane["dots"][0] is None) == (not seen.any())
    assert (plane["dots"][1] is None) == (not (seen.any() and state["second"]))
    if seen.any():
        assert close(plane["dots"][0], placed(output))
        if state["second"]:
            assert close(plane["dots"][1], placed(shown["weights_2"][0] @ k[order]))
    wanted = {f"k.{t}": k[t] for t in range(len(tokens))} | {"angle": shown["q"][0]}
    check_grips(plane, wanted | ({"angle_2": q_2} if state["second"] else {}))
    # The looks: as many around each word as its count says, in rings.
    looks = [look for look in plane["looks"] if look]
    assert len(looks) == (100 if state["looks"] and seen.any() else 0)
    if looks:
        ends = np.cumsum(shown["weights"][0])
        falls = (0.5 + np.arange(100) * 0.6180339887498949) % 1
        ats = np.searchsorted(ends, falls, side="right").clip(max=np.flatnonzero(shown["weights"][0])[-1])
        assert np.bincount(ats, minlength=len(order)).tolist() == shown["looks"][0].tolist()
        for j in set(ats.tolist()):
            around = np.array(looks)[ats == j] - placed(k[order[j]])
            wanted_rings = 11 + 3.1 * np.sqrt(1 + np.arange(len(around)))
            assert close(np.hypot(*around.T), wanted_rings), f"the looks at {tokens[order[j]]}"


def self_attention_plane(widget, state, plane):
    shown, tokens = widget.matrices(), state["tokens"]
    i = tokens.index(state["asks"])
    assert is_hull(plane["hulls"][0], placed(shown["v"]))
    for j, token in enumerate(tokens):
        assert close(plane["ties"][j], [*placed(shown["k"][j]), *placed(shown["v"][j])]), token
        rope = plane["ropes"][j]
        assert close(rope[:4], [*placed(shown["v"][j]), *placed(shown["output"][i])]), token
        assert close(rope[4], 14 * shown["weights"][i, j]), token
    check_words(
        plane,
        [(placed(shown[role][j]), token, role, False) for role in "kv" for j, token in enumerate(tokens)],
    )
    check_arrow(plane["arrows"][0], placed(shown["q"][i]), f"q of {state['asks']}")
    assert close(plane["dots"][0], placed(shown["output"][i]))
    wanted = {f"{role}.{j}": shown[role][j] for role in "kv" for j in range(len(tokens))}
    check_grips(plane, wanted | {f"q.{i}": shown["q"][i]})


def xor_plane(widget, state, plane):
    shown, readout = widget.matrices(), widget.readout
    edge = float(re.search(r"edges are at ±([\d.]+)\.", plane["says"])[1])
    read = shown["read"]
    places = placed(read, edge)
    assert is_hull(plane["hulls"][0], places)
    assert close(plane["ropes"][0], [*places[0], *places[3], 14 * 0.3])
    check_arrow(plane["arrows"][0], placed(readout), "", state["length"] > 0)
    assert ("angle" in plane["grips"]) == (state["length"] > 0)
    # Names of points that lie on each other are together; how near that is shows in the states below.
    for index, (mark, point, full) in enumerate(
        zip(plane["results"], read, (False, True, True, False), strict=True)
    ):
        assert mark["full"] == full
        over = np.abs(point).max() / (0.94 * edge)
        assert [mark["disk"] is None, mark["far"] is not None] == [over > 1] * 2
        assert close(mark["at"], placed(point / max(over, 1), edge)), f"point {index}"
        if over > 1:
            away = np.rad2deg(np.arctan2(-point[1], point[0]))
            turn = float(re.match(r"rotate\(([-\d.]+)", mark["far"])[1])
            assert abs((turn - away + 180) % 360 - 180) < 0.1
    far = lambda a, b: np.hypot(*(read[a] - read[b]))  # noqa: E731
    names = [mark["word"] for mark in plane["results"]]
    ends, same = far(0, 3) < 0.25 * edge / REACH, far(1, 2) < 0.25 * edge / REACH
    assert names == [
        "00, 11" if ends else "00",
        "10, 01" if same else "10",
        "" if same else "01",
        "" if ends else "11",
    ]
    # The line and its side.
    grid = np.stack(np.meshgrid(*[np.linspace(-0.995, 0.995, 41)] * 2), axis=-1).reshape(-1, 2) * edge
    output = grid @ readout + state["bias"]
    rims = np.array([(x, y) for x in (-edge, edge) for y in (-edge, edge)]) @ readout + state["bias"]
    assert (plane["cuts"][0] is None) == (rims.min() >= 0 or rims.max() < 0)
    if plane["cuts"][0]:
        ends = np.array(plane["cuts"][0]).reshape(2, 2)
        back = np.stack([(ends[:, 0] / 150 - 1) * edge, (1 - ends[:, 1] / 150) * edge], axis=-1)
        assert close((back @ readout + state["bias"]) / max(np.hypot(*readout), 1e-9), 0, 2e-4 * edge)
        assert close(np.abs(back).max(axis=1), edge, 1e-3 * edge)
    clear = np.abs(output) > 0.01 * edge * np.hypot(*readout)
    gray = inside(plane["sides"][0], placed(grid, edge))
    assert np.array_equal(gray[clear], output[clear] > 0), "another side is gray"


PLANES = {"FirstTouch": first_touch_plane, "SelfAttention": self_attention_plane, "XorLab": xor_plane}


@pytest.mark.parametrize("name", PLANES)
def test_planes_have_everything_in_its_place(mounted, name):
    widget = EXPLORABLES[name].example()
    given = states(widget, 3 * N, name, opened=True)
    if name == "FirstTouch":
        calm = whole(widget, {"opened": True, "looks": True})
        given += [
            calm | {"order": [2, 0, 1]},
            calm | {"hidden": [True] * 3},
            calm | {"order": [1, 2, 0], "hidden": [False, True, False], "second": True},
        ]
    if name == "XorLab":
        given += [whole(type(widget)(preset), {"opened": True}) for preset in PRESETS]
    twin = Twin(widget)
    for state, plane in zip(given, planes(mounted.put(widget), given), strict=True):
        state = {trait: getattr(widget, trait) for trait in widget.own_traits()} | state
        (x1, x2, y1, y2), (a1, a2, b1, b2) = plane["axes"]
        assert (plane["size"], x1, x2, y1, y2, a1, a2, b1, b2) == (
            "0 0 300 300", 0, 300, 150, 150, 150, 150, 0, 300
        )  # fmt: skip
        PLANES[name](twin.at(state), state, plane)


@pytest.mark.parametrize("size", [0.05, 0.3, 2, 40])
def test_a_plane_that_is_zoomed_has_everything_in_its_place(mounted, size):
    """Points of any size are at a place of their own, and the line and its side with them."""
    rope = XorLab()
    widget = XorLab(
        w_v=size * np.array(rope.w_v), bias=-0.7 * size, second_head=True, w_o_2=[[0.4, -0.3], [0.2, 0.5]]
    )
    (plane,) = planes(mounted.put(widget), [whole(widget, {})])
    xor_plane(widget, {"bias": widget.bias, "length": widget.length}, plane)
    edge = float(re.search(r"edges are at ±([\d.]+)\.", plane["says"])[1])
    far = np.abs(widget.network().read).max() / edge
    assert far < 0.95
    assert far > 0.3 or edge == pytest.approx(REACH / 4), "no smaller than it need be"


# ---------------------------------------------------------------- clocks, gauges, squares


CLOCKS = [
    ".abh-clock",
    {
        "rim": "circle.abh-rim | r",
        "hands": [".abh-hand-q, .abh-hand-k", "x1 y1 x2 y2"],
        "tips": [".abh-tip-q, .abh-tip-k", "cx cy"],
        "between": "polygon | points",
        "heads": ["tbody th", "text"],
        "says": ".abh-turn | text",
        "name": "svg | =aria-label",
    },
]


def check_clock(clock, tips):
    """Hands from the middle to their tips, in units of the rim, and what lies between them."""
    rim = clock["rim"]
    assert close(np.array(clock["tips"][::-1]) / rim, tips, 2e-3)  # the query's lies above the key's
    assert close(np.array(clock["hands"][::-1]) / rim, [[0, 0, *tip] for tip in tips], 2e-3)
    assert close(np.array(clock["between"]) / rim, [[0, 0], *tips], 2e-3)


def turn(length):
    """How a number of positions is written."""
    if length < 100:
        return str(Decimal(length).quantize(Decimal("0.1"), ROUND_HALF_UP))
    near = math.floor(length + 0.5)
    return f"{near:,}" if length < 1e6 else f"{math.floor(length / 1e6 + 0.5)} million"


GAUGE = {
    "ends": [".abh-ends span", "text"],
    "what": ".abh-number > .abh-label | text",
    "adds": ".abh-adds | text",
}


def test_clocks_tell_the_encoding(mounted):
    widget = PositionalEncoding()
    given = states(widget, 4 * N, 3, wild=0, opened=True)
    given += [
        whole(widget, {"d_model": d, "exponent": how, "opened": True})
        for d in (4, 8, 128)
        for how in ("paper", "doubled")
    ]
    twin, seen = Twin(widget), mounted.put(widget).read(given, {"clocks": CLOCKS, **GAUGE})
    bars, slots = (
        mounted.tour(given, f"(root) => marks.within(root, {frame!r}, {selector!r})")
        for frame, selector in ((".abh-gauge", ".abh-gauge-bar"), (".abh-marked canvas", ".abh-mark"))
    )
    for state, gauge, (bar,), marks in zip(given, seen, bars, slots, strict=True):
        clocks = gauge["clocks"]
        figure = twin.at(state)
        table, omega = figure.interleaved, figure.frequencies
        pairs = state["d_model"] // 2
        chosen = list(range(pairs)) if pairs <= 4 else [math.floor(c * (pairs - 1) / 3) for c in range(4)]
        places = [state["position"], state["position"] + state["offset"]]
        assert len(clocks) == len(chosen)
        for pair, clock in zip(chosen, clocks, strict=True):
            tips = [
                [table[p, 2 * pair], -table[p, 2 * pair + 1]] for p in places
            ]  # right is the sine, up the cosine
            check_clock(clock, tips)
            assert clock["heads"] == [str(p) for p in places]
            sine, cosine = (turn(2 * math.pi / w) for w in omega[2 * pair : 2 * pair + 2])
            wanted = f"a turn takes {sine} steps" if sine == cosine else f"sin takes {sine}, cos {cosine}"
            assert clock["says"] == wanted, state
            assert (
                clock["name"] == f"Clock of pair {pair}: the hands of positions {places[0]} and {places[1]}"
            )
        value = table[places[0]] @ table[places[1]]
        end = min(
            max(0.5 + 0.5 * value / pairs, 0), 1
        )  # the notebook's encodings can be longer than the scale
        low, high = sorted([0.5, end])
        assert close(bar[:2], [low, high], 0.02), f"{value} of ±{pairs}: {gauge}"
        assert gauge["ends"] == [number(-pairs), "0", number(pairs)]
        assert gauge["what"] == f"PE({places[0]}) · PE({places[1]})"
        assert gauge["adds"].startswith("clock by clock" if pairs <= 4 else f"four of {pairs} clocks")
        dimension = min(state["dimension"], state["d_model"] - 1)
        assert close([slot[2] for slot in marks[:2]], [place / 128 for place in places], 2e-3)
        assert close(
            marks[2][:2], [dimension / state["d_model"], (dimension + 1) / state["d_model"]], 0.01
        ), state


def test_clocks_tell_turned_words(mounted):
    """Their rims are 3.3 long, so that a hand of the longest query ends in the picture."""
    widget = Rotary()
    given = states(widget, 4 * N, 5, wild=0)
    for state, clocks in zip(given, mounted.put(widget).read(given, CLOCKS), strict=True):
        hands = Twin(widget).at(state).matrices()["hands"] / 3.3
        assert len(clocks) == 2
        for c, clock in enumerate(clocks):
            check_clock(clock, hands[:, 2 * c : 2 * c + 2] * [1, -1])
            assert clock["heads"] == ["q", "k"]
            slow = "clock 0 stands still" if state["fixed"] else "clock 0: half a turn a word"
            wanted = "clock 1: a quarter turn a word" if c else slow
            if state["pairs"] == "mixed":
                wanted = (
                    "x stands still, y a quarter turn" if state["fixed"] else "x half a turn, y a quarter"
                )
            assert clock["says"] == wanted


def hour(place, far):
    """A point of a clock with six hours, the first at the top and the others clockwise; down is plus."""
    return [far * math.sin(math.pi / 3 * place), -far * math.cos(math.pi / 3 * place)]


ARCS = {
    "words": [".abh-arc-word", "x + text"],
    "heads": [".abh-arc-head", "y + text"],
    "box": ".abh-arcs | =viewBox",
    "arcs": [
        ".abh-arcs g:not([display=none])",
        {
            "line": "path | d",
            "tip": "polygon | points",
            "thick": "path | stroke-width",
            "dashes": "path | $stroke-dasharray",
        },
    ],
}


def test_arcs_lead_from_who_looks_to_who_is_looked_at(mounted):
    """Above the line head 1's and below it head 2's, as thick as weight times fader, dashed if that is taken away."""
    widget = MultiHead()
    twin = Twin(widget)
    given = states(widget, 4 * N, 3, wild=0)
    given += [whole(widget, {"faders": faders}) for faders in ([1.0, -1.0], [1.0, 0.0], [-0.3, 0.7])]
    for state, seen in zip(given, mounted.put(widget).read(given, ARCS), strict=True):
        now = twin.at(state)
        n, weights, words = state["n_tokens"], now.weights, state["tokens"]
        assert [text for _, text in seen["words"]] == words[:n] + [""] * (len(words) - n)
        places = [x for x, _ in seen["words"][:n]]
        assert close(places, [420 * (place + 0.5) / n for place in range(n)], 0.02)
        signed = ["+" * (fader > 0) + number(fader, 1) for fader in state["faders"]]
        assert [text for _, text in seen["heads"]] == [f"{by} · head {k}" for k, by in enumerate(signed, 1)]
        middle = float(seen["box"].split()[3]) / 2
        assert seen["heads"][0][0] < middle < seen["heads"][1][0]
        wanted = {
            (head, i, j): 10 * state["faders"][head] * weights[head][i][j]
            for head in (0, 1) for i in range(n) for j in range(n)
        }  # fmt: skip
        found = {}
        for arc in seen["arcs"]:
            (start, foot), *_, (end, _) = arc["line"]
            assert arc["tip"][0][0] == end
            assert arc["tip"][0][1] == foot  # the arrow ends at the height at which the arc begins
            head = int(foot > middle)
            assert all((y > middle) == head for _, y in arc["line"] + arc["tip"])
            i, j = (min(range(n), key=lambda place, x=x: abs(places[place] - x)) for x in (start, end))
            assert abs(places[i] - start) < 30 > abs(places[j] - end)
            assert (head, i, j) not in found
            found[head, i, j] = arc["thick"] if arc["dashes"] == "none" else -arc["thick"]
            assert close(abs(arc["tip"][1][0] - arc["tip"][2][0]), 1.9 * arc["thick"], 0.03)
        for key, thick in wanted.items():
            assert close(found.pop(key, 0.0), thick, 0.011), (key, state)
        assert not found


PATTERN = {
    "says": ".abh-big | text",
    "dial": {
        "words": [".abh-dial-word", "x y + text"],
        "own": [".abh-dial-word", ".abh-dial-own"],
        "hand": ".abh-dial-hand | x2 y2",
        "tip": ".abh-dial .abh-tip-q | cx cy",
        "lines": [".abh-dial .abh-weight-line", "x2 y2 + stroke-width"],
    },
    "lanes": [
        ".abh-lanes tr",
        {
            "name": "th | text",
            "cells": [
                "td:not([hidden])",
                {
                    "chips": [".abh-lane-chip", "text"],
                    "place": ".abh-lane-place | text",
                    "hand": "svg line | x2 y2",
                    "read": ".abh-lane-read",
                    "none": ".abh-lane-none",
                },
            ],
        },
    ],
}


def test_the_dial_and_the_lanes_tell_the_pattern(mounted):
    widget = Induction()
    twin = Twin(widget)
    given = states(widget, 3 * N, 6, wild=0)
    given += [whole(widget, {"turn": turn / 2, "bos": bos}) for turn in range(12) for bos in (True, False)]
    names = ("BOS", "A", "B", "0", "1")
    seen = mounted.put(widget).read(given, PATTERN)
    grips = mounted.tour(given, "(root) => marks.within(root, '.abh-dial', '.abh-dial-frame > [data-grip]')")
    for state, found, (grip,) in zip(given, seen, grips, strict=True):
        dial, lanes = found["dial"], found["lanes"]
        now = twin.at(state)
        words, weights, shown = now.words, now.weights[0, -1], now.matrices()
        last = len(words) - 1
        assert found["says"] == (now.says or "–"), state
        assert [text for *_, text in dial["words"]] == words + [""] * (6 - len(words))
        assert dial["own"] == [place == last for place in range(6)]
        for place, ((x, y), _) in enumerate(dial["words"]):
            assert close([x, y - 5], hour(place, 86), 0.02)
        for what in ("hand", "tip"):
            assert close(dial[what], hour(last - state["turn"], 62), 0.02), (what, state)
        left, right, top, bottom = grip
        assert close(
            [100 * (left + right - 1), 100 * (top + bottom - 1)], hour(last - state["turn"], 62), 0.5
        )
        for place, (end, thick) in enumerate(dial["lines"]):
            assert close(end, hour(place, 54), 0.02)
            assert close(thick, 14 * weights[place] if place <= last else 0, 0.01), state
        token, where, *written_in = lanes
        assert [cell["chips"] for cell in token["cells"]] == [[word] for word in words]
        assert [cell["place"] for cell in where["cells"]] == [str(place) for place in range(last + 1)]
        assert {cell["none"] for cell in where["cells"]} == {not state["places"]}
        for place, cell in enumerate(where["cells"]):
            assert close(cell["hand"], hour(place, 9), 0.02)
        assert [lane["name"] for lane in written_in] == ["before", "next"]
        for lane in (token, *written_in):
            read = [state["lane"] == lane["name"] and place == last for place in range(last + 1)]
            assert [cell["read"] for cell in lane["cells"]] == read, state
        for lane in written_in:
            for cell, row in zip(lane["cells"], shown[lane["name"]], strict=True):
                top = sorted(range(5), key=lambda i, row=row: (-round(row[i] * 1e6), i))[:2]
                top = sorted(i for i in top if row[i] >= 0.15)
                much = [number(row[i]) if row[i] > 1 else weight(row[i]) for i in top]
                assert cell["chips"] == [
                    names[i] + (text.replace("0.", ".") if text.startswith("0.") else text)
                    for i, text in zip(top, much, strict=True)
                ], state


def test_the_gauge_remembers_where_it_has_been(mounted):
    """Its gray part goes from the least to the largest number since the distance or the formula changed."""
    widget = PositionalEncoding()
    way = [whole(widget, {"exponent": "doubled", "position": p}) for p in (1, 9, 30, 22)]
    way += [whole(widget, {"exponent": "doubled", "position": 22, "offset": 7})]
    way += [whole(widget, {"position": p}) for p in (3, 17)]
    been, twin = [], Twin(widget)
    measure = """(root) => [root.querySelector(".abh-seen").textContent,
      ...marks.within(root, ".abh-gauge", ".abh-gauge-seen")]"""
    for state, (says, seen) in zip(way, mounted.put(widget).tour(way, measure), strict=True):
        if not been or any(state[key] != been[0][key] for key in ("offset", "exponent")):
            been, values = [state], []
        table = twin.at(state).interleaved
        values.append(table[state["position"]] @ table[state["position"] + state["offset"]])
        assert close(seen[:2], [0.5 + 0.25 * min(values), 0.5 + 0.25 * max(values)], 0.01)
        least, most = number(min(values), 4), number(max(values), 4)
        wanted = f"so far always {least}" if least == most else f"so far from {least} to {most}"
        assert says == wanted


def test_the_square_has_the_areas_of_the_joint_table(mounted):
    widget = EXPLORABLES["PmiTable"].example()
    twin, given = Twin(widget), states(widget, 4 * N, 8, wild=0)
    what = {
        "tiles": [".abh-mosaic rect", "x y width height"],
        "texts": [".abh-tile-text", "x y + text"],
        "line": ".abh-prior | x1 x2",
    }
    for state, square in zip(given, mounted.put(widget).read(given, what), strict=True):
        joint = twin.at(state).joint
        tiles = np.array(square["tiles"]).reshape(2, 2, 4)
        x, y, wide, tall = np.moveaxis(tiles, -1, 0)
        left, right = x.min(), (x + wide).max()
        assert close(wide.sum(axis=1), right - left)
        rows = tall[:, 0] + 2  # a gap of 2 between rows
        assert close(rows / rows.sum(), joint.sum(axis=1), 2e-3), state
        assert close(
            wide / wide.sum(axis=1, keepdims=True), joint / joint.sum(axis=1, keepdims=True), 1e-3
        ), state
        assert close(x, [[left, left + wide[0, 0]], [left, left + wide[1, 0]]])
        assert close(y[1] - y[0], rows[0])
        assert close((tall + 2) * wide / ((right - left) * rows.sum()), joint, 3e-3), state
        for place in square["line"]:
            assert close((place - left) / (right - left), joint[:, 0].sum(), 1e-3), state
        for ((tx, ty), text), p, tile in zip(
            square["texts"], joint.ravel(), tiles.reshape(4, 4), strict=True
        ):
            if tile[2] > 40 and tile[3] > 20:
                assert rounds_to(text, p), state
                assert close([tx, ty - 4], tile[:2] + tile[2:] / 2, 0.1)
            else:
                assert not text or rounds_to(text, p)


# ---------------------------------------------------------------- colors


def mix(kind, value, domain=1):
    """The color of a value: two inks, and how far it is from the first one."""
    if kind == "weight":
        return "raised", "ink", math.sqrt(min(max(value, 0), 1))  # as the key under the map says
    way = min(max(value / domain, -1), 1)
    return "mid", "low" if way < 0 else "high", round(abs(way), 3)


# The colors between two inks, so far from the first one, as the browser mixes them.
MIXED = """([wanted, space]) => {
  const node = mounted.root().appendChild(document.createElement("i"));
  const mixed = wanted.map(([near, far, way]) => {
    node.style.color = `color-mix(in ${space}, var(--abh-${far}) ${100 * way}%, var(--abh-${near}))`;
    return getComputedStyle(node).color;
  });
  node.remove();
  return mixed;
}"""


def parts(color):
    """The numbers of a color, of a pixel or of a style."""
    if isinstance(color, list):
        return np.array(color) / 255
    return [float(part) for part in re.findall(r"-?[\d.]+(?:e-?\d+)?", color)][:3]


def big_masking(n, **traits):
    rng = np.random.default_rng(n)
    q, k, v = (rng.normal(size=(n, 4)).round(2) * 1.5 for _ in range(3))
    return Masking([f"w{i}" for i in range(n)], q, k, v, **traits)


def nine_dimensions():
    rng = np.random.default_rng(1)
    weights = {name: rng.normal(size=(2, 9, 2)).round(1) for name in ("w_q", "w_k", "w_v")}
    weights["w_o"] = rng.normal(size=(2, 2, 9)).round(1) * 2
    x = rng.normal(size=(3, 9)).round(1)
    return MultiHead(tokens=["a", "b", "c"], x=x, **weights, faders=[1.0, -1.0], opened=True)


#: Maps in color: what they show, how they are drawn -> a figure, changes of its state, names of its maps.
MAPS = {
    ("weight", "heat"): (
        lambda: big_masking(12, preset="window", window=5),
        [{}, {"preset": "none"}, {"order": "after"}],
        {"weights"},
    ),
    ("weight", "canvas"): (
        lambda: big_masking(64, preset="window", window=9),
        [{}, {"preset": "none"}, {"preset": "padding", "length": 40}],
        {"weights"},
    ),
    ("signed", "heat"): (nine_dimensions, [{}], {"x", "output", "shares", "w_q", "w_o"}),
    ("signed", "canvas"): (
        lambda: PositionalEncoding(opened=True, d_model=8),
        [{}, {"exponent": "doubled", "columns": "concatenated"}],
        {"encoding"},
    ),
}
DOMAINS = {"output": 2, "shares": 2, "encoding": 1}


@pytest.mark.parametrize(("kind", "drawn"), MAPS)
def test_colors_of_a_map(mounted, kind, drawn):
    """A larger weight is more ink, hidden cells are hatched; orange below zero, blue above, as strong as the number.

    And so when the page turns dark.
    """
    make, changes, names = MAPS[kind, drawn]
    widget = make()
    twin, given = Twin(widget), [whole(widget, change) for change in changes]
    mounted.put(widget)
    space, slack = ("oklab", 2e-3) if drawn == "heat" else ("srgb", 3 / 255)
    for theme in ("light", "dark"):
        mounted.page.evaluate(
            "theme => { document.documentElement.dataset.theme = theme; return probe.settled(); }", theme
        )
        for state, cells in zip(given, mounted.tour(given, f"marks.{drawn}"), strict=True):
            assert {cell["name"] for cell in cells} >= names
            now = twin.at(state)
            for cell in cells:
                assert cell["hidden"] == (kind == "weight" and not now.allowed[cell["row"], cell["col"]]), (
                    cell
                )
                assert not cell["hidden"] or "oklab" not in cell["color"]
            shown = [cell for cell in cells if not cell["hidden"]]
            wanted = [mix(kind, cell["value"], DOMAINS.get(cell["name"], 3)) for cell in shown]
            for cell, right in zip(shown, mounted.page.evaluate(MIXED, [wanted, space]), strict=True):
                assert close(parts(cell["color"]), parts(right), slack), (theme, cell)


def test_above_sixteen_tokens_a_map_is_a_canvas(mounted):
    """Its key says which weight has which color."""
    for n in (16, 17):
        count = "(root) => root.querySelectorAll('canvas').length"
        assert mounted.put(big_masking(n)).tour([{}], count) == [n - 16]
    boxes = mounted.page.evaluate("""() => [...mounted.root().querySelectorAll(".abh-ink-key i")].map((box) =>
      [Number(box.parentElement.textContent), getComputedStyle(box).backgroundColor])""")
    values, colors = zip(*boxes, strict=True)
    assert values == (0, 0.01, 0.1, 0.5, 1)
    right = mounted.page.evaluate(MIXED, [[mix("weight", value) for value in values], "srgb"])
    assert close([*map(parts, colors)], [*map(parts, right)], 2 / 255)


def test_a_canvas_tells_each_cell_to_its_edges(mounted):
    """Under the pointer at a cell's four corners, the first and the last pixel of the picture among them."""
    spots = [(0, 0), (0, 63), (63, 0), (63, 63), (1, 2), (40, 37), (37, 40), (62, 63)]
    widget = big_masking(64)
    given = [whole(widget, {"preset": "none"}), whole(widget, {"preset": "causal"})]
    twin = Twin(widget)
    for state, said in zip(
        given,
        mounted.put(widget).tour(given, f"(root) => marks.readouts(root, {[list(s) for s in spots]})"),
        strict=True,
    ):
        weights = twin.at(state).weights
        wanted = [f"w{i} → w{j}: {weight(weights[i, j])}" for i, j in spots for _ in range(4)]
        assert said == wanted
    widget = PositionalEncoding(opened=True, d_model=4)
    spots = [(0, 0), (127, 3), (0, 3), (127, 0), (64, 1), (63, 2)]
    given = [whole(widget, {})]
    (said,) = mounted.put(widget).tour(given, f"(root) => marks.readouts(root, {[list(s) for s in spots]})")
    encoding = widget.matrices()["encoding"]
    wanted = [
        f"position {i} → dimension {j}: {number(encoding[i, j], 3)}" for i, j in spots for _ in range(4)
    ]
    assert said == wanted


# ---------------------------------------------------------------- verdicts


def test_what_stands_beside_the_numbers(mounted):
    """What XorLab's outputs say, which cases a trained network has right, who moves without a right to."""
    lab = EXPLORABLES["XorLab"].example()
    given = states(lab, 2 * N, 4) + [
        whole(lab, {"bias": 0.0, "length": 0.0}),
        whole(lab, {"bias": 1e-8, "length": 0.0}),
    ]
    cases = (
        [".abh-cases tbody tr", ["[data-value]", "data-value"]],
        [".abh-cases .abh-says", "text + .abh-wrong"],
    )
    found = zip(mounted.put(lab).read(given, cases[0]), mounted.read(given, cases[1]), strict=True)
    for state, (values, says) in zip(given, found, strict=True):
        for (value,), pair, wanted in zip(
            values, zip(says[::2], says[1::2], strict=True), "0110", strict=True
        ):
            said = "–" if abs(value) <= 1e-9 else "1" if value > 0 else "0"
            assert pair[0] == [f"{said} {'✓' if said == wanted else '✗'}", said != wanted], state
            assert pair[1][0] == wanted
    replay = EXPLORABLES["TrainingReplay"].example()
    twin, given = Twin(replay), states(replay, N, 2)
    heads = ['[data-matrix="decision"] thead th', "text"]
    for state, cols in zip(given, mounted.put(replay).read(given, heads), strict=True):
        decision = twin.at(state).decision
        names = ["−1 −1", "+1 −1", "−1 +1", "+1 +1"]
        right = (decision > 0.5) == [False, True, True, False]
        assert cols == [f"{name} {'✓' if ok else '✗'}" for name, ok in zip(names, right, strict=True)]
    masking = Masking()
    twin, given = Twin(masking), states(masking, 2 * N, 6, wild=0)
    given += [whole(masking, {"order": "after", "nudge": nudge}) for nudge in (0.0, 0.01, 2.0)]
    bars = [".abh-bars tbody td:not(.abh-minimap *)", ".abh-noticed"]
    for state, loud in zip(given, mounted.put(masking).read(given, bars), strict=True):
        far, hidden = twin.at(state).matrices()["moved"][:, 0], ~twin.widget.allowed
        assert loud == [bool(x > 0.005 and hide) for x, hide in zip(far, hidden[:, -1], strict=True)]
