"""*Run* and *Edit* on each visible cell, *Check* on each exercise: Python in the page, if it could be had.

What runs is made by ``pyodide.py``; the scripts are in ``page_python``. Here each cell gets its buttons, and each page
a file with the code of all its cells, since those before a cell run first. A page itself loads nothing of this.
"""

import ast
import hashlib
import json
import re
import shutil
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

import attn.explore
from bookext import npm, pyodide
from bookext.explorables import all_views
from bookext.markup import raw

logger = logging.getLogger(__name__)
FOLDER = "_static/python"
ORDERS = "code_in_order"  # the figure that offers to run what was put in order
EXERCISE = re.compile(r"```\{exercise-start\} (.*)\n:label: (\S+)")
CHECKED = re.compile(r"^check\.(\w+)\(", re.MULTILINE)
PART = re.compile(r"^```\{(exercise|solution)-(start|end)\}", re.MULTILINE)


def is_lone_figure(code):
    """Whether a cell only shows a figure of the book's, made of plain values: no other cell can need it."""
    body = ast.parse(code).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        return False
    names = {node.id for node in ast.walk(body[0]) if isinstance(node, ast.Name)}
    return bool(names) and names <= set(attn.explore.__all__)


def cells_of(path):
    """The code of a notebook that its page can run: [{"index", "code", "kind"}].

    The kind is "exercise", "solution", "figure" (alone in its cell, so nothing needs it), or "".
    """
    found, part = [], ""
    for index, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "markdown":
            for what, end in PART.findall(cell.source):
                part = what if end == "start" else ""
        elif cell.cell_type == "code" and "says" not in cell.metadata.get("tags", []):
            kind = part or ("figure" if is_lone_figure(cell.source) else "")
            found.append({"index": index, "code": cell.source, "kind": kind})
    return found


def code_exercises(path):
    """The code exercises of a notebook: [(name of the checker, title, label)], in order."""
    found, title, label = [], "", ""
    for cell in nbformat.read(path, as_version=4).cells:
        if start := EXERCISE.search(cell.source) if cell.cell_type == "markdown" else None:
            title, label = start.groups()
        elif cell.cell_type == "code" and "remove-output" in cell.metadata.get("tags", []):
            found += [(name, title, label) for name in CHECKED.findall(cell.source)]
    return found


def bar(cell, checks):
    """The buttons of a cell."""
    word, more = ("Check", "Write") if checks else ("Run", "Edit")
    return raw(
        f'<div class="abh-run" data-cell="{cell}"><button type="button" data-python="run">{word}</button>'
        f'<button type="button" data-python="edit">{more}</button></div>'
    )


class Bars(SphinxPostTransform):
    """Buttons at the end of each cell's code."""

    default_priority = 2  # before anything moves or folds it
    formats = ("html",)

    def run(self, **_):
        path = Path(self.env.doc2path(self.env.docname))
        if not self.app.abh_python or path.suffix != ".ipynb":
            return
        kinds = {cell["index"]: cell for cell in cells_of(path)}
        for cell in list(self.document.findall(nodes.container)):
            known = kinds.get(cell.get("cell_index")) if cell.get("nb_element") == "cell_code" else None
            if known is None:
                continue
            cell["classes"].append(f"abh-cell-{known['index']}")
            for code in list(cell.children):
                if isinstance(code, nodes.container) and code.get("nb_element") == "cell_code_source":
                    checks = known["kind"] == "exercise" and "check." in known["code"]
                    # A stub is folded on a phone (``markup``): its buttons stand below it, to be seen.
                    (cell if checks else code).append(bar(known["index"], checks))


def digest(data):
    return hashlib.sha256(data).hexdigest()[:10]


def get(app):
    """What Python in the page is made of, or None where it can't be had: then there are no buttons."""
    app.abh_python = None
    if app.builder.format != "html":
        return
    try:
        pyodide.get(logger.info)
    except (npm.NotGot, npm.NotInstalled, OSError) as error:
        logger.info("Python in the page: left out. %s", error)
        return
    served = [path.read_bytes() for path in sorted(pyodide.SERVED.rglob("*")) if path.is_file()]
    app.abh_python = f"{FOLDER}/{digest(b''.join([all_views().encode(), *served]))}"


def offer(app, pagename, templatename, context, doctree):
    """Tell the page's template where the script is, and write the page's cells."""
    body = context.get("body", "")
    if not app.abh_python or not ('class="abh-run"' in body or f'data-view="{ORDERS}"' in body):
        return
    text = json.dumps(cells_of(app.env.doc2path(pagename)), ensure_ascii=False).encode()
    name = f"{pagename.replace('/', '-')}.{digest(text)}.json"
    place = Path(app.outdir) / FOLDER / "cells" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text)
    context["abh_python"] = {
        "script": f"{app.abh_python}/page.js",
        "page": {"name": pagename, "cells": name},
    }


def copy(app, exception):
    """Put what runs beside the pages, under a name that changes with it."""
    if not exception and getattr(app, "abh_python", None):
        place = Path(app.outdir) / app.abh_python
        shutil.copytree(pyodide.SERVED, place)
        (place / "views.js").write_text(all_views(), encoding="utf-8")


def setup(app):
    app.add_post_transform(Bars)
    app.connect("builder-inited", get)
    app.connect("html-page-context", offer, priority=700)
    app.connect("build-finished", copy, priority=940)
