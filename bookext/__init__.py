"""The book's own Sphinx extension: it makes the built pages self-contained and brings the explorables to life.

=================  ================================================================================================
module             what it does
=================  ================================================================================================
``stale``          ties the execution cache to the contents of ``attn/``: a change there re-executes every page
``explorables``    one script with all explorables, a slot with a still picture for each, the widget state of a page
``heights``        the room that a page keeps for a figure until it is alive, as it was measured
``fonts``          the book's type, for text, headings, figures and code
``formulas``       mathematics as MathML, made at build time, in parts between which a line may end
``offline``        a dozen icons instead of an icon library, pictures with their size, no request leaves home
``run``            *Run*, *Edit* and *Check* on cells: Python in the page, which ``pyodide`` gets and packs
``explore_pages``  a page of its own for each figure, under ``explore/``
``markup``         valid HTML and roles where extensions write other; a picture's code below it, under a small word
``lines``          long lines of code under a hanging indent on a phone
``pytorch``        the ``{pytorch}`` directive: a passage in PyTorch, run by hand and stored
``path``           arrows that lead from a chapter to its practice; further pages beside them
``practice``       the page *Practice*: all exercises by chapter, and the recall cards as a file for Anki
``terms``          a link to a term of the notation page opens what it means where it stands
``typography``     no line that begins with the comma of a formula, no link that begins with a space
``openings``       how pages open: emblems, cards on the front page, where the reader was
``whereabouts``    the map of a transformer at a chapter's opening, its part lit
``minutes``        how long a chapter takes, by one rule
``elsewhere``      the chapter in Colab, Binder and as a notebook, where the repository's public address is known
``search``         search by section: the sections as one script, and the page that asks them
``safety``         a Content-Security-Policy in each page
``lighter``        pages with less in them: style sheets, font, elements of code; it could be deleted
``stills``         pictures as parts of the page, in its colors and its type
``claims``         the ``{claims}`` directive: the claims ledger as the page *How we know*
=================  ================================================================================================
"""

from importlib import import_module

#: In the order in which they are set up.
MODULES = (
    *(
        "stale",
        "quick",
        "fonts",
        "formulas",
        "offline",
        "explorables",
        "stills",
        "markup",
        "elsewhere",
    ),
    *(
        "openings",
        "claims",
        "path",
        "pytorch",
        "practice",
        "terms",
        "typography",
        "lines",
        "run",
        "explore_pages",
        "search",
    ),
    "safety",
)


def setup(app):
    for name in MODULES:
        import_module(f"bookext.{name}").setup(app)
    app.setup_extension("bookext.lighter")  # what only serves smallness; pages are right without it
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
