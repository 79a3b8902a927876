"""Everything that a page needs comes from the book itself, and little of it.

* The theme's icon library is 1.5 MB; the book uses a dozen icons, which ``static/book.css`` draws.
* Scripts that the book does not use are left out.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
#: In the address of a script or in its text: icons, Sphinx's own search, the theme's version switcher.
UNUSED = (
    *("fontawesome.js", "searchtools.js", "language_data.js", "searchindex.js", "sphinx_highlight.js"),
    *("documentation_options.pagename", "documentation_options.search_as_you_type"),
    "documentation_options.theme_",
)


def configure(app, config):
    config.html_static_path.append(str(HERE / "static"))
    config.templates_path.insert(0, str(HERE / "templates"))
    config.nb_ipywidgets_js = {}


def without_unused(head):
    """Jinja filter: drop the scripts that the book does not use from a piece of the page's head."""
    return re.sub(
        r"<(?:script[^>]*src|link rel=\"preload\"[^>]*href)=\"([^\"]*)\"[^>]*>(?:</script>)?\s*",
        lambda match: "" if any(name in match[1] for name in UNUSED) else match[0],
        str(head),
    )


def without_neighbors(head):
    """Jinja filter: drop the links to the next and previous page from a piece of the page's head.

    Firefox loads the next page in advance, which the page's own policy refuses with a complaint on the console, and
    which would cost a reader's line. The arrows at the page's foot are what readers use.
    """
    return re.sub(r'<link rel="(?:next|prev)"[^>]*>\s*', "", str(head))


def add_filters(app):
    if app.builder.format == "html":
        for head_filter in (without_unused, without_neighbors):
            app.builder.templates.environment.filters[head_filter.__name__] = head_filter


def trim_scripts(app, pagename, templatename, context, doctree):
    """Leave out scripts that the book does not use, inline ones too."""

    def unused(script):
        text = f"{getattr(script, 'filename', script) or ''} {getattr(script, 'attributes', {}).get('body') or ''}"
        return any(name in text.lower() for name in UNUSED)

    context["script_files"] = [script for script in context["script_files"] if not unused(script)]


def setup(app):
    app.connect("config-inited", configure)
    app.connect("builder-inited", add_filters)
    app.connect("html-page-context", trim_scripts, priority=900)
    app.add_css_file("book.css")
