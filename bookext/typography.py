"""No line begins with a comma or a percent sign, no link with a space, no name and no pair (1, 0) is cut in two.

A browser may break a line after any formula, also before a comma; not even a word joiner prevents it, and to keep a
whole formula on one line would widen a phone's page. So a formula's last part stands on one line with the signs that
follow, and its first part with the bracket before it. Code may break anywhere, since long names would widen the page
too; short ones stay whole.
"""

import re

from bookext.formulas import GAP
from bookext.markup import change_bodies

BEFORE, AFTER = r"([(\[“‘]*)", r"([.,;:!?)\]’”]*)"
# A formula in several parts, and one of one part, with the bracket before it and the signs behind it.
PARTS = re.compile(BEFORE + r'(<span class="math"[^>]*>)(<math.*?</math>)</span>' + AFTER, re.DOTALL)
WHOLE = re.compile(BEFORE + r'(<math class="math".*?</math>)' + AFTER, re.DOTALL)
LINK = re.compile(r"(<a [^>]*>) +")
CODE = re.compile(r'(<code\b[^>]*?class="[^"]*)("[^>]*>)<span class="pre">([^<]*)</span></code>')
# Before a percent sign, and in a pair such as (1, 0); code stays as it is, that of a figure too, and so do attributes.
TIED = re.compile(r"<(pre|code|script)\b.*?</\1>|<[^>]*>|(?<=\d) (?=%)|(?<=\(\d,) (?=\d\))", re.DOTALL)
NAME = re.compile(r'<span class="pre">([^<]{1,12})</span>')


def with_whole_ends(body):
    """Keep the bracket before a formula on the line of its first part, and the signs behind it on that of its last."""

    def kept(before, part, after):
        return f'<span class="abh-short">{before}{part}{after}</span>' if before or after else part

    def ends(match):
        before, start, inner, after = match.groups()
        first, *between, last = inner.split(GAP)
        return f"{start}{GAP.join([kept(before, first, ''), *between, kept('', last, after)])}</span>"

    return WHOLE.sub(lambda match: kept(*match.groups()), PARTS.sub(ends, body))


def with_tight_links(body):
    """Put the space with which a link begins before the link."""
    return LINK.sub(r" \1", body)


def with_whole_names(body):
    """Mark short words of code, which stay on one line. Code of one word needs no second element."""

    def one(match):
        start, rest, text = match.groups()
        return f"{start}{' abh-short' if len(text) <= 12 else ''}{rest}{text}</code>"

    return NAME.sub(r'<span class="pre abh-short">\1</span>', CODE.sub(one, body))


def with_whole_numbers(body):
    """Keep a percent sign on the line of its number, and a pair of digits on one line."""
    return TIED.sub(lambda match: "\N{NO-BREAK SPACE}" if match[0] == " " else match[0], body)


def mended(body):
    body = with_whole_names(with_tight_links(with_whole_ends(body)))
    return with_whole_numbers(body.replace(" ∎", "\N{NO-BREAK SPACE}∎"))


def setup(app):
    change_bodies(app, mended, 920)
