"""Pictures for the chapters and for paper. Each function takes an ``ax``, draws, and returns it.

The visual language is that of the explorables (``explore/js/explore.css``): hue says whose it is, length says how much,
hatching says "may not look", and the number is always there.
"""

from __future__ import annotations

from contextlib import contextmanager

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Polygon, Rectangle

from attn import _numbers

#: Whose it is. The same values stand in explore.css; a test compares them.
COLORS = {
    "q": "#004c97", "k": "#b8500a", "v": "#007a5e", "ink": "#222832", "soft": "#48566b", "fill": "#8a939f",
    "gray": "#8c8c8c", "raised": "#f3f4f5", "page": "#ffffff", "line": "#c3c9d0", "edge": "#75808d",
    "low": "#b35806", "high": "#2166ac",
}  # fmt: skip
#: Signed numbers: orange below zero, blue above, zero always in the middle.
SIGNED = LinearSegmentedColormap.from_list("signed", [COLORS["low"], COLORS["raised"], COLORS["high"]])
#: How a curve's role shows without color.
DASHES = {"q": "-", "k": "--", "v": (0, (1, 1)), "ink": "-"}

_STYLE = {
    "figure.facecolor": COLORS["page"], "axes.facecolor": COLORS["page"], "savefig.facecolor": COLORS["page"],
    "axes.edgecolor": COLORS["edge"], "axes.labelcolor": COLORS["ink"], "text.color": COLORS["ink"],
    "xtick.color": COLORS["soft"], "ytick.color": COLORS["soft"], "axes.spines.top": False, "axes.spines.right": False,
    "font.size": 11, "axes.titlesize": 11, "axes.titleweight": "bold", "hatch.linewidth": 0.8,
    "figure.constrained_layout.use": True, "figure.dpi": 110, "savefig.dpi": 110,
}  # fmt: skip


@contextmanager
def style():
    """The book's look, for the figures drawn inside the block."""
    with mpl.rc_context(_STYLE):
        yield


def use_style() -> None:
    """The book's look, for all figures of a notebook."""
    mpl.rcParams.update(_STYLE)


def number(value: float, *, weight: bool = False) -> str:
    """A number as the book prints it: two decimals, integers bare, a true minus; no weight is rounded to 0 or 1."""
    return _numbers.weight(value) if weight else _numbers.number(value)


def _frame(ax, shape, rows, columns, title):
    n, m = shape
    ax.set(xlim=(-0.5, m - 0.5), ylim=(n - 0.5, -0.5), aspect="equal", title=title)
    ax.set_xticks(range(m), columns if columns is not None else range(m))
    ax.set_yticks(range(n), rows if rows is not None else range(n))
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    if max(shape) > 16:
        ax.set_xticks([])
        ax.set_yticks([])


def _hatch(ax, i, j):
    ax.add_patch(
        Rectangle(
            (j - 0.46, i - 0.46),
            0.92,
            0.92,
            facecolor="none",
            edgecolor=COLORS["edge"],
            hatch="////",
            linewidth=0,
        )
    )


