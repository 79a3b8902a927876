"""The book as a text: how long its pages are, how they read, and what of them a phone cuts off."""

import re

from ledger import prose
from tools import bench_browser, terms
from tools import text as of
from tools.bench_table import Table
from tools.commands import HTML
from tools.environment import ROOT

PHONE = {"width": 390, "height": 844}
MOST = 18  # of its screens has a core page, with everything closed
HIGH = "document.documentElement.scrollHeight"  # of a page, from its top to its foot
CORES = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
FURTHER = sorted((ROOT / "chapters" / "further").glob("[0-9]*.ipynb"))
#: What is wider than its frame, with everything open that opens.
CUT = """() => {
  for (const box of document.querySelectorAll("details")) box.open = true;
  for (const box of document.querySelectorAll(".toggle-hidden")) box.classList.remove("toggle-hidden");
  const blocks = "pre, .abh-shown figure, .cell_output > .output, .pst-scrollable-table-container";
  return [...document.querySelectorAll(`.bd-article :is(${blocks})`)]
    .filter((node) => node.scrollWidth > node.clientWidth).length;
}"""
ALIVE = """() => document.readyState === "complete" && !("near" in document.documentElement.dataset) &&
  document.querySelectorAll('[data-ready="1"]').length === document.querySelectorAll(".abh-slot").length"""


def on_a_phone(folder=HTML):
    """For each page: its screens with everything closed, and its blocks that are cut off with everything open."""
    with bench_browser.site(folder) as address, bench_browser.chromium() as browser:
        view = browser.new_page(viewport=PHONE)
        view.set_default_timeout(120_000)
        for path in [*CORES, *FURTHER]:
            page = path.relative_to(ROOT).with_suffix(".html").as_posix()
            view.goto(address + page)
            view.wait_for_function(ALIVE)
            height = view.evaluate(HIGH)
            yield path, height / PHONE["height"], view.evaluate(CUT)


def as_plain_text(path):
    """A page's sentences outside of what opens, formulas and code as one word each."""
    read = prose.of_markdown(of.outside_of_what_opens(of.prose(path)))
    said = " ".join(sentence.text for sentence in read if sentence.text[-1] in ".!?")
    said = re.sub(r"\s*\{cite:p\}`[^`]*`", "", said)
    said = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"(?:\{[\w:]+\})?`[^`]*`", "code", said))
    return re.sub(r"[*_∎]", "", re.sub(r"\$[^$]*\$", "x", said))


def text(folder=HTML):
    """How long each page is, how it reads, and what of it a phone cuts off."""
    import textstat

    table = Table(
        "The book as a text",
        ["page", "words", "cells", "screens", "dressing lines", "cut off", "grade", "undefined terms"],
        note=(
            "Words outside of what opens; cells whose code is seen; screens of a phone of "
            f"{PHONE['width']} × {PHONE['height']}, everything closed ({MOST} at most for a core); the share of the "
            "seen lines of code that only print, format or dress a picture; blocks of code, outputs and tables that "
            "such a phone cuts off, everything open; Flesch and Kincaid's grade, formulas as one syllable; terms of "
            "the notation page that are used before the chapter explains or links them."
        ),
    )
    for path, screens, cut in on_a_phone(folder):
        every, dressing = of.code_lines(path)
        words = len(of.outside_of_what_opens(of.prose(path)).split())
        cells = sum(map(of.seen, of.cells(path, "code")))
        grade = textstat.flesch_kincaid_grade(as_plain_text(path))
        page = path.stem if path in CORES else f"further/{path.stem}"
        row = [page, f"{words:,}", str(cells), f"{screens:.1f}", f"{dressing / every:.0%}", str(cut)]
        table.rows.append([*row, f"{grade:.1f}", str(len(terms.undefined(path, CORES)))])
    return table


SECTIONS = [text]
