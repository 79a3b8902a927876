"""How pages open: a chapter with its emblem, the front page with cards for chapters and with where the reader was.

An emblem is a miniature of its chapter's idea, in ``emblems/``: the shapes of a state of the chapter's figure, or of a
run of what it trains, each with a role that the page's style sheet colors. ``mark.svg`` there is the book's.

The cards are the list of chapters in ``index.md``: each item that begins with a link to a chapter gets its emblem and
its minutes (``minutes``). Where a reader was is kept on her own device, by ``static/place.js``; the front page says it
above its figure, with the cards that are due, in place of the words for newcomers, before anything is painted, and
forgets it when it is asked to.
"""

import html
import re
from pathlib import Path

from bookext import minutes, whereabouts

EMBLEMS = Path(__file__).with_name("emblems")
CHAPTER = re.compile(r"chapters/(\d\d)_\w+")
CHAPTER_LINK = r'(<a class="reference internal" href="(chapters/\d\d_\w+)\.html">.*?</a>)'
ITEM = re.compile(rf"<li>\s*<p>{CHAPTER_LINK}(.*?)</p>\s*</li>", re.DOTALL)
LIST = re.compile(r'<ol class="[^"]*"( start="0")?>(?=\s*<li class="abh-card">)')
NEW = re.compile(r"<p>(?=<strong>New here\?</strong>)")
FIRST = re.compile(r"(?<=</h1>)\s*<p>")
BACK = """<p class="abh-back" hidden><strong>Welcome back.</strong> <span>You were at <a href="#">a chapter</a>.</span>
<a href="chapters/practice.html" hidden></a>
<button type="button" class="abh-forget">Forget it</button></p>
<script>
(() => {
  const back = document.querySelector(".abh-back");
  const read = (name) => {
    try { return JSON.parse(localStorage.getItem(`attention-by-hand:${name}`)); } catch { return null; }
  };
  const place = read("place");
  if (!/^chapters\\/[\\w/]+\\.html(#[\\w-]*)?$/.test(place?.href) || typeof place.name !== "string") return;
  const [link, cards] = back.querySelectorAll("a");
  link.href = place.href;
  link.textContent = place.name;
  const due = Object.values(read("practice")?.cards ?? {}).filter((card) => Date.parse(card?.due) <= Date.now()).length;
  cards.hidden = !due;
  cards.textContent = due === 1 ? "One card is due." : `${due} cards are due.`;
  const swap = (known) => {
    back.hidden = !known;
    document.documentElement.toggleAttribute("data-back", known); // the words for newcomers go
  };
  swap(true);
  back.querySelector("button").addEventListener("click", () => {
    try { localStorage.removeItem("attention-by-hand:place"); } catch {}
    swap(false);
  });
})();
</script>"""


def number_of(docname):
    """The number of a chapter's core page, or None."""
    found = CHAPTER.fullmatch(docname)
    return int(found[1]) if found else None


def emblem(number):
    """A chapter's drawing, to stand in a page; of None the book's mark. Beside it stand words: it needs no name."""
    name = "mark" if number is None else f"{number:02}"
    return (EMBLEMS / f"{name}.svg").read_text(encoding="utf-8").strip()


def with_cards(body, minutes_of):
    """The front page's list of chapters as cards."""

    def card(match):
        link, docname, question = match.groups()
        drawing = emblem(number_of(docname))
        time = f'<span class="abh-minutes">Chapter {number_of(docname)} · {minutes_of(docname)}</span>'
        words = f"<p>{link}<span>{question.strip()}</span>{time}</p>"
        return f'<li class="abh-card">{drawing}{words}</li>'

    return LIST.sub(r'<ol class="abh-cards"\1>', ITEM.sub(card, body))


def with_place(body):
    """The front page with where the reader was, above its figure and in place of its first words."""
    if not (lead := FIRST.search(body)) or not NEW.search(body):
        return body
    end = body.index("</p>", lead.end()) + len("</p>")
    opening = f'\n<p class="abh-lead">{body[lead.end() : end]}\n{BACK}'
    return body[: lead.start()] + opening + NEW.sub('<p class="abh-start">', body[end:], count=1)


def with_emblem(body, number, time):
    """A chapter's page with its emblem and its minutes above its title."""
    words = f'<span class="abh-minutes">{time}</span>'
    opening = f'<div class="abh-chapter">{emblem(number)}{words}</div>'
    return body.replace("<h1>", f"{opening}\n<h1>", 1)


def tags(pagename, title, static, address):
    """What stands in a page's head: icons for those who take no SVG; what a preview shows, if the book has an address.

    `static` is the folder ``_static`` as the page sees it.
    """
    found = [
        f'<link rel="icon" type="image/png" sizes="64x64" href="{static}/icon-64.png" />',
        f'<link rel="apple-touch-icon" href="{static}/icon-180.png" />',
        f'<meta property="og:title" content="{html.escape(title)}" />',
        '<meta property="og:type" content="article" />',
    ]
    if address:
        base, number = address.rstrip("/") + "/", number_of(pagename)
        picture = "cover.png" if number is None else f"preview-{number:02}.png"
        found += [
            f'<meta property="og:url" content="{base}{pagename}.html" />',
            f'<meta property="og:image" content="{base}_static/{picture}" />',
            '<meta name="twitter:card" content="summary_large_image" />',
        ]
    return "\n".join(found)


def open_page(app, pagename, templatename, context, doctree):
    number, front = number_of(pagename), pagename == app.config.root_doc
    context["mark"] = emblem(None)
    if context.get("title") == context.get("docstitle"):
        context["docstitle"] = ""  # the front page's name would be said twice

    def time(docname):
        return minutes.said(*minutes.of_page(app.env, docname))

    if doctree is not None and (body := context.get("body")):
        if front:
            context["body"] = with_place(with_cards(body, time))
        elif number is not None:
            chapters = {number_of(page): page for page in sorted(app.env.found_docs)}

            def address_of(target):
                if isinstance(target, int):
                    return context["pathto"](chapters[target])
                return f"{context['pathto']('chapters/notation')}#term-{target}"

            context["body"] = whereabouts.with_map(
                with_emblem(body, number, time(pagename)), number, address_of
            )
        if re.match(r"chapters/(further/|practice/)?\d\d_", pagename):
            app.add_js_file("place.js", loading_method="defer")
    title = app.config.html_title if front else re.sub(r"<[^>]*>", "", context.get("title") or "")
    static = context["pathto"]("_static", 1)
    found = tags(pagename, html.unescape(title), static, app.config.html_baseurl)
    context["metatags"] = context.get("metatags", "") + found


def setup(app):
    app.connect("html-page-context", open_page, priority=790)  # scripts are counted behind it
