"""The page *Practice*: ``{practice}`` lists the exercises of all figures by chapter; Anki gets the cards as a file.

A class of ``attn.explore`` with a class method ``exercises`` says which it holds. Where one stands is found on the
built pages: at the figure of its class whose state names it, or else at the first one of its chapter's page of
practice. An exercise that stands nowhere is a warning, so an error. The script
(``attn/explore/js/draw/practice.js``) says beside each what is done and due; without it the list is one of links.
"""

import html
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import attn.explore
import attn.practice.cards
from bookext.claims import in_the_books_order, page_title
from bookext.explorables import anchor_of, page_models, rich
from bookext.markup import raw
from bookext.run import code_exercises

ANKI = "attention-by-hand-cards.txt"
CHAPTER = re.compile(r"chapters/(?:further/|practice/)?(\d\d)_\w+")
#: What an exercise of each kind is called, here and in the ten minutes, in the order in which they stand.
KINDS = {
    "by hand": "by hand",
    "ladder": "ladder",
    "order": "code in order",
    "report": "bug report",
    "code": "in code",
    "card": "recall card",
}
logger = logging.getLogger(__name__)


def exercises():
    """All exercises of all classes: (class, its entry), in the order of the chapters and kinds."""
    found = [
        (kind, entry)
        for name in attn.explore.__all__
        if hasattr(kind := getattr(attn.explore, name), "exercises")
        for entry in kind.exercises()
    ]
    return sorted(found, key=lambda pair: (int(pair[1]["chapter"]), list(KINDS).index(pair[1]["kind"])))


def chapter_of(docname):
    """The digit of the chapter that a page belongs to, or None."""
    match = CHAPTER.fullmatch(docname)
    return str(int(match[1])) if match else None


def place_of(kind, entry, figures):
    """(page, anchor) of the figure at which an exercise stands; None if there is none.

    `figures` are (page, view, state, anchor), in the book's order.
    """
    name = json.dumps(entry["name"])
    for page, view, state, anchor in figures:
        if view == kind.view and chapter_of(page) == entry["chapter"] and name in json.dumps(state):
            return page, anchor
    return None


def figures_of(env):
    """All figures of the book that hold exercises: (page, view, state, anchor), in the book's order."""
    holding = {kind.view for kind, _ in exercises()}
    found = []
    for page in in_the_books_order():
        if page not in env.found_docs:
            continue
        views = []
        for model in page_models(env, page).values():
            views.append(model["view"])
            if model["view"] in holding:
                anchor = anchor_of(page, model["view"], views.count(model["view"]) - 1)
                found.append((page, model["view"], model["state"], anchor))
    return found


class practice_list(nodes.General, nodes.Element):
    """The exercises of a chapter; filled when all pages are read."""


class Practice(SphinxDirective):
    """For each chapter with exercises a heading, and its list; the text of the directive stands above all."""

    def run(self):
        titles = {chapter_of(page): page_title(page) for page in core_pages()}
        sections = []
        for chapter in sorted({entry["chapter"] for _, entry in exercises()}, key=int):
            title = titles[chapter]
            section = nodes.section(ids=[f"practice-{chapter}"], names=[f"practice {chapter}"])
            section += nodes.title(title, title)
            section += practice_list("", chapter=chapter, title=title)
            sections.append(section)
        return sections


class PracticeTools(SphinxDirective):
    """Where the script puts its buttons."""

    def run(self):
        said = "With JavaScript this place says what is done, and draws ten minutes for you."
        place = f'class="abh abh-tools" data-practice-tools data-version="{attn.__version__}"'
        return [raw(f"<div {place}><noscript><p>{said}</p></noscript></div>")]


def core_pages():
    return [page for page in in_the_books_order() if re.fullmatch(r"chapters/\d\d_\w+", page)]


