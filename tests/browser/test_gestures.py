"""Every grip, slider, cell, painted grid and list in the hand: a real mouse and a real finger, as gestures.py asks.

A plain run gives each figure a finger on a phone, those that have more than sliders a mouse too, and the main figures
of every third page a screen, in turn. The further tests ask all figures of all pages on all screens.
"""

import itertools

import pytest

from bookext.explorables import model_of
from tests import further
from tests.browser import book
from tests.browser.chromium_hands import Finger, Mouse, Pen
from tests.browser.explorables import CHAPTERS, EXPLORABLES, SMALL
from tests.browser.gestures import complaints, grip_follows, open_up

PHONE = {"has_touch": True, "is_mobile": True}
SCREENS = [  # width, height, hand
    (1280, 800, Mouse),
    (390, 844, Finger),
    (768, 1024, Mouse),
    (360, 640, Finger),
]
EVERY = [*SCREENS, (390, 844, Mouse), (360, 640, Mouse), (768, 1024, Finger)]


def named(value):
    return f"{value[0]}-{value[2].__name__}" if isinstance(value, tuple) else str(value)


def options(screen):
    """How to open a page for a screen."""
    width, height, kind = screen
    return {"width": width, "height": height, **(PHONE if kind.finger else {})}


def turns():
    """Every third page, the front page first, on a screen each."""
    return list(zip(book.lively()[::-1][::3], itertools.cycle(SCREENS), strict=False))


@pytest.mark.parametrize(("page", "screen"), turns(), ids=named)
def test_in_the_hand(visit, take, page, screen):
    """On the built page."""
    hand = take(screen[2], visit(page, again=True, **options(screen)))
    said = [text for figure in book.chosen(page, "main") for text in complaints(hand, figure, thorough=False)]
    assert said == []


@further.FURTHER
@pytest.mark.parametrize(("page", "screen"), list(itertools.product(book.lively(), EVERY)), ids=named)
def test_every_figure_of_a_page_in_every_hand(visit, take, page, screen):
    """The main figures thoroughly: also what ends a drag before its time."""
    hand = take(screen[2], visit(page, again=True, **options(screen)))
    main = book.chosen(page, "main")
    said = [
        text for figure in book.figures(page) for text in complaints(hand, figure, thorough=figure in main)
    ]
    assert said == []


HELD = [name for name, row in EXPLORABLES.items() if row.held]  # more than sliders and switches


def alone():
    """Each figure that has more than sliders, in a mouse and in a finger; further tests: on all screens."""
    return further.some(itertools.product(HELD, EVERY), lambda pair: pair[1] in SCREENS[:2])


@pytest.mark.parametrize(("name", "screen"), alone(), ids=named)
def test_alone_in_the_hand(mount, take, name, screen):
    """On a page of its own, and thoroughly: also what ends a drag before its time."""
    row = EXPLORABLES[name]
    widget = row.example()
    page = mount([widget], **options(screen))
    page.add_style_tag(
        content="body { padding-block: 500px !important; }"
    )  # so that there is something to scroll
    hand = take(screen[2], page)
    figure = book.Figure(0, type(widget), model_of(widget.get_state()))
    assert complaints(hand, figure) == []
    open_up(hand, figure)  # Reset closed it
    for sort in row.held:
        assert hand.ask("keys", 0, sort), f"{name} has no {sort} to hold"


LARGE = [name for name in EXPLORABLES if name not in (*SMALL, *HELD, "Predict")]


@pytest.mark.parametrize("names", [[name] for name in LARGE] + list(CHAPTERS.values()), ids=" ".join)
def test_sliders_in_the_hand(mount, take, names):
    """All other figures, the small ones of a chapter one below the other: on a phone, with a finger."""
    screen = (390, 844, Finger)
    widgets = [EXPLORABLES[name].example() for name in names]
    hand = take(Finger, mount(widgets, **options(screen)))
    figures = [
        book.Figure(place, type(widget), model_of(widget.get_state())) for place, widget in enumerate(widgets)
    ]
    assert [text for figure in figures for text in complaints(hand, figure, thorough=False)] == []


@pytest.mark.parametrize("name", [name for name in HELD if "grip" in EXPLORABLES[name].held])
def test_a_pen_drags(mount, take, name):
    widget = EXPLORABLES[name].example()
    hand = take(Pen, mount([widget], height=900))
    figure = book.Figure(0, type(widget), model_of(widget.get_state()))
    (key, *_) = hand.ask("keys", 0, "grip")
    assert list(grip_follows(hand, figure, key)) == []
