"""Search by section, in the reader's browser, from a file as well: the book's sections as one script, and a page.

MiniSearch ranks: it comes from npm, by hash, as it was published but for the line that names its source map, with its
license beside it. Where it can't be had, the book has no search. ``static/search/search.js`` says what is asked of it.
Sphinx's own index knows pages, not sections, and reads each page that it found for an excerpt, which browsers refuse to
a file.
"""

import contextlib
import json
import re
import unicodedata
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging
from sphinx_exercise.nodes import exercise_title, solution_title

from bookext import npm

logger = logging.getLogger(__name__)
RANKS = "minisearch@7.2.0"
SHA256 = "03c27931eb603af1d3358579e9885eafdb6a2f5fa9929557b3e77d7e99d06d03"  # of its dist/umd/index.js
INDEX = "search-sections.js"
#: How much a hit weighs: where a thing is taught comes before where it is listed, practiced or cited.
WEIGHTS = {
    "chapters/bibliography": 0.05,
    "chapters/errors": 0.6,
    "chapters/how_we_know": 0.15,
    "chapters/notation": 0.3,
    "chapters/practice": 0.3,
    "chapters/teaching": 0.2,
}
SIGNS = {
    "top": "ᵀ",
    "infty": "∞",
    "sqrt": "√",
    "cdot": "·",
    "times": "×",
    "le": "≤",
    "ge": "≥",
    "pm": "±",
    "sum": "∑",
}
#: What is no part of a section's own text: titles, what has a title or a term of its own, pictures, what cells print.
OTHER = (nodes.section, addnodes.glossary, nodes.title, exercise_title, solution_title)
SILENT = (nodes.raw, nodes.comment, nodes.image, nodes.target, nodes.math_block)
HIDDEN = {"cell_output", "toctree-wrapper", "tag_remove-cell", "tag_remove-input", "tag_hide-input"}


def sign(name):
    """What a command of TeX looks like, if it looks like one sign."""
    with contextlib.suppress(KeyError):
        return SIGNS.get(name[1]) or unicodedata.lookup(f"GREEK SMALL LETTER {name[1]}")
    return ""


def plain(tex):
    r"""A formula as a line of text: ``\sqrt{d_k}`` is √d_k."""
    return re.sub(r"\\.|[{}&$]", "", re.sub(r"\\([A-Za-z]+)", sign, tex)).replace("^ᵀ", "ᵀ").strip()


def cited(key):
    """A key of the bibliography as a name: vaswani2017attention is Vaswani 2017."""
    name, year = re.match(r"(.+?)(\d{4}|$)", key).groups()
    return f"{name.replace('_', ' ').title()} {year}".strip()


def own_text(node, code=False):
    """The prose of a node, or its code, without what is no part of it."""
    if isinstance(node, nodes.Text):
        return "" if code else node.astext()
    classes = node.get("classes", [])
    if isinstance(node, OTHER + SILENT) or HIDDEN & set(classes):
        return ""
    if isinstance(node, nodes.literal_block):
        return node.astext() if code else ""
    if isinstance(node, nodes.math):
        return "" if code else plain(node.astext())
    if node.get("refdomain") == "cite" and not code:
        return "; ".join(cited(key.strip()) for key in node.get("reftarget", "").split(","))
    between = "" if isinstance(node, (nodes.TextElement, nodes.Inline)) else " "
    return between.join(own_text(child, code) for child in node.children)


def sections(env):
    """Each section and each term of the glossary: address, title, its page's title, prose, code, weight."""
    found = []
    for page in sorted(env.found_docs):
        tree = env.get_doctree(page)
        weight = next((w for start, w in WEIGHTS.items() if page.startswith(start)), 1)
        parts = [
            (node["ids"][0], node.children[0], [node])
            for node in tree.findall(nodes.section)
            if node["ids"] and node.children and isinstance(node.children[0], nodes.title)
        ]
        parts += [
            (key, term, [*item.findall(nodes.definition)])
            for item in tree.findall(nodes.definition_list_item)
            for term in item.findall(nodes.term)
            for key in term["ids"]
        ]
        page_name = None
        for anchor, title, holders in parts:
            name = " ".join("".join(own_text(child) for child in title.children).split())
            page_name = page_name or name
            texts = [
                " ".join(
                    " ".join(own_text(child, code) for node in holders for child in node.children).split()
                )
                for code in (False, True)
            ]
            found.append([f"{page}.html#{anchor}", name, page_name, *texts, weight])
    return found


def get(app, config):
    """Get what ranks the sections; where it can't be had, leave out the page, and what would lead to it."""
    app.abh_ranks = {}
    try:
        folder = npm.install("minisearch", RANKS) / "minisearch"
        script = npm.checked(RANKS, (folder / "dist/umd/index.js").read_bytes(), SHA256)
        app.abh_ranks = {
            "minisearch.js": re.sub(rb"//# sourceMappingURL=.*\n", b"", script),
            "minisearch-LICENSE.txt": (folder / "LICENSE.txt").read_bytes(),
        }
        config.html_additional_pages["search"] = "search.html"
    except (npm.NotGot, npm.NotInstalled, OSError) as error:
        logger.info("Search: left out. %s", error)
        config.html_theme_options["disable_search"] = True
        config.html_sidebars = {"**": ["navbar-logo.html", "icon-links.html", "sbt-sidebar-nav.html"]}


def write(app, exception):
    if exception or app.builder.format != "html" or not app.abh_ranks:
        return
    text = json.dumps(sections(app.env), ensure_ascii=False, separators=(",", ":"))
    static = Path(app.outdir, "_static")
    (static / INDEX).write_text(f"globalThis.SECTIONS = {text};\n", encoding="utf-8")
    for name, data in app.abh_ranks.items():
        (static / "search" / name).write_bytes(data)


def without_index(app):
    """Sphinx makes no index of its own; the page of the search is ``templates/search.html``."""
    if app.builder.format == "html":
        app.builder.search = False


def setup(app):
    app.connect("config-inited", get)
    app.connect("builder-inited", without_index)
    app.connect("build-finished", write, priority=880)
