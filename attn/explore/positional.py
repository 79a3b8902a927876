"""Chapter 1: positions as clock hands, and the inner product that knows only how far apart they are."""

from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn._numbers import grouped, number
from attn.explore._base import Figure, Opening, step, story
from attn.positional import angular_frequencies, sinusoidal_encoding

POSITIONS = 128  # rows of the heat map
EXPONENTS = {"paper": "the paper's", "doubled": "a notebook's"}
COLUMNS = ("interleaved", "concatenated")


def _menu(own, *usual):
    """The usual numbers and the figure's own, in order, with their texts."""
    return {value: grouped(value) for value in sorted({*usual, own})}


#: What stories and lecture show.
DOUBLED = {"position": 24, "exponent": "doubled"}
FARTHER = {"offset": 6}
SLOW = {"d_model": 128, "offset": 20, "dimension": 100}


class PositionalEncoding(Opening):
    """Two positions a fixed distance apart, their encodings as clock hands, and their inner product.

    Parameters
    ----------
    position : int, 0 … 60
        The first of the two positions.
    offset : int, 0 … 64
        How far the second is from it.
    d_model : int
        Even, 2 or more; the menu offers 4 … 128.
    base : float
        1 or more.
    exponent : {"paper", "doubled"}
        The paper's exponent 2i/d_model, in which i counts pairs, or that of source 003, in which i counts dimensions.
    columns : {"interleaved", "concatenated"}
        How the heat map orders its columns: sine and cosine in turn, or all sines first.
    dimension : int
        The column of the heat map whose wave is drawn.

    Raises
    ------
    ValueError
        If `d_model` is odd or below 2, or `base` is below 1.
    """

    view = "positional"
    in_numpy = """
        position, offset, d_model = {position}, {offset}, {d_model}
        column = np.arange(d_model)
        exponent = 2 * (column // 2 if {exponent} == "paper" else column) / d_model
        angles = np.arange(128)[:, None] * {base} ** -exponent
        encoding = np.where(column % 2, np.cos(angles), np.sin(angles))
        dot = encoding[position] @ encoding[position + offset]
        if {columns} == "concatenated":
            encoding = np.hstack([encoding[:, 0::2], encoding[:, 1::2]])
    """

    position = traitlets.Int(1, min=0, max=60).tag(sync=True, label="Slide both positions", step=1)
    offset = traitlets.Int(3, min=0, max=64).tag(sync=True, label="Distance", step=1)
    d_model = traitlets.Int(4, min=2, max=512).tag(
        sync=True, label="d_model", options=lambda figure: _menu(figure.d_model, 4, 8, 16, 32, 64, 128)
    )
    base = traitlets.Float(10000.0, min=1).tag(
        sync=True, label="base", options=lambda figure: _menu(figure.base, 10, 100, 1000, 10000, 500000)
    )
    exponent = traitlets.Enum(tuple(EXPONENTS), "paper").tag(sync=True, label="Formula", options=EXPONENTS)
    columns = traitlets.Enum(COLUMNS, "interleaved").tag(sync=True, label="Columns", options=COLUMNS)
    dimension = traitlets.Int(0, min=0).tag(sync=True, label="Dimension", step=1)

    def __init__(self, d_model: int = 4, base: float = 10000.0, **kwargs: Any) -> None:
        d_model, base = int(d_model), float(base)  # a menu gives text
        angular_frequencies(d_model, base)  # raises what is wrong with them
        super().__init__(d_model=d_model, base=base, **kwargs)

    @traitlets.validate("d_model")
    def _even(self, proposal: Any) -> int:
        angular_frequencies(proposal["value"])
        return proposal["value"]

    def limits(self) -> dict[str, list | None]:
        return {"base": ["number", 1, 10**6], "dimension": ["int", 0, 511]}

    def stories_told(self) -> list[dict]:
        first = {
            name: trait.default_value for name, trait in self.traits().items() if name in self.state_traits()
        }
        del first["opened"]
        return [
            story("shift", "the shift", **first),
            story("notebook", "the notebook", **first | DOUBLED),
            story("alias", "nearer, less alike", **first | FARTHER),
            story("slow", "slow clocks", **first | SLOW),
        ]

    def steps_of_lecture(self) -> list[dict]:
        return [
            step("slide", "Both positions move on together. Does the inner product?", position=24),
            step(
                "doubled",
                "The same two positions with a notebook's formula. What happened to the clocks?",
                **DOUBLED,
            ),
            step(
                "farther",
                "With the paper's formula again, farther apart. Does the inner product always fall?",
                **FARTHER,
                opened=True,
            ),
            step(
                "slow",
                "More dimensions: late ones turn so slowly that they hardly move.",
                **SLOW,
                opened=True,
            ),
        ]

    @property
    def frequencies(self) -> np.ndarray:
        """Radians a position, one for each dimension, sine and cosine in turn: (d_model,)."""
        if self.exponent == "paper":
            return np.repeat(angular_frequencies(self.d_model, self.base), 2)
        return self.base ** (-2 * np.arange(self.d_model) / self.d_model)

    @property
    def interleaved(self) -> np.ndarray:
        """The encoding of positions 0 … 127, sine and cosine in turn: (128, d_model)."""
        if self.exponent == "paper":
            return sinusoidal_encoding(POSITIONS, self.d_model, self.base)
        angles = np.arange(POSITIONS)[:, None] * self.frequencies
        return np.where(np.arange(self.d_model) % 2 == 0, np.sin(angles), np.cos(angles))

    @property
    def encoding(self) -> np.ndarray:
        """The encoding as the heat map orders it: (128, d_model)."""
        table = self.interleaved
        return table if self.columns == "interleaved" else np.hstack([table[:, 0::2], table[:, 1::2]])

    @property
    def clocks(self) -> np.ndarray:
        """The pairs that are drawn as clocks: all up to four, else four of them, the first and the last included."""
        pairs = self.d_model // 2
        return np.arange(pairs) if pairs <= 4 else np.arange(4) * (pairs - 1) // 3

    def matrices(self) -> dict[str, np.ndarray]:
        two = self.interleaved[[self.position, self.position + self.offset]].reshape(2, -1, 2)
        shown = two[:, self.clocks]
        return {
            "hands": shown.reshape(2, -1),
            "adds": (shown[0] * shown[1]).sum(axis=-1)[None],
            "encoding": self.encoding,
        }

    @property
    def dot(self) -> float:
        """The big number: PE(position) · PE(position + offset)."""
        here, there = self.interleaved[[self.position, self.position + self.offset]]
        return float(here @ there)

    def scalars(self) -> dict[str, float]:
        pairs = self.d_model // 2
        column = min(self.dimension, self.d_model - 1)
        own = column if self.columns == "interleaved" else 2 * (column % pairs) + column // pairs
        here = self.interleaved[self.position]
        return {
            "dot": self.dot,
            "squared_length": float(here @ here),
            "wavelength": float(2 * np.pi / self.frequencies[own]),
        }

    def alt_text(self) -> str:
        return (
            f"The encodings of positions {self.position} and {self.position + self.offset} as the hands of "
            f"{len(self.clocks)} clocks, and their inner product, {number(self.dot, 4)}."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        axes = np.atleast_1d(figure.subplots(1, len(self.clocks)))
        hands = self.matrices()["hands"].reshape(2, -1, 2)
        names = [str(self.position), str(self.position + self.offset)]
        for ax, clock in zip(axes, range(len(self.clocks)), strict=True):
            plots.clock(ax, hands[:, clock], names, title=f"pair {self.clocks[clock]}")
        figure.suptitle(f"PE({names[0]}) · PE({names[1]}) = {number(self.dot, 4)}")
