"""Put numbers on the page: named matrices side by side, and tables, by one call that formats nothing by hand.

In a notebook and in the book the result is a table in the book's look; in a terminal it is the same as aligned text.
Numbers are written by the book's one rule (:mod:`attn._numbers`).
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attn._numbers import INDEXED, number, weight

#: Matrices whose rows are queries and whose columns are keys: both carry the words.
PAIRS = ("scores", "weights", "mask", "masked", "pmi", "counts", "joint")
WIDTH = 64  # characters of a line of text: what a phone shows
ALLOWED, HIDDEN = "✓", "·"


class Shown:
    """What :func:`show` and :func:`table` return: a notebook draws it, ``print`` writes it as aligned text."""

    def __init__(self, blocks: Sequence[_Block]) -> None:
        self._blocks = blocks

    def __str__(self) -> str:
        lines: list[str] = []
        for block in self._blocks:
            new = block.lines()
            room = max(map(len, lines), default=0)
            if lines and room + 3 + max(map(len, new)) <= WIDTH and len(new) == len(lines):
                lines = [f"{a:{room}}   {b}".rstrip() for a, b in zip_longest(lines, new, fillvalue="")]
            else:
                lines += ["", *new] if lines else new
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return the text and, for a notebook, a table in HTML."""
        body = "".join(block.html() for block in self._blocks)
        return {"text/plain": str(self), "text/html": f'<div class="abh-shown">{body}</div>'}


