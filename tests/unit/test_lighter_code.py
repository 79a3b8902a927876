"""Code in plain text: its colors, read back from the stretches, are those that Pygments gives to its words."""

import html
import re

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name

from bookext.lighter import code

STYLES = "a11y-high-contrast-light", "a11y-high-contrast-dark"
SOURCES = [
    'def f(x):\n    """Say <&>."""\n    return f"{x:.2f} ÷ √d_k" + "𝑑"  # 1 < 2\n',
    "x = np.array([1, 2.5e-3]) @ y\n@decorated\nclass A(Exception): pass\n",
    "import numpy as np\n\n\nprint(None, True, 'a\\n')\n",
]
OPTIONS = dict(zip(("pygments_light_style", "pygments_dark_style"), STYLES, strict=True))


def marked(source):
    """The code as Sphinx writes it, and as the page has it."""
    written = highlight(source, PythonLexer(), HtmlFormatter()).replace("<pre><span></span>", "<pre>")
    names, shades = code.of(OPTIONS)
    return written, code.with_plain_code(written, names), shades


def wanted(source, style):
    """The color of each character, from Pygments' own tokens; None where it is the color of a name."""
    style = get_style_by_name(style)
    plain = style.style_for_token(PythonLexer().get_tokens("x").__next__()[0])["color"]
    found = []
    for kind, text in PythonLexer().get_tokens(source):
        color = style.style_for_token(kind)["color"]
        found += [None if color == plain or text.isspace() else color.upper()] * len(text)
    return found


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("place", [0, 1])
def test_colors_are_those_of_pygments(source, place):
    _, page, shades = marked(source)
    (runs, inner), *_ = re.findall(r'<pre data-runs="([^"]*)">([^<]*)</pre>', page)
    text, units = html.unescape(inner), []
    for name, length in re.findall(r"([a-z_])(\d+)", runs):
        color = None if name == "_" else shades[name][place].lstrip("#").upper()
        units += [color] * int(length)
    found, at = [], 0
    for letter in text:
        found.append(None if letter.isspace() else units[at] if at < len(units) else None)
        at += len(letter.encode("utf-16-le")) // 2
    assert text.rstrip("\n") == source.rstrip("\n")
    expected = [
        None if letter.isspace() else color
        for letter, color in zip(source, wanted(source, STYLES[place]), strict=False)
    ]
    assert found == expected
    assert len(set(found)) > 2


@pytest.mark.parametrize("source", SOURCES)
def test_on_paper_each_stretch_has_its_element(source):
    written, page, shades = marked(source)
    paper = code.with_spans(page, shades)
    plain = re.compile(r"<[^>]*>")
    assert plain.sub("", paper) == plain.sub("", written) == plain.sub("", page)
    assert paper.count("<span style") > 3
    assert "data-runs" not in paper


FRAME = '<div class="cell"><div class="{}">{}\n</div>\n</div><p>on</p>'


@pytest.mark.parametrize(
    ("body", "names", "becomes"),
    [
        ('<div class="highlight"><pre><span class="k"><a href="#a">x</a></span></pre></div>', {"k": "a"}, None),
        (
            '<div class="highlight"><pre><span></span><span class="n">x</span> 1 &lt; 2\n</pre></div>',
            {"k": "a"},
            '<div class="highlight"><pre>x 1 &lt; 2\n</pre></div>',
        ),
        *(
            (
                FRAME.format(kind, '<div class="highlight"><pre><span></span>x\n</pre></div>'),
                {},
                f'<div class="cell"><div class="highlight {kind}"><pre>x\n</pre></div>\n</div><p>on</p>',
            )
            for kind in ("highlight-ipython3 notranslate", "output stream highlight-myst-ansi notranslate")
        ),
    ],
)
def test_code_without_colors_is_plain_in_one_frame_and_other_markup_stays(body, names, becomes):
    assert code.with_plain_code(body, names) == (becomes or body)
