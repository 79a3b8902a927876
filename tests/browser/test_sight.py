"""What is changed is in sight: each control of each figure and the first thing that it changes, on screen together."""

from pathlib import Path

import pytest

from tests.browser import book
from tests.browser.hand import with_controls

SIGHT = Path(__file__).with_name("sight.js")
SCREENS = {"laptop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
DEAD = 0.5  # so many of a figure's controls may change nothing that is drawn, where they stand now
LOOKS = [(page, which, screen) for page, which in book.parted() for screen in SCREENS]


@pytest.mark.parametrize(("page", "which", "screen"), LOOKS)
def test_control_and_change_are_on_screen_together(visit, page, which, screen):
    view = visit(page, **SCREENS[screen])
    view.evaluate(SIGHT.read_text(encoding="utf-8"))
    for figure, root in with_controls(view, page, which):
        for opened in (False, True) if root.query_selector('[data-action="open"]') else (False,):
            seen = root.evaluate("(root, opened) => sight.look(root, opened)", opened)
            what = f"{figure}, {'opened' if opened else 'as it comes'}: {seen}"
            assert seen["controls"], what
            assert seen["alive"] > DEAD * seen["controls"], what
            assert not seen["hidden"], what
