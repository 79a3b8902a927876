"""The fonts, cut down to the characters that the book has, and there before the first paint.

They stand in scripts, ``type.HASH.js`` for text and ``math.HASH.js`` for formulas, for which the first paint of a page
waits. A font of a style sheet, even one that stands in the sheet, starts to load when a word is first laid out: the
text would be laid out twice, and jump. ``type.HASH.css`` and ``math.HASH.css`` have the same for readers without
scripts.
"""

import base64
import io
import json
from functools import cache

from bookext.fonts import FACES
from bookext.formulas import FAMILY, FONT, SCRIPT

FEATURES = ["kern", "liga", "locl", "ccmp", "mark", "mkmk"]  # of text; its figures are tabular by themselves
ALWAYS = {chr(code) for code in range(32, 127)}  # what a reader may type into a figure


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


def cut(font, characters, axes=(), math=False):
    """A font in WOFF2 with those of its glyphs that `characters` need, for text or for formulas.

    `axes` are pairs of a name and what is kept of it.
    """
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    with TTFont(font, recalcTimestamp=False) as whole:
        options = subset.Options(flavor="woff2", hinting=False, notdef_outline=True)
        options.layout_features = ["*"] if math else FEATURES
        if math:
            narrow_roots(whole)
        else:
            options.drop_tables += ["MATH"]
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=[ord(character) for character in sorted(characters)])
        cutter.subset(whole)
        smaller = instancer.instantiateVariableFont(whole, dict(axes)) if axes else whole
        out = io.BytesIO()
        subset.save_font(smaller, out, options)
    return out.getvalue()


def files_of(stem, faces, more=""):
    """A script that brings fonts, a family, what a style sheet says of it and its bytes each; a sheet with the same."""
    scripts, sheet = [], []
    for family, says, data in faces:
        text = base64.b64encode(data).decode()
        style = "".join(f"font-{name}:{value};" for name, value in says.items())
        source = f'src:url("data:font/woff2;base64,{text}") format("woff2")'
        sheet.append(f'@font-face{{font-family:"{family}";{style}{source}}}')
        scripts.append(f'["{family}",{json.dumps(says)},"{text}"]')
    script = f"""// These fonts are there once this has run: nothing is laid out in another one first.
for (const [family, says, data] of [{",".join(scripts)}])
  document.fonts.add(new FontFace(family, Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), says));
{more}"""
    return {f"{stem}.js": script, f"{stem}.css": "\n".join(sheet)}


def font_files(characters):
    """The font of formulas, with what formulas have as a script anyway."""
    more = SCRIPT.read_text(encoding="utf-8")
    return files_of("math", [(FAMILY, {}, cut(FONT, characters, math=True))], more)


@cache
def signs_of(font):
    """All characters that a font has."""
    from fontTools.ttLib import TTFont

    with TTFont(font) as whole:
        return frozenset(map(chr, whole.getBestCmap()))


def type_files(characters):
    """The fonts of text.

    A font gets the characters that those before it in the same stack lack: Source Serif first, the formulas' font last.
    """
    wanted = set(characters) | ALWAYS
    faces, left = [], set(wanted)
    for family, font, axes, says in FACES:
        # The two kinds of Source Serif, and the code's, are whole in themselves; the others have what is missing.
        signs = signs_of(font) & (wanted if family in ("Source Serif 4", "Source Code Pro") else left)
        if family != "Source Code Pro":
            left -= signs_of(font)
        if signs:
            faces.append((family, says, cut(font, signs, axes)))
    return files_of("type", faces)
