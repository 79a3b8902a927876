"""Each class in its default state, on a page of its own: quick, and independent of the built book."""

import json

import numpy as np
import pytest

from attn.explore._base import joined_module
from bookext.explorables import model_of
from tests.browser.book import Figure
from tests.browser.explorables import EXPLORABLES, SMALL
from tests.browser.hand import differences, drawn, randomize, read, roots, same

STATE = "root => [probe.state(root), root.className.replace(' abh-glide', ''), root.innerText]"


@pytest.mark.parametrize("name", EXPLORABLES)
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


@pytest.mark.parametrize("name", EXPLORABLES)
def test_drawn_numbers_are_numpys(mount, name):
    """The few cases here are quick; test_equality.py has all of them, on the built pages."""
    widget = EXPLORABLES[name].example()
    view = mount([widget])
    (root,) = roots(view)
    assert list(differences(widget, read(root))) == []
    figure = Figure(0, type(widget), model_of(widget.get_state()))
    moves = np.random.default_rng(0).random((30, 2)).tolist()
    # No buttons: what they change may stand in no input.
    after = (
        "(root, moves) => probe.text([probe.storm(root, moves, {}, 0), probe.state(root), probe.drawn(root)])"
    )
    for move in moves if widget.matrices() else []:
        said, state, shown = json.loads(root.evaluate(after, [move]))
        assert said == []
        assert list(differences(figure.after(state), shown)) == []


@pytest.mark.parametrize("name", EXPLORABLES)
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
@pytest.mark.parametrize(
    "name", [name for name in EXPLORABLES if name not in ("FirstTouch", "Predict", *SMALL)]
)
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
    assert calls[0] > 0
    assert calls[1:] == [1, 0, 0]
