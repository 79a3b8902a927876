"""Chapter 1: the small figures."""

import math

import numpy as np
import traitlets

from attn._numbers import number
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.positional import angular_frequencies

DIMENSIONS = ("0", "1", "2", "3")
LENGTH = 128


class OrderSeen(Small):
    """What attention makes of `dog` in two sentences, with and without positions.

    `added`: what is added to each word before it attends.
    """

    question = "Does `dog` come out differently when it is bitten?"
    shows = "The four numbers that attention gives to `dog`, as bars, in each of two sentences."

    added = traitlets.Enum(("nothing", "position"), "nothing").tag(
        sync=True, label="Add to each word", options={"nothing": "nothing", "position": "its position"}
    )
    made_of = (
        made.columns("bites", "dog bites man", names=DIMENSIONS, ends=(-1.5, 2), role="q"),
        made.columns("bitten", "man bites dog", names=DIMENSIONS, ends=(-1.5, 2), role="v"),
    )

    in_numpy = """
        words = np.array([[0.3, 0.8, 0.3, -1.3], [0.9, 0.4, -0.5, 0.6], [0.4, 0.3, 0, 0.5]])
        angles = np.arange(3)[:, None] / np.array([1, 100])
        places = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(3, 4)
        attend = lambda x: softmax(x @ x.T / 2) @ x
        added = {added} == "position"
        bites, bitten = attend(words + added * places)[0], attend(words[::-1] + added * places)[2]
    """

    def tell(self, now: Numbers) -> str:
        if self.added == "nothing":
            return "The same four numbers, whether `dog` bites or is bitten."
        return "Now `dog` comes out differently: its place is in its numbers."


class ClockHand(Small):
    """The hand of the first clock at one position, with its sine and cosine.

    `position`: the position in the text; the hand turns by 1 radian from each to the next.
    """

    question = "The first clock turns by 1 radian from word to word. What does its pair hold?"
    shows = "A clock's hand as an arrow, and beside it the hand's sine and cosine as bars."

    position = traitlets.Int(1, min=0, max=12).tag(sync=True, label="Position", step=1)
    made_of = (
        made.plane(
            "The hand of a clock: right is its sine, up is its cosine",
            reach=1.4,
            arrows={"hand": (["hand"], "q")},
        ),
        made.columns("pair", "what the pair holds", names=("sine", "cosine"), ends=(-1.5, 1.5), role="q"),
    )

    in_numpy = """
        pair = hand = np.array([np.sin({position}), np.cos({position})])
    """

    def tell(self, now: Numbers) -> str:
        if self.position == 0:
            return "Position 0: the hand points to twelve, with sine 0 and cosine 1."
        sine, cosine = map(number, now["pair"][0])
        return f"Position {self.position}: {sine} is how far right the hand reaches, {cosine} how far up."


class AlikeByDistance(Small):
    """The inner product of two encodings against their distance, for 4 and for 64 dimensions.

    `distance`: how many words lie between the two positions.
    """

    question = "Move two positions further and further apart. Do they grow less and less alike?"
    shows = (
        "The inner product of two encodings over their distance, with 4 and with 64 dimensions, as two curves. "
        "Each is divided by its value at distance 0."
    )

    distance = traitlets.Int(1, min=0, max=27).tag(sync=True, label="Distance, in words", step=1)
    made_of = (
        made.curve(
            "alike",
            "The inner product against the distance, as a share of that at distance 0",
            y=(-0.1, 1),
            names=("d = 4", "d = 64"),
            axes=("distance", "share of the largest"),
            ticks=((0, 9, 18, 27), (0, 0.5, 1)),
            points=271,
        ),
    )

    in_numpy = """
        frequencies = lambda d: 10000.0 ** (-np.arange(0, d, 2) / d)
        alike = [np.cos({distance} * frequencies(d)).mean() for d in (4, 64)]
    """

    def tell(self, now: Numbers) -> str:
        if self.distance == 0:
            return "Distance 0: each position is most like itself."
        four, many = map(number, now["alike_now"][:, 0])
        return f"Distance {self.distance}: {four} with 4 dimensions, {many} with 64."


