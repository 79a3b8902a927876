"""Links to terms of the notation page open what the term means, where it stands.

In a notebook the source is an ordinary link, ``[logits](notation.md#term-logit)``. On a page it becomes a button that
opens the term's explanation as a popover: HTML alone, for a finger, a mouse and a keyboard. On paper and in a browser
without popovers it is the word. A link to a term that the notation page lacks is a warning of the build.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

PAGE = "chapters/notation"


class explained_word(nodes.Inline, nodes.TextElement):
    """A word that opens its explanation."""


class whole_word(nodes.Inline, nodes.TextElement):
    """It with the brackets and stops that touch it: a line may break beside a button, even before a full stop."""


class explanation(nodes.Inline, nodes.TextElement):
    """The explanation: closed until somebody asks."""


def explanations(env):
    """The terms of the glossary and what they mean: id -> (name, inline nodes)."""
    found = {}
    for item in env.get_doctree(PAGE).findall(nodes.definition_list_item):
        (meaning,) = item.findall(nodes.definition)
        for name in item.findall(nodes.term):
            for key in name["ids"]:
                found[key] = (
                    name.next_node(nodes.Text).astext(),
                    meaning.next_node(nodes.paragraph).children,
                )
    return found


def whole(link, word):
    """A word with what touches it in the texts beside a link; these lose it."""
    parent, place = link.parent, link.parent.index(link)
    parts = {1: r"\S+", -1: r"\S+$"}
    found = {}
    for side, pattern in parts.items():
        beside = parent[place + side] if 0 <= place + side < len(parent) else None
        if isinstance(beside, nodes.Text) and (
            touches := (re.match if side == 1 else re.search)(pattern, beside)
        ):
            found[side] = touches[0]
            parent[place + side] = nodes.Text(beside[: touches.start()] + beside[touches.end() :])
    if not found:
        return word
    return whole_word("", found.get(-1, ""), word, *([nodes.Text(found[1])] if 1 in found else []))


def name_terms(app, env):
    """Let Markdown link a term; myst-parser asks here which targets a page has."""
    if PAGE in env.found_docs:
        slugs = env.metadata[PAGE].setdefault("myst_slugs", {})
        for key, (name, _) in explanations(env).items():
            slugs[key] = (0, key, name)


class Terms(SphinxPostTransform):
    """Links to terms become words that open."""

    default_priority = 200  # when links are resolved
    formats = ("html",)

    def run(self, **_):
        target = self.app.builder.get_relative_uri(self.env.docname, PAGE) + "#term-"
        if self.env.docname == PAGE:
            return
        known = None
        opened = set()
        for link in list(self.document.findall(nodes.reference)):
            if not link.get("refuri", "").startswith(target):
                continue
            known = known or explanations(self.env)
            key = link["refuri"].partition("#")[2]
            if key not in known:
                continue  # the build has warned
            name, meaning = known[key]
            word = explained_word("", "", *link.children, opens=f"what-{key}")
            put = [whole(link, word)]
            if key not in opened:
                opened.add(key)
                box = explanation("", "", ids=[], names=key)
                box["box"] = f"what-{key}"
                box += nodes.strong("", name)
                box += nodes.Text(": ")
                box += [child.deepcopy() for child in meaning]
                put.append(box)
            link.parent.replace(link, put)


def visit_word(self, node):
    self.body.append(f'<button type="button" class="abh-term" popovertarget="{node["opens"]}">')


def visit_explanation(self, node):
    self.body.append(f'<span popover class="abh-meaning" id="{node["box"]}">')


def visit_whole(self, node):
    self.body.append('<span class="abh-term-whole">')


def setup(app):
    app.add_node(whole_word, html=(visit_whole, lambda self, node: self.body.append("</span>")))
    app.add_node(explained_word, html=(visit_word, lambda self, node: self.body.append("</button>")))
    app.add_node(explanation, html=(visit_explanation, lambda self, node: self.body.append("</span>")))
    app.connect("env-updated", name_terms)
    app.add_post_transform(Terms)
