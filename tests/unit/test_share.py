"""States as links and as code: what js/states.js takes from a link and writes as Python, and the rules that Python has.

That any state of any figure comes back, and that nonsense in an address changes no page, tests/browser asks.
"""

import numpy as np
import pytest
import traitlets

from attn.explore import FirstTouch, Masking, MultiHead, Predict, ReadAlong, SelfAttention
from attn.explore._base import module_source
from attn.explore._share import keeps, leaves, rule_of, shape_of
from tests.unit.node import answer


def read(widget, texts):
    """What each link says to a figure, null if nothing; and whether it leaves all objects alone."""
    first = {name: getattr(widget, name) for name in widget.own_traits()}
    code = """texts.map((text) => [stateFrom(text, first, rules),
      {}.polluted === undefined && Object.keys(Object.prototype).length === 0])"""
    found = answer(module_source("states"), code, texts=list(texts), first=first, rules=widget.rules)
    assert all(clean for _, clean in found)
    return [said for said, _ in found]


SAYS = {
    Masking: {
        "": {},
        "nudge=2": {"nudge": 2},
        "nudge=-0.3&order=after&opened=1": {"nudge": -0.3, "order": "after", "opened": True},
        "preset=causal%2Bpadding&fill=-inf": {"preset": "causal+padding", "fill": "-inf"},
        "v=0,1,2,3,4,5,6,1e-3": {"v": [[0, 1], [2, 3], [4, 5], [6, 0.001]]},
        "mask=" + ",".join("1000110011101111"): {"mask": np.tri(4, dtype=bool).tolist()},
    },
    FirstTouch: {"order=2,0,1": {"order": [2, 0, 1]}, "order=0,0,1": None, "order=0,1,3": None, "order=0,1": None},
    SelfAttention: {"asks=cat": {"asks": "cat"}, "asks=dog": None, "asks=": None, "asks=toString": None},
    ReadAlong: {"text=read%20on": {"text": "read on"}, "asks=3": {"asks": 3}} | dict.fromkeys(
        ("text=", "text=a", "text=" + 25 * "a", "text=abcd%C3%A9", "text=ABC", "text=__proto__", "text=a%0Ab"), None
    ),
}  # fmt: skip
NUMBERS = [
    "", "x", "4", "-3.0001", "NaN", "Infinity", "1e999", "0x1", " 1", "1,2", "1&nudge=2", "1&nudge", "1&",
    "1&__proto__=1", "%E0%A4%A", "1&unknown=1", "1" * 30, "1&" * 10_000,
]  # fmt: skip
NONSENSE = [
    *(f"nudge={text}" for text in NUMBERS), *("window=" + text for text in ("1.5", "0", "5")), "leak", "nudge",
    "&nudge=1", "=1", "order=sideways", "order=", "opened=yes", "opened=true", "v=1,2,3", "v=1,2,3,4,5,6,7,",
    "v=" + ",".join("1" * 9), "v=[[1,2],[3,4],[5,6],[7,8]]", "v=1,2,3,4,5,6,7,1001", "v=" + "1," * 50_000,
    "tokens=a,b,c,d", "unknown=1", "alt=hello", "rules=", "__proto__=1", "__proto__.polluted=1", "constructor=1",
    "toString=1", '{"nudge":1}', "\u0000",
]  # fmt: skip


@pytest.mark.parametrize("kind", SAYS)
def test_what_a_link_says(kind):
    assert read(kind(), SAYS[kind]) == list(SAYS[kind].values())


def test_nonsense_is_ignored():
    """All of it: a link that is wrong in one place changes nothing at all."""
    said = read(Masking(), NONSENSE)
    assert [text[:60] for text, found in zip(NONSENSE, said, strict=True) if found is not None] == []


def test_rules_follow_types_and_shapes():
    class Odd(traitlets.HasTraits):
        ragged = traitlets.List([[1], [2, 3]])
        rows = traitlets.List([{"name": "a"}])
        table = traitlets.Dict({"a": 1})
        free = traitlets.Float(1.0)

    odd = Odd()
    rules = {name: rule_of(trait, getattr(odd, name), [], {}) for name, trait in Odd.class_traits().items()}
    assert rules == {"ragged": ["fixed"], "rows": ["fixed"], "table": None, "free": ["number", -1000, 1000]}
    assert [shape_of(value) for value in ([[1, 2], [3, 4]], 3, [[1], 2], [])] == [(2, 2), (), None, None]
    assert leaves({"a": [1, [2]], "b": "c"}) == [1, 2, "c"]
    assert not keeps(["int", 0, 3], True)
    assert not keeps(["fixed"], 1)
    assert Predict("Which?", options=["a", "b"], solution=1, explanation="b").rules == {}


STEP = {"name": "leak", "says": "", "changes": {"nudge": 1.0}}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"name": "a", "says": "b"}], "must have name, says and changes"),
        ([STEP | {"name": "A b"}], "lower-case letters"),
        ([STEP | {"changes": {"nugde": 1}}], "changes 'nugde'"),
        ([STEP | {"changes": {"nudge": 4}}], "nudge must be"),
        ([STEP | {"changes": {"v": [[1, 2]]}}], r"must have shape \(4, 2\), got \(1, 2\)"),
        ([STEP, STEP], "a name of its own"),
    ],
)
def test_a_step_that_can_not_be(steps, said):
    with pytest.raises(ValueError, match=said):
        Masking(lecture=steps)
    assert Masking(lecture=[STEP]).lecture == [STEP]


def test_arrays_become_lists():
    assert FirstTouch(k=np.array([[1, 2], [3, 4], [5.0, 6]])).k == [[1, 2], [3, 4], [5, 6]]
    assert MultiHead(faders=np.array([0.5, 0.5])).faders == [0.5, 0.5]
