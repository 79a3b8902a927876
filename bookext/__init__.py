"""The book's own Sphinx extension: it makes the built pages self-contained and brings the explorables to life.

=================  ================================================================================================
module             what it does
=================  ================================================================================================
``stale``          ties the execution cache to the contents of ``attn/``: a change there re-executes every page
``explorables``    one script with all explorables, a slot with a still picture for each, the widget state of a page
``code``           code as plain text that a script colors, without an element for each word
``formulas``       mathematics as MathML, made at build time, in parts between which a line may end
``offline``        a dozen icons instead of an icon library, pictures with their size, no request leaves home
``lean``           one style sheet without unused rules; a font cut to what formulas need, there before the first paint
``explore_pages``  a page of its own for each figure, under ``explore/``
``access``         roles that browsers refuse, and a name that would be said twice, taken out
``typography``     no line that begins with the comma of a formula, no link that begins with a space
``elsewhere``      the chapter in Colab, Binder and as a notebook, where the repository's public address is known
``safety``         a Content-Security-Policy in each page
``claims``         the ``{claims}`` directive: the claims ledger as the page *How we know*
=================  ================================================================================================
"""

from bookext import (
    access,
    claims,
    code,
    elsewhere,
    explorables,
    explore_pages,
    formulas,
    lean,
    offline,
    quick,
    safety,
    stale,
    typography,
)


def setup(app):
    for module in (
        stale,
        quick,
        formulas,
        offline,
        explorables,
        code,
        access,
        elsewhere,
        claims,
        typography,
        lean,
        explore_pages,
        safety,
    ):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