def written(env, chapter):
    """The exercises in code of a chapter's pages, which a page with Python checks, as `items_of` gives them."""
    pages = [page for page in in_the_books_order() if chapter_of(page) == chapter]
    return [
        ("code", [name], title, page, label)
        for page in pages
        if env.app.abh_python and page in env.found_docs and env.doc2path(page).endswith(".ipynb")
        for name, title, label in code_exercises(env.doc2path(page))
    ]


def items_of(chapter, title, place):
    """The list of a chapter as (kind, names, title, page, anchor): an item an exercise, one for a figure's cards."""
    found, decks = [], {}
    for kind, entry in exercises():
        if entry["chapter"] != chapter or (at := place(kind, entry)) is None:
            continue
        if entry["kind"] != "card":
            found.append((entry["kind"], [entry["name"]], entry["title"], *at))
        elif at in decks:
            decks[at].append(entry["name"])
        else:
            decks[at] = [entry["name"]]
            found.append(("card", decks[at], "", *at))
    return [
        (kind, names, text or f"{len(names)} recall cards", page, anchor)
        for kind, names, text, page, anchor in found
    ]


def kind_html(kind):
    """What an exercise is called; a deck of cards and a ladder are named for it."""
    return "" if kind in ("card", "ladder") else f' <span class="abh-kind">{KINDS[kind]}</span>'


def list_html(items, chapter, title, address):
    """The list as HTML; `address` makes a link of a page."""
    lines, rungs = [], []
    for kind, names, text, page, anchor in items:
        rung = kind == "ladder"
        (rungs if rung else lines).append(
            f'<li data-practice="{html.escape(" ".join(names))}" data-kind="{kind}" data-called="{KINDS[kind]}"'
            f' data-chapter="{chapter}"'
            f' data-title="{html.escape(title)}">'
            f'<a class="reference internal" href="{html.escape(address(page))}'
            + (f"?puzzle={names[0]}" if rung else "")
            + f'#{anchor}"'
            + (f' title="{html.escape(text)}">puzzle {len(rungs) + 1}' if rung else f">{rich(text)}")
            + f"</a>{kind_html(kind)}</li>"
        )
    if rungs:  # their texts are long, and stand on their page
        lines.append(f'<li>A ladder<ol class="abh-rungs">{"".join(rungs)}</ol></li>')
    return f'<ul class="abh-practice">{"".join(lines)}</ul>'


def fill(app, doctree, docname):
    """Write the lists, when it is known where all exercises stand; say which stand nowhere."""
    lists = list(doctree.findall(practice_list))
    if not lists:
        return
    figures = figures_of(app.env)
    for kind, entry in exercises():
        if place_of(kind, entry, figures) is None:
            logger.warning(
                "the exercise %s of %s stands on no page of chapter %s: its figure goes onto that chapter's page of "
                "practice",
                entry["name"],
                kind.__name__,
                entry["chapter"],
                location=docname,
            )
    for node in lists:
        items = items_of(node["chapter"], node["title"], lambda kind, entry: place_of(kind, entry, figures))
        items[:0] = written(app.env, node["chapter"])
        text = list_html(
            items,
            node["chapter"],
            node["title"],
            lambda page: app.builder.get_relative_uri(docname, page),
        )
        node.replace_self(raw(text))


def write_anki(app, exception):
    if exception is None and app.builder.format == "html":
        (Path(app.outdir) / ANKI).write_text(attn.practice.cards.anki(), encoding="utf-8")


def link_anki(name, rawtext, text, lineno, inliner, options=None, content=None):
    """The role ``{anki}`text` ``: a link to the file of cards."""
    env = inliner.document.settings.env
    address = "../" * env.docname.count("/") + ANKI
    return [raw(f'<a href="{address}" download>{rich(text)}</a>')], []


def setup(app):
    app.add_directive("practice", Practice)
    app.add_directive("practice-tools", PracticeTools)
    app.add_role("anki", link_anki)
    app.connect("doctree-resolved", fill)
    app.connect("build-finished", write_anki)
