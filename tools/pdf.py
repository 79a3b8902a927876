"""The whole book as one PDF: the built pages' articles in one document, printed through Chromium.

Scripts are off while it is printed, so a still picture stands for each explorable, and solutions are open. The document
is printed twice: the first time tells on which page each chapter starts, the second has these numbers in its contents.
"""

import html
import posixpath
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pypdf
import yaml
from playwright.sync_api import sync_playwright

from tools.commands import BUILT, HTML, PDF
from tools.environment import ROOT
from tools.find_chromium import FLAGS, ChromiumMissing, find_or_install

STYLE = Path(__file__).parent / "pdf.css"
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
ARTICLE = re.compile(r'<article class="bd-article">(.*?)</article>', re.DOTALL)
# The arrow at a page's foot that leads to the next one, and what it is called there.
NEXT = re.compile(
    r'<a\s+class="right-next"\s+href="([^"]+)".*?<p class="prev-next-title">(.*?)</p>', re.DOTALL
)
FOOTER = """<div style="width: 100%; font: 8px sans-serif; text-align: center; color: #555">
<span class="pageNumber"></span></div>"""


def pages_of(folder):
    """The book's pages in order: a list of (path, title as HTML). Each page names the one that follows it."""
    path, pages = "index.html", [("index.html", "Start here")]
    while found := NEXT.search((folder / path).read_text(encoding="utf-8")):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(found[1])))
        if path in dict(pages):
            raise ValueError(f"expected a new page after {pages[-1][0]}; found {path} again")
        pages.append((path, re.sub(r"<[^<>]*>", "", found[2]).strip()))
    if len(pages) == 1:
        raise ValueError(f'expected <a class="right-next" …> in {folder / path}; found none')
    return pages


def article_of(text, path, numbers, up):
    """The article of a page, made a part of one document.

    Ids get the page's number in front, links to other pages lead to their part, and pictures are found from `up`.
    """
    found = ARTICLE.search(text)
    if not found:
        raise ValueError(f'expected <article class="bd-article"> in {path}; found none')
    body = re.sub(r"<script\b.*?</script>", "", found[1], flags=re.DOTALL)
    body = re.sub(r'<a class="headerlink".*?</a>', "", body, flags=re.DOTALL)
    here = f"p{numbers[path]}"
    folder = posixpath.dirname(path)
    seen = set()

    def target(link):
        if re.match(r"(?:https?|mailto):", link):
            return link
        file, _, place = link.partition("#")
        file = posixpath.normpath(posixpath.join(folder, unquote(file))) if file else path
        if file not in numbers:
            return None  # a file that the document does not hold
        if not place or place.startswith("state="):  # on paper a figure has one state
            return f"#p{numbers[file]}"
        return f"#p{numbers[file]}-{place}"

    def attribute(match):
        name, value = match[1], match[2]
        if name == "id":
            if value in seen:  # exercises have parts that are all named the same
                return ""
            seen.add(value)
            return f' id="{here}-{value}"'
        if name == "href":
            new = target(html.unescape(value))
            return f' href="{html.escape(new)}"' if new else ""
        if name == "src" and not value.startswith("data:"):
            return f' src="{up}/{posixpath.normpath(posixpath.join(folder, value))}"'
        return "" if name == "loading" else match[0]

    body = TAG.sub(lambda tag: re.sub(r'\s([\w:-]+)="([^"]*)"', attribute, tag[0]), body)
    body = re.sub(r"<details\b", "<details open", body)
    return f'<article class="bd-article part" id="{here}">{body}</article>'


def document(folder, up, starts=None):
    """The text of the one document; `starts` maps a part's number to the page on which it starts."""
    about = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    pages = pages_of(folder)
    numbers = {path: number for number, (path, _) in enumerate(pages)}
    texts = {path: (folder / path).read_text(encoding="utf-8") for path, _ in pages}
    sheets = dict.fromkeys(
        re.findall(r'<link rel="stylesheet" href="(?:\.\./)*(_static/[^"]+)"', "".join(texts.values()))
    )
    contents = "".join(
        f'<li><a href="#p{number}">{title}</a><span class="dots"></span>'
        f'<a href="#p{number}" class="page">{(starts or {}).get(number, "000")}</a></li>\n'
        for number, (_, title) in enumerate(pages)
    )
    articles = "\n".join(article_of(texts[path], path, numbers, up) for path in numbers)
    if find_spec("bookext.small"):  # otherwise code has its colors
        code = import_module("bookext.small.code")
        articles = code.with_spans(articles, code.of(about["sphinx"]["config"]["html_theme_options"])[1])
    links = "\n".join(f'<link rel="stylesheet" href="{up}/{sheet}" />' for sheet in sheets)
    title = html.escape(about["title"])
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8" />
<title>{title}</title>
{links}
<style>{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<header id="cover">
<p class="title">{title}</p>
<p>{html.escape(about["author"])}, {html.escape(str(about["copyright"]))}</p>
<p>In the pages and notebooks of this book the figures are alive. Here they stand still.</p>
<h2 id="contents">Contents</h2>
<ol>
{contents}</ol>
</header>
{articles}
</body>
</html>
"""


def starts_of(path):
    """The page on which each part of a printed document starts, from 1."""
    reader = pypdf.PdfReader(path)
    found = {}
    for name, place in reader.named_destinations.items():
        if match := re.fullmatch(r"/?p(\d+)", name):
            found[int(match[1])] = reader.get_destination_page_number(place) + 1
    return found


def make(folder, target, work):
    """Print the book in `folder` to the file `target`; `work` is a folder for what is made on the way."""
    work.mkdir(parents=True, exist_ok=True)
    source, printed = work / "book.html", work / "book.pdf"
    up = Path(folder).resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_or_install(), args=FLAGS)
        page = browser.new_context(java_script_enabled=False).new_page()
        page.set_default_timeout(120_000)
        starts = None
        for _ in range(2):
            source.write_text(document(folder, up, starts), encoding="utf-8")
            page.goto(source.resolve().as_uri())
            page.pdf(
                path=printed,
                format="A4",
                margin={"top": "18mm", "bottom": "20mm", "left": "18mm", "right": "18mm"},
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER,
                outline=True,
                tagged=True,
            )
            starts = starts_of(printed)
        browser.close()
    missing = [title for number, (_, title) in enumerate(pages_of(folder)) if number not in starts]
    if missing:
        raise ValueError(f"expected a place in the PDF for each chapter; found none for {', '.join(missing)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    printed.replace(target)
    return len(pypdf.PdfReader(target).pages)


def main():
    try:
        count = make(HTML, HTML / PDF, BUILT / "pdf")
    except ChromiumMissing as error:
        print(error, file=sys.stderr)
        return 1
    size = (HTML / PDF).stat().st_size / 1e6
    print(f"Printed {HTML / PDF}: {count} pages, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
