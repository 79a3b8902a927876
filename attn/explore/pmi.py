"""Chapter 7: how often two words meet, and the attention that follows from it."""

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn._numbers import significant
from attn.explore._base import Figure, Opening, step, story
from attn.pmi import mutual_information, npmi, pmi
from attn.softmax import softmax

ROWS = ["clear", "cloudy"]
COLUMNS = ["wet", "dry"]
UNITS = {"bits": "base 2, bits", "nats": "base e, nats"}
_MARGINS = ("p_row", "p_column")
_NONE = 1e-12  # rounding: below this a probability is 0


class PmiTable(Opening):
    """A 2 × 2 joint table with given margins, so that one number is left to move.

    Parameters
    ----------
    rows, columns : lists of two str
        What is met: the words of the queries and of the keys.
    p_11 : float
        How often the first row and the first column meet. The margins bound it (Fréchet): from
        max(0, p_row + p_column − 1) to min(p_row, p_column). If a margin moves, it stays inside.
    p_row, p_column : float in [0.05, 0.95]
        How often the first row, and the first column, come: the margins.
    unit : {"bits", "nats"}
        Of PMI, PPMI and mutual information.

    Raises
    ------
    ValueError
        If there are not two words each, or no table has these margins and this `p_11`.
    """

    view = "pmi"
    in_numpy = """
        a, r, c = {p_11}, {p_row}, {p_column}
        joint = np.array([[a, r - a], [c - a, 1 - r - c + a]])
        joint[np.abs(joint) < 1e-12] = 0
        prior = joint.sum(axis=0, keepdims=True)
        chance = joint.sum(axis=1, keepdims=True) * prior
        with np.errstate(divide="ignore"):
            nats = np.log(joint / chance)
        pmi = nats / np.log(2 if {unit} == "bits" else np.e)
        scores = nats + np.log(prior)
        weights = softmax(scores)
        mutual_information = (joint * np.where(joint > 0, pmi, 0)).sum()
    """

    rows = traitlets.List(traitlets.Unicode()).tag(sync=True)
    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    p_11 = traitlets.Float(0.1).tag(
        sync=True, label=lambda figure: f"p({figure.rows[0]}, {figure.columns[0]})", step=0.005
    )
    p_row = traitlets.Float(0.8, min=0.05, max=0.95).tag(
        sync=True, label=lambda figure: f"p({figure.rows[0]})", step=0.05
    )
    p_column = traitlets.Float(0.25, min=0.05, max=0.95).tag(
        sync=True, label=lambda figure: f"p({figure.columns[0]})", step=0.05
    )
    unit = traitlets.Enum(tuple(UNITS), "bits").tag(sync=True, label="Logarithm", options=UNITS)

    def __init__(self, rows: Sequence[str] = ROWS, columns: Sequence[str] = COLUMNS, **kwargs: Any) -> None:
        for name, words in (("rows", rows), ("columns", columns)):
            if len(words) != 2:
                raise ValueError(f"{name} must be two words, got {len(words)}")
        if "p_11" in kwargs:
            p_row, p_column = (kwargs.get(name, getattr(type(self), name).default_value) for name in _MARGINS)
            self._check(kwargs["p_11"], p_row, p_column)
        super().__init__(rows=list(rows), columns=list(columns), **kwargs)
        self._keep_inside()

    @staticmethod
    def _check(p_11: float, p_row: float, p_column: float) -> None:
        low, high = max(0.0, p_row + p_column - 1), min(p_row, p_column)
        if not low - 1e-9 <= p_11 <= high + 1e-9:
            raise ValueError(
                f"p_11 must lie from {significant(low)} to {significant(high)} where p_row is {significant(p_row)} "
                f"and p_column {significant(p_column)}, got {significant(p_11)}"
            )

    @traitlets.validate("p_11")
    def _possible(self, proposal: Any) -> float:
        try:
            self._check(proposal["value"], self.p_row, self.p_column)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return proposal["value"]

    @traitlets.observe("p_row", "p_column")
    def _keep_inside(self, change: Any = None) -> None:
        low, high = self.bounds
        inside = min(max(self.p_11, low), high)
        if abs(inside - self.p_11) > 1e-9:
            self.p_11 = inside

    def limits(self) -> dict[str, list | None]:
        return {"p_11": ["number", 0, 1]}

    def stories_told(self) -> list[dict]:
        first = {name: getattr(type(self), name).default_value for name in ("p_11", *_MARGINS)}
        return [
            story("source", "the notebook's table", **first),
            story("independent", "independent", **first | {"p_11": first["p_row"] * first["p_column"]}),
            story("never", "never together", **first | {"p_11": first["p_column"]}),
            story("only", "only together", p_11=0.25, p_row=0.25, p_column=0.25),
        ]

    def steps_of_lecture(self) -> list[dict]:
        low, high = self.bounds
        return [
            step(
                "by-chance",
                "The pair meets as often as by chance: all PMI are 0, and attention returns the prior.",
                p_11=self.p_row * self.p_column,
            ),
            step("seldom", "As seldom as the margins allow. Which cell wears a hatch?", p_11=low),
            step("often", "As often as the margins allow. Which pair never meets now?", p_11=high),
            step(
                "scores",
                "Scores are PMI plus the log of the prior; their softmax is p(j|i).",
                unit="nats",
                opened=True,
            ),
        ]

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest p_11 that the margins allow."""
        return max(0.0, self.p_row + self.p_column - 1), min(self.p_row, self.p_column)

    @property
    def joint(self) -> np.ndarray:
        """p(i, j): (2, 2)."""
        a, r, c = self.p_11, self.p_row, self.p_column
        joint = np.array([[a, r - a], [c - a, 1 - r - c + a]])
        return np.where(np.abs(joint) < _NONE, 0.0, joint)

    @property
    def scores(self) -> np.ndarray:
        """PMI in nats plus log p(j): (2, 2)."""
        return pmi(self.joint, math.e) + np.log([self.p_column, 1 - self.p_column])

    @property
    def weights(self) -> np.ndarray:
        """Their softmax, which is p(j|i): (2, 2)."""
        return softmax(self.scores)

    def matrices(self) -> dict[str, np.ndarray]:
        joint, base = self.joint, 2 if self.unit == "bits" else math.e
        margin, prior = (np.array([p, 1 - p]) for p in (self.p_row, self.p_column))
        table = pmi(joint, base)
        return {
            "joint": joint, "margin": margin[:, None], "prior": prior[None], "chance": np.outer(margin, prior),
            "pmi": table, "ppmi": np.maximum(table, 0), "npmi": npmi(joint),
            "scores": self.scores, "weights": self.weights,
        }  # fmt: skip

    def scalars(self) -> dict[str, float]:
        return {
            "mutual_information": float(mutual_information(self.joint, 2 if self.unit == "bits" else math.e))
        }

    def alt_text(self) -> str:
        return (
            f"The joint table of {' and '.join(self.rows)} with {' and '.join(self.columns)} as a square cut into "
            f"rows and split in shares, beside its PMI in {self.unit} and the attention weights p(j|i)."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        figure.set_size_inches(7.6, 2.9)
        axes = figure.subplots(1, 3, width_ratios=[1.15, 1, 1.1])
        plots.mosaic(axes[0], self.joint, rows=self.rows, columns=self.columns, title="p(i, j)")
        table = self.matrices()["pmi"]
        plots.signed(axes[1], table, rows=self.rows, columns=self.columns, title=f"PMI, {self.unit}")
        plots.weights(
            axes[2],
            self.weights,
            mask=self.joint > 0,
            rows=["", ""],
            columns=self.columns,
            title="p(j|i)",
            most=3,
        )
