"""States to take along: links, frames, NumPy code, and the steps of a lecture. Any state: test_round_trips.py."""

import json
import os
import re
from html import unescape

import numpy as np
import pytest

from attn.explore import Masking
from tests.browser import book
from tests.browser.axe import violations
from tests.browser.conftest import LOOK
from tests.browser.explorables import EXPLORABLES, SHARED, SMALL
from tests.browser.hand import differences, move, random_values, read, roots

# What nonsense after the figure's name does: tests/unit/test_share.py.
NONSENSE = [
    "#state=",
    "#state=nobody",
    "#state=&&&===",
    "#state=%",
    "#state=__proto__&__proto__=1",
    "#state=constructor&name=x",
    "#state={name}&opened=2",
    "#state={name}-7&opened=1",
    "#state={name}&" + "opened=1&" * 5000,
    "#state=<script>alert(1)</script>",
    "#" + "9" * 100_000,
]
NEAR_TOP = "root => Math.abs(root.getBoundingClientRect().top) < 400"


def press(root, action):
    """Press a button of a figure as a script does: it need not be on the screen."""
    root.evaluate("(root, action) => root.querySelector(`[data-action='${action}']`).click()", action)


def copied(root, action):
    """What a button of the Share menu puts on the clipboard."""
    if root.query_selector('[data-action="share"]').get_attribute("aria-expanded") == "false":
        press(root, "share")
    press(root, action)
    page = root.owner_frame().page
    page.wait_for_function(
        "root => root.querySelector('.abh-share [role=status]').textContent === 'Copied.'", arg=root
    )
    return page.evaluate("navigator.clipboard.readText()")


# ---------------------------------------------------------------- on the built pages


@pytest.mark.parametrize("page", book.lively())
def test_nonsense_in_the_address_changes_nothing(visit, page):
    view = visit(page)
    before = view.evaluate(LOOK)
    names = {figure.name for figure in book.figures(page)}
    for text in NONSENSE:
        for name in names if "{name}" in text else [""]:
            view.evaluate("hash => probe.follow(hash)", text.replace("{name}", name))
            assert view.evaluate(LOOK) == before, text[:60]
    assert view.evaluate("Object.keys(Object.prototype).length === 0 && ({}).name === undefined")
    fresh = visit(f"{page}#state={next(iter(names))}&opened=9")  # a page that is opened so
    assert fresh.evaluate(LOOK) == before


@pytest.mark.parametrize("page", book.lively())
def test_steps_of_each_lecture(visit, page):
    """Each step, by key and by its name in the address, is what Python says of the same changes."""
    view = visit(page)
    elements = roots(view)
    shown = """root => probe.text([probe.drawn(root),
      ...[".abh-lecture", ".abh-says"].map((part) => root.querySelector(part).innerText)])"""
    for figure, root in zip(book.figures(page), elements, strict=True):
        steps = figure.state["lecture"]
        if not steps:
            continue
        press(root, "share")
        press(root, "lecture")
        for place, step in enumerate(steps):
            drawn, strip, says = json.loads(root.evaluate(shown))
            assert list(differences(figure.widget(**step["changes"]), drawn)) == [], step["name"]
            assert f"{place + 1} of {len(steps)}" in strip
            assert says == book.as_shown(step["says"])
            view.keyboard.press("PageDown")
        assert f"{len(steps)} of {len(steps)}" in root.query_selector(".abh-lecture").inner_text()
        view.keyboard.press("Escape")
        assert root.query_selector(".abh-lecture").is_hidden()
    seen = set()
    for figure in book.figures(page):
        for step in figure.state["lecture"]:
            if step["name"] in seen:
                continue
            seen.add(step["name"])
            view.evaluate("hash => probe.follow(hash)", f"#state={step['name']}")
            drawn = read(elements[figure.index])
            assert list(differences(figure.widget(**step["changes"]), drawn)) == [], step["name"]
            count = view.evaluate("[...document.querySelectorAll('.abh-lecture')].filter(probe.shown).length")
            assert count == 1, f"{step['name']} has {count} lectures"
            view.wait_for_function(NEAR_TOP, arg=elements[figure.index])


# ---------------------------------------------------------------- each class alone


