"""Explorables on a static page: no kernel, no server, no library but ``loader.js``.

At build time myst-nb gives each page the state of its widgets. This module

* writes one classic script with ``core.js``, ``draw.js``, every view and the loader (classic, since ``file://``
  refuses modules),
* leaves the modules' text out of the page's widget state and names the view instead,
* puts a *slot* where the widget goes: it keeps the figure's height free and shows its still picture until the figure
  is alive.
"""

import hashlib
import html
import json
import re
from pathlib import Path

from docutils import nodes
from myst_nb.core.render import WIDGET_VIEW_MIMETYPE
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.transforms.post_transforms import SphinxPostTransform

from attn.explore._base import JS, SHARED, joined_module, module_source, stylesheet, view_scope

LOADER = Path(__file__).parent / "loader.js"


def views():
    """Names of all views: every module in ``attn/explore/js`` that is not a shared part."""
    return sorted(path.stem for path in JS.glob("*.js") if path.stem not in SHARED)


def bundle():
    """The classic script: shared parts once, each view in a scope of its own, then the loader."""
    shared = "\n".join(module_source(name) for name in SHARED)
    each = ",\n".join(f"{name}: {view_scope(name)}" for name in views())
    loader = LOADER.read_text(encoding="utf-8")
    return f'(() => {{\n"use strict";\n{shared}\nconst views = {{\n{each}\n}};\n{loader}\n}})();\n'


def named(stem, text, suffix):
    """File name that changes with its content, so that a browser may keep it forever."""
    return f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:10]}{suffix}"


def model_of(state):
    """The traits that a view needs, from a widget's state: not the modules' text, not ipywidgets' own traits."""
    return {
        name: value
        for name, value in state.items()
        if not name.startswith(("_", "layout", "tabbable", "tooltip"))
    }


def hold_style(heights):
    """The custom properties that keep a figure's height free, from its ``reserve`` trait."""
    return "".join(f"--abh-h{least}:{height}px;" for least, height in heights)


def page_state(env, docname):
    """The models of a page, by id, with the name of their view in place of the modules' text."""
    _, options = NbMetadataCollector.get_js_files(env, docname).get("ipywidgets_state", (None, None))
    if options is None:
        return {}
    by_text = {joined_module(name): name for name in views()}
    models = {}
    for key, model in json.loads(options["body"])["state"].items():
        view = by_text.get(model["state"].get("_esm"))
        if view:
            models[key] = {"view": view, "state": model_of(model["state"])}
    return models


def rich(text):
    """The twin of ``rich`` in draw.js: `code` and *emphasis* become elements, all else stays text."""
    return re.sub(
        r"`([^`]+)`|\*([^*]+)\*",
        lambda match: f"<code>{match[1]}</code>" if match[1] else f"<em>{match[2]}</em>",
        html.escape(text),
    )


class slot(nodes.General, nodes.Element):
    """Where a live figure goes; its child is the still picture."""


def visit_slot(self, node):
    style = hold_style(node["heights"])
    self.body.append(
        f'<div class="abh-slot" data-model="{node["model"]}"><div class="abh-hold" style="{style}">'
    )


def depart_slot(self, node):
    if node["solution"]:
        text = "".join(f"<p>{rich(part)}</p>" for part in node["solution"].split("\n\n"))
        self.body.append(f"<noscript><details><summary>Answer</summary>{text}</details></noscript>")
    self.body.append("</div></div>")


class Slots(SphinxPostTransform):
    """Keep the picture of a widget's outputs beside the widget; myst-nb would keep the widget alone."""

    default_priority = 3  # before myst-nb chooses one output of each bundle

    def run(self, **kwargs):
        state = page_state(self.env, self.env.docname)
        for bundle_node in list(
            self.document.findall(
                lambda node: isinstance(node, nodes.Element) and node.get("nb_element") == "mime_bundle"
            )
        ):
            outputs = {child["mime_type"]: child for child in bundle_node.children}
            if WIDGET_VIEW_MIMETYPE not in outputs or "image/png" not in outputs:
                continue
            view = json.loads(outputs[WIDGET_VIEW_MIMETYPE].astext().split(">", 1)[1].rsplit("<", 1)[0])
            model = state.get(view["model_id"])
            if model is None:
                continue
            picture = outputs["image/png"].next_node(nodes.image)
            picture["alt"] = model["state"]["alt"]
            place = slot(
                "",
                picture.deepcopy(),
                model=view["model_id"],
                heights=model["state"]["reserve"],
                solution=model["state"].get("explanation", ""),
            )
            bundle_node.replace_self(place)


def add_page(app, pagename, templatename, context, doctree):
    """Give a page with explorables the script, the stylesheet, and the state at its end."""
    state = page_state(app.env, pagename) if pagename in app.env.all_docs else {}
    if state:
        app.add_css_file(app.abh_css)
        app.add_js_file(app.abh_js, loading_method="async", priority=100, fetchpriority="high")
        text = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        context["body"] += (
            f'<script type="application/vnd.jupyter.widget-state+json" data-abh>{text}</script>'
        )
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "widget-state" not in str(getattr(script, "attributes", {}).get("type", ""))
    ]


def write_files(app):
    """Write script and stylesheet into a folder that Sphinx copies to ``_static``."""
    if app.builder.format != "html":
        return
    script, sheet = bundle(), stylesheet()
    app.abh_js, app.abh_css = named("explorables", script, ".js"), named("explorables", sheet, ".css")
    folder = Path(app.doctreedir).parent / "explorables_static"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / app.abh_js).write_text(script, encoding="utf-8")
    (folder / app.abh_css).write_text(sheet, encoding="utf-8")
    app.config.html_static_path.append(str(folder))


def setup(app):
    passed = (lambda self, node: None, lambda self, node: None)
    app.add_node(slot, html=(visit_slot, depart_slot), latex=passed, text=passed)
    app.add_post_transform(Slots)
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", add_page, priority=800)
