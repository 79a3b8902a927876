"""Explorables on a static page: no kernel, no server, no library but ``loader.js``.

At build time myst-nb gives each page the state of its widgets. This module

* writes for each page a classic script with the page's views, the shared modules that they need and the loader
  (classic, since ``file://`` refuses modules),
* puts a *slot* where the widget goes: it names the view, holds the widget's traits (the modules' text left out), keeps
  the figure's height free and shows its still picture until the figure is alive.
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
from sphinx.util import logging

import attn.explore
from attn.explore._base import bare, module_source, parts, stylesheet, view_names, view_scope
from bookext import heights
from bookext.markup import raw

LOADER = Path(__file__).parent / "loader.js"
SENTENCES = "draw/sentences"  # ties sentences of the page to its figures
PRACTICE = "draw/practice"  # the page on which all exercises are listed
KINDS = [getattr(attn.explore, name) for name in attn.explore.__all__]
logger = logging.getLogger(__name__)


def bundle(names, practice=False, call=""):
    """The classic script for some views: shared parts once, each view in a scope of its own, then the loader.

    With `practice` the buttons of the page *Practice* come with it. `call` stands for the call that mounts a page.
    """
    more = [SENTENCES, *([PRACTICE] if practice else [])]
    order = [*parts(*sorted(names), *more), *more]
    shared = "\n".join(map(module_source, dict.fromkeys(order)))
    each = ",\n".join(f"{name}: {view_scope(name)}" for name in sorted(names))
    loader = bare(LOADER.read_text(encoding="utf-8"))
    own = ", practicePage" if practice else ""
    call = call or f"mountPage({{ views, tieSentences, noteOpened{own} }});"
    return f'(() => {{\n"use strict";\n{shared}\n{loader}\nconst views = {{\n{each}\n}};\n{call}\n}})();\n'


def all_views():
    """A script with every view, for a figure that a reader's own cell makes on a page that has no such figure."""
    return bundle(view_names(), call="page.abhMount = { ...page.abhMount, mountFigure, views };")


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


def open_slot(view, room="", explore="", anchor=""):
    """The start of a slot; a still picture and ``close_slot`` follow.

    `room` is the style that keeps the figure's height free, `explore` the address of its own page, `anchor` what links
    call it on its page.
    """
    own = f' data-explore="{explore}"' if explore else ""
    own += f' id="{anchor}"' if anchor else ""
    style = f' style="{room}"' if room else ""
    return f'<div class="abh-slot" data-view="{view}"{own}><div class="abh-placeholder"{style}>'


def figure_name(docname, view, place):
    """What a figure is called among all of the book; `place` counts the figures of its view on its page.

    It tells the page: chapters/03_masking is 03_masking, chapters/teaching/03_masking is teaching-03_masking.
    """
    return f"{docname.removeprefix('chapters/').replace('/', '-')}-{view}{f'-{place + 1}' if place else ''}"


def anchor_of(docname, view, place):
    """What links call a figure that holds exercises, on its page; "" for any other figure."""
    holds = any(hasattr(kind, "exercises") for kind in KINDS if kind.view == view)
    return f"figure-{figure_name(docname, view, place)}" if holds else ""


def own_page(docname, name):
    """The address of a figure's own page, seen from the page that it stands on."""
    return f"{'../' * docname.count('/')}explore/{name}.html"


def close_slot(state):
    """The end of a slot, with the traits. The line's end after them tells the loader that they are all there."""
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'</div><script type="application/json" data-abh>{text}</script>\n</div>'


def displayed(env, docname):
    """The ids of the models that a page displays, in its order; its notebook may make others, for their numbers."""
    bundles = env.get_doctree(docname).findall(
        lambda node: isinstance(node, nodes.Element) and node.get("mime_type") == WIDGET_VIEW_MIMETYPE
    )
    return list(dict.fromkeys(map(model_id, bundles)))


def model_id(node):
    """The id of the model that an output displays."""
    return json.loads(node.astext().split(">", 1)[1].rsplit("<", 1)[0])["model_id"]


