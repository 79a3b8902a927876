"""Chapter 2 by hand: all scores of coins, a variance with means, five scales, a factor as a power on odds, a start."""

import math
from itertools import product

import numpy as np

from attn.practice.mistakes import variance as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, row, show, vector, whole
from attn.softmax import softmax
from attn.variance import score_mean, score_variance

CHAPTER, TITLE = "2", "Tame the variance of QKᵀ"


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    return coins(rng), means(rng), scales(rng), odds(rng), start(rng)


def coins(rng: np.random.Generator) -> Problem:
    """All scores of entries ±a and ±b, listed."""
    d_k, a, b = int(whole(rng, 2, 4)), int(whole(rng, 1, 3)), int(whole(rng, 1, 3))
    sums = [sum(signs) * a * b for signs in product((-1, 1), repeat=d_k)]
    scores, counts = np.unique(sums, return_counts=True)
    n = len(scores)
    return Problem(
        "Coins",
        (
            f"The entries of q are {a} or −{a}, those of k are {b} or −{b}, by the toss of a fair coin; dₖ = {d_k}. "
            f"A score is a sum of {d_k} products, and each product is {a * b} or −{a * b}. There are "
            f"{2**d_k} ways to choose the {d_k} signs.",
            Table(
                ("score", *(show(int(score)) for score in scores)),
                (("in how many ways", *row("counts", n=n)),),
            ),
            Ask("The variance of a score:", (Blank("variance"),)),
            Ask("The same divided by √dₖ has the variance:", (Blank("scaled"),)),
        ),
        {"d_k": d_k, "a": a, "b": b, "scores": scores},
        {
            "counts": counts,
            "variance": score_variance(d_k, var_q=a**2, var_k=b**2),
            "scaled": score_variance(d_k, var_q=a**2, var_k=b**2, scale=d_k**-0.5),
        },
        {"the variance": ("variance", wrong.SCORE), "the variance after √dₖ": ("scaled", wrong.BY_ROOT)},
        {"product": a**2 * b**2, "score": score_variance(d_k, var_q=a**2, var_k=b**2)},
    )


def means(rng: np.random.Generator) -> Problem:
    """Entries with means: two values each, equally likely."""
    d_k = int(rng.choice((2, 4, 5, 10)))
    m, n = (int(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(2))
    s, t = int(whole(rng, 1, 2)), int(whole(rng, 1, 2))
    law = {"var_q": s**2, "var_k": t**2, "mean_q": m}
    return Problem(
        "Entries with a mean",
        (
            f"Each entry of q is one of {vector((m - s, m + s))}, each entry of k one of {vector((n - t, n + t))}, "
            f"with equal chances and independent; dₖ = {d_k}. The variance of a score is dₖ · ((σq² + μq²)(σk² + "
            "μk²) − μq² μk²).",
            Table(("", "mean μ", "variance σ²"), (("q", *row("q", n=2)), ("k", *row("k", n=2)))),
            Ask("The mean of a score:", (Blank("mean"),)),
            Ask("Its variance:", (Blank("variance"),)),
            Ask("The part of it that a softmax over many keys sees, dₖ σk² (σq² + μq²):", (Blank("seen"),)),
        ),
        {"d_k": d_k, "q": (m - s, m + s), "k": (n - t, n + t)},
        {
            "q": (m, s**2),
            "k": (n, t**2),
            "mean": score_mean(d_k, **law, mean_k=n),
            "variance": score_variance(d_k, **law, mean_k=n),
            "seen": score_variance(d_k, **law),
        },
    )


def scales(rng: np.random.Generator) -> Problem:
    """Which scale leaves which variance."""
    d_k, n_heads = int(rng.choice((4, 9, 16, 25, 36, 49, 64, 81, 100))), int(rng.choice((2, 3, 4, 5, 8)))
    d_model = d_k * n_heads
    ways = {
        "nothing": 1,
        "√dₖ": d_k**-0.5,
        "dₖ": 1 / d_k,
        "√dₖ, and then √dₖ again": 1 / math.sqrt(d_k) ** 2,
        f"√{d_model}, the root of d_model": d_model**-0.5,
    }
    return Problem(
        "Which scale?",
        (
            f"{n_heads} heads of dₖ = {d_k} numbers each. All entries have mean 0 and variance 1. Write fractions.",
            Table(
                ("scores divided by", "variance of a score"),
                tuple((name, Blank("variances", (i,), True)) for i, name in enumerate(ways)),
            ),
            Ask("Nothing was divided by: which temperature repairs it?", (Blank("forgot", (), True),)),
            Ask("Divided by dₖ: which temperature repairs it?", (Blank("too_much", (), True),)),
        ),
        {"d_k": d_k, "n_heads": n_heads},
        {
            "variances": [score_variance(d_k, scale=scale) for scale in ways.values()],
            "forgot": math.sqrt(score_variance(d_k)),
            "too_much": math.sqrt(score_variance(d_k, scale=1 / d_k)),
        },
    )


def odds(rng: np.random.Generator) -> Problem:
    """A factor on the scores is a power on the odds."""
    low, gap, factor = (int(number) for number in (whole(rng, -3, 3), whole(rng, 1, 5), whole(rng, 2, 8)))
    one, many = (softmax(c * np.array([low + gap, low])) for c in (1, factor))
    return Problem(
        "A factor is a power",
        (
            f"Two keys have the scores {show(low + gap)} and {show(low)}. The ratio of their weights is e to a "
            "whole number.",
            Ask("The exponent:", (Blank("exponent"),)),
            Ask(f"The exponent when all scores are multiplied by {factor}:", (Blank("multiplied"),)),
        ),
        {"scores": (low + gap, low), "factor": factor},
        {"exponent": np.log(one[0] / one[1]), "multiplied": np.log(many[0] / many[1])},
        {"the exponent": ("exponent", wrong.GAPS), "the second exponent": ("multiplied", wrong.GROWN)},
        {"gaps": gap},
    )


def start(rng: np.random.Generator) -> Problem:
    """How far scores spread behind nn.Linear as it starts, without a bias and with one."""
    d_model, d_k = int(rng.choice((4, 8, 10, 12, 16, 20, 24))), int(rng.choice((4, 9, 16, 25, 36)))
    weight = 1 / (3 * d_model)  # of a number between −1/√d_model and 1/√d_model
    plain, biased = d_model * weight, d_model * weight + weight
    return Problem(
        "What a layer starts with",
        (
            f"`nn.Linear({d_model}, {d_k})` draws its weights evenly between −1/√{d_model} and 1/√{d_model}. A number "
            "drawn evenly between −a and a has the variance a² / 3. One such layer makes q and another makes k, from "
            f"tokens of {d_model} numbers whose squares sum to {d_model}. Write fractions.",
            Ask("The variance of one weight:", (Blank("weight", (), True),)),
            Ask("The variance of an entry of q, without a bias:", (Blank("entry", (), True),)),
            Ask(f"The variance of q · k (dₖ = {d_k}):", (Blank("raw", (), True),)),
            Ask("The standard deviation of q · k / √dₖ:", (Blank("deviation", (), True),)),
            Ask("The same with a bias that is drawn like a weight:", (Blank("biased", (), True),)),
        ),
        {"d_model": d_model, "d_k": d_k},
        {
            "weight": weight,
            "entry": plain,
            "raw": score_variance(d_k, var_q=plain, var_k=plain),
            "deviation": math.sqrt(score_variance(d_k, var_q=plain, var_k=plain, scale=d_k**-0.5)),
            "biased": math.sqrt(score_variance(d_k, var_q=biased, var_k=biased, scale=d_k**-0.5)),
        },
    )
