"""States as links and as code: what js/core.js takes from a link, run by the node that Playwright carries."""

import json
from urllib.parse import quote

import numpy as np
import pytest

from attn.explore import FirstTouch, Masking, MultiHead, PmiTable, Predict, SelfAttention
from attn.explore._base import module_source
from attn.explore._share import keeps, leaves, rule_of, shape_of
from tests.unit.node import answer


def run(widget, expression, **given):
    """Evaluate an expression of core.js that may use `first` and `rules` of a widget, and what is given."""
    given |= {"first": {name: getattr(widget, name) for name in widget.own_traits()}, "rules": widget.rules}
    names = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
    return answer(f"{module_source('states')}\n{names}", expression)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("", {}),
        ("nudge=2", {"nudge": 2}),
        ("nudge=-0.3&order=after&opened=1", {"nudge": -0.3, "order": "after", "opened": True}),
        ("preset=causal%2Bpadding&fill=-inf", {"preset": "causal+padding", "fill": "-inf"}),
        ("v=0,1,2,3,4,5,6,1e-3", {"v": [[0, 1], [2, 3], [4, 5], [6, 0.001]]}),
        ("mask=" + ",".join("1000110011101111"), {"mask": np.tri(4, dtype=bool).tolist()}),
    ],
)
def test_what_a_link_says(text, changes):
    assert run(Masking(), "stateFrom(text, first, rules)", text=text) == changes


NONSENSE = [
    "leak",
    "nudge",
    "nudge=",
    "nudge=x",
    "nudge=4",
    "nudge=-3.0001",
    "nudge=NaN",
    "nudge=Infinity",
    "nudge=1e999",
    "nudge=0x1",
    "nudge= 1",
    "nudge=1,2",
    "nudge=1&nudge=2",
    "nudge=1&nudge",
    "nudge=1&",
    "&nudge=1",
    "=1",
    "window=1.5",
    "window=0",
    "window=5",
    "order=sideways",
    "order=",
    "opened=yes",
    "opened=true",
    "v=1,2,3",
    "v=" + ",".join(["1"] * 9),
    "v=1,2,3,4,5,6,7,",
    "v=[[1,2],[3,4],[5,6],[7,8]]",
    "v=1,2,3,4,5,6,7,1001",
    "tokens=a,b,c,d",
    "tokens=%3Cimg%20src=x%3E,NAME,IS,ABIR",
    "unknown=1",
    "alt=hello",
    "rules=",
    "__proto__=1",
    "__proto__.polluted=1",
    "constructor=1",
    "toString=1",
    "nudge=1&__proto__=1",
    "nudge=%E0%A4%A",
    "nudge=1&unknown=1",
    "nudge=" + "1" * 30,
    "v=" + "1," * 50_000,
    "nudge=1&" * 10_000,
    "{}",
    '{"nudge":1}',
    "\u0000",
]


def test_nonsense_is_ignored():
    """All of it: a link that is wrong in one place changes nothing at all."""
    code = """texts.map((text) => { const found = stateFrom(text, first, rules);
        return [found, {}.polluted === undefined && Object.keys(Object.prototype).length === 0]; })"""
    for text, (found, clean) in zip(NONSENSE, run(Masking(), code, texts=NONSENSE), strict=True):
        assert found is None, text[:60]
        assert clean, text[:60]


def test_an_order_is_a_permutation():
    texts = ["order=2,0,1", "order=0,0,1", "order=0,1,3", "order=0,1"]
    found = run(FirstTouch(), "texts.map((text) => stateFrom(text, first, rules))", texts=texts)
    assert found == [{"order": [2, 0, 1]}, None, None, None]


def test_words_are_those_of_the_figure():
    texts = ["asks=cat", "asks=dog", "asks=asks"]
    found = run(SelfAttention(), "texts.map((text) => stateFrom(text, first, rules))", texts=texts)
    assert found == [{"asks": "cat"}, None, None]


@pytest.mark.parametrize("widget", [Masking(), FirstTouch(), PmiTable(), MultiHead(), SelfAttention()])
def test_links_come_back(widget):
    """What a link says is what was linked, to the bit."""
    rng = np.random.default_rng(0)
    state = {name: getattr(widget, name) for name in widget.rules}
    for name, rule in widget.rules.items():
        if rule[0] == "number":
            shape = shape_of(state[name])
            state[name] = np.asarray(rng.uniform(max(rule[1], -3), min(rule[2], 3), shape)).tolist()
        elif rule[0] == "bool" and not shape_of(state[name]):
            state[name] = not state[name]
    found = run(widget, "stateFrom(linkFrom(state, first, rules), first, rules)", state=state)
    assert found == {name: value for name, value in state.items() if value != getattr(widget, name)}
    assert run(widget, "linkFrom(first, first, rules)") == ""


