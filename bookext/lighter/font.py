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

from bookext.fonts import FACES, cut_text
from bookext.formulas import FAMILY, FONT, SCRIPT

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


def font_files(characters):
    """The font of formulas in a script, with what formulas have as a script anyway; and in a style sheet."""
    data = base64.b64encode(cut(FONT, characters)).decode()
    face = f'@font-face{{font-family:"{FAMILY}";src:url("data:font/woff2;base64,{data}") format("woff2")}}'
    script = f"""// The font of formulas is there once this has run: none is laid out in another font first.
document.fonts.add(new FontFace("{FAMILY}", Uint8Array.from(atob("{data}"), (letter) => letter.charCodeAt(0))));

{SCRIPT.read_text(encoding="utf-8")}"""
    return {"math.js": script, "math.css": face}


@cache
def signs_of(font):
    """All characters that a font has."""
    from fontTools.ttLib import TTFont

    with TTFont(font) as whole:
        return frozenset(map(chr, whole.getBestCmap()))


def type_files(characters):
    """The fonts of text in a script, and in a style sheet.

    A font gets the characters that those before it in the same stack lack: Source Serif first, the formulas' font last.
    """
    wanted = set(characters) | ALWAYS
    scripts, faces, left = [], [], set(wanted)
    for family, font, axes, says in FACES:
        # The two kinds of Source Serif, and the code's, are whole in themselves; the others have what is missing.
        signs = signs_of(font) & (wanted if family in ("Source Serif 4", "Source Code Pro") else left)
        if family != "Source Code Pro":
            left -= signs_of(font)
        if not signs:
            continue
        data = cut_text(font, axes, frozenset(signs))
        text = base64.b64encode(data).decode()
        style = "".join(f"font-{name}:{value};" for name, value in says.items())
        faces.append(
            f'@font-face{{font-family:"{family}";{style}src:url("data:font/woff2;base64,{text}") format("woff2")}}'
        )
        scripts.append(f'["{family}",{json.dumps(says)},"{text}"]')
    script = f"""// The type of the book is there once this has run: nothing is laid out in another one first.
for (const [family, says, data] of [{",".join(scripts)}])
  document.fonts.add(new FontFace(family, Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), says));
"""
    return {"type.js": script, "type.css": "\n".join(faces)}
