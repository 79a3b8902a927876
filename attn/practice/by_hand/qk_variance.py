"""Chapter 2: the variance of a score under three scales; a factor on the scores as a power on the odds."""

import numpy as np

from attn.practice.by_hand.attention import powers
from attn.practice.exercise import Drawn, Exercise, Given, Step
from attn.practice.mistakes import variance as wrong
from attn.softmax import softmax
from attn.variance import score_variance

LAYERS = ("layer 1", "layer 2")


def _variance(a: np.ndarray, b: np.ndarray, d_k: np.ndarray, power: float) -> list[float]:
    """The variance of a score times d_k to a power, for each layer."""
    layers = zip(a.ravel(), b.ravel(), d_k.ravel(), strict=True)
    return [float(score_variance(int(d), var_q=x**2, var_k=y**2, scale=d**power)) for x, y, d in layers]


class VarianceByHand(Exercise):
    """How much a score varies: one product, their sum, and the sum divided by √d_k and by d_k."""

    topic, title, chapter = "variance", "The variance of a score", "2"
    task = (
        "In each of two layers an entry of q is *a* or −*a*, an entry of k is *b* or −*b*, by independent "
        "tosses of a fair coin, and a score is a sum of *d_k* products. How much does it vary, and with which scale?"
    )
    givens = (
        Given("a", "*a*", ("",), LAYERS, "q"),
        Given("b", "*b*", ("",), ("", ""), "k"),
        Given("d_k", "*d_k*", ("",), ("", "")),
    )
    steps = (
        Step(
            "product",
            LAYERS,
            "The variance of one product of an entry of q and one of k?",
            lambda a, b: _variance(a, b, np.ones_like(a), 0),
            wrong.PRODUCT,
            "A product is *ab* or −*ab*, with mean 0: the variance is the average of its square.",
            label="variance",
        ),
        Step(
            "score",
            LAYERS,
            "The variance of the score, a sum of *d_k* such products?",
            lambda a, b, d_k: _variance(a, b, d_k, 0),
            wrong.SCORE,
            "Variances of independent numbers add.",
            label="variance",
        ),
        Step(
            "by_root",
            LAYERS,
            "And of the score divided by √*d_k*?",
            lambda a, b, d_k: _variance(a, b, d_k, -0.5),
            wrong.BY_ROOT,
            "Dividing a number by *c* divides its variance by *c* squared.",
            label="variance",
        ),
        Step(
            "by_d_k",
            LAYERS,
            "And of the score divided by *d_k*? Fractions such as 4/9 are welcome.",
            lambda a, b, d_k: _variance(a, b, d_k, -1),
            wrong.BY_D_K,
            "Dividing a number by *c* divides its variance by *c* squared.",
            label="variance",
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        return {
            "a": rng.integers(1, 4, 2),
            "b": rng.integers(1, 4, 2),
            "d_k": rng.choice((4, 9, 16, 25), 2, replace=False),
        }


class OddsByHand(Exercise):
    """How far the leading key is ahead when all scores are multiplied, and the weights that this gives."""

    topic, title, chapter = "odds", "A factor on the scores", "2"
    task = (
        "Three keys have these scores, and key 1 leads. Then all scores are multiplied by a factor. What are the "
        "weights?"
    )
    aid = powers(-5, 0, "To a lower power it is less than 0.01.")
    givens = (
        Given("scores", "scores", ("",), ("key 1", "key 2", "key 3")),
        Given("factor", "factor", ("",), ("",)),
    )
    steps = (
        Step(
            "gaps",
            ("of key 2", "of key 3"),
            "How far is key 1 ahead of each other key?",
            lambda scores: scores[:, :1] - scores[:, 1:],
            wrong.GAPS,
            "The score of key 1 minus the other score. Minus a minus is a plus.",
            label="ahead",
        ),
        Step(
            "grown",
            ("of key 2", "of key 3"),
            "And after all scores are multiplied by the factor?",
            lambda gaps, factor: gaps * factor,
            wrong.GROWN,
            "If each score is multiplied, so is the difference of two.",
            label="ahead",
        ),
        Step(
            "weights",
            ("key 1", "key 2", "key 3"),
            "Relative to key 1 the others count *e* to the power of minus that. Divide by the sum: the weights now?",
            lambda scores, factor: softmax(scores * factor),
            wrong.ODDS_WEIGHTS,
            "Key 1 counts 1, the others a power of *e*. Add the three, and divide each by the sum.",
            tolerance=0.01,
        ),
    )

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Drawn:
        lead = rng.integers(-5, 9)
        return {
            "scores": lead - np.array([0, *rng.permutation(3)[:2] + 1]),
            "factor": rng.integers(2, 4),
        }
