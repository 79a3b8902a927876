"""Chapter 0: the small figures."""

import traitlets

from attn._numbers import number, weight
from attn.explore import _small as made
from attn.explore._small import Numbers, Small
from attn.explore.self_attention import TOKENS

ORDERS = ("the cat sat", "cat sat the", "sat the cat", "sat cat the")
AXES = {"columns": "down the columns, axis 0", "rows": "along the rows, axis 1"}


class ExponentialsToWeights(Small):
    """Three scores of `sat`, what e to each of them is, and the weights."""

    question = "Only the score of `cat` moves. Which bars move with it?"
    shows = "The exponentials of three scores as bars, and beside them the weights that they make."

    score = traitlets.Float(1.4, min=-2, max=2).tag(sync=True, label="Score of `cat`", step=0.1)
    made_of = (
        made.columns("exponentials", "e to the score", names=TOKENS, ends=(0, 8), role="k"),
        made.columns("weights", "weight", names=TOKENS, ends=(0, 1), weight=True),
    )

    in_numpy = """
        scores = np.array([0, {score}, -np.sqrt(2)])
        exponentials = np.exp(scores)
        weights = exponentials / exponentials.sum()
    """

    def tell(self, now: Numbers) -> str:
        the, cat, _ = now["weights"][0]
        return (
            f"On the left one bar moves. On the right all do: `cat` has {weight(cat)}, and the others lose "
            f"what it takes; `the` keeps {weight(the)}."
        )


class ScoreAsShadow(Small):
    """The score of a query and a key, as the shadow of the query on the key times the key's length.

    `angle`: degrees to which the query, of length 2, points.
    """

    question = "Turn the query. When is the dot product largest, when zero, when negative?"
    shows = "A plane with a query and a key as arrows, and the shadow of the query on the line of the key."

    angle = traitlets.Int(80, min=-180, max=180).tag(
        sync=True, label="Direction of the query, degrees", step=5
    )
    made_of = (
        made.plane(
            "A query, a key, and the query's shadow on the line of the key",
            reach=3,
            arrows={"query": (["query"], "q"), "key": (["key"], "k")},
            points={"shadow": (["shadow"], "v")},
            segments=[("query", "shadow")],
        ),
        made.columns("dot", "dot product", names=["query · key"], ends=(-5, 5), role="v"),
    )

    in_numpy = """
        turn = np.deg2rad({angle})
        query, key = 2 * np.array([np.cos(turn), np.sin(turn)]), np.array([2, 1])
        dot = query @ key
        shadow = dot / (key @ key) * key
    """

    def tell(self, now: Numbers) -> str:
        score = now["dot"].item()
        text = number(score)
        if abs(score) < 0.2:
            return f"{text}: at a right angle the query has next to no shadow on the key."
        if score < 0:
            return f"{text}: the shadow falls behind the origin, so the dot product is negative."
        if score > 4.4:
            return f"{text}: nearly the same direction, the longest shadow, the largest dot product."
        return f"{text}: the length of the shadow times the length of the key, √5."


class AverageOnALine(Small):
    """The output as the balance point of the values, on a line.

    `score`: the score of `cat`; the other two words have the score 0.
    """

    question = "Give `cat` a higher score. Where does the average go, and how far can it get?"
    shows = (
        "Three values on a number line as disks, as large as their weights, and their average below the line."
    )

    score = traitlets.Float(0.0, min=-3, max=5).tag(sync=True, label="Score of `cat`", step=0.1)
    made_of = (
        made.line(
            "values",
            "The second numbers of three values on a line, and their average",
            names=TOKENS,
            ends=(-3, 3),
            weights="weights",
            result="output",
            says="output",
            ticks=(-3, -2, -1, 0, 1, 2, 3),
        ),
    )

    in_numpy = """
        values = np.array([2, -1, -2])
        weights = softmax(np.array([0, {score}, 0]))
        output = weights @ values
    """

    def tell(self, now: Numbers) -> str:
        text = number(now["output"].item())
        if self.score == 0:
            return f"{text}: equal scores, equal weights, the plain mean of the three."
        if self.score > 4:
            return f"{text}: nearly at the value of `cat`, and never beyond it."
        if self.score < -2:
            return f"{text}: nearly without `cat`, close to the mean of the other two."
        if self.score > 0:
            return f"{text}: it is pulled toward the value of `cat`, since that disk weighs more."
        return f"{text}: it has moved away from the value of `cat`, since that disk weighs less."


