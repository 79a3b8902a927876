"""The way through the book: arrows at a page's foot lead from a chapter to its practice, and on to the next chapter.

Further pages stand beside that way: their chapter names them in its last lines, one leads to the next of them, and the
last one to the chapter's practice.
"""

import re

FURTHER = re.compile(r"chapters/further/\d\d_\w+")


def order_of(relations, first):
    """All pages in the order of the table of contents; `relations` says of each [parent, the one before, the next]."""
    order = []
    while first and first not in order:
        order.append(first)
        first = relations[first][2] if first in relations else None
    return order


def neighbors(page, order):
    """The pages before and after a page on its way; None where there is none.

    A further page's way is through all pages; every other page's goes past those that are further ones.
    """
    way = order if FURTHER.fullmatch(page) else [other for other in order if not FURTHER.fullmatch(other)]
    if page not in way:
        return None, None
    place = way.index(page)
    return (way[place - 1] if place else None), (way[place + 1] if place + 1 < len(way) else None)


def point(app, pagename, templatename, context, doctree):
    """Say to the template which pages the arrows lead to."""
    order = order_of(app.builder.relations, app.config.root_doc)
    if pagename not in order:
        return

    def link(page):
        title = app.builder.render_partial(app.env.titles[page])["title"]
        return {"link": app.builder.get_relative_uri(pagename, page), "title": title}

    before, after = neighbors(pagename, order)
    context["prev"], context["next"] = before and link(before), after and link(after)


def setup(app):
    app.connect("html-page-context", point, priority=400)  # before the theme reads it