def page_models(env, docname):
    """The models of a page, by id, in its order: their view, and their traits without the modules' text."""
    _, options = NbMetadataCollector.get_js_files(env, docname).get("ipywidgets_state", (None, None))
    if options is None:
        return {}
    views = {kind.__name__: kind.view for kind in KINDS}
    models, known = {}, json.loads(options["body"])["state"]
    for key in displayed(env, docname):
        state = known[key]["state"] if key in known else {}
        if view := views.get(state.get("called")):
            models[key] = {"view": view, "state": model_of(state)}
    return models


def states_of(models):
    """What an address of a page can name, from its models: each figure, and each step of its lecture, with a text."""
    classes = {getattr(attn.explore, name).view: name for name in attn.explore.__all__}
    found = {}
    for model in models.values():
        if model["state"].get("rules"):
            found[classes[model["view"]]] = classes[model["view"]]
            found.update((step["name"], step["says"]) for step in model["state"]["lecture"])
    return found


def name_states(app, env):
    """Let Markdown link a state, ``[a leak](03_masking.ipynb#state=leak)``; the build warns where there is none."""
    for docname in env.found_docs:
        for name, text in states_of(page_models(env, docname)).items():
            target = f"state={name}"
            env.metadata[docname].setdefault("myst_slugs", {})[target] = (0, target, text)


def rich(text):
    """The twin of ``rich`` in draw/elements.js: `code` and *emphasis* become elements, all else stays text."""
    return re.sub(
        r"`([^`]+)`|\*([^*]+)\*",
        lambda match: f"<code>{match[1]}</code>" if match[1] else f"<em>{match[2]}</em>",
        html.escape(text),
    )


def asked(asks):
    """The question of a figure and its answers as HTML, for who sees its still picture; "" where there is none."""
    if not asks:
        return ""
    answers = "".join(f"<li>{rich(text)}</li>" for text in asks["options"])
    own = ' class="abh-boxes"' if asks.get("exercise") else ""
    return f"<p>{rich(asks['question'])}</p>" + (f"<ul{own}>{answers}</ul>" if answers else "")


def worksheet(task):
    """Lines to be put in order as HTML: each with a place for its number; "" where there are none."""
    if not task:
        return ""
    lines = "".join(
        f"<li>____ <code>{html.escape(task['lines'][line])}</code></li>" for line in task["given"]
    )
    return (
        f"<p>{rich(task['title'])}. {rich(task['asks'])} {task['paper']}</p>"
        f'<ul class="abh-lines"><li><code>{html.escape(task["head"])}</code></li>{lines}'
        f"<li><code>{html.escape(task['foot'])}</code></li></ul>"
    )


def listed(state):
    """The questions of a figure's cards as HTML; "" where there are none, or they change from day to day."""
    cards = state.get("cards") if state.get("chapter") else None
    return "<ol>" + "".join(f"<li>{rich(card['asks'])}</li>" for card in cards) + "</ol>" if cards else ""


def puzzles(rungs):
    """The puzzles of a ladder as HTML; "" where there are none."""
    items = "".join(
        f'<li data-exercise="{rung["name"]}" data-state="open">{rich(rung["asks"])}</li>' for rung in rungs
    )
    return f'<ol class="abh-puzzles">{items}</ol>' if items else ""


def by_hand(exercise):
    """An exercise by hand as a worksheet in HTML: what is given, and the steps; "" where there is none."""
    lines = exercise.get("sheet", []) if isinstance(exercise, dict) else []
    return "".join(f"<p>{rich(line)}</p>" for line in lines if line)


def spoken(state):
    """What a figure asks in words as HTML: its question, or its puzzles, lines, steps or cards."""
    words = asked(state.get("predict", {})), puzzles(state.get("rungs", [])), worksheet(state.get("task"))
    return "".join(words) + by_hand(state.get("exercise")) + listed(state)


