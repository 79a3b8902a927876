"""Which report is right? Bug reports as people write them, each with the small figure whose one control decides it.

``FutureMoved(report="report.mask-after-softmax")`` is that figure with the report as its question: the reader rules
*a bug* or *no bug*, then moves the control, and the page tells who was right. Each report stands in the ledger, as an
error in the wild or as a claim, or names the test that decides it (``tests/unit/test_reports.py``).
"""

from dataclasses import dataclass
from typing import Any

RULINGS = ("a bug", "no bug")


@dataclass(frozen=True)
class Report:
    """A report, and what is so.

    Parameters
    ----------
    name : str
        The exercise's, such as "report.mask-after-softmax".
    title : str
    chapter : str
        "0" … "8".
    figure : str
        The small figure that decides it.
    says : str
        The report, in the words of who wrote it.
    bug : bool
        Whether it reports a bug, or takes for one what is as it should be.
    why : str
        What the control shows.
    ledger : str
        How the error in ``ledger/errors.toml`` begins, or the claim in ``ledger/claims/``; or a test that shows it.
    """

    name: str
    title: str
    chapter: str
    figure: str
    says: str
    bug: bool
    why: str
    ledger: str

    @property
    def question(self) -> dict[str, Any]:
        """The question that a figure asks with it, as ``_question.asked`` takes it."""
        return {
            "question": f"*{self.title}.* “{self.says}” Is it a bug?",
            "options": list(RULINGS),
            "solution": 0 if self.bug else 1,
            "explanation": self.why,
            "exercise": self.name,
        }


