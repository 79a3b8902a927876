"""What axe-core finds on a page, a line each."""

from axe_playwright_python.sync_playwright import Axe

CONTRAST = ["color-contrast", "link-in-text-block"]  # what depends on color


def violations(view, context="html", rules=None):
    """What axe finds in a part of the page, by all rules or by some."""
    # Without `preload`, for which axe asks for style sheets that are not there.
    options = {"preload": False, "resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found = Axe().run(view, context=context, options=options)
    return [
        f"{rule['id']}: {rule['help']} ({rule['impact']}) at {[node['target'] for node in rule['nodes'][:4]]} "
        f"{rule['nodes'][0]['html'][:200]} {rule['nodes'][0].get('failureSummary', '')[:300]}"
        for rule in found.response["violations"]
    ]
