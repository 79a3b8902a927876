"""Turned positions: the small figures."""

import math
from functools import cache

import numpy as np
import traitlets

from attn._numbers import number
from attn.explore import _small as made
from attn.explore._draws import in_bins, normal_in_bins, normals
from attn.explore._small import Numbers, Small
from attn.explore.small.positional_encoding import DIMENSIONS
from attn.positional import angular_frequencies
from attn.rotary import rotate, stretch, to_layout

WIDTH = 64
REACH = 60
BACK = 20
#: The query, all ones, and a key as it is before it is turned: the query, turned to fit 20 back.
QUERY = np.ones(WIDTH)
FITS_20 = rotate(QUERY[None], BACK)[0]


class ScoreByOffset(Small):
    """The score of a query with turned keys against how far back they stand: two keys, and the spread of all.

    `back`: how many words before the query the key stands.
    """

    question = "Move the key further and further back. Does its score fade?"
    shows = (
        "Scores over how far back a key stands, as three curves: a key that is the query falls and swings, a key that "
        "was turned to fit peaks at 20, and the spread of keys of any direction stays level."
    )

    back = traitlets.Int(0, min=0, max=REACH).tag(sync=True, label="Words back", step=1)
    made_of = (
        made.curve(
            "score",
            "The score against how far back the key stands, as a share of its largest",
            y=(0, 1),
            names=("all ones", "fits 20 back", "spread"),
            axes=("words back", "share of the largest"),
            ticks=((0, 20, 40, 60), (0, 0.5, 1)),
        ),
    )

    def numbers(self) -> Numbers:
        def shares(back: np.ndarray) -> np.ndarray:
            turned = (rotate(np.tile(key, (len(back), 1)), -back) for key in (QUERY, FITS_20))
            # Keys of any direction with variance 1 in each: the spread of their scores is the length of the query.
            spread = np.linalg.norm(rotate(np.tile(QUERY, (len(back), 1)), back), axis=-1)
            return np.stack([*(keys @ QUERY / WIDTH for keys in turned), spread / np.sqrt(WIDTH)])

        return self.curve(shares, 4 * REACH + 1)

    def tell(self, now: Numbers) -> str:
        ones, fits, _ = map(number, now["score_now"][:, 0])
        return (
            f"{self.back} back: {ones} for ones, {fits} for the key that fits {BACK} back. "
            "Keys of any direction keep their spread."
        )


class LayersWithoutPlaces(Small):
    """What `man` becomes behind a causal mask, without positions, when the two words before it change places.

    `layers`: how many layers of attention there are, each added to what came in.
    """

    question = "No positions, only a causal mask. Does `man` know which of the two words came first?"
    shows = (
        "The four numbers of `man` behind causal attention without positions, as bars, after two words in either "
        "order."
    )

    layers = traitlets.Enum(("one", "two"), "one").tag(
        sync=True, label="Layers", options={"one": "one layer", "two": "two layers"}
    )
    made_of = (
        made.columns("forward", "dog bites man", names=DIMENSIONS, ends=(-1, 2.5), role="q"),
        made.columns("swapped", "bites dog man", names=DIMENSIONS, ends=(-1, 2.5), role="v"),
    )

    in_numpy = """
        words = np.array([[0.3, 0.8, 0.3, -1.3], [0.9, 0.4, -0.5, 0.6], [0.4, 0.3, 0, 0.5]])

        def last(x):
            for _ in range({"one": 1, "two": 2}[{layers}]):
                x = x + softmax(np.where(np.tri(3, dtype=bool), x @ x.T / 2, -np.inf)) @ x
            return x[-1]

        forward, swapped = last(words), last(words[[1, 0, 2]])
    """

    def tell(self, now: Numbers) -> str:
        if self.layers == "one":
            return "The same four numbers: one layer sees which words came before, as a bag."
        return "Now they differ: the second word had seen the first, and not the other way round."


SPAN = 20
APART = 3
#: A query and a key of eight numbers, as they are before they are turned.
ASKS = np.array([0.0, -2, 1, 2, 1, -2, -2, 1])
ASKED = np.array([-1.0, -2, 0, -1, -1, 2, -1, 1])


def _rows(x: np.ndarray, count: int) -> np.ndarray:
    return np.tile(x, (count, 1))


