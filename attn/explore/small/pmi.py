"""Chapter 7: the small figures."""

from __future__ import annotations

import numpy as np
import traitlets

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.softmax import softmax

#: The chapter's 100 days: clear or cloudy, wet or dry.
JOINT = np.array([[0.10, 0.70], [0.15, 0.05]])
PRIOR = JOINT.sum(axis=0)
STREET = ("wet", "dry")
SKY = ("clear", "cloudy")
CHANCE = 5  # days of 100 that would be cloudy and wet by chance: a fifth is cloudy, a quarter wet


class RatioInBits(Small):
    """PMI of `cloudy` and `wet` against the number of days on which they meet.

    `days`: days of 100 that are both; 20 are cloudy and 25 wet.
    """

    question = "By chance they meet on 5 days. What does PMI say of 10, of 20, of 1?"
    shows = "PMI in bits as a curve over the days on which two words meet; by chance they would meet on 5."

    days = traitlets.Int(15, min=1, max=20).tag(sync=True, label="Days both `cloudy` and `wet`", step=1)
    made_of = (
        made.curve(
            "bits", "PMI of two words against the days on which they meet", x=(1, 20), y=(-3, 3),
            axes=("days of 100", "PMI, bits"), ticks=((1, 5, 10, 15, 20), (-3, -2, -1, 0, 1, 2, 3)), at="days",
            points=77,
        ),
    )  # fmt: skip

    in_numpy = """
        bits = np.log2({days} / 100 / (0.20 * 0.25))
    """

    def tell(self, now: Numbers) -> str:
        if self.days == CHANCE:
            return f"{CHANCE} days, as often as by chance: the ratio is 1, and its logarithm 0."
        bits = now["bits_now"].item()
        text = f"{number(self.days / CHANCE)} times as often as by chance, {number(bits)} bits"
        if bits < 0:
            return f"{text}: below 0, since they meet less."
        return f"{text}: above 0, since they meet more."


class PriorShare(Small):
    """The weights of `clear` when the scores are PMI and a share of the prior.

    `share`: what ln p(j) is multiplied by before it is added.
    """

    question = "How much of ln p(j) must be added before both pictures agree?"
    shows = "Two weights as bars, and beside them the shares of the days that they should be."

    share = traitlets.Float(0.0, min=0, max=2).tag(sync=True, label="PMI plus ln *p*(*j*), times", step=0.05)
    made_of = (
        made.columns("weights", "weights of clear", names=STREET, ends=(0, 1), weight=True),
        made.columns("days", "its share of days", names=STREET, ends=(0, 1), weight=True, role="ink"),
    )

    in_numpy = """
        joint = np.array([[0.10, 0.70], [0.15, 0.05]])
        prior, conditional = joint.sum(axis=0), joint / joint.sum(axis=1, keepdims=True)
        scores = np.log(conditional / prior) + {share} * np.log(prior)
        weights, days = softmax(scores)[0], conditional[0]
    """

    def tell(self, now: Numbers) -> str:
        text = f"`wet` has {weight(now['weights'][0, 0])}"
        if self.share == 1:
            return f"{text}, as often as the clear days have it: once is right."
        if self.share < 1:
            return f"{text}, too much: it is rarer than `dry` on all days."
        return f"{text}: now it is too little."


class LossOfOneRow(Small):
    """The cross-entropy of each row against the score of `wet`.

    `score`: the score of `wet`; that of `dry` is 0.
    """

    question = "Where is the bottom of each bowl, and what is the weight of `wet` there?"
    shows = "The cross-entropy of two rows as two bowls over a score, each with a lowest point of its own."

    score = traitlets.Float(0.0, min=-4, max=4).tag(
        sync=True, label="Score of `wet`, where `dry` has 0", step=0.1
    )
    made_of = (
        made.curve(
            "loss", "The cross-entropy of each row against the score of wet", x=(-4, 4), y=(0, 4), names=SKY,
            axes=("score of wet", "cross-entropy, nats"), ticks=((-4, -2, 0, 2, 4), (0, 1, 2, 3, 4)), at="score",
        ),
        made.figures(weight="weight of wet"),
    )  # fmt: skip

    in_numpy = """
        joint = np.array([[0.10, 0.70], [0.15, 0.05]])
        prior, conditional = joint.sum(axis=0), joint / joint.sum(axis=1, keepdims=True)
        weights = softmax(np.array([{score}, 0]))
        loss = -conditional @ np.log(weights)
        weight = weights[0]
    """

    def tell(self, now: Numbers) -> str:
        wet = now["weight"].item()
        text = f"`wet` has the weight {weight(wet)}"
        if abs(wet - 0.125) < 0.006:
            return f"{text}: close to the bottom for `clear`, where 10 of 80 days are wet."
        if abs(wet - 0.75) < 0.01:
            return f"{text}: close to the bottom for `cloudy`, where 15 of 20 days are wet."
        if 0.125 < wet < 0.75:
            return f"{text}: too high for `clear`, too low for `cloudy`."
        return f"{text}: too {'high' if wet > 0.75 else 'low'} for both rows."