class PairWave(Small):
    """The cosine of one of 32 pairs along 128 positions, and the place where its clock has turned once."""

    question = "Which clocks turn often in 128 words, and which hardly?"
    shows = (
        "The cosine of one pair over 128 positions as a curve, with a point where the clock has turned once, "
        "or at the end of the text if it has not."
    )

    pair = traitlets.Int(8, min=0, max=31).tag(sync=True, label="Pair *i*", step=1)
    made_of = (
        made.curve(
            "wave",
            "The cosine of the pair along the text",
            x=(0, LENGTH),
            y=(-1, 1),
            axes=("position", "cosine"),
            ticks=((0, 32, 64, 96, 128), (-1, 0, 1)),
            at="once",
        ),
        made.figures(wavelength="positions for one turn", turns="turns in 128 positions"),
    )

    in_numpy = """
        omega = 10000.0 ** (-2 * {pair} / 64)
        wavelength = 2 * np.pi / omega
        turns = 128 / wavelength
        wave = np.cos(omega * min(wavelength, 128))
    """

    def numbers(self) -> Numbers:
        omega = angular_frequencies(64)[self.pair]
        wavelength = 2 * np.pi / omega
        once, turns = min(wavelength, LENGTH), LENGTH / wavelength
        steps = math.ceil(25 * max(turns, 1))  # 25 a turn are smooth to the eye
        return {
            "wave": np.cos(omega * np.linspace(0, LENGTH, steps + 1))[None],
            "wave_now": np.array([[np.cos(omega * once)]]),
            "once": np.array([[once]]),
            "wavelength": np.array([[wavelength]]),
            "turns": np.array([[turns]]),
        }

    def tell(self, now: Numbers) -> str:
        turns = now["turns"].item()
        if turns >= 1:
            return f"Pair {self.pair} has turned once where the point is: {number(turns, 1)} turns in all."
        share = "below 0.01" if turns < 0.01 else number(turns)
        return f"Pair {self.pair} does not get round once: {share} of a turn."


class ExponentOfPairs(Small):
    """The exponents of the four dimensions, and the encoding of position 1, for two meanings of i.

    `counts`: what i counts in the exponent 2i / 4.
    """

    question = "Let `i` count dimensions. Which sine still shares its exponent with a cosine?"
    shows = "The exponent of 10,000 in each of four dimensions as bars, and the encoding of position 1."

    counts = traitlets.Enum(("pairs", "dimensions"), "pairs").tag(
        sync=True,
        label="i counts",
        options={"pairs": "pairs: the paper", "dimensions": "dimensions: the notebook"},
    )
    made_of = (
        made.columns("exponent", "exponent 2i / 4", names=DIMENSIONS, ends=(0, 1.5), role="ink"),
        made.columns("world", "position 1", names=DIMENSIONS, ends=(0, 1.5), role="q"),
    )

    in_numpy = """
        dimension = np.arange(4)
        exponent = 2 * (dimension // 2 if {counts} == "pairs" else dimension) / 4
        angle = 10000.0**-exponent
        world = np.where(dimension % 2, np.cos(angle), np.sin(angle))
    """

    def tell(self, now: Numbers) -> str:
        if self.counts == "pairs":
            return "Two and two: a sine and the cosine beside it have the same exponent."
        return "A staircase: no sine shares its exponent with a cosine."


class SameSine(Small):
    """Two hands with the same sine, one moving right and one moving left, and their sines one step later.

    `angle`: how far the first hand has turned past twelve, in degrees; the other is its mirror image.
    """

    question = "Two hands have the same sine now. Do they have the same sine 1 radian later?"
    shows = "Two hands of a clock with the same sine, and as bars the sines that they have 1 radian later."

    angle = traitlets.Int(30, min=-60, max=60).tag(sync=True, label="First hand, degrees past twelve", step=5)
    made_of = (
        made.plane(
            "Two hands with the same sine",
            reach=1.4,
            arrows={"rightward": (["rightward"], "q"), "leftward": (["leftward"], "k")},
            segments=[("rightward", "leftward")],
        ),
        made.columns(
            "later", "sine 1 radian later", names=("rightward", "leftward"), ends=(-1.5, 1.5), role="v"
        ),
    )

    in_numpy = """
        turn = np.deg2rad({angle})
        rightward, leftward = [np.sin(turn), np.cos(turn)], [np.sin(turn), -np.cos(turn)]
        later = [np.sin(turn + 1), np.sin(np.pi - turn + 1)]
    """

    def tell(self, now: Numbers) -> str:
        sine, up, down = map(number, (now["rightward"][0, 0], *now["later"][0]))
        return f"Both sines are {sine} now, and {up} and {down} later: the cosine tells which."