class MovedTogether(Small):
    """The score of two words three apart, in three programs, while both words move on."""

    question = "Both words move on, three apart throughout. In which program does their score move?"
    shows = (
        "Scores over the place of the first word, as three curves: paired by halves it stays, turned the other way it "
        "stays, and with two angles in a pair it swings."
    )

    start = traitlets.Int(0, min=0, max=SPAN).tag(sync=True, label="Both words start at", step=1)
    made_of = (
        made.curve(
            "score",
            "The score of a query with a key three words before it, against where the key stands",
            y=(-9, 9),
            names=("halves", "mixed up", "reverse"),
            axes=("place of the first word", "score"),
            ticks=((0, 5, 10, 15, 20), (-8, -4, 0, 4, 8)),
        ),
    )

    in_numpy = """
        q = np.array([0, -2, 1, 2, 1, -2, -2, 1])
        k = np.array([-1, -2, 0, -1, -1, 2, -1, 1])
        clocks = 10000.0 ** (-np.arange(4) / 4)

        def turned(x, place, first, second, angles):
            other = np.zeros(8)
            other[first], other[second] = -x[second], x[first]
            return x * np.cos(place * angles) + other * np.sin(place * angles)

        low, high, even, odd = slice(4), slice(4, 8), slice(0, 8, 2), slice(1, 8, 2)
        once, twice = np.tile(clocks, 2), np.repeat(clocks, 2)
        ways = [(low, high, once), (even, odd, once), (even, odd, -twice)]  # halves, mixed up, backward
        score = [turned(q, {start} + 3, *way) @ turned(k, {start}, *way) for way in ways]
    """

    def tell(self, now: Numbers) -> str:
        halves, mixed, back = map(number, now["score_now"][:, 0])
        return f"Halves: {halves}. The other way: {back}. Both are as at first. Mixed up: {mixed}."


class LoadedWeights(Small):
    """Scores of weights trained with neighbors as pairs, in code that pairs halves, as they are and reordered.

    `back`: how many words before the query the key stands.
    """

    question = "Trained with neighbors as pairs, loaded into code that pairs halves. Are the scores those of training?"
    shows = (
        "Scores over how far back a key stands, as three curves: in the code of training, in code of another layout, "
        "where they agree at 0 and then part, and there with reordered columns, where they are those of training."
    )

    back = traitlets.Int(0, min=0, max=SPAN).tag(sync=True, label="Words back", step=1)
    made_of = (
        made.curve(
            "score",
            "The score against how far back the key stands, in the code of training and in code of another layout",
            y=(-9, 9),
            names=("trained", "loaded", "reordered"),
            axes=("words back", "score"),
            ticks=((0, 5, 10, 15, 20), (-8, -4, 0, 4, 8)),
        ),
    )

    def numbers(self) -> Numbers:
        def scores(back: np.ndarray) -> np.ndarray:
            def of(q: np.ndarray, k: np.ndarray, layout: str) -> np.ndarray:
                return rotate(_rows(k, len(back)), -back, layout=layout) @ q

            q, k = (to_layout(x, "interleaved", "halves") for x in (ASKS, ASKED))
            return np.stack([of(ASKS, ASKED, "interleaved"), of(ASKS, ASKED, "halves"), of(q, k, "halves")])

        return self.curve(scores, 4 * SPAN + 1)

    def tell(self, now: Numbers) -> str:
        trained, loaded, _ = map(number, now["score_now"][:, 0])
        return (
            f"{self.back} back: {trained} in training, {loaded} as loaded. Reordered columns give what training "
            "gave."
        )


#: A query and a key of one pair, as degrees before they are turned; how far the clock turns from word to word.
ASKS_AT, ASKED_AT, A_WORD = 20, 80, 40
TURNS = 9


class TurnTogether(Small):
    """One pair of a query and one of a key, a word before it, while both words move on.

    `start`: where the key's word stands; the query's word is the next one.
    """

    question = "Move both words along. Both arrows turn: what becomes of their dot product?"
    shows = (
        "A plane with one pair of a query and one of a key as arrows of length 1, turned by their positions, and their "
        "dot product, which stays."
    )

    start = traitlets.Int(0, min=0, max=TURNS).tag(sync=True, label="Everyone's start", step=1)
    made_of = (
        made.plane(
            "One pair of a query and one of a key, turned by their positions",
            reach=1.4,
            arrows={"query": (["q"], "q"), "key": (["k"], "k")},
        ),
        made.columns("dot", "dot product", names=["q · k"], ends=(-1, 1), role="v"),
    )

    in_numpy = """
        a, b = np.deg2rad(20 + 40 * ({start} + 1)), np.deg2rad(80 + 40 * {start})
        query, key = np.array([np.cos(a), np.sin(a)]), np.array([np.cos(b), np.sin(b)])
        dot = query @ key
    """

    def tell(self, now: Numbers) -> str:
        query, key = ASKS_AT + A_WORD * (self.start + 1), ASKED_AT + A_WORD * self.start
        return (
            f"q has come to {query} degrees, k to {key}: always {abs(key - query)} apart, "
            f"so their dot product stays {number(now['dot'].item())}."
        )


