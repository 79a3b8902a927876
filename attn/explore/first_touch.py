"""The front door: words as points, a query arrow, and the weighted average inside their hull."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attn.attention import scaled_dot_product_attention
from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step

LOOKS = 100
#: Where in [0, 1) the looks fall: as even as can be after each of them (multiples of the golden ratio).
FALLS = (0.5 + np.arange(LOOKS) * 0.6180339887498949) % 1
TOKENS = ["the", "cat", "sat"]
POINTS = [[-2.0, -1.0], [2.2, -0.6], [-0.2, 2.2]]
TURN = {"min": -180, "max": 180, "step": 1}
LONGEST = 3.2  # so that the tip of the longest arrow stays in the picture


class FirstTouch(Opening):
    """Words as points in a plane (each is its own key and value), and one or two query arrows.

    Parameters
    ----------
    tokens : list of str
        Three or more words.
    k : (n, 2) array
        Their places: the keys, and the values too.
    angle, angle_2 : float
        Direction of a query, degrees, counter-clockwise from east.
    length, length_2 : float in [0, 3.2]
    second : bool
        Whether the second query is drawn.
    hidden : list of bool
        Which words no query may look at.
    order : list of int
        The sentence: a permutation of the words.
    looks : bool
        Whether a hundred looks of the first query are drawn as dots: as many on each word as its weight says.
    links : list of dict
        For the front page: `act`, `label`, `says`, `title`, `href` of each stop on the map.

    Raises
    ------
    ValueError
        If the shapes do not fit, or `order` is no permutation.
    """

    shows = (
        "Words as points in a plane, the query as an arrow, the output as a dot inside the hull of the words"
    )
    in_numpy = """
        k = {k}
        sentence = {order}
        hidden = {hidden}
        angle = np.deg2rad({angle})
        q = {length} * np.array([[np.cos(angle), np.sin(angle)]])
        scores = q @ k[sentence].T / np.sqrt(2)
        weights = softmax(np.where(hidden[sentence], -np.inf, scores))
        output = weights @ k[sentence]
    """

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True, state=False)
    k = traitlets.List().tag(sync=True, label="k = v", **ENTRIES)
    angle = traitlets.Float(35.0).tag(sync=True, label="Turn the query", **TURN)
    length = traitlets.Float(1.6, min=0, max=LONGEST).tag(sync=True, label="Length of the query", step=0.1)
    second = traitlets.Bool(False).tag(sync=True, label="second query")
    angle_2 = traitlets.Float(155.0).tag(sync=True, label="Turn query 2", **TURN)
    length_2 = traitlets.Float(2.4, min=0, max=LONGEST).tag(sync=True, label="Length of query 2", step=0.1)
    hidden = traitlets.List(traitlets.Bool()).tag(sync=True, label="Hide")
    order = traitlets.List(traitlets.Int()).tag(sync=True, label="The sentence")
    looks = traitlets.Bool(False).tag(sync=True, label="a hundred looks")
    links = traitlets.List(traitlets.Dict()).tag(sync=True, state=False)

    def __init__(
        self,
        tokens: Sequence[str] = TOKENS,
        k: ArrayLike = POINTS,
        hidden: Sequence[bool] | None = None,
        order: Sequence[int] | None = None,
        **kwargs: Any,
    ) -> None:
        tokens = list(tokens)
        n = len(tokens)
        if n < 3:
            raise ValueError(f"tokens must be at least three words, got {n}")
        hidden = [False] * n if hidden is None else list(hidden)
        order = list(range(n)) if order is None else list(order)
        if len(hidden) != n:
            raise ValueError(f"hidden must hold {n} booleans, got {len(hidden)}")
        if sorted(order) != list(range(n)):
            raise ValueError(f"order must be a permutation of 0 … {n - 1}, got {order}")
        super().__init__(
            tokens=tokens, k=as_matrix("k", k, rows=n, columns=2), hidden=hidden, order=order, **kwargs
        )

    def limits(self) -> dict[str, list | None]:
        return {"order": ["order", 0, len(self.tokens) - 1], "links": None}

    def entry_controls(self) -> dict[str, dict]:
        return {f"hidden.{j}": {"label": token} for j, token in enumerate(self.tokens)}

    def steps_of_lecture(self) -> list[dict]:
        return [
            step(
                "turn",
                "Turn the query: the output leans toward the words that it points at.",
                angle=100.0,
                length=LONGEST,
            ),
            step(
                "silent",
                "A query of length 0 asks for nothing: all weights are equal.",
                length=0.0,
                opened=True,
            ),
            step(
                "shuffle",
                "The words in another order: the weights move with them, the output stays.",
                order=list(reversed(range(len(self.tokens)))),
            ),
            step(
                "hide",
                "One word is hidden: the others share its weight.",
                hidden=[j == 1 for j in range(len(self.tokens))],
                opened=True,
            ),
        ]

    def _head(self, angle: float, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        q = length * np.array([[np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))]])
        k = np.array(self.k, dtype=float)[self.order]
        see = ~np.array(self.hidden)[self.order]
        output, weights = scaled_dot_product_attention(q, k, k, see[None, :])
        return q, k, weights, output

    def matrices(self) -> dict[str, np.ndarray]:
        q, k, weights, output = self._head(self.angle, self.length)
        return {
            "q": q, "k": np.array(self.k, dtype=float), "scores": q @ k.T / np.sqrt(2),
            "weights": weights, "output": output,
            "weights_2": self._head(self.angle_2, self.length_2)[2], "looks": self.counts[None, :].astype(float),
        }  # fmt: skip

    @property
    def counts(self) -> np.ndarray:
        """(n,) of int, in the order of the sentence: how many of a hundred looks of the first query each word gets."""
        weights = self.weights[0]
        if not weights.any():
            return np.zeros(len(weights), dtype=int)
        last = np.flatnonzero(weights)[-1]  # rounding may leave the total below 1
        falls = np.searchsorted(weights.cumsum(), FALLS, side="right").clip(max=last)
        return np.bincount(falls, minlength=len(weights))

    @property
    def weights(self) -> np.ndarray:
        """(1, n), in the order of the sentence."""
        return self._head(self.angle, self.length)[2]

    @property
    def output(self) -> np.ndarray:
        """(1, 2): the dot."""
        return self._head(self.angle, self.length)[3]

    def alt_text(self) -> str:
        return (
            f"{self.shows}. The words are {', '.join(self.tokens)}; from each a line leads to the output, as thick as "
            "its weight."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        figure.set_size_inches(4.2, 4.2)
        q, k, weights, output = self._head(self.angle, self.length)
        plots.plane(
            figure.subplots(), k, weights[0], q[0], output[0], [self.tokens[index] for index in self.order]
        )
