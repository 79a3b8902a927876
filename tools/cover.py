"""The printed book's cover, and the page behind it."""

import base64
import html

import numpy as np

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from attn.positional import sinusoidal_encoding
from tools.environment import ROOT

MARK = ROOT / "bookext" / "static" / "favicon.svg"
TOKENS = 14


def weights():
    """Attention among tokens that know nothing but where they stand, under a causal mask."""
    places = sinusoidal_encoding(TOKENS, 32)
    return scaled_dot_product_attention(2 * places, places, places, causal_mask(TOKENS))[1]


def drawing(table):
    """A table of weights in the book's own signs: a square as large as the weight, a hatch over what is hidden."""
    n, step = len(table), 20
    shapes = []
    for i, row in enumerate(table):
        for j, weight in enumerate(row):
            if j > i:
                shapes.append(
                    f'<rect x="{j * step + 2}" y="{i * step + 2}" width="16" height="16" fill="url(#hatch)"/>'
                )
                continue
            side = 16 * np.sqrt(weight / table.max())
            at = [place * step + step / 2 - side / 2 for place in (j, i)]
            shapes.append(
                f'<rect x="{j * step + 2}" y="{i * step + 2}" width="16" height="16" class="cell"/>'
                f'<rect x="{at[0]:.2f}" y="{at[1]:.2f}" width="{side:.2f}" height="{side:.2f}" class="weight"/>'
            )
    return f"""<svg class="drawing" viewBox="0 0 {n * step} {n * step}" xmlns="http://www.w3.org/2000/svg" role="img"
aria-label="A table of attention weights under a causal mask: squares as large as the weights, hidden cells hatched">
<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<path d="M0 0V4" stroke="#777" stroke-width=".9"/></pattern></defs>
{"".join(shapes)}</svg>"""


def mark():
    """The book's mark; its own styles stay inside."""
    data = base64.b64encode(MARK.read_bytes()).decode()
    return f'<img class="book-mark" alt="" src="data:image/svg+xml;base64,{data}" />'


def front(about):
    """The cover and the page behind it."""
    title, author = html.escape(about["title"]), html.escape(about["author"])
    return f"""<header id="cover">
{mark()}
<p class="title">{title}</p>
<p class="promise">Take a transformer’s attention apart with your own hands.</p>
{drawing(weights())}
<p class="author">{author}</p>
</header>
<section id="imprint">
<p><strong>{title}</strong></p>
<p>© {html.escape(str(about["copyright"]))} {author}. The code is under the MIT License, the text and the pictures under
CC BY 4.0. You may print, copy and change this book, if you say where it comes from.</p>
<p><strong>On the cover:</strong> the attention weights of {TOKENS} tokens that know nothing but where they
stand, under a causal mask. Rows are queries, columns are keys. A square is as large as its weight, and what is hatched
is hidden.</p>
<p><strong>On paper.</strong> In the book’s pages and notebooks the figures answer to your hand. Here they stand still,
each in its first state. Code that only draws or simulates is not printed; the notebooks have all of it. Questions that
ask for a guess have their answers, and exercises their solutions, at the end of the chapter, on the page that is named
beside them. A number such as “p.&nbsp;57” behind a reference is a page of this book. No color is needed to read it.</p>
</section>"""