def weights(ax, weights, *, mask=None, rows=None, columns=None, title=""):
    """Attention weights: a bar under each number, over [0, 1] from left to right; what is hidden is hatched.

    Parameters
    ----------
    weights : (n_q, n_k) array in [0, 1]
    mask : (n_q, n_k) bool array, optional
        True = may look.
    rows, columns : lists of str, optional
        Words of the queries and of the keys.
    """
    weights = np.asarray(weights)
    _frame(ax, weights.shape, rows, columns, title)
    if max(weights.shape) > 16:
        shown = weights if mask is None else np.where(mask, weights, np.nan)
        ax.imshow(
            shown,
            cmap=LinearSegmentedColormap.from_list("ink", [COLORS["raised"], COLORS["ink"]]),
            vmin=0,
            vmax=1,
        )
        if mask is not None:
            ax.contourf(~np.asarray(mask), levels=[0.5, 1.5], colors="none", hatches=["////"])
        return ax
    for (i, j), value in np.ndenumerate(weights):
        hidden = mask is not None and not mask[i, j]
        ax.add_patch(
            Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, facecolor=COLORS["page" if hidden else "raised"])
        )
        if hidden:
            _hatch(ax, i, j)
        else:
            ax.plot([j - 0.38, j + 0.38], [i + 0.38] * 2, color=COLORS["line"], linewidth=0.8)
            ax.add_patch(Rectangle((j - 0.38, i + 0.22), 0.76 * value, 0.16, facecolor=COLORS["fill"]))
        box = {"facecolor": COLORS["page"], "edgecolor": "none", "pad": 1.5} if hidden else None
        ax.text(j, i - (0 if hidden else 0.1), number(value, weight=True), ha="center", va="center", bbox=box)
    for i, total in enumerate(weights.sum(axis=-1)):
        text = number(1.0 if abs(total - 1) < 1e-9 else total, weight=True)
        ax.text(weights.shape[1] - 0.4, i, f"Σ {text}", va="center", color=COLORS["soft"])
    return ax


def glasses(ax, weights, *, columns=None, title=""):
    """One row of weights as tall glasses, filled from the bottom.

    Parameters
    ----------
    weights : (n,) array in [0, 1]
    columns : list of str, optional
        Default 1 … n.
    """
    weights = np.asarray(weights)
    for j, value in enumerate(weights):
        ax.add_patch(Rectangle((j - 0.44, 0), 0.88, 1, facecolor=COLORS["raised"]))
        ax.add_patch(Rectangle((j - 0.44, 0), 0.88, value, facecolor=COLORS["fill"], alpha=0.62))
        ax.text(j, 1.04, number(value, weight=True), ha="center")
    ax.set(xlim=(-0.5, len(weights) - 0.5), ylim=(0, 1.16), yticks=[], title=title)
    ax.set_xticks(range(len(weights)), columns if columns is not None else range(1, len(weights) + 1))
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return ax


def signed(ax, values, *, role="ink", rows=None, columns=None, domain=3.0, title=""):
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
        hidden = np.isneginf(value)
        ax.add_patch(
            Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, facecolor=COLORS["page" if hidden else "raised"])
        )
        if hidden:
            _hatch(ax, i, j)
        else:
            ax.plot([j, j], [i + 0.24, i + 0.42], color=COLORS["edge"], linewidth=0.8)
            ax.add_patch(
                Rectangle((j, i + 0.29), 0.46 * np.clip(value / domain, -1, 1), 0.09, facecolor=COLORS[role])
            )
        box = {"facecolor": COLORS["page"], "edgecolor": "none", "pad": 1.5} if hidden else None
        ax.text(j, i - 0.06, number(value), ha="center", va="center", bbox=box)
    return ax


def heat(ax, values, *, rows=None, columns=None, domain=None, title=""):
    """A large signed matrix as a heat map; zero is always the middle of the scale, −∞ is hatched."""
    values = np.asarray(values)
    finite = np.isfinite(values)
    top = np.abs(values[finite]).max() if domain is None else domain
    _frame(ax, values.shape, rows, columns, title)
    ax.imshow(np.where(finite, values, np.nan), cmap=SIGNED, vmin=-top, vmax=top)
    for i, j in np.argwhere(np.isneginf(values)):
        _hatch(ax, i, j)
    return ax


def with_error(ax, x, draws, *, label="", dash="-", role="ink"):
    """The mean of many draws against x, each with its standard error as a bar.

    Parameters
    ----------
    x : (m,) array
    draws : (m, n_draws) array
    role : {"q", "k", "v", "ink"}
        The hue.
    """
    draws = np.asarray(draws)
    error = draws.std(axis=1, ddof=1) / np.sqrt(draws.shape[1])
    look = {"linestyle": dash, "color": COLORS[role], "marker": "o", "markersize": 4, "capsize": 3}
    ax.errorbar(x, draws.mean(axis=1), error, label=label or None, **look)
    return ax