def answers(state):
    """What opens for who has no JavaScript: an answer, lines in order, the answers of cards; "" for none."""
    if solution := state.get("predict", {}).get("explanation", ""):
        text = "".join(f"<p>{rich(part)}</p>" for part in solution.split("\n\n"))
        return f"<details><summary>Answer</summary>{text}</details>"
    if task := state.get("task"):
        own = [line for place, line in enumerate(task["lines"]) if place not in task["wrong"]]
        text = "".join(f"<li><code>{html.escape(line)}</code></li>" for line in own)
        return f"<details><summary>An order that is right</summary><ol>{text}</ol></details>"
    if state.get("chapter") and (cards := state.get("cards")):
        text = "".join(f"<li><p>{rich(card['answer'])}</p></li>" for card in cards)
        return f"<details><summary>Answers</summary><ol>{text}</ol></details>"
    return ""


class Slots(SphinxPostTransform):
    """Keep the picture of a widget's outputs beside the widget; myst-nb would keep the widget alone."""

    default_priority = 3  # before myst-nb chooses one output of each bundle

    def run(self, **kwargs):
        models = page_models(self.env, self.env.docname)
        views_here = []
        for bundle_node in list(
            self.document.findall(
                lambda node: isinstance(node, nodes.Element) and node.get("nb_element") == "mime_bundle"
            )
        ):
            outputs = {child["mime_type"]: child for child in bundle_node.children}
            picture = outputs.get("image/svg+xml")
            if WIDGET_VIEW_MIMETYPE not in outputs or picture is None:
                continue
            model = models.get(model_id(outputs[WIDGET_VIEW_MIMETYPE]))
            if model is None:
                continue
            picture = picture.next_node(nodes.image)
            picture["alt"] = model["state"]["alt"]
            picture["above"] = spoken(model["state"])
            place = views_here.count(model["view"])
            name = figure_name(self.env.docname, model["view"], place)
            anchor = anchor_of(self.env.docname, model["view"], place)
            views_here.append(model["view"])
            room = heights.room(name)
            if room is None:
                logger.warning(
                    "the height of the figure %s was not measured yet, so its page would jump: "
                    "`python -m tools.heights` measures it on the built page, then build again",
                    name,
                    location=self.env.docname,
                )
            explore = own_page(self.env.docname, name) if model["state"].get("rules") else ""
            start = raw(open_slot(model["view"], room, explore, anchor))
            solution = answers(model["state"])
            end = raw((f"<noscript>{solution}</noscript>" if solution else "") + close_slot(model["state"]))
            bundle_node.parent.replace(bundle_node, [start, picture.deepcopy(), end])


def add_page(app, pagename, templatename, context, doctree):
    """Give a page with explorables or stills the style sheet, and a script with the views that it has."""
    body = context.get("body", "")
    names = set(re.findall(r'<div class="abh-slot" data-view="(\w+)"', body))
    if names or '<div class="abh-still"' in body:
        app.add_css_file(app.abh_css)
    if names:
        text = bundle(names, practice="data-practice-tools" in body)
        script = named("explorables", text, ".js")
        Path(app.outdir, "_static", script).write_text(text, encoding="utf-8")
        # The first paint waits for it: to lay a long page out takes longer than to bring its figures to life.
        app.add_js_file(script, loading_method="async", priority=100, fetchpriority="high", blocking="render")
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "widget-state" not in str(getattr(script, "attributes", {}).get("type", ""))
    ]


def write_files(app):
    """Write the style sheet beside what Sphinx copies to ``_static``."""
    if app.builder.format != "html":
        return
    sheet = stylesheet()
    app.abh_css = named("explorables", sheet, ".css")
    static = Path(app.outdir, "_static")
    static.mkdir(exist_ok=True)
    (static / app.abh_css).write_text(sheet, encoding="utf-8")


def setup(app):
    app.add_post_transform(Slots)
    app.connect("builder-inited", write_files)
    app.connect("env-check-consistency", name_states)
    app.connect("html-page-context", add_page, priority=800)
