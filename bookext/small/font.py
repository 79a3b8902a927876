"""The font of formulas, cut down to the characters that the book's formulas have, and there before the first paint.

It stands in a script, ``math.HASH.js``, for which the first paint of a page with formulas waits. A font of a style
sheet, even one that stands in the sheet, starts to load when a formula is first laid out: the text would be laid out
twice, and jump. ``math.HASH.css`` has the same font for readers without scripts.
"""

import base64
import io

from bookext.formulas import FAMILY, FONT, SCRIPT


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
