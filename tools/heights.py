"""`python -m tools.heights`: the live height of each explorable of the built book, beside the height kept free for it.

A page keeps each figure's height free while it loads, so that nothing jumps: the property `heights` of the figure's
class. After a change to a figure's first state, build the book, read the live heights here, and set the property.
"""

import sys
import threading

from tools.commands import HTML
from tools.find_chromium import FLAGS, find_or_install
from tools.server import make_server

WIDTHS = [360, 390, 768, 1280]
SIZES = """() => [...document.querySelectorAll("[data-explorable]")].map((root) => {
  const kept = parseFloat(getComputedStyle(root.closest(".abh-hold")).minHeight);
  return [root.dataset.explorable, root.offsetWidth, root.offsetHeight, Math.round(kept)];
})"""


def heights(folder=HTML):
    """Yield (page, width of the window, name, width of the figure, live height, kept height)."""
    from playwright.sync_api import sync_playwright

    with make_server(folder, 0) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=find_or_install(whole=True), args=FLAGS)
        page = browser.new_page(reduced_motion="reduce")  # else the sidebars are still on their way
        for path in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html")):
            page.goto(f"http://127.0.0.1:{server.server_port}/{path}")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                for size in page.evaluate(SIZES):
                    yield path, width, *size
        browser.close()
        server.shutdown()


def main():
    print(f"{'page':<30}{'window':>8}  {'figure':<14}{'column':>8}{'live':>8}{'kept':>8}")
    for path, window, name, column, live, kept in heights():
        mark = "" if live <= kept <= live + 48 else "  <- set `heights`"
        print(f"{path:<30}{window:>8}  {name:<14}{column:>8}{live:>8}{kept:>8}{mark}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
