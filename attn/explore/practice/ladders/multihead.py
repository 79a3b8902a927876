"""Chapter 4: a ladder on two heads and their faders."""

from attn.explore.multihead import WEIGHTS, MultiHead
from attn.explore.practice._ladder import Ladder, Rung, changed, size

CHANGES = changed(*WEIGHTS, counts="the count of numbers changed in the weights")
ASKED = changed("w_q", "w_k", counts="the count of numbers changed in W_Q and W_K")


class HeadsLadder(Ladder, MultiHead):
    """Chapter 4's puzzles, on its laboratory. It starts from the preset "legible".

    Parameters
    ----------
    preset : {"legible", "source", "paper", "opposites"}
    """

    view = "heads_ladder"
    chapter = "4"
    climb = (
        Rung(
            "With the faders alone: `sat` gets `cat` minus `the`, more than .9 of the one and less than −.9 of the "
            "other.",
            score=size("faders", counts="the sum of |faders|"),
            hints=(
                "Which word does head 1 look at for `sat`, and which does head 2?",
                "The output is the sum of two shares, each times its fader.",
                "A fader can go below 0.",
            ),
            answer="Head 1 hears the word before, head 2 the first word: +1 and −1.",
            solution={"faders": [1.0, -1.0]},
        ),
        Rung(
            "Silence head 1 with its weights, both faders at +1: each number of its share within .005 of 0.",
            score=CHANGES,
            hints=(
                "Where a head looks cannot silence it: its weights sum to one.",
                "What a head says goes through W_V and W_O.",
                "Three numbers of W_O hand over three words.",
            ),
            answer="Put the three 1s of its W_O, or of its W_V, to 0.",
            solution={"w_o": [[[0] * 4] * 3, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]]},
        ),
        Rung(
            "Rewire head 2 in its W_Q and W_K alone: each of the three words looks at itself, with more than half "
            "of the weight.",
            score=CHANGES,
            hints=(
                "Row i of W_Q is what word i asks for, row i of W_K what it answers to.",
                "`the` is well served. `cat` and `sat` need something that tells them from `the` and from each other.",
                "A number may be negative: a minus in a query and in a key make a plus.",
            ),
            answer="`cat` asks with a minus for what `the` is known by. `sat` asks with a minus for a number that "
            "`the` gets, and with a plus for one that it has a little of itself.",
            solution={
                "w_q": [
                    [[3, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]],
                    [[3, 0, 0], [-3, 0, 0], [3, -3, 0], [3, 0, 0]],
                ],
                "w_k": [
                    [[3, 0, 0], [0, 3, 0], [0, 0, 3], [0, 0, 0]],
                    [[3, 3, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]],
                ],
            },
        ),
        Rung(
            "Leave W_V and W_O as they are, and no fader below 0: get a number below 0 in the output.",
            uses=("w_q", "w_k"),
            score=ASKED,
            hints=(
                "What is the smallest number that a head can say here?",
                "What signs do the numbers of W_V and W_O have? And the weights?",
                "Each share is an average of numbers that are 0 or 1.",
            ),
            answer=(
                "Weights are not negative, and neither are the numbers that W_V and W_O hand over here. A sum of "
                "products of such numbers, times faders that are not negative, is not negative. To subtract, something "
                "has to have a minus."
            ),
            proof=("chapters/04_multi_head_attention.html#why-heads-add-up", "Chapter 4, why heads add up"),
        ),
        Rung(
            "Faders at +1 and −1, W_V and W_O as they are: an output of nothing but zeros, to .005.",
            score=ASKED,
            hints=(
                "What is left when both heads hear the same?",
                "For two of the three words they do so already.",
                "Let head 1 ask for `sat` what head 2 asks for it.",
            ),
            answer="In W_Q of head 1, let the row of `sat` be the same as those of the others: two numbers.",
            solution={
                "faders": [1.0, -1.0],
                "w_q": [[[3, 0, 0], [3, 0, 0], [3, 0, 0], [0, 0, 3]], [[3, 0, 0]] * 4],
            },
        ),
        Rung(
            "Turn head 1 around, in its W_Q and W_K alone: `the` looks at `cat`, and `cat` at `sat`, each with more "
            "than .9.",
            score=CHANGES,
            hints=(
                "Now `the` asks for itself, and `cat` for the word before. Each should ask for the next word's number.",
                "Change what a word asks for, in W_Q, or what the next one answers to, in W_K.",
                "The wanted score has to be well above *all* others: is a tie left?",
            ),
            answer="With a minus `the` asks for whatever is not known by the first number, and `sat` gets one there, "
            "so that `cat` is left. `cat` asks for the first and the third number, and `sat` has both.",
            solution={
                "w_q": [[[-3, 0, 0], [3, 0, 3], [0, 3, 0], [0, 0, 3]], [[3, 0, 0]] * 4],
                "w_k": [
                    [[3, 0, 0], [0, 3, 0], [3, 0, 3], [0, 0, 0]],
                    [[3, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
                ],
            },
        ),
        Rung(
            "Leave W_Q as it is. With W_K of head 1, let `the` and `cat` look at different words.",
            uses=("w_k",),
            score=changed("w_k", counts="the count of numbers changed in W_K"),
            hints=(
                "What do `the` and `cat` ask for in head 1? Look at their rows of W_Q.",
                "They ask the same of the same keys.",
                "From what is a row of weights computed?",
            ),
            answer=(
                "A row of weights comes from one query and all keys. `the` and `cat` have the same query, and the keys "
                "are the same for all, so their rows are the same, whatever W_K is."
            ),
            proof=("chapters/04_multi_head_attention.html#by-hand", "Chapter 4, by hand"),
        ),
    )
