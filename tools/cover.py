"""The printed book's cover, and the page behind it."""

import html

from bookext.openings import emblem
from tools.environment import ROOT

#: Attention among 14 tokens under a causal mask: a square as large as the weight, a hatch over what is hidden.
DRAWING = ROOT / "tools" / "cover.svg"


def front(about):
    """The cover and the page behind it."""
    title, author = html.escape(about["title"]), html.escape(about["author"])
    return f"""<header id="cover">
{emblem(None)}
<p class="title">{title}</p>
<p class="promise">Take a transformer’s attention apart with your own hands.</p>
{DRAWING.read_text(encoding="utf-8")}
<p class="author">{author}</p>
</header>
<section id="imprint">
<p><strong>{title}</strong></p>
<p>© {html.escape(str(about["copyright"]))} {author}. The code is under the MIT License, the text and the pictures under
CC BY 4.0. You may print, copy and change this book, if you say where it comes from.</p>
<p><strong>On the cover:</strong> the attention weights of 14 tokens that know nothing but where they
stand, under a causal mask. Rows are queries, columns are keys. A square is as large as its weight, and what is hatched
is hidden.</p>
<p><strong>On paper.</strong> In the book’s pages and notebooks the figures answer to your hand. Here they stand still,
each in its first state. Code that only draws or simulates is not printed; the notebooks have all of it. Questions that
ask for a guess have their answers, and exercises their solutions, at the end of the chapter, on the page that is named
beside them. A number such as “p.&nbsp;57” behind a reference is a page of this book. No color is needed to read it.</p>
</section>"""
