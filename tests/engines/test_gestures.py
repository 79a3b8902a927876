"""Every grip, slider, cell, painted grid and list in the hand, in Firefox and in WebKit, and the keyboard."""

import pytest

from tests.browser import book
from tests.browser.explorables import DRAWN
from tests.browser.gestures import complaints
from tests.browser.hand import first_control_by_keyboard
from tests.engines.conftest import ALL
from tests.engines.hands import EngineHand

SCREENS = {"laptop": (1280, 800), "phone": (390, 844)}


@pytest.mark.parametrize("screen", SCREENS)
def test_in_the_hand(visit, lively, screen):
    """A mouse on a laptop; on a phone a finger in Firefox, and a mouse in WebKit, whose driver has no finger."""
    tab = visit(lively, *SCREENS[screen])
    hand = EngineHand(tab, tab.pointer if screen == "phone" else "mouse")
    figures = book.figures(lively)
    if not ALL:
        figures = list({figure.name: figure for figure in figures}.values())
    assert [text for figure in figures for text in complaints(hand, figure, thorough=False)] == []


def test_keyboard(visit, lively):
    tab = visit(lively)
    for figure in book.figures(lively):
        if figure.name not in DRAWN:  # fields and cards, which have keys of their own
            continue
        first_control_by_keyboard(tab, figure, tab.element(f"probe.roots()[{figure.index}]"))
