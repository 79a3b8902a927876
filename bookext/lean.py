"""What a page sends is what it uses: one style sheet, without the rules that no page needs, and a small math font.

The theme and its extensions bring a dozen style sheets (half a megabyte), and a font for mathematics has thousands of
signs. When the pages are written, this module

* joins the sheets, in their order, into ``site.HASH.css``,
* leaves out rules of foreign sheets whose selector needs a class or an id that no page and no script of the book has,
* cuts the math font (``math/``) down to the characters that the book's formulas have, and puts it into a script,
  ``math.HASH.js``, for which the first paint of a page with formulas waits. A font of a style sheet, even one that
  stands in the sheet, starts to load when a formula is first laid out: the text would be laid out twice, and jump.
  ``math.HASH.css`` has the same font for readers without scripts,
* keeps the theme from measuring all code, outputs and tables whenever a figure on the page changes (``quiet``).
"""

import base64
import hashlib
import io
import json
import posixpath
import re
from functools import cache
from pathlib import Path

import tinycss2

from bookext import formulas

FONT = Path(__file__).parent / "math" / "STIXTwoMath-Regular.woff2"
FAMILY = "STIX Two Math"
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


# ---------------------------------------------------------------- the font of formulas


def narrow_roots(font):
    """Make the taller signs of a root as narrow as the usual one.

    Chromium keeps room for the widest beside each root (MathML Core asks for it): √d would be followed by a gap.
    """
    variants = font["MATH"].table.MathVariants
    usual = font.getBestCmap()[ord("√")]
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(usual)]
    width = font["hmtx"][usual][0]
    for sign in signs.MathGlyphVariantRecord:
        glyph, (own, left) = font["glyf"][sign.VariantGlyph], font["hmtx"][sign.VariantGlyph]
        glyph.coordinates.scale((width / own, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][sign.VariantGlyph] = (width, round(left * width / own))
    signs.GlyphAssembly = None  # behind the loop, which is when fontTools has read all that stands here


def cut(font, characters):
    """A font in WOFF2 with those of its glyphs that `characters` need."""
    from fontTools import subset

    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
    whole = subset.load_font(str(font), options)
    whole.recalcTimestamp = False
    narrow_roots(whole)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(character) for character in characters])
    cutter.subset(whole)
    out = io.BytesIO()
    subset.save_font(whole, out, options)
    whole.close()
    return out.getvalue()


SCRIPT_OF_FORMULAS = """// The font of formulas is there once this has run: none is laid out in another font first.
document.fonts.add(new FontFace("%s", Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0))));

// Whoever copies text gets the TeX of its formulas.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection.rangeCount) return;
  const copied = document.createElement("div");
  copied.append(selection.getRangeAt(0).cloneContents());
  const formulas = [...copied.querySelectorAll("[data-tex]")];
  if (!formulas.length) return;
  event.preventDefault();
  event.clipboardData.setData("text/html", copied.innerHTML);
  for (const formula of formulas) {
    const tex = formula.matches("div") ? `$$${formula.dataset.tex}$$` : `$${formula.dataset.tex}$`;
    const [first, ...others] = formula.matches("math") ? [formula] : formula.querySelectorAll("math");
    for (const part of others) part.remove();
    first?.replaceWith(tex);
  }
  copied.style.cssText = "position: fixed; opacity: 0";
  document.body.append(copied); // only what is on the page has lines
  event.clipboardData.setData("text/plain", copied.innerText.replaceAll("\u200b", ""));
  copied.remove();
});
"""


def font_files(characters):
    """The font of formulas as a script, and as a style sheet for readers without scripts."""
    data = base64.b64encode(cut(FONT, characters)).decode()
    face = f'@font-face{{font-family:"{FAMILY}";src:url("data:font/woff2;base64,{data}") format("woff2")}}'
    return {"math.js": SCRIPT_OF_FORMULAS % (FAMILY, data), "math.css": face}


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
    if "<math" in page:
        links += (
            f'<script async blocking="render" fetchpriority="high" src="{folder}/{names["math.js"]}"></script>\n'
            f'<noscript><link rel="stylesheet" href="{folder}/{names["math.css"]}" /></noscript>\n'
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
        name for page in pages.values() for name in SCRIPT.findall(page) if not name.startswith("math.")
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
    characters = set().union(*map(formulas.characters, pages.values()))
    files = {"site.css": "\n".join(rules.values()), **font_files(characters)}
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
