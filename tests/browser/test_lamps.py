"""A goal's lamp comes on where the goal is reached, and nowhere else: in states just outside it stays dark.

What a goal asks is said a second time in NumPy (lamps.py). Each lit state is stored here as inputs that reach it; from
there the tests walk along every trait to where the lamp goes out, and look on both sides.
"""

import numpy as np
import pytest

from attn.explore import FirstTouch, Masking, MultiHead, SelfAttention, XorLab
from tests import tiers
from tests.browser import lamps
from tests.browser.explorables import EXPLORABLES, MOVED
from tests.browser.states import long_replay, whole

FIGURES = {
    **{name: EXPLORABLES[name].example for name in MOVED if name != "TrainingReplay"},
    "FirstTouch shuffled": lambda: FirstTouch(order=[2, 0, 1]),
    "SelfAttention of another": lambda: SelfAttention(asks="cat"),
    "MultiHead source": lambda: MultiHead("source"),
    "XorLab source": lambda: XorLab("source"),
    "TrainingReplay": long_replay,
}

WILD = 40 if tiers.ALL else 12  # states drawn anywhere


def with_inputs(widget, way):
    """The state after inputs are set, as the page sets them."""
    state = whole(widget, {})
    for step in way:
        if isinstance(step, str):  # the button of a story
            story = next(told for told in widget.stories if step == f"preset-{told['name']}")
            state |= story["changes"]
            continue
        name, value = step
        trait, *path = name.split(".")
        if trait == "mask":
            state["preset"] = "custom"
        state[trait] = lamps.rebuilt(state[trait], [int(index) for index in path], value)
        if trait in ("p_row", "p_column"):
            low, high = max(0, state["p_row"] + state["p_column"] - 1), min(state["p_row"], state["p_column"])
            state["p_11"] = min(max(state["p_11"], low), high)
    return state


def lit_states(name, widget):
    """For each goal a state that reaches it."""
    if name == "TrainingReplay":
        around = lamps.Around(widget)
        every = [
            whole(widget, {"run": run["name"], "record": record, "draw": draw, "opened": True})
            for run in widget.runs
            for record in range(len(widget.steps))
            for draw in range(1, 9)
        ]
        reached = [around(state) for state in every]
        return [every[next(i for i, lit in enumerate(reached) if lit[goal])] for goal in range(3)], every
    kind = type(widget).__name__
    # explorables.py moves the widget while it looks for a way.
    ways = EXPLORABLES[kind].goals(
        type(widget)(**{trait: getattr(widget, trait) for trait in widget.own_traits()})
    )
    return [with_inputs(widget, way) for way in ways], []


@pytest.mark.parametrize("name", FIGURES)
def test_lamps(mounted, name):
    widget = FIGURES[name]()
    around = lamps.Around(widget)
    first = whole(widget, {})
    goals, states = lit_states(name, widget)
    assert len(around(first)) == len(goals), "lamps.py says each goal of a figure a second time"
    for goal, lit in enumerate(goals):
        assert around(lit)[goal], f"goal {goal}: its stored state does not reach it"
        states += [lit, *around.edges(goal, lit)]
    states += [first, *lamps.wild(widget, WILD, name)]
    states += [first | changes for changes in lamps.NEARLY.get(name, [])]
    states, wanted = zip(*((s, lit) for s in states if (lit := around(s)) is not None), strict=True)
    assert around(first) == [0] * len(wanted[0]), "a goal is reached in the first state"
    for goal in range(len(wanted[0])):
        assert 0 < sum(lit[goal] for lit in wanted) < len(wanted)
    got = mounted.put(widget).lit(list(states))
    changed = [{t: v for t, v in s.items() if v != first[t]} for s in states]
    assert [found for found in zip(got, wanted, changed, strict=True) if found[0] != found[1]][:3] == []


@pytest.mark.parametrize("name", ["FirstTouch", "Masking", "XorLab"])
def test_a_lamp_stays_lit_and_a_link_lights_it(mounted, name):
    """Not before a hand or a link is there; until reset, wherever the state goes; and again from a link."""
    widget = EXPLORABLES[name].example()
    (goal, *_), _ = lit_states(name, widget)
    page = mounted.put(widget).page
    dark = ["open"] * page.evaluate("mounted.lamps().length")
    page.evaluate("state => mounted.tell(state)", goal)
    assert page.evaluate("mounted.lamps()") == dark, "lit, and no hand was there"
    page.evaluate("mounted.touch()")
    page.evaluate("state => mounted.tell(state)", goal)
    lit = page.evaluate("mounted.lamps()")
    assert lit[0] == "right"
    link = page.evaluate("() => mounted.copied('copy-link')")
    page.evaluate("state => mounted.tell(state)", whole(widget, {}))
    assert page.evaluate("mounted.lamps()") == lit
    page.evaluate("mounted.reset()")
    assert page.evaluate("mounted.lamps()") == dark
    mounted.put(widget)  # a reload
    assert page.evaluate("mounted.lamps()") == dark
    page.evaluate("hash => probe.follow(hash)", link[link.index("#") :])
    assert page.evaluate("mounted.lamps()") == lit
    marks = page.evaluate("[...mounted.root().querySelectorAll('[data-goal]')].map((goal) => goal.innerText)")
    assert ["✓" in text and "done" in text for text in marks] == [state == "right" for state in lit]


def test_small_figures_alone_have_goals(mounted):
    """A heat map has none."""
    n = 9
    widget = Masking([f"w{i}" for i in range(n)], np.eye(n), np.eye(n), np.eye(n))
    assert mounted.put(widget).page.evaluate("mounted.lamps()") == []
