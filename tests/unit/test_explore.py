"""Explorables without a browser: their traits, their outputs, and their modules run by node against NumPy."""

import json
import random
from itertools import pairwise

import numpy as np
import pytest

import attn.explore
from attn.explore import FirstTouch, Masking, MultiHead, Predict, SelfAttention, TrainingReplay
from attn.explore._share import keeps, leaves
from attn.xor import RUN_VARIANTS, train
from tests.browser.explorables import EXPLORABLES, SHARED, SMALL, STANDS_ON
from tests.browser.states import Twin, possible, random_state, states, whole
from tests.unit.node import answer, view_of

EXAMPLES = {name: row.example for name, row in EXPLORABLES.items()}


@pytest.fixture(params=[name for name in attn.explore.__all__ if name != "Explorable"])
def widget(request):
    return EXAMPLES[request.param]()


def test_a_bundle_has_a_picture_and_a_text_and_is_the_same_each_time(widget):
    data, _ = widget._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == repr(widget)
    assert "0x" not in repr(widget)  # no address: the same text in each run
    assert len(widget.alt) > 20
    again = EXAMPLES[type(widget).__name__]()
    assert (repr(again), again.alt, again.png()) == (repr(widget), widget.alt, widget.png())


def test_unknown_traits_are_refused(widget):
    needs = {"question": "", "solution": 0, "explanation": ""} if type(widget) is Predict else {}
    with pytest.raises(TypeError, match=f"{type(widget).__name__} has no colour; it has .*"):
        type(widget)(**needs, colour=1)


def test_traits_that_do_not_fit_together_yet_can_be_set_one_by_one(widget):
    """The text follows when they fit; until then the last one that was true stays."""
    before = widget.alt
    for name in ("q", "k", "v", "x", "w_q"):
        if name in widget.own_traits():
            value = getattr(widget, name)
            setattr(widget, name, value[:1])
            setattr(widget, name, value)
    assert widget.alt == before


def test_alt_text_follows_the_state():
    """As if the figure had been made so: the text that a reader without the picture gets."""
    waves = attn.explore.PositionalEncoding(position=3, offset=2)
    waves.position = 40
    assert "positions 40 and 42" in waves.alt
    assert waves.alt == attn.explore.PositionalEncoding(position=40, offset=2).alt


def test_all_that_a_control_sets_may_stand_in_a_link(widget):
    """An end of a slider, an option of a menu: its rule does not refuse what a hand can do. And a state is JSON."""
    for name, control in widget.controls.items():
        values = [control[end] for end in ("min", "max") if end in control]
        for value in [*values, *(value for value, _ in control.get("options", []))]:
            assert keeps(widget.rules.get(name.split(".")[0]), value), (name, value)
    json.dumps({key: value for key, value in widget.get_state().items() if key != "layout"}, allow_nan=False)


def test_a_story_is_a_state_of_its_figure(widget):
    """A figure can be made so, and a link may say it: its words are words of the figure."""
    for told in widget.stories:
        assert set(told["changes"]) <= set(widget.state_traits())
        first = {name: getattr(widget, name) for name in widget.own_traits()}
        again = type(widget)(**first | told["changes"])
        assert {name: getattr(again, name) for name in told["changes"]} == told["changes"]
        for name, value in told["changes"].items():
            assert all(keeps(widget.rules[name], leaf) for leaf in leaves(value)), name


def test_predict_knows_what_is_right():
    number, choice = Predict("?", solution=0.25, tolerance=0.01, explanation=""), EXAMPLES["Predict"]()
    assert number.right is None
    for question, wanted in ((number, {0.255: True, 0.27: False}), (choice, {1: True, 0: False})):
        for question.answer, right in wanted.items():
            assert question.right is right


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
    kinds = {name: kind for name, kind in RUN_VARIANTS.items() if kind["n_heads"] < 3}
    kinds["two heads, ReLU"] = {"hidden": 3}
    return TrainingReplay(
        {name: train(0, n_steps=40, record_every=10, **kind) for name, kind in kinds.items()}
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


def flat(computed):
    """What a view computed, by name; of a second head {"second": {"weights": …}} as weights_2."""
    second = computed.get("second") or {}
    return computed | {f"{name}_2": value for name, value in second.items()}


@pytest.mark.parametrize("name", [name for name in SHARED if name not in SMALL])
def test_a_page_computes_as_numpy_does(name):
    """Every matrix and every number of every figure, in states in which all that a reader can change is drawn.

    Small figures have a table: test_small_figures.py.
    """
    drawn = drawn_states(name)
    figure = STANDS_ON.get(name, name)
    first, (says, rule) = drawn[0][0], SAYS.get(figure, (None, None))
    moved = random_state(first, random.Random(0))
    assert set(first.state_traits()) - set(moved) == GIVEN.get(figure, set())
    for trait in moved:
        assert len({json.dumps(state[trait]) for _, state in drawn}) > 1, f"{trait} is never changed"
    given = [{trait: getattr(one, trait) for trait in one.own_traits()} | state for one, state in drawn]
    page = answer(view_of(first.view), "states.map(compute)", states=given)
    twins = {id(widget): Twin(widget) for widget, _ in drawn}
    for (widget, state), computed in zip(drawn, page, strict=True):
        now, got = twins[id(widget)].at(state), state | flat(computed)
        for what, wanted in (now.matrices() | now.scalars()).items():
            shown = np.array(got[what], dtype=float).reshape(np.shape(wanted))
            np.testing.assert_allclose(shown, wanted, rtol=1e-12, atol=1e-12, err_msg=f"{what} of {state}")
        if says:
            np.testing.assert_array_equal(got[says], rule(now))
