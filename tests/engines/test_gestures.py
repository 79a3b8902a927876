"""Every grip, slider, cell, painted grid and list in the hand, in Firefox and in WebKit, and the keyboard."""

import itertools

import pytest

from tests.browser import book
from tests.browser.gestures import open_up, questions
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
        first_control_by_keyboard(tab, figure, tab.element(f"probe.roots()[{figure.index}]"))
