"""Chapter 4: two heads side by side, a fader for each, and the sum of what they say."""

from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step, story
from attn.positional import sinusoidal_encoding
from attn.softmax import softmax

WORDS = ["the", "cat", "sat", "up"]
PASS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]  # hands over the first three words; nobody hears the last
PASSED = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
NONE = [0, 0, 0]

#: Head 1 looks up the token before, head 2 the first, both by name. A token is one-hot, so row i of W_Q is the query of
#: word i.
LEGIBLE: dict[str, Any] = {
    "tokens": WORDS,
    "x": np.eye(4).tolist(),
    "w_q": [[[3, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]], [[3, 0, 0]] * 4],
    "w_k": [[[3, 0, 0], [0, 3, 0], [0, 0, 3], NONE], [[3, 0, 0], NONE, NONE, NONE]],
    "w_v": [PASS, PASS],
    "w_o": [PASSED, PASSED],
    "n_tokens": 3,
    "faders": [1.0, 1.0],
}
#: Source 003's integer weights. It stops at q, k and v; its W_O is ours: the heads side by side, cut off at d_model.
_SOURCE: dict[str, Any] = {
    "tokens": ["Hello", "World", "Hello", "World"],
    "w_q": [
        [[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]],
    ],
    "w_k": [
        [[1, 0, 1], [0, 1, 0], [1, 0, 1], [0, 1, 0]],
        [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 1, 0]],
    ],
    "w_v": [
        [[0, 1, 1], [1, 0, 0], [1, 0, 1], [0, 1, 0]],
        [[1, 0, 0], [0, 1, 1], [0, 0, 1], [1, 0, 0]],
    ],
    "w_o": [
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]],
        [[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]],
    ],
    "n_tokens": 2,
    "faders": [1.0, 1.0],
}
_EMBEDDED = np.array([[1, 2, 3, 4], [2, 3, 4, 5]] * 2, dtype=float)


def _doubled(n: int) -> np.ndarray:
    """Source 003's encoding, whose exponent counts dimensions where the paper's counts pairs (chapter 1)."""
    angles = np.arange(n)[:, None] * 10000.0 ** (-2 * np.arange(4) / 4)
    return np.where(np.arange(4) % 2, np.cos(angles), np.sin(angles))


