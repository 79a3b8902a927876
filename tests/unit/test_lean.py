"""The joined style sheets and the small fonts: nothing that a page uses is lost, and what no page uses is gone."""

import base64
import io
import json
import re
from types import SimpleNamespace

import pytest
import tinycss2
from fontTools.ttLib import TTFont

from bookext import lean

KATEX = "katex/katex.min.css"
FONTS = lean.Path(lean.__file__).parent / "static" / "katex" / "fonts"


def kept(css, *words):
    return lean.used_rules(tinycss2.parse_stylesheet(css, skip_whitespace=True), set(words))


@pytest.mark.parametrize(
    ("selector", "needed"),
    [
        ("a", set()),
        (".a", {"a"}),
        ("div.a > .b-c", {"a", "b-c"}),
        ("#top .a", {"top", "a"}),
        (".a:not(.b)", {"a"}),
        (":is(.a, .b) p", set()),
        ('[data-theme="dark"] .a::before', {"a"}),
    ],
)
def test_what_a_selector_needs(selector, needed):
    assert lean.needs(tinycss2.parse_component_value_list(selector)) == needed


def test_rules_that_match_nothing_are_left_out():
    assert kept(".a{b:c}.x{b:c}", "a") == ".a{b:c}"
    assert kept(".a, .x , p{b:c}", "a") == ".a,p{b:c}"
    assert kept("@media print{.a{b:c}.x{b:c}}@media print{.x{b:c}}", "a") == "@media print{.a{b:c}}"
    assert kept("@keyframes k{from{b:c}}@page{margin:0}") == "@keyframes k{from{b:c}}\n@page{margin:0}"
    assert kept("/* a */p{/* b */b:  c}/*! license */") == "p{b: c}\n/*! license */"


def test_a_broken_sheet_is_an_error():
    with pytest.raises(ValueError, match="style sheet has an error"):
        kept(".a{b:c}}")


def test_orders_are_merged():
    assert lean.merged([["a", "b", "d"], ["a", "b", "c", "d"], ["b", "e"]]) == ["a", "b", "e", "c", "d"]
    assert lean.merged([]) == []


def test_characters_of_formulas():
    page = '<p>Q <span class="katex"><span class="katex-mathml">Z</span><span class="katex-html" aria-hidden="true">'
    page += '<span class="base"><span>x</span>&lt;<span><span>π</span></span></span></span></span> W</p>'
    assert {"x", "<", "π"} <= lean.characters_of_formulas(page)
    assert lean.characters_of_formulas(page).isdisjoint("QZW")


def test_a_cut_font_has_what_is_asked_for():
    whole = FONTS / "KaTeX_Main-Regular.woff2"
    data = lean.cut(whole, set("abπ"))
    with TTFont(io.BytesIO(data)) as cut, TTFont(whole) as full:
        assert set(map(ord, "ab")) <= set(cut.getBestCmap())
        assert ord("c") not in cut.getBestCmap()
        assert cut["hmtx"]["a"] == full["hmtx"]["a"]
    assert len(data) < whole.stat().st_size / 4
    assert lean.cut(whole, set("abπ")) == data, "the same at every build"


def test_faces_of_unused_families_are_dropped():
    sheet = "@font-face{font-family:One;src:url(1)}@font-face{font-family:Two;src:url(2)}p{font-family:One}"
    assert lean.without_unused_faces(sheet) == sheet.replace("@font-face{font-family:Two;src:url(2)}", "")


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ("p{font-family:One}", 0),
        ("p{font-family:One}.b{font-weight:700}", 1),
        ("p{font-family:One}.b{font-weight: 700}.i{font-family:One;font-style:italic}", 3),
        ("p{font-family:One}.i{font-family:Two;font-style:italic}", 0),
    ],
)
def test_bold_and_italic_faces_that_no_rule_asks_for_are_dropped(rules, left):
    faces = [
        f"@font-face{{font-family:One;font-style:{style};font-weight:{weight};src:url(1)}}"
        for style, weight in [("normal", 700), ("italic", 400), ("italic", 700), ("normal", 400)]
    ]
    found = lean.without_unused_faces("".join(faces) + rules)
    assert found.count("@font-face") == left + 1
    assert faces[-1] in found


