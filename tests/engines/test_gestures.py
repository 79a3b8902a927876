"""Every grip, slider, cell, painted grid and list in the hand, in Firefox and in WebKit, and the keyboard."""

import itertools

import numpy as np
import pytest

from tests.browser import book
from tests.browser.explorables import DRAWN
from tests.browser.gestures import aim, open_up, questions, wait
from tests.browser.hand import first_control_by_keyboard
from tests.engines.conftest import ALL
from tests.engines.hands import EngineHand

SCREENS = {"laptop": (1280, 800), "phone": (390, 844)}


def complaints(hand, figure):
    """What is wrong with a figure in this hand: what the first question that fails has to say."""
    open_up(hand, figure)
    for asked, answer in questions(hand, figure, thorough=False):
        if asked.split()[0] not in hand.unasked and (said := list(itertools.islice(answer, 3))):
            return [f"{asked}:", *said]
    return []


@pytest.mark.parametrize("screen", SCREENS)
def test_in_the_hand(visit, lively, screen):
    """A mouse on a laptop; on a phone a finger in Firefox, and a mouse in WebKit, whose driver has no finger."""
    tab = visit(lively, *SCREENS[screen])
    hand = EngineHand(tab, tab.pointer if screen == "phone" else "mouse")
    figures = book.figures(lively)
    if not ALL:
        figures = list({figure.name: figure for figure in figures}.values())
    assert [text for figure in figures for text in complaints(hand, figure)] == []


def test_keyboard(visit, lively):
    tab = visit(lively)
    for figure in book.figures(lively):
        if figure.name not in DRAWN:  # fields and cards, which have keys of their own
            continue
        first_control_by_keyboard(tab, figure, tab.element(f"probe.roots()[{figure.index}]"))


THUMB = 26  # px across, with its rim: what a hand takes hold of, and what the gestures count with


def test_a_thumb_is_drawn_where_it_is(visit, lively):
    """Each engine has names of its own for the parts of a slider: one that is forgotten leaves the system's thumb."""
    tab = visit(lively, *SCREENS["phone"])
    hand = EngineHand(tab, "mouse")
    for figure in book.figures(lively):
        for key in hand.ask("keys", figure.index, "slider")[:1]:
            seen = aim(hand, figure, "slider", key)
            wanted = seen["x"] + 0.5 - THUMB / 2, seen["x"] + 0.5 + THUMB / 2

            def thumb(seen=seen):
                """From where to where the picture differs from its ground, above the track."""
                hand.settle()
                y, left, width = round(seen["y"]), round(seen["left"]), round(seen["width"])
                box = tab.pixels()[y - 9 : y - 3, left : left + width].astype(int)
                (columns,) = np.nonzero((abs(box - box[0, 0]).max(axis=2) > 25).any(axis=0))
                return [left + int(columns.min()), left + int(columns.max()) + 1] if columns.size else [0, 0]

            def fits(found, wanted=wanted):
                return np.allclose(found, wanted, atol=2.5)

            found = wait(thumb, fits)
            assert fits(found), f"{figure}: the thumb of {key} is at {found}, not {wanted}"
