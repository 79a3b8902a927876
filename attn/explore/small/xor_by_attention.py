"""Chapter 5: the small figures."""

import numpy as np
import traitlets

from attn import xor
from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small

PAIRS = ("0, 0", "1, 0", "0, 1", "1, 1")
#: What a head does, by what it says to the four pairs.
DOES = {"0000": "says 0 to all four", "0001": "is AND", "0111": "is OR", "1111": "says 1 to all four"}
COUNTS = ("None", "One", "Two", "Three", "Four")


class WeightsThatKnow(Small):
    """The weights tell equal bits from unequal ones; what is read of them does not.

    `score`: of two equal bits; two unequal ones have the score 0.
    """

    question = "On the left, unequal pairs stand out on the same side. Do they on the right?"
    shows = "For the four pairs of bits: the weight that row 1 gives itself, and what is read, as bars."

    score = traitlets.Float(2.0, min=0, max=4).tag(sync=True, label="Score of equal bits", step=0.1)
    made_of = (
        made.columns("own", "row 1 on itself", names=PAIRS, ends=(0, 1), weight=True),
        made.columns("read", "what is read", names=PAIRS, ends=(-3, 3), role="v"),
    )

    in_numpy = """
        signs = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
        equal = signs[:, :, None] == signs[:, None, :]
        weights = softmax({score} * equal)
        own = weights[:, 0, 0]
        hidden = (weights * 1.5 * signs[:, None, :]).sum(axis=-1)
        read = (softmax(0.6 * hidden) * hidden).sum(axis=1)
    """

    def tell(self, now: Numbers) -> str:
        if self.score == 0:
            return "All weights are ½, and unequal bits average to 0, midway between the equal pairs."
        own, read = now["own"][0, 1], now["read"][0, 1]
        return f"Unequal bits have the weight {weight(own)}, and are read as {number(read)}: between −1.5 and 1.5."


class PointOnTheRope(Small):
    """What an average makes of two unequal bits: a point on the segment between their vectors."""

    question = "Move (1, 0) along the segment. Can its bar ever pass both of the others?"
    shows = (
        "A plane with the vectors of the two bits, the segment between them and a point on it; "
        "beside it the three outputs as bars."
    )

    share = traitlets.Float(0.7, min=0, max=1).tag(sync=True, label="Weight of bit 1 in (1, 0)", step=0.05)
    made_of = (
        made.plane(
            "The vectors of the two bits, and what is read of two unequal bits",
            reach=2.5,
            points={"ends": (["0, 0", "1, 1"], "ink"), "point": (["1, 0"], "v")},
            segments=[("start", "stop")],
        ),
        made.columns("outputs", "output", names=("0, 0", "1, 0", "1, 1"), ends=(-2, 3), role="v"),
    )

    in_numpy = """
        ends = np.array([[-2, 1], [1.5, -1]])
        start, stop = ends
        point = (1 - {share}) * start + {share} * stop
        outputs = np.stack([start, point, stop]) @ np.array([1, 0.5]) + 0.5
    """

    def tell(self, now: Numbers) -> str:
        text = f"The output for (1, 0) is {number(now['outputs'][0, 1])}"
        if self.share in (0, 1):
            return f"{text}, that of ({self.share:.0f}, {self.share:.0f}): the point is at an end."
        return f"{text}, between −1 and 1.5, the outputs of the ends."


