"""axe-core finds nothing on any page: light and dark, wide and narrow, figures as they come and opened."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser import book

FIGURES = ".abh"
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


def violations(view, context=None, rules=None):
    """What axe finds, a line each. Without `preload`, for which it asks for style sheets that are not there."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = Axe().run(
        view, context=context, options={"preload": False, "resultTypes": ["violations"], **only}
    )
    return [
        f"{rule['id']}: {rule['help']} ({rule['impact']}) at {[node['target'] for node in rule['nodes'][:4]]} "
        f"{rule['nodes'][0]['html'][:200]} {rule['nodes'][0].get('failureSummary', '')[:300]}"
        for rule in found.response["violations"]
    ]


@pytest.mark.parametrize("page", book.pages())
def test_light(visit, page):
    view = visit(page, reduced_motion="reduce")  # else axe may see a color on its way
    assert violations(view) == [], "first state"
    if book.figures(page):
        view.evaluate(OPEN)
        assert violations(view, FIGURES) == [], "opened and touched"


@pytest.mark.parametrize("page", book.pages())
def test_dark(visit, page):
    view = visit(page, dark=True, reduced_motion="reduce")
    view.evaluate(OPEN)
    assert violations(view, rules=CONTRAST) == []


@pytest.mark.parametrize("page", book.lively())
def test_phone(visit, page):
    view = visit(page, width=360, height=640, has_touch=True, is_mobile=True, reduced_motion="reduce")
    view.evaluate(OPEN)
    assert violations(view, rules=ROOM) == []
