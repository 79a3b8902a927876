"""Chapter 7: the small figures."""

import numpy as np
import traitlets

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small

#: The two rows of the chapter's 100 days.
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
            "bits", "PMI of two words against the days on which they meet", y=(-3, 3),
            axes=("days of 100", "PMI, bits"), ticks=((1, 5, 10, 15, 20), (-3, -2, -1, 0, 1, 2, 3)), points=77,
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


#: Three words of this book's text: how often each meets `query`, within ten words, and how often any word.
MET, OF_ALL, OF_QUERY, PAIRS = (182, 26, 2), (38660, 1060, 20), 2120, 469310
WORDS = ("the", "key", "kindness")


class PriorShare(Small):
    """The weights that `query` gives three words of this book when the scores are PMI and a share of the prior.

    `share`: what ln p(j) is multiplied by before it is added.
    """

    question = "Take ln p(j) away, little by little. Which word leads?"
    shows = (
        "The weights of three words as bars, and beside them the shares of the meetings that they should be."
    )

    share = traitlets.Float(1.0, min=0, max=2).tag(sync=True, label="PMI + *t* · ln *p*(*j*), *t*", step=0.05)
    made_of = (
        made.columns("weights", "weights of query", names=WORDS, ends=(0, 1), weight=True),
        made.columns("met", "its meetings", names=WORDS, ends=(0, 1), weight=True, role="ink"),
    )

    in_numpy = f"""
        with_query, with_all = np.array({MET}), np.array({OF_ALL})
        pmi = np.log(with_query * {PAIRS} / ({OF_QUERY} * with_all))
        weights = softmax(pmi + {{share}} * np.log(with_all / {PAIRS}))
        met = with_query / with_query.sum()
    """

    def tell(self, now: Numbers) -> str:
        first = now["weights"][0].argmax()
        text = f"`{WORDS[first]}` leads with {weight(now['weights'][0, first])}"
        if self.share == 1:
            return f"{text}, as in the text: once is right."
        if self.share > 1:
            return f"{text}: now that is too much."
        return text + (": less than its share.", ", for a moment.", ", a word that met `query` twice.")[first]


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
            "loss", "The cross-entropy of each row against the score of wet", y=(0, 4), names=SKY,
            axes=("score of wet", "cross-entropy, nats"), ticks=((-4, -2, 0, 2, 4), (0, 1, 2, 3, 4)),
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


class CopiesOfKeys(Small):
    """What all keys `wet` together get from `clear`, where a word is a key as often as it is said.

    `copies`: how many keys `dry` there are for each key `wet`.
    """

    question = (
        "Which scores are right with one key per word, and which with one per occurrence, "
        "three `dry` for each `wet`?"
    )
    shows = (
        "The weight of wet, all its keys together, as curves over the number of dry keys for each wet one: with PMI "
        "alone it is right at 3, with ln p added at 1; a level line is its share of the clear days."
    )

    copies = traitlets.Int(1, min=1, max=5).tag(sync=True, label="Keys `dry` for each key `wet`", step=1)
    made_of = (
        made.curve(
            "wet", "The weight of wet under a clear sky against how many keys dry there are for each key wet",
            y=(0, 0.35), names=("its days", "PMI", "PMI + ln p"), axes=("keys dry for each key wet", "weight of wet"),
            ticks=((1, 2, 3, 4, 5), (0, 0.1, 0.2, 0.3)),
        ),
    )  # fmt: skip

    in_numpy = """
        joint = np.array([[0.10, 0.70], [0.15, 0.05]])
        prior, share = joint.sum(axis=0), joint[0] / joint[0].sum()
        pmi, keys = np.log(share / prior), np.array([1, {copies}])
        alone, added = keys * np.exp(pmi), keys * np.exp(pmi + np.log(prior))
        wet = [share[0], alone[0] / alone.sum(), added[0] / added.sum()]
    """

    def tell(self, now: Numbers) -> str:
        days, alone, added = map(weight, now["wet_now"][:, 0])
        if self.copies == 1:
            return f"One each: PMI + ln *p* gives `wet` {added}, its share of the clear days. PMI alone gives {alone}."
        if self.copies == 3:
            return f"One per occurrence: PMI alone gives `wet` {alone}, its share. With ln *p* added it has {added}."
        return f"PMI alone gives `wet` {alone}, PMI + ln *p* gives {added}. Its share is {days}."


class BaseOfTheLogarithm(Small):
    """The weight of `wet` when the scores are taken with a logarithm of another base."""

    question = "At which base are the weights of `wet` those of the days, 0.125 and 0.75?"
    shows = "The weight of `wet` in two rows as two curves over the base of the logarithm."

    base = traitlets.Float(2.0, min=1.5, max=10).tag(sync=True, label="Base of the logarithm", step=0.1)
    made_of = (
        made.curve(
            "weight", "The weight of wet in each row against the base of the scores' logarithm", y=(0, 1),
            names=SKY, axes=("base", "weight of wet"), ticks=((2, float(np.e), 4, 6, 8, 10), (0, 0.25, 0.5, 0.75, 1)),
            points=86,
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
