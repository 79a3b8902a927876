"""One style sheet, without the rules that no page needs, in place of the theme's and the extensions' dozen.

They have half a megabyte. When the pages are written, this module joins them, in their order, into ``site.HASH.css``,
and leaves out rules of foreign sheets whose selector needs a class or an id that no page and no script of the book has.
The book's type stands beside it, and on pages with formulas their font (``font``).
"""

import hashlib
import html
import posixpath
import re
from functools import cache
from pathlib import Path

import tinycss2

from bookext import fonts, formulas
from bookext.lighter.font import font_files, type_files

LINK = re.compile(r'\s*<link\b[^>]*?href="([^"]*?)_static/([^"?]+\.css)[^"]*"[^>]*>')
WHOLE = re.compile(r'\s*<script\b[^>]*?src="[^"]*?_static/formulas\.js[^>]*></script>')  # `font` has it too
SCRIPT = re.compile(r'<script\b[^>]*?src="[^"]*?_static/([^"?]+\.js)')
WORD = re.compile(r"[\w-]+")
MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)  # in a font of its own
URL = re.compile(r"""url\(\s*["']?(?!data:|#|https?:|//)([^"')]+?)["']?\s*\)""")
OURS = (
    "book.",
    "explorables.",
)  # sheets that hold little more than is used, and whose classes scripts put together


# ---------------------------------------------------------------- rules


def needs(selector):
    """Classes and ids without which a selector (a list of tokens) matches nothing. What stands in :not() may lack."""
    found, dot = set(), False
    for token in selector:
        if token.type == "ident" and dot or token.type == "hash":
            found.add(token.value)
        dot = token.type == "literal" and token.value == "."
    return found


def split_at_commas(tokens):
    parts = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def text_of(tokens):
    """CSS text without comments (but for licenses, which start with "!") and with single spaces."""
    kept = [token for token in tokens if token.type != "comment" or token.value.startswith("!")]
    return re.sub(r"\s+", " ", tinycss2.serialize(kept)).strip()


def used_rules(rules, words):
    """The text of the rules that can match where only `words` occur as classes and ids (None: of all rules)."""
    written = []
    for rule in rules:
        if rule.type == "qualified-rule":
            kept = [part for part in split_at_commas(rule.prelude) if words is None or needs(part) <= words]
            if kept:
                written.append(f"{','.join(map(text_of, kept))}{{{text_of(rule.content)}}}")
        elif rule.type == "comment":
            if rule.value.startswith("!"):
                written.append(f"/*{rule.value}*/")
        elif rule.type == "at-rule":
            name, prelude = rule.lower_at_keyword, text_of(rule.prelude)
            if name in ("media", "supports", "layer", "container") and rule.content is not None:
                inner = used_rules(tinycss2.parse_rule_list(rule.content), words)
                if inner:
                    written.append(f"@{name} {prelude}{{{inner}}}")
            elif name != "charset":
                end = ";" if rule.content is None else f"{{{text_of(rule.content)}}}"
                written.append(f"@{name} {prelude}".rstrip() + end)
        elif rule.type == "error":
            raise ValueError(f"a style sheet has an error: {rule.message}")
    return "\n".join(written)


# ---------------------------------------------------------------- sheets


@cache
def rules_of(path, static):
    """The rules of a sheet, what it imports included; addresses of pictures and fonts seen from `static`."""
    folder = posixpath.dirname(path)
    text = URL.sub(
        lambda match: f'url("{posixpath.normpath(posixpath.join(folder, match[1]))}")',
        (static / path).read_text(encoding="utf-8"),
    )
    rules = []
    for rule in tinycss2.parse_stylesheet(text, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword == "import":
            target = next(token for token in rule.prelude if token.type in ("url", "string"))
            inside = posixpath.join(folder, target.value) if target.type == "string" else target.value
            rules += rules_of(posixpath.normpath(inside), static)
        else:
            rules.append(rule)
    return rules


# ---------------------------------------------------------------- pages


def deferred(page):
    """The page, its script files waiting until it stands, in their order; none is asked for early."""
    page = re.sub(r'<link rel="preload" as="script"[^>]*>\s*', "", page)
    return re.sub(r"<script(?![^>]*\b(?:async|defer)\b)([^>]*\bsrc=)", r"<script defer\1", page)


def sheets_of(page):
    """The style sheets that a page links, in order, as paths below ``_static``."""
    return [match[2] for match in LINK.finditer(page) if 'rel="stylesheet"' in match[0]]


def merged(orders):
    """One order that agrees with each of several: pages link the same sheets, some of them fewer."""
    whole = []
    for order in sorted(orders, key=len, reverse=True):
        place = 0
        for name in order:
            if name in whole:
                place = whole.index(name) + 1
            else:
                whole.insert(place, name)
                place += 1
    return whole


def linked(page, names):
    """A page that links the joined sheet in place of its own; `names` maps "site.css" and so on to their files."""
    page = WHOLE.sub("", page)
    first = LINK.search(page)
    if not first:
        return page
    folder = f"{first[1]}_static"
    links = f'<link rel="stylesheet" href="{folder}/{names["site.css"]}" />\n'
    for stem in ("type", *(["math"] if "<math" in page else [])):
        links += (
            f'<script async blocking="render" fetchpriority="high" src="{folder}/{names[f"{stem}.js"]}"></script>\n'
            f'<noscript><link rel="stylesheet" href="{folder}/{names[f"{stem}.css"]}" /></noscript>\n'
        )
    # Behind the head's inline scripts: in front of them, they would wait for the sheet, and the page for them.
    return LINK.sub("", page).replace("</head>", f"{links}</head>", 1)


def lighten(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    static = out / "_static"
    pages = {
        path: deferred(path.read_text(encoding="utf-8"))
        for path in sorted(out.rglob("*.html"))
        if static not in path.parents and path.parent != out / "explore"  # those carry their own style
    }
    # Without the whole fonts, of which `font` has cut what is needed.
    order = [
        name for name in merged(map(sheets_of, pages.values())) if name not in ("formulas.css", "type.css")
    ]
    for path in {formulas.FONT, *(face[1] for face in fonts.FACES)}:
        (static / path.name).unlink(missing_ok=True)
    scripts = {
        name
        for page in pages.values()
        for name in SCRIPT.findall(page)
        if not name.startswith(("math.", "formulas.", "type."))
    }
    words = set()
    texts = [*pages.values(), *((static / name).read_text(encoding="utf-8") for name in scripts)]
    for text in texts:
        words.update(WORD.findall(text))
    rules = {
        name: used_rules(rules_of(name, static), None if name.startswith(OURS) else words) for name in order
    }
    characters = set().union(*map(formulas.characters, pages.values()))
    written = set().union(*(html.unescape(MATH.sub("", text)) for text in texts))
    files = {"site.css": "\n".join(rules.values()), **font_files(characters), **type_files(written)}
    names = {}
    for name, text in files.items():
        stem, ending = name.split(".")
        names[name] = f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:10]}.{ending}"
        (static / names[name]).write_text(text, encoding="utf-8")
    for path, page in pages.items():
        path.write_text(linked(page, names), encoding="utf-8")


def setup(app):
    app.connect("build-finished", lighten, priority=900)