def test_code_is_python():
    values = {
        "a": [[1, 0.1], [-2, 1e-7]], "s": 'say "no"\n', "t": True, "n": None, "u": "−1", "l": [1, 2],
        "d": [{"name": "one", "of": [[1.5]]}], "b": [[True, False]], "deep": [[[1, 2]], [[3, 4]]],
    }  # fmt: skip
    code = run(Masking(), "pythonFrom('Thing', values, ['q', 'weights'])", values=values)

    class Thing:
        def __init__(self, **traits):
            self.traits = traits

        def matrices(self):
            return {"weights": 7}

    scope = {"Thing": Thing}
    exec(code.replace("from attn.explore import Thing", ""), scope)
    made = scope["explorable"].traits
    assert isinstance(made["a"], np.ndarray)
    assert scope["deep"].shape == (2, 1, 2)
    assert {
        name: value.tolist() if hasattr(value, "tolist") else value for name, value in made.items()
    } == values
    assert scope["weights"] == 7


# ---------------------------------------------------------------- rules in Python


def test_every_number_has_ends():
    for kind in (Masking, FirstTouch, PmiTable, MultiHead, SelfAttention):
        for name, rule in kind().rules.items():
            assert rule[0] in ("bool", "int", "number", "of", "order", "fixed"), name
            if rule[0] in ("int", "number", "order"):
                assert -np.inf < rule[1] < rule[2] < np.inf, f"{kind.__name__}.{name}"


def test_a_question_has_no_state_to_share():
    assert Predict("Which?", options=["a", "b"], solution=1, explanation="b").rules == {}


def test_rules_follow_types_and_shapes():
    import traitlets

    class Odd(traitlets.HasTraits):
        ragged = traitlets.List([[1], [2, 3]])
        rows = traitlets.List([{"name": "a"}])
        table = traitlets.Dict({"a": 1})
        free = traitlets.Float(1.0)

    traits, odd = Odd.class_traits(), Odd()
    assert rule_of(traits["ragged"], odd.ragged, []) == ["fixed"]
    assert rule_of(traits["rows"], odd.rows, []) == ["fixed"]
    assert rule_of(traits["table"], odd.table, []) is None
    assert rule_of(traits["free"], odd.free, []) == ["number", -1000, 1000]
    assert (shape_of([[1, 2], [3, 4]]), shape_of(3), shape_of([[1], 2]), shape_of([])) == (
        (2, 2),
        (),
        None,
        None,
    )
    assert leaves({"a": [1, [2]], "b": "c"}) == [1, 2, "c"]
    assert not keeps(["int", 0, 3], True)
    assert not keeps(["fixed"], 1)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"name": "a", "says": "b"}, "must have name, says and changes"),
        ({"name": "A b", "says": "", "changes": {}}, "lower-case letters"),
        ({"name": "a", "says": "", "changes": {"nugde": 1}}, "changes 'nugde'"),
        ({"name": "a", "says": "", "changes": {"nudge": 4}}, "nudge must be"),
        ({"name": "a", "says": "", "changes": {"v": [[1, 2]]}}, r"must have shape \(4, 2\), got \(1, 2\)"),
    ],
)
def test_a_step_that_can_not_be(step, said):
    with pytest.raises(ValueError, match=said):
        Masking(lecture=[step])


def test_two_steps_need_two_names():
    step = {"name": "leak", "says": "", "changes": {"nudge": 1.0}}
    assert Masking(lecture=[step]).lecture == [step]
    with pytest.raises(ValueError, match="a name of its own"):
        Masking(lecture=[step, step])


def test_arrays_become_lists():
    given = np.array([[0.5, 0.5]])
    assert FirstTouch(k=np.array([[1, 2], [3, 4], [5.0, 6]])).k == [[1, 2], [3, 4], [5, 6]]
    assert MultiHead(faders=given[0]).faders == [0.5, 0.5]


def test_quoted_texts_come_back():
    widget = SelfAttention(tokens=["a, b", "c&d=e", "é"], asks="c&d=e")
    found = run(widget, "stateFrom(text, first, rules)", text=f"asks={quote('a, b', safe='')}")
    assert found == {"asks": "a, b"}
