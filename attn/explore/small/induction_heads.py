"""Complete the pattern: the small figures that decide the reports of its practice page."""

import numpy as np
import traitlets

from attn._numbers import number
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.explore.small.induction import ASKED, TEXT, right_of_16
from attn.induction import VOCABULARY
from attn.softmax import softmax

TWICE = ("A", "B", "C") * 2
HALF = 3


class HeadByOffset(Small):
    """A head that looks a fixed number of places back, in a text that comes twice: what does it find?

    `back`: how many places back it looks; where there are not so many, at the first.
    """

    question = (
        "In a text that comes twice, a head looks at the earlier occurrence of the current word. What "
        "does it find?"
    )
    shows = (
        "The weights of a head in A B C A B C, which looks a fixed number of places back, and beside it how much "
        "of them falls on the same word earlier, and how much on the word after that."
    )

    back = traitlets.Int(1, min=0, max=4).tag(sync=True, label="It looks so many places back", step=1)
    made_of = (
        made.grid("weights", "weights", rows=TWICE, cols=TWICE),
        made.figures(same="on the same word, earlier", after="on the word after that"),
    )

    in_numpy = """
        n = 6
        weights = np.eye(n)[np.maximum(np.arange(n) - {back}, 0)]
        same = np.diagonal(weights, -3).mean()
        after = np.diagonal(weights, -2)[1:].mean()  # of the three rows whose word was there before
    """

    def tell(self, now: Numbers) -> str:
        seen = f"{self.back} back: the last `C` looks at `{TWICE[-1 - self.back]}`"
        if self.back == HALF:
            return f"{seen}, the word itself once more. What came after it is the next place."
        if self.back == HALF - 1:
            return f"{seen}, which came after the earlier `C`: this completes the pattern."
        return f"{seen}: neither the earlier `C` nor what came after it."


class StuckHeadScore(Small):
    """What a head gets that always looks at the first word, by a mean over the stripe of an induction head.

    `length`: how many words the text has before it comes once more.
    """

    question = "A head looks at the first word and at nothing else. What does the mean over the whole stripe give it?"
    shows = (
        "The score of a head that always looks at the first word, over the length of a text that comes twice: over "
        "all rows of the diagonal it is above 0 and falls, from the first repeated word on it is 0."
    )

    LONGEST = 20
    length = traitlets.Int(4, min=2, max=LONGEST).tag(sync=True, label="Words before they come again", step=1)
    made_of = (
        made.curve(
            "score",
            "The score of a head that is stuck at the first word, against the length of the text",
            y=(0, 0.4),
            names=("all rows", "repeated"),
            axes=("words", "score"),
            ticks=((2, 5, 10, 15, 20), (0, 0.2, 0.4)),
            points=LONGEST - 1,
        ),
    )

    in_numpy = """
        n = round({length})
        stuck = np.zeros((2 * n, 2 * n))
        stuck[:, 0] = 1
        stripe = np.diagonal(stuck, 1 - n)  # from row n - 1 on, one before the first repeated word
        score = [stripe.mean(), stripe[1:].mean()]
    """

    def tell(self, now: Numbers) -> str:
        return (
            f"{self.length} words, then the same again. All {self.length + 1} rows of the stripe give "
            f"{number(now['score_now'][0, 0])}. Without its first row, where no word has come again yet: 0."
        )


class NormAndEpsilon(Small):
    """The largest number of a normalized row: by the standard deviation with n and by that with n − 1, over ε."""

    question = "Two layer norms make two numbers of one. Make *ε* small: do the numbers meet?"
    shows = (
        "The first number of the row 1, 0, 0, 0 after a layer norm, as two curves over ε: divided with n and with "
        "n − 1. Both are level until ε is large, and apart."
    )

    power = traitlets.Int(-6, min=-12, max=0).tag(sync=True, label="*ε* is 10 to the", step=1)
    made_of = (
        made.curve(
            "first",
            "The first number of the row 1, 0, 0, 0 after a layer norm, against the power of ten of ε",
            y=(0, 2),
            names=("n", "n − 1"),
            axes=("ε is 10 to the", "1 becomes"),
            ticks=((-12, -9, -6, -3, 0), (0, 1, 2)),
            points=49,
        ),
    )

    in_numpy = """
        row, epsilon = np.array([1, 0, 0, 0]), 10.0 ** {power}
        away = (row - row.mean())[0]
        first = [away / np.sqrt(row.var() + epsilon), away / (row.std(ddof=1) + epsilon)]
    """

    def tell(self, now: Numbers) -> str:
        whole, less = map(number, now["first_now"][:, 0])
        seen = f"With n the 1 becomes {whole}, with n − 1 {less}"
        if self.power <= -3:
            return f"{seen}: √¾ of it, or nearly. Hardly any of that is *ε*."
        return f"{seen}. So large an *ε* is felt, and they are still apart."


class ShiftedKeys(Small):
    """One head in one layer, whose keys are those of the word before, more and more.

    `share`: how much of each key comes from one place back; the rest is the word's own.
    """

    question = (
        "One layer, one head. Each key comes more and more from the word before. What does the last `A` find?"
    )
    shows = (
        "The weights of the last word of BOS A 1 B 0 A in one layer, and how many of sixteen questions are right; keys "
        "come more and more from one place back."
    )

    share = traitlets.Float(0.0, min=0, max=1).tag(sync=True, label="Share of the key before", step=0.1)
    made_of = (
        made.columns(
            "weights", "weights", names=[VOCABULARY[word] for word in TEXT], ends=(0, 1), weight=True
        ),
        made.figures(right="of 16 right"),
    )
    BETA = 5.0

    in_numpy = """
        words = np.eye(5)[[0, 1, 4, 2, 3, 1]]  # BOS A 1 B 0 A, in the order BOS, A, B, 0, 1
        before = words[[0, 0, 1, 2, 3, 4]]
        keys = (1 - {share}) * words + {share} * before
        weights = softmax(5 * keys @ words[-1])
        says = (weights @ words)[1:]
    """

    def numbers(self) -> Numbers:
        words = np.eye(len(VOCABULARY))[np.vstack([TEXT, ASKED])]
        before = words[:, np.maximum(np.arange(TEXT.size) - 1, 0)]
        keys = (1 - self.share) * words + self.share * before
        weights = softmax(self.BETA * (keys @ words[:, -1, :, None])[..., 0])
        says = (weights[:, None] @ words)[:, 0]
        return {"weights": weights[:1], "says": says[:1, 1:], "right": right_of_16(says[1:])}

    def tell(self, now: Numbers) -> str:
        if self.share == 0:
            return "Each key is the word's own: `A` finds both `A`, and says `A`. None of 16 right."
        right = int(now["right"].item())
        if right == 16:
            return "All 16 right: `1` has `A` before it, and is found. No key knows what comes after its own word."
        return f"Some of both: the words that it has, and those that came after. {right} of 16 right."
