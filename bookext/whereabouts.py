"""Where a chapter sits in a transformer: a small map at its opening, with its part lit, whose parts lead to the others.

Three rows, each the inside of a part of the row above: the model, a block, the attention in it. On a phone the map is
one line, the way to the lit part, which opens.
"""

import html
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A part of the map: its name (HTML), the chapter or the glossary term that explains it, and what it does."""

    name: str
    chapter: int | None = None
    term: str = ""
    says: str = ""


ROWS = (
    (
        "Transformer",
        (
            Part("tokens", term="token"),
            Part("embedding", term="embedding"),
            Part(
                "+ positions", 1, says="Before the first block, each token's vector is told where it stands."
            ),
            Part("blocks", 9, says="Blocks are stacked: what one layer writes, the next one reads."),
            Part("logits", term="logit"),
            Part("training", 6, says="All weights come from gradients of a loss on what the model answers."),
        ),
    ),
    (
        "Block",
        (
            Part("norm", term="LayerNorm"),
            Part(
                "attention",
                0,
                says="Attention is the one place where a word's vector meets those of other words.",
            ),
            Part("+", term="residual-connection"),
            Part("norm", term="LayerNorm"),
            Part("feed-forward", term="feed-forward-layer"),
            Part("+", term="residual-connection"),
        ),
    ),
    (
        "Attention",
        (
            Part("q, k", term="query"),
            Part(
                "rotate",
                8,
                says="Many models turn queries and keys by their positions, just before they meet.",
            ),
            Part("scores", 7, says="The scores QKᵀ say how well each key answers a query."),
            Part("÷ √d<sub>k</sub>", 2, says="The scores are divided by √d<sub>k</sub> before the softmax."),
            Part("mask", 3, says="Between scores and softmax, a mask decides which keys a query may see."),
            Part("softmax", term="softmax"),
            Part("average", 5, says="What a head returns is a weighted average of values."),
            Part(
                "heads",
                4,
                says="Several heads attend side by side, and W<sub>O</sub> adds up what they found.",
            ),
        ),
    ),
)
WAY = (9, 0)  # the chapters of the parts that the next row takes apart: the blocks, and the attention in one


def place_of(chapter):
    """The row and the part of a chapter, two numbers; None for a chapter that the map doesn't have."""
    places = ((row, at) for row, (_, parts) in enumerate(ROWS) for at in range(len(parts)))
    return next((place for place in places if ROWS[place[0]][1][place[1]].chapter == chapter), None)


def drawing(chapter, address_of):
    """The map as HTML, the chapter's part lit; `address_of` gives a link for a chapter's number or a term's name."""
    lit_row, lit = place_of(chapter)

    def item(part, row, at):
        current = ' aria-current="page"' if (row, at) == (lit_row, lit) else ""
        current = current or (' data-way=""' if row < lit_row and part.chapter == WAY[row] else "")
        address = address_of(part.term if part.chapter is None else part.chapter)
        return f'<a href="{html.escape(address)}"{current}>{part.name}</a>'

    rows = "\n".join(
        f"<p><span>{name}</span>{' '.join(item(part, row, at) for at, part in enumerate(parts))}</p>"
        for row, (name, parts) in enumerate(ROWS)
    )
    part = ROWS[lit_row][1][lit]
    way = " › ".join([*(name for name, _ in ROWS[: lit_row + 1]), f"<strong>{part.name}</strong>"])
    return (
        '<nav class="abh-where" aria-label="Where this chapter sits in a transformer"><details>'
        f"<summary>{way}</summary>\n{rows}\n<p>{part.says}</p></details></nav>"
    )


def with_map(body, chapter, address_of):
    """A chapter's page with the map below its title."""
    if place_of(chapter) is None:
        return body
    return body.replace("</h1>", f"</h1>\n{drawing(chapter, address_of)}", 1)
