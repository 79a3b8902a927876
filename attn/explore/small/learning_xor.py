"""Chapter 6: the small figures."""

import traitlets

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small

#: What the four tokens of the example by hand are called.
NAMES = ("a", "b", "c", "d")


class QueryLearns(Small):
    """The head of the example by hand: what it reads and its loss, for each query."""

    question = "Which query makes the loss small?"
    shows = "Over the query, a curve of what the head reads and one of the loss."

    query = traitlets.Float(2.0, min=-4, max=4).tag(sync=True, label="Query *q*", step=0.1)
    made_of = (
        made.curve(
            "learned",
            "What the head reads, and its loss, against the query",
            y=(-1, 1.5),
            names=("loss", "read"),
            axes=("query", "loss, and what is read"),
            ticks=((-4, -2, 0, 2, 4), (-1, 0, 1)),
        ),
        made.figures(slope="slope of the loss"),
    )

    in_numpy = """
        tokens = np.array([1, 0.5, -0.5, -1])
        weights = softmax({query} * tokens)
        read = weights @ tokens
        p = 1 / (1 + np.exp(-read))  # of "differ"
        learned = [-np.log(p), read]
        slope = (p - 1) * (weights @ tokens**2 - read**2)
    """

    def tell(self, now: Numbers) -> str:
        loss, read = now["learned_now"][:, 0]
        text = f"It reads {number(read)}, loss {number(loss)}"
        if self.query == 0:
            return f"{text}: the answer is a coin's."
        if self.query < 0:
            return f"{text}: it looks more at the −1."
        if self.query > 3:
            return f"{text}: hardly any slope is left."
        return f"{text}: further right is lower."


class OneScoreOfFour(Small):
    """The same example: its weights, and the derivative of its loss for each score, when one score is moved.

    `score`: the score of `b`; the others stay at 2, −1 and −2.
    """

    question = "Raise the score of `b`. When is its own slope small?"
    shows = "The weights of four tokens as bars, and the derivatives of the loss for their scores."

    score = traitlets.Float(1.0, min=-4, max=6).tag(sync=True, label="Score of `b`", step=0.1)
    made_of = (
        made.columns("weights", "weight", names=NAMES, ends=(0, 1), weight=True),
        made.columns("d_scores", "∂L/∂score", names=NAMES, ends=(-0.12, 0.06), role="ink"),
    )

    in_numpy = """
        tokens = np.array([1, 0.5, -0.5, -1])
        weights = softmax(np.array([2, {score}, -1, -2]))
        p = 1 / (1 + np.exp(-weights @ tokens))  # of "differ"
        d_weights = (p - 1) * tokens
        d_scores = weights * (d_weights - weights @ d_weights)
    """

    def tell(self, now: Numbers) -> str:
        b, slope = now["weights"][0, 1], now["d_scores"][0, 1]
        text = f"`b` has the weight {weight(b)}"
        if b < 0.05:
            return f"{text}: with next to no weight, its score has next to no slope."
        if b > 0.95:
            return f"{text}: it is nearly the average itself, so its slope is small again."
        return f"{text}, its score the slope {number(slope)}: a lower score would make the loss lower."


class AdamAndScale(Small):
    """How far one step goes, by plain gradient descent and by Adam, for gradients of any size.

    `exponent`: the gradient is 10 to this power, at each step the same.
    """

    question = "The step size is 0.1. Make the gradient tiny: how far does one step go?"
    shows = (
        "How far a step goes against the size of the gradient, both as powers of ten: Adam's and a plain one."
    )

    exponent = traitlets.Int(-3, min=-9, max=1).tag(
        sync=True, label="The gradient is 10 to the power of", step=1
    )
    made_of = (
        made.curve(
            "step",
            "Size of a step against the size of the gradient, both as powers of ten",
            y=(-10, 0),
            names=("Adam", "plain"),
            axes=("gradient, power of ten", "step, power of ten"),
            ticks=((-9, -6, -3, 0), (-9, -6, -3, 0)),
            points=101,
        ),
    )

    in_numpy = """
        gradient = 10.0 ** {exponent}
        step = np.log10([0.1 * gradient / (gradient + 1e-8), 0.1 * gradient])  # Adam, plain descent
    """

    def tell(self, now: Numbers) -> str:
        adam, plain = now["step_now"][:, 0]
        text = f"A plain step goes 10 to the {number(plain, 0)}"
        if self.exponent < -7:
            return f"{text}. Even Adam's is shorter here, because of the 1e-8 below its fraction line."
        return f"{text}, Adam's {number(10**adam, 1)}: the gradient's size cancels, its sign stays."


class SampleAndMirror(Small):
    """The log loss of a sample and of its mirror image, and their mean.

    `logit`: how strongly what is read speaks for "differ" in the sample.
    """

    question = "Make the network surer of the sample. What does the mirror image cost then?"
    shows = "Two curves of the log loss, a sample's and its mirror image's, which cross; their mean is ln 2 or more."

    logit = traitlets.Float(1.5, min=-4, max=4).tag(
        sync=True, label="Lead of the right answer in the sample", step=0.1
    )
    made_of = (
        made.curve(
            "losses",
            "The log loss of a sample, of its mirror image, and their mean",
            y=(0, 4.5),
            names=("sample", "mirror", "mean"),
            axes=("lead of the right answer in the sample", "log loss"),
            ticks=((-4, -2, 0, 2, 4), (0, 1, 2, 3, 4)),
        ),
    )

    in_numpy = """
        sample, mirror = np.log1p(np.exp(-{logit})), np.log1p(np.exp({logit}))
        losses = [sample, mirror, (sample + mirror) / 2]
    """

    def tell(self, now: Numbers) -> str:
        sample, mirror, mean = map(number, now["losses_now"][:, 0])
        if self.logit == 0:
            return f"All three are {mean}, which is ln 2: the mean can't be lower."
        return f"Sample {sample}, mirror {mirror}, mean {mean}: a coin would cost 0.69."


class PullOfLosses(Small):
    """How strongly each of the two losses pulls at the right answer's logit.

    `lead`: the right answer's logit minus the other's.
    """

    question = "Drag left: which loss still pulls?"
    shows = "How strongly −ln p and −p pull at the lead of the right answer, against the lead."

    lead = traitlets.Float(-2.0, min=-6, max=6).tag(sync=True, label="Lead of the right answer", step=0.1)
    made_of = (
        made.curve(
            "pull",
            "The pull of both losses against the lead of the right answer's logit",
            y=(0, 1),
            names=("−ln p", "−p"),
            axes=("lead of the right answer", "pull"),
            ticks=((-6, -3, 0, 3, 6), (0, 0.5, 1)),
            points=121,
        ),
        made.figures(p="p", log_loss="−ln p", slip="−p"),
    )

    in_numpy = """
        p = 1 / (1 + np.exp(-{lead}))
        log_loss, slip = -np.log(p), -p
        pull = [1 - p, p * (1 - p)]
    """

    def tell(self, now: Numbers) -> str:
        # what is near 0 has two digits, whatever its size
        log, slip = (number(pull) if pull >= 0.01 else f"{pull:#.2g}" for pull in now["pull_now"][:, 0])
        text = f"−ln p pulls with {log}, −p with {slip}"
        if self.lead < -3:
            return f"{text}: to −p this case is as good as lost."
        if self.lead > 3:
            return f"{text}: right already, so both let go."
        return f"{text}: p times the other."
