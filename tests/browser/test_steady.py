"""The control under a hand stands still, whatever grows or shrinks above it; presets show where the figure stands."""

import pytest

from attn.explore import MultiHead, XorLab
from bookext.explorables import model_of
from tests.browser import book
from tests.browser.chromium_hands import Finger, Mouse
from tests.browser.explorables import EXPLORABLES
from tests.browser.gestures import aim, open_up, slipped, wait

SCREENS = {
    "phone": ({"width": 390, "height": 844, "has_touch": True, "is_mobile": True}, Finger),
    "laptop": ({"width": 1280, "height": 800}, Mouse),
}
GROUND = "body { padding-block: 900px !important; }"  # so that there is something to scroll


@pytest.fixture
def held(mount, take):
    """A figure alone on a page, in a hand: held(MultiHead(), "phone") -> hand, figure."""

    def give(widget, screen):
        options, kind = SCREENS[screen]
        page = mount([widget], **options)
        page.add_style_tag(content=GROUND)
        return take(kind, page), book.Figure(0, type(widget), model_of(widget.get_state()))

    return give


def slips(hand, figure):
    """Tap each button and each switch of a figure, closed and then opened; sentences about those that slip away."""
    tapped = set()
    for _ in range(2):  # opening brings more
        for sort in ("button", "switch"):
            for key in hand.ask("keys", 0, sort):
                if (sort, key) in tapped or key in ("share", "reset") or key not in hand.ask("keys", 0, sort):
                    continue
                tapped.add((sort, key))
                at = aim(hand, figure, sort, key)
                hand.tap(at["x"], at["y"])
                hand.settle()
                now = hand.ask("look", 0, sort, key)
                if now and slipped(now, at):
                    yield f"{sort} {key} slips by {now['stands'] - at['stands']:.0f} px"
    assert len(tapped) > 2
    before = hand.ask("look", 0, "button", "reset") and aim(hand, figure, "button", "reset")
    hand.tap(before["x"], before["y"])
    hand.settle()
    if slipped(after := hand.ask("look", 0, "button", "reset"), before):
        yield f"Reset slips by {after['stands'] - before['stands']:.0f} px"


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", ["Masking", "MultiHead", "XorLab", "PmiTable", "PositionalEncoding"])
def test_what_is_tapped_stays_under_the_finger(held, name, screen):
    assert list(slips(*held(EXPLORABLES[name].example(), screen))) == []


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


def test_the_weights_of_chapter_5_open_below_their_button_on_a_phone(held):
    """And beside the picture where there is room; they are one and the same, also when the window changes."""
    hand, figure = held(XorLab(), "phone")
    open_up(hand, figure)
    places = """() => {
      const root = probe.roots()[0], top = (what) => root.querySelector(what).getBoundingClientRect();
      const [dock, plane, open] = [top(".abh-matrix-editor"), top(".abh-plane"), top('[data-action="open"]')];
      const count = root.querySelectorAll(".abh-matrix-editor").length;
      return JSON.stringify([dock.top > open.bottom, dock.left > plane.right - 1, count]);
    }"""
    assert hand.run(places, None) == "[true,false,1]"
    hand.page.set_viewport_size({"width": 1280, "height": 800})
    assert wait(lambda: hand.run(places, None), "[false,true,1]".__eq__) == "[false,true,1]"