_LIST = (
    # ---------------------------------------------------------------- chapter 0
    Report(
        "report.keys-moved",
        "The same for all keys",
        "0",
        "KeysMoved",
        "My code adds one vector, the same, to all keys (after any turning by position). All three "
        "scores of `sat` change, and by a lot. So the weights must be wrong from there on.",
        False,
        "The scores move together. A softmax sees the differences between them, and those are as before: the weights "
        "stay.",
        "Only differences of scores count: one vector added to all keys moves no weight",
    ),
    Report(
        "report.columns",
        "Softmax on a square table",
        "0",
        "AxisOfSoftmax",
        "Our softmax runs over axis 0. Scores and weights are both 3 × 3, rows are queries, all weights lie "
        "between 0 and 1, nothing raises, and there are three sums of 1.",
        True,
        "The sums of 1 are those of the columns. The weights of a query are a row, and here the rows sum to less or "
        "more than 1, so no output is an average.",
        "Softmax down the columns instead of along the rows",
    ),
    # ---------------------------------------------------------------- chapter 1
    Report(
        "report.order-lost",
        "Who bites whom",
        "1",
        "OrderSeen",
        "`dog bites man` and `man bites dog`: our attention layer, without positions, gives `dog` the same output in "
        "both, in all digits that I print. Something gets lost in the layer.",
        False,
        "Nothing in an embedding says where the word stands, and the layer's sums run over the same words in both. "
        "Without positions or a mask that is how attention is; with positions the two outputs part.",
        "tests/falsify/test_attention.py::test_order_is_not_seen",
    ),
    Report(
        "report.doubled-exponent",
        "Sines and cosines as in the paper",
        "1",
        "ExponentOfPairs",
        "I loop over all columns as `i`, sines in even ones and cosines in odd ones, and take 10,000 to "
        "the power 2i/d. All numbers lie between −1 and 1, position 0 is right, and all positions differ.",
        True,
        "The paper's i counts pairs: columns 0 and 1 are pair 0, columns 2 and 3 pair 1. If it counts dimensions, all "
        "exponents but the first are too large, and a sine and its cosine turn at different speeds.",
        "The exponent doubled",
    ),
    Report(
        "report.not-falling",
        "Near words less alike than far ones",
        "1",
        "AlikeByDistance",
        "With 4 dimensions, the encodings of two words 6 apart are more alike than those of neighbors. Inner products "
        "of positions should fall with the distance, so the encoding is wrong.",
        False,
        "The inner product is a sum of cosines, one for each clock, and cosines come back. With few clocks the curve "
        "rises again soon; with 64 dimensions it falls longer before it wavers.",
        "tests/unit/test_reports.py::test_six_apart_is_more_alike_than_one_with_four_dimensions",
    ),
    # ---------------------------------------------------------------- chapter 2
    Report(
        "report.divided-by-d",
        "A safe scale",
        "2",
        "ThreeScales",
        "To keep the softmax from saturating we divide the scores by `d_k`, 64, and change nothing else. "
        "It works: there are no large weights, from the first step on.",
        True,
        "For random vectors, as at the start, scores divided by 64 have a standard deviation of 8/64, and the eight "
        "weights are nearly the same: the query hardly chooses. The root of 64 leaves a deviation of 1. muP divides by "
        "d_k on purpose and changes the rest to suit; here nothing else was changed.",
        "tests/unit/test_reports.py::test_divided_by_d_the_weights_are_nearly_the_same",
    ),
    Report(
        "report.variance-of-a-table",
        "The variance is not 8",
        "2",
        "OneTable",
        "Queries and keys of 8 random numbers with mean 0 and variance 1 should give scores of variance 8. "
        "My table of 16 scores has less than 6. There must be a mistake in my product, or in the theory.",
        False,
        "It is one draw. Sixteen scores from four queries and four keys hang together, and their variance wanders far "
        "on both sides of 8 from draw to draw.",
        "One draw, called a proof",
    ),
    # ---------------------------------------------------------------- chapter 3
    Report(
        "report.mask-after-softmax",
        "Hidden weights are zero",
        "3",
        "FutureMoved",
        "We set the weights of later words to 0 after the softmax, and leave the rest as they are. I "
        "printed them: zeros above the diagonal, as they should be. Reviewers say that it leaks.",
        True,
        "The hidden scores are in the sum by which the visible ones were divided. Change the last word's key, and the "
        "outputs before it move: what was hidden can be felt.",
        "The mask after the softmax",
    ),
    Report(
        "report.minus-billion",
        "−1e9 in place of −∞",
        "3",
        "EmptyRow",
        "We fill hidden scores with −1e9, in float32, since −∞ gave NaN. In each row that we tried, both "
        "give the same weights. Some rows of a padded batch see nothing at all.",
        True,
        "While a row sees something the two agree. In a row that sees nothing all scores are −1e9, so equal, and the "
        "row looks at everything that was to be hidden. It does harm as soon as anything reads that row.",
        "−1e9 in place of −∞",
    ),
    Report(
        "report.first-word",
        "The first word looks at itself alone",
        "3",
        "MaskFamily",
        "In our decoder the first word has the weight 1 on itself, in each head, whatever it asks. Its queries learn "
        "nothing from that row. The mask must be off by one.",
        False,
        "Under a causal mask a word sees itself and those before it, and before the first there is none. One weight "
        "that sums to one is 1.",
        "Under a causal mask the first token may look at itself alone",
    ),
    # ---------------------------------------------------------------- chapter 4
    Report(
        "report.reshape",
        "Heads by reshape",
        "4",
        "BlindHead",
        "I split the heads with `x.reshape(n_heads, n, d_head)`. The shape is what the next line wants, all rows of "
        "weights sum to one, and the loss falls.",
        True,
        "A reshape alone reads row after row. So, where the heads divide the words evenly, a head gets "
        "all numbers of some words, in pieces, and none of the others. Each head should get some "
        "columns of all words: split the columns, then transpose.",
        "reshape without transpose gives the same shape",
    ),
    Report(
        "report.one-block",
        "Only one head's share moves",
        "4",
        "AddedShares",
        "I changed the rows of W_O that belong to head 2. The share of head 1 in the output stayed as it was. But W_O "
        "is there to mix all heads, so it must be sliced wrongly.",
        False,
        "Heads side by side, times W_O, is a sum: each head times its own rows of it. So a change in the rows of head "
        "2 moves what head 2 adds, and the sum, and nothing of head 1.",
        "tests/reference/test_multihead.py::test_the_heads_add_up_to_pytorchs_output",
    ),
    # ---------------------------------------------------------------- chapter 5
    Report(
        "report.three-of-four",
        "Stuck at three of four",
        "5",
        "BiasOfVotes",
        "One head, one layer, no positions, no residual connection, and a query that knows no bit; two "
        "bits as ±1, a linear readout. I went through all biases, and at best three of the four pairs of "
        "XOR are right. Somewhere in my head there is a sign error.",
        False,
        "Each token votes, and the bias is part of its vote. Whatever the bias, equal pairs and unequal "
        "pairs have the same total, so no bias puts one kind above the line and the other below.",
        "tests/unit/test_small_figures.py::test_two_totals_are_one_and_no_bias_makes_the_votes_xor",
    ),
    Report(
        "report.weights-tell",
        "The weights know, the output doesn't",
        "5",
        "WeightsThatKnow",
        "My head's weights tell equal bits from unequal ones, clearly. What is read of the rows does not: both unequal "
        "pairs sit between the equal ones. Some line must throw the answer away.",
        False,
        "What is read is an average of values, and values here say bit 0 or bit 1. Whatever the weights, an average of "
        "a 0 and a 1 lies between them. The weights know who is equal; nothing passes that on.",
        "tests/unit/test_small_figures.py::test_sharper_weights_move_unequal_bits_up_but_not_past_the_end",
    ),
    # ---------------------------------------------------------------- chapter 6
    Report(
        "report.probability-as-loss",
        "A loss that falls and stays",
        "6",
        "PullOfLosses",
        "We give the softmax's probabilities to a loss that takes log-probabilities. It trains, the loss falls, and "
        "the accuracy climbs to 75 %.",
        True,
        "So −p is made small, not −ln p. Its pull at the logit of the right answer is p(1 − p): where "
        "the network is surely wrong, p is near 0 and hardly anything pulls, and there it stays for long.",
        "A loss for log-probabilities, fed with probabilities",
    ),
    Report(
        "report.adam-step",
        "Adam ignores the gradient's size",
        "6",
        "AdamAndScale",
        "The gradients of one layer are a thousand times smaller than elsewhere, and Adam's steps there are as long as "
        "anywhere. It should have taken the gradient's size into account.",
        False,
        "Adam divides a gradient by its own recent size. Where gradients stay alike, its step is about its learning "
        "rate, whatever their size, down to the 1e-8 that it adds; plain gradient descent is what nearly stands still.",
        "tests/unit/test_small_figures.py::test_adams_curve_is_its_code",
    ),
    # ---------------------------------------------------------------- chapter 7
    Report(
        "report.bits-in-softmax",
        "PMI in bits as scores",
        "7",
        "BaseOfTheLogarithm",
        "PMI plus the logarithm of the prior should make attention return the shares of the days. We take both with "
        "base 2, as information is measured, and the weights come out too sharp.",
        True,
        "A softmax takes e to each score, so it undoes a natural logarithm. In bits each score is 1.44 "
        "times as large: that is a temperature that nobody set. At base e the weights are the shares.",
        "Bits in a softmax",
    ),
    Report(
        "report.negative-information",
        "Information below zero",
        "7",
        "RatioInBits",
        "Our PMI of two words is −2.3 bits. Information can't be negative; mutual information is a mean of these, and "
        "it isn't. The table must be wrong.",
        False,
        "A pair that meets less often than by chance has a ratio below 1, and its logarithm is negative. The mean over "
        "all pairs, weighted by how often they meet, is what can't go below 0.",
        "Two frequent words that never meet have a PMI of −∞",
    ),
    # ---------------------------------------------------------------- chapter 8
    Report(
        "report.pairs-by-halves",
        "Number i with number i + d/2",
        "8",
        "MovedTogether",
        "The paper turns each number of a query with its neighbor. Our code takes number i with number i + d/2, in "
        "queries and in keys, in training and after it. That is another encoding, so distances must come out wrong.",
        False,
        "Move both words, and the score stays. Which numbers make a pair is a layout: weights that were trained "
        "with it fit it. What goes wrong is code of one layout with weights of the other.",
        "Layouts: with the columns of W_Q and W_K reordered",
    ),
    Report(
        "report.two-angles-in-a-pair",
        "f₀ f₁ … and once more",
        "8",
        "MovedTogether",
        "Neighbors are a pair in our code, and each row of angles is the list of all frequencies, twice: "
        "f₀ f₁ … f₀ f₁ …. Shapes fit, nothing raises, and the model trains.",
        True,
        "The two numbers of a pair turn by two angles here, so lengths change, and the score moves though both "
        "words stand as far apart as before. A model can train with it, at the places that it sees.",
        "Angles laid out for halves on pairs of neighbors",
    ),
    Report(
        "report.turned-back",
        "The minus on the other sine",
        "8",
        "MovedTogether",
        "Where the paper turns a pair by an angle, our code turns queries and keys by that angle back: the minus "
        "is on the other sine. We trained with it, and should mend it before anybody builds on it.",
        False,
        "Move both words, and the score stays: both turn the same way. It is the paper's score with the offset's "
        "sign changed, which trained weights take in. To mend the code now would break them.",
        "tests/claims/test_rotary_training.py::test_another_layout_or_direction_trains_alike",
    ),
    Report(
        "report.weights-of-another-layout",
        "Each line is right",
        "8",
        "LoadedWeights",
        "Weights that were trained with neighbors as pairs run in our code, which pairs halves. All shapes fit, "
        "nothing raises, and no score moves when all words move. Each line is as it should be, in their code "
        "and in ours.",
        True,
        "At offset 0 the scores are those of training, and further back they are different: it is another model. "
        "With the columns of W_Q and W_K reordered they are those of training again.",
        "Weights that were trained with neighbors as pairs, loaded",
    ),
    # ---------------------------------------------------------------- chapter 9
    Report(
        "report.duplicate-token",
        "Where the word stood before",
        "9",
        "HeadByOffset",
        "This head has nearly all of its weight on the place where the present word stood before. It has found the "
        "pattern, so our list calls it an induction head.",
        True,
        "What it finds is the present word once more: it is a duplicate-token head. An induction head looks one place "
        "further on, at what came after. Two places back, the weight on the word after is 1 and on the word itself 0; "
        "three back, it is the other way round.",
        "tests/unit/test_reports.py::test_the_same_word_is_three_back_and_what_came_after_two",
    ),
    Report(
        "report.first-row-of-the-stripe",
        "The whole stripe",
        "9",
        "StuckHeadScore",
        "Our text is four words, then the same four again. As a head's score we take the mean over the whole diagonal "
        "that lies three places back. A head that always looks at the first word gets 0.2, though it never looks at "
        "what came after a word.",
        True,
        "The diagonal begins one row too early: in the row of the fourth word, which is there for the first time, "
        "three places back is the first word. One row of five is the 0.2. From the fifth row on the score is 0.",
        "A score for induction heads that takes a whole diagonal",
    ),
    Report(
        "report.n-minus-one",
        "The same thing but for ε",
        "9",
        "NormAndEpsilon",
        "Our layer norm divides by the standard deviation with n − 1, the library's by the one with n. Of the row "
        "1, 0, 0, 0 ours makes 1.50 and theirs 1.73. Somebody asked, and was told that it is the same thing. We go on "
        "and load their weights.",
        True,
        "With four numbers ours is √¾ of theirs, however small ε is. With many numbers the two come close, so nobody "
        "sees it. A model can be trained with either; weights of one in the code of the other are a little off.",
        "A LayerNorm whose variance divides by d − 1",
    ),
    Report(
        "report.shifted-keys",
        "One layer, and it completes patterns",
        "9",
        "ShiftedKeys",
        "One layer of attention can't complete `A 1 B 0 A`. Ours does: all sixteen questions are right. Each key is "
        "shifted by one place before the scores are made, and the mask stands as it should. Something must leak.",
        False,
        "Nothing leaks. A shifted key is that of the word before, which its place may see: so a place is found by the "
        "word before it, and says its own. What one head can't do is so for keys that know their own word alone.",
        "Doors with one layer",
    ),
)

#: Every report, by its exercise's name, in the order of the chapters.
REPORTS: dict[str, Report] = {report.name: report for report in _LIST}


def question_of(name: str, figure: str) -> dict[str, Any]:
    """The question that a figure asks with a report.

    Raises
    ------
    ValueError
        If there is no such report, or another figure decides it.
    """
    own = [report.name for report in _LIST if report.figure == figure]
    if name not in own:
        raise ValueError(
            f"report must be one that {figure} decides, {', '.join(own) or 'and there is none'}, got {name!r}"
        )
    return REPORTS[name].question
