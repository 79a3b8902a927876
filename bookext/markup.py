"""What extensions write that is no valid HTML, mended: tests/markup asks the W3C's checker about each page.

sphinx-exercise puts the text of each exercise and solution into a section of the same id, without a heading; here it
becomes a plain ``div``. myst-nb puts two paragraphs into the summary of a cell that is folded; here it is one word, and
the folded code stands below what it made: the picture is the idea, its code is not.

Code whose result says more than its lines, and the stub of an exercise, is folded on a phone alone: it stands in a
closed ``details``, which the style sheet shows as if it were open wherever there is room, and on paper.

The theme and docutils give citations a role that ARIA has dropped, in a list that then has no list items.
"""

import re

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

CONTENTS = (["exercise-content"], ["solution-content"])
#: Cells whose code folds on a phone: those that say so, and stubs, which are tagged ``remove-output``.
FOLDS = {"tag_fold-input", "tag_remove-output"}
SUMMARY = re.compile(
    r'<summary\b[^>]*>\s*<p class="collapsed admonition-title">(.*?)</p>\s*'
    r'<p class="expanded admonition-title">.*?</p>\s*</summary>',
    re.DOTALL,
)


ROLES = [' role="doc-biblioentry"', ' role="list"']
FOLD = '<details class="abh-fold"><summary>code</summary>\n'


def raw(text):
    """Markup in a page as it stands."""
    return nodes.raw("", text, format="html")


def change_bodies(app, change, priority):
    """Let `change` make the body of each page anew; a higher priority comes later."""

    def changed(app, pagename, templatename, context, doctree):
        if context.get("body"):
            context["body"] = change(context["body"])

    app.connect("html-page-context", changed, priority=priority)


class Mended(SphinxPostTransform):
    """What is moved or wrapped when myst-nb and sphinx-exercise have done all that they do."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_):
        for section in list(self.document.findall(nodes.section)):
            if section["ids"] in CONTENTS:  # sections that share an id
                section.parent.replace(section, [raw("<div>\n"), *section.children, raw("</div>\n")])
        for folded in list(self.document.findall(HideCodeCellNode)):
            cell = folded.parent
            # Where a cell is folded as a whole, myst-nb gives what it folds no parent, and there is nothing to move.
            if cell and "above-input" in folded["classes"]:
                cell.remove(folded)
                cell.append(folded)
        for cell in list(self.document.findall(nodes.container)):
            if "cell" in cell["classes"] and FOLDS & set(cell["classes"]):
                for code in list(cell.children):
                    if isinstance(code, nodes.container) and "cell_input" in code["classes"]:
                        cell.replace(code, [raw(FOLD), code, raw("</details>\n")])


def with_plain_summaries(body):
    """The body of a page, with a word where something is folded, in place of paragraphs and a label of another name."""
    return SUMMARY.sub(r"<summary>\1</summary>", body)


def without_old_roles(body):
    """The page's body without roles that browsers do not know for these elements."""
    if "citation-list" in body:
        for role in ROLES:
            body = body.replace(role, "")
    return body


def setup(app):
    app.add_post_transform(Mended)
    change_bodies(app, with_plain_summaries, 910)
    change_bodies(app, without_old_roles, 910)
