"""What each small figure says of its states, beside what a reader of `sayings.toml` has found true.

For each figure the file has the sentence of the control's first value, of its last, and of the values where the words
(not their numbers) change, on both sides. What to do about a figure that says something else: readings.py.
"""

import re
from pathlib import Path

import pytest

from attn.explore import Masking, ScoreVariance
from attn.explore.small import FIGURES
from tests.browser import readings

STORED = Path(__file__).with_name("sayings.toml")
SAID = "(root) => root.querySelector('.abh-answer').innerText.replace(/\\s+/g, ' ').trim()"
TOUCHED = "() => stand.root().classList.add('abh-touched')"  # as after a hand's first move


def every_value(widget):
    """All values of the control, as the page has them; of a fine slider a hundred."""
    (name,) = widget.state_traits()
    control = widget.control(name)
    if "options" in control:
        return name, [value for value, _ in control["options"]]
    if "step" not in control:
        return name, [False, True]
    low, high, step = (control[key] for key in ("min", "max", "step"))
    count = min(100, round((high - low) / step))
    values = [low + step * round((high - low) / step * i / count) for i in range(count + 1)]
    whole = isinstance(getattr(widget, name), int)
    return name, [round(value) if whole else round(value, 12) for value in values]


def worded(text):
    """A sentence without its numbers."""
    return re.sub(r"[<>−]?\.?\d[\d.,]*", "#", text)


def turns(values, said):
    """(value, sentence) at both ends, and on both sides of each change of words."""
    edge = [
        i
        for i in range(len(values))
        if i in (0, len(values) - 1)
        or worded(said[i]) != worded(said[i - 1])
        or worded(said[i]) != worded(said[i + 1])
    ]
    return [
        [value if isinstance(value, str) else f"{value:g}", said[i]] for i in edge for value in [values[i]]
    ]


def found(stand, name):
    widget = FIGURES[name]()
    trait, values = every_value(widget)
    stand.put(widget)
    stand.page.evaluate(TOUCHED)
    return turns(values, stand.tour([{trait: value} for value in values], SAID))


@pytest.mark.parametrize("part", range(4))
def test_each_small_figure_says_what_was_read(stand, part):
    """A quarter of the figures at a time: each of some hundred states."""
    assert set(readings.stored(STORED)) <= set(FIGURES), "there is no such figure any more"
    readings.check(STORED, {name: found(stand, name) for name in sorted(FIGURES)[part::4]})


ROOT, NOT_ALONE = (
    "the root keeps the spread of the scores at 1",
    "temperature and correlation set the scores here, too",
)
ONE, NOBODY = "Only ABIR itself moves", "Nobody moves: nobody may look at ABIR, not even ABIR itself."


@pytest.mark.parametrize(
    ("figure", "said", "unsaid"),
    [
        (ScoreVariance(scale="root"), ROOT, NOT_ALONE),
        (ScoreVariance(scale="none", log2_d_k=2), "drag on", NOT_ALONE),
        (ScoreVariance(scale="none", temperature=32.0, log2_d_k=10), NOT_ALONE, "drag on"),
        (ScoreVariance(scale="root", temperature=0.25, log2_d_k=2), NOT_ALONE, ROOT),
        (ScoreVariance(scale="root", temperature=8.0), NOT_ALONE, "mixture"),
        (ScoreVariance(scale="d_k", temperature=0.25, log2_d_k=5), NOT_ALONE, "about the same"),
        (ScoreVariance(scale="d_k", correlation=1.0, log2_d_k=10), NOT_ALONE, "about the same"),
        (ScoreVariance(scale="d_k", log2_d_k=10), "all keys weigh about the same", NOT_ALONE),
        (Masking(preset="causal", nudge=1.5), ONE, NOBODY),
        (Masking(preset="padding", length=3, nudge=1.5), NOBODY, ONE),
        (Masking(preset="causal+padding", length=3, nudge=1.5), NOBODY, ONE),
        (Masking(preset="none", nudge=1.5), "Whoever may look at ABIR moves", ONE),
    ],
)
def test_a_large_figure_says_a_thing_only_where_it_is_so(stand, figure, said, unsaid):
    stand.put(figure)
    stand.page.evaluate(TOUCHED)
    (text,) = stand.tour([{name: getattr(figure, name) for name in figure.state_traits()}], SAID)
    assert said in text
    assert unsaid not in text