SEED, N_KEYS, HEAD = 8, 512, 128
DISTANCES = {"0": "0", "1": "1", "10": "10", "100": "100", "1000": "1,000", "4000": "4,000"}
EDGES = np.linspace(-5, 5, 21)


@cache
def _drawn() -> tuple[np.ndarray, np.ndarray]:
    """A query of 128 numbers and 512 keys without a preferred direction: (128,) and (512, 128)."""
    return normals(SEED, HEAD), normals(SEED + 1, N_KEYS * HEAD).reshape(N_KEYS, HEAD)


class SpreadByDistance(Small):
    """512 scores of random keys at any distance, and the paper's relative bound.

    `back`: how many words before the query all keys stand.
    """

    question = "Put the same 512 random keys further back. Do their scores get smaller, as the bound does?"
    shows = (
        "512 scores of random keys, divided by the length of the query, as a histogram with the normal curve of "
        "standard deviation 1, beside the paper's relative bound at that distance."
    )

    back = traitlets.Enum(tuple(DISTANCES), "0").tag(sync=True, label="Words back", options=DISTANCES)
    made_of = (
        made.histogram(
            "share", "normal", "How 512 scores spread, and the normal curve", x=(-5, 5), top=0.24,
            ticks=(-4, -2, 0, 2, 4), axis="score, divided by the length of the query",
        ),
        made.figures(deviation="standard deviation of the 512", bound="relative bound"),
    )  # fmt: skip

    def numbers(self) -> Numbers:
        back, (query, keys) = int(self.back), _drawn()
        scores = rotate(keys, -back) @ query / np.linalg.norm(query)
        sums = np.cumsum(np.exp(1j * back * angular_frequencies(HEAD)))
        return {
            "share": in_bins(scores, EDGES),
            "normal": normal_in_bins(EDGES, 1.0),
            "deviation": np.array([[scores.std(ddof=1)]]),
            "bound": np.array([[np.abs(sums).mean()]]),
        }

    def tell(self, now: Numbers) -> str:
        bound, deviation = (number(now[name].item()) for name in ("bound", "deviation"))
        return (
            f"{DISTANCES[self.back]} back: the relative bound is {bound}, "
            f"and the scores have standard deviation {deviation}."
        )


FEWEST, MOST = 16, 256
#: The query of `big` and the key of `very`, as in the chapter's first figure, on clocks of 1 and 0.1 radians a word.
BIG, VERY = np.array([-1.0, 0, 0, -2]), np.array([1.0, 0, 1, 0])
CLOCKS = angular_frequencies(4, base=100)


class MeanOverOffsets(Small):
    """The mean of one score over N words ahead and over N words back, between the bound and its negative."""

    question = "Average one score over more and more words, ahead and back. What is left of it?"
    shows = (
        "The mean of a score over the offsets from 0 on, ahead and back, as two curves that swing toward 0, between "
        "the bound and its negative, which fall toward 0."
    )

    offsets = traitlets.Int(FEWEST, min=FEWEST, max=MOST).tag(
        sync=True, label="Offsets in the mean, *N*", step=1
    )
    made_of = (
        made.curve(
            "mean",
            "The mean of a score against how many offsets are in it, and the bound",
            y=(-3, 3),
            names=("bound", "back", "ahead", "−bound"),
            axes=("offsets in the mean", "score"),
            ticks=((16, 64, 128, 192, 256), (-3, 0, 3)),
        ),
    )

    def numbers(self) -> Numbers:
        counts = np.arange(1, MOST + 1)
        back, ahead = (
            np.cumsum(rotate(_rows(VERY, MOST), way * (counts - 1), frequencies=CLOCKS) @ BIG) / counts
            for way in (-1, 1)
        )
        lengths = np.hypot(BIG[0::2], BIG[1::2]) * np.hypot(VERY[0::2], VERY[1::2])
        bound = (lengths / np.abs(np.sin(CLOCKS / 2))).sum() / counts
        means = np.stack([bound, back, ahead, -bound])
        return {"mean": means[:, FEWEST - 1 :], "mean_now": means[:, [self.offsets - 1]]}

    def tell(self, now: Numbers) -> str:
        bound, back, ahead, _ = map(number, now["mean_now"][:, 0])
        return f"{self.offsets} words: the mean is {back} back and {ahead} ahead, both within {bound} of 0."