class FoldedMean(Small):
    """The mean of two values ±1.5, and the same with its negative half bent.

    `slope`: what a negative mean is multiplied by: 1 leaves it, 0 is ReLU, −1 the absolute value.
    """

    question = "At which slopes are both equal pairs on the same side of the unequal ones?"
    shows = "The means of the four pairs of bits as bars, and beside them what becomes of them."

    slope = traitlets.Float(1.0, min=-1, max=1).tag(sync=True, label="Negative means times", step=0.1)
    made_of = (
        made.columns("mean", "the mean", names=PAIRS, ends=(-3, 3), role="ink"),
        made.columns("folded", "its value", names=PAIRS, ends=(-3, 3), role="v"),
    )

    in_numpy = """
        signs = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
        mean = 1.5 * signs.mean(axis=1)
        folded = np.where(mean < 0, {slope} * mean, mean)
    """

    def tell(self, now: Numbers) -> str:
        if self.slope == 1:
            return "Times 1: nothing is bent, and the unequal pairs lie midway between the equal ones."
        if self.slope == 0:
            return "Times 0, a ReLU: (0, 0) is level with the unequal pairs, and no cut parts them."
        first = number(now["folded"][0, 0])
        if self.slope > 0:
            return f"(0, 0) is at {first}: the unequal pairs are still in the middle."
        return f"(0, 0) is at {first}: a cut between it and 0 parts equal from unequal."


class BiasOfVotes(Small):
    """The sum of two votes for each pair of bits, and the totals of equal and of unequal pairs."""

    question = "For XOR the middle two bars must stand and the outer two hang. Can you get there?"
    shows = "For the four pairs of bits the sum of the two votes as a bar; beside it the totals of two pairs each."

    bias = traitlets.Float(0.5, min=-2, max=2).tag(sync=True, label="Bias *b*", step=0.1)
    made_of = (
        made.columns("sums", "sum of the votes", names=PAIRS, ends=(-8, 18), role="v"),
        made.columns("totals", "two and two added", names=("equal", "unequal"), ends=(-8, 18), role="ink"),
    )

    in_numpy = """
        signs = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
        sums = (np.exp(signs) * (signs + {bias})).sum(axis=1)
        totals = [sums[0] + sums[3], sums[1] + sums[2]]
    """

    def tell(self, now: Numbers) -> str:
        sums = now["sums"][0]
        zero, one = sums[0] / 2, sums[3] / 2
        does = DOES["".join("1" if total > 0 else "0" for total in sums)]
        return f"A 0 votes {number(zero)}, a 1 votes {number(one)}: the head {does}."


class VoteRectangle(Small):
    """Two votes as coordinates: the four pairs are the corners of a rectangle."""

    question = "Can (1, 0) and (0, 1) be above the falling line, and the other two not?"
    shows = (
        "A plane of two votes: the pairs of bits are the corners of a rectangle, and the votes cancel on a line "
        "from the upper left to the lower right; beside it the sum of the two votes of each pair as a bar, and the "
        "totals of the equal and of the unequal pairs."
    )

    vote = traitlets.Float(2.0, min=-3, max=3).tag(sync=True, label="First token's vote for bit 1", step=0.1)
    made_of = (
        made.plane(
            "The first token's vote to the right, the second's up; votes cancel on the falling line",
            reach=4,
            points={"corners": (PAIRS, "v")},
            segments=[("a", "b"), ("c00", "c10"), ("c10", "c11"), ("c11", "c01"), ("c01", "c00")],
        ),
        made.columns("sums", "sum of the two", names=PAIRS, ends=(-5, 5), role="v"),
        made.figures(equal="equal pairs, added", unequal="unequal pairs, added"),
    )

    in_numpy = """
        first, second = [-1, {vote}], [-1.2, 1.7]  # each token's vote for a 0, and for a 1
        corners = np.array([[first[a], second[b]] for a, b in [(0, 0), (1, 0), (0, 1), (1, 1)]])
        c00, c10, c01, c11 = corners
        a, b = [-4, 4], [4, -4]  # the ends of the line on which the votes cancel
        sums = corners.sum(axis=1)
        equal, unequal = np.round([sums[0] + sums[3], sums[1] + sums[2]], 9)
    """

    def tell(self, now: Numbers) -> str:
        above = now["sums"][0] > 1e-9  # beyond rounding
        right = np.sum(above == (xor.BITS[:, 0] != xor.BITS[:, 1]))
        last = "(1, 1) is above the line" if above[3] else "(1, 1) is not above the line"
        if above[3] == above[1]:
            second = "and so is (1, 0)" if above[1] else "and neither is (1, 0)"
        else:
            second = "but (1, 0) is" if above[1] else "but (1, 0) is not"
        return f"{COUNTS[right]} of four right: {last}, {second}."