@dataclass
class _Block:
    """One table: cells of text under optional heads, a title above."""

    cells: list
    title: str = ""
    shape: str = ""
    role: str = "ink"
    heads: list | None = None
    names: list | None = None
    corner: str = ""
    hidden: frozenset = frozenset()
    last: list | None = None

    def _rows(self):
        """Cells with their heads and names, as text; the sums, if there are any, as a last column."""
        rows = [list(row) for row in self.cells]
        heads = list(self.heads) if self.heads else None
        if self.last:
            rows = [[*row, total] for row, total in zip(rows, self.last, strict=True)]
            heads = [*heads, "Σ"] if heads else [*[""] * (len(rows[0]) - 1), "Σ"]
        return heads, rows

    def lines(self):
        heads, rows = self._rows()
        named = [[name] for name in self.names] if self.names else [[] for _ in rows]
        full = [[*name, *row] for name, row in zip(named, rows, strict=True)]
        if heads:
            full = [[*([self.corner] if self.names else []), *heads], *full]
        widths = [max(len(row[c]) for row in full) for c in range(len(full[0]))]
        left = bool(self.names)
        text = [
            "  ".join(
                f"{cell:<{w}}" if left and not c else f"{cell:>{w}}"
                for c, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in full
        ]
        title = " ".join(part for part in (self.title, self.shape) if part)
        return [line.rstrip() for line in ([title] if title else []) + text]

    def html(self):
        heads, rows = self._rows()
        write = html.escape

        def head(text):  # with d_k as in the text
            return INDEXED.sub(r"<i>\1</i><sub>\2</sub>", write(text))

        parts = ["<figure>"]
        if self.title:
            shape = f' <span class="abh-shape">{write(self.shape)}</span>' if self.shape else ""
            parts.append(
                f'<figcaption class="abh-role-{self.role}"><b>{write(self.title)}</b>{shape}</figcaption>'
            )
        parts.append("<table>")
        if heads:
            full = [self.corner, *heads] if self.names else heads
            cells = "".join(f'<th scope="col">{head(text)}</th>' if text else "<td></td>" for text in full)
            parts.append(f"<thead><tr>{cells}</tr></thead>")
        parts.append("<tbody>")
        for i, row in enumerate(rows):
            name = f'<th scope="row">{head(self.names[i])}</th>' if self.names else ""
            cells = "".join(
                f'<td class="abh-hidden">{write(cell)}</td>'
                if (i, j) in self.hidden
                else f"<td>{write(cell)}</td>"
                for j, cell in enumerate(row)
            )
            parts.append(f"<tr>{name}{cells}</tr>")
        parts.append("</tbody></table></figure>")
        return "".join(parts)


def show(
    tokens: Sequence[str] | None = None,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    decimals: int = 2,
    **matrices: ArrayLike,
) -> Shown:
    """Show named matrices side by side, ``show(tokens, q=q, weights=weights)``.

    Parameters
    ----------
    tokens : sequence of n str, optional
        Names of the rows wherever a matrix has n of them; of its columns too where its name says that columns are keys
        (scores, weights, mask and the like).
    rows, columns : sequence of str, optional
        Names for matrices of that size that are not tokens.
    decimals : int
        Digits after the point; whole numbers have none.
    **matrices : array
        (n, d), or (d,) for a row. Numbers or bool (a mask: True = may look). What is called "weights" has the sums of
        its rows beside it, and no weight is rounded to 0 or 1; −∞ is hatched, as everywhere in the book.

    Returns
    -------
    Shown
        A notebook draws it; ``print`` writes it as aligned text.

    Raises
    ------
    ValueError
        If there is no matrix, or one has neither one nor two axes; the message states its shape.
    """
    if not matrices:
        raise ValueError("show needs at least one named matrix, such as weights=weights, got none")
    return Shown([_matrix(name, value, tokens, rows, columns, decimals) for name, value in matrices.items()])


def table(columns: Mapping[str, Sequence], *, decimals: int | Mapping[str, int | str] = 2) -> Shown:
    """Show columns of equal length under their names, ``table({"d_k": sizes, "variance": variances})``.

    Parameters
    ----------
    columns : mapping of str to a sequence
        Numbers, bool or text. A first column of text names the rows.
    decimals : int, or a mapping of a column's name to an int or "%"
        Digits after the point (2 for a column that is not named; whole numbers have none); "%" writes a share as
        whole percents.

    Returns
    -------
    Shown

    Raises
    ------
    ValueError
        If there is no column, or lengths differ; the message states them.
    """
    given = {
        name: list(np.asarray(values).tolist() if isinstance(values, np.ndarray) else values)
        for name, values in columns.items()
    }
    lengths = {name: len(values) for name, values in given.items()}
    if not given or len(set(lengths.values())) != 1:
        raise ValueError(f"columns must have one length, got {lengths or 'no column'}")
    digits = decimals if isinstance(decimals, Mapping) else dict.fromkeys(given, decimals)
    texts = {name: [_text(value, digits.get(name, 2)) for value in values] for name, values in given.items()}
    names = None
    first = next(iter(given))
    if len(given) > 1 and all(isinstance(value, str) for value in given[first]):
        names = texts.pop(first)
    cells = list(zip(*texts.values(), strict=True))
    return Shown([_Block(cells, heads=list(texts), names=names, corner=first if names else "")])


def _text(value, decimals):
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if decimals == "%":
        return f"{number(100 * float(value), 0)} %"
    return number(value, decimals)


def _matrix(name, value, tokens, rows, columns, decimals):
    values = np.atleast_2d(np.asarray(value))
    if np.ndim(value) not in (1, 2):
        raise ValueError(f"{name} must have one or two axes, got shape {np.shape(value)}")
    n, d = values.shape
    kind = name.split("_")
    pairs = any(part in PAIRS for part in kind)

    def fit(names, size):
        return list(names) if names is not None and len(names) == size else None

    row_names = fit(rows, n) or fit(tokens, n) if np.ndim(value) == 2 else None
    heads = fit(columns, d) or (fit(tokens, d) if pairs else None)
    common = {
        "title": name,
        "shape": " × ".join(map(str, np.shape(value))),
        "role": next(
            (role for role in "qkv" if kind[0] == role or kind[:2] == ["w", role]),
            "v" if kind[0] in ("output", "head") else "ink",
        ),
        "heads": heads,
        "names": row_names,
    }
    if values.dtype == bool:
        cells = [[ALLOWED if see else HIDDEN for see in row] for row in values]
        return _Block(cells, hidden=frozenset(zip(*np.nonzero(~values), strict=True)), **common)
    weights = "weights" in kind
    write = weight if weights and decimals == 2 else lambda x: number(x, decimals)
    cells = [[write(x) for x in row] for row in values]
    last = [weight(total) for total in values.sum(axis=1)] if weights else None
    return _Block(
        cells, hidden=frozenset(zip(*np.nonzero(np.isneginf(values)), strict=True)), last=last, **common
    )
