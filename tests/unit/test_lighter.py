"""The joined style sheets and the small fonts: nothing that a page uses is lost, and what no page uses is gone."""

import base64
import io
import json
import re
import string
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pydata_sphinx_theme
import pytest
import tinycss2
from fontTools.ttLib import TTFont

from bookext import fonts
from bookext.formulas import FAMILY, FONT
from bookext.lighter import font, scripts, sheets, theme
from tests import tiers


def kept(css, *words):
    return sheets.used_rules(tinycss2.parse_stylesheet(css, skip_whitespace=True), set(words))


def test_rules_that_match_nothing_are_left_out():
    needs = {
        "a": set(), ".a": {"a"}, "div.a > .b-c": {"a", "b-c"}, "#top .a": {"top", "a"}, ".a:not(.b)": {"a"},
        ":is(.a, .b) p": set(), '[data-theme="dark"] .a::before': {"a"},
    }  # fmt: skip
    for selector, needed in needs.items():
        assert sheets.needs(tinycss2.parse_component_value_list(selector)) == needed, selector
    assert kept(".a{b:c}.x{b:c}", "a") == ".a{b:c}"
    assert kept(".a, .x , p{b:c}", "a") == ".a,p{b:c}"
    assert kept("@media print{.a{b:c}.x{b:c}}@media print{.x{b:c}}", "a") == "@media print{.a{b:c}}"
    assert kept("@keyframes k{from{b:c}}@page{margin:0}") == "@keyframes k{from{b:c}}\n@page{margin:0}"
    assert kept("/* a */p{/* b */b:  c}/*! license */") == "p{b: c}\n/*! license */"


def test_a_broken_sheet_is_an_error():
    with pytest.raises(ValueError, match="style sheet has an error"):
        kept(".a{b:c}}")


@tiers.SLOW
def test_a_cut_font_has_what_is_asked_for_and_signs_that_grow():
    data = font.cut(FONT, set("abπ(√"))
    with TTFont(io.BytesIO(data)) as cut, TTFont(FONT) as full:
        letters, glyphs = cut.getBestCmap(), full.getBestCmap()
        assert set(map(ord, "abπ(√")) <= set(letters)
        assert ord("c") not in letters
        assert cut["hmtx"][letters[ord("a")]] == full["hmtx"][glyphs[ord("a")]]
        sizes = {}
        for each, names in ((cut, letters), (full, glyphs)):
            variants = each["MATH"].table.MathVariants
            at = variants.VertGlyphCoverage.glyphs.index(names[ord("(")])
            sizes[each] = [r.AdvanceMeasurement for r in variants.VertGlyphConstruction[at].MathGlyphVariantRecord]
        assert sizes[cut] == sizes[full]
        assert len(sizes[cut]) > 5
    assert len(data) < FONT.stat().st_size / 10
    assert font.cut(FONT, set("abπ(√")) == data, "the same at every build"


def test_all_signs_of_a_root_are_as_narrow_as_the_usual_one():
    """Chromium keeps room beside each root for the widest that the font has."""
    with TTFont(io.BytesIO(font.cut(FONT, {"√"}))) as cut:
        usual = cut.getBestCmap()[ord("√")]
        variants = cut["MATH"].table.MathVariants
        signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(usual)]
        names = [record.VariantGlyph for record in signs.MathGlyphVariantRecord]
        assert len(names) > 2
        assert {cut["hmtx"][name][0] for name in names} == {cut["hmtx"][usual][0]}
        for name in names:
            glyph = cut["glyf"][name]
            assert glyph.xMin >= 0
            assert glyph.xMax <= cut["glyf"][usual].xMax + 5
        assert signs.GlyphAssembly is None


TYPED = set(string.ascii_letters + string.digits + string.punctuation + " ")


def faces(text):
    """The fonts of the style sheet for text: (family, whether italic) -> font."""
    found = {}
    face = r'font-family:"([^"]+)";(.*?)src:url\("data:font/woff2;base64,([^"]+)"'
    for family, style, data in re.findall(face, text):
        found[family, "italic" in style] = TTFont(io.BytesIO(base64.b64decode(data)))
    return found


def test_the_type_has_what_pages_have_and_what_readers_type():
    files = font.type_files(set("éŁ√→−"))
    found = faces(files["type.css"])
    has = {name: set(map(chr, each.getBestCmap())) for name, each in found.items()}
    for name in (("Source Serif 4", False), ("Source Serif 4", True), ("Source Code Pro", False)):
        assert has[name] == TYPED | set("é−")
    assert has["Source Serif 4 More", False] == {"Ł"}
    assert has["Book Signs", False] == set("√→"), "what the others lack, from the font of formulas"
    assert "MATH" not in found["Book Signs", False]
    upright, slanted = found["Source Serif 4", False], found["Source Serif 4", True]
    assert upright["fvar"].axes[0].maxValue == 700
    assert "fvar" not in slanted
    for each in (upright, slanted):
        letters = each.getBestCmap()
        widths = {each["hmtx"][letters[ord(figure)]][0] for figure in "0123456789"}
        assert len(widths) == 1, "figures are tabular"
    assert len(files["type.js"]) < 80_000


@pytest.mark.slow
def test_the_type_is_the_same_at_every_build_and_has_no_font_that_nothing_needs():
    files = font.type_files(set("éŁ√→−"))
    font.cut_text.cache_clear()
    assert font.type_files(set("éŁ√→−")) == files
    assert "Source Serif 4 More" not in font.type_files(set("é"))["type.css"]


