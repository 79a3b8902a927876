"""Where a chapter sits in a transformer: a small map at its opening, with its part lit, whose parts lead to the others.

Three rows, each the inside of a part of the row above: the model, a block, the attention in it. On a phone the map is
one line, the way to the lit part, which opens.
"""

import html

#: Rows, and of each part its name (HTML), its chapter or the term of the glossary, and what a chapter's part does.
ROWS = {
    "Transformer": (
        ("tokens", "token"),
        ("embedding", "embedding"),
        ("+ positions", 1, "Before the first block, each token's vector is told where it stands."),
        ("blocks", 9, "Blocks are stacked: what one layer writes, the next one reads."),
        ("logits", "logit"),
        ("training", 6, "All weights come from gradients of a loss on what the model answers."),
    ),
    "Block": (
        ("norm", "LayerNorm"),
        ("attention", 0, "Attention is the one place where a word's vector meets those of other words."),
        ("+", "residual-connection"),
        ("norm", "LayerNorm"),
        ("feed-forward", "feed-forward-layer"),
        ("+", "residual-connection"),
    ),
    "Attention": (
        ("q, k", "query"),
        ("rotate", 8, "Many models turn queries and keys by their positions, just before they meet."),
        ("scores", 7, "The scores QKᵀ say how well each key answers a query."),
        ("÷ √d<sub>k</sub>", 2, "The scores are divided by √d<sub>k</sub> before the softmax."),
        ("mask", 3, "Between scores and softmax, a mask decides which keys a query may see."),
        ("softmax", "softmax"),
        ("average", 5, "What a head returns is a weighted average of values."),
        ("heads", 4, "Several heads attend side by side, and W<sub>O</sub> adds up what they found."),
    ),
}
WAY = (9, 0)  # the chapters of the parts that the next row takes apart: the blocks, and the attention in one


def place_of(chapter):
    """The row of a chapter, a number, and its part; None for a chapter that the map doesn't have."""
    found = ((row, part) for row, parts in enumerate(ROWS.values()) for part in parts if part[1] == chapter)
    return next(found, None)


def drawing(chapter, address_of):
    """The map as HTML, the chapter's part lit; `address_of` gives a link for a chapter's number or a term's name."""
    lit_row, lit = place_of(chapter)

    def item(row, part):
        on_the_way = row < lit_row and part[1] == WAY[row]
        current = ' aria-current="page"' if part is lit else ' data-way=""' if on_the_way else ""
        return f'<a href="{html.escape(address_of(part[1]))}"{current}>{part[0]}</a>'

    rows = "\n".join(
        f"<p><span>{name}</span>{' '.join(item(row, part) for part in parts)}</p>"
        for row, (name, parts) in enumerate(ROWS.items())
    )
    name, _, says = lit
    way = " › ".join([*list(ROWS)[: lit_row + 1], f"<strong>{name}</strong>"])
    return (
        '<nav class="abh-where" aria-label="Where this chapter sits in a transformer"><details>'
        f"<summary>{way}</summary>\n{rows}\n<p>{says}</p></details></nav>"
    )


def with_map(body, chapter, address_of):
    """A chapter's page with the map below its title."""
    if place_of(chapter) is None:
        return body
    return body.replace("</h1>", f"</h1>\n{drawing(chapter, address_of)}", 1)
