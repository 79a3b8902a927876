"""Each class in its default state, on a page of its own: quick, and independent of the built book.

Many states are reached by script. That a hand gets there, and to the same numbers, is asked of one entry of each trait,
and at night of all.
"""

import itertools
import json

import numpy as np
import pytest

from attn.explore._base import joined_module
from bookext.explorables import model_of
from tests import tiers
from tests.browser.book import Figure
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.explorables import CHAPTERS, DRAWN, EXPLORABLES, MOVED, SMALL
from tests.browser.gestures import numbers, open_up, state_of
from tests.browser.hand import differences, drawn, random_values, randomize, read, roots, same
from tests.browser.reach import bring

STATE = "root => [probe.state(root), root.className.replace(' abh-glide', ''), root.innerText]"


@pytest.mark.parametrize("name", [name for name in EXPLORABLES if name != "Cards"])  # see test_cards.py
def test_two_of_a_kind_keep_apart(mount, name):
    """What happens in one figure leaves its twin on the same page alone."""
    example = EXPLORABLES[name].example
    view = mount([example(), example()])
    one, two = roots(view)
    before = two.evaluate(STATE), drawn(two)
    randomize(one, 1)
    assert two.evaluate(STATE) == before[0]
    assert same(drawn(two), before[1])
    mine = one.evaluate(STATE), drawn(one)
    randomize(two, 2)
    assert one.evaluate(STATE) == mine[0]
    assert same(drawn(one), mine[1])
    ids = view.evaluate("[...document.querySelectorAll('.abh [id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_a_figure_that_can_not_be_mounted_leaves_the_others_alone(visit, tmp_path):
    """Its own picture comes back and the page says so; what comes before and after is alive."""
    from attn.explore import HiddenScore, RowSum, SelfAttention
    from bookext.standalone import page

    for broken in range(3):
        text = page([SelfAttention(), HiddenScore(), RowSum()], pictures=True)
        before, *rest = text.split("data-abh>{")
        rest = [("!{" if place == broken else "{") + part for place, part in enumerate(rest)]
        view = visit.html("data-abh>".join([before, *rest]), tmp_path, wait=False)
        view.goto(view.address)
        view.locator('[data-ready="1"]').nth(1).wait_for()
        slots = view.locator(".abh-slot").all()
        for place, slot in enumerate(slots):
            assert slot.locator('[data-ready="1"]').count() == (place != broken)
            assert (slot.locator(".abh-still svg").count() > 0) == (place == broken)
        assert "does not work here" in slots[broken].inner_text()
        assert [trouble for trouble in visit.trouble if "page error: " not in trouble] == []
        assert len(visit.trouble) == 1
        visit.trouble.clear()


@pytest.mark.parametrize(
    "names",
    [[name] for name in EXPLORABLES if name not in SMALL] + list(CHAPTERS.values()),
    ids=" ".join,
)
def test_drawn_numbers_are_numpys(mount, names):
    """Each figure, the small ones of a chapter together. The cases are few; test_equality.py has more, on the pages."""
    widgets = [EXPLORABLES[name].example() for name in names]
    view = mount(widgets)
    for place, (widget, root) in enumerate(zip(widgets, roots(view), strict=True)):
        assert list(differences(widget, read(root))) == []
        figure = Figure(place, type(widget), model_of(widget.get_state()))
        many = (12 if figure.name in SMALL else 30) if tiers.ALL else 8
        moves = np.random.default_rng(place).random((many, 2)).tolist()
        # No buttons: what they change may stand in no input.
        after = "(root, moves) => probe.text([probe.storm(root, moves, {}, 0), probe.state(root), probe.drawn(root)])"
        for move in moves if widget.matrices() else []:
            said, state, shown = json.loads(root.evaluate(after, [move]))
            assert said == []
            assert list(differences(figure.after(state), shown)) == [], str(figure)


SCREENS = {
    Mouse: {"width": 1280, "height": 800},
    Finger: {"width": 390, "height": 844, "has_touch": True, "is_mobile": True},
}


def one_a_trait(inputs, rng):
    """Names of inputs in an order at random: one entry of each trait; at night every entry."""
    order = [inputs[k]["name"] for k in rng.permutation(len(inputs))]
    return order if tiers.ALL else list({name.split(".")[0]: name for name in order}.values())


def in_hands():
    """Each figure, by mouse and by finger."""
    return list(itertools.product(MOVED, SCREENS))


def at_hand(hand, figure, entry):
    """Whether an input is there in the present state: another may have to be on before."""
    trait = entry["name"].split(".")[0]
    cells = hand.ask("keys", figure.index, "cell"), hand.ask("keys", figure.index, "painter")
    editors = hand.ask("keys", figure.index, "button")
    return (
        entry["visible"]
        or f"edit-{trait}" in editors
        or any(key.split(".")[0] == trait for key in sum(cells, []))
    )


@pytest.mark.parametrize(("name", "kind"), in_hands(), ids=lambda value: getattr(value, "__name__", value))
def test_a_hand_gets_the_same_numbers_as_a_script(mount, take, name, kind):
    """Every sort of input, by mouse and by finger: it takes the value, and the numbers are NumPy's and a script's."""
    widget, rng = EXPLORABLES[name].example(), np.random.default_rng(len(name))
    view = mount([widget, widget], **SCREENS[kind])
    view.add_style_tag(
        content="body { padding-block: 500px !important; }"
    )  # so that there is something to scroll
    hand, figure = take(kind, view), Figure(0, type(widget), model_of(widget.get_state()))
    root, twin = roots(view)
    open_up(hand, figure)
    keys = one_a_trait(root.evaluate("root => probe.inputs(root)"), rng)
    reached = []
    for key in [*keys, *keys]:  # twice: what a switch hides at first may be there by then
        (entry,) = [entry for entry in root.evaluate("root => probe.inputs(root)") if entry["name"] == key]
        if key in reached or not at_hand(hand, figure, entry):
            continue
        reached.append(key)
        now = state_of(hand, figure)[key]
        if entry["type"] == "checkbox":
            value = not now
        else:
            others = [option for option in entry["options"] if option != str(now)]
            value = str(rng.choice(others)) if others else next(random_values([entry], rng))[1]
        bring(hand, figure, key, value)
        assert list(numbers(hand, figure)) == [], f"{key} = {value}"
        twin.evaluate("(root, changes) => probe.round(root, changes)", [[key, value]])
    assert len(reached) > len(keys) / 2, f"no hand gets to {sorted(set(keys) - set(reached))}"
    assert state_of(hand, figure) == twin.evaluate("root => probe.state(root)")
    assert same(drawn(root), drawn(twin))


@pytest.mark.parametrize("name", [name for name in EXPLORABLES if name != "Cards"])  # see test_cards.py
def test_reset_brings_everything_back(mount, name):
    view = mount([EXPLORABLES[name].example()])
    (root,) = roots(view)
    before = root.evaluate(STATE), drawn(root)
    for seed in range(3):
        randomize(root, seed)
        root.query_selector('[data-action="reset"]').evaluate("button => button.click()")
        assert root.evaluate(STATE) == before[0]
        assert same(drawn(root), before[1])


# A question and a small figure have no closed part, and the front page's is small: it is built at once.
@pytest.mark.parametrize("name", [name for name in DRAWN if name not in ("FirstTouch", *SMALL)])
def test_a_closed_part_is_there_when_somebody_opens_it(mount, name):
    """Where the browser is never at leisure it is not built before, and then at once, with all of its numbers."""
    widget = EXPLORABLES[name].example()
    view = mount([widget], own=True, wait=False)
    view.add_init_script("window.requestIdleCallback = () => 0;")
    view.goto(view.address)
    (root,) = roots(view)
    look = "root => [root.querySelector('.abh-more').childElementCount > 0, root.dataset.ready ?? '']"
    assert root.evaluate(look) == [False, ""]
    root.query_selector('[data-action="open"]').click()
    assert root.evaluate(look) == [True, "1"]
    assert list(differences(widget, read(root))) == []


@pytest.mark.parametrize("name", EXPLORABLES)
def test_unmounting_leaves_nothing_behind(mount, name):
    """JupyterLab removes a figure when its cell runs again: its listeners go with it."""
    widget = EXPLORABLES[name].example()
    view = mount([])
    state = {
        key: value for key, value in widget.get_state().items() if key in widget.keys and key != "layout"
    }
    calls = view.evaluate(
        """async ([text, state]) => {
          const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const { render } = (await import(address)).default; // as anywidget does
          const listeners = [];
          const model = {
            get: (key) => state[key], set(key, value) { state[key] = value; }, save_changes() {},
            on: (name, call) => listeners.push([name, call]),
            off: (name, call) => listeners.splice(listeners.findIndex(([n, c]) => n === name && c === call), 1),
          };
          const el = document.body.appendChild(document.createElement("div"));
          const leave = render({ model, el });
          const [live, ready] = [listeners.length, el.querySelectorAll("[data-ready]").length];
          leave();
          return [live, ready, listeners.length, el.childElementCount];
        }""",
        [joined_module(widget.view), {key: value for key, value in state.items() if not key.startswith("_")}],
    )
    assert calls[0] > 0 or not (widget.state_traits() or widget.predict)
    assert calls[1:] == [1, 0, 0]
