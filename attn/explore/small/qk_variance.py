"""Chapter 2: the small figures."""

import math
from functools import cache

import numpy as np
import traitlets

from attn._numbers import number, weight
from attn.data.looking import descend, start
from attn.explore import _small as made
from attn.explore._draws import in_bins, normal_in_bins, normals
from attn.explore._small import Numbers, Small
from attn.softmax import softmax

KEYS = tuple("12345678")
SCALES = {"none": "none", "root": "÷ √d_k", "d_k": "÷ d_k"}
LEARNED = ("unscaled", "by_root", "by_d_k")
SEED, LARGEST, N_PAIRS, N_ROWS = 12, 256, 128, 64
POWERS = 2 ** np.arange(9)  # 1, 2, 4, …, 256


def _factors(d_k: float) -> list[float]:
    return [1.0, d_k**-0.5, 1 / d_k]


@cache
def _pairs() -> np.ndarray:
    """Dot products of 128 pairs of vectors at each length: (128, 9)."""
    draws = normals(SEED, 2 * N_PAIRS * LARGEST).reshape(N_PAIRS, LARGEST, 2)
    return np.cumsum(draws[..., 0] * draws[..., 1], axis=1)[:, POWERS - 1]


@cache
def _rows() -> np.ndarray:
    """Dot products of 64 queries with eight keys each, at each length: (64, 8, 9)."""
    draws = normals(SEED + 1, N_ROWS * 9 * LARGEST).reshape(N_ROWS, 9, LARGEST)
    return np.cumsum(draws[:, :1] * draws[:, 1:], axis=2)[..., POWERS - 1]


@cache
def _largest() -> np.ndarray:
    """The mean largest weight of those 64 rows, for each scale and length: (3, 9)."""
    factors = np.transpose([_factors(float(d_k)) for d_k in POWERS])
    return softmax(factors[:, None, None] * _rows(), axis=2).max(axis=2).mean(axis=1)


@cache
def _learning(d_k: int, loss: str) -> np.ndarray:
    """The weights of key 1 of 200 queries that learn to look at it, every ten steps of size 2: (3, 31, 200)."""
    q, k = start(d_k)
    first = [softmax(factor * (k @ q[:, :, None])[..., 0])[:, 0] for factor in _factors(d_k)]
    after = [descend(d_k, factor, [2], range(10, 301, 10), loss)[:, 0] for factor in _factors(d_k)]
    return np.concatenate([np.array(first)[:, None], after], axis=1)


