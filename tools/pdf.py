"""The whole book as one PDF: the built pages' articles in one document, printed through Chromium.

Scripts of pages are off while it is printed, so a still picture stands for each explorable. `tools/paper.py` puts the
document together, `tools/fit.js` fits it to its pages and says on which page everything is; what the printed file says
about itself is looked at, and if a number was wrong, the right ones are put in and it is printed again.
"""

import sys
from pathlib import Path

import pypdf

from tools import ink
from tools.commands import BUILT, HTML, PDF
from tools.find_chromium import ChromiumMissing, chromium
from tools.paper import WIDTH, chapters_of, document, numbers_of, pages_of

FIT = Path(__file__).parent / "fit.js"
PIXELS = 96 / 25.4  # a millimeter
#: The room for text on a page, as in pdf.css; how much less of its height is filled, so that no page runs over; the
#: gap between two columns.
ROOM = {"width": WIDTH * PIXELS, "height": 245 * PIXELS, "spare": 1, "between": 8 * PIXELS}
PRINT = {"prefer_css_page_size": True, "print_background": True, "outline": True, "tagged": True}
FILL_IN = """pages => {
  for (const node of document.querySelectorAll("[data-page]")) {
    const page = pages[node.dataset.page];
    if (page) node.textContent = page;
    else (node.closest(".at") ?? node).remove(); // it leads to a chapter that is not printed
  }
}"""

#: The same document with nothing along the top of its pages: Chromium has no selector for a chapter's first page.
NO_HEADS = r"""() => {
  for (const style of document.querySelectorAll("style"))
    style.textContent = style.textContent.replace(/@top-(?:left|right)\s*\{[^}]*\}/g, "");
}"""


def places_of(path):
    """For each place of a printed document that a link leads to: its page, from 1."""
    reader = pypdf.PdfReader(path)
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1
        for name, place in reader.named_destinations.items()
    }


def without_heads(printed, bare, firsts):
    """Take the pages on which chapters begin from a print without running heads: the title stands there large."""
    writer, plain = pypdf.PdfWriter(clone_from=printed), pypdf.PdfReader(bare)
    if len(writer.pages) != len(plain.pages):
        raise ValueError(f"expected {len(writer.pages)} pages without heads, too; found {len(plain.pages)}")
    for number in firsts:
        page, other = writer.pages[number - 1], plain.pages[number - 1]
        for part in ("/Contents", "/Resources"):
            page[pypdf.generic.NameObject(part)] = other.raw_get(part).clone(writer)
    writer.write(printed)


def make(folder, target, work, only=None):
    """Print the book in `folder`, or some chapters, to the file `target`; `work` is for what is made on the way."""
    work.mkdir(parents=True, exist_ok=True)
    source, printed, bare = work / "book.html", work / "book.pdf", work / "without-heads.pdf"
    source.write_text(document(folder, Path(folder).resolve().as_uri(), only), encoding="utf-8")
    with chromium() as browser:
        page = browser.new_context(java_script_enabled=False).new_page()
        page.set_default_timeout(300_000)
        page.emulate_media(media="print")
        page.goto(source.resolve().as_uri())
        report = page.evaluate(FIT.read_text(encoding="utf-8"), ROOM)
        pages = report["pages"]
        for _ in range(3):
            page.evaluate(FILL_IN, pages)
            page.pdf(path=printed, **PRINT)
            found = places_of(printed)
            wrong = {place for place in pages if found.get(place, pages[place]) != pages[place]}
            if not wrong:
                break
            pages |= {place: found[place] for place in wrong}
        (work / "fitted.html").write_text(page.content(), encoding="utf-8")
        page.evaluate(NO_HEADS)
        page.pdf(path=bare, **PRINT)
    numbers = numbers_of(folder)
    missing = [title for path, title in pages_of(folder) if not only and f"p{numbers[path]}" not in found]
    if missing:
        raise ValueError(f"expected a place in the PDF for each chapter; found none for {', '.join(missing)}")
    if wrong:
        raise ValueError(f"expected page numbers that hold; found others three times for {sorted(wrong)[:5]}")
    starts = {f"p{numbers[chapter.path]}" for chapter in chapters_of(folder)}
    firsts = sorted({found[place] for place in starts & found.keys()})
    without_heads(printed, bare, firsts)
    target.parent.mkdir(parents=True, exist_ok=True)
    printed.replace(target)
    return len(pypdf.PdfReader(target).pages), report | {"thin": ink.thin(target, firsts)}


def thin_pages(thin):
    """Which pages are a quarter empty or more: nothing is lost on them, so the book is printed all the same."""
    if not thin:
        return ""
    pages = "a thin page" if len(thin) == 1 else f"{len(thin)} thin pages"
    return f", with {pages}: {', '.join(map(str, thin))}"


def main(only):
    try:
        count, report = make(HTML, HTML / PDF, BUILT / "pdf", only)
    except ChromiumMissing as error:
        print(error, file=sys.stderr)
        return 1
    size = (HTML / PDF).stat().st_size / 1e6
    print(f"Printed {HTML / PDF}: {count} pages, {size:.1f} MB{thin_pages(report['thin'])}")
    changed = ", ".join(f"{report[what]} {what}" for what in ("shrunk", "grown", "moved", "raised"))
    print(f"So that pages are full, of the figures were {changed}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