def mosaic(ax, joint, *, rows=None, columns=None, title=""):
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
    ax.set_yticks(bottom + height / 2, rows if rows is not None else range(len(joint)))
    ax.set_xticks([0.06, 0.94], columns if columns is not None else [0, 1])
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return ax


def mask(ax, mask, *, rows=None, columns=None, title=""):
    """A mask: allowed pairs are solid, hidden pairs hatched."""
    mask = np.asarray(mask)
    _frame(ax, mask.shape, rows, columns, title)
    for (i, j), allowed in np.ndenumerate(mask):
        face = COLORS["fill"] if allowed else COLORS["page"]
        ax.add_patch(
            Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, facecolor=face, alpha=0.62 if allowed else 1)
        )
        if not allowed:
            _hatch(ax, i, j)
    return ax


def mark(ax, x, text, *, height=0.95, dash="-"):
    """A vertical line at x with its name beside it, at a height from 0 to 1 of the picture."""
    ax.axvline(x, color=COLORS["ink"], linewidth=1.2, linestyle=dash)
    box = {"facecolor": COLORS["page"], "edgecolor": "none", "pad": 1.5, "alpha": 0.8}
    ax.annotate(
        text,
        (x, height),
        (5, 0),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        va="center",
        bbox=box,
    )
    return ax


def band(ax, x, draws, *, label="", dash="-"):
    """The median of many draws against x, and a band that holds their middle half.

    Parameters
    ----------
    x : (m,) array
    draws : (m, n_draws) array
    """
    low, middle, high = np.percentile(draws, [25, 50, 75], axis=1)
    ax.plot(x, middle, linestyle=dash, color=COLORS["ink"], label=label)
    ax.fill_between(x, low, high, color=COLORS["fill"], alpha=0.3, linewidth=0)
    return ax


def plane(ax, points, weights, query, output, tokens, *, keys=None, query_name="query"):
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
    points = np.asarray(points, dtype=float)
    middle = points.mean(axis=0)
    around = np.argsort(np.arctan2(*(points - middle).T[::-1]))
    ax.add_patch(Polygon(points[around], facecolor=COLORS["fill"], alpha=0.18, edgecolor=COLORS["edge"]))
    for point, weight in zip(points, weights, strict=True):
        line = {"color": COLORS["fill"], "linewidth": 14 * weight, "solid_capstyle": "round", "zorder": 1}
        ax.plot(*zip(point, output, strict=True), **line)
    if keys is None:
        ax.plot(*points.T, "o", color=COLORS["k"], zorder=2)
        _words(ax, points, tokens)
    else:
        for key, point in zip(np.asarray(keys, dtype=float), points, strict=True):
            ax.plot(*zip(key, point, strict=True), ":", color=COLORS["edge"], linewidth=1, zorder=1)
        for role, where, edge in (("k", keys, (0, (2, 1))), ("v", points, "-")):
            ring = {
                "facecolors": COLORS["page"],
                "edgecolors": COLORS[role],
                "linestyles": [edge],
                "zorder": 2,
            }
            ax.scatter(*np.transpose(where), s=230, linewidths=1.6, **ring)
            if role == "v":  # its edge is double
                ax.scatter(*np.transpose(where), s=120, linewidths=1, **ring)
            for place in where:
                ax.text(*place, role, color=COLORS[role], weight="bold", ha="center", va="center", fontsize=9)
            _words(ax, where, tokens, gap=11)
    ax.annotate("", query, (0, 0), arrowprops={"arrowstyle": "->", "color": COLORS["q"], "linewidth": 2.5})
    ax.annotate(query_name, query, (8, 4), textcoords="offset points", color=COLORS["q"], weight="bold")
    ax.plot(*output, "o", color=COLORS["v"], markersize=12, markeredgecolor=COLORS["page"], zorder=3)
    ax.set(xlim=(-3.4, 3.4), ylim=(-3.4, 3.4), aspect="equal", xticks=[], yticks=[])
    return ax