class SumOfCoins(Small):
    """A score of coins: how often each sum comes, and the normal curve with the same variance."""

    question = "Add more coins. Do their sums stay near 0, or do they wander off?"
    shows = "How often each sum of coins comes, as boxes, with a normal curve over them."

    d_k = traitlets.Int(4, min=2, max=16).tag(sync=True, label="Coins in the sum, *d_k*", step=2)
    made_of = (
        made.histogram(
            "share", "normal", "The share of each possible score", x=(-17, 17), top=0.5,
            ticks=(-16, -8, 0, 8, 16), axis="score",
        ),
        made.figures(variance="variance", deviation="its root, the typical score"),
    )  # fmt: skip

    def numbers(self) -> Numbers:
        n = 2 * (self.d_k // 2)
        share = np.zeros(17)
        for heads in range(n + 1):
            share[8 + heads - n // 2] = math.comb(n, heads) / 2**n
        sums = np.arange(-16, 17, 2)
        variance = (share * sums**2).sum()
        law = normal_in_bins(np.linspace(-17, 17, 18), math.sqrt(n))
        return {
            "share": share[None], "normal": law, "variance": np.array([[variance]]),
            "deviation": np.sqrt([[variance]]),
        }  # fmt: skip

    def tell(self, now: Numbers) -> str:
        return (
            f"{self.d_k} coins: variance {self.d_k}. The sums wander off slowly: "
            "with four times as many coins, twice as far."
        )


class SpreadOfScores(Small):
    """128 scores of random vectors, at any length."""

    question = "Make the vectors longer. How fast do the scores spread?"
    shows = "128 scores of random queries and keys as a histogram, with the normal curve of variance d_k."

    log2_d_k = traitlets.Int(4, min=0, max=8).tag(
        sync=True, label="Numbers in each vector, *d_k*", step=1, power=2
    )
    made_of = (
        made.histogram(
            "share", "normal", "How 128 scores spread, and the normal curve of variance d_k", x=(-36, 36), top=0.5,
            ticks=(-32, -16, 0, 16, 32), axis="score",
        ),
        made.figures(deviation="standard deviation of the 128", root="√d_k"),
    )  # fmt: skip

    def numbers(self) -> Numbers:
        scores, edges = _pairs()[:, self.log2_d_k], np.linspace(-36, 36, 37)
        root = math.sqrt(2**self.log2_d_k)
        return {
            "share": in_bins(scores, edges),
            "normal": normal_in_bins(edges, root),
            "deviation": np.array([[scores.std(ddof=1)]]),
            "root": np.array([[root]]),
        }

    def tell(self, now: Numbers) -> str:
        deviation, root = (number(now[name].item()) for name in ("deviation", "root"))
        return f"These 128 scores have standard deviation {deviation}, and √d_k is {root}."


class ThreeScales(Small):
    """One query of 64 numbers looks at eight keys, with each of the three scales."""

    question = "The same query, the same keys: which scale leaves a choice?"
    shows = "The weights of eight random keys of 64 numbers as bars."

    scale = traitlets.Enum(tuple(SCALES), "none").tag(sync=True, label="Scores, d_k = 64", options=SCALES)
    made_of = (made.columns("weights", "weights of the eight keys", names=KEYS, ends=(0, 1), weight=True),)

    def numbers(self) -> Numbers:
        factor = dict(zip(SCALES, _factors(64.0), strict=True))[self.scale]
        return {"weights": softmax(factor * _rows()[0, :, 6])[None]}

    def tell(self, now: Numbers) -> str:
        largest = weight(now["weights"].max())
        if self.scale == "none":
            return f"A switch: one key has {largest}."
        if self.scale == "root":
            return f"A mixture: the same key leads, with {largest}, and the others still count."
        return f"A blur: the largest weight is {largest}, and an eighth would be 0.13."


class SaturationByScale(Small):
    """The largest weight at each length, with each of the three scales: means of 64 rows."""

    question = "Which of the three scales keeps the weights still while the vectors grow?"
    shows = "The largest weight over d_k as curves, one for each scale."

    log2_d_k = traitlets.Int(5, min=0, max=8).tag(
        sync=True, label="Numbers in each vector, *d_k*", step=1, power=2
    )
    made_of = (
        made.curve(
            "largest", "The largest weight at each d_k, for each scale", y=(0, 1),
            names=tuple(SCALES.values()), axes=("d_k", "largest weight"), ticks=((0, 2, 4, 6, 8), (0, 0.5, 1)),
            power_of_two=True, points=len(POWERS),
        ),
    )  # fmt: skip

    def numbers(self) -> Numbers:
        return {"largest": _largest(), "largest_now": _largest()[:, self.log2_d_k : self.log2_d_k + 1]}

    def tell(self, now: Numbers) -> str:
        none, root, d_k = map(number, now["largest_now"][:, 0])
        return f"At d_k = {2**self.log2_d_k} the largest weight is {none} undivided, {root} by the root, {d_k} by d_k."


class VanishingSlope(Small):
    """Two keys: the weight p of the first, and p(1 − p), the slope that learning goes by."""

    question = "Two keys. Let one lead by more and more: what is left of the slope p(1 − p)?"
    shows = "Over the difference of two scores, the larger weight p as a curve and p(1 − p) as another."

    difference = traitlets.Float(1.0, min=0, max=12).tag(sync=True, label="How far one score leads", step=0.1)
    made_of = (
        made.curve(
            "both", "The larger weight p, and p(1 − p), against the difference of two scores", y=(0, 1),
            names=("p", "p(1 − p)"), axes=("difference of the scores", ""), ticks=((0, 3, 6, 9, 12), (0, 0.5, 1)),
            points=121,
        ),
        made.figures(slope="slope p(1 − p)"),
    )  # fmt: skip

    in_numpy = """
        p = softmax(np.array([{difference}, 0]))
        slope = p[0] * p[1]
        both = [p[0], slope]
    """

    def tell(self, now: Numbers) -> str:
        if self.difference == 0:
            return "Half and half: the slope is ¼, the largest there is."
        p, slope = now["both_now"][:, 0]
        text = f"p is {weight(p)}, the slope {number(slope) if slope >= 0.01 else 'below .01'}"
        if self.difference > 4:
            return f"{text}: next to no gradient gets through."
        return f"{text}: learning still feels it."


class QueriesLearn(Small):
    """The weight of key 1 in 200 queries that learn to look at it, with each of the three scales.

    The queries and keys are those of `attn.looking`; the steps are plain gradient descent of size 2. The loss is half
    the squared distance of the weights from (1, 0, …, 0), or minus the logarithm of key 1's.
    """

    question = "Which scale, with which loss, gets all 200 queries to look at key 1?"
    shows = (
        "How many of 200 queries give key 1 which weight, as bars: without a scale, with the root, with d_k."
    )

    after = traitlets.Int(0, min=0, max=300).tag(sync=True, label="Steps of training", step=10)
    d_k = traitlets.Enum(("16", "64", "256"), "64").tag(
        sync=True, label="Entries, *d_k*", options={n: n for n in ("16", "64", "256")}
    )
    loss = traitlets.Enum(("distance", "log"), "distance").tag(
        sync=True, label="Loss", options={"distance": "squared distance", "log": "−ln p"}
    )
    made_of = tuple(
        made.columns(name, label, names=("<.1", ".1–.5", ".5–.9", ">.9"), ends=(0, 250), role="ink")
        for name, label in zip(LEARNED, ("queries, no scale", "÷ √d_k", "÷ d_k"), strict=True)
    )

    def numbers(self) -> Numbers:
        now = _learning(int(self.d_k), self.loss)[:, self.after // 10]
        counts = [np.histogram(weights, (0, 0.1, 0.5, 0.9, 1))[0][None].astype(float) for weights in now]
        return dict(zip(LEARNED, counts, strict=True))

    def tell(self, now: Numbers) -> str:
        none, root, d_k = (number(now[name][0, -1]) for name in LEARNED)
        when = f"After {self.after} steps" if self.after else "Before the first step"
        return (
            f"{when}, key 1 has more than 0.9 in {none} of the 200 queries without a scale, in {root} with the root, "
            f"in {d_k} divided by d_k."
        )


class OneTable(Small):
    """Four queries and four keys of eight numbers, and the variance of their sixteen scores."""

    question = "Draw the table again and again. How near does its variance come to 8?"
    shows = "A table of sixteen scores, and its variance."

    draw = traitlets.Int(1, min=1, max=64).tag(sync=True, label="Draw number", step=1)
    made_of = (
        made.grid("scores", "scores", rows=("q1", "q2", "q3", "q4"), cols=("k1", "k2", "k3", "k4"), weight=False,
                  ends=(-13, 13)),
        made.figures(variance="variance of the sixteen; theory says 8"),
    )  # fmt: skip

    def numbers(self) -> Numbers:
        q, k = normals(self.draw, 64).reshape(2, 4, 8)
        scores = q @ k.T
        return {"scores": scores, "variance": np.array([[scores.var()]])}

    def tell(self, now: Numbers) -> str:
        variance = now["variance"].item()
        text = f"This table has variance {number(variance)}"
        if abs(variance - 8) < 1:
            return f"{text}: near 8, by luck. Draw another."
        return f"{text}: {'below' if variance < 8 else 'above'} 8, by chance alone."
