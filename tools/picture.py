"""The README's moving picture: the masking figure of the built book, its slider dragged and its switch turned."""

import io
from pathlib import Path

from PIL import Image

from tools.commands import HTML
from tools.find_chromium import chromium
from tools.server import serving

TARGET = Path(__file__).parent.parent / "docs" / "masking.gif"
FRAME_MS = 140
THUMB = 26  # px: a slider's thumb stays within its track


def sweep():
    """Places of the nudge's thumb, as shares of its way: up, down through the middle, and back."""
    up = [0.5 + i / 12 for i in range(7)]
    return [*up, *up[-2::-1], *[1 - x for x in up[1:]], *[1 - x for x in up[-2:0:-1]]]


def frames(page):
    """Pictures of the figure while a mouse sweeps the nudge, once for each order of mask and softmax."""
    figure = page.locator('[data-explorable="Masking"]').first
    nudge = figure.locator('input[name="nudge"]')
    for order in ("before", "after"):
        if order == "after":
            figure.locator('input[name="order"][value="after"]').check(force=True)
        box = nudge.bounding_box()
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] / 2, y)
        page.mouse.down()
        for share in sweep():
            page.mouse.move(box["x"] + THUMB / 2 + share * (box["width"] - THUMB), y)
            yield Image.open(io.BytesIO(figure.screenshot())).convert("RGB")
        page.mouse.up()


def main():
    with serving(HTML) as address, chromium(whole=True) as browser:
        page = browser.new_page(viewport={"width": 560, "height": 900}, reduced_motion="reduce")
        page.goto(f"{address}chapters/03_masking.html")
        page.locator('[data-explorable="Masking"][data-ready="1"]').first.wait_for()
        pictures = [picture.quantize(64, dither=Image.Dither.NONE) for picture in frames(page)]
    TARGET.parent.mkdir(exist_ok=True)
    pictures[0].save(
        TARGET, save_all=True, append_images=pictures[1:], duration=FRAME_MS, loop=0, optimize=True
    )
    print(
        f"{TARGET.relative_to(TARGET.parents[1])}: {len(pictures)} frames, {TARGET.stat().st_size // 1024} kB"
    )


if __name__ == "__main__":
    main()
