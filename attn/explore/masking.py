"""Chapter 3: who may look at whom, and what a hidden token can still do."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from attn.explore._base import ENTRIES, Figure, Opening, as_matrix, step, story
from attn.masks import causal_mask, padding_mask, prefix_mask, sliding_window_mask
from attn.softmax import softmax

TOKENS = ["MY", "NAME", "IS", "ABIR"]
Q = [[1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 1], [2, 0, 1, 0]]
K = [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [2, 0, 0, 2]]
V = [[2, 0], [0, 2], [-1, 0], [3, 3]]
PRESETS = {
    "none": "none: all see all",
    "causal": "causal",
    "padding": "padding",
    "causal+padding": "causal and padding",
    "window": "sliding window",
    "prefix": "prefix",
    "custom": "painted by you",
}
ORDERS = {"before": "before softmax", "after": "after softmax", "renormalized": "after, rescaled"}
FILLS = {"-inf": "−∞", "-1e9": "−1e9"}


def _n(figure):
    return len(figure.tokens)


class Masking(Opening):
    """Queries, keys and values of a few tokens under a mask that the reader chooses or paints.

    Parameters
    ----------
    tokens : list of str
        At least two words. Above 8 the figure shows a heat map, above 16 a canvas.
    q, k : (n, d_k) array
    v : (n, d_v) array
        Default: the chapter's "MY NAME IS ABIR".
    preset : {"none", "causal", "padding", "causal+padding", "window", "prefix", "custom"}
    mask : (n, n) array of bool, True = may look
        Used when ``preset="custom"``.
    window, n_prefix, length : int
        For the presets "window", "prefix" and the two with padding (``length`` tokens are real).
    nudge : float in [-3, 3]
        Added to the first number of the last token's key.
    order : {"before", "after", "renormalized"}
        Mask before the softmax, after it, or after it with the rows rescaled to sum to one.
    fill : {"-inf", "-1e9"}
        What a hidden score becomes.

    Raises
    ------
    ValueError
        If the shapes do not fit.
    """

    in_numpy = """
        q = {q}
        k = {k}.astype(float)
        v = {v}
        k[-1, 0] += {nudge}
        sees = ~{hidden}
        order, fill = {order}, float({fill})
        scores = q @ k.T / np.sqrt(q.shape[1])
        if order == "before":
            weights = softmax(np.where(sees, scores, fill))
        else:
            weights = np.where(sees, softmax(scores), 0)
        if order == "renormalized":
            weights = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        output = weights @ v
    """

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True, state=False)
    q = traitlets.List().tag(sync=True, label="q", **ENTRIES)
    k = traitlets.List().tag(sync=True, label="k", **ENTRIES)
    v = traitlets.List().tag(sync=True, label="v", **ENTRIES)
    preset = traitlets.Enum(tuple(PRESETS), "causal").tag(sync=True, label="Mask", options=PRESETS)
    mask = traitlets.List().tag(sync=True, label="may look")
    window = traitlets.Int(2, min=1).tag(sync=True, label="window", max=_n, step=1)
    n_prefix = traitlets.Int(2, min=0).tag(sync=True, label="prefix", max=_n, step=1)
    length = traitlets.Int(3, min=0).tag(sync=True, label="real tokens", max=_n, step=1)
    nudge = traitlets.Float(0.0, min=-3, max=3).tag(
        sync=True, label=lambda figure: f"Nudge the key of `{figure.tokens[-1]}`", step=0.1
    )
    order = traitlets.Enum(tuple(ORDERS), "before").tag(sync=True, label="The mask comes", options=ORDERS)
    fill = traitlets.Enum(tuple(FILLS), "-inf").tag(sync=True, label="Hidden scores become", options=FILLS)

    def __init__(
        self,
        tokens: Sequence[str] = TOKENS,
        q: ArrayLike = Q,
        k: ArrayLike = K,
        v: ArrayLike = V,
        mask: ArrayLike | None = None,
        **kwargs: Any,
    ) -> None:
        tokens = list(tokens)
        n = len(tokens)
        if n < 2:
            raise ValueError(f"tokens must be at least two words, got {n}")
        q = as_matrix("q", q, rows=n)
        k = as_matrix("k", k, rows=n, columns=len(q[0]))
        v = as_matrix("v", v, rows=n)
        if mask is None:
            mask = causal_mask(n)
        else:
            mask = np.asarray(mask)
            if mask.shape != (n, n) or mask.dtype != bool:
                raise ValueError(
                    f"mask must be boolean with shape {(n, n)}, got {mask.dtype} with shape {mask.shape}"
                )
            kwargs.setdefault("preset", "custom")
        super().__init__(tokens=tokens, q=q, k=k, v=v, mask=mask.tolist(), **kwargs)

    def _first_sees_nothing(self):
        """A causal mask under which the first token may not look at itself either."""
        n = len(self.tokens)
        return [[i > 0 and j <= i for j in range(n)] for i in range(n)]

    def stories_told(self) -> list[dict]:
        n = len(self.tokens)
        plain: dict[str, Any] = {"order": "before", "fill": "-inf", "nudge": 0.0}
        if n > 8:
            return []
        return [
            story("leak", "the leak", preset="causal", order="after", fill="-inf", nudge=2.0),
            story("empty", "the empty row", preset="custom", mask=self._first_sees_nothing(), **plain),
            story("window", "the window", preset="window", window=min(2, n), **plain),
        ]

    def steps_of_lecture(self) -> list[dict]:
        n = len(self.tokens)
        if n > 8:
            return self._masks_to_compare(n)
        blind = self._first_sees_nothing()
        return [
            step(
                "nudge",
                "The last key moves. The outputs before it do not: the mask hides it from them.",
                nudge=2.0,
            ),
            step(
                "leak",
                "The mask comes after the softmax. Whose output moves now, though it may not look?",
                nudge=2.0,
                order="after",
            ),
            step(
                "rescaled",
                "The rows are rescaled to sum to one. Is the leak gone?",
                nudge=2.0,
                order="renormalized",
            ),
            step(
                "empty-row",
                "The first token may look at nothing. What is its output?",
                preset="custom",
                mask=blind,
                opened=True,
            ),
            step(
                "filled",
                "The same row, filled with −1e9 in place of −∞. What does it look at now?",
                preset="custom",
                mask=blind,
                fill="-1e9",
                opened=True,
            ),
        ]

    def _masks_to_compare(self, n: int) -> list[dict]:
        return [
            step("triangle", "Causal: each token sees itself and all before it.", preset="causal"),
            step(
                "window",
                "A window: each token sees itself and a few before it. What becomes of the cost?",
                preset="window",
                window=max(2, n // 8),
            ),
            step(
                "prefix",
                "The first tokens see one another both ways: a question. The rest is causal: its answer.",
                preset="prefix",
                n_prefix=n // 4,
            ),
            step(
                "padding",
                "The last tokens are padding. Nobody may look at them, but they may look.",
                preset="padding",
                length=n - n // 4,
            ),
        ]

    @property
    def allowed(self) -> np.ndarray:
        """The mask in force, (n, n) of bool, True = may look."""
        n = len(self.tokens)
        match self.preset:
            case "none":
                return np.ones((n, n), dtype=bool)
            case "causal":
                return causal_mask(n)
            case "padding":
                return np.broadcast_to(padding_mask(self.length, n), (n, n))
            case "causal+padding":
                return causal_mask(n) & padding_mask(self.length, n)
            case "window":
                return sliding_window_mask(n, self.window)
            case "prefix":
                return prefix_mask(n, self.n_prefix)
        return np.array(self.mask, dtype=bool)

    def _weights(self, scores: np.ndarray) -> np.ndarray:
        if self.order == "before":
            return softmax(np.where(self.allowed, scores, -np.inf if self.fill == "-inf" else -1e9))
        weights = np.where(self.allowed, softmax(scores), 0.0)
        if self.order == "renormalized":
            total = weights.sum(axis=-1, keepdims=True)
            weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        return weights

    def _at(self, nudge: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        q, k, v = (np.array(x, dtype=float) for x in (self.q, self.k, self.v))
        k[-1, 0] += nudge
        scores = q @ k.T / np.sqrt(q.shape[-1])
        weights = self._weights(scores)
        return k, scores, weights, weights @ v

    def matrices(self) -> dict[str, np.ndarray]:
        k, scores, weights, output = self._at(self.nudge)
        hide = -np.inf if self.fill == "-inf" else -1e9
        masked = np.where(self.allowed, scores, hide) if self.order == "before" else scores
        if len(self.tokens) > 8:
            return {"weights": weights}
        moved = np.linalg.norm(output - self._at(0.0)[3], axis=-1, keepdims=True)
        q, v = np.array(self.q, dtype=float), np.array(self.v, dtype=float)
        return {
            "q": q, "k": k, "v": v, "scores": scores, "masked_scores": masked,
            "weights": weights, "output": output, "moved": moved,
        }  # fmt: skip

    @property
    def weights(self) -> np.ndarray:
        """What the figure draws: (n, n), rows are queries."""
        return self._at(self.nudge)[2]

    @property
    def output(self) -> np.ndarray:
        """The mixed values: (n, d_v)."""
        return self._at(self.nudge)[3]

    def alt_text(self) -> str:
        n = len(self.tokens)
        if n > 8:
            return f"Attention weights of {n} tokens under a {self.preset} mask as a heat map, the hidden hatched."
        return (
            f"Attention weights of {n} tokens, {' '.join(self.tokens)}, under a {self.preset} mask: rows are queries, "
            "columns are keys, a bar under each number as long as the weight, what is hidden hatched."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        ax = figure.subplots()
        plots.weights(ax, self.weights, mask=self.allowed, rows=self.tokens, columns=self.tokens)
