"""Pictures for the chapters and for paper. Each function takes an ``ax``, draws, and returns it.

The visual language is that of the explorables (``explore/js/explore.css``): hue says whose it is, length says how much,
hatching says "may not look", and the number is always there.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attn import _numbers
from attn.show.palette import COLORS

try:
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch, Polygon, Rectangle
    from matplotlib.path import Path
except ImportError as error:
    raise ImportError('attn.plots needs matplotlib: pip install "attention-by-hand[plots]"') from error

#: How a curve's role shows without color.
DASHES = {"q": "-", "k": "--", "v": (0, (1, 1)), "ink": "-"}

_STYLE: dict[Any, Any] = {
    "figure.facecolor": COLORS["page"], "axes.facecolor": COLORS["page"], "savefig.facecolor": COLORS["page"],
    "axes.edgecolor": COLORS["edge"], "axes.labelcolor": COLORS["ink"], "text.color": COLORS["ink"],
    "xtick.color": COLORS["soft"], "ytick.color": COLORS["soft"], "axes.spines.top": False, "axes.spines.right": False,
    "font.size": 11, "axes.titlesize": 11, "axes.titleweight": "bold", "hatch.linewidth": 0.8,
    "figure.constrained_layout.use": True, "figure.dpi": 110, "savefig.dpi": 110,
}  # fmt: skip


@contextmanager
def style() -> Iterator[None]:
    """The book's look, for the figures drawn inside the block."""
    with mpl.rc_context(_STYLE):
        yield


def use_style() -> None:
    """The book's look, for all figures of a notebook.

    The book's build sets ``ATTN_STILLS``: then each figure is sent as a part of a page (``attn.show.stills``), in place
    of the PNG that notebooks keep.
    """
    mpl.rcParams.update(_STYLE)
    if os.environ.get("ATTN_STILLS"):
        from matplotlib.figure import Figure
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        from attn.show.stills import still

        Figure._repr_svg_ = still  # type: ignore[attr-defined]  # IPython asks for it; a formatter would be taken out
        set_matplotlib_formats()  # no other


def number(value: float, *, weight: bool = False, most: int = 2) -> str:
    """A number as the book prints it: two decimals, integers bare, a true minus; no weight is rounded to 0 or 1."""
    return _numbers.weight(value, most) if weight else _numbers.number(value)


def _frame(
    ax: Axes, shape: tuple[int, ...], rows: Sequence[str] | None, columns: Sequence[str] | None, title: str
) -> None:
    n, m = shape
    ax.set(xlim=(-0.5, m - 0.5), ylim=(n - 0.5, -0.5), aspect="equal", title=title)
    ax.set_xticks(range(m), columns if columns is not None else map(str, range(m)))
    ax.set_yticks(range(n), rows if rows is not None else map(str, range(n)))
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    if max(shape) > 16:
        ax.set_xticks([])
        ax.set_yticks([])


