"""Explorables without a browser: their traits and their outputs. Their numbers: test_three_ways.py."""

import json

import pytest

import attn.explore
from attn.explore import Predict
from attn.explore._share import keeps, leaves
from tests.browser.explorables import EXPLORABLES

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
