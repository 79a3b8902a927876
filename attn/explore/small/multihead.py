"""Chapter 4: the small figures."""

import numpy as np
import traitlets

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.explore.multihead import LEGIBLE, PRESETS, WORDS
from attn.multihead import MultiHeadAttention, merge_heads, split_heads
from attn.softmax import softmax

SAT = WORDS.index("sat")
SOURCE = PRESETS["source"]
WAYS = {"alone": "reshape alone", "both": "reshape, then heads to the front"}
TOKENS = [str(token) for token in range(1, 5)]


class OneHeadAtBest(Small):
    """A whole `cat` and some `the`: what one head with a fader can give of it at best, and what two heads give.

    `wanted`: how much of `the` the output should have beside one `cat`.
    """

    question = "You want one `cat` and some `the`. How near can one head with a fader come?"
    shows = "What the output has of the and of cat, as bars: the nearest that one head with a fader comes, and two."

    wanted = traitlets.Float(1.0, min=-1, max=1).tag(
        sync=True, label="Wanted: one `cat`, and `the` times", step=0.1
    )
    made_of = (
        made.columns("one_head", "one head at best", names=WORDS[:2], ends=(-1.5, 1.5)),
        made.columns("two_heads", "two heads", names=WORDS[:2], ends=(-1.5, 1.5)),
    )

    in_numpy = """
        one_head, two_heads = [max({wanted}, 0), 1], [{wanted}, 1]
    """

    def tell(self, now: Numbers) -> str:
        if self.wanted == 0:
            return "One `cat` and nothing else: for this, one head is enough."
        if self.wanted < 0:
            return "One head gives both words one sign: plain `cat` is as near as it gets. Two heads and a minus do it."
        weights, fader = f"{number(self.wanted)} to 1", number(1 + self.wanted)
        return f"Weights as {weights} and a fader of {fader}: one head gives both as wanted."


class LargerEntries(Small):
    """The weights of `sat` in head 1 when the entries of its queries and keys are larger or smaller than 3.

    `size`: what stands in W_Q and W_K in place of 3.
    """

    question = "How large must the entries be until `sat` gives nearly all to `cat`?"
    shows = (
        "The weight that sat gives to cat, and to each other word, as curves over the size of the entries."
    )

    size = traitlets.Float(2.0, min=0, max=6).tag(
        sync=True, label="Entries of the queries and keys", step=0.1
    )
    made_of = (
        made.curve(
            "weight",
            "The weights of `sat` against the size of the entries",
            y=(0, 1),
            names=("cat", "the"),
            axes=("size of the entries", "weight"),
            ticks=((0, 1, 2, 3, 4, 5, 6), (0, 0.5, 1)),
            points=121,
        ),
    )

    in_numpy = """
        score = {size} ** 2 / np.sqrt(3)
        weight = softmax(np.array([score, 0, 0]))[:2]
    """

    def tell(self, now: Numbers) -> str:
        if self.size == 0:
            return "Queries and keys of zeros: all three words have a third."
        cat, the = now["weight_now"][:, 0]
        return f"`cat` has {weight(cat)}; `the` and `sat` have {weight(the)} each."


class AddedShares(Small):
    """The row of `sat`: what each head adds to it, and their sum, while one entry of head 2's block of W_O moves.

    Queries and keys are twice those of the legible heads.
    """

    question = "Only head 2's rows of W_O change. Which of these numbers move?"
    shows = (
        "Three rows of four numbers, below one another: the share of head 1, the share of head 2, their sum."
    )

    entry = traitlets.Float(0.5, min=-1, max=1).tag(
        sync=True, label="Head 2 writes `the` to `up`, times", step=0.1
    )
    made_of = (
        made.grid(
            "shares",
            "the row of sat",
            rows=("head 1", "head 2", "sum"),
            cols=WORDS,
            weight=False,
            ends=(-1, 1),
            role="v",
        ),
    )

    def numbers(self) -> Numbers:
        w_q, w_k, w_v, w_o = (np.array(LEGIBLE[name], dtype=float) for name in ("w_q", "w_k", "w_v", "w_o"))
        w_o[1, WORDS.index("the"), WORDS.index("up")] = self.entry
        # entries of 6 in place of 3: each head gives nearly all to one word, and rounded numbers add up to the eye
        layer, x = MultiHeadAttention(2 * w_q, 2 * w_k, w_v, w_o.reshape(6, 4)), np.eye(4)[:3]
        return {"shares": np.vstack([layer.shares(x)[:, SAT], layer(x)[0][SAT]])}

    def tell(self, now: Numbers) -> str:
        _, two, total = now["shares"][:, WORDS.index("up")]
        return (
            f"Head 2 adds {number(two)} at `up`, where head 1 adds nothing: the sum is {number(total)}. All "
            "else stays."
        )


