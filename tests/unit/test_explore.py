"""Explorables without a browser: their traits, their outputs, and their modules run by node against NumPy."""

import base64
import json
import math
import random
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.path import Path as MplPath
from matplotlib.transforms import Bbox

import attn.explore
from attn import masks
from attn.explore import (
    FirstTouch,
    Masking,
    MultiHead,
    PositionalEncoding,
    Predict,
    SelfAttention,
    TrainingReplay,
)
from attn.explore._base import JS, imports, joined_module, module_source, parts, path_of, view_names
from attn.explore._share import keeps, leaves
from attn.positional import angular_frequencies, sinusoidal_encoding
from attn.rotary import rotate
from attn.softmax import softmax
from attn.transformer import layer_norm
from attn.xor import train
from tests.browser.explorables import EXPLORABLES, SHARED, SMALL, STANDS_ON
from tests.browser.states import Twin, possible, random_state, states, whole
from tests.unit.node import NODE

VIEWS = view_names()
KINDS = [getattr(attn.explore, name) for name in attn.explore.__all__ if name != "Explorable"]
EXAMPLES = {name: row.example for name, row in EXPLORABLES.items()}

# ------------------------------------------------------------------------------------------ Python's side


@pytest.fixture(params=[name for name in attn.explore.__all__ if name != "Explorable"])
def widget(request):
    return EXAMPLES[request.param]()


@pytest.fixture(params=[name for name in attn.explore.__all__ if name != "Explorable"])
def drawn(request):
    """One of each sort: its picture for paper takes its time."""
    return EXAMPLES[request.param]()


def test_bundle_has_a_picture_and_a_text(widget):
    data, _ = widget._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == repr(widget)
    assert "0x" not in repr(widget)  # no address: the same text in each run


def test_the_same_state_gives_the_same_outputs(drawn):
    widget = drawn
    again = EXAMPLES[type(widget).__name__]()
    assert repr(again) == repr(widget)
    assert again.png() == widget.png()
    assert again.alt == widget.alt
    assert len(widget.alt) > 20


def test_unknown_traits_are_refused(widget):
    name = type(widget).__name__
    with pytest.raises(TypeError, match=f"{name} has no colour; it has .*"):
        type(widget)(
            **({"question": "", "solution": 0, "explanation": ""} if name == "Predict" else {}), colour=1
        )


def test_alt_text_follows_the_state():
    """As if the figure had been made so: the text that a reader without the picture gets."""
    figure = Masking()
    figure.preset = "window"
    assert "under a window mask" in figure.alt
    waves = PositionalEncoding(position=3, offset=2)
    waves.position = 40
    assert "positions 40 and 42" in waves.alt
    assert waves.alt == PositionalEncoding(position=40, offset=2).alt


def test_traits_that_do_not_fit_together_yet_can_be_set_one_by_one(widget):
    """The text follows when they fit; until then the last one that was true stays."""
    before = widget.alt
    for name in ("q", "k", "v", "x", "w_q"):
        if name in widget.own_traits():
            value = getattr(widget, name)
            setattr(widget, name, value[:1])
            setattr(widget, name, value)
    assert widget.alt == before


def test_tags_are_what_the_page_gets_of_a_control():
    small, waves = Masking(tokens=["a", "b"], q=[[1]] * 2, k=[[2]] * 2, v=[[3]] * 2), PositionalEncoding()
    assert small.controls["nudge"] == {"label": "Nudge the key of `b`", "min": -3, "max": 3, "step": 0.1}
    assert small.controls["window"] == {"label": "window", "min": 1, "max": 2, "step": 1}
    assert small.controls["fill"]["options"] == [["-inf", "−∞"], ["-1e9", "−1e9"]]
    assert small.controls["opened"] == {}
    assert "tokens" not in small.controls  # given, and not the reader's
    assert waves.controls["dimension"] == {
        "label": "Dimension",
        "min": 0,
        "step": 1,
    }  # its end follows from d_model
    assert waves.controls["position"]["max"] == 60
    assert MultiHead().controls["faders.1"] == {"label": "fader 2"}
    assert MultiHead().controls["faders"] == {"min": -1, "max": 1, "step": 0.1}


def test_all_that_a_control_sets_may_stand_in_a_link(widget):
    """An end of a slider, an option of a menu: its rule does not refuse what a hand can do."""
    for name, control in widget.controls.items():
        rule = widget.rules.get(name.split(".")[0])
        for value in [*(control[end] for end in ("min", "max") if end in control)]:
            assert keeps(rule, value), (name, value)
        for value, _ in control.get("options", []):
            assert keeps(rule, value), (name, value)


