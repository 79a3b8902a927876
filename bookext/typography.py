"""What a careful printer would do to a page: no line begins with a comma, no link with a space, no name is cut in two.

A browser may break a line after any formula, also before a comma; not even a word joiner prevents it, and to keep a
whole formula on one line would widen a phone's page. So the comma goes into the last part of the formula. Formulas
may break at a relation and code anywhere, since long ones would widen the page too; short ones stay whole, and by
the bracket before them.
"""

import html
import re

# The ends of the formula's last part, of its parts, of the formula, and of what Sphinx puts around it; then signs.
TAIL = re.compile(r"(</span></span></span></span>)([.,;:!?)’”]+)")
LINK = re.compile(r"(<a [^>]*>) +")
CODE = re.compile(r'<span class="pre">([^<]{1,12})</span>')
FORMULA = re.compile(
    r'([(\[“‘]?)<span class="(math[^"]*)">(<span class="katex">.*?<annotation [^>]*>([^<]*)</annotation>)',
    re.DOTALL,
)
SHORT = 20  # characters of TeX


def with_tails(body):
    """Put the signs that follow a formula into its last part, in the letters of the text."""
    return TAIL.sub(r'<span class="abh-tail">\2</span>\1', body)


def with_tight_links(body):
    """Put the space with which a link begins before the link."""
    return LINK.sub(r" \1", body)


def with_whole_names(body):
    """Mark short words of code, which stay on one line."""
    return CODE.sub(r'<span class="pre abh-short">\1</span>', body)


def with_whole_formulas(body):
    """Mark short formulas, which stay on one line, with the bracket that stands before them."""

    def marked(match):
        before, names, rest, tex = match.groups()
        if len(html.unescape(tex).strip()) > SHORT:
            return match[0]
        return f'<span class="{names} abh-short">{before}{rest}'

    return FORMULA.sub(marked, body)


def mend(app, pagename, templatename, context, doctree):
    if context.get("body"):
        body = with_whole_formulas(with_tails(context["body"]))
        body = with_whole_names(with_tight_links(body))
        context["body"] = body.replace(" ∎", "\N{NO-BREAK SPACE}∎")


def setup(app):
    app.connect("html-page-context", mend, priority=920)
