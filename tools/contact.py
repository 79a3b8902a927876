"""Contact sheets of the built book, to be looked at: each figure before and after its first drag, and whole pages.

They are pictures for the eye alone: no test reads them. A figure is dragged as a reader would, by a finger on a
narrow screen and by a mouse on a wide one.
"""

import argparse
import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tools.bench_browser import pages
from tools.commands import BUILT, HTML
from tools.find_chromium import chromium
from tools.server import serving

TARGET = BUILT / "contact"
NARROW = 768  # below this width a finger does it
GAP, LABEL = 16, 22
LIVE = """() => document.readyState === "complete" &&
  document.querySelectorAll('[data-ready="1"]').length === document.querySelectorAll(".abh-slot").length"""
# What a hand takes hold of first, a grip on a picture or else the first slider's thumb: its center, and where to.
FIRST = """root => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length;
  const grip = [...root.querySelectorAll("[data-grip]")].filter(seen).at(-1);
  const node = grip ?? [...root.querySelectorAll('input[type="range"]')].find(seen);
  if (!node) return null;
  node.scrollIntoView({ block: "center", behavior: "instant" });
  const box = node.getBoundingClientRect();
  if (grip) return { x: box.x + box.width / 2, y: box.y + box.height / 2, dx: -60, dy: 40 };
  const share = (node.value - node.min) / (node.max - node.min);
  const dx = (share > 0.5 ? -0.4 : 0.4) * box.width;
  return { x: box.x + 13 + share * (box.width - 26), y: box.y + box.height / 2, dx, dy: 0 };
}"""


def drag(page, start, finger, steps=12):
    """One real, straight drag, as the screen or the mouse reports it."""
    points = [
        (start["x"] + start["dx"] * i / steps, start["y"] + start["dy"] * i / steps) for i in range(steps + 1)
    ]
    if not finger:
        page.mouse.move(*points[0])
        page.mouse.down()
        page.mouse.move(*points[-1], steps=steps)
        page.mouse.up()
        return
    client = page.context.new_cdp_session(page)
    for place, (x, y) in enumerate(points):
        kind = "touchMove" if place else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def picture(shot):
    return Image.open(io.BytesIO(shot)).convert("RGB")


def sheet(rows, path):
    """Write rows of (label, picture) pairs as one picture."""
    font = ImageFont.load_default(14)
    width = max(sum(image.width + GAP for _, image in row) for row in rows) + GAP
    height = sum(max(image.height for _, image in row) + LABEL + GAP for row in rows) + GAP
    whole = Image.new("RGB", (width, height), "#d5d9de")
    pen, y = ImageDraw.Draw(whole), GAP
    for row in rows:
        x = GAP
        for label, image in row:
            pen.text((x, y), label, fill="#111", font=font)
            whole.paste(image, (x, y + LABEL))
            x += image.width + GAP
        y += max(image.height for _, image in row) + LABEL + GAP
    path.parent.mkdir(parents=True, exist_ok=True)
    whole.save(path)
    print(path, flush=True)


def open_page(browser, address, width, dark):
    finger = width < NARROW
    height = 844 if finger else 800
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=finger,
        is_mobile=finger,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(LIVE, timeout=60_000)
    return context, page


def figures(browser, address, path, width, dark):
    """A row for each figure of a page: before its first drag, and after."""
    context, page = open_page(browser, address, width, dark)
    rows = []
    for index, root in enumerate(page.query_selector_all("[data-explorable]")):
        name = root.get_attribute("data-explorable")
        start = root.evaluate(FIRST)
        if start is None:
            continue
        before = picture(root.screenshot())
        start = root.evaluate(FIRST)  # a picture may have scrolled the page
        drag(page, start, finger=width < NARROW)
        after = picture(root.screenshot())
        stem = Path(path).stem
        rows.append([(f"{stem} {index} {name}", before), ("after the first drag", after)])
    context.close()
    return rows


def whole(browser, address, width, dark):
    """A page cut into screens, side by side."""
    context, page = open_page(browser, address, width, dark)
    shot = picture(page.screenshot(full_page=True))
    context.close()
    tall = 2000
    return [
        [
            (str(index + 1), shot.crop((0, top, shot.width, min(top + tall, shot.height))))
            for index, top in enumerate(range(0, shot.height, tall))
        ]
    ]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="contact", description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, nargs="*", default=[390, 1280])
    parser.add_argument("--scheme", nargs="*", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--page", help="only pages whose path holds this")
    parser.add_argument("--figures", action="store_true", help="only the figures, not whole pages")
    options = parser.parse_args(arguments)
    with serving(HTML) as address, chromium() as browser:
        for path in pages(HTML):
            if options.page and options.page not in path:
                continue
            for width in options.width:
                for scheme in options.scheme:
                    stem = f"{Path(path).stem}-{width}-{scheme}"
                    rows = figures(browser, address + path, path, width, scheme == "dark")
                    if rows:
                        sheet(rows, TARGET / f"{stem}-figures.png")
                    if not options.figures:
                        sheet(whole(browser, address + path, width, scheme == "dark"), TARGET / f"{stem}.png")


if __name__ == "__main__":
    main()
