"""Chapter 0 by hand: score, weigh, mix; and what a longer query and moved keys change."""

from typing import Any

import numpy as np

from attn.attention import scaled_dot_product_attention
from attn.practice.mistakes import attention as wrong
from attn.practice.worksheets.sheet import (
    EXPONENTIALS,
    Ask,
    Blank,
    Problem,
    Table,
    first_good,
    row,
    show,
    vector,
    whole,
)
from attn.softmax import softmax

CHAPTER, TITLE = "0", "Meet attention"
WORDS = ("the", "cat", "sat")
D_K = 4  # its root is 2, so scores can be whole numbers


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    q, k = first_good(lambda: (whole(rng, -1, 2, D_K), whole(rng, -1, 2, (3, D_K))), tame)
    v = first_good(lambda: whole(rng, -4, 4, (3, 2)), lambda v: len({tuple(value) for value in v}) == 3)
    u = first_good(lambda: whole(rng, -1, 1, D_K), lambda u: q @ u % 2 == 0 and q @ u != 0)
    output, weights = scaled_dot_product_attention(q[None], k, v)
    scores = q @ k.T / np.sqrt(D_K)
    first, second = np.argsort(-scores)[:2]
    twice = scaled_dot_product_attention(2 * q[None], k, v)[1][0]
    moved = scaled_dot_product_attention(q[None], k + u, v)[1][0]
    return (
        Problem(
            "Score, weigh, mix",
            (
                f"The word `sat` asks with the query q = {vector(q)}. Each word has a key k of four numbers and a "
                "value v of two.",
                Table(("", *WORDS), (("k", *map(vector, k)), ("v", *map(vector, v)))),
                "Take the dot product of q with each key. Divide by √dₖ = √4 to get the score s. Take e to the "
                "power of each score (the last table has it); divide each by their sum to get the weights.",
                Table(
                    ("`sat` looks at", *WORDS),
                    (
                        ("q · k", *row("dots", n=3)),
                        ("score s", *row("scores", n=3)),
                        ("e to the s", *row("exponentials", n=3)),
                        ("weight", *row("weights", n=3)),
                    ),
                ),
                EXPONENTIALS,
                Ask("Average the values with these weights. The output of `sat`:", row("output", n=2)),
            ),
            {"q": q, "k": k, "v": v},
            {
                "dots": q @ k.T,
                "scores": scores,
                "exponentials": np.exp(scores),
                "weights": weights[0],
                "output": output[0],
            },
            {
                "the products": ("dots", wrong.DOTS),
                "the scores": ("scores", wrong.SCORES),
                "the weights": ("weights", wrong.WEIGHTS),
                "the output": ("output", wrong.OUTPUT),
            },
        ),
        Problem(
            "What changes?",
            (
                f"`{WORDS[first]}` has the largest weight, `{WORDS[second]}` the next. Their ratio is e to a whole "
                "number, which you can read off the scores.",
                Ask("The exponent now:", (Blank("odds"),)),
                Ask("The exponent when the query is made twice as long:", (Blank("odds_twice"),)),
                f"Now q is as it was, and u = {vector(u)} is added to all three keys.",
                Ask("By how much does each score change?", (Blank("shift"),)),
                Ask("By how much does the weight of `the` change?", (Blank("weight_shift"),)),
            ),
            {"u": u},
            {
                "odds": np.log(weights[0, first] / weights[0, second]),
                "odds_twice": np.log(twice[first] / twice[second]),
                "shift": (q @ (k + u).T / np.sqrt(D_K) - scores)[0],
                "weight_shift": (moved - weights[0]).round(12)[0],
            },
        ),
        backwards(rng),
    )


def backwards(rng: np.random.Generator) -> Problem:
    """Queries for given weights; then a second set, and a third, with the same weights."""
    odds = first_good(lambda: whole(rng, -3, 3, (2, 2)), lambda odds: odds.all() and len({*odds.flat}) == 4)
    added = int(rng.choice((1, 2, 3, -1, -2)))
    keys, longer = np.eye(4)[:3], 2 * np.eye(4)[:3]
    weights = softmax(np.pad(odds, ((0, 0), (0, 1))))
    scores = np.log(weights / weights[:, 2:])  # a row of scores may have any number added: here `sat` gets 0
    queries = np.sqrt(D_K) * np.pad(scores, ((0, 0), (0, 1)))
    for q, k in ((queries, keys), (queries / 2, longer), (queries + 2 * added, keys)):
        np.testing.assert_allclose(scaled_dot_product_attention(q, k, k)[1], weights, atol=1e-12)
    names = "`the`", "`cat`"
    return Problem(
        "From weights to queries",
        (
            "The other way round. The keys are one-hot, and dₖ = 4: `the` has (1, 0, 0, 0), `cat` (0, 1, 0, 0), `sat` "
            "(0, 0, 1, 0). In each row the table has the exponent n for which a weight is e to the n times the weight "
            "of `sat`:",
            Table(
                ("n", *(f"`{word}`" for word in WORDS)),
                tuple((f"{name} looks at", *map(int, odds[i]), 0) for i, name in enumerate(names)),
            ),
            "Find queries with these weights. Their third and fourth numbers are 0; a score is half of a product.",
            Table(
                ("q", "first number", "second number"),
                tuple((name, *row("queries", i, n=2)) for i, name in enumerate(names)),
            ),
            Ask(
                "All keys become twice as long. The query of `the` for the same weights:", row("halved", n=2)
            ),
            Ask(
                f"The keys are as before, and the third number of the query of `the` is {show(2 * added)}. For the "
                "same weights, its first two:",
                row("other", n=2),
            ),
        ),
        {"odds": odds, "added": added},
        {
            "queries": queries[:, :2],
            "halved": queries[0, :2] / 2,
            "other": queries[0, :2] + 2 * added,
        },
    )


def tame(drawn: Any) -> bool:
    """Whole scores, no two alike, none so far from another that only one weight is left."""
    scores = drawn[0] @ drawn[1].T / 2
    whole_numbers = np.array_equal(scores, scores.round())
    return whole_numbers and len(set(scores)) == 3 and 2 <= np.ptp(scores) <= 4 and np.abs(scores).max() <= 4