#: Numbers, one a token. Head 1 seeks the largest, head 2 the smallest; the faders subtract.
OPPOSITES: dict[str, Any] = {
    "tokens": ["+1", "+1", "−1", "−1"],
    "x": [[1, 1, 0, 0], [1, 1, 0, 0], [-1, 1, 0, 0], [-1, 1, 0, 0]],
    "w_q": [[NONE, [3, 0, 0], NONE, NONE], [NONE, [-3, 0, 0], NONE, NONE]],
    "w_k": [[[3, 0, 0], NONE, NONE, NONE]] * 2,
    "w_v": [[[1, 0, 0], NONE, NONE, NONE]] * 2,
    "w_o": [[[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]] * 2,
    "n_tokens": 3,
    "faders": [1.0, -1.0],
}
PRESETS: dict[str, dict[str, Any]] = {
    "legible": LEGIBLE,
    "source": _SOURCE | {"x": (_EMBEDDED + _doubled(4)).tolist()},
    "paper": _SOURCE | {"x": (_EMBEDDED + sinusoidal_encoding(4, 4)).tolist()},
    "opposites": OPPOSITES,
}
WEIGHTS = ("w_q", "w_k", "w_v", "w_o")


class MultiHead(Opening):
    """Two heads over two to four tokens: every entry of their weights, and a fader for what each adds to the output.

    Parameters
    ----------
    preset : {"legible", "source", "paper", "opposites"}
        What all that is not given starts from. "source" and "paper" are source 003's weights, its tokens encoded
        with its own doubled exponent or with the paper's.
    tokens : list of 2 to 4 str
    x : (len(tokens), d_model) array
        The encoded tokens.
    w_q, w_k : (2, d_model, d_k) arrays
    w_v : (2, d_model, d_v) array
    w_o : (2, d_v, d_out) array
        The rows of W_O that belong to each head.
    n_tokens : int, 2 … len(tokens)
        How many of the tokens are there.
    faders : list of 2 floats in [-1, 1]
        What each head's share is multiplied with before the sum.
    scaled : bool
        Whether scores are divided by √d_k.

    Raises
    ------
    ValueError
        If there is no such preset, or the shapes do not fit.
    """

    view = "multihead"
    in_numpy = """
        x = {x}[:{n_tokens}]
        w_q = {w_q}
        w_k = {w_k}
        w_v = {w_v}
        w_o = {w_o}
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        scores = q @ k.mT / (np.sqrt(q.shape[-1]) if {scaled} else 1)
        weights = softmax(scores)
        shares = {faders}[:, None, None] * (weights @ v @ w_o)
        output = shares.sum(axis=0)
    """

    preset = traitlets.Enum(tuple(PRESETS), "legible").tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    x = traitlets.List().tag(sync=True)
    w_q = traitlets.List().tag(sync=True, label="W_Q", **ENTRIES)
    w_k = traitlets.List().tag(sync=True, label="W_K", **ENTRIES)
    w_v = traitlets.List().tag(sync=True, label="W_V", **ENTRIES)
    w_o = traitlets.List().tag(sync=True, label="W_O", **ENTRIES)
    n_tokens = traitlets.Int(3, min=2, max=4).tag(
        sync=True, label="tokens", max=lambda figure: len(figure.tokens), step=1
    )
    faders = traitlets.List(traitlets.Float(), minlen=2, maxlen=2).tag(sync=True, min=-1, max=1, step=0.1)
    scaled = traitlets.Bool(True).tag(sync=True, label="scores divided by √d_k")

    def __init__(self, preset: str = "legible", **kwargs: Any) -> None:
        if preset not in PRESETS:
            raise ValueError(f"preset must be one of {', '.join(PRESETS)}, got {preset!r}")
        state = PRESETS[preset] | kwargs
        tokens = state["tokens"] = list(state["tokens"])
        if not 2 <= len(tokens) <= 4:
            raise ValueError(f"tokens must be 2 to 4 words, got {len(tokens)}")
        state["x"] = as_matrix("x", state["x"], rows=len(tokens))
        d_model = len(state["x"][0])
        for name in WEIGHTS:
            heads = list(state[name])
            if len(heads) != 2:
                raise ValueError(f"{name} must hold 2 heads, got {len(heads)}")
            rows = len(state["w_v"][0][0]) if name == "w_o" else d_model
            columns = len(state["w_q"][0][0]) if name == "w_k" else len(heads[0][0])
            state[name] = [
                as_matrix(f"{name}[{h}]", head, rows=rows, columns=columns) for h, head in enumerate(heads)
            ]
        state["n_tokens"] = min(state["n_tokens"], len(tokens))
        super().__init__(preset=preset, **state)

    def entry_controls(self) -> dict[str, dict]:
        return {f"faders.{head}": {"label": f"fader {head + 1}"} for head in range(2)}

    def stories_told(self) -> list[dict]:
        if len(self.x[0]) != 4:
            return []  # they would not fit the figure's matrices
        return [story(name, name, **state, preset=name, scaled=True) for name, state in PRESETS.items()]

    def steps_of_lecture(self) -> list[dict]:
        if self.preset == "legible":
            return [
                step("sum", "Both faders up: the output is the sum.", faders=[1.0, 1.0]),
                step("one-head", "Head 2 is silent: the output is head 1 alone.", faders=[1.0, 0.0]),
                step("difference", "A minus on head 2: the output is a difference.", faders=[1.0, -1.0]),
                step(
                    "no-root", "Scores without the root: what do the weights do?", scaled=False, opened=True
                ),
            ]
        if self.preset == "opposites":
            return [
                step("largest", "Head 1 by itself: it looks at the largest numbers.", faders=[1.0, 0.0]),
                step("smallest", "Head 2 by itself: it looks at the smallest.", faders=[0.0, 1.0]),
                step("spread", "One minus the other. What does the output say?", faders=[1.0, -1.0]),
                step("all-equal", "Equal numbers: what is left of the difference?", n_tokens=2),
            ]
        if self.x != PRESETS[self.preset]["x"] or self.w_q != PRESETS[self.preset]["w_q"]:
            return []  # the story is that of the notebook's numbers
        x = np.array(self.x, dtype=float)
        normalized = ((x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)).tolist()
        return [
            step("saturated", "Each word looks at one word, with all its weight. Nothing was raised."),
            step(
                "dead",
                "A number of W_Q went from 0 to −2, in the row of the smallest entry of x. Does a weight move?",
                w_q=self._with_w_q(0, 0, -2.0),
            ),
            step(
                "alive",
                "This one is in the row of the largest entry. It went from 1 to −2, and head 1 turns.",
                w_q=self._with_w_q(3, 0, -2.0),
            ),
            step("normalized", "The same weights on normalized tokens: the heads weigh again.", x=normalized),
        ]

    def _with_w_q(self, row: int, column: int, value: float) -> list:
        """W_Q with another number in head 1."""
        changed = np.array(self.w_q, dtype=float)
        changed[0, row, column] = value
        return changed.tolist()

    def matrices(self) -> dict[str, np.ndarray]:
        x = np.array(self.x, dtype=float)[: self.n_tokens]
        w_q, w_k, w_v, w_o = (np.array(getattr(self, name), dtype=float) for name in WEIGHTS)
        q, k, v = x @ w_q, x @ w_k, x @ w_v  # (2, n, d)
        scores = q @ np.swapaxes(k, -1, -2) * (1 / np.sqrt(q.shape[-1]) if self.scaled else 1.0)
        weights = softmax(scores)
        heads = weights @ v
        shares = np.array(self.faders)[:, None, None] * (heads @ w_o)
        return {
            "x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o, "q": q, "k": k, "v": v, "scores": scores,
            "weights": weights, "heads": heads, "shares": shares, "output": shares.sum(axis=0),
        }  # fmt: skip

    @property
    def weights(self) -> np.ndarray:
        """What each head looks at: (2, n, n), rows are queries."""
        return self.matrices()["weights"]

    @property
    def output(self) -> np.ndarray:
        """The sum of the heads' shares: (n, d_out)."""
        return self.matrices()["output"]

    def alt_text(self) -> str:
        words = " ".join(self.tokens[: self.n_tokens])
        return (
            f"Two heads over the tokens {words}: an arc from each word to each that it looks at; for each head its "
            "attention weights, rows are queries, and a fader; and the output, the sum of both heads' shares."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        words = self.tokens[: self.n_tokens]
        shown = self.matrices()
        columns = self.tokens if np.array_equal(self.x, np.eye(len(self.x))) else None
        parts = figure.subplot_mosaic(
            [["looks"] * 3, ["first", "second", "sum"]],
            width_ratios=[len(words) + 0.5, len(words) + 0.5, 4],
            height_ratios=[1, 1.2],
        )
        plots.arcs(parts["looks"], shown["weights"], words, faders=self.faders)
        for h, name in enumerate(("first", "second")):
            title = f"head {h + 1}, fader {plots.number(self.faders[h])}"
            plots.weights(parts[name], shown["weights"][h], rows=words, columns=words, title=title)
        plots.signed(
            parts["sum"], shown["output"], role="v", rows=words, columns=columns, domain=2, title="output"
        )
