"""How long a chapter takes, by one rule, as a range.

The lower number is for reading: 170 words a minute, a minute for each figure that is alive, half a minute for each
picture and each cell of code in sight. The higher number is for doing: 130 words a minute, two minutes for each live
figure, one for each picture and cell, four for each exercise. What opens (solutions, notes, hidden code) is not
counted. Both are rounded to five minutes, the lower one down and the higher one up.
"""

import re
from math import ceil

from docutils import nodes

from bookext.explorables import page_models

READING = {"words": 1 / 170, "live": 1.0, "pictures": 0.5, "cells": 0.5, "exercises": 0.0}
DOING = {"words": 1 / 130, "live": 2.0, "pictures": 1.0, "cells": 1.0, "exercises": 4.0}
CLOSED = {"dropdown", "toggle", "solution"}
HIDDEN = {"tag_remove-input", "tag_hide-input", "tag_remove-cell", "tag_hide-cell"}


def closed(node):
    """Whether a node opens only when it is asked to."""
    return bool(CLOSED & set(node.get("classes", []))) or type(node).__name__.startswith("solution")


def counts(doctree, live):
    """What a chapter has, of each kind that the rule counts; `live` figures are known from elsewhere."""
    found = dict.fromkeys(READING, 0)
    found["live"] = live

    def walk(node):
        if not isinstance(node, nodes.Element) or closed(node):
            return
        if type(node).__name__.startswith("exercise_"):
            found["exercises"] += 1
        if node.get("nb_element") == "cell_code":
            found["cells"] += not HIDDEN & set(node.get("classes", []))
            bundles = [
                part for part in node.findall(nodes.Element) if part.get("nb_element") == "mime_bundle"
            ]
            kinds = [{child.get("mime_type") for child in part.children} for part in bundles]
            found["pictures"] += sum(
                "image/svg+xml" in kind and not any("widget" in str(each) for each in kind) for kind in kinds
            )
            return  # code and what it prints are no prose
        if isinstance(node, nodes.paragraph | nodes.title | nodes.term | nodes.caption):
            found["words"] += len(re.findall(r"[^\W_]+", node.astext()))
            return
        for child in node.children:
            walk(child)

    walk(doctree)
    return found


def span(found):
    """(from, to) in minutes, of counts."""
    low, high = (sum(rule[kind] * found[kind] for kind in rule) for rule in (READING, DOING))
    return max(5, 5 * int(low / 5)), 5 * ceil(high / 5)


def of_page(env, docname):
    """The range of a page of the book."""
    return span(counts(env.get_doctree(docname), len(page_models(env, docname))))


def said(low, high):
    return f"{low}–{high} minutes"
