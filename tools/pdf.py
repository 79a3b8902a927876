"""The whole book as one PDF: the built pages' articles in one document, printed through Chromium.

Scripts of pages are off while it is printed, so a still picture stands for each explorable. `tools/paper.py` puts the
document together. The first print tells on which page everything is; the numbers are put in, and it is printed again.
"""

import sys
from pathlib import Path

import pypdf

from tools.commands import BUILT, HTML, PDF
from tools.find_chromium import ChromiumMissing, chromium
from tools.paper import document, numbers_of, pages_of

PRINT = {"prefer_css_page_size": True, "print_background": True, "outline": True, "tagged": True}
FILL_IN = """pages => {
  for (const node of document.querySelectorAll("[data-page]")) {
    const page = pages[node.dataset.page];
    if (page) node.textContent = page;
    else (node.closest(".at") ?? node).remove(); // it leads to a chapter that is not printed
  }
}"""


def places_of(path):
    """For each place of a printed document that a link leads to: its page, from 1."""
    reader = pypdf.PdfReader(path)
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1
        for name, place in reader.named_destinations.items()
    }


def make(folder, target, work, only=None):
    """Print the book in `folder`, or some chapters, to the file `target`; `work` is for what is made on the way."""
    work.mkdir(parents=True, exist_ok=True)
    source, printed = work / "book.html", work / "book.pdf"
    source.write_text(document(folder, Path(folder).resolve().as_uri(), only), encoding="utf-8")
    with chromium() as browser:
        page = browser.new_context(java_script_enabled=False).new_page()
        page.set_default_timeout(300_000)
        page.emulate_media(media="print")
        page.goto(source.resolve().as_uri())
        pages = {}
        for _ in range(4):
            page.pdf(path=printed, **PRINT)
            found = places_of(printed)
            if found == pages:
                break
            pages = found
            page.evaluate(FILL_IN, pages)
    numbers = numbers_of(folder)
    missing = [title for path, title in pages_of(folder) if not only and f"p{numbers[path]}" not in found]
    if missing:
        raise ValueError(f"expected a place in the PDF for each chapter; found none for {', '.join(missing)}")
    if moved := sorted(found.items() - pages.items()):
        raise ValueError(f"expected page numbers that hold; found others four times for {moved[:5]}")
    target.parent.mkdir(parents=True, exist_ok=True)
    printed.replace(target)
    return len(pypdf.PdfReader(target).pages)


def main(only):
    try:
        count = make(HTML, HTML / PDF, BUILT / "pdf", only)
    except ChromiumMissing as error:
        print(error, file=sys.stderr)
        return 1
    size = (HTML / PDF).stat().st_size / 1e6
    print(f"Printed {HTML / PDF}: {count} pages, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
