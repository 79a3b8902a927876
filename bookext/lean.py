"""What a page sends is what it uses: one style sheet, without the rules that no page needs, and small math fonts.

The theme, its extensions and KaTeX bring fourteen style sheets (half a megabyte) and fonts for all of mathematics.
When the pages are written, this module

* joins the sheets, in their order and KaTeX's behind them, into ``site.HASH.css``,
* leaves out rules of foreign sheets whose selector needs a class or an id that no page and no script of the book has,
* cuts KaTeX's fonts down to the characters that the book's formulas have. The common ones go into a script,
  ``fonts.HASH.js``, for which the first paint of a page with formulas waits. A font of a style sheet, even one that
  stands in the sheet, starts to load when a formula is first laid out: the text would be laid out twice, and jump.
  ``fonts.HASH.css`` has the same fonts for readers without scripts,
* keeps the theme from measuring all code, outputs and tables whenever a figure on the page changes (``quiet``).
"""

import base64
import hashlib
import html
import io
import json
import posixpath
import re
from functools import cache
from pathlib import Path

import tinycss2

FACE = re.compile(r"@font-face\s*\{[^}]*\}")
DESCRIPTOR = re.compile(r"font-(family|style|weight):\s*[\"']?([\w -]+?)[\"']?\s*[;}]")
LETTERS = ("italic", "700")  # not a font's usual ones
LINK = re.compile(r'\s*<link\b[^>]*?href="([^"]*?)_static/([^"?]+\.css)[^"]*"[^>]*>')
# What `linked` put into the head of a page that an earlier build wrote.
HEAD = re.compile(r'<script async blocking="render"[^>]*></script>\n<noscript><link[^>]*></noscript>\n')
SCRIPT = re.compile(r'<script\b[^>]*?src="[^"]*?_static/([^"?]+\.js)')
WORD = re.compile(r"[\w-]+")
URL = re.compile(r"""url\(\s*["']?(?!data:|#|https?:|//)([^"')]+?)["']?\s*\)""")
OURS = (
    "book.",
    "explorables.",
)  # sheets that hold little more than is used, and whose classes scripts put together
MATH = "katex"  # how the names of the sheets for formulas start
# Fonts that nearly every formula asks for.
COMMON = ("Main-Regular", "Math-Italic", "Size1-Regular", "Size2-Regular", "Size3-Regular", "Size4-Regular")


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


def without_unused_faces(sheet):
    """Drop each @font-face of which no rule names the family, or asks it for bold or italic letters.

    Such a face would be loaded in place of another of its family that is not there yet.
    """
    rules = [rule.replace(" ", "") for rule in re.findall(r"\{([^}]*)\}", FACE.sub("", sheet))]

    def kept(match):
        about = dict(DESCRIPTOR.findall(match[0]))
        family = about["family"]
        letters = [f"font-{name}:{about[name]}" for name in ("style", "weight") if about.get(name) in LETTERS]
        named = any(family in rule for rule in rules)
        # A rule without a family asks for such letters of the one in force, which may be this one.
        asked = all(
            any(each in rule and (family in rule or "font-family" not in rule) for rule in rules)
            for each in letters
        )
        return match[0] if named and asked else ""

    return FACE.sub(kept, sheet)


def characters_of_formulas(text):
    """The characters in the visible part of a page's formulas."""
    found = set()
    tag = re.compile(r"<(/?)span\b[^>]*>")
    for start in re.finditer(r'<span class="katex-html"[^>]*>', text):
        depth, here = 1, start.end()
        for match in tag.finditer(text, here):
            found.update(html.unescape(re.sub(r"<[^>]*>", "", text[here : match.start()])))
            here = match.end()
            depth += -1 if match[1] else 1
            if depth == 0:
                break
    return found


def cut(font, characters):
    """A font in WOFF2 with those of its glyphs that `characters` need."""
    from fontTools import subset

    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
    whole = subset.load_font(str(font), options)
    whole.recalcTimestamp = False
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(character) for character in characters])
    cutter.subset(whole)
    out = io.BytesIO()
    subset.save_font(whole, out, options)
    whole.close()
    return out.getvalue()


def with_small_fonts(sheet, static, characters):
    """KaTeX's sheet with its fonts cut down, and apart from it the faces of the common ones, which hold their font.

    Where formulas seldom ask for a font, the sheet names a file.
    """
    common = []

    def small(face):
        found = next(match for match in URL.finditer(face[0]) if match[1].endswith(".woff2"))
        data = cut(static / found[1], characters)
        name = Path(found[1]).stem
        if name.removeprefix("KaTeX_") in COMMON:
            source = f"data:font/woff2;base64,{base64.b64encode(data).decode()}"
        else:
            source = f"katex/small/{name}.{hashlib.sha256(data).hexdigest()[:10]}.woff2"
            (static / source).parent.mkdir(exist_ok=True)
            (static / source).write_bytes(data)
        # WOFF2 alone: every browser that runs the book's scripts reads it.
        text = re.sub(r"src:[^;}]*", lambda _: f'src:url("{source}") format("woff2")', face[0])
        if source.startswith("data:"):
            common.append(text)
            return ""
        return text

    return FACE.sub(small, sheet), common


