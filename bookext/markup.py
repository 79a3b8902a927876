"""What extensions write that is no valid HTML, mended: tests/markup asks the W3C's checker about each page.

sphinx-exercise puts the text of each exercise and solution into a section of the same id, without a heading; here it
becomes a plain ``div``. myst-nb puts two paragraphs into the summary of a cell that is folded; here it is one word, and
the folded code stands below what it made: the picture is the idea, its code is not.

Code whose result says more than its lines, and the stub of an exercise, is folded on a phone alone: it stands in a
closed ``details``, which the style sheet shows as if it were open wherever there is room, and on paper.
"""

import re

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

CONTENTS = (["exercise-content"], ["solution-content"])
SUMMARY = re.compile(
    r'<summary\b[^>]*>\s*<p class="collapsed admonition-title">(.*?)</p>\s*'
    r'<p class="expanded admonition-title">.*?</p>\s*</summary>',
    re.DOTALL,
)


class Content(nodes.Element):
    """The text of an exercise or a solution."""


class PlainContents(SphinxPostTransform):
    """Sections that share an id become elements without one."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_):
        for section in list(self.document.findall(nodes.section)):
            if section["ids"] in CONTENTS:
                section.parent.replace(section, Content("", *section.children))  # replace_self keeps the id


class CodeBelow(SphinxPostTransform):
    """The folded code of a cell comes after its outputs, on the page as for a keyboard and a screen reader."""

    default_priority = 205  # when myst-nb has folded it, at 199
    formats = ("html",)

    def run(self, **_):
        for folded in list(self.document.findall(HideCodeCellNode)):
            cell = folded.parent
            if (
                cell and "above-input" in folded["classes"]
            ):  # a cell folded as a whole is put there without a parent
                cell.remove(folded)
                cell.append(folded)


class FoldedOnAPhone(nodes.Element):
    """The code of a cell, behind a word on a phone and in sight elsewhere."""


class CodeThatFolds(SphinxPostTransform):
    """The code of cells tagged ``fold-input``, and of stubs, which are tagged ``remove-output``."""

    default_priority = 206  # when all else that hides code has done so
    formats = ("html",)
    TAGS = frozenset({"tag_fold-input", "tag_remove-output"})

    def run(self, **_):
        for cell in list(self.document.findall(nodes.container)):
            if "cell" in cell["classes"] and self.TAGS & set(cell["classes"]):
                for code in list(cell.children):
                    if isinstance(code, nodes.container) and "cell_input" in code["classes"]:
                        cell.replace(code, FoldedOnAPhone("", code))


def with_plain_summaries(body):
    """The body of a page, with a word where something is folded, in place of paragraphs and a label of another name."""
    return SUMMARY.sub(r"<summary>\1</summary>", body)


def mend(app, pagename, templatename, context, doctree):
    if context.get("body"):
        context["body"] = with_plain_summaries(context["body"])


def setup(app):
    app.add_node(
        Content,
        html=(
            lambda self, node: self.body.append(self.starttag(node, "div")),
            lambda self, node: self.body.append("</div>\n"),
        ),
    )
    app.add_node(
        FoldedOnAPhone,
        html=(
            lambda self, node: self.body.append('<details class="abh-fold"><summary>code</summary>\n'),
            lambda self, node: self.body.append("</details>\n"),
        ),
    )
    app.add_post_transform(CodeThatFolds)
    app.add_post_transform(PlainContents)
    app.add_post_transform(CodeBelow)
    app.connect("html-page-context", mend, priority=910)
