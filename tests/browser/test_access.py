"""axe-core finds nothing on any page: light and dark, wide and narrow, figures as they come and opened."""

import pytest

from tests import tiers
from tests.browser import book
from tests.browser.axe import CONTRAST, all_violations, some_violations
from tests.browser.conftest import turn
from tests.browser.explorables import EXPLORABLES

# What depends on width; what depends on color is CONTRAST; all the rest is the same in each.
ROOM = ["target-size", "scrollable-region-focusable", "meta-viewport", "region", "landmark-unique"]
OPEN = """() => {
  for (const root of probe.roots()) {
    root.querySelector('[data-action="open"][aria-expanded="false"]')?.click();
    probe.storm(root, [[0.1, 0.1], [0.3, 0.9], [0.05, 0.7]], {});
    root.querySelector('[data-action="commit"]')?.click();
  }
}"""


GRAY = "<p style='color: #767676'>just enough</p>"


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (GRAY * 3, 0),
        ("<p style='color: #787878'>too pale</p>" * 3, 1),
        (GRAY + "<p style='color: #787878'>another color</p>", 1),
        (GRAY + f"<div style='background: #eee'>{GRAY}</div>", 1),
        (GRAY + f"<div style='opacity: 0.9'>{GRAY}</div>", 1),
        (GRAY + f"<div style='position: relative; width: 9em'>{{}}{GRAY}</div>", 1),
    ],
    ids=["fine", "three alike", "color", "ground", "opacity", "bar"],
)
def test_a_look_that_is_too_pale_is_found(visit, tmp_path, body, count):
    bar = "<i style='position: absolute; inset: 0; background: #eee; z-index: -1'></i>"
    style = "<style>p { margin: 0; font: 16px serif } div { isolation: isolate }</style>"
    page = (
        f"<!DOCTYPE html><html lang=en><title>t</title><body>{style}<main><h1>t</h1>{body.format(bar)}</main>"
    )
    view = visit.html(page, tmp_path)
    assert [found.split(":")[0] for found in some_violations(view, CONTRAST)] == ["color-contrast"] * count


def test_what_has_no_name_is_found(visit, tmp_path):
    """Also in a figure and in a formula, of which `thin` takes parts away."""
    row = '<tr><td data-row="0">{}</td></tr>'
    table = f"<table>{row.format('')}{row.format('0.5')}{row.format('<span role=img>0.5</span>')}</table>"
    figure = f'<div class="abh"><button></button><input type="range">{table}</div>'
    formula = '<div aria-hidden="true"><math><mi>x</mi></math><a href="#a">x</a></div>'
    page = f'<!DOCTYPE html><html lang="en"><title>t</title><main><h1>t</h1>{figure}{formula}</main>'
    found = {said.split(":")[0] for said in all_violations(visit.html(page, tmp_path))}
    assert found == {"button-name", "label", "role-img-alt", "aria-hidden-focus"}


@pytest.mark.last
@pytest.mark.parametrize("page", book.pages())
def test_light_and_dark(visit, page):
    """All rules, with the figures opened and touched; those of colors again when the page turns light.

    Pages have the same colors: most stay dark, but at night.
    """
    view = visit(page, again=True)
    view.evaluate(OPEN)
    view.evaluate("probe.looks()")
    turn(view, "dark")
    assert all_violations(view) == []
    if tiers.ALL or page in book.varied()[::2]:
        turn(view, "light")
        assert some_violations(view, CONTRAST) == []


@pytest.mark.parametrize(
    ("name", "dark"),
    [(name, place % 2 == 1) for place, name in enumerate(EXPLORABLES)],
    ids=str,
)
def test_first_state(mount, name, dark):
    """Each class as it comes, in light or dark: the invitation is there, the answer is not."""
    view = mount([EXPLORABLES[name].example()], dark=dark)
    assert all_violations(view) == []


@pytest.mark.last
@pytest.mark.parametrize("page", book.lively())
def test_phone(visit, page):
    view = visit(page, width=360, height=640, has_touch=True, is_mobile=True, again=True)
    view.evaluate(OPEN)
    assert some_violations(view, ROOM) == []
