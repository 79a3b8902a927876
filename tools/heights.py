"""`python -m tools.heights`: measure the figures of the built book, and store how much room a page keeps for each.

A page keeps a figure's height free until the figure is alive, so that nothing jumps (bookext/heights.py). After a
change to what a figure shows first: `make book`, this command, and `make book` again. A height that still fits stays
as it is, since fonts differ a little from one machine to the next.
"""

import sys

from bookext.explorables import figure_name
from bookext.heights import COLUMNS, HEIGHTS, SPARE, measured
from tools.commands import HTML
from tools.find_chromium import chromium
from tools.server import serving

WIDTHS = [360, 390, 720, 768, 1280]  # of windows: each brings one of the columns, on the front page too
SLACK = 2 * SPARE  # pixels that are kept in vain, at the most
HEAD = """# How high each figure of the book is at first, by the width of its column, in pixels.
# `python -m tools.heights` writes this file.

"""
READY = """() => document.readyState === "complete"
  && [...document.querySelectorAll(".abh-slot")].every((slot) => slot.querySelector('[data-ready="1"]'))"""
SIZES = """() => {
  for (const fold of document.querySelectorAll("details:has(.abh-slot)")) fold.open = true;
  return [...document.querySelectorAll(".abh-slot")].map((slot) =>
    [slot.dataset.view, slot.offsetWidth, slot.querySelector("[data-explorable]").offsetHeight]);
}"""


def sizes(folder=HTML):
    """Yield (name, width of the column, height) of each figure of the built book in windows of several widths."""
    with serving(folder) as address, chromium(whole=True) as browser:
        page = browser.new_page(reduced_motion="reduce")  # else the sidebars are still on their way
        for path in sorted(path.relative_to(folder) for path in folder.rglob("*.html")):
            if "abh-slot" not in (folder / path).read_text(encoding="utf-8"):
                continue
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                # Anew for each width: a laboratory that starts open on a laptop starts closed on a phone.
                page.goto(address + path.as_posix())
                page.wait_for_function(READY, timeout=0)
                found = page.evaluate(SIZES)
                views = [view for view, _, _ in found]
                for place, (view, column, height) in enumerate(found):
                    if path.parts[0] == "explore":  # the page of this figure alone
                        name = path.stem
                    else:
                        name = figure_name(path.with_suffix("").as_posix(), view, views[:place].count(view))
                    yield name, column, height


def by_column(found):
    """name -> {width of the column: height}; `ValueError` where the theme has other columns than book.css."""
    heights = {}
    for name, column, height in found:
        column = min(column, COLUMNS[-1])  # the front page's figure, in a wider one, is as high as there
        if column not in COLUMNS:
            raise ValueError(
                f"{name} stands in a column of {column} px, but book.css keeps heights for {COLUMNS}"
            )
        columns = heights.setdefault(name, dict.fromkeys(map(str, COLUMNS), 0))
        columns[str(column)] = max(columns[str(column)], height)
    return heights


def kept(new, old):
    """The heights to store: those of before where they still fit, in the order of names."""

    def fits(before, height):
        return before is not None and 0 <= before + SPARE - height <= SLACK

    return {
        name: {
            column: before if fits(before := old.get(name, {}).get(column), height) else height
            for column, height in columns.items()
        }
        for name, columns in sorted(new.items())
    }


def text_of(heights):
    """The file's text."""
    lines = [
        f"{name} = {{ {', '.join(f'{column} = {height}' for column, height in columns.items())} }}\n"
        for name, columns in heights.items()
    ]
    return HEAD + "".join(lines)


def main():
    old = measured()
    new = kept(by_column(sizes()), old)
    if not new:
        print(f"There is no figure in {HTML}: run `make book` first. Nothing was written.", file=sys.stderr)
        return 1
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    for name in changed:
        print(f"{name}: {old.get(name, 'not measured')} → {new.get(name, 'gone')}")
    HEIGHTS.write_text(text_of(new), encoding="utf-8", newline="\n")
    print(f"{len(new)} figures, {len(changed)} changes" + ("; now `make book`" if changed else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