@pytest.mark.parametrize("name", SHARED)
def test_the_menu(mount, name):
    """One quiet button; what it opens can be used by keyboard, fits a phone, and reset puts it away."""
    view = mount([EXPLORABLES[name].example()], width=360)
    (root,) = roots(view)
    before = root.evaluate("root => [root.className, root.innerText, root.offsetHeight]")
    buttons = root.query_selector_all(".abh-bar > button")
    tops = {round(button.bounding_box()["y"]) for button in buttons}
    lines = 2 if name in SMALL else 1  # on a phone a small figure's two stand beside its control
    assert len(tops) <= lines, f"the bar has {len(tops)} lines at 360 px"
    share = root.query_selector('[data-action="share"]')
    share.focus()
    view.keyboard.press("Enter")
    assert share.get_attribute("aria-expanded") == "true"
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.textContent") == "Copy link"
    press(root, "copy-link")
    assert view.evaluate("probe.small()") == []
    assert view.evaluate("probe.wide()") == []
    assert violations(view, ".abh") == []
    press(root, "reset")
    assert (
        root.evaluate("root => [root.className.replace(' abh-glide', ''), root.innerText, root.offsetHeight]")
        == before
    )
    press(root, "share")
    assert root.query_selector(".abh-copied").is_hidden()


def test_a_closed_clipboard(mount):
    """Where the clipboard throws or is not there, the text stands in the page, selected, and can be run."""
    for closed in ("{ writeText: () => Promise.reject(new Error('no')) }", "undefined"):
        view = mount([Masking()])
        view.evaluate(f"Object.defineProperty(navigator, 'clipboard', {{ value: {closed} }})")
        (root,) = roots(view)
        press(root, "share")
        press(root, "copy-numpy")
        view.wait_for_function(
            "() => document.querySelector('.abh-share [role=status]').textContent.includes('closed')"
        )
        selected = view.evaluate("getSelection().toString()")
        exec(selected, scope := {})
        assert np.allclose(scope["output"], Masking().output)


def test_keys_of_a_lecture(mount):
    """Page Down and Page Up step; a slider keeps them, unless with Alt; one lecture at a time."""
    view = mount([Masking(), Masking()])
    one, two = roots(view)
    place = "root => root.querySelector('.abh-lecture:not([hidden]) .abh-label')?.textContent ?? ''"
    view.keyboard.press("PageDown")
    assert one.evaluate(place) == two.evaluate(place) == ""
    press(one, "share")
    press(one, "lecture")
    assert one.evaluate(place) == "1 of 5"
    view.keyboard.press("PageDown")
    view.keyboard.press("PageDown")
    assert one.evaluate(place) == "3 of 5"
    view.keyboard.press("PageUp")
    assert one.evaluate(place) == "2 of 5"
    view.keyboard.press("Control+PageDown")
    view.keyboard.press("Shift+PageDown")
    view.keyboard.press("n")
    assert one.evaluate(place) == "2 of 5"
    nudge = one.query_selector("input[name=nudge]")
    nudge.focus()
    before = nudge.input_value()
    view.keyboard.press("PageUp")
    assert nudge.input_value() != before
    assert one.evaluate(place) == "2 of 5"
    view.keyboard.press("Alt+PageDown")
    assert one.evaluate(place) == "3 of 5"
    box = nudge.bounding_box()
    view.mouse.click(box["x"] + 20, box["y"] + box["height"] / 2)
    view.wait_for_function("document.activeElement === document.body")
    view.keyboard.press("PageDown")  # a clicker goes on after a drag
    assert one.evaluate(place) == "4 of 5"
    press(two, "share")
    press(two, "lecture")  # one lecture at a time
    assert one.evaluate(place) == ""
    view.keyboard.press("PageDown")
    assert (one.evaluate(place), two.evaluate(place)) == ("", "2 of 5")
    assert "Page Down" in two.query_selector(".abh-keys").inner_text()
    press(two, "previous")
    assert two.evaluate(place) == "1 of 5"
    view.keyboard.press("Escape")
    assert two.evaluate(place) == ""


@pytest.mark.parametrize("how", ["Escape", "end"])
def test_a_lecture_puts_back_what_was(mount, how):
    """Also what the reader moved before; and where it begins, its bar is in sight below what covers the page's top."""
    view = mount([Masking()], height=600)
    view.add_style_tag(content="html { scroll-padding-top: 70px; }")
    (root,) = roots(view)
    nudge = root.query_selector('[name="nudge"]')
    view.evaluate("probe.follow('#state=Masking&nudge=0.6')")
    before = root.evaluate("root => probe.state(root)")
    press(root, "share")
    view.evaluate("scrollTo(0, 200)")
    press(root, "lecture")
    assert root.query_selector(".abh-lecture").bounding_box()["y"] > 69
    view.keyboard.press("PageDown")
    assert nudge.input_value() == "2"
    view.keyboard.press("Escape") if how == "Escape" else press(root, "end")
    assert root.query_selector(".abh-lecture").is_hidden()
    assert nudge.input_value() == "0.6"
    assert root.evaluate("root => probe.state(root)") == before