@pytest.fixture
def site(tmp_path):
    """A small book as Sphinx leaves it: two pages, three sheets."""
    static = tmp_path / "html" / "_static"
    (static / "sub").mkdir(parents=True)
    (static / "katex" / "fonts").mkdir(parents=True)
    (static / "base.css").write_text("p{margin:0}.gone{margin:0}")
    (static / "sub" / "theme.css").write_text('@import "../base.css";.used{background:url("../a.png")}')
    (static / "a.js").write_text('node.className = "scripted";')
    (static / "last.css").write_text(".scripted{a:b}.used{c:d}")
    for font in FONTS.iterdir():
        (static / "katex" / "fonts" / font.name).write_bytes(font.read_bytes())
    (static / "katex" / "katex.min.css").write_bytes((FONTS.parent / "katex.min.css").read_bytes())
    app = SimpleNamespace(
        outdir=tmp_path / "html", doctreedir=tmp_path, builder=SimpleNamespace(format="html")
    )
    page(app)
    return app


def page(app, name="index.html", body='<p class="used">'):
    links = [
        f'<link rel="stylesheet" href="_static/{s}" />' for s in ("sub/theme.css?v=1", "last.css", KATEX)
    ]
    head = "\n".join([*links, "<script>let a;</script>", '<script defer src="_static/a.js?v=2"></script>'])
    (app.outdir / name).write_text(f"<html><head>{head}\n</head><body>{body}</body></html>")


def sheet(app, name):
    (path,) = (app.outdir / "_static").glob(f"{name}.*.css")
    return path.read_text()


def test_a_page_links_one_sheet(site):
    lean.lighten(site, None)
    text = (site.outdir / "index.html").read_text()
    assert text.count("<link") == 1
    assert text.index("<script>") < text.index("site.") < text.index("</head>")
    first = 'p{margin:0}\n.used{background:url("a.png")}\n.scripted{a:b}\n.used{c:d}\n'
    assert sheet(site, "site").startswith(first)


FORMULA = '<span class="katex"><span class="katex-html"><span class="mathnormal">x</span></span></span>'


def test_a_page_with_formulas_has_their_fonts_from_a_script_or_without_scripts_from_a_sheet(site):
    page(site, "math.html", FORMULA)
    lean.lighten(site, None)
    text = (site.outdir / "math.html").read_text()
    (script,) = re.findall(
        r'<script async blocking="render"[^>]* src="_static/(fonts\.\w+\.js)"></script>', text
    )
    (fonts,) = re.findall(
        r'<noscript><link rel="stylesheet" href="_static/(fonts\.\w+\.css)" /></noscript>', text
    )
    assert "fonts." not in (site.outdir / "index.html").read_text()
    assert ".katex" in sheet(site, "site")
    assert "KaTeX_Main" in sheet(site, "site")
    assert "data:" not in sheet(site, "site")
    assert "KaTeX_Fraktur" not in sheet(site, "site")
    # The same fonts in both, each a font that can be read.
    static = site.outdir / "_static"
    (list_of_fonts,) = re.findall(r" of (\[.*\])\) \{", (static / script).read_text())
    in_script = json.loads(list_of_fonts)
    in_sheet = re.findall(r"base64,([^\"]+)", (static / fonts).read_text())
    assert [data for _, data, _ in in_script] == in_sheet
    assert ["KaTeX_Math", {"style": "italic", "weight": "400"}] in [
        [name, what] for name, _, what in in_script
    ]
    for data in in_sheet:
        TTFont(io.BytesIO(base64.b64decode(data))).close()


def test_a_second_build_that_writes_one_page_keeps_all_in_step(site):
    page(site, "other.html")
    page(site, "math.html", FORMULA)
    lean.lighten(site, None)
    formulas = (site.outdir / "math.html").read_text()
    before = (site.outdir / "index.html").read_text()
    lean.lighten(site, None)
    assert (site.outdir / "index.html").read_text() == before, "nothing to do"
    assert (site.outdir / "math.html").read_text() == formulas
    page(site, "other.html", '<p class="gone">')
    lean.lighten(site, None)
    assert ".gone{margin:0}" in sheet(site, "site")
    assert (site.outdir / "index.html").read_text() != before
    for name in ("index.html", "other.html"):
        (named,) = lean.sheets_of((site.outdir / name).read_text())
        assert (site.outdir / "_static" / named).exists()
    assert json.loads((site.doctreedir / "sheets.json").read_text()) == ["sub/theme.css", "last.css", KATEX]


def test_the_theme_leaves_scrolling_parts_to_the_loader():
    script = 'e(I);function I(){const e=()=>{document.querySelectorAll(["pre",".x"].join())};e()}'
    changed = lean.quiet(script)
    assert changed == script.replace(
        "function I(){", 'function I(){if(document.querySelector(".abh-slot"))return;'
    )
    assert lean.quiet(changed) == changed
    with pytest.raises(ValueError, match="expected one function .* found 0"):
        lean.quiet("function I(){}")
