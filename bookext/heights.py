"""The room that a page keeps for a figure until it is alive, so that nothing below it jumps.

A figure's height depends on its words, its fonts and the width of its column, so it is measured, not reckoned:
`python -m tools.heights` looks at the built pages, and writes ``heights.toml`` beside this file. A figure is called by
the name of its own page, such as ``03_masking-masking-2``.
"""

import tomllib
from functools import cache
from pathlib import Path

HEIGHTS = Path(__file__).with_name("heights.toml")
COLUMNS = (328, 358, 688, 736)  # pixels: those of book.css, on phones and laptops
SPARE = 12  # pixels: fonts differ a little between machines


@cache
def measured():
    """name -> {width of the column: height}, in pixels; the widths are those of book.css."""
    return tomllib.loads(HEIGHTS.read_text(encoding="utf-8"))


def room(name):
    """The style that keeps a figure's height free (book.css), or None if it was not measured yet."""
    if name not in measured():
        return None
    return "".join(f"--abh-{column}:{height + SPARE}px;" for column, height in measured()[name].items())
