"""Every grip, slider, cell, painted grid and list in the hand: a real mouse and a real finger, as gestures.py asks.

The main figures of all pages are asked on all screens, at night thoroughly, the others on their page on one screen, and
alone on four.
"""

import itertools

import pytest

from attn.explore import MultiHead
from bookext.explorables import model_of
from tests import tiers
from tests.browser import book
from tests.browser.chromium_hands import Finger, Mouse, Pen
from tests.browser.explorables import EXPLORABLES, SMALL
from tests.browser.gestures import aim, complaints, grip_follows, open_up, slipped, wait

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


def on_pages():
    """A page, which of its figures, and a screen: the main ones on all, the others on one, in turn."""
    pages = book.lively()
    every = [(page, "main", screen) for page in pages for screen in EVERY]
    every += [(page, "others", screen) for page, screen in zip(pages, itertools.cycle(SCREENS), strict=False)]
    return [each for each in every if book.chosen(*each[:2])]


@pytest.mark.parametrize(("page", "which", "screen"), on_pages(), ids=named)
def test_in_the_hand(visit, take, page, which, screen):
    """On the built page."""
    hand = take(screen[2], visit(page, **options(screen)))
    thorough = tiers.ALL and which == "main"
    said = [
        text for figure in book.chosen(page, which) for text in complaints(hand, figure, thorough=thorough)
    ]
    assert said == []


HELD = [name for name, row in EXPLORABLES.items() if row.held]  # more than sliders and switches
OTHERS = [name for name in EXPLORABLES if name not in (*SMALL, *HELD, "Predict")]
OTHERS += [" ".join(names) for _, names in itertools.groupby(SMALL, lambda name: SMALL[name].__module__)]
ALONE = [*itertools.product(HELD, EVERY), *itertools.product(OTHERS, SCREENS)]


@pytest.mark.parametrize(("names", "screen"), ALONE, ids=named)
def test_alone_in_the_hand(mount, take, names, screen):
    """Without the book, the small ones of a chapter together; thoroughly, where there is more to hold than sliders."""
    rows = [EXPLORABLES[name] for name in names.split()]
    widgets = [row.example() for row in rows]
    page = mount(widgets, **options(screen))
    page.add_style_tag(content="body { padding-block: 500px !important; }")  # something to scroll
    hand = take(screen[2], page)
    for place, (row, widget) in enumerate(zip(rows, widgets, strict=True)):
        figure = book.Figure(place, type(widget), model_of(widget.get_state()))
        assert complaints(hand, figure, thorough=bool(row.held)) == []
        open_up(hand, figure)  # Reset closed it
        for sort in row.held:
            assert hand.ask("keys", place, sort), f"{figure} has no {sort} to hold"


@pytest.mark.parametrize("name", [name for name in HELD if "grip" in EXPLORABLES[name].held])
def test_a_pen_drags(mount, take, name):
    widget = EXPLORABLES[name].example()
    hand = take(Pen, mount([widget], height=900))
    figure = book.Figure(0, type(widget), model_of(widget.get_state()))
    (key, *_) = hand.ask("keys", 0, "grip")
    assert list(grip_follows(hand, figure, key)) == []


def test_what_python_changes_moves_no_page(mounted, take):
    """A hand that tapped a button has gone: rows that go away above the button later scroll nothing."""
    widget = MultiHead(opened=True)
    view = mounted.put(widget).page
    view.evaluate("() => { document.body.style.paddingBlock = '900px'; }")
    hand, figure = take(Mouse, view), book.Figure(0, MultiHead, model_of(widget.get_state()))
    for _ in range(2):
        at = aim(hand, figure, "button", "preset-legible")
        hand.tap(at["x"], at["y"])
        hand.settle()
    for _ in range(2):
        hand.settle()
    before, at = hand.ask("scroll")["now"], hand.ask("look", 0, "button", "preset-legible")
    view.evaluate("mounted.tell({ n_tokens: 2 })")
    now = wait(lambda: hand.ask("look", 0, "button", "preset-legible"), lambda now: slipped(now, at))
    scrolled = hand.ask("scroll")["now"]
    view.evaluate("() => { document.body.style.paddingBlock = ''; }")
    assert slipped(now, at), "nothing above the button goes away: this test sees nothing"
    assert scrolled == before
