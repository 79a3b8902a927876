"""A state goes out as a link and as a frame for another page, and comes back as it was, to the last bit.

The states are random, by the rules of the figure: ends of ranges, numbers with seventeen digits, tiny ones, negative
zeros. What a link may not bring: tests/unit/test_share.py.
"""

import re
from urllib.parse import unquote

import numpy as np
import pytest

from attn.explore import FirstTouch, Masking, PmiTable, SelfAttention, TrainingReplay
from attn.explore._share import leaves
from tests import tiers
from tests.browser.explorables import EXPLORABLES, SHARED, replay
from tests.browser.states import states, whole

WORDS = ["a, b", "c=d&e", 'say "so"', "−1", "100 %", "#state", "naïve 日本 🙂", "it's <b> \\n `x`"]
LINK = re.compile(r"#state=[\w-]+(&\w+=[\w.~!*'()%,-]*)*")


def plain(value):
    """As JSON has it: 3.0 is 3, −0.0 is 0."""
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return value + 0.0 if isinstance(value, float) else value


def read_link(link, widget):
    """What a link says, read without the page's own code: trait -> list of entries."""
    assert LINK.fullmatch(link), link
    _, *pairs = link.split("&")
    said = {}
    for pair in pairs:
        name, texts = pair.split("=")
        kinds = {"bool": lambda text: text == "1", "of": str, "text": str}
        read = kinds.get(widget.rules[name][0], float)
        said[name] = [read(unquote(text)) for text in texts.split(",")]
    return said


def check_trip(widget, first, state, trip, name):
    what = f"{trip['link']}\n{state}"
    assert trip["back"] == plain(state), what
    assert trip["same"], f"the link draws something else: {what}"
    changed = {trait: value for trait, value in state.items() if plain(value) != plain(first[trait])}
    said = read_link(trip["link"], widget)
    written = {
        trait: [f"{x:.15g}" if isinstance(x, float) else str(x) for x in leaves(value)]
        if widget.rules[trait][0] == "of"
        else leaves(value)
        for trait, value in changed.items()
    }
    assert said == written, what
    address, _, rest = trip["frame"].partition("#")
    assert address.endswith("/explore/figure.html")
    assert rest == trip["link"][1:].replace(name, type(widget).__name__, 1), "the frame's page has one figure"
    assert trip["attributes"] == ["src", "title", "width", "height", "style", "loading", "allow"]


@pytest.mark.parametrize("name", SHARED)
def test_any_state_comes_back(mounted, name):
    """By link and by frame; the second of two on a page too."""
    widget = EXPLORABLES[name].example()
    first = whole(widget, {})
    given = states(widget, 12 if tiers.ALL else 6, name, wild=0.5, exact=True)
    for state, trip in zip(given, mounted.put(widget).trips(given, list(first)), strict=True):
        check_trip(widget, first, state, trip, name)


def vectors(n):
    rng = np.random.default_rng(n)
    return [rng.normal(size=(n, 2)).round(2).tolist() for _ in "qkv"]


def renamed():
    widget = replay()
    runs = [run | {"name": name} for run, name in zip(widget.runs, ("one head, ReLU", WORDS[2]), strict=True)]
    return TrainingReplay(steps=widget.steps, noise=widget.noise, runs=runs)


#: Figures with words that a link or a frame could take for something else, and changes of their states.
ODD = [
    (lambda: SelfAttention(WORDS, *vectors(len(WORDS))), [{"asks": word} for word in WORDS]),
    (
        lambda: Masking(WORDS[:4], *vectors(4)),
        [{"preset": "custom", "mask": [[True, False] * 2] * 4, "order": "renormalized", "fill": "-1e9"}],
    ),
    (
        lambda: FirstTouch(WORDS[4:], [[1, 0.5], [-2, 1e-7], [0, 3], [-0.1, -3]], links=[]),
        [{"order": [3, 0, 2, 1], "hidden": [True, False, False, True], "looks": True, "length": 0.0}],
    ),
    (lambda: PmiTable(rows=WORDS[:2], columns=WORDS[2:4]), [{"p_11": 0.1 + 0.2 - 0.2, "unit": "nats"}]),
    (renamed, [{"run": name, "record": 2} for name in ("one head, ReLU", WORDS[2])]),
]


@pytest.mark.parametrize(("make", "changes"), ODD)
def test_odd_words_come_back(mounted, make, changes):
    """Commas, quotes, ampersands, percents, minus signs and other scripts, the figure the second of its page."""
    widget = make()
    name, given = type(widget).__name__, [whole(widget, change) for change in changes]
    first = whole(widget, {})
    mounted.put(EXPLORABLES[name].example(), widget)
    before = mounted.page.evaluate("JSON.stringify(probe.drawn(mounted.root(0)))")
    for state, trip in zip(given, mounted.trips(given, list(first)), strict=True):
        assert trip["link"].startswith(f"#state={name}-2")
        check_trip(widget, first, state, trip, f"{name}-2")
    assert mounted.page.evaluate("JSON.stringify(probe.drawn(mounted.root(0)))") == before, (
        "a link moved another figure"
    )


def test_a_link_says_all_of_a_state(mounted):
    """What it does not name is as it is at first, whatever the hand did before."""
    widget = Masking()
    page = mounted.put(widget).page
    first = plain(whole(widget, {}))
    page.evaluate("state => mounted.tell(state)", whole(widget, {"nudge": 2.0, "order": "after"}))
    page.evaluate("hash => probe.follow(hash)", "#state=Masking&fill=-1e9")
    assert page.evaluate("names => mounted.traits(names)", list(first)) == first | {"fill": "-1e9"}