def _bare(ax: Axes) -> None:
    """A plane without numbers: a quiet frame in place of axes."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=COLORS["line"], linewidth=0.8)


def _hatch(ax: Axes, corner: tuple[float, float], side: float) -> None:
    look: dict[str, Any] = {"facecolor": "none", "edgecolor": COLORS["edge"], "hatch": "////", "linewidth": 0}
    ax.add_patch(Rectangle(corner, side, side, **look))


def _tints(ax: Axes, shares: np.ndarray, role: str) -> None:
    """Cells in a color over the ground, by its share of each, from 0 to 1 or NaN: one path for each of 32 steps."""
    steps = np.round(32 * shares)
    for step in np.unique(steps[steps > 0]):
        edges = np.diff(np.pad(steps == step, [(0, 0), (1, 1)]).astype(int))
        (i, j), (_, k) = np.nonzero(edges > 0), np.nonzero(edges < 0)  # neighbors in a row are one piece
        corners = np.array([[j, i], [k, i], [k, i + 1], [j, i + 1]]) - 0.5
        path = Path.make_compound_path_from_polys(corners.transpose(2, 0, 1))
        look: dict[str, Any] = {"facecolor": COLORS[role], "alpha": step / 32, "linewidth": 0}
        ax.add_patch(PathPatch(path, antialiased=False, snap=True, **look))


def _cell(ax: Axes, i: int, j: int, text: str, *, hidden: bool, above: float) -> None:
    """The ground of a cell, hatched if nobody may look, with a number `above` its middle, where its bar goes below."""
    corner, ground = (j - 0.46, i - 0.46), COLORS["page" if hidden else "raised"]
    ax.add_patch(Rectangle(corner, 0.92, 0.92, facecolor=ground, zorder=0.5))
    if hidden:
        _hatch(ax, corner, 0.92)
    box = {"facecolor": COLORS["page"], "edgecolor": "none", "pad": 1.5} if hidden else None
    ax.text(j, i - above, text, ha="center", va="center", bbox=box)


def weights(
    ax: Axes,
    weights: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    most: int = 2,
) -> Axes:
    """Attention weights: a bar under each number, over [0, 1] from left to right; what is hidden is hatched.

    More than eight are a heat map, as on the page, whose ink grows as the square root of the weight: most are small.

    Parameters
    ----------
    weights : (n_q, n_k) array in [0, 1]
    mask : (n_q, n_k) bool array, optional
        True = may look.
    rows, columns : lists of str, optional
        Words of the queries and of the keys.
    most : int, optional
        Up to how many decimals a weight may have that ends there: with three, 0.125.
    """
    weights = np.asarray(weights)
    mask = None if mask is None else np.asarray(mask)
    _frame(ax, weights.shape, rows, columns, title)
    if max(weights.shape) > 8:
        shown = weights if mask is None else np.where(mask, weights, np.nan)
        _tints(ax, np.where(np.isnan(shown), np.nan, 1), "raised")
        _tints(ax, np.sqrt(shown), "ink")
        ax.set_xlabel("ink grows as the square root of the weight", color=COLORS["soft"])
        if mask is not None:
            ax.contourf(~mask, levels=[0.5, 1.5], colors="none", hatches=["////"])
        return ax
    for (i, j), value in np.ndenumerate(weights):
        hidden = mask is not None and not mask[i, j]
        _cell(ax, i, j, number(value, weight=True, most=most), hidden=hidden, above=0 if hidden else 0.1)
        if not hidden:
            ax.plot([j - 0.38, j + 0.38], [i + 0.38] * 2, color=COLORS["line"], linewidth=0.8, zorder=0.8)
            ax.add_patch(Rectangle((j - 0.38, i + 0.22), 0.76 * value, 0.16, facecolor=COLORS["fill"]))
    for i, total in enumerate(weights.sum(axis=-1)):
        text = number(1.0 if abs(total - 1) < 1e-9 else total, weight=True)
        ax.text(weights.shape[1] - 0.4, i, f"Σ {text}", va="center", color=COLORS["soft"])
    return ax


def arcs(ax: Axes, weights: ArrayLike, words: Sequence[str], *, faders: Sequence[float] = (1.0, 1.0)) -> Axes:
    """Draw what two heads look at: arcs of the first above a line of words, of the second below it.

    An arc leads from each word to each word that it looks at, as thick as the weight times the head's fader, and is
    dashed where the fader is below 0.

    Parameters
    ----------
    weights : (2, n, n) array in [0, 1]
        Of each head; rows are queries.
    words : list of n str
    faders : two floats
        By what each head is multiplied.

    Raises
    ------
    ValueError
        If `weights` is not a table of all words by all words for each of two heads.
    """
    weights = np.asarray(weights)
    n = len(words)
    if weights.shape != (2, n, n):
        raise ValueError(f"weights must be (2, n, n) for n = {n} words, got {weights.shape}")
    for x, word in enumerate(words):
        ax.text(x, 0, word, ha="center", va="center", weight="bold", color=COLORS["ink"])
    for head, side in enumerate((1, -1)):
        said = f"{'+' * (faders[head] > 0)}{_numbers.number(faders[head], 1)} · head {head + 1}"
        ax.text(n - 0.35, 0.75 * side, said, ha="right", va="center", color=COLORS["soft"], size="small")
        for (i, j), weight in np.ndenumerate(weights[head]):
            thick = 7 * abs(faders[head]) * weight
            if thick < 0.1:
                continue
            aside = 0.09 * np.sign(j - i)
            outward = -1 if 2 * i < n else 1  # where no other word is
            start, end = (i + aside, j - aside) if i != j else (i + 0.03 * outward, i + 0.17 * outward)
            far = (0.75 + 0.6 * abs(i - j) / max(1, n - 1)) * (0.7 if j > i else 1)
            way = [(start, 0.25), (start, 0.25 + far), (end, 0.25 + far), (end, 0.35)]
            path = Path([(x, side * y) for x, y in way], [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
            dashes = "-" if faders[head] > 0 else (0, (1.5, 0.8))
            ax.add_patch(
                PathPatch(path, fill=False, linewidth=thick, linestyle=dashes, edgecolor=COLORS["fill"])
            )
            tip = {"marker": "v" if side > 0 else "^", "markersize": 1.9 * thick, "markeredgewidth": 0}
            ax.plot(end, 0.32 * side, color=COLORS["fill"], **tip)
    ax.set(xlim=(-0.5, n - 0.3), ylim=(-1.4, 1.4))
    ax.set_axis_off()
    return ax


def glasses(ax: Axes, weights: ArrayLike, *, title: str = "") -> Axes:
    """One row of weights, (n,) in [0, 1], as tall glasses, filled from the bottom and numbered from 1."""
    weights = np.asarray(weights)
    for j, value in enumerate(weights):
        ax.add_patch(Rectangle((j - 0.44, 0), 0.88, 1, facecolor=COLORS["raised"]))
        ax.add_patch(Rectangle((j - 0.44, 0), 0.88, value, facecolor=COLORS["fill"]))
        ax.text(j, 1.04, number(value, weight=True), ha="center")
    ax.set(xlim=(-0.5, len(weights) - 0.5), ylim=(0, 1.16), yticks=[], title=title)
    ax.set_xticks(range(len(weights)), map(str, range(1, len(weights) + 1)))
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return ax


def signed(
    ax: Axes,
    values: ArrayLike,
    *,
    role: str = "ink",
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    domain: float = 3.0,
    title: str = "",
) -> Axes:
    """A matrix of signed numbers: a bar from a center line under each number, in the hue of its role.

    Parameters
    ----------
    values : (n, m) array
        −∞ is drawn hatched.
    role : {"q", "k", "v", "ink"}
    domain : float
        What a full bar stands for.
    """
    values = np.asarray(values)
    _frame(ax, values.shape, rows, columns, title)
    for (i, j), value in np.ndenumerate(values):
        hidden = bool(np.isneginf(value))
        _cell(ax, i, j, number(value), hidden=hidden, above=0.06)
        if not hidden:
            ax.plot([j, j], [i + 0.24, i + 0.42], color=COLORS["edge"], linewidth=0.8, zorder=0.8)
            ax.add_patch(
                Rectangle((j, i + 0.29), 0.46 * np.clip(value / domain, -1, 1), 0.09, facecolor=COLORS[role])
            )
    return ax


def heat(
    ax: Axes,
    values: ArrayLike,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    domain: float | None = None,
    title: str = "",
) -> Axes:
    """A large signed matrix as a heat map; zero is always the middle of the scale, −∞ is hatched.

    Signed numbers: orange below zero, blue above. The words below say how far the scale goes. Printed in gray both
    ends of it are alike, so a line runs through what is below zero.
    """
    values = np.asarray(values)
    finite = np.isfinite(values)
    top = np.abs(values[finite]).max() if domain is None else domain
    _frame(ax, values.shape, rows, columns, title)
    shares = np.where(finite, values, 0) / top
    _tints(ax, np.where(finite, 1, np.nan), "raised")
    _tints(ax, shares.clip(0, 1), "high")
    _tints(ax, (-shares).clip(0, 1), "low")
    i, j = np.nonzero(finite & (values < 0))
    ax.hlines(i, j - 0.3, j + 0.3, color=COLORS["ink"], linewidth=0.8)
    ends = f"from {number(-top)}, orange and lined, to {number(top)}, blue"
    ax.set_xlabel(ends, color=COLORS["soft"])
    for i, j in np.argwhere(np.isneginf(values)):
        _hatch(ax, (j - 0.46, i - 0.46), 0.92)
    return ax


def with_error(ax: Axes, x: ArrayLike, draws: ArrayLike, *, dash: str = "-") -> Axes:
    """The mean of many draws, (m, n_draws), against x, (m,), each with its standard error as a bar."""
    draws = np.asarray(draws)
    error = draws.std(axis=1, ddof=1) / np.sqrt(draws.shape[1])
    look: dict[str, Any] = {"color": COLORS["ink"], "marker": "o", "markersize": 4, "capsize": 3}
    ax.errorbar(x, draws.mean(axis=1), error, linestyle=dash, **look)
    return ax


def means(
    x: ArrayLike,
    curves: Mapping[str, Sequence[ArrayLike | None]],
    *,
    titles: Sequence[str],
    xlabel: str,
    log: Sequence[str] = (),
) -> np.ndarray:
    """Panels side by side of means against x, each with its standard error as a bar; names where they differ most.

    Parameters
    ----------
    x : (m,) array
    curves : mapping of str to a sequence of (m, n_draws) arrays, one a panel
        An (m,) array is a plain line; None is no curve in that panel.
    titles : sequence of str, one a panel
    xlabel : str
    log : sequence of {"", "x", "xy"}, one a panel
        Which axes are logarithmic; the others of a panel begin at 0.

    Returns
    -------
    axes : (n_panels,) array of matplotlib axes
    """
    from matplotlib import pyplot as plt

    _, axes = plt.subplots(1, len(titles), figsize=(9.2, 3.2))
    axes = np.atleast_1d(axes)
    for panel, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        drawn: dict[str, np.ndarray] = {}
        for (name, each), dash in zip(curves.items(), _DASHES_IN_TURN, strict=False):
            values = each[panel]
            if values is None:
                continue
            y = np.asarray(values)
            if y.ndim == 1:
                ax.plot(x, y, linestyle=dash, color=COLORS["edge"])
            else:
                with_error(ax, x, y, dash=dash)
            drawn[name] = y if y.ndim == 1 else y.mean(axis=1)
        ax.set(title=title, xlabel=xlabel)
        logarithmic = log[panel] if log else ""
        if "x" in logarithmic:
            ax.set_xscale("log")
        if "y" in logarithmic:
            ax.set_yscale("log")
        else:
            ax.set_ylim(0, None)
        if len(drawn) > 1:
            _names_where_apart(ax, np.asarray(x), drawn)
    return axes


def _names_where_apart(ax: Axes, x: np.ndarray, curves: Mapping[str, np.ndarray]) -> None:
    """The names of falling curves, where these lie furthest apart: of the higher ones above, of the lowest below."""
    places = np.array([ax.transData.transform(np.column_stack([x, y]))[:, 1] for y in curves.values()])
    inside = slice(1, -1) if len(x) > 3 else slice(None)  # at an end a name would stand on its neighbor
    at = int(np.argmax(np.ptp(places[:, inside], axis=0))) + (len(x) > 3)
    lowest = int(np.argmin(places[:, at]))
    for index, (name, y) in enumerate(curves.items()):
        below = index == lowest
        offset, ha = (-6, -6) if below else (8, 4), "right" if below and at else "left"
        look: dict[str, Any] = {"ha": ha, "va": "top" if below else "bottom", "fontsize": 11}
        ax.annotate(name, (x[at], y[at]), offset, textcoords="offset points", **look)


def mosaic(
    ax: Axes,
    joint: ArrayLike,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
) -> Axes:
    """A joint table as a unit square: rows as high as p(i), each split in the shares p(j|i), a dashed line at p(j).

    Parameters
    ----------
    joint : (n, 2) array that sums to one
    rows, columns : lists of str, optional
    """
    joint = np.asarray(joint)
    height, split = joint.sum(axis=1), joint[:, 0] / joint.sum(axis=1)
    bottom = 1 - np.cumsum(height)
    for i, (low, tall, share) in enumerate(zip(bottom, height, split, strict=True)):
        for j, (start, wide) in enumerate(((0, share), (share, 1 - share))):
            face = COLORS["fill" if j == 0 else "raised"]
            ax.add_patch(
                Rectangle((start, low), wide, tall, facecolor=face, edgecolor=COLORS["page"], linewidth=2.5)
            )
            if wide > 0.18:
                ax.text(start + wide / 2, low + tall / 2, number(joint[i, j]), ha="center", va="center")
    ax.plot([joint[:, 0].sum()] * 2, [-0.03, 1.03], "--", color=COLORS["ink"], linewidth=1.5)
    ax.set(xlim=(0, 1), ylim=(-0.04, 1.04), title=title)
    ax.set_yticks(bottom + height / 2, rows if rows is not None else map(str, range(len(joint))))
    ax.set_xticks([0.06, 0.94], columns if columns is not None else ["0", "1"])
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return ax


def mark(ax: Axes, x: float, text: str, *, height: float = 0.95, dash: str = "-", left: bool = False) -> Axes:
    """A vertical line at x with its name beside it, right or left, at a height from 0 to 1 of the picture."""
    ax.axvline(x, color=COLORS["ink"], linewidth=1.2, linestyle=dash)
    box = {"facecolor": COLORS["page"], "edgecolor": "none", "pad": 1.5, "alpha": 0.8}
    offset, ha = (-5, "right") if left else (5, "left")
    where = ("data", "axes fraction"), "offset points"
    ax.annotate(text, (x, height), (offset, 0), *where, ha=ha, va="center", bbox=box)
    return ax


def panels(
    x: np.ndarray,
    curves: Mapping[str, Sequence[np.ndarray]],
    *,
    titles: Sequence[str],
    xlabel: str,
    ylabel: str = "",
) -> np.ndarray:
    """Panels side by side, each with a curve a name, whose names stand beside them where they end furthest apart.

    Parameters
    ----------
    x : (m,) array of positive numbers
        Drawn on a scale of powers of two.
    curves : mapping of str to a sequence of (m,) arrays, one a panel
    titles : sequence of str, one a panel
    xlabel, ylabel : str
        The second stands beside the first panel alone, and then all have one scale.

    Returns
    -------
    axes : (n_panels,) array of matplotlib axes
    """
    from matplotlib import pyplot as plt

    _, axes = plt.subplots(1, len(titles), figsize=(9.2, 3.0), sharey=bool(ylabel))
    axes, apart = np.atleast_1d(axes), []
    for panel, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        for (name, each), dash in zip(curves.items(), _DASHES_IN_TURN, strict=False):
            ax.plot(x, each[panel], linestyle=dash, color=COLORS["ink"], label=name)
        ax.set(title=title, xlabel=xlabel)
        ax.set_xscale("log", base=2)
        ticks = x[0], x[len(x) // 2], x[-1]
        ax.set_xticks(ticks, [f"1/{number(1 / at)}" if at < 1 else number(at) for at in ticks])
        ends = np.sort([float(line.get_ydata()[-1]) for line in ax.lines])
        apart.append(min(np.diff(ends), default=1.0) / ax.get_ylim()[1])
    for ax in axes:
        ax.set_ylim(0, None)
    axes[0].set_ylabel(ylabel)
    best = axes[int(np.argmax(apart))]
    _names_beside(best, list(best.lines))
    return axes


def side_by_side(
    draw: Callable[..., Axes],
    tables: Mapping[str, ArrayLike],
    *,
    figsize: tuple[float, float] = (9.2, 3.1),
    **look: Any,
) -> np.ndarray:
    """Matrices side by side under their names, each drawn by one function of this module.

    Parameters
    ----------
    draw : weights, signed, heat or mask
        Of this module: a function of an ax and a matrix that takes a title.
    tables : mapping of str to a matrix
    figsize : (float, float)
        In inches.
    **look
        What `draw` takes, such as rows, columns, or the mask that all weights share.

    Returns
    -------
    axes : (n_tables,) array of matplotlib axes
    """
    from matplotlib import pyplot as plt

    _, axes = plt.subplots(1, len(tables), figsize=figsize, squeeze=False)
    for ax, (title, table) in zip(axes[0], tables.items(), strict=True):
        draw(ax, table, title=title, **look)
    return axes[0]


def lines(
    ax: Axes,
    x: ArrayLike,
    curves: Mapping[str, ArrayLike],
    *,
    points: Sequence[float] = (),
    marks: Mapping[str, float] | Sequence[tuple[str, float]] = (),
    xlabel: str = "",
    ylabel: str = "",
) -> Axes:
    """Curves with their names at their ends, points on them, and lines at values of x that have a name.

    Parameters
    ----------
    x : (m,) array
    curves : mapping of str to (m,) arrays
    points : sequence of float, optional
        For each curve a value of x at which it wears a point.
    marks : mapping of str to float, optional
    """
    x = np.asarray(x)
    for (name, y), dash in zip(curves.items(), _DASHES_IN_TURN, strict=False):
        ax.plot(x, y, linestyle=dash, color=COLORS["ink"], label=name)
    drawn = list(ax.lines)
    for at, y in zip(points, curves.values(), strict=False):
        ax.plot(at, np.interp(at, x, np.asarray(y)), "o", color=COLORS["v"])
    for turn, (name, at) in enumerate(dict(marks).items()):
        mark(ax, at, name, height=(0.93, 0.06)[turn % 2], left=at > 0.7 * x[-1])
    ax.set(xlabel=xlabel, ylabel=ylabel)
    _names_beside(ax, drawn)
    return ax


#: Curves that differ by their dashes alone, in the order in which they are drawn.
_DASHES_IN_TURN = ("-", "--", ":", "-.")


def _names_beside(ax: Axes, curves: Iterable[Any]) -> None:
    """The names of curves beside their ends, in place of a legend; at least 9.5 % of the height apart."""
    low, high = ax.get_ylim()
    ends = sorted(
        (float(line.get_ydata()[-1] - low) / (high - low), line.get_label(), line.get_color())
        for line in curves
    )
    heights = [height for height, _, _ in ends]
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + 0.095)
    above = max(0, heights[-1] - 1)  # the picture
    for height, (_, name, color) in zip(heights, ends, strict=True):
        place, beside = (1, height - above), ((6, 0), "axes fraction", "offset points")
        ax.annotate(name, place, *beside, va="center", fontsize=11, color=color)


def histogram(
    ax: Axes,
    values: ArrayLike,
    *,
    bins: ArrayLike,
    marks: Mapping[str, float] | Sequence[tuple[str, float]] = (),
    middle: float | None = None,
    xlabel: str = "",
    ylabel: str = "",
) -> Axes:
    """How often values fall between the edges of bins, with some of them marked by name.

    Parameters
    ----------
    values : (n,) array
    bins : (m + 1,) array
        Edges.
    marks : mapping of str to float
        Lines with their names, from the top down.
    middle : float, optional
        The share of the values that a gray band behind holds, such as 0.95.
    """
    ax.hist(values, bins=np.asarray(bins).tolist(), color=COLORS["fill"])
    if middle is not None:
        low, high = np.quantile(np.asarray(values), [(1 - middle) / 2, (1 + middle) / 2])
        ax.axvspan(low, high, color=COLORS["line"], alpha=0.35, zorder=0)
    for turn, (name, x) in enumerate(dict(marks).items()):
        mark(ax, x, name, height=0.95 - 0.11 * turn, dash=_DASHES_IN_TURN[turn % len(_DASHES_IN_TURN)])
    ax.set(xlabel=xlabel, ylabel=ylabel)
    return ax


def plane(
    ax: Axes,
    points: ArrayLike,
    weights: ArrayLike,
    query: ArrayLike,
    output: ArrayLike,
    tokens: Sequence[str],
    *,
    keys: ArrayLike | None = None,
    query_name: str = "query",
) -> Axes:
    """Words as points, the query as an arrow, lines as thick as the weights, the output inside the words' hull.

    Parameters
    ----------
    points : (n, 2) array
        The values.
    weights : (n,) array
    query, output : (2,) arrays
    tokens : list of str
    keys : (n, 2) array, optional
        Where they are not the values: keys and values become rings with a letter, tied word by word.
    query_name : str, optional
    """
    points, output = np.asarray(points, dtype=float), np.asarray(output, dtype=float)
    tip_x, tip_y = np.asarray(query, dtype=float)
    middle = points.mean(axis=0)
    around = np.argsort(np.arctan2(*(points - middle).T[::-1]))
    ax.add_patch(Polygon(points[around], facecolor=COLORS["fill"], alpha=0.18, edgecolor=COLORS["edge"]))
    for point, weight in zip(points, np.asarray(weights), strict=True):
        line: dict[str, Any] = {
            "color": COLORS["fill"],
            "linewidth": 14 * weight,
            "solid_capstyle": "round",
            "zorder": 1,
        }
        ax.plot(*zip(point, output, strict=True), **line)
    if keys is None:
        ax.plot(*points.T, "o", color=COLORS["k"], zorder=2)
        _words(ax, points, tokens)
    else:
        keys = np.asarray(keys, dtype=float)
        for key, point in zip(keys, points, strict=True):
            ax.plot(*zip(key, point, strict=True), ":", color=COLORS["edge"], linewidth=1, zorder=1)
        for role, where, edge in (("k", keys, (0, (2, 1))), ("v", points, "-")):
            ring: dict[str, Any] = {
                "facecolors": COLORS["page"],
                "edgecolors": COLORS[role],
                "linestyles": [edge],
                "zorder": 2,
            }
            ax.scatter(where[:, 0], where[:, 1], s=290, linewidths=1.6, **ring)
            if role == "v":  # its edge is double
                ax.scatter(where[:, 0], where[:, 1], s=190, linewidths=1, **ring)
            for x, y in where:
                ax.text(x, y, role, color=COLORS[role], weight="bold", ha="center", va="center", fontsize=11)
            _words(ax, where, tokens, gap=11)
    ax.annotate(
        "", (tip_x, tip_y), (0, 0), arrowprops={"arrowstyle": "->", "color": COLORS["q"], "linewidth": 2.5}
    )
    ax.annotate(
        query_name, (tip_x, tip_y), (8, 4), textcoords="offset points", color=COLORS["q"], weight="bold"
    )
    ax.plot(*output, "o", color=COLORS["v"], markersize=12, markeredgecolor=COLORS["page"], zorder=3)
    ax.set(xlim=(-3.4, 3.4), ylim=(-3.4, 3.4), aspect="equal")
    _bare(ax)
    return ax


def _words(
    ax: Axes, points: Iterable[np.ndarray | tuple[float, float]], tokens: Sequence[str], gap: float = 9
) -> None:
    for (x, y), token in zip(points, tokens, strict=True):
        offset = (0, gap if y >= 0 else -9 - gap)
        halo = {"facecolor": COLORS["page"], "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
        ax.annotate(token, (x, y), offset, textcoords="offset points", ha="center", weight="bold", bbox=halo)


def clock(
    ax: Axes,
    hands: ArrayLike,
    names: Sequence[str] = (),
    *,
    title: str = "",
) -> Axes:
    """Pairs of an encoding as clock hands: the sine goes right, the cosine up, so 0 is at twelve, and time runs right.

    Parameters
    ----------
    hands : (n, 2) array
        Sine and cosine of each hand.
    names : list of str, optional
        Written at the tips. The first hand is a query's, all others are keys'.
    """
    turn = np.linspace(0, 2 * np.pi, 121)
    ax.plot(np.sin(turn), np.cos(turn), color=COLORS["edge"], linewidth=1)
    ax.plot([0, 0], [0.9, 1], color=COLORS["edge"], linewidth=1)
    for index, (x, y) in enumerate(np.asarray(hands)):
        role = "k" if index else "q"
        ax.plot([0, x], [0, y], linestyle=DASHES[role], color=COLORS[role], linewidth=2)
        ax.plot([x], [y], "o", color=COLORS[role], markersize=5)
        if index < len(names):
            far = 1.15 + 0.2 * index  # names of hands that coincide stand one behind the other
            ax.text(far * x, far * y, names[index], color=COLORS[role], ha="center", va="center")
    ax.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal", xticks=[], yticks=[], title=title)
    ax.spines[:].set_visible(False)
    return ax


def learning(
    ax: Axes,
    steps: Sequence[int] | np.ndarray,
    curves: Iterable[ArrayLike],
    *,
    wall: float | None = 0.75,
    title: str = "",
) -> Axes:
    """Accuracy against the steps of training, one line for each seed, and a line at what theory allows.

    The steps stand on a root scale: most happens at the start.

    Parameters
    ----------
    steps : (m,) array
    curves : sequence of (m,) arrays
    wall : float or None
        Where to draw the line.
    """
    most = max(steps)
    if wall is not None:
        ax.axhline(wall, color=COLORS["ink"], linestyle=(0, (2, 2)), linewidth=1)
        ax.text(most, wall + 0.01, f"{100 * wall:.0f} %", ha="right", va="bottom", color=COLORS["soft"])
    for accuracy in curves:
        ax.plot(steps, accuracy, color=COLORS["v"], linewidth=1.4, alpha=0.8)
    ax.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    ticks = [0, most // 20, most // 5, most // 2, most]
    ax.set_xticks(ticks, [str(int(tick)) for tick in ticks])
    ax.set(xlim=(0, most), ylim=(0.2, 1.03), xlabel="steps", ylabel="accuracy", title=title)
    return ax


def training(
    runs: Mapping[str, Sequence[Any]],
) -> np.ndarray:
    """Panels of :func:`learning`, two in a row, one for each group of runs, with its name above.

    Parameters
    ----------
    runs : mapping of str to a sequence of histories
        Each with its `steps`, (m,), and its `accuracy`, (m,), as `attn.xor.train` returns them.

    Returns
    -------
    axes : (n_groups,) array of matplotlib axes
    """
    from matplotlib import pyplot as plt

    rows = -(-len(runs) // 2)
    size = (6.8, 2.4 * rows + 0.2)
    figure, axes = plt.subplots(rows, 2, figsize=size, sharex=True, sharey=True, squeeze=False)
    figure.set_layout_engine("constrained", w_pad=0.14)  # the last step of one panel and the 0 of the next
    for ax, (name, histories) in zip(axes.flat, runs.items(), strict=False):
        learning(ax, histories[0].steps, [one.accuracy for one in histories], title=name)
        ax.label_outer()
    for ax in axes.flat[len(runs) :]:
        ax.set_visible(False)
    return axes.ravel()[: len(runs)]


def ends(ax: Axes, runs: Mapping[str, np.ndarray]) -> Axes:
    """Where many runs end: for each group a histogram of accuracies up to its fullest bin, and a stroke for each run.

    Parameters
    ----------
    runs : dict of str to (n,) array
        A row for each group, the first on top. A line stands at 75 %, the wall of one head.
    """
    bins = np.linspace(0.24, 1.0, 77) + 0.005  # 0.75 and 1 are in the middle of a bin
    ax.axvline(0.75, color=COLORS["ink"], linestyle=(0, (2, 2)), linewidth=1)
    ax.annotate("75 %", (0.75, 1), (-4, 0), ("data", "axes fraction"), "offset points", ha="right", va="top")
    for row, accuracies in enumerate(runs.values()):
        counts, _ = np.histogram(accuracies, bins)
        tall = 0.75 * counts / counts.max()
        ax.bar(bins[:-1] + 0.005, tall, 0.009, bottom=-row, color=COLORS["v"], linewidth=0)
        under = np.full(len(accuracies), -row - 0.07)
        ax.plot(accuracies, under, "|", color=COLORS["ink"], markersize=4, alpha=0.5)
    ax.set_yticks(-np.arange(len(runs)), list(runs))
    ax.set(xlim=(0.24, 1.02), ylim=(0.3 - len(runs), 0.95), xlabel="accuracy")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def xor_plane(ax: Axes, points: ArrayLike, readout: ArrayLike, bias: float) -> Axes:
    """What is read of the four pairs of bits, the segment between the equal pairs, and the readout's line.

    Parameters
    ----------
    points : (4, 2) array
        For (0, 0), (1, 0), (0, 1), (1, 1).
    readout : (2,) array
    bias : float
        Where readout · point + bias is above zero, the plane is gray: there the readout says 1.
    """
    points, readout = np.asarray(points, dtype=float), np.asarray(readout, dtype=float)
    reach = 3.4  # the picture goes from −reach to reach both ways
    grid = np.linspace(-reach, reach, 3)  # the output is linear, so three places say where it is zero
    output = readout[0] * grid[None, :] + readout[1] * grid[:, None] + bias
    if output.min() < 0 < output.max():
        ax.contourf(grid, grid, output, levels=[0, output.max()], colors=[COLORS["gray"]], alpha=0.4)
        ax.contour(grid, grid, output, levels=[0], colors=[COLORS["ink"]], linewidths=2)
    ax.plot(*points[[0, 3]].T, color=COLORS["fill"], linewidth=5, solid_capstyle="round", zorder=1)
    together = np.allclose(points[1], points[2], atol=0.25)
    names = ["00", "10, 01", "", "11"] if together else ["00", "10", "01", "11"]
    if np.allclose(points[0], points[3], atol=0.25):
        names[0], names[3] = "00, 11", ""
    for point, text, full in zip(points, names, [False, True, True, False], strict=True):
        face = COLORS["v"] if full else COLORS["page"]
        ax.plot(
            *point, "o", color=face, markersize=11, markeredgecolor=COLORS["v"], markeredgewidth=2.5, zorder=3
        )
        if text:
            _words(ax, [point], [text])
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    _bare(ax)
    return ax


def hull(ax: Axes, along: ArrayLike) -> Axes:
    """Where the unequal pairs of many networks lie on their segments: 0 is the end of (0, 0), 1 that of (1, 1).

    Parameters
    ----------
    along : (n, 2) array
        Of each network, the places of (1, 0) and of (0, 1). XOR would need a point in a hatched corner: both
        below 0, or both above 1.
    """
    for corner in (-0.35, 1.0):
        _hatch(ax, (corner, corner), 0.35)
    ax.add_patch(Rectangle((0, 0), 1, 1, facecolor=COLORS["raised"], edgecolor=COLORS["ink"], linewidth=1.5))
    look: dict[str, Any] = {"color": COLORS["v"], "alpha": 0.4, "markersize": 2, "markeredgewidth": 0}
    ax.plot(*np.asarray(along).T, ".", rasterized=True, **look)
    ax.set(xlim=(-0.35, 1.35), ylim=(-0.35, 1.35), aspect="equal", xticks=[0, 1], yticks=[0, 1])
    ax.set(xlabel="place of (1, 0) on the segment", ylabel="place of (0, 1)")
    return ax
