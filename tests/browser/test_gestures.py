"""Every grip, slider, cell, painted grid and list in the hand: a real mouse and a real finger, as gestures.py asks.

A plain run gives each page one screen, in turn, and each kind of figure on it one look by mouse or by finger; each
night all figures of all pages are asked on all screens.
"""

import itertools

import pytest

from bookext.explorables import model_of
from tests.browser import book
from tests.browser.chromium_hands import Finger, Mouse, Pen
from tests.browser.explorables import EXPLORABLES
from tests.browser.gestures import complaints, grip_follows, open_up

PHONE = {"has_touch": True, "is_mobile": True}
SCREENS = [  # width, height, hand
    (1280, 800, Mouse),
    (390, 844, Finger),
    (768, 1024, Mouse),
    (360, 640, Finger),
]
NIGHTLY = [*SCREENS, (390, 844, Mouse), (360, 640, Mouse), (768, 1024, Finger)]


def screens(things):
    """Pairs of a thing and a screen: each thing one, in turn; each night each thing all."""
    if book.ALL:
        return list(itertools.product(things, NIGHTLY))
    return list(zip(things, itertools.cycle(SCREENS), strict=False))


def named(value):
    return f"{value[0]}-{value[2].__name__}" if isinstance(value, tuple) else str(value)


def options(screen):
    """How to open a page for a screen."""
    width, height, kind = screen
    return {"width": width, "height": height, **(PHONE if kind.finger else {})}


@pytest.mark.parametrize(("page", "screen"), screens(book.lively()), ids=named)
def test_in_the_hand(visit, take, page, screen):
    """On the built page."""
    hand = take(screen[2], visit(page, again=True, **options(screen)))
    figures = book.figures(page)
    if not book.ALL:
        figures = list({figure.name: figure for figure in figures}.values())
    said = [text for figure in figures for text in complaints(hand, figure, thorough=bool(book.ALL))]
    assert said == []


HELD = [name for name, row in EXPLORABLES.items() if row.held]  # more than sliders and switches


def alone():
    """Each figure that has more than sliders, once with a mouse and once with a finger; each night on all screens."""
    if book.ALL:
        return list(itertools.product(HELD, NIGHTLY))
    return [(name, SCREENS[(2 * k + half) % 4]) for k, name in enumerate(HELD) for half in (0, 1)]


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


@pytest.mark.parametrize("name", [name for name in HELD if "grip" in EXPLORABLES[name].held])
def test_a_pen_drags(mount, take, name):
    widget = EXPLORABLES[name].example()
    hand = take(Pen, mount([widget], height=900))
    figure = book.Figure(0, type(widget), model_of(widget.get_state()))
    (key, *_) = hand.ask("keys", 0, "grip")
    assert list(grip_follows(hand, figure, key)) == []
