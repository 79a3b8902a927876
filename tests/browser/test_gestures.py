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
    return list(zip(things, itertools.cycle(SCREENS)))


def named(value):
    return f"{value[0]}-{value[2].__name__}" if isinstance(value, tuple) else str(value)


def look(open_it, what, screen):
    """Open something on a screen; return the page and the hand."""
    width, height, kind = screen
    page = open_it(what, width=width, height=height, **(PHONE if kind.finger else {}))
    return page, kind(page)


@pytest.mark.parametrize(("page", "screen"), screens(book.lively()), ids=named)
def test_in_the_hand(visit, page, screen):
    """On the built page."""
    _, hand = look(lambda path, **options: visit(path, again=True, **options), page, screen)
    figures = book.figures(page)
    if not book.ALL:
        figures = list({figure.name: figure for figure in figures}.values())
    said = []
    for figure in figures:
        said += complaints(hand, figure, thorough=bool(book.ALL))
    hand.leave()
    assert said == []


@pytest.mark.parametrize(("name", "screen"), screens(EXPLORABLES), ids=named)
def test_alone_in_the_hand(mount, name, screen):
    """On a page of its own, and thoroughly: also what ends a drag before its time."""
    widget = EXPLORABLES[name].example()
    view, hand = look(lambda what, **options: mount([what], **options), widget, screen)
    view.add_style_tag(
        content="body { padding-block: 500px !important; }"
    )  # so that there is something to scroll
    assert complaints(hand, book.Figure(0, type(widget), model_of(widget.get_state()))) == []


@pytest.mark.parametrize("name", [name for name, row in EXPLORABLES.items() if row.tip])
def test_a_pen_drags(mount, name):
    widget = EXPLORABLES[name].example()
    hand = Pen(mount([widget], height=900))
    figure = book.Figure(0, type(widget), model_of(widget.get_state()))
    open_up(hand, figure)
    grips = hand.ask("keys", 0, "grip")
    assert grips
    assert [said for key in grips for said in grip_follows(hand, figure, key)] == []