class LongerQuery(Small):
    """The weights of `sat` when its query is made longer or shorter."""

    question = "Make the query of `sat` longer, without turning it. What happens to the weights?"
    shows = "The three scores of `sat` as bars, and the weights that they give."

    length = traitlets.Float(1.0, min=-4, max=4).tag(sync=True, label="The query times", step=0.1)
    made_of = (
        made.columns("scores", "score", names=TOKENS, ends=(-6, 6), role="q"),
        made.columns("weights", "weight", names=TOKENS, ends=(0, 1), weight=True),
    )

    in_numpy = """
        q, k = np.array([2, 0]), np.array([[0, -1], [1, 1], [-1, 1]])
        scores = {length} * q @ k.T / np.sqrt(2)
        weights = softmax(scores)
    """

    def tell(self, now: Numbers) -> str:
        _, cat, sat = now["weights"][0]
        if self.length == 0:
            return "A query of length zero asks nothing: all weights are the same."
        if self.length < 0:
            return f"Turned around: now `sat` leads, with {weight(sat)}."
        if self.length > 2:
            return f"Sharper: `cat` has {weight(cat)}. The order of the words is the same as before."
        leads = f"`cat` leads with {weight(cat)}, as at any length above 0."
        return f"{leads} How clearly it leads depends on the length."


class KeysMoved(Small):
    """The scores and weights of `sat` when the same vector is added to all keys."""

    question = "Add the same vector to all three keys. Which of the two pictures moves?"
    shows = "The three scores of `sat` as bars, and the weights that they give."

    times = traitlets.Float(0.0, min=-1, max=1).tag(
        sync=True, label="Add (3, −2) to all keys, times", step=0.05
    )
    made_of = (
        made.columns("scores", "score", names=TOKENS, ends=(-6, 6), role="k"),
        made.columns("weights", "weight", names=TOKENS, ends=(0, 1), weight=True),
    )

    in_numpy = """
        q, k = np.array([2, 0]), np.array([[0, -1], [1, 1], [-1, 1]])
        scores = q @ (k + {times} * np.array([3, -2])).T / np.sqrt(2)
        weights = softmax(scores)
    """

    def tell(self, now: Numbers) -> str:
        if self.times == 0:
            return "Nothing is added: the scores and weights of the table above."
        moved = number(now["scores"][0, 0])
        return (
            f"All three scores moved by {moved}, so their differences are as before, and so are the weights."
        )


class AxisOfSoftmax(Small):
    """The weights of the three words with the softmax along either axis, and what each query's weights sum to.

    `axis`: which scores the softmax divides among.
    """

    question = "Along which axis do the weights of each word sum to one?"
    shows = "A table of weights, three words by three, and the sums of its rows as bars."

    axis = traitlets.Enum(tuple(AXES), "columns").tag(sync=True, label="Softmax", options=AXES)
    made_of = (
        made.grid("weights", "weights", rows=TOKENS, cols=TOKENS),
        made.columns("sums", "sum of the row", names=TOKENS, ends=(0, 2), role="ink"),
    )

    in_numpy = """
        q, k = np.array([[1, 0], [-1, 2], [2, 0]]), np.array([[0, -1], [1, 1], [-1, 1]])
        scores = q @ k.T / np.sqrt(2)
        weights = softmax(scores) if {axis} == "rows" else softmax(scores.T).T
        sums = weights.sum(axis=1)
    """

    def tell(self, now: Numbers) -> str:
        if self.axis == "rows":
            return "Each row sums to one: an average for each word."
        return f"Each column sums to one. The row of `sat` sums to {number(now['sums'][0, 2])}: no average."


class WordsShuffled(Small):
    """The outputs of the three words in another order."""

    question = "Put the words in another order. Does any word get a different output?"
    shows = "The outputs of three words as a table of three rows, in the order of the words."

    order = traitlets.Enum(ORDERS, ORDERS[0]).tag(
        sync=True, label="The words come as", options=dict(zip(ORDERS, ORDERS, strict=True))
    )
    made_of = (
        made.grid(
            "output", "outputs", rows=["1st word", "2nd word", "3rd word"], cols=["first number", "second"],
            weight=False, ends=(-2, 2), role="v",
        ),
    )  # fmt: skip

    in_numpy = """
        words = ["the", "cat", "sat"]
        order = [words.index(word) for word in {order}.split()]
        q = np.array([[1, 0], [-1, 2], [2, 0]])[order]
        k = np.array([[0, -1], [1, 1], [-1, 1]])[order]
        v = np.array([[2, 2], [-2, -1], [2, -2]])[order]
        output = softmax(q @ k.T / np.sqrt(2)) @ v
    """

    def tell(self, now: Numbers) -> str:
        if self.order == ORDERS[0]:
            return "The order of the sentence: a row for each word."
        return f"The same three rows, ordered as the words are: {self.order}. Attention did not notice the order."