def test_licenses_stand_beside_the_fonts():
    for _, path, _, _ in fonts.FACES:
        (text,) = [
            each.read_text(encoding="utf-8")
            for each in path.parent.glob("*LICENSE.txt")
            if path.name.startswith(each.name.split("-")[0])
        ]
        assert "SIL OPEN FONT LICENSE" in text.upper()


@pytest.fixture
def site(tmp_path):
    """A small book as Sphinx leaves it: two pages, three sheets."""
    static = tmp_path / "html" / "_static"
    (static / "sub").mkdir(parents=True)
    (static / "base.css").write_text("p{margin:0}.gone{margin:0}")
    (static / "sub" / "theme.css").write_text('@import "../base.css";.used{background:url("../a.png")}')
    (static / "a.js").write_text('node.className = "scripted";')
    (static / "last.css").write_text(".scripted{a:b}.used{c:d}")
    app = SimpleNamespace(outdir=tmp_path / "html", doctreedir=tmp_path, builder=SimpleNamespace(format="html"))
    page(app)
    return app


def page(app, name="index.html", body='<p class="used">'):
    links = [f'<link rel="stylesheet" href="_static/{s}" />' for s in ("sub/theme.css?v=1", "last.css")]
    head = "\n".join([*links, "<script>let a;</script>", '<script defer src="_static/a.js?v=2"></script>'])
    (app.outdir / name).write_text(f"<html><head>{head}\n</head><body>{body}</body></html>")


def sheet(app, name):
    (path,) = (app.outdir / "_static").glob(f"{name}.*.css")
    return path.read_text()


def test_a_page_links_one_sheet(site):
    sheets.lighten(site, None)
    text = (site.outdir / "index.html").read_text()
    assert re.sub(r"<noscript>.*?</noscript>", "", text).count("<link") == 1
    assert text.index("<script>") < text.index("site.") < text.index("/type.") < text.index("</head>")
    first = 'p{margin:0}\n.used{background:url("a.png")}\n.scripted{a:b}\n.used{c:d}'
    assert sheet(site, "site") == first


FORMULA = '<math class="math" data-tex="x"><mi>x</mi></math>'


def test_a_page_with_formulas_has_their_font_from_a_script_or_without_scripts_from_a_sheet(site):
    page(site, "math.html", FORMULA)
    sheets.lighten(site, None)
    text = (site.outdir / "math.html").read_text()
    (script,) = re.findall(r'<script async blocking="render"[^>]* src="_static/(math\.\w+\.js)"></script>', text)
    (sheet_name,) = re.findall(r'<noscript><link rel="stylesheet" href="_static/(math\.\w+\.css)" /></noscript>', text)
    assert "math." not in (site.outdir / "index.html").read_text()
    assert "data:" not in sheet(site, "site")
    # The same font in both, which has the letter as formulas show it.
    static = site.outdir / "_static"
    (in_script,) = re.findall(r'atob\("([^"]+)"\)', (static / script).read_text())
    (in_sheet,) = re.findall(r"base64,([^\"]+)", (static / sheet_name).read_text())
    assert in_script == in_sheet
    assert FAMILY in (static / script).read_text()
    with TTFont(io.BytesIO(base64.b64decode(in_sheet))) as inside:
        assert ord("𝑥") in inside.getBestCmap()


@tiers.SLOW
def test_a_second_build_that_writes_one_page_keeps_all_in_step(site):
    page(site, "other.html")
    page(site, "math.html", FORMULA)
    sheets.lighten(site, None)
    formulas = (site.outdir / "math.html").read_text()
    before = (site.outdir / "index.html").read_text()
    sheets.lighten(site, None)
    assert (site.outdir / "index.html").read_text() == before, "nothing to do"
    assert (site.outdir / "math.html").read_text() == formulas
    page(site, "other.html", '<p class="gone">')
    sheets.lighten(site, None)
    assert ".gone{margin:0}" in sheet(site, "site")
    assert (site.outdir / "index.html").read_text() != before
    for name in ("index.html", "other.html"):
        named, type_sheet = sheets.sheets_of((site.outdir / name).read_text())
        assert (site.outdir / "_static" / named).exists()
        assert (site.outdir / "_static" / type_sheet).exists()
    assert json.loads((site.doctreedir / "sheets.json").read_text()) == ["sub/theme.css", "last.css"]


def test_the_patch_fits_the_installed_theme():
    """If this fails after `make lock`, the theme's new version broke it: bookext/lighter/theme.py says what to do."""
    folder = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
    changed = theme.quiet((folder / theme.SCRIPT).read_text(encoding="utf-8"))
    assert changed.count(theme.LEAVE) == 1
    assert theme.quiet(changed) == changed
    broken = rf"pydata-sphinx-theme {version('pydata-sphinx-theme')} broke .* found 0"
    with pytest.raises(ValueError, match=broken):
        theme.quiet("function I(){}")


def test_scripts_wait_in_their_order_and_none_is_asked_for_early(tmp_path):
    (tmp_path / "index.html").write_text(
        '<link rel="preload" as="script" href="a.js"/><script src="a.js"></script>\n<script>let b;</script>\n'
        '<script async src="c.js"></script>\n<script defer src="d.js"></script>'
    )
    scripts.calm(SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(format="html")), None)
    assert (tmp_path / "index.html").read_text() == (
        '<script defer src="a.js"></script>\n<script>let b;</script>\n'
        '<script async src="c.js"></script>\n<script defer src="d.js"></script>'
    )