class TwoHeadsPull(Small):
    """Two heads with the queries β and −β on tokens ±1."""

    question = "Which bars do the two heads agree on, and which do they pull apart?"
    shows = (
        "What two heads say of the four pairs of bits, as bars, and half their difference on unequal bits."
    )

    beta = traitlets.Float(1.0, min=0, max=3).tag(sync=True, label="Queries ±β, *β*", step=0.1)
    made_of = (
        made.columns("up", "head 1, query β", names=PAIRS, ends=(-2.5, 2.5), role="v"),
        made.columns("down", "head 2, query −β", names=PAIRS, ends=(-2.5, 2.5), role="v"),
        made.figures(equal="half the difference, equal bits", unequal="unequal bits"),
    )

    in_numpy = """
        signs = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
        up = (softmax({beta} * signs) * signs).sum(axis=1)
        down = (softmax(-{beta} * signs) * signs).sum(axis=1)
        equal, unequal = (up[3] - down[3]) / 2, (up[1] - down[1]) / 2
    """

    def tell(self, now: Numbers) -> str:
        if self.beta == 0:
            return "At 0 both heads take the plain mean, and nothing is left between them."
        up, down = now["up"][0, 1], now["down"][0, 1]
        return f"On unequal bits the heads say {number(up)} and {number(down)}; on equal bits they agree."


class PlacesInValues(Small):
    """Row 1 averages values that know places and no bit.

    `place`: the value in the first place; the second place has its opposite.
    """

    question = "The values know no bit. Where does the answer come from?"
    shows = "For the four pairs of bits: the weight that row 1 gives itself, and what row 1 says, as bars."

    place = traitlets.Float(2.0, min=-3, max=3).tag(sync=True, label="Value in the first place", step=0.1)
    made_of = (
        made.columns("own", "row 1 on itself", names=PAIRS, ends=(0, 1), weight=True),
        made.columns("says", "what row 1 says", names=PAIRS, ends=(-3, 3), role="v"),
    )

    def numbers(self) -> Numbers:
        own, other = xor.ROPE().attention[:, 0].T
        return {"own": own[None], "says": (self.place * (own - other))[None]}

    def tell(self, now: Numbers) -> str:
        if self.place == 0:
            return "Both places have the value 0, and row 1 says 0 whatever its weights are."
        own, says = now["own"][0, 1], now["says"][0, 1]
        return (
            f"Unequal bits: {number(own, 3)} of {number(self.place)}, {number(1 - own, 3)} of {number(-self.place)}, "
            f"together {number(says)}. Equal bits: half and half, 0."
        )


class ResidualTakesAway(Small):
    """Both rows subtract what they find where they seek bit 1; the mean of the two rows."""

    question = "How much must be taken away before the two equal pairs are level?"
    shows = "For the four pairs of bits the mean of the two rows as bars, before and after the subtraction."

    times = traitlets.Float(0.0, min=0, max=2).tag(
        sync=True, label="What is found, subtracted times", step=0.1
    )
    made_of = (
        made.columns("mean", "the rows' mean", names=PAIRS, ends=(-2, 2), role="ink"),
        made.columns("left", "what is left", names=PAIRS, ends=(-2, 2), role="v"),
    )

    def numbers(self) -> Numbers:
        network = xor.WAYS_OUT["residual"]
        own = xor.one_hot_pairs()[..., 1]  # the bits
        found = (network().attention @ own[..., None])[..., 0]
        return {"mean": own.mean(axis=1)[None], "left": (own - self.times * found).mean(axis=1)[None]}

    def tell(self, now: Numbers) -> str:
        if self.times == 1:
            return "Once: (0, 0) and (1, 1) both have 0, and unequal bits have −0.5."
        unequal = now["left"][0, 1]
        if abs(unequal) < 0.01:
            return "The unequal pairs are level with (0, 0), and no cut parts them."
        where = "between (0, 0) and (1, 1)" if unequal > 0 else "below both equal pairs"
        return f"The unequal pairs have {number(unequal)}: {where}."