def _words(ax, points, tokens, gap=9):
    for point, token in zip(points, tokens, strict=True):
        offset = (0, gap if point[1] >= 0 else -9 - gap)
        halo = {"facecolor": COLORS["page"], "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
        ax.annotate(token, point, offset, textcoords="offset points", ha="center", weight="bold", bbox=halo)


def clock(ax, hands, names=(), *, roles=("q", "k"), title=""):
    """Pairs of an encoding as clock hands: the sine goes right, the cosine up, so 0 is at twelve, and time runs right.

    Parameters
    ----------
    hands : (n, 2) array
        Sine and cosine of each hand.
    names : list of str, optional
        Written at the tips.
    roles : sequence of {"q", "k", "v", "ink"}
        Whose each hand is; the last serves all further ones.
    """
    turn = np.linspace(0, 2 * np.pi, 121)
    ax.plot(np.sin(turn), np.cos(turn), color=COLORS["edge"], linewidth=1)
    ax.plot([0, 0], [0.9, 1], color=COLORS["edge"], linewidth=1)
    for index, (x, y) in enumerate(np.asarray(hands)):
        role = roles[min(index, len(roles) - 1)]
        ax.plot([0, x], [0, y], linestyle=DASHES[role], color=COLORS[role], linewidth=2)
        ax.plot([x], [y], "o", color=COLORS[role], markersize=5)
        if index < len(names):
            far = 1.15 + 0.2 * index  # names of hands that coincide stand one behind the other
            ax.text(far * x, far * y, names[index], color=COLORS[role], ha="center", va="center")
    ax.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal", xticks=[], yticks=[], title=title)
    ax.spines[:].set_visible(False)
    return ax


def waves(ax, x, lines, *, xlabel="", ylabel="", title=""):
    """Curves over one variable, each told apart by its dash and named at its right end.

    Parameters
    ----------
    x : (n,) array
    lines : dict of str to (n,) array
    """
    dashes = ["-", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2))]
    for index, (name, y) in enumerate(lines.items()):
        ax.plot(
            x, y, linestyle=dashes[index % 4], color=COLORS[("v", "k", "q", "ink")[index % 4]], label=name
        )
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    if len(lines) > 1:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def learning(ax, steps, curves, *, wall=0.75, title=""):
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
        ax.text(most, wall + 0.01, f"{wall:.0%}", ha="right", va="bottom", color=COLORS["soft"])
    for accuracy in curves:
        ax.plot(steps, accuracy, color=COLORS["v"], linewidth=1.4, alpha=0.8)
    ax.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    ticks = [0, most // 20, most // 5, most // 2, most]
    ax.set_xticks(ticks, [str(int(tick)) for tick in ticks])
    ax.set(xlim=(0, most), ylim=(0.2, 1.03), xlabel="steps", ylabel="accuracy", title=title)
    return ax


def ends(ax, runs, *, wall=0.75, title=""):
    """Where many runs end: for each group a histogram of accuracies up to its fullest bin, and a stroke for each run.

    Parameters
    ----------
    runs : dict of str to (n,) array
        A row for each group, the first on top.
    wall : float or None
        Where to draw a line.
    """
    bins = np.linspace(0.24, 1.0, 77) + 0.005  # 0.75 and 1 are in the middle of a bin
    if wall is not None:
        ax.axvline(wall, color=COLORS["ink"], linestyle=(0, (2, 2)), linewidth=1)
    for row, accuracies in enumerate(runs.values()):
        counts, _ = np.histogram(accuracies, bins)
        ax.bar(
            bins[:-1] + 0.005,
            0.75 * counts / counts.max(),
            0.009,
            bottom=-row,
            color=COLORS["v"],
            linewidth=0,
        )
        ax.plot(
            accuracies,
            np.full(len(accuracies), -row - 0.07),
            "|",
            color=COLORS["ink"],
            markersize=4,
            alpha=0.5,
        )
    ax.set_yticks(-np.arange(len(runs)), list(runs))
    ax.set(xlim=(0.24, 1.02), ylim=(0.3 - len(runs), 0.95), xlabel="accuracy", title=title)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def xor_plane(ax, points, readout, bias, *, reach=3.4):
    """What is read of the four pairs of bits, the rope between the equal pairs, and the readout's line.

    Parameters
    ----------
    points : (4, 2) array
        For (0, 0), (1, 0), (0, 1), (1, 1).
    readout : (2,) array
    bias : float
        Where readout · point + bias is above zero, the plane is gray: there the readout says 1.
    reach : float, optional
        The picture goes from −reach to reach both ways.
    """
    points, readout = np.asarray(points, dtype=float), np.asarray(readout, dtype=float)
    grid = np.linspace(-reach, reach, 201)
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
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    return ax


def hull(ax, along):
    """Where the unequal pairs of many networks lie on their ropes: 0 is the end of (0, 0), 1 that of (1, 1).

    Parameters
    ----------
    along : (n, 2) array
        Of each network, the places of (1, 0) and of (0, 1). XOR would need a point in a hatched corner: both
        below 0, or both above 1.
    """
    for corner in (-0.35, 1.0):
        ax.add_patch(
            Rectangle(
                (corner, corner),
                0.35,
                0.35,
                facecolor="none",
                edgecolor=COLORS["edge"],
                hatch="////",
                linewidth=0,
            )
        )
    ax.add_patch(Rectangle((0, 0), 1, 1, facecolor=COLORS["raised"], edgecolor=COLORS["ink"], linewidth=1.5))
    ax.plot(
        *np.asarray(along).T,
        ".",
        color=COLORS["v"],
        markersize=2,
        alpha=0.4,
        markeredgewidth=0,
        rasterized=True,
    )
    ax.set(xlim=(-0.35, 1.35), ylim=(-0.35, 1.35), aspect="equal", xticks=[0, 1], yticks=[0, 1])
    ax.set(xlabel="place of (1, 0) on the rope", ylabel="place of (0, 1)")
    return ax


def votes(ax, first, second, others=0.0, *, title=""):
    """The four pairs of bits by the votes of their tokens, and the line where all votes sum to zero.

    Parameters
    ----------
    first, second : (2,) arrays
        The votes of the first and the second token, for bit 0 and bit 1.
    others : float, optional
        The sum of all other tokens' votes.
    """
    corners = [(first[a], second[b]) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1))]
    values = np.array([*corners, (0, -others), (-others, 0)])
    low, high = values.min() - 1, values.max() + 1
    ax.fill_between(
        [low, high], [-others - low, -others - high], high, color=COLORS["fill"], alpha=0.3, linewidth=0
    )
    ax.plot([low, high], [-others - low, -others - high], color=COLORS["ink"], linewidth=2)
    width, height = np.array(corners[3]) - corners[0]
    ax.add_patch(
        Rectangle(corners[0], width, height, facecolor="none", edgecolor=COLORS["fill"], linewidth=4)
    )
    for point, text, full in zip(corners, ("00", "10", "01", "11"), (False, True, True, False), strict=True):
        face = COLORS["v"] if full else COLORS["page"]
        ax.plot(
            *point, "o", color=face, markersize=11, markeredgecolor=COLORS["v"], markeredgewidth=2.5, zorder=3
        )
        _words(ax, [point], [text])
    ax.set(xlim=(low, high), ylim=(low, high), aspect="equal", title=title)
    ax.set(xlabel="vote of the first token", ylabel="vote of the second token")
    return ax