TURN = 2 * math.pi / float(angular_frequencies(HEAD)[-1])  # words that the slowest clock takes


class HalfATurn(Small):
    """A query and two keys on the slowest of 64 clocks: which key has the larger score, however far back both stand?

    `back`: thousands of words before the query.
    """

    question = "One slow clock, and `big` is ahead. Move both keys further back: does it stay ahead?"
    shows = (
        "A plane with a query and two keys as arrows of length 1, the keys turned back by their distance, and both "
        "scores as bars: one key leads for half a turn, then the other."
    )

    back = traitlets.Int(1, min=1, max=54).tag(sync=True, label="Words back, thousands", step=1)
    made_of = (
        made.plane(
            "A query and two keys on the slowest clock",
            reach=1.4,
            arrows={"query": (["q"], "q"), "keys": (["big", "small"], "k")},
        ),
        made.columns("scores", "score", names=("big", "small"), ends=(-2, 2), role="v"),
    )

    in_numpy = """
        turned = 1000 * {back} * 10000.0 ** (-63 / 64)
        angles = np.array([np.pi / 3, -np.pi / 3]) - turned
        query, keys = np.array([1, 0]), np.stack([np.cos(angles), np.sin(angles)], axis=1)
        scores = keys @ query
    """

    def tell(self, now: Numbers) -> str:
        big, small = map(number, now["scores"][0])
        seen = f"{self.back},000 back: `big` scores {big}, `small` {small}"
        if 1000 * self.back < TURN / 2:
            return f"{seen}. `big` is ahead, as it is up to half a turn."
        return f"{seen}. Past half a turn `small` is ahead."


TRAINED, LONGER = 4096, 4
#: The 64 clocks of a head of 128 numbers.
SIXTY_FOUR = angular_frequencies(HEAD)


class StretchedClocks(Small):
    """How far a clock gets in a text four times as long, for three ways to slow the clocks down.

    `clock`: which clock, from fast to slow.
    """

    question = "A text four times as long: which clocks are taken where training never took them?"
    shows = (
        "How many times as far as in training each of 64 clocks gets if texts are four times as long, as four curves: "
        "unchanged at 4, PI at 1, NTK falls from 4 to 1, YaRN stays at 4, then falls to 1. Beside them the turns of "
        "one clock in training."
    )

    clock = traitlets.Int(0, min=0, max=HEAD // 2 - 1).tag(sync=True, label="Clock", step=1)
    made_of = (
        made.curve(
            "reach",
            "How far each clock gets in the long text, as a multiple of how far it got in training",
            y=(0, 5),
            names=("unchanged", "NTK", "YaRN", "PI"),
            axes=("clock", "times as far as in training"),
            ticks=((0, 20, 46, 63), (0, 1, 2, 3, 4)),
        ),
        made.figures(turns="its turns in training"),
    )

    def numbers(self) -> Numbers:
        slowed = [
            stretch(SIXTY_FOUR, LONGER, how, n_trained=TRAINED) for how in ("ntk", "yarn", "interpolation")
        ]
        reach = LONGER * np.stack([SIXTY_FOUR, *slowed]) / SIXTY_FOUR
        turns = TRAINED * SIXTY_FOUR[self.clock] / (2 * np.pi)
        return {"reach": reach, "reach_now": reach[:, [self.clock]], "turns": np.array([[turns]])}

    def tell(self, now: Numbers) -> str:
        turns = now["turns"].item()
        told = f"Clock {self.clock} made {number(turns)} turns in training"
        if turns >= 1:
            return f"{told}. It has been all round, so no angle is new to it."
        _, ntk, *_ = now["reach_now"][:, 0]
        if ntk > 1 + 1e-9:
            return f"{told}. Unchanged and with NTK it gets to angles that it never showed."
        return f"{told}. Unchanged alone it gets to angles that it never showed."
