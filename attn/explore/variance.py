"""Chapter 2: how far scores spread as d_k grows, and what that does to a softmax."""

import math
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import traitlets

from attn._numbers import weight
from attn.explore._base import Figure, Opening, step
from attn.explore._draws import in_bins, normal_in_bins, normals
from attn.softmax import softmax
from attn.variance import saturation, score_mean, score_variance

N_KEYS, N_PAIRS, LARGEST = 8, 128, 1024
POWERS = 2 ** np.arange(11)  # 1, 2, 4, …, 1024
EDGES = np.linspace(-8, 8, 33)  # of the histogram; what lies beyond is counted in its first and last bar
SCALES = {"none": "none", "root": "÷ √d_k", "d_k": "÷ d_k"}
#: Chosen out of 64 so that it shows: in this draw key 2 leads at every d_k. In most draws the lead changes hands.
SEED = 12


def _prefix_sums(products: np.ndarray) -> np.ndarray:
    """Sums of the first 1, 2, 4, … entries along the last axis."""
    return np.cumsum(products, axis=-1)[..., POWERS - 1]


@cache
def one_query(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return q·q and z·q for one query q and eight independent vectors z, for each d_k: (11,) and (8, 11)."""
    draws = normals(2 * seed, (1 + N_KEYS) * LARGEST).reshape(1 + N_KEYS, LARGEST)
    return _prefix_sums(draws[0] * draws[0]), _prefix_sums(draws[0] * draws[1:])


@cache
def many_pairs(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return q·q and z·q for 128 pairs of vectors, for each d_k: (128, 11) twice."""
    draws = normals(2 * seed + 1, 2 * N_PAIRS * LARGEST).reshape(N_PAIRS, LARGEST, 2)
    return _prefix_sums(draws[..., 0] ** 2), _prefix_sums(draws[..., 0] * draws[..., 1])


class ScoreVariance(Opening):
    """One query, eight keys, and the weights that a softmax gives them, at any d_k and scale.

    All d_k use the first entries of the same vectors, so a step to a larger d_k adds entries and changes none.

    Parameters
    ----------
    log2_d_k : int, 0 … 10
        The first control; or give ``d_k``, a power of two from 1 to 1024.
    scale : {"none", "root", "d_k"}
        Scores as they are, divided by √d_k, or divided by d_k.
    temperature : float in [0.25, 32]
        The scores are divided by it as well.
    correlation : float in [−1, 1]
        Of the query's entries with those of key 1, its own. The other keys stay independent of the query.
    seed : int, 1 … 64
        Which draw.

    Raises
    ------
    ValueError
        If ``d_k`` is not such a power of two.
    """

    view = "variance"
    in_numpy = """
        scores = {scores}  # of a query and eight keys with random numbers
        weights = softmax(scores)
        p = weights[0]
        largest_weight = p.max()
        entropy = -(p * np.log(np.maximum(p, 1e-300))).sum()
        jacobian_norm = np.linalg.norm(np.diag(p) - np.outer(p, p))
    """

    log2_d_k = traitlets.Int(2, min=0, max=10).tag(sync=True, label="Numbers in each vector, *d_k*", step=1)
    scale = traitlets.Enum(tuple(SCALES), "none").tag(sync=True, label="Scale", options=SCALES)
    temperature = traitlets.Float(1.0, min=0.25, max=32).tag(sync=True, label="Temperature", step=0.25)
    correlation = traitlets.Float(0.0, min=-1, max=1).tag(
        sync=True, label="Correlation with key 1", step=0.05
    )
    seed = traitlets.Int(SEED, min=1, max=64).tag(sync=True, label="Draw number", step=1)

    def __init__(self, *, d_k: int | None = None, **kwargs: Any) -> None:
        if d_k is not None:
            if d_k not in POWERS:
                raise ValueError(f"d_k must be a power of two from 1 to 1024, got {d_k!r}")
            kwargs["log2_d_k"] = int(d_k).bit_length() - 1
        super().__init__(**kwargs)

    def steps_of_lecture(self) -> list[dict]:
        return [
            step("wide", "Long vectors, no scale: what is left?", log2_d_k=10),
            step("root", "Divided by √d_k: a mixture again, at any length.", log2_d_k=10, scale="root"),
            step("too-much", "Divided by d_k: all weights nearly equal.", log2_d_k=10, scale="d_k"),
            step(
                "correlated",
                "The query is like its own key. Does the root still hold the spread?",
                log2_d_k=10,
                scale="root",
                correlation=0.8,
                opened=True,
            ),
        ]

    @property
    def d_k(self) -> int:
        """How many entries each query and key has."""
        return 2**self.log2_d_k

    @property
    def factor(self) -> float:
        """What the dot products are multiplied by before the softmax: the scale over the temperature."""
        return {"none": 1.0, "root": 1 / math.sqrt(self.d_k), "d_k": 1 / self.d_k}[
            self.scale
        ] / self.temperature

    @property
    def scores(self) -> np.ndarray:
        """(1, 8): what goes into the softmax."""
        squares, products = one_query(self.seed)
        dots = products[:, self.log2_d_k].copy()
        rho = self.correlation
        dots[0] = rho * squares[self.log2_d_k] + math.sqrt(1 - rho * rho) * dots[0]
        return self.factor * dots[None, :]

    @property
    def weights(self) -> np.ndarray:
        """(1, 8): what the figure draws."""
        return softmax(self.scores)

    @property
    def samples(self) -> np.ndarray:
        """(128,): scores of queries with their own keys, each from a pair of its own."""
        squares, products = (table[:, self.log2_d_k] for table in many_pairs(self.seed))
        return self.factor * (self.correlation * squares + math.sqrt(1 - self.correlation**2) * products)

    def matrices(self) -> dict[str, np.ndarray]:
        law = {"correlation": self.correlation, "scale": self.factor}
        mean, spread = score_mean(self.d_k, **law), math.sqrt(score_variance(self.d_k, **law))
        return {
            "weights": self.weights,
            "scores": self.scores,
            "histogram": in_bins(self.samples, EDGES),
            "normal": normal_in_bins(EDGES, spread, mean),
        }

    def scalars(self) -> dict[str, float]:
        gauges = saturation(self.weights[0])
        samples, law = self.samples, {"correlation": self.correlation, "scale": self.factor}
        away = samples - samples.mean()
        variance = (away**2).sum() / (N_PAIRS - 1)
        error = math.sqrt(max(0.0, (away**4).mean() - (away**2).mean() ** 2) / N_PAIRS)
        return {
            "largest_weight": float(gauges.largest_weight),
            "entropy": float(gauges.entropy),
            "jacobian_norm": float(gauges.jacobian_norm),
            "variance": score_variance(self.d_k, **law),
            "sample_variance": float(variance),
            "sample_error": 1.96 * error,
        }

    def alt_text(self) -> str:
        how = {"none": "not scaled", "root": "divided by √d_k", "d_k": "divided by d_k"}[self.scale]
        return (
            f"Eight attention weights as bars, from a query and keys of d_k = {self.d_k} random numbers each, "
            f"scores {how}; the largest is {weight(self.weights.max())}."
        )

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        from attn.explore._small_still import formulas

        figure.set_size_inches(6.4, 2.6)
        how = "not scaled" if self.scale == "none" else SCALES[self.scale]
        plots.glasses(figure.subplots(), self.weights[0], title=formulas(f"weights, d_k = {self.d_k}, {how}"))
