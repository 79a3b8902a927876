"""Code without an element for each word: plain text, and an attribute that says which stretch has which color.

A chapter has four thousand words and signs of code, each of which Sphinx wraps in an element. Browsers that know the
CSS Custom Highlight API color stretches of text without any (``static/code.js``); in others, without scripts, and on
paper, code is plain.
"""

import html
import re
from functools import cache
from pathlib import Path

FRAMES = re.compile(
    r'<div class="([^"]*\bhighlight-[^"]*)"><div class="highlight">(<pre.*?</pre>)</div>\s*</div>', re.DOTALL
)
CODE = re.compile(r'(<div class="highlight\b[^"]*"><pre)>(.*?)</pre>', re.DOTALL)
WORD = re.compile(r'<span class="(\w+)">([^<]*)</span>|([^<]+)')
NAMES = "abcdefghijklmnopqrstuvwxyz"


@cache
def colors(light, dark):
    """For two styles of Pygments the class of each colored kind of word, with its name here; and each name's colors."""
    from pygments.formatters import HtmlFormatter

    styles = [
        {name: re.search(r"(?<![-\w])color: (#\w+)", style[0]) for name, style in maker.class2style.items()}
        for maker in (HtmlFormatter(style=light), HtmlFormatter(style=dark))
    ]
    pairs = {
        name: tuple(style[name] and style[name][1] for style in styles)
        for name in sorted(styles[0])
        if name and any(style[name] for style in styles)
    }
    others = dict.fromkeys(
        pair for pair in pairs.values() if pair != pairs["n"]
    )  # names have the color of the text
    names = dict(zip(others, NAMES, strict=False))
    shades = {name: pair for pair, name in names.items()}
    return {kind: names[pair] for kind, pair in pairs.items() if pair in names}, shades


def units(text):
    """The length of a text as JavaScript counts it."""
    return len(text.encode("utf-16-le")) // 2


def runs_of(inner, names):
    """The plain text of highlighted code, and its stretches: a name (or _) and a length each. None for other markup."""
    inner = inner.removeprefix("<span></span>")
    text, runs, place = "", [], 0
    for match in WORD.finditer(inner):
        if match.start() != place:
            return None
        place = match.end()
        kind, word, plain = match.groups()
        content = html.unescape(plain if word is None else word)
        name = names.get(kind, "_")
        if runs and runs[-1][0] == name:
            runs[-1][1] += units(content)
        else:
            runs.append([name, units(content)])
        text += content
    if place != len(inner):
        return None
    if runs and runs[-1][0] == "_":
        runs.pop()
    return text, "".join(f"{name}{length}" for name, length in runs)


def with_plain_code(body, names):
    """The body of a page, its code without elements and in one frame instead of two."""

    def plain(match):
        found = runs_of(match[2], names)
        if found is None:
            return match[0]
        text, runs = found
        attribute = f' data-runs="{runs}"' if runs else ""
        return f"{match[1]}{attribute}>{html.escape(text, quote=False)}</pre>"

    return CODE.sub(plain, FRAMES.sub(r'<div class="highlight \1">\2</div>', body))


def sheet(shades):
    """The style sheet that gives each name its two colors."""
    return "\n".join(
        f'html[data-theme="{theme}"] .highlight pre::highlight(abh-{name}) {{ color: {pair[place]}; }}'
        for place, theme in enumerate(("light", "dark"))
        for name, pair in shades.items()
        if pair[place]
    )


def of(options):
    """What ``colors`` gives for the theme's options."""
    return colors(options["pygments_light_style"], options["pygments_dark_style"])


def thin(app, pagename, templatename, context, doctree):
    if context.get("body"):
        names, _ = of(app.config.html_theme_options)
        context["body"] = with_plain_code(context["body"], names)
        if "data-runs=" in context["body"]:
            app.add_js_file("code.js", loading_method="defer")


def write_sheet(app):
    """Write the style sheet into a folder that Sphinx copies to ``_static``."""
    if app.builder.format == "html":
        _, shades = of(app.config.html_theme_options)
        (app.abh_static / "code.css").write_text(sheet(shades), encoding="utf-8")
        app.add_css_file("code.css")


def configure(app, config):
    config.html_static_path.append(str(Path(__file__).parent / "static"))


def setup(app):
    app.connect("config-inited", configure)
    app.connect("builder-inited", write_sheet, priority=600)  # when the folder is there
    app.connect("html-page-context", thin, priority=790)  # scripts are counted behind it
