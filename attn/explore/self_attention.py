"""Chapter 0: a query, a key and a value for each word, and all the matrices that follow from them."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attn.attention import scaled_dot_product_attention
from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step

TOKENS = ["the", "cat", "sat"]
Q = [[1, 0], [-1, 2], [2, 0]]
K = [[0, -1], [1, 1], [-1, 1]]
V = [[2, 2], [-2, -1], [2, -2]]


class SelfAttention(Opening):
    """Words that look at each other: for each a query, a key and a value in the plane.

    Parameters
    ----------
    tokens : list of str
        Two to eight words, all different.
    q, k, v : (n, 2) array
        Their queries, keys and values. Default: the chapter's "the cat sat".
    asks : str
        The word whose query and output the plane shows. Default: the last one.

    Raises
    ------
    ValueError
        If the shapes do not fit, two words are the same, or `asks` is none of them.
    """

    shows = (
        "Queries, keys and values in a plane: the query of one word as an arrow, each word's key and value as points, "
        "the output as a dot inside the hull of the values"
    )
    in_numpy = """
        q = {q}
        k = {k}
        v = {v}
        scores = q @ k.T / np.sqrt(2)
        weights = softmax(scores)
        output = weights @ v
    """

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True, state=False)
    q = traitlets.List().tag(sync=True, label="q", **ENTRIES)
    k = traitlets.List().tag(sync=True, label="k", **ENTRIES)
    v = traitlets.List().tag(sync=True, label="v", **ENTRIES)
    asks = traitlets.Unicode().tag(sync=True, label="Who asks", options=lambda figure: figure.tokens)

    def __init__(
        self,
        tokens: Sequence[str] = TOKENS,
        q: ArrayLike = Q,
        k: ArrayLike = K,
        v: ArrayLike = V,
        asks: str | None = None,
        **kwargs: Any,
    ) -> None:
        tokens = list(tokens)
        n = len(tokens)
        if not 2 <= n <= 8:
            raise ValueError(f"tokens must be two to eight words, got {n}")
        if len(set(tokens)) < n:
            raise ValueError(f"tokens must all be different, got {tokens}")
        q, k, v = (
            as_matrix(name, value, rows=n, columns=2) for name, value in zip("qkv", (q, k, v), strict=True)
        )
        asks = tokens[-1] if asks is None else asks
        super().__init__(tokens=tokens, q=q, k=k, v=v, asks=asks, **kwargs)

    @traitlets.validate("asks")
    def _one_of_the_words(self, proposal: Any) -> str:
        if proposal.value not in self.tokens:
            raise ValueError(f"asks must be one of {', '.join(self.tokens)}, got {proposal.value!r}")
        return proposal.value

    def entry_controls(self) -> dict[str, dict]:
        first = f"q.{self.tokens.index(self.asks)}.0"
        return {first: {"label": f"First number of the query of `{self.asks}`"}}

    def steps_of_lecture(self) -> list[dict]:
        i = self.tokens.index(self.asks)

        def asking(q: list[float]) -> list[list[float]]:
            """All queries, with this one for the word that asks."""
            return [q if row == i else list(other) for row, other in enumerate(self.q)]

        return [
            step(
                "silent",
                "A query of zeros: all keys score the same, and the output is the mean of the values.",
                q=asking([0, 0]),
            ),
            step(
                "away",
                "The query points the other way. Where does the output go, and who decides that?",
                q=asking([0.0 - number for number in self.q[i]]),
            ),
            step(
                "another",
                "Another word asks. It has the same keys and values before it, and another query.",
                asks=self.tokens[0],
            ),
            step(
                "one-vector",
                "Keys and values are the same vectors. Which freedom is lost?",
                v=[list(row) for row in self.k],
            ),
            step(
                "symmetric",
                "Queries and keys are the same vectors: the scores are symmetric.",
                k=[list(row) for row in self.q],
                opened=True,
            ),
        ]

    def matrices(self) -> dict[str, np.ndarray]:
        q, k, v = (np.array(x, dtype=float) for x in (self.q, self.k, self.v))
        output, weights = scaled_dot_product_attention(q, k, v)
        return {
            "q": q, "k": k, "v": v, "scores": q @ k.T / np.sqrt(2), "weights": weights, "output": output,
        }  # fmt: skip

    @property
    def weights(self) -> np.ndarray:
        """(n, n): rows are queries, columns are keys."""
        return self.matrices()["weights"]

    @property
    def output(self) -> np.ndarray:
        """(n, 2): one dot for each word."""
        return self.matrices()["output"]

    def alt_text(self) -> str:
        return (
            f"{self.shows}. The words are {', '.join(self.tokens)}. The arrow is the query of {self.asks}, and from "
            "each value a line leads to the output, as thick as its weight."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        figure.set_size_inches(4.2, 4.2)
        x, i = self.matrices(), self.tokens.index(self.asks)
        query = f"q of {self.asks}"
        plots.plane(
            figure.subplots(),
            x["v"],
            x["weights"][i],
            x["q"][i],
            x["output"][i],
            self.tokens,
            keys=x["k"],
            query_name=query,
        )