FONTS = """// Fonts are there as soon as this has run: no formula is laid out in another font first.
for (const [family, data, descriptors] of %s) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  document.fonts.add(new FontFace(family, bytes, descriptors));
}
"""


def script_of(faces):
    """A script that gives a page the fonts of these ``@font-face`` rules."""
    fonts = []
    for face in faces:
        about = dict(DESCRIPTOR.findall(face))
        (data,) = re.findall(r"base64,([^\")]+)", face)
        fonts.append([about.pop("family"), data, about])
    return FONTS % json.dumps(fonts)


# ---------------------------------------------------------------- the theme's script

THEME = "scripts/pydata-sphinx-theme.js"
# A function that lets a keyboard reach what scrolls.
MEASURING = re.compile(r'function \w+\(\)\{(?=const \w+=\(\)=>\{document\.querySelectorAll\(\["pre")')
LEAVE = 'if(document.querySelector(".abh-slot"))return;'


def quiet(script):
    """The theme's script, which on a page with figures leaves it to ``loader.js`` what a keyboard reaches.

    It would measure and mark one element after the other, so that the page is laid out after each, and do so again
    a third of a second after each change in the page: after each drag.
    """
    if LEAVE in script:  # an earlier build's
        return script
    changed, count = MEASURING.subn(lambda match: match[0] + LEAVE, script)
    if count != 1:
        raise ValueError(
            f"expected one function of {THEME} that starts like {MEASURING.pattern}, found {count}"
        )
    return changed


# ---------------------------------------------------------------- pages


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
    first = LINK.search(page)
    if not first:
        return page
    folder = f"{first[1]}_static"
    links = f'<link rel="stylesheet" href="{folder}/{names["site.css"]}" />\n'
    if 'class="katex' in page:
        links += (
            f'<script async blocking="render" fetchpriority="high" src="{folder}/{names["fonts.js"]}"></script>\n'
            f'<noscript><link rel="stylesheet" href="{folder}/{names["fonts.css"]}" /></noscript>\n'
        )
    # Behind the head's inline scripts: in front of them, they would wait for the sheet, and the page for them.
    return LINK.sub("", HEAD.sub("", page)).replace("</head>", f"{links}</head>", 1)


def lighten(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    static = out / "_static"
    pages = {
        path: path.read_text(encoding="utf-8")
        for path in sorted(out.rglob("*.html"))
        if static not in path.parents and path.parent != out / "explore"  # those carry their own style
    }
    # A build that rewrote some pages only: the others link the joined sheets, what those were made of is noted.
    note = Path(app.doctreedir) / "sheets.json"
    orders = [sheets_of(page) for page in pages.values()]
    orders = [order for order in orders if order and not order[0].startswith("site.")]
    if note.exists():
        orders.append(json.loads(note.read_text(encoding="utf-8")))
    ours = getattr(app, "abh_css", None)  # an earlier build's sheet would overrule it
    order = [name for name in merged(orders) if name == ours or not name.startswith("explorables.")]
    note.write_text(json.dumps(order), encoding="utf-8")

    scripts = {
        name for page in pages.values() for name in SCRIPT.findall(page) if not name.startswith("fonts.")
    }
    words = set()
    for text in [*pages.values(), *((static / name).read_text(encoding="utf-8") for name in scripts)]:
        words.update(WORD.findall(text))
    rules_of.cache_clear()
    rules = {
        name: used_rules(rules_of(name, static), None if name.startswith(OURS) else words)
        for name in order
        if (static / name).exists()
    }
    math = "\n".join(text for name, text in rules.items() if name.startswith(MATH))
    characters = set().union(*(characters_of_formulas(page) for page in pages.values()))
    math, faces = with_small_fonts(without_unused_faces(math), static, characters)
    rest = [text for name, text in rules.items() if not name.startswith(MATH)]
    files = {
        "site.css": "\n".join([*rest, math]),
        "fonts.js": script_of(faces),
        "fonts.css": "\n".join(faces),
    }
    names = {}
    for name, text in files.items():
        stem, ending = name.split(".")
        for old in static.glob(f"{stem}.??????????.{ending}"):
            old.unlink()
        names[name] = f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:10]}.{ending}"
        (static / names[name]).write_text(text, encoding="utf-8")
    for old in static.glob("explorables.*"):  # of an earlier build
        if old.name not in order and old.name not in scripts:
            old.unlink()
    theme = static / THEME
    if theme.exists():
        theme.write_text(quiet(theme.read_text(encoding="utf-8")), encoding="utf-8")
    for path, page in pages.items():
        light = linked(page, names)
        if light != page:
            path.write_text(light, encoding="utf-8")


def setup(app):
    app.connect("build-finished", lighten, priority=900)