class OneCoincidence(Small):
    """PMI of two words that occur equally often, if they met once and if they met every time."""

    question = "Make both words more frequent. What is one meeting worth, and what is meeting each time?"
    shows = (
        "Two falling lines over how often two words occur: PMI if they met every time, and if they met once."
    )

    log2_times = traitlets.Int(4, min=0, max=8).tag(
        sync=True, label="Each word occurs, times", step=1, power=2
    )
    made_of = (
        made.curve(
            "bits", "PMI of two words against how often each of them occurs", x=(0, 8), y=(-6, 12),
            names=("each time", "once"), axes=("times that each occurs", "PMI, bits"),
            ticks=((0, 2, 4, 6, 8), (-6, 0, 6, 12)), at="log2_times", points=33, power_of_two=True,
        ),
    )  # fmt: skip

    in_numpy = """
        times = 2.0 ** {log2_times}
        chance = (20 * times / 2**19) ** 2
        bits = np.log2(np.array([times, 1]) / 2**19 / chance)
    """

    def tell(self, now: Numbers) -> str:
        each, once = map(number, now["bits_now"][:, 0])
        if self.log2_times == 0:
            return f"Both occur once and meet once: {once} bits, the highest in the picture."
        return f"{2**self.log2_times} times each: {each} bits if they meet each time, {once} for one meeting."


class BaseOfTheLogarithm(Small):
    """The weight of `wet` when the scores are taken with a logarithm of another base."""

    question = "At which base are the weights of `wet` those of the days, 0.125 and 0.75?"
    shows = "The weight of `wet` in two rows as two curves over the base of the logarithm."

    base = traitlets.Float(2.0, min=1.5, max=10).tag(sync=True, label="Base of the logarithm", step=0.1)
    made_of = (
        made.curve(
            "weight", "The weight of wet in each row against the base of the scores' logarithm", x=(1.5, 10), y=(0, 1),
            names=SKY, axes=("base", "weight of wet"), ticks=((2, float(np.e), 4, 6, 8, 10), (0, 0.25, 0.5, 0.75, 1)),
            at="base", points=86,
        ),
    )  # fmt: skip

    in_numpy = """
        joint = np.array([[0.10, 0.70], [0.15, 0.05]])
        prior, conditional = joint.sum(axis=0), joint / joint.sum(axis=1, keepdims=True)
        weight = softmax(np.log(conditional) / np.log({base}))[:, 0]
    """

    def tell(self, now: Numbers) -> str:
        clear, cloudy = map(weight, now["weight_now"][:, 0])
        text = f"{clear} and {cloudy}"
        if abs(self.base - 2.7) < 0.01:
            return f"{text}: next to e, the weights are those of the days."
        if self.base < np.e:
            return f"{text}: sharper than the days."
        return f"{text}: flatter than the days."


class CountsUndivided(Small):
    """PMI and weights of `clear` when counts are divided by the wrong number.

    `log10_divisor`: what the counts are divided by, as a power of ten; their sum is 100.
    """

    question = "Divide by 1, 10, 100, 1,000. Which of the two pictures notices?"
    shows = "Two PMI as bars, and the two weights that they give."

    log10_divisor = traitlets.Int(0, min=0, max=3).tag(
        sync=True, label="Divide the 100 counted days by", step=1, power=10
    )
    made_of = (
        made.columns("bits", "PMI of clear, bits", names=STREET, ends=(-10, 4), role="k"),
        made.columns("weights", "weights of clear", names=STREET, ends=(0, 1), weight=True),
    )

    in_numpy = """
        table = np.array([[10, 70], [15, 5]]) / 10 ** {log10_divisor}
        bits = np.log2(table / (table.sum(axis=1, keepdims=True) * table.sum(axis=0)))
        weights = softmax(np.log(2) * bits + np.log([0.25, 0.75]))[0]
        bits = bits[0]
    """

    def numbers(self) -> Numbers:
        days = 100 * JOINT
        chance = days.sum(axis=1, keepdims=True) * days.sum(axis=0)
        bits = np.log2(10**self.log10_divisor * days / chance)  # the days are divided once, both sums too
        return {"bits": bits[:1], "weights": softmax(np.log(2) * bits + np.log(PRIOR))[:1]}

    def tell(self, now: Numbers) -> str:
        wet, dry = now["bits"][0]
        text = f"PMI {number(wet)} and {number(dry)}"
        if self.log10_divisor == 2:
            return f"{text}: divided by their sum, one below chance and one above."
        side = "below" if wet < 0 else "above"
        return f"{text}: both {side} 0, which no table of probabilities gives. The weights stay."
