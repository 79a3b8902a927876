"""What axe-core finds on a page, a line each."""

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe

CONTRAST = ["color-contrast", "link-in-text-block"]  # what depends on color

# Colors are measured once for each look (probe.js marks the first element of each): thousands of cells share one.
AXE = Axe(
    AXE_SCRIPT
    + """;axe.configure({ rules: [
      { id: "color-contrast", selector: "[data-look]" },
      { id: "link-in-text-block", selector: "a[href][data-look]" },
    ] });"""
)


def violations(view, context="html"):
    """What axe finds by all rules but those of colors, a line each."""
    return run(view, context, {"rules": {name: {"enabled": False} for name in CONTRAST}})


def all_violations(view):
    """What axe finds by all rules. The page is of no use afterwards."""
    view.evaluate("() => { probe.looks(); probe.thin(); }")
    return run(view, "html", {})


def some_violations(view, rules):
    """What axe finds by these rules. The page is of no use afterwards."""
    view.evaluate("colors => { if (colors) probe.looks(); probe.thin(); }", rules == CONTRAST)
    return run(view, "html", {"runOnly": {"type": "rule", "values": rules}})


def run(view, context, only):
    # Without `preload`, for which axe asks for style sheets that are not there.
    options = {"preload": False, "resultTypes": ["violations"], **only}
    found = AXE.run(view, context=context, options=options)
    return [
        f"{rule['id']}: {rule['help']} ({rule['impact']}) at {[node['target'] for node in rule['nodes'][:4]]} "
        f"{rule['nodes'][0]['html'][:200]} {rule['nodes'][0].get('failureSummary', '')[:300]}"
        for rule in found.response["violations"]
    ]