class RowOfAHead(Small):
    """The row of `sat` in W_Q W_Kᵀ of head 1, and its weights, while one number of its query moves.

    `entry`: the first number in the row of `sat` of W_Q, the one that meets the key of `the`.
    """

    question = "One number of `sat`'s query moves. Whom does `sat` look at?"
    shows = (
        "The row of sat in the product that says who looks at whom, as bars, and the weights that it gives."
    )

    entry = traitlets.Float(2.0, min=-3, max=6).tag(
        sync=True, label="First number of the query of `sat`", step=0.1
    )
    made_of = (
        made.columns("looks", "row of sat", names=WORDS, ends=(-9, 18), role="q"),
        made.columns("weights", "weight", names=WORDS, ends=(0, 1), weight=True),
    )

    in_numpy = """
        looks = np.array([3 * {entry}, 9, 0, 0])
        weights = softmax(looks / np.sqrt(3))
    """

    def tell(self, now: Numbers) -> str:
        the, cat, *_ = now["weights"][0]
        if self.entry == 3:
            return f"9 for `the` and 9 for `cat`: each has {weight(the)}, a blend."
        word, most = ("the", the) if self.entry > 3 else ("cat", cat)
        return f"The longest bar is `{word}`, so `sat` looks mostly there: {weight(most)}."


HEADS = {number: number for number in ("1", "2", "4")}


class WhoseNumbers(Small):
    """How many of each token's four numbers head 1 gets: split as it should be, and by reshape alone."""

    question = "Four tokens of four numbers. How many of each does head 1 get?"
    shows = "How many numbers of each of four tokens head 1 gets, as bars: the right head, and the blind one."

    heads = traitlets.Enum(tuple(HEADS), "2").tag(sync=True, label="Heads", options=HEADS)
    made_of = (
        made.columns("right", "right head 1", names=TOKENS, ends=(0, 4), role="q"),
        made.columns("blind", "blind head 1", names=TOKENS, ends=(0, 4), role="q"),
    )

    def numbers(self) -> Numbers:
        n_heads, places = int(self.heads), np.arange(16).reshape(4, 4)
        ways = {"right": split_heads(places, n_heads)[0], "blind": places.reshape(n_heads, 4, -1)[0]}
        return {way: np.isin(places, mine).sum(axis=1)[None].astype(float) for way, mine in ways.items()}

    def tell(self, now: Numbers) -> str:
        if self.heads == "1":
            return "One head gets everything, and the two ways agree."
        share = 4 // int(self.heads)
        numbers, tokens = ("1 number", "1 token") if share == 1 else (f"{share} numbers", f"{share} tokens")
        return f"The right head gets {numbers} of each token, the blind head all numbers of {tokens}."


class BlindHead(Small):
    """Weights of head 1 on four words, with the queries and keys of both heads split in one of two ways.

    `way`: reshape alone, or reshape and then the heads brought to the front.
    """

    question = "Which of the two tables shows a head that looks at the word before?"
    shows = "The weights of head 1 on the cat sat up, as a matrix."

    way = traitlets.Enum(tuple(WAYS), "alone").tag(sync=True, label="Split by", options=WAYS)
    made_of = (made.grid("weights", "weights of head 1", rows=WORDS, cols=WORDS),)

    def numbers(self) -> Numbers:
        q, k = (merge_heads(np.array(LEGIBLE[name], dtype=float)) for name in ("w_q", "w_k"))
        q_1, k_1 = (split_heads(a, 2)[0] if self.way == "both" else a.reshape(2, 4, 3)[0] for a in (q, k))
        return {"weights": softmax(q_1 @ k_1.T / np.sqrt(3))}

    def tell(self, now: Numbers) -> str:
        if self.way == "both":
            return "Each word looks at the one before it, and `the` at itself: that is head 1."
        return "Shapes fit and rows sum to one. But all four rows are the same: this is not head 1."


class StuckEntry(Small):
    """The weight that `Hello` gives to `World` in head 1 of source 003, while one entry of W_Q is made smaller.

    `down`: what is taken from the entry in column 1, in row 4 or in row 1.
    """

    question = "Take from an entry in row 4, or from one in row 1. Which moves the weight?"
    shows = "The weight of World in the row of Hello, as curves over what is taken from an entry of row 4 or row 1."

    down = traitlets.Float(2.5, min=0, max=3).tag(sync=True, label="Taken from the entry", step=0.1)
    made_of = (
        made.curve(
            "weight",
            "The weight that `Hello` gives to `World`, against what is taken from one entry",
            y=(0, 1),
            names=("row 4", "row 1"),
            axes=("taken from the entry", "weight of World"),
            ticks=((0, 1, 2, 3), (0, 0.5, 1)),
        ),
    )

    def numbers(self) -> Numbers:
        x = np.array(SOURCE["x"])[:2]
        w_q, w_k = (np.array(SOURCE[name][0], dtype=float) for name in ("w_q", "w_k"))

        def scores(down: np.ndarray, row: int) -> np.ndarray:
            query = x[0] @ w_q - np.outer(down * x[0, row], [1, 0, 0])
            return query @ (x @ w_k).T / np.sqrt(3)

        weights = lambda down: np.stack([softmax(scores(down, row))[:, 1] for row in (3, 0)])  # noqa: E731
        now = np.array([self.down])
        return {
            **self.curve(weights, 121),
            "gap": np.concatenate([np.diff(scores(now, row)) for row in (3, 0)]),
        }

    def tell(self, now: Numbers) -> str:
        (four, one), (near, far) = now["weight_now"][:, 0], now["gap"][:, 0]
        return f"Row 4: a gap of {number(near)}, so `World` has {weight(four)}. Row 1: {number(far)}, so {weight(one)}."
