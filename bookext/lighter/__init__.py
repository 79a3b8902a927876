"""What only serves smallness: pages are as right without it, and heavier.

Delete this folder and the line that names it in ``bookext/__init__.py``, and the book builds, reads and prints as
before. What the other modules write is whole: code with an element for each word, the whole font of formulas, the
theme's style sheets and scripts as they are.

===========  ==========================================================================================================
module       what it does
===========  ==========================================================================================================
``code``     code as plain text that a script colors, without an element for each word
``sheets``   one style sheet without unused rules in place of a dozen; scripts wait until the page stands
``font``     the font of formulas, cut down to the characters that are used, there before the first paint
``theme``    the theme's script does not measure the page after each drag
===========  ==========================================================================================================
"""

from bookext.lighter import code, sheets, theme


def setup(app):
    for module in (code, sheets, theme):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
