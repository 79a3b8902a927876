"""Chapter 3: the small figures."""

import traitlets

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.explore.masking import TOKENS

IS = TOKENS.index("IS")
FIVE = tuple("12345")
FAMILY = {
    "causal": "causal",
    "padding": "padding, 3 real",
    "both": "causal and padding",
    "window": "sliding window of 2",
    "prefix": "prefix of 3",
}
SAYS = {
    "causal": "Word 5 looks at all five, word 1 at itself alone.",
    "padding": "Nobody looks at the last two columns, which hold no words.",
    "both": "The triangle, without the columns of the padding.",
    "window": "From word 2 on, each looks at two words: itself and the one before.",
    "prefix": "The first three see one another both ways; from then on it is the triangle.",
}


class HiddenScore(Small):
    """The row of `IS` while the score of `ABIR` goes down.

    `score`: the score of `ABIR`; the other three are 1, 1 and 0.
    """

    question = "Lower the score of `ABIR`. Where does its weight go?"
    shows = "The exponentials of four scores as bars, and beside them the weights that they make."

    score = traitlets.Float(2.0, min=-8, max=2).tag(sync=True, label="Score of `ABIR`", step=0.1)
    made_of = (
        made.columns("exponentials", "e to the score", names=TOKENS, ends=(0, 8), role="k"),
        made.columns("weights", "weight", names=TOKENS, ends=(0, 1), weight=True),
    )

    in_numpy = """
        scores = np.array([1, 1, 0, {score}])
        exponentials = np.exp(scores)
        weights = exponentials / exponentials.sum()
    """

    def tell(self, now: Numbers) -> str:
        my, _, _, abir = map(weight, now["weights"][0])
        if self.score == 2:
            return f"`ABIR` has more than half of the weight: {abir}."
        if self.score > -4:
            return f"`ABIR` has {abir}, `MY` has {my}: what one loses, the others share."
        return f"`MY` has {my}. A trace of `ABIR` is left at any score but −∞."


class RowSum(Small):
    """What the visible weights of `IS` sum to, masked before and after the softmax."""

    question = "Move the hidden word's score. Which of the two sums knows about it?"
    shows = "The sum of the weights in one row, as two curves over the score of the hidden word."

    score = traitlets.Float(2.0, min=-4, max=6).tag(sync=True, label="Hidden score, of `ABIR`", step=0.1)
    made_of = (
        made.curve(
            "sum", "The sum of the row of IS, against the score of the hidden word", y=(0, 1),
            names=("before", "after"), axes=("score of the hidden word", "sum of the row"),
            ticks=((-4, -2, 0, 2, 4, 6), (0, 0.5, 1)), points=101,
        ),
    )  # fmt: skip

    in_numpy = """
        scores, sees = np.array([1, 1, 0, {score}]), np.array([True, True, True, False])
        before = softmax(np.where(sees, scores, -np.inf))
        after = np.where(sees, softmax(scores), 0)
        sum = [before.sum(), after.sum()]
    """

    def tell(self, now: Numbers) -> str:
        after = weight(now["sum_now"][1, 0])
        return (
            f"Masked before, the row sums to 1. Masked after, to {after}: that number knows the hidden score."
        )


class FutureMoved(Small):
    """How far each output goes when the key of the last word is another, masked before and after the softmax."""

    question = "Give `ABIR`, the last word, another key. Whose output moves?"
    shows = "How far the outputs of four words have moved, as bars: masked before the softmax, and after it."

    times = traitlets.Float(0.0, min=-1, max=3).tag(sync=True, label="The key of `ABIR` times", step=0.1)
    made_of = (
        made.columns("before", "moved, masked before", names=TOKENS, ends=(0, 2)),
        made.columns("after", "moved, masked after", names=TOKENS, ends=(0, 2)),
    )

    in_numpy = """
        q = np.array([[1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 1], [2, 0, 1, 0]])
        k = np.array([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [2, 0, 0, 2]])
        v = np.array([[2, 0], [0, 2], [-1, 0], [3, 3]])
        sees = np.tri(4, dtype=bool)
        first, other = q @ k.T / 2, q @ (k * np.array([[1], [1], [1], [{times}]])).T / 2
        masked_before = lambda scores: softmax(np.where(sees, scores, -np.inf)) @ v
        masked_after = lambda scores: np.where(sees, softmax(scores), 0) @ v
        before = np.linalg.norm(masked_before(other) - masked_before(first), axis=1)
        after = np.linalg.norm(masked_after(other) - masked_after(first), axis=1)
    """

    def tell(self, now: Numbers) -> str:
        if self.times == 1:
            return "This is the key that `ABIR` has: nobody has moved."
        moved = number(now["after"][0, IS])
        return f"Masked before, only `ABIR` itself moves. Masked after, `IS` has moved by {moved}: a leak."


class MaskFamily(Small):
    """Five masks on five words whose scores are all equal: each word shares its weight among those it may look at."""

    question = "Five words with equal scores. Who may look at whom under each mask?"
    shows = "A table of weights, five words by five, with nothing where the mask hides."

    mask = traitlets.Enum(tuple(FAMILY), "causal").tag(sync=True, label="Mask", options=FAMILY)
    made_of = (made.grid("weights", "weights, if all scores are equal", rows=FIVE, cols=FIVE, ends=(0, 1)),)

    in_numpy = """
        i, j = np.indices((5, 5))
        causal, real = j <= i, j < 3
        masks = {"causal": causal, "padding": real, "both": causal & real}
        masks |= {"window": causal & (i - j < 2), "prefix": causal | (j < 3)}
        weights = softmax(np.where(masks[{mask}], 0, -np.inf))
    """

    def tell(self, now: Numbers) -> str:
        return SAYS[self.mask]


class EmptyRow(Small):
    """One row with more and more of it hidden: by −∞, and by −1e9."""

    question = "Hide one word after another. When do −∞ and −1e9 start to differ?"
    shows = "The weights of one row as bars, twice: hidden scores are minus infinity, or minus a billion."

    hidden = traitlets.Int(0, min=0, max=4).tag(sync=True, label="Words hidden", step=1)
    made_of = (
        made.columns("infinite", "hidden by −∞", names=TOKENS, ends=(0, 1), weight=True),
        made.columns("finite", "hidden by −1e9", names=TOKENS, ends=(0, 1), weight=True),
    )

    in_numpy = """
        scores, sees = np.array([1, 1, 0, 2]), np.arange(4) < 4 - {hidden}
        infinite = softmax(np.where(sees, scores, -np.inf))
        finite = softmax(np.where(sees, scores, -1e9))
    """

    def tell(self, now: Numbers) -> str:
        if self.hidden == 4:
            return "All are hidden: −∞ looks at nothing, and −1e9 at everything alike."
        if self.hidden == 0:
            return "Nothing is hidden, so nothing is filled in."
        return f"{self.hidden} hidden: the two agree."
