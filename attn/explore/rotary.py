"""Turned positions: two clocks a word, and a score that knows how far apart two words stand and not where."""

from types import ModuleType
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attn._numbers import number
from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step, story
from attn.practice.mistakes.turning import mixed_up
from attn.rotary import rotate, to_layout
from attn.softmax import softmax

TOKENS = ("very", "very", "very", "big")
PLACES = np.arange(4)
Q = [[-1.0, 0, 0, -2]]
K = [[1.0, 0, 1, 0], [0.0, 1, 0, 1]]  # of `very` and of `big`
V = np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]])
#: How far the two clocks turn from one word to the next.
HALF, QUARTER = np.pi, np.pi / 2
PAIRS = {"neighbors": "a pair, an angle", "mixed": "mixed up", "halves": "paired by halves"}
QUERY_AT = {"own": "its own place", "next": "one further", "zero": "position 0"}
NEIGHBOR = 2  # the word before `big`


class Rotary(Opening):
    """The words `very very very big`: the query of `big` and all keys, turned by their positions on two clocks.

    Parameters
    ----------
    start : int, 0 … 8
        The position of the first word; the others follow it.
    pairs : {"neighbors", "mixed", "halves"}
        Numbers side by side turn by one angle; or each of them by an angle of its own, which is a bug; or number
        i turns with number i + 2, which is another layout.
    query_at : {"own", "next", "zero"}
        Where the query is put: at the place of `big`, one further, or at 0.
    fixed : bool
        Whether clock 0 stands still.
    turn_v : bool
        Whether the values are turned too, by clock 1.
    q : (1, 4) array
        The query of `big`.
    k : (2, 4) array
        The keys of `very` and of `big`.

    Raises
    ------
    ValueError
        If the shapes do not fit.
    """

    shows = "The query of `big` and the key of the word before it as the hands of two clocks, and their score"
    in_numpy = """
        q, k = {q}, {k}[[0, 0, 0, 1]]
        places = {start} + np.arange(4)
        query_at = {"own": places[-1], "next": places[-1] + 1, "zero": 0}[{query_at}]
        clocks = np.array([0 if {fixed} else np.pi, np.pi / 2])
        pairs = {pairs}
        angles = np.repeat(clocks, 2) if pairs == "neighbors" else np.tile(clocks, 2)
        first, second = ([0, 1], [2, 3]) if pairs == "halves" else ([0, 2], [1, 3])

        def turned(x, place):
            partner = np.zeros(x.shape)
            partner[:, first], partner[:, second] = -x[:, second], x[:, first]
            angle = np.multiply.outer(place, angles)
            return x * np.cos(angle) + partner * np.sin(angle)

        turned_q, turned_k = turned(q, query_at), turned(k, places)
        scores = turned_q @ turned_k.T
        weights = softmax(scores / 2)
        score = scores[0, 2]
        v = np.array([[1, 0], [1, 0], [1, 0], [0, 1]])
        if {turn_v}:
            c, s = np.cos(places * np.pi / 2), np.sin(places * np.pi / 2)
            v = np.stack([c * v[:, 0] - s * v[:, 1], s * v[:, 0] + c * v[:, 1]], axis=1)
        output = weights @ v
    """

    start = traitlets.Int(0, min=0, max=8).tag(sync=True, label="Everyone's start", step=1)
    pairs = traitlets.Enum(tuple(PAIRS), "neighbors").tag(sync=True, label="Angles", options=PAIRS)
    query_at = traitlets.Enum(tuple(QUERY_AT), "own").tag(
        sync=True, label="The query stands at", options=QUERY_AT
    )
    fixed = traitlets.Bool(False).tag(sync=True, label="Clock 0 stands still")
    turn_v = traitlets.Bool(False).tag(sync=True, label="Turn the values too")
    q = traitlets.List().tag(sync=True, label="q", **ENTRIES)
    k = traitlets.List().tag(sync=True, label="k", **ENTRIES)

    def __init__(self, q: ArrayLike = Q, k: ArrayLike = K, **kwargs: Any) -> None:
        super().__init__(
            q=as_matrix("q", q, rows=1, columns=4), k=as_matrix("k", k, rows=2, columns=4), **kwargs
        )

    def stories_told(self) -> list[dict]:
        plain: dict[str, Any] = {"start": 0, "pairs": "neighbors", "query_at": "own", "fixed": False}
        same = [list(K[0]), list(K[0])]
        return [
            story("first", "as at first", q=Q, k=K, **plain),
            story("alike", "all words alike", k=same, **plain),
            story("off-by-one", "the query one further", q=Q, k=K, **plain | {"query_at": "next"}),
        ]

    def steps_of_lecture(self) -> list[dict]:
        return [
            step("slide", "Slide the start: the hands turn alike. And the score?", start=3),
            step("mixed", "Angles mixed up: at which starts is the score right?", start=1, pairs="mixed"),
            step(
                "cache",
                "New queries at 0, as a cache may put them. Which of the four scores are still right?",
                query_at="zero",
                opened=True,
            ),
            step(
                "values",
                "The values are turned too. What does the output know now?",
                turn_v=True,
                start=1,
                opened=True,
            ),
        ]

    @property
    def clocks(self) -> np.ndarray:
        """How far each clock turns from one word to the next, in radians: (2,)."""
        return np.array([0 if self.fixed else HALF, QUARTER])

    def _turned(self, x: np.ndarray, places: np.ndarray) -> np.ndarray:
        if self.pairs != "mixed":
            layout = "interleaved" if self.pairs == "neighbors" else "halves"
            return rotate(x, places, frequencies=self.clocks, layout=layout)
        return mixed_up(x, places, self.clocks)

    def matrices(self) -> dict[str, np.ndarray]:
        q, k = np.array(self.q, dtype=float), np.array(self.k, dtype=float)
        places = self.start + PLACES
        query = {"own": places[-1], "next": places[-1] + 1, "zero": 0}[self.query_at]
        turned_q = self._turned(q, np.array([query]))
        turned_k = self._turned(k[[0, 0, 0, 1]], places)
        scores = turned_q @ turned_k.T
        weights = softmax(scores / 2)
        values = rotate(V, places, frequencies=[QUARTER]) if self.turn_v else V
        lead = self._turned(np.tile(k[1] - k[0], (4, 1)), places)
        hands = np.vstack([turned_q, turned_k[[NEIGHBOR]]])
        if self.pairs == "halves":  # a clock shows the two numbers that turn together
            hands = to_layout(hands, "halves", "interleaved")
        return {
            "q": q, "k": k, "hands": hands, "turned_q": turned_q,
            "turned_k": turned_k, "scores": scores, "weights": weights, "output": weights @ values,
            "leads": turned_q @ lead.T,
        }  # fmt: skip

    @property
    def weights(self) -> np.ndarray:
        """What `big` looks at: (1, 4)."""
        return self.matrices()["weights"]

    @property
    def score(self) -> float:
        """The big number: the score of `big` with the word before it."""
        return self.scalars()["score"]

    def scalars(self) -> dict[str, float]:
        return {"score": float(self.matrices()["scores"][0, NEIGHBOR])}

    def alt_text(self) -> str:
        last = self.start + len(TOKENS) - 1
        return (
            f"The query of big, at position {last}, and the key of the word before it as the hands of two clocks, and "
            f"their score, {number(self.scalars()['score'])}."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        hands = self.matrices()["hands"].reshape(2, 2, 2) / 2
        for clock, ax in enumerate(figure.subplots(1, 2)):
            plots.clock(ax, hands[:, clock], ["q", "k"], title=f"clock {clock}")
        figure.suptitle(f"q · k = {number(self.scalars()['score'])}")
