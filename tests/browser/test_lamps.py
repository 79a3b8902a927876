"""A goal's lamp comes on at the end of the way to it, and for all of its steps: without one of them it stays dark.

The ways stand in explorables.py, as inputs.
"""

import numpy as np
import pytest

from attn.explore import FirstTouch, Masking, MultiHead, SelfAttention
from tests.browser import book
from tests.browser.explorables import DRAWN, EXPLORABLES, MOVED
from tests.browser.states import rebuilt, spots, whole

FIGURES = {
    **{name: EXPLORABLES[name].example for name in MOVED if name != "TrainingReplay"},
    "FirstTouch shuffled": lambda: FirstTouch(order=[2, 0, 1]),
    "SelfAttention of another": lambda: SelfAttention(asks="cat"),
    "MultiHead source": lambda: MultiHead("source"),
    "TrainingReplay": lambda: book.figures("chapters/06_learning_xor.html")[-1].widget(),
}

#: How many entries of a lit state may go back to what they were at first, one alone, and the lamp burns on.
SPARE = {
    ("MultiHead", 0): 1, ("SelfAttention", 1): 3, ("SelfAttention", 2): 1, ("SelfAttention of another", 1): 2,
    ("SelfAttention of another", 2): 1, ("Rotary", 0): 1, ("Rotary", 3): 3, ("Induction", 3): 1, ("ReadAlong", 1): 1,
    ("ReadAlong", 2): 1, ("XorLab", 2): 12,
}  # fmt: skip


# Go a way, by inputs and buttons: the lamps, the height of the goals and some traits then; and the lamps after reset.
GO = """([way, names]) => {
  const root = mounted.root();
  const lamps = () => [...root.querySelectorAll("[data-lamp]")].map((lamp) => Number(lamp.dataset.lamp));
  probe.open();
  mounted.touch();
  const tall = () => root.querySelector(".abh-goals").offsetHeight;
  const [dark, low] = [lamps(), tall()];
  for (const step of way) {
    if (Array.isArray(step)) probe.set(root, ...step);
    else root.querySelector(`[data-action="${step}"]`).click();
  }
  const seen = { dark, lit: lamps(), grows: tall() - low, state: mounted.traits(names) };
  mounted.reset();
  return { ...seen, after: lamps() };
}"""


def reached(mounted, widget):
    """Go the way to each goal, on a phone; the states that light the lamps. No line moves, and reset puts them out."""
    page, names = mounted.put(widget).page, [name for name in widget.rules if name != "opened"]
    # explorables.py moves the widget while it looks for a way.
    again = type(widget)(**{trait: getattr(widget, trait) for trait in widget.own_traits()})
    ways = EXPLORABLES[type(widget).__name__].goals(again)
    dark = page.evaluate("mounted.lamps().map(() => 0)")
    assert len(dark) == len(ways), "its row in explorables.py has a way to each goal"
    page.set_viewport_size({"width": 360, "height": 640})
    found = [page.evaluate(GO, [way, names]) for way in ways]
    page.set_viewport_size({"width": 1280, "height": 900})
    for place, seen in enumerate(found):
        assert seen["dark"] == seen["after"] == dark
        assert seen["lit"][place], ways[place]
        assert seen["grows"] == 0, ways[place]
    return [whole(widget, seen["state"]) for seen in found]


@pytest.mark.parametrize("page", book.lively())
def test_goals_can_be_reached(mounted, page):
    for figure in book.figures(page):
        if figure.name in DRAWN:
            reached(mounted, figure.widget())


def put_back(first, lit):
    """A state that lights a lamp, with one entry of one trait as it was at first: each that differs."""
    for name, value in lit.items():
        before = dict(spots(first[name]))
        if before.keys() != dict(spots(value)).keys():
            yield name, lit | {name: first[name]}
            continue
        for path, entry in spots(value):
            if entry != before[path]:
                yield ".".join([name, *map(str, path)]), lit | {name: rebuilt(value, path, before[path])}


@pytest.mark.parametrize("name", FIGURES)
def test_each_step_of_a_way_is_needed_to_light_its_lamp(mounted, name):
    widget = FIGURES[name]()
    first = whole(widget, {})
    goals = reached(mounted, widget)
    page = mounted.put(widget)
    assert page.lit([first]) == [[0] * len(goals)]
    assert [lit[goal] for goal, lit in enumerate(page.lit(goals))] == [1] * len(goals)
    for goal, lit in enumerate(goals):
        names, states = zip(*put_back(first, lit), strict=True)
        spare = [step for step, lamps in zip(names, page.lit(list(states)), strict=True) if lamps[goal]]
        assert len(spare) == SPARE.get((name, goal), 0), (goal, spare)


@pytest.mark.parametrize("name", ["FirstTouch", "Masking", "XorLab"])
def test_a_lamp_stays_lit_and_a_link_lights_it(mounted, name):
    """Not before a hand or a link is there; until reset, wherever the state goes; and again from a link."""
    widget = EXPLORABLES[name].example()
    goal, *_ = reached(mounted, widget)
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
