"""axe-core finds nothing on any page: light and dark, wide and narrow, figures as they come and opened."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser import book
from tests.browser.explorables import EXPLORABLES

# What depends on color or on width; all the rest is the same in each.
CONTRAST = ["color-contrast", "link-in-text-block"]
ROOM = ["target-size", "scrollable-region-focusable", "meta-viewport", "region", "landmark-unique"]
OPEN = """() => {
  for (const root of probe.roots()) {
    root.querySelector('[data-action="open"][aria-expanded="false"]')?.click();
    probe.storm(root, [[0.1, 0.1], [0.3, 0.9], [0.05, 0.7]], {});
    root.querySelector('[data-action="commit"]')?.click();
  }
}"""


def violations(view, context="html", rules=None):
    """What axe finds, a line each: by these rules, or by all but those of colors, for which there is `pale`."""
    if rules:
        return run(view, context, {"runOnly": {"type": "rule", "values": rules}})
    return run(view, context, {"rules": {name: {"enabled": False} for name in CONTRAST}})


def pale(view):
    """What axe says of colors, measured once for each look: thousands of cells share one."""
    view.evaluate("probe.looks()")
    return violations(view, "[data-look]", CONTRAST)


def run(view, context, only):
    # Without `preload`, for which axe asks for style sheets that are not there.
    options = {"preload": False, "resultTypes": ["violations"], **only}
    found = Axe().run(view, context=context, options=options)
    return [
        f"{rule['id']}: {rule['help']} ({rule['impact']}) at {[node['target'] for node in rule['nodes'][:4]]} "
        f"{rule['nodes'][0]['html'][:200]} {rule['nodes'][0].get('failureSummary', '')[:300]}"
        for rule in found.response["violations"]
    ]


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
    assert [found.split(":")[0] for found in pale(view)] == ["color-contrast"] * count


@pytest.mark.parametrize("page", book.pages())
def test_light(visit, page):
    """Each rule, on the page with its figures opened and touched."""
    view = visit(page, reduced_motion="reduce")  # else axe may see a color on its way
    view.evaluate(OPEN)
    assert violations(view) + pale(view) == []


@pytest.mark.parametrize("page", book.pages())
def test_dark(visit, page):
    view = visit(page, dark=True, reduced_motion="reduce")
    view.evaluate(OPEN)
    assert pale(view) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", EXPLORABLES)
def test_first_state(mount, name, dark):
    """Each class as it comes: the invitation is there, the answer is not."""
    view = mount([EXPLORABLES[name].example()], dark=dark, reduced_motion="reduce")
    assert violations(view) + pale(view) == []


@pytest.mark.parametrize("page", book.lively())
def test_phone(visit, page):
    view = visit(page, width=360, height=640, has_touch=True, is_mobile=True, reduced_motion="reduce")
    view.evaluate(OPEN)
    assert violations(view, rules=ROOM) == []
