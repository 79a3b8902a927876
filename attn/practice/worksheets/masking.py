"""Chapter 3 by hand: a row with and without its mask, masks to draw and to count, the cache, inputs and targets."""

import numpy as np

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask, padding_mask, prefix_mask, sliding_window_mask
from attn.practice.mistakes import masking as wrong
from attn.practice.worksheets.sheet import (
    EXPONENTIALS,
    Ask,
    Blank,
    Problem,
    Table,
    first_good,
    row,
    vector,
    whole,
)

CHAPTER, TITLE = "3", "Hide the future with a mask"
WORDS = ("MY", "NAME", "IS", "ABIR")
D_K = 4


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    return by_hand(rng), shapes(rng), cache(rng), targets(rng)


def by_hand(rng: np.random.Generator) -> Problem:
    """One row, all in sight and then masked."""
    asks = int(whole(rng, 1, 2))

    def tame(drawn):
        scores = drawn[0] @ drawn[1].T / 2
        if len(set(scores)) < 4 or np.ptp(scores) > 4 or np.abs(scores).max() > 4 or (scores % 1).any():
            return False
        hidden = np.exp(scores[asks + 1 :]).sum() / np.exp(scores).sum()
        return 0.2 < hidden < 0.9

    q, k = first_good(lambda: (whole(rng, -1, 2, D_K), whole(rng, -1, 2, (4, D_K))), tame)
    v = first_good(lambda: whole(rng, -4, 4, (4, 2)), lambda v: len({tuple(value) for value in v}) == 4)
    sees = causal_mask(4)[[asks]]
    in_sight = scaled_dot_product_attention(q[None], k, v)[1][0]
    output, masked = scaled_dot_product_attention(q[None], k, v, sees)
    scores = q @ k.T / np.sqrt(D_K)
    name = WORDS[asks]
    return Problem(
        "One row, twice",
        (
            f"The word `{name}` asks with q = {vector(q)}. All words have a key k and a value v.",
            Table(("", *WORDS), (("k", *map(vector, k)), ("v", *map(vector, v)))),
            f"Divide the dot products by √dₖ = √4. Then hide what comes after `{name}`: those scores become −∞, and "
            "e to the −∞ is 0.",
            Table(
                (f"`{name}` looks at", *WORDS),
                (
                    ("score s", *row("scores", n=4)),
                    ("e to the s", *row("exponentials", n=4)),
                    ("weight, all in sight", *row("in_sight", n=4)),
                    ("weight, masked", *row("masked", n=4)),
                ),
            ),
            EXPONENTIALS,
            Ask(f"The output of `{name}`, masked:", row("output", n=2)),
            Ask("Masked after the softmax instead, the weights of this row sum to:", (Blank("after"),)),
        ),
        {"q": q, "k": k, "v": v, "asks": asks},
        {
            "scores": scores,
            "exponentials": np.exp(scores),
            "in_sight": in_sight,
            "masked": masked[0],
            "output": output[0],
            "after": in_sight[sees[0]].sum(),
        },
        {
            "the scores": ("scores", wrong.SCORES),
            "the masked weights": ("masked", wrong.WEIGHTS),
            "the output": ("output", wrong.MASKED_OUTPUT),
        },
        {"mask": sees[0].astype(int), "weights": masked[0]},
    )


def shapes(rng: np.random.Generator) -> Problem:
    """A mask to draw, and masks to count."""
    window, prefix = int(whole(rng, 2, 4)), int(whole(rng, 2, 4))
    n = int(whole(rng, 6, 12))
    length = int(whole(rng, 3, n - 1))
    return Problem(
        "Shapes of masks",
        (
            f"Draw the sliding window of {window} for five tokens. Write 1 where query i may look at key j, else 0.",
            Table(
                ("", *(f"key {j}" for j in range(5))),
                tuple((f"query {i}", *row("drawn", i, n=5)) for i in range(5)),
            ),
            f"How many pairs are allowed, for {n} tokens, under",
            Ask("a causal mask?", (Blank("causal"),)),
            Ask(f"a causal mask with a prefix of {prefix} that is seen by all?", (Blank("prefix"),)),
            Ask(f"a causal mask when only the first {length} tokens are real?", (Blank("both"),)),
        ),
        {"window": window, "prefix": prefix, "n": n, "length": length},
        {
            "drawn": sliding_window_mask(5, window).astype(int),
            "causal": causal_mask(n).sum(),
            "prefix": prefix_mask(n, prefix).sum(),
            "both": (causal_mask(n) & padding_mask(length, n)).sum(),
        },
    )


def cache(rng: np.random.Generator) -> Problem:
    """Where the triangle goes when the table is not square."""
    n_q = int(whole(rng, 2, 4))
    n_k = n_q + int(whole(rng, 2, 9))
    right, wrong = causal_mask(n_q, n_k, offset=n_k - n_q), causal_mask(n_q, n_k)
    return Problem(
        "The cache",
        (
            f"A model has {n_k} keys in its cache. The last {n_q} of them belong to the tokens that ask now.",
            Ask("How many keys may the first of these queries look at?", (Blank("first"),)),
            Ask("And the last?", (Blank("last"),)),
            Ask("Which offset says so? (key j is visible iff j ≤ i + offset)", (Blank("offset"),)),
            Ask("With the triangle at the top left, the first query would see:", (Blank("top_left"),)),
        ),
        {"n_q": n_q, "n_k": n_k},
        {
            "first": right[0].sum(),
            "last": right[-1].sum(),
            "offset": right[0].nonzero()[0].max(),
            "top_left": wrong[0].sum(),
        },
    )


def targets(rng: np.random.Generator) -> Problem:
    """Inputs against targets, and how low a loss can go under a mask that is one off."""
    length = int(whole(rng, 4, 7))
    text = first_good(lambda: whole(rng, 1, 20, length), lambda text: len(set(text.tolist())) == length)
    n = length - 1
    seen = {
        name: np.diagonal(causal_mask(n, offset=offset), 1).sum()
        for name, offset in (("right", 0), ("off", 1))
    }
    return Problem(
        "What goes in, what should come out",
        (
            f"A text of {length} word numbers: {vector(text)}. Each word is to guess the next one, all in one pass.",
            Table(
                ("", *(f"place {i}" for i in range(n))),
                (("goes in", *row("inputs", n=n)), ("should come out", *row("targets", n=n))),
            ),
            Ask(
                "Under a causal mask (j ≤ i), how many places see their target?",
                (Blank("right"),),
            ),
            Ask("Under the mask j ≤ i + 1, how many do?", (Blank("off"),)),
            "Say the words are drawn at random, all alike and independent. A place that sees its target can copy it; "
            "any other loses 1 on average, in some unit.",
            Ask("The lowest mean loss over all places, under the causal mask:", (Blank("honest", (), True),)),
            Ask("Under the mask j ≤ i + 1:", (Blank("too_good", (), True),)),
        ),
        {"text": text},
        {
            "inputs": text[:-1],
            "targets": text[1:],
            **seen,
            "honest": (n - seen["right"]) / n,
            "too_good": (n - seen["off"]) / n,
        },
    )
