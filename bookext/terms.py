"""Links to terms of the notation page open what the term means, where it stands.

In a notebook the source is an ordinary link, ``[logits](notation.md#term-logit)``. On a page it becomes a button that
opens the term's explanation as a popover: HTML alone, for a finger, a mouse and a keyboard. On paper and in a browser
without popovers it is the word. A link to a term that the notation page lacks is a warning of the build.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookext.markup import raw

PAGE = "chapters/notation"


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
    """A word, as nodes, with the brackets and stops that touch it in the texts beside a link; these lose them.

    A line may break beside a button, even before a full stop.
    """
    parent, place = link.parent, link.parent.index(link)
    parts = {1: r"\S+", -1: r"\S+$"}
    found = {}
    for side, pattern in parts.items():
        beside = parent[place + side] if 0 <= place + side < len(parent) else None
        if isinstance(beside, nodes.Text) and (
            touches := (re.match if side == 1 else re.search)(pattern, beside)
        ):
            found[side] = nodes.Text(touches[0])
            parent[place + side] = nodes.Text(beside[: touches.start()] + beside[touches.end() :])
    if not found:
        return word
    start, none = raw('<span class="abh-term-whole">'), nodes.Text("")
    return [start, found.get(-1, none), *word, found.get(1, none), raw("</span>")]


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
            start = raw(f'<button type="button" class="abh-term" popovertarget="what-{key}">')
            put = whole(link, [start, *link.children, raw("</button>")])
            if key not in opened:  # the explanation: closed until somebody asks
                opened.add(key)
                start = raw(f'<span popover class="abh-meaning" id="what-{key}">')
                said = [nodes.strong("", name), nodes.Text(": "), *(child.deepcopy() for child in meaning)]
                put += [start, *said, raw("</span>")]
            link.parent.replace(link, put)


def setup(app):
    app.connect("env-updated", name_terms)
    app.add_post_transform(Terms)
