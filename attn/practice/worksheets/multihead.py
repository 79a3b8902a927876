"""Chapter 4 by hand: columns dealt to heads, two heads and their sum, what heads cost, two pairs with one attention."""

import numpy as np

from attn.multihead import MultiHeadAttention, split_heads
from attn.practice.mistakes import multihead as wrong
from attn.practice.worksheets.sheet import Ask, Blank, Problem, Table, first_good, row, show, vector, whole

CHAPTER, TITLE = "4", "Split attention into heads"
WORDS = ("the", "cat", "sat")
# Head 1 sees the word before, head 2 the first word; the first word has nobody before it and sees itself.
SEES = np.array([[[1, 0, 0], [1, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]], dtype=bool)


def problems(rng: np.random.Generator) -> tuple[Problem, ...]:
    """The problems, their numbers drawn by `rng`."""
    return deal(rng), two_heads(rng), cost(rng), same(rng)


def deal(rng: np.random.Generator) -> Problem:
    """The split into heads, and the reshape that forgets to transpose."""
    n, n_heads, d = int(whole(rng, 3, 4)), int(whole(rng, 2, 3)), int(whole(rng, 2, 3))
    start = int(whole(rng, 0, 4))
    x = 10 * np.arange(1, n + 1)[:, None] + start + np.arange(n_heads * d)
    head = int(whole(rng, 1, n_heads))
    blind = x.reshape(n_heads, n, d)[head - 1]

    def table(name):
        return Table(
            ("", *(f"number {j + 1}" for j in range(d))),
            tuple((f"token {i + 1}", *row(name, i, n=d)) for i in range(n)),
        )

    return Problem(
        "Deal the columns",
        (
            f"{n} tokens have {n_heads * d} numbers each, for {n_heads} heads of {d}:",
            Table(
                ("", *(f"{j + 1}" for j in range(n_heads * d))),
                tuple((f"token {i + 1}", *map(int, values)) for i, values in enumerate(x)),
            ),
            f"What does head {head} get?",
            table("right"),
            f"And if the array is only reshaped to ({n_heads}, {n}, {d})? It is read row by row.",
            table("blind"),
        ),
        {"x": x, "n_heads": n_heads, "head": head},
        {"right": split_heads(x, n_heads)[head - 1], "blind": blind},
        {f"what head {head} gets,": ("right", wrong.SPLIT)},
    )


def two_heads(rng: np.random.Generator) -> Problem:
    """Two heads that look at one word each: what they say, and the sum."""

    def draw():
        return whole(rng, 0, 2, (3, 2)), whole(rng, -2, 2, (2, 2, 2)), whole(rng, -2, 2, (2, 2, 2))

    def layer_of(w_v, w_o):
        zeros = np.zeros((2, 2, 2))
        return MultiHeadAttention(zeros, zeros, w_v.astype(float), w_o.reshape(4, 2).astype(float))

    def lively(drawn):
        x, w_v, w_o = drawn
        shares = layer_of(w_v, w_o).shares(x.astype(float), mask=SEES)
        differ = len({tuple(word) for word in x}) == 3 and (shares[0, 2] != shares[1, 2]).any()
        return differ and all(share.any() for share in shares[:, 2]) and np.abs(shares).max() <= 12

    x, w_v, w_o = first_good(draw, lively)
    shares = layer_of(w_v, w_o).shares(x.astype(float), mask=SEES)
    heads = [x[np.argmax(SEES[h, 2])] @ w_v[h] for h in range(2)]
    return Problem(
        "Two heads, one sum",
        (
            "Head 1 looks at the word before (the first word at itself), head 2 at the first word. A mask leaves "
            "nothing else, so each weight is 1. The words are rows of x; each head has its own W_V, and its own "
            "two rows of W_O.",
            Table(("", *WORDS), (("x", *map(vector, x)),)),
            Table(
                ("", "W_V, row 1", "W_V, row 2", "W_O, row 1", "W_O, row 2"),
                tuple((f"head {h + 1}", *map(vector, w_v[h]), *map(vector, w_o[h])) for h in range(2)),
            ),
            "For the word `sat`: the value that each head fetches (x times W_V), and what the head adds to the "
            "output (its value times its rows of W_O).",
            Table(
                ("", "value, 1", "value, 2", "adds, 1", "adds, 2"),
                tuple((f"head {h + 1}", *row("heads", h, n=2), *row("shares", h, n=2)) for h in range(2)),
            ),
            Ask("The output of `sat`:", row("output", n=2)),
            Ask("Head 2's fader goes to −1. The output of `sat`:", row("difference", n=2)),
        ),
        {"x": x, "w_v": w_v, "w_o": w_o},
        {
            "heads": np.array(heads),
            "shares": shares[:, 2],
            "output": layer_of(w_v, w_o)(x.astype(float), mask=SEES)[0][2],
            "difference": shares[0, 2] - shares[1, 2],
        },
        {
            "the values": ("heads", {"one-set": wrong.HEADS["one-set"]}),
            "the output": ("output", wrong.OUTPUT),
        },
        {
            "weights": SEES[:, 2],
            "values_1": x @ w_v[0],
            "side_by_side": np.ravel(heads),
            "w_o": w_o.reshape(4, 2),
        },
    )


def cost(rng: np.random.Generator) -> Problem:
    """How many weights there are, whatever the number of heads."""
    d_model = int(rng.choice((8, 12, 16, 20, 24)))
    n_heads = int(rng.choice((2, 4)))
    other = int(rng.choice([n for n in (1, 2, 4) if n != n_heads]))
    whole_layer, another = (MultiHeadAttention.init(rng, d_model, n) for n in (n_heads, other))
    return Problem(
        "What heads cost",
        (
            f"d_model is {d_model}. There are no biases, and dₖ = d_model / h for h heads.",
            Ask(f"Weights of a layer with {n_heads} heads, W_Q, W_K, W_V and W_O together:", (Blank("all"),)),
            Ask(f"With {other} head{'s' * (other > 1)}:", (Blank("other"),)),
            Ask(f"Of the {n_heads} heads one is pruned, with its rows of W_O. Left are:", (Blank("pruned"),)),
        ),
        {"d_model": d_model, "n_heads": n_heads, "other": other},
        {
            "all": whole_layer.n_parameters,
            "other": another.n_parameters,
            "pruned": whole_layer.prune(0).n_parameters,
        },
    )


def same(rng: np.random.Generator) -> Problem:
    """Another W_Q and the W_K that goes with it."""
    times = int(rng.choice((-3, -2, 2, 3)))
    w_q, w_k = first_good(
        lambda: whole(rng, -2, 3, (2, 3, 2)),
        lambda two: all(abs(np.linalg.matrix_rank(w)) == 2 and w.any(axis=1).all() for w in two),
    )
    mix = np.array([[1, times], [0, 1]])
    other_q, other_k = w_q @ mix, w_k @ np.linalg.inv(mix).T
    words = "word 1", "word 2", "word 3"
    return Problem(
        "Another pair, the same attention",
        (
            "A head of two numbers for three one-hot words, so the rows are their queries and keys:",
            Table(
                ("", "W_Q", "W_K", "another W_Q"),
                tuple(
                    (word, vector(w_q[i]), vector(w_k[i]), vector(other_q[i])) for i, word in enumerate(words)
                ),
            ),
            f"The other W_Q has the first column of W_Q, and {show(times)} times it added to the second. What W_K "
            "gives the same scores with it? (It has the second column of W_K.)",
            Table(
                ("another W_K", "first number", "second number"),
                tuple((word, *row("other_k", i, n=2)) for i, word in enumerate(words)),
            ),
            Ask("W_Q W_Kᵀ, the scores that word 1 gives to all three before the root:", row("scores", n=3)),
            Ask(
                "W_Q and W_K have 12 numbers together. 4 can be chosen freely, as you saw with one of them. How many "
                "count?",
                (Blank("count"),),
            ),
        ),
        {"w_q": w_q, "w_k": w_k, "times": times},
        {
            "other_k": other_k.round(9),
            "scores": (other_q @ other_k.T).round(9)[0],
            "count": 2 * w_q.size - mix.size,
        },
    )
