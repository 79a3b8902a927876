"""Code without an element for each word: plain text, and an attribute that says which stretch has which color.

A chapter has four thousand words and signs of code, each of which Sphinx wraps in an element. Browsers that know the
CSS Custom Highlight API color stretches of text without any (``static/code.js``); in others, without scripts, and on
paper, code is plain.
"""

import html
import itertools
import re
from functools import cache
from pathlib import Path

from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Token
from sphinx.highlighting import PygmentsBridge

FRAME = re.compile(r'<div class="(?=[^"]*\bhighlight-[^"]*"><pre)')
NAMES = "abcdefghijklmnopqrstuvwxyz"


@cache
def colors(light, dark):
    """For two styles of Pygments the name here of each colored kind of word, and each name's two colors."""
    styles = get_style_by_name(light), get_style_by_name(dark)
    pairs = {
        kind: tuple(style.style_for_token(kind)["color"] for style in styles)
        for kind in sorted(STANDARD_TYPES, key=STANDARD_TYPES.get)
    }
    text = pairs[Token.Name]  # names have the color of the text
    others = dict.fromkeys(pair for pair in pairs.values() if any(pair) and pair != text)
    names = dict(zip(others, NAMES, strict=False))
    return {kind: names.get(pair, "_") for kind, pair in pairs.items()}, names


def units(text):
    """The length of a text as JavaScript counts it."""
    return len(text.encode("utf-16-le")) // 2


class Runs(HtmlFormatter):
    """Writes code as text in a ``<pre>``, with its stretches: a name (or _) and a length each."""

    names = {}

    def format_unencoded(self, tokensource, outfile):
        if self.nowrap:  # code in a line of text
            super().format_unencoded(tokensource, outfile)
            return
        runs = [
            (name, "".join(word for _, word in words))
            for name, words in itertools.groupby(tokensource, lambda token: self.names.get(token[0], "_"))
        ]
        said = "".join(f"{name}{units(text)}" for name, text in runs)
        colored = re.sub(r"_\d+$", "", said)
        text = html.escape("".join(text for _, text in runs), quote=False)
        attribute = f' data-runs="{colored}"' if colored else ""
        outfile.write(f"<pre{attribute}>{text}</pre>")


def sheet(shades):
    """The style sheet that gives each name its two colors."""
    return "\n".join(
        f'html[data-theme="{theme}"] .highlight pre::highlight(abh-{name}) {{ color: #{pair[place]}; }}'
        for place, theme in enumerate(("light", "dark"))
        for pair, name in shades.items()
        if pair[place]
    )


def thin(app, pagename, templatename, context, doctree):
    """Call the one frame that is left as the theme calls the inner one of two."""
    if context.get("body"):
        context["body"] = FRAME.sub('<div class="highlight ', context["body"])
        if "data-runs=" in context["body"]:
            app.add_js_file("code.js", loading_method="defer")


def write_sheet(app):
    """Write the style sheet beside what Sphinx copies to ``_static``."""
    if app.builder.format == "html":
        Path(app.outdir, "_static", "code.css").write_text(sheet(app.abh_shades), encoding="utf-8")
        app.add_css_file("code.css")


def configure(app, config):
    config.html_static_path.append(str(Path(__file__).parent / "static"))
    options = config.html_theme_options
    Runs.names, app.abh_shades = colors(options["pygments_light_style"], options["pygments_dark_style"])
    PygmentsBridge.html_formatter = Runs


def setup(app):
    app.connect("config-inited", configure)
    app.connect("builder-inited", write_sheet, priority=600)  # when the folder is there
    app.connect("html-page-context", thin, priority=790)  # scripts are counted behind it
