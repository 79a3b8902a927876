"""What extensions write that is no valid HTML, mended: tests/markup asks the W3C's checker about each page.

sphinx-exercise puts the text of each exercise and solution into a section of the same id, without a heading; here it
becomes a plain ``div``. myst-nb puts paragraphs into the summary of a cell that is folded; here they are spans.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

CONTENTS = (["exercise-content"], ["solution-content"])
SUMMARY = re.compile(r"<summary\b[^>]*>.*?</summary>", re.DOTALL)
TITLE = re.compile(r'<p (class="(?:collapsed|expanded) admonition-title")>(.*?)</p>', re.DOTALL)


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


def with_plain_summaries(body):
    """The body of a page, with spans in place of paragraphs where a line says what is folded below it."""
    return SUMMARY.sub(lambda match: TITLE.sub(r"<span \1>\2</span>", match[0]), body)


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
    app.add_post_transform(PlainContents)
    app.connect("html-page-context", mend, priority=910)
