"""The picture of a small figure on paper, drawn from the same parts as in the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from attn._numbers import INDEXED

if TYPE_CHECKING:
    from types import ModuleType

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Part = Mapping[str, Any]
Numbers = Mapping[str, Any]


def formulas(text: str) -> str:
    """A label in which d_k and σ_q are formulas."""
    return INDEXED.sub(r"$\1_\2$", text)


def _row(values: Any) -> np.ndarray:
    return np.atleast_2d(np.asarray(values, dtype=float))[0]


def _columns(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    values, (low, high) = _row(numbers[part["name"]]), part["ends"]
    places = np.arange(len(values))
    ax.bar(places, values.clip(low, high), width=0.68, color=plots.COLORS[part["role"]])
    for place, value in zip(places, values, strict=True):
        text = plots.number(value, weight=part["weight"])
        up = value >= 0
        ax.annotate(
            text, (place, min(max(value, low), high)), (0, 3 if up else -3), textcoords="offset points",
            ha="center", va="bottom" if up else "top",
        )  # fmt: skip
    ax.axhline(0, color=plots.COLORS["edge"], linewidth=0.8)
    room = 0.12 * (high - low)
    ax.set(xlim=(-0.6, len(values) - 0.4), ylim=(low - (room if low < 0 else 0), high + room), yticks=[])
    ax.set_xticks(places, [formulas(name) for name in part["names"]])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title(formulas(part["label"]), loc="left")


def _curve(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    name = part["name"]
    lines = np.atleast_2d(numbers[name])
    x = np.linspace(float(part["x"][0]), float(part["x"][1]), lines.shape[1])
    at = float(np.asarray(numbers[part["at"]]).item())
    for line, now, dash, text in zip(
        lines, np.asarray(numbers[f"{name}_now"]).ravel(), ("-", "--", ":", "-."), part["names"], strict=False
    ):
        ax.plot(x, line.clip(*part["ends"]), dash, color=plots.COLORS["v"])
        ax.plot(
            at, np.clip(now, *part["ends"]), "o", color=plots.COLORS["v"], markerfacecolor="white", zorder=3
        )
        ax.annotate(
            formulas(text),
            (x[-1], line[-1].clip(*part["ends"])),
            (5, 0),
            textcoords="offset points",
            va="center",
        )
    first, second = part["ticks"]
    ax.set_xticks(first, [plots.number(2**tick if part["power"] else tick) for tick in first])
    ax.set_yticks(second, [plots.number(tick) for tick in second])
    first, second = map(formulas, part["axes"])
    ax.set(xlabel=first, ylabel=second, ylim=part["ends"])


def _histogram(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    shares, law = _row(numbers[part["name"]]), _row(numbers[part["law"]])
    edges = np.linspace(float(part["x"][0]), float(part["x"][1]), len(shares) + 1)
    ax.bar(
        edges[:-1], shares, width=np.diff(edges), align="edge", color=plots.COLORS["fill"], edgecolor="white"
    )
    ax.plot((edges[1:] + edges[:-1]) / 2, law, "-", color=plots.COLORS["ink"])
    ax.set_xticks(part["ticks"], [plots.number(tick) for tick in part["ticks"]])
    ax.set(xlabel=part["axis"], ylim=(0, part["ends"][1]))


def _grid(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    values = np.atleast_2d(numbers[part["name"]])
    rows, cols = part["rows"][: values.shape[0]], part["cols"][: values.shape[1]]
    if part["weight"]:
        plots.weights(ax, values, rows=rows, columns=cols, title=part["label"])
    else:
        plots.signed(ax, values, rows=rows, columns=cols, domain=part["ends"][1], title=part["label"])


def _line(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    values, weights = _row(numbers[part["name"]]), _row(numbers[part["weights"]])
    result = float(_row(numbers[part["result"]])[0])
    ax.axhline(0, color=plots.COLORS["edge"], linewidth=1)
    ax.scatter(values, np.zeros(len(values)), s=1500 * weights, color=plots.COLORS["v"], alpha=0.85, zorder=2)
    for value, name in zip(values, part["names"], strict=True):
        ax.annotate(name, (value, 0), (0, 22), textcoords="offset points", ha="center")
    ax.plot(result, -0.35, "^", color=plots.COLORS["ink"], markersize=11)
    ax.annotate(
        f"{part['says']} {plots.number(result)}", (result, -0.35), (0, -16), textcoords="offset points",
        ha="center", va="center", weight="bold",
    )  # fmt: skip
    ax.set_xticks(part["ticks"], [plots.number(tick) for tick in part["ticks"]])
    ax.set(xlim=part["ends"], ylim=(-1, 1), yticks=[])
    ax.spines[["left"]].set_visible(False)


def _plane(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    for start, end in part["segments"]:
        (x1, y1), (x2, y2) = _row(numbers[start]), _row(numbers[end])
        ax.plot([x1, x2], [y1, y2], ":", color=plots.COLORS["edge"])
    for name, told, role in part["arrows"]:
        for (x, y), text in zip(np.atleast_2d(numbers[name]), told, strict=True):
            how = {"arrowstyle": "->", "color": plots.COLORS[role], "linewidth": 2.5}
            ax.annotate("", (x, y), (0, 0), arrowprops=how)
            ax.annotate(
                text, (x, y), (6, 6), textcoords="offset points", color=plots.COLORS[role], weight="bold"
            )
    for name, told, role in part["points"]:
        for (x, y), text in zip(np.atleast_2d(numbers[name]), told, strict=True):
            ax.plot(x, y, "o", color=plots.COLORS[role])
            ax.annotate(text, (x, y), (0, 8), textcoords="offset points", ha="center", weight="bold")
    ax.set(xlim=part["ends"], ylim=part["ends"], aspect="equal", xticks=[], yticks=[])


def _figures(plots: ModuleType, ax: Axes, part: Part, numbers: Numbers) -> None:
    lines = [
        f"{formulas(label)}: {plots.number(float(np.asarray(numbers[name]).item()))}"
        for name, label in zip(part["names"], part["labels"], strict=True)
    ]
    ax.text(0, 0.5, "\n".join(lines), va="center", fontsize=12, linespacing=1.8)
    ax.axis("off")


_DRAW: dict[str, Callable[[ModuleType, Axes, Part, Numbers], None]] = {
    "columns": _columns, "curve": _curve, "histogram": _histogram, "grid": _grid, "line": _line, "plane": _plane,
    "figures": _figures,
}  # fmt: skip


def draw(plots: ModuleType, figure: Figure, parts: Sequence[Part], numbers: Numbers) -> None:
    """Draw parts beside each other, from a figure's traits and its numbers."""
    nothing = all(part["kind"] == "columns" and not np.any(numbers[part["name"]]) for part in parts)
    figure.set_size_inches(6.4, 1.2 if nothing else 2.5)  # bars without a height need no room
    axes = np.atleast_1d(figure.subplots(1, len(parts)))
    for ax, part in zip(axes, parts, strict=True):
        _DRAW[part["kind"]](plots, ax, part, numbers)
