"""Long lines of code and output, marked: on a phone they go on in the next line under a hanging indent.

Without it the rest of a wrapped line would begin at the left edge, where it looks like a line of its own. Only lines
that a phone can't show in one piece become an element; the style sheet makes it a block on narrow screens alone. The
second of two empty lines is an element, too, which a phone leaves out. A comment behind a long line is an element in
it: where it has no room beside its code it stands below it, in one piece.
"""

import html
import re

from bookext.markup import change_bodies

FITS = 30  # characters of a line in an exercise on a screen of 360 px
PRE = re.compile(r'(<div class="[^"]*\bhighlight\b[^"]*">\s*<pre[^>]*>)(.*?)(</pre>)', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
BESIDE = re.compile(r"(?<=\S)  # [^<\n]*")  # a comment behind code, where code has no elements


def with_marked_lines(body):
    """The body of a page, each long line of code in an element that knows how far the line is indented.

    A line's highlighting ends with the line, as Pygments writes it. The newline is part of the element: what is copied
    stays the same.
    """

    def marked(line):
        text = html.unescape(TAG.sub("", line)).rstrip("\n")
        if len(text) <= FITS or line.count("<span") != line.count("</span"):
            return line
        indent = len(text) - len(text.lstrip(" "))
        if "<" not in line:
            line = BESIDE.sub(lambda found: f'<span class="abh-aside">{found[0]}</span>', line, count=1)
        return f'<span class="abh-line" style="--abh-in:{min(indent, 12)}ch">{line}</span>'

    def block(match):
        lines = [marked(line) for line in match[2].splitlines(keepends=True)]
        for place in range(1, len(lines)):
            if lines[place - 1] == lines[place] == "\n":
                lines[place] = '<span class="abh-blank">\n</span>'
        return match[1] + "".join(lines) + match[3]

    return PRE.sub(block, body)


def setup(app):
    change_bodies(app, with_marked_lines, 930)  # when code has its colors
