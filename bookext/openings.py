"""How pages open: a chapter with its emblem, the front page with cards for chapters and with where the reader was.

The cards are the list of chapters in ``index.md``: each item that begins with a link to a chapter gets its emblem and
its minutes (``minutes``). Where a reader was is kept on her own device, by ``static/place.js``; the front page says it
in place of the words for newcomers, before anything is painted, and forgets it when it is asked to.
"""

import html
import posixpath
import re
from pathlib import Path

from bookext import emblems, minutes

ITEM = re.compile(r'<li>\s*<p>(<a class="reference internal" href="(chapters/\d\d_\w+)\.html">.*?</a>)(.*?)</p>\s*</li>', re.DOTALL)
LIST = re.compile(r'<ol class="[^"]*"( start="0")?>(?=\s*<li class="abh-card">)')
NEW = re.compile(r"<p>(?=<strong>New here\?</strong>)")
BACK = """<p class="abh-back" hidden><strong>Welcome back.</strong> You were at <a class="abh-place" href="#">here</a>. <button type="button" class="abh-forget">Forget it</button></p>
<script>
(() => {
  const [fresh, back] = document.querySelectorAll(".abh-start, .abh-back");
  let place = null;
  try { place = JSON.parse(localStorage.getItem("attention-by-hand:place")); } catch {}
  if (!/^chapters\\/[\\w/]+\\.html(#[\\w-]*)?$/.test(place?.href) || typeof place.name !== "string") return;
  const link = back.querySelector("a");
  link.href = place.href;
  link.textContent = place.name;
  const swap = (known) => { back.hidden = !known; fresh.hidden = known; };
  swap(true);
  back.querySelector("button").addEventListener("click", () => {
    try { localStorage.removeItem("attention-by-hand:place"); } catch {}
    swap(false);
  });
})();
</script>"""


def with_cards(body, minutes_of):
    """The front page's list of chapters as cards."""

    def card(match):
        link, docname, question = match.groups()
        drawing = emblems.svg(emblems.drawing(emblems.number_of(docname)))
        time = f'<span class="abh-minutes">Chapter {emblems.number_of(docname)} · {minutes_of(docname)}</span>'
        words = f"<p>{link}<span>{question.strip()}</span>{time}</p>"
        return f'<li class="abh-card">{drawing}{words}</li>'

    return LIST.sub(r'<ol class="abh-cards"\1>', ITEM.sub(card, body))


def with_place(body):
    """The front page with where the reader was, behind the words for newcomers."""
    start = NEW.search(body)
    if not start:
        return body
    end = body.index("</p>", start.end()) + len("</p>")
    return f'{body[: start.start()]}<p class="abh-start">{body[start.end() : end]}\n{BACK}{body[end:]}'


def with_emblem(body, number, time):
    """A chapter's page with its emblem and its minutes above its title."""
    opening = f'<div class="abh-chapter">{emblems.svg(emblems.drawing(number))}<span class="abh-minutes">{time}</span></div>'
    return body.replace("<h1>", f"{opening}\n<h1>", 1)


def meta(app, pagename, context, number):
    """What a preview of the page shows, where the book has an address; and icons for those who need a picture."""
    front = pagename == app.config.root_doc
    static = context["pathto"]("_static", 1)
    tags = [f'<link rel="icon" type="image/png" sizes="64x64" href="{static}/icon-64.png" />']
    tags.append(f'<link rel="apple-touch-icon" href="{static}/icon-180.png" />')
    title = html.escape(app.config.html_title if front else re.sub(r"<[^>]*>", "", context.get("title", "")))
    tags.append(f'<meta property="og:title" content="{title}" />')
    tags.append(f'<meta property="og:type" content="{"website" if front else "article"}" />')
    if address := app.config.html_baseurl:
        base = address.rstrip("/") + "/"
        name = "cover.png" if number is None else f"preview-{number:02}.png"
        tags.append(f'<meta property="og:url" content="{base}{pagename}.html" />')
        tags.append(f'<meta property="og:image" content="{base}_static/{name}" />')
        tags.append('<meta name="twitter:card" content="summary_large_image" />')
    context["metatags"] = context.get("metatags", "") + "\n".join(tags)


def open_page(app, pagename, templatename, context, doctree):
    context["mark"] = emblems.svg(emblems.mark())
    number = emblems.number_of(pagename)
    body = context.get("body")
    if doctree is not None and body:
        time = lambda docname: minutes.said(*minutes.of_page(app.env, docname))  # noqa: E731
        if pagename == app.config.root_doc:
            context["body"] = with_place(with_cards(body, time))
        elif number is not None:
            context["body"] = with_emblem(body, number, time(pagename))
        if posixpath.dirname(pagename).startswith("chapters") and re.search(r"/\d\d_", pagename):
            app.add_js_file("place.js", loading_method="defer")
    meta(app, pagename, context, number)


def write_pictures(app):
    """The mark as an icon, the cover, and where the book has an address a preview of each chapter."""
    if app.builder.format != "html":
        return
    static = Path(app.abh_static)
    for size in (64, 180):
        emblems.icon(static / f"icon-{size}.png", size)
    title = app.config.html_title
    emblems.picture(static / "cover.png", emblems.mark(), title, "Drag the weights, and the matrices answer.")
    if app.config.html_baseurl:
        for number in emblems.EMBLEMS:
            page = next((name for name in app.env.found_docs if emblems.number_of(name) == number), None)
            if page:
                heading = app.env.titles[page].astext() if page in app.env.titles else f"Chapter {number}"
                emblems.picture(static / f"preview-{number:02}.png", emblems.drawing(number), heading, title)


def setup(app):
    app.connect("html-page-context", open_page, priority=790)  # scripts are counted behind it
    app.connect("env-updated", lambda app, env: write_pictures(app))