# ---------------------------------------------------------------- a page of its own


def test_each_figure_has_its_page():
    shared = [figure for page in book.lively() for figure in book.figures(page) if figure.state["rules"]]
    assert shared
    assert len(book.explore_pages()) == len(shared)
    for page in book.explore_pages():
        assert len(book.figures(page)) == 1


def one_of_each():
    """Kind of figure -> one of its pages: the last, which is that of a laboratory where there is one."""
    return {book.figures(page)[0].name: page for page in book.explore_pages()}


@pytest.mark.parametrize("page", list(one_of_each().values()))
def test_explore_page(visit, page):
    """Alive by the contract, on http and as a file, dark where the reader's system is; with a way back."""
    (figure,) = book.figures(page)
    for over, width, dark in (("http", 1280, False), ("file", 360, True)):
        view = visit(page, over=over, width=width, height=640, dark=dark)
        (root,) = roots(view)
        assert list(differences(figure.widget(), read(root))) == []
        assert root.evaluate("root => probe.breaches(root)") == []
        assert view.evaluate("probe.wide()") == []
        (size,) = view.evaluate("probe.heights()")
        assert size["live"] <= size["kept"], f"live {size['live']}, kept {size['kept']} at {width} px"
        assert sum(shift["value"] for shift in view.evaluate("shifts")) < 0.05
        assert view.evaluate("document.documentElement.dataset.theme") == ("dark" if dark else "light")
    assert violations(view) == []
    view.evaluate("probe.open()")
    assert view.evaluate("probe.small()") == []
    assert view.evaluate("probe.wide()") == []
    back = view.locator("h1 a")
    assert back.bounding_box()["height"] >= 24
    said = back.inner_text()
    assert len(said) < 120
    home = os.path.normpath(f"{page}/../{back.get_attribute('href')}").partition("#")[0]
    text = (book.folder() / home).read_text(encoding="utf-8")
    title = re.search(r'<h1>([^<]*)<a class="headerlink"', text)[1].strip()
    assert said == (unescape(title) if home == "index.html" else f"{unescape(title)} (Attention by Hand)")
    assert figure.name in {other.name for other in book.figures(home)}
    links = re.findall(rf'data-view="{figure.kind.view}"[^>]* data-explore="([^"]*)"', text)
    assert f"/{page}" in {"/" + re.sub(r"^(\.\./)+", "", link) for link in links}
    if page == next(iter(one_of_each().values())):
        back.click()
        view.wait_for_function("() => probe.roots().length > 0")
        assert view.url.split("#")[0].endswith(home)


@pytest.mark.parametrize("page", ["index.html", "chapters/03_masking.html"])
def test_the_frame_can_be_embedded(visit, page):
    """The copied line, in another page, shows the figure in its present state, and nothing is cut off."""
    view = visit(page)
    figure = [figure for figure in book.figures(page) if figure.state["rules"]][-1]
    root = roots(view)[figure.index]
    inputs = root.evaluate("root => probe.inputs(root)")
    move(root, list(random_values(inputs, np.random.default_rng(5), 3)))
    shown, line = read(root), copied(root, "copy-iframe")
    assert line.count("<") == 2, line
    # A page of someone else's: the book's own pages refuse frames.
    host = f"<!DOCTYPE html><html lang=en><title>Host</title><link rel=icon href='data:,'><body>{line}"
    view.route(
        "**/host.html", lambda route: route.fulfill(body=host, content_type="text/html; charset=utf-8")
    )
    view.goto(view.address.rsplit("/", 1)[0] + "/host.html")
    node = view.wait_for_selector("iframe")
    node.scroll_into_view_if_needed()
    assert figure.name in node.get_attribute("title")
    frame = node.content_frame()
    frame.wait_for_selector("[data-ready]")
    assert json.loads(frame.evaluate("probe.text(probe.drawn(probe.roots()[0]))")) == shown
    sizes = frame.evaluate("[document.documentElement.scrollHeight, innerHeight, document.body.offsetHeight]")
    assert sizes[0] <= sizes[1], f"the frame cuts the figure off: {sizes}"
    assert sizes[1] - sizes[2] < 40, f"the frame is taller than its figure: {sizes}"
