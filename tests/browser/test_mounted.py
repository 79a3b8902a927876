"""Each class in its default state, on a page of its own: quick, and independent of the built book.

Many states are reached by script. That a hand gets there, and to the same numbers, is asked of one entry of each trait,
and at night of all.
"""

import itertools

import numpy as np
import pytest

from bookext.explorables import model_of
from tests import tiers
from tests.browser.book import Figure
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.explorables import DRAWN, EXPLORABLES, MOVED, SMALL
from tests.browser.gestures import numbers, open_up, state_of
from tests.browser.hand import differences, drawn, random_values, read, roots, same
from tests.browser.reach import bring

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