def test_a_story_is_a_state_of_its_figure(widget):
    """A figure can be made so, and a link may say it: its words are words of the figure."""
    for told in widget.stories:
        assert set(told["changes"]) <= set(widget.state_traits())
        first = {name: getattr(widget, name) for name in widget.own_traits()}
        again = type(widget)(**first | told["changes"])
        assert {name: getattr(again, name) for name in told["changes"]} == told["changes"]
        for name, value in told["changes"].items():
            assert all(keeps(widget.rules[name], leaf) for leaf in leaves(value)), name


def test_every_state_is_json(widget):
    json.dumps({key: value for key, value in widget.get_state().items() if key != "layout"}, allow_nan=False)


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Masking(tokens=["one"]), ValueError, "at least two"),
        (lambda: Masking(q=np.zeros((3, 4))), ValueError, r"q must have shape \(4, d\), got \(3, 4\)"),
        (lambda: Masking(k=np.zeros((4, 3))), ValueError, r"k must have shape \(4, 4\), got \(4, 3\)"),
        (lambda: Masking(v=[[np.nan, 0]] * 4), ValueError, "v must be finite"),
        (lambda: Masking(mask=np.ones((4, 4))), ValueError, r"mask must be boolean .* got float64"),
        (
            lambda: Masking(mask=np.ones((3, 4), dtype=bool)),
            ValueError,
            r"\(4, 4\), got bool with shape \(3, 4\)",
        ),
        (lambda: Masking(preset="causel"), Exception, "preset"),
        (lambda: Masking(window=0), Exception, "window"),
        (lambda: FirstTouch(tokens=["a", "b"]), ValueError, "at least three"),
        (lambda: FirstTouch(k=[[1, 2]] * 4), ValueError, r"k must have shape \(3, 2\)"),
        (lambda: FirstTouch(order=[0, 0, 1]), ValueError, "permutation"),
        (lambda: FirstTouch(hidden=[True]), ValueError, "hidden must hold 3"),
        (lambda: FirstTouch(length=9), Exception, "length"),
        (lambda: PositionalEncoding(d_model=5), ValueError, "d_model must be even, got 5"),
        (lambda: PositionalEncoding(base=0.5), ValueError, "base must be 1 or more"),
        (lambda: PositionalEncoding(position=61), Exception, "position"),
        (lambda: Predict("?", options=["a"], solution=1, explanation=""), ValueError, "solution"),
    ],
)
def test_wrong_input(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_a_trait_set_later_changes_the_numbers():
    figure = Masking()
    still = figure.output
    figure.nudge = 2.0
    moved = np.linalg.norm(figure.output - still, axis=1)
    assert (moved[:3] == 0).all()
    assert moved[3] > 0.2
    figure.order = "after"
    assert np.linalg.norm(figure.output - still, axis=1)[0] > 0.2


@pytest.mark.parametrize(
    ("preset", "mask"),
    [
        ("none", np.ones((4, 4), bool)),
        ("causal", masks.causal_mask(4)),
        ("padding", np.broadcast_to(masks.padding_mask(3, 4), (4, 4))),
        ("causal+padding", masks.causal_mask(4) & masks.padding_mask(3, 4)),
        ("window", masks.sliding_window_mask(4, 2)),
        ("prefix", masks.prefix_mask(4, 2)),
    ],
)
def test_presets_are_attns_masks(preset, mask):
    np.testing.assert_array_equal(Masking(preset=preset).allowed, mask)


def test_predict_knows_what_is_right():
    number = Predict("?", solution=0.25, tolerance=0.01, explanation="")
    assert number.right is None
    number.answer = 0.255
    assert number.right is True
    number.answer = 0.27
    assert number.right is False
    choice = EXAMPLES["Predict"]()
    choice.answer = 1
    assert choice.right is True
    choice.answer = 0
    assert choice.right is False


# ------------------------------------------------------------------------------------------ the modules


@pytest.mark.parametrize("view", VIEWS)
def test_joined_module(view, tmp_path):
    """What anywidget gets: one module that parses, with one default export and no import left."""
    text = joined_module(view)
    assert not re.search(r"^[ \t]*import\b", text, re.MULTILINE)
    assert re.findall(r"^[ \t]*export\b.*", text, re.MULTILINE) == ["export default (() => {"]
    path = tmp_path / "module.mjs"
    path.write_text(text + "\n", encoding="utf-8")
    answer = subprocess.run([NODE, "--check", path], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


def top_names(module):
    """Names that a module puts into the scope that it shares once joined."""
    text = module_source(module)
    return re.findall(r"^(?:const|let|class|(?:async )?function\*?) \[?\{?\s*([\w$]+)", text, re.MULTILINE)


def test_shared_parts_do_not_collide():
    names = [name for module in parts(*VIEWS) for name in top_names(module)]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    assert {"softmax", "figure", "matrix"} <= set(names)


# Evaluates one expression with the modules and the data as names; JSON has no −∞, so that goes as ["#", "-inf"].
RUN = """
import { readFileSync } from "node:fs";
const named = { "-inf": -Infinity, inf: Infinity, nan: NaN };
const reviver = (_, value) => (Array.isArray(value) && value[0] === "#" ? named[value[1]] : value);
const name = (value) => (Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf");
const replacer = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? ["#", name(value)] : value);
const { code, data } = JSON.parse(readFileSync(0, "utf8"), reviver);
const run = new Function("modules", ...Object.keys(data), `with (modules) { return (${code}); }`);
console.log(JSON.stringify(run({ MODULES }, ...Object.values(data)), replacer));
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """Run an expression in node with the modules at hand: node("core.softmax(x)", x=[1, 2])."""
    folder = tmp_path_factory.mktemp("js")
    shutil.copytree(JS, folder / "js")
    (folder / "package.json").write_text('{"type": "module"}')
    # A view exports `render` and `compute`, together as one.
    written = [view for view in VIEWS if path_of(view).exists()]
    lines = [f'import {view} from "./js/{path_of(view).relative_to(JS).as_posix()}";' for view in written]
    lines += [f'import * as {name} from "./js/{name}.js";' for name in ("core", "number")]
    names = ", ".join(["core", "number", *written])
    (folder / "run.js").write_text("\n".join(lines) + RUN.replace("MODULES", names), encoding="utf-8")

    def run(code, **data):
        # The keys of a dict stand in the order in which a stored notebook hands them to its page.
        sorted_ = {name: json.loads(json.dumps(value, sort_keys=True)) for name, value in plain(data).items()}
        answer = subprocess.run(
            [NODE, folder / "run.js"],
            input=json.dumps({"code": code, "data": sorted_}),
            capture_output=True,
            text=True,
        )
        assert answer.returncode == 0, answer.stderr
        return marked(json.loads(answer.stdout))

    yield run
    shutil.rmtree(folder)


def plain(value):
    """For JSON, with ["#", "-inf"] for what JSON has no number for."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return ["#", str(value)]
    return value


def marked(value):
    if isinstance(value, dict):
        return {key: marked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return float(value[1]) if value[:1] == ["#"] else [marked(inner) for inner in value]
    return value


def close(got, wanted):
    np.testing.assert_allclose(np.array(got, dtype=float), wanted, rtol=1e-12, atol=1e-12)


def test_softmax(node):
    rng = np.random.default_rng(0)
    rows = [row for scale in (1, 30, 1e4, 1e300) for row in rng.normal(size=(8, 5)) * scale]
    for row in rows[:16]:
        row[rng.random(5) < 0.4] = -np.inf
    rows += [np.full(4, -np.inf), np.array([]), np.array([1000.0, 1001.0]), np.array([-1e9, -1e9])]
    got = node("rows.map(core.softmax)", rows=rows)
    for mine, row in zip(got, rows, strict=True):
        close(mine, softmax(row) if row.size else row)


def test_products(node):
    rng = np.random.default_rng(1)
    a, b, c = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(4, 2))
    got = node(
        "[core.matmulT(a, b), core.matmul(a, c), core.dot(a[0], b[0]), core.distance(a[0], b[0])]",
        a=a,
        b=b,
        c=c,
    )
    close(got[0], a @ b.T)
    close(got[1], a @ c)
    close(got[2], a[0] @ b[0])
    close(got[3], np.linalg.norm(a[0] - b[0]))


@pytest.mark.parametrize("d", [1, 2, 3, 24])
def test_scores_are_scaled(node, d):
    rng = np.random.default_rng(d)
    q, k = rng.normal(size=(3, d)), rng.normal(size=(4, d))
    got = node("[core.scaledScores(q, k), core.scaledScores(q, k, 1)]", q=q, k=k)
    close(got[0], q @ k.T / np.sqrt(d))
    close(got[1], q @ k.T)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_masks(node, n):
    sizes = list(range(n + 2))
    got = node(
        """({
          causal: core.causalMask(n),
          padding: sizes.map((size) => core.paddingMask(n, size)),
          window: sizes.slice(1).map((size) => core.slidingWindowMask(n, size)),
          prefix: sizes.map((size) => core.prefixMask(n, size)),
        })""",
        n=n, sizes=sizes,
    )  # fmt: skip
    np.testing.assert_array_equal(got["causal"], masks.causal_mask(n))
    for size in sizes[:-1]:
        wanted = np.broadcast_to(masks.padding_mask(size, n), (n, n))
        np.testing.assert_array_equal(got["padding"][size], wanted)
        np.testing.assert_array_equal(got["prefix"][size], masks.prefix_mask(n, size))
    for size in sizes[1:]:
        np.testing.assert_array_equal(got["window"][size - 1], masks.sliding_window_mask(n, size))


def test_mask_scores(node):
    rng = np.random.default_rng(3)
    scores, mask = rng.normal(size=(4, 5)), rng.random((4, 5)) < 0.5
    got = node("[core.maskScores(s, m), core.maskScores(s, m, -1e9), s]", s=scores, m=mask)
    np.testing.assert_array_equal(got[0], np.where(mask, scores, -np.inf))
    np.testing.assert_array_equal(got[1], np.where(mask, scores, -1e9))
    np.testing.assert_array_equal(got[2], scores)  # the input is as it was


@pytest.mark.parametrize("d_model", [2, 4, 6, 128])
@pytest.mark.parametrize("base", [10, 10000, 500000])
def test_positions(node, d_model, base):
    got = node("[core.angularFrequencies(d, b), core.sinusoidalEncoding(128, d, b)]", d=d_model, b=base)
    close(got[0], angular_frequencies(d_model, base))
    close(got[1], sinusoidal_encoding(128, d_model, base))


def test_sinusoids_take_a_frequency_for_each_dimension(node):
    got = node("core.sinusoids(5, omega)", omega=[1.0, 0.3, 0.7, 0.01])
    close(got, [np.sin(5), np.cos(1.5), np.sin(3.5), np.cos(0.05)])


def test_snap_and_clamp(node):
    values = [0.30000000000000004, -0.30000000000000004, 2.96, -1.05, 0, 1e-17]
    assert node("values.map((v) => core.snap(v, 0.1))", values=values)[:3] == [0.3, -0.3, 3.0]
    assert node("[core.snap(17.4, 1), core.snap(17.4, 5), core.snap(0.124, 0.05)]") == [17, 15, 0.1]
    assert node("[core.clamp(5, -3, 3), core.clamp(-5, -3, 3), core.clamp(1, -3, 3)]") == [3, -3, 1]


def test_directions_in_degrees(node):
    """There and back, and as complex numbers have it."""
    degrees, lengths = [0, 35, 90, 180, -90, -179.5, 12.25], [1, 1.6, 2, 3.2, 0.1, 1, 2.5]
    got = node(
        """degrees.map((degree, i) => {
          const vector = core.vectorOf(degree, lengths[i]);
          return [...vector, core.degreesOf(vector)];
        })""",
        degrees=degrees,
        lengths=lengths,
    )
    wanted = np.array(lengths) * np.exp(1j * np.deg2rad(degrees))
    close(got, np.stack([wanted.real, wanted.imag, degrees], axis=1))


def test_convex_hull(node):
    """Its corners are given points in counter-clockwise order, and no given point lies outside."""
    rng = np.random.default_rng(7)
    for n in (3, 4, 7, 12):
        points = rng.normal(size=(n, 2)).round(2)
        corners = np.array(node("core.convexHull(points)", points=points.tolist()))
        assert {tuple(c) for c in corners} <= {tuple(p) for p in points}
        edge = np.roll(corners, -1, axis=0) - corners
        away = points[:, None] - corners
        left = edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0]
        assert left.min() >= -1e-12
        assert (left > 1e-12).any(axis=0).all()


def test_crosses(node):
    """Whether a way touches a box is as matplotlib says; also for a way inside, a point, and ways along an axis."""
    rng = np.random.default_rng(11)
    ways = [*rng.uniform(-3, 3, size=(200, 2, 2)).tolist(), [[0, 0], [0.2, 0.1]], [[0.1, 0.1], [0.1, 0.1]]]
    ways += [
        [[-3, 0.2], [3, 0.2]],
        [[-3, 1.2], [3, 1.2]],
        [[0.3, 3], [0.3, -3]],
        [[1.3, 3], [1.3, -3]],
        [[2, 2], [2, 2]],
    ]
    box = {"left": -1, "right": 1, "top": -0.5, "bottom": 0.5}
    got = node("ways.map(([from, to]) => core.crosses(box, from, to))", ways=ways, box=box)
    bounds = Bbox.from_extents(-1, -0.5, 1, 0.5)
    wanted = [
        bool(MplPath(way).intersects_bbox(bounds, filled=False)) or bounds.contains(*way[0]) for way in ways
    ]
    assert got == wanted
    assert 40 < sum(got[:200]) < 160


def test_layer_norm(node):
    rng = np.random.default_rng(12)
    row, gain, bias = rng.normal(size=(3, 7))
    got = node("[core.layerNorm(x), core.layerNorm(x, g, b), core.layerNorm(x, g)]", x=row, g=gain, b=bias)
    close(got[0], layer_norm(row))
    close(got[1], layer_norm(row, gain, bias))
    close(got[2], layer_norm(row, gain))


def test_numbers_of_two_bytes(node):
    """All finite ones: both zeros, the tiny ones without a leading one, the largest."""
    bits = np.arange(2**16, dtype="<u2")
    numbers = bits.view("<f2")
    finite = np.isfinite(numbers)
    got = node("core.halvesFrom(text)", text=base64.b64encode(bits[finite].tobytes()).decode("ascii"))
    np.testing.assert_array_equal(got, numbers[finite].astype(float))


def test_turned_pairs(node):
    """Both layouts, as `rotate` turns them."""
    rng = np.random.default_rng(13)
    x, omega = rng.normal(size=6), [1.0, 0.3, 0.07]
    got = node(
        """["neighbors", "halves"].map((layout) =>
          core.turnPairs(x, omega.map((clock) => [Math.cos(4 * clock), Math.sin(4 * clock)]), layout))""",
        x=x,
        omega=omega,
    )
    for mine, layout in zip(got, ("interleaved", "halves"), strict=True):
        close(mine, rotate(x[None], 4, frequencies=omega, layout=layout)[0])
    got = node("[-3, 0, 1, 2, 7].map(core.quarterTurn)")
    close(got, [[0, 1], [1, 0], [0, 1], [-1, 0], [0, -1]])


def test_a_text_keeps_its_rule(node):
    """From two to four of its letters; one less, one more, or a foreign one breaks it."""
    texts = ["ab", "abab", "a b", "a", "ababa", "abc", ""]
    got = node("texts.map((text) => core.fitsText(text, ['ab ', 2, 4]))", texts=texts)
    assert got == [True, True, True, False, False, False, False]


def test_every_function_of_core_is_tested():
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py")]
    core = (JS / "core.js").read_text(encoding="utf-8")
    exported = re.findall(r"^export (?:const|function) (\w+)", core, re.MULTILINE)
    assert [
        name
        for name in exported
        if name != "maskFrom" and not any(re.search(rf"\b{name}\b", text) for text in texts)
    ] == []


# ------------------------------------------------------------------------- a page computes what NumPy computes


def words(n):
    return [f"t{i}" for i in range(n)]


def some_masking(rng):
    n, d_k, d_v = rng.integers(2, 7), rng.integers(1, 5), rng.integers(1, 4)
    return Masking(words(n), *(np.zeros((n, d)) for d in (d_k, d_k, d_v)))


def some_first_touch(rng):
    n = rng.integers(3, 6)
    return FirstTouch(words(n), np.zeros((n, 2)), links=[])


def some_self_attention(rng):
    n = rng.integers(2, 9)
    return SelfAttention(words(n), *np.zeros((3, n, 2)))


def some_multi_head(rng):
    n, d_model, d_k, d_v, d_out = rng.integers(2, 5), *rng.integers(1, 5, 4)
    shapes = {
        "w_q": (2, d_model, d_k),
        "w_k": (2, d_model, d_k),
        "w_v": (2, d_model, d_v),
        "w_o": (2, d_v, d_out),
    }
    given = {name: np.zeros(shape) for name, shape in shapes.items()}
    return MultiHead(tokens=words(n), n_tokens=n, x=np.zeros((n, d_model)), **given)


def every_kind_of_run():
    """Networks with no bias, with one head, with a ReLU layer."""
    variants = {
        "two heads": {},
        "two heads, no bias": {"query_bias": False},
        "one head": {"n_heads": 1},
        "one head, ReLU": {"n_heads": 1, "hidden": 8},
        "two heads, ReLU": {"hidden": 3},
    }
    return TrainingReplay(
        {name: train(0, n_steps=40, record_every=10, **kind) for name, kind in variants.items()}
    )


#: What a view says of its numbers: which a mask hides, which pairs never meet, which cases a network gets right.
SAYS = {
    "Masking": ("hidden", lambda widget: ~widget.allowed),
    "PmiTable": ("never", lambda widget: widget.joint == 0),
    "TrainingReplay": ("right", lambda widget: (widget.decision > 0.5) == [False, True, True, False]),
}
#: What a reader changes only together with all else, by a story.
GIVEN = {
    "MultiHead": {"tokens"},
    "PmiTable": {"rows", "columns"},
    "TrainingReplay": {"runs", "steps", "noise"},
}
#: Figures whose sizes follow what they are given.
OF_SOME_SIZE = {
    "Masking": some_masking,
    "FirstTouch": some_first_touch,
    "SelfAttention": some_self_attention,
    "MultiHead": some_multi_head,
}


def of_all_sizes(name):
    if name in OF_SOME_SIZE:
        return [OF_SOME_SIZE[name](np.random.default_rng(seed)) for seed in range(15)]
    return [every_kind_of_run() if name == "TrainingReplay" else EXAMPLES[name]()]


def drawn_states(name):
    """Pairs of a figure and a state: its stories, then sizes and all traits at random.

    After each random state comes one that differs in one trait: what a view keeps from one state must not be used in
    the next.
    """
    rng, found = random.Random(name), []
    widgets = of_all_sizes(name)
    for k, widget in enumerate(widgets):
        found += [(widget, whole(widget, told["changes"])) for told in widget.stories]
        drawn = states(widget, 60 // len(widgets), f"{name} {k}", wild=0)
        for state, other in pairwise(drawn):
            trait = rng.choice(list(state))
            found += [(widget, state), (widget, possible(state | {trait: other[trait]}))]
    return found


def own(widget):
    return {trait: getattr(widget, trait) for trait in widget.own_traits()}


def flat(computed):
    """What a view computed, by name; of a second head {"second": {"weights": …}} as weights_2."""
    second = computed.get("second") or {}
    return computed | {f"{name}_2": value for name, value in second.items()}


@pytest.mark.parametrize("name", [name for name in SHARED if name not in SMALL])
def test_a_page_computes_as_numpy_does(node, name):
    """Every matrix and every number of every figure, in states in which all that a reader can change is drawn.

    Small figures have a table: test_small_numbers.py.
    """
    drawn = drawn_states(name)
    figure = STANDS_ON.get(name, name)
    first, (says, rule) = drawn[0][0], SAYS.get(figure, (None, None))
    moved = random_state(first, random.Random(0))
    assert set(first.state_traits()) - set(moved) == GIVEN.get(figure, set())
    for trait in moved:
        assert len({json.dumps(state[trait]) for _, state in drawn}) > 1, f"{trait} is never changed"
    page = node(
        f"states.map({first.view}.compute)",
        states=[own(widget) | state for widget, state in drawn],
    )
    twins = {id(widget): Twin(widget) for widget, _ in drawn}
    for (widget, state), computed in zip(drawn, page, strict=True):
        now, got = twins[id(widget)].at(state), state | flat(computed)
        for what, wanted in (now.matrices() | now.scalars()).items():
            shown = np.array(got[what], dtype=float).reshape(np.shape(wanted))
            np.testing.assert_allclose(shown, wanted, rtol=1e-12, atol=1e-12, err_msg=f"{what} of {state}")
        if says:
            np.testing.assert_array_equal(got[says], rule(now))


def test_each_part_comes_after_what_it_needs():
    for view in VIEWS:
        order = [*parts(view), view]
        assert len(order) == len(set(order))
        for place, name in enumerate(order):
            assert set(imports(name)) <= set(order[:place]), name


def test_a_circle_of_imports_is_named(monkeypatch):
    below = {"a": ("b",), "b": ("c",), "c": ("b",)}
    monkeypatch.setattr("attn.explore._base.imports", below.get)
    with pytest.raises(ValueError, match="a → b → c → b"):
        parts("a")
