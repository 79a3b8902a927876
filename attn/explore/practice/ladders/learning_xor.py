"""Chapter 6: a small network whose five numbers the reader sets, its loss and slopes, and a ladder on it."""

from types import ModuleType

import numpy as np
import traitlets

from attn.explore._base import Figure, Opening
from attn.explore.practice._ladder import Ladder, Rung, size
from attn.softmax import softmax

CASES = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
DIFFER = np.array([False, True, True, False])
NAMES = ["−1 −1", "+1 −1", "−1 +1", "+1 +1"]
NOISE = (0.5, -0.5)  # b and c, as in the chapter's example by hand
#: a, b, c, d of the four cases: (4, 4).
TOKENS = np.insert(CASES.astype(float), [1], NOISE, axis=1)
NUMBERS = ("asks", "reads", "bias")
TO_PROVE = "chapters/06_learning_xor.html"


SIZE = size(*NUMBERS, counts="the sum of all five |numbers|")


class LearningLadder(Ladder, Opening):
    """Chapter 6's puzzles: two heads over single numbers, set by hand, their loss, and its slopes.

    The four tokens are single numbers. A head's score of a token is what it asks for times the token; what the two
    heads read is weighed, and with the bias it is the logit of "a and d differ".

    Parameters
    ----------
    asks : list of two floats in [−6, 6]
        What each head asks for: its score of a token is this times the token.
    reads : list of two floats in [−12, 12]
        By how much what each head reads counts for "differ".
    bias : float in [−12, 12]
    """

    view = "learning_ladder"
    chapter = "6"
    shows = "How sure a network with two heads is that a and d differ, in the four cases, as four glasses"

    asks = traitlets.List(traitlets.Float(), [2.0, 0.0], minlen=2, maxlen=2).tag(
        sync=True, min=-6, max=6, step=0.1
    )
    reads = traitlets.List(traitlets.Float(), [1.0, 0.0], minlen=2, maxlen=2).tag(
        sync=True, min=-12, max=12, step=0.1
    )
    bias = traitlets.Float(0.0).tag(sync=True, label="Bias", min=-12, max=12, step=0.1)

    lifts = False
    climb = (
        Rung(
            "One head: leave head 2 unread (0). Bring the loss below 0.52 nats.",
            score=SIZE,
            hints=(
                "A coin pays ln 2 = 0.69. Three cases of four can be had.",
                "Let the head look for one sign, hard, and be read with a sure voice.",
                "A head that finds +1 wherever there is one can't tell + − from + +: what is best for the three cases "
                "that it can't tell apart?",
            ),
            answer="It looks hard for the +1s. One case is then told from three, of which two differ.",
            solution={"asks": [5.7, 0.0], "reads": [5.6, 0.0], "bias": -4.9},
        ),
        Rung(
            "One head, head 2 unread: three of four right, and yet a loss above 2.5 nats.",
            score=SIZE,
            hints=(
                "Right is counted, sure is paid for.",
                "Being wrong costs more, the surer you are.",
                "One logit far on the wrong side. The other three need only be on the right one.",
            ),
            answer="It asks for little and is read loudly: sure in two cases, barely right in a third, and sure in the "
            "wrong one, which costs 9.3.",
            solution={"asks": [1.1, 0.0], "reads": [11.4, 0.0], "bias": 0.3},
        ),
        Rung(
            "One head, head 2 unread: four of four right.",
            uses=("asks", "reads", "bias"),
            score=SIZE,
            hints=(
                "Which case is wrong? Move the bias: which one is wrong now?",
                "Look at the logits of the equal cases together, and of the unequal ones.",
                "Multiply each logit by the sum that its softmax divides by. What is left is a sum of votes.",
            ),
            answer=(
                "Multiplied by the positive number that its softmax divides by, a logit is a sum of votes, one for "
                "each token. − − and + + together hold the same votes as + − and − +, so the one total is the other, "
                "and can't be negative while that is positive."
            ),
            proof=(f"{TO_PROVE}#the-wall-one-head-adds-up-votes", "Chapter 6, the wall"),
        ),
        Rung(
            "Two heads: four of four right, with no number above 3 in size.",
            score=SIZE,
            hints=(
                "One head for the largest token, the other for the smallest.",
                "Largest minus smallest is 2 where the ends differ, and less where they don't.",
                "So one is read with a plus and the other with a minus, and the bias cuts between.",
            ),
            answer="Head 1 takes the plain average, head 2 leans toward −1 and is read with a minus: barely apart, "
            "but apart.",
            solution={"asks": [0.0, -0.7], "reads": [0.4, -0.5], "bias": -0.2},
        ),
        Rung(
            "Let both heads ask the same and be read the same, neither being 0. Make the slopes of the two heads "
            "different, by more than 0.001.",
            uses=("asks", "reads"),
            score=SIZE,
            hints=(
                "What could tell the two heads apart?",
                "Exchange the heads. What changes in the loss?",
                "If exchanging two numbers leaves a function as it is, what are its slopes where the two are equal?",
            ),
            answer=(
                "Exchange the two heads, and the loss is the same function. Where both hold the same numbers its "
                "slopes are therefore the same, and a step downhill keeps them the same: two such heads stay one. "
                "That is why training starts from random numbers."
            ),
            proof=(f"{TO_PROVE}#predict-then-drag", "Chapter 6, where the start is random"),
        ),
        Rung(
            "Two heads: a loss below 0.17 nats.",
            score=SIZE,
            hints=(
                "All four have to be right, and sure.",
                "Go where the slopes say: against their signs.",
                "Large readouts of opposite signs, and a bias that cuts in the middle. How hard should each head look?",
            ),
            answer="One head leans to the +1s and one to the −1s. They are read loudly, with opposite signs, and "
            "the bias cuts.",
            solution={"asks": [1.1, -1.3], "reads": [8.3, -8.7], "bias": -8.5},
        ),
        Rung(
            "A loss of 0, or below.",
            uses=("asks", "reads", "bias"),
            score=SIZE,
            hints=(
                "Follow the slopes: where does the loss go?",
                "It is an average of −ln p. Which p would make it 0?",
                "Which logit gives a probability of 1?",
            ),
            answer=(
                "−ln p is 0 for p = 1 alone, and a probability of 1 takes an infinite logit. For finite numbers each "
                "term is above 0, and so is their average."
            ),
            proof=(
                f"{TO_PROVE}#the-wrong-loss-probabilities-in-place-of-log-probabilities",
                "Chapter 6, a log loss is never negative",
            ),
        ),
    )

    def entry_controls(self) -> dict[str, dict]:
        labels = {"asks": "Head {} asks", "reads": "Head {} is read times"}
        return {
            f"{name}.{head}": {"label": label.format(head + 1)}
            for name, label in labels.items()
            for head in range(2)
        }

    def numbers(self) -> dict[str, np.ndarray]:
        """All that follows from the five numbers: weights, what is read, logits, loss (nats) and its slopes."""
        weights = softmax(np.array(self.asks, dtype=float)[:, None, None] * TOKENS)  # (2, 4 cases, 4 tokens)
        read = (weights * TOKENS).sum(axis=-1)  # (2, 4)
        spread = (weights * TOKENS**2).sum(axis=-1) - read**2
        reads = np.array(self.reads, dtype=float)
        logit = reads @ read + self.bias
        d_logit = (1 / (1 + np.exp(-logit)) - DIFFER) / 4
        slopes = [*(spread * reads[:, None]) @ d_logit, *read @ d_logit, d_logit.sum()]
        return {
            "weights": weights,
            "read": read,
            "logit": logit,
            "loss": np.logaddexp(0, np.where(DIFFER, -logit, logit)).mean(),
            "slopes": np.array(slopes),
        }

    @property
    def decision(self) -> np.ndarray:
        """(4,): the probability of "differ" in each case."""
        return 1 / (1 + np.exp(-self.numbers()["logit"]))

    @property
    def count_right(self) -> int:
        """How many of the four cases are right."""
        return int(((self.numbers()["logit"] > 0) == DIFFER).sum())

    def matrices(self) -> dict[str, np.ndarray]:
        found = self.numbers()
        return {
            "decision": self.decision[None], "weights": found["weights"][0], "weights_2": found["weights"][1],
            "read": found["read"].T, "slopes": found["slopes"][None],
        }  # fmt: skip

    def scalars(self) -> dict[str, float]:
        return {"loss": float(self.numbers()["loss"])}

    def alt_text(self) -> str:
        return f"{self.shows}; {self.count_right} of them are right."

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        figure.set_size_inches(6.4, 1.6)
        plots.weights(figure.subplots(), self.decision[None], rows=["says"], columns=NAMES)
