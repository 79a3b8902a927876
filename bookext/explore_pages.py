"""A page of its own for each figure, under ``explore/``: to be put into another page as a frame, or on a projector.

The page holds the slot of the book's page, its own script and style, and a link back to the chapter; nothing else.
"""

import html
import json
import posixpath
import re
from pathlib import Path

from attn.explore._base import stylesheet
from bookext import fonts
from bookext.explorables import bundle, named
from bookext.standalone import BOOK_CSS

FOLDER = "explore"
SLOT = re.compile(
    r'<div class="abh-slot" data-view="(\w+)" data-explore="([^"]+)"(?: id="[^"]*")?>.*?</script>\n</div>',
    re.DOTALL,
)
TITLE = re.compile(r'<h1>((?:(?!</h1>).)*)<a class="headerlink"', re.DOTALL)
TRAITS = re.compile(r"(<script[^>]*\bdata-abh>)(.*?)(</script>)", re.DOTALL)
STYLE = """body { margin: 0 auto; padding: .5rem 1rem; max-width: 46rem; font-family: var(--abh-type); }
body { color: #222832; background: #fff; }
h1 { margin: 0 0 .5rem; font-size: .9375rem; font-weight: 400; }
h1 a { display: inline-block; min-height: 24px; color: #004c97; }
html[data-theme="dark"] body { color: #ced6dd; background: #14181e; }
html[data-theme="dark"] h1 a { color: #6cb0ff; }"""


def moved(address, page):
    """An address that stands on a page of the book, as seen from ``explore/``."""
    if not address or re.match(r"[a-z]+:|/|#", address):
        return address
    return posixpath.relpath(posixpath.join(posixpath.dirname(page), address), FOLDER)


def with_moved_links(state, page):
    """A figure's traits, the addresses in them as seen from ``explore/``."""
    if isinstance(state, list):
        return [with_moved_links(item, page) for item in state]
    if isinstance(state, dict):
        return {
            key: moved(value, page)
            if key == "href" and isinstance(value, str)
            else with_moved_links(value, page)
            for key, value in state.items()
        }
    return state


def page_of(slot, title, page, script, book, head=""):
    """The text of a figure's own page.

    Parameters
    ----------
    slot : str
        Its slot on the book's page, as HTML.
    title : str
        The chapter's, as HTML without tags.
    page : str
        Path of the book's page, from the book's folder.
    script : str
        Name of the script in ``_static``.
    book : str
        The book's title, which its front page has as well.
    head : str
        What its head has for the book's type.
    """
    slot = re.sub(
        r'data-explore="([^"]*)"', lambda match: f'data-explore="{posixpath.basename(match[1])}"', slot
    )

    def traits(match):
        state = with_moved_links(json.loads(match[2]), page)
        text = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return match[1] + text + match[3]

    slot = TRAITS.sub(traits, slot)
    home = title if title == book else f"{title} ({book})"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: a figure{"" if title == book else f" of {book}"}</title>
<link rel="icon" href="../_static/favicon.svg">
<script async fetchpriority="high" src="../_static/{script}"></script>
{head}
<style>
{BOOK_CSS.read_text(encoding="utf-8")}
{stylesheet()}
{STYLE}
</style>
</head>
<body>
<main>
<h1><a href="{moved(posixpath.basename(page), page)}" target="_top">{home}</a></h1>
{slot}
</main>
</body>
</html>
"""


def write_pages(app, exception):
    """Write the page of each figure of the built book."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    folder = out / FOLDER
    folder.mkdir(exist_ok=True)
    head = fonts.head(out / "_static", "../_static")
    written = set()
    for path in sorted(out.rglob("*.html")):
        if folder in path.parents:
            continue
        text, page = path.read_text(encoding="utf-8"), path.relative_to(out).as_posix()
        for slot in SLOT.finditer(text):
            script_text = bundle({slot[1]})
            script = named("explorables", script_text, ".js")
            (out / "_static" / script).write_text(script_text, encoding="utf-8")
            heading = TITLE.search(text)
            title = html.escape(html.unescape(re.sub(r"<[^>]*>", "", heading[1]))) if heading else slot[1]
            target = folder / posixpath.basename(slot[2])
            if target in written:
                raise ValueError(f"two figures would share the page {FOLDER}/{target.name}; one is in {page}")
            written.add(target)
            target.write_text(
                page_of(slot[0], title, page, script, app.config.html_title, head), encoding="utf-8"
            )


def setup(app):
    app.connect(
        "build-finished", write_pages, priority=950
    )  # when the sheets and scripts of the book are settled
