"""The book's type: Source Serif 4 for text, headings and figures, Source Code Pro for code. Both are open (SIL OFL).

They come from npm's packages ``@fontsource-variable/source-serif-4`` 5.3.1 and ``@fontsource-variable/source-code-pro``
5.3.0, and stand with their licenses in ``type/``. Signs that they lack, such as √, are those of the formulas' font.
``static/book.css`` says where each is used, and what stands in for it. ``small`` cuts them down and has them there
before the first paint.
"""

from pathlib import Path

from bookext.formulas import FONT

HERE = Path(__file__).parent / "type"
#: Family, file, axes that are kept, and what a style sheet says of each face.
FACES = [
    ("Source Serif 4", HERE / "SourceSerif4-Roman.woff2", (("wght", (400, 700)),), {"weight": "400 700"}),
    (
        "Source Serif 4",
        HERE / "SourceSerif4-Italic.woff2",
        (("wght", 400),),
        {"weight": "400", "style": "italic"},
    ),
    (
        "Source Serif 4 More",
        HERE / "SourceSerif4-RomanMore.woff2",
        (("wght", (400, 700)),),
        {"weight": "400 700"},
    ),
    ("Source Code Pro", HERE / "SourceCodePro.woff2", (("wght", 400),), {"weight": "400"}),
    ("Book Signs", FONT, (), {}),
]


def head(static, folder):
    """What stands in the head of a page that carries its own style: its type, as the book's pages have it.

    `static` is the built folder ``_static``, `folder` its address as the page sees it.
    """
    script = next(iter(sorted(static.glob("type.??????????.js"))), None)
    if script:
        return f'<script async blocking="render" src="{folder}/{script.name}"></script>'
    return f'<link rel="stylesheet" href="{folder}/type.css">'


def configure(app, config):
    config.html_static_path.append(str(HERE))


def setup(app):
    app.connect("config-inited", configure)
    app.add_css_file("type.css")
