"""Chapter 5: a ladder on the two-token network."""

from attn.explore.practice._ladder import Ladder, Rung, size, way
from attn.explore.xor import XorLab

HEAD = ("w_q", "w_k", "w_v", "length", "bias")
T1 = ("chapters/05_xor_by_attention.html#theorem-1-the-hull", "Chapter 5, Theorem 1")


class XorLadder(Ladder, XorLab):
    """Chapter 5's puzzles, on its laboratory. It starts from the preset "rope".

    Parameters
    ----------
    preset : {"rope", "source", "second head", "max − min", "position", "residual", "ffn", "asker"}
    """

    view = "xor_ladder"
    chapter = "5"
    climb = (
        Rung(
            "Turn the line, and change nothing else: three of four right.",
            score=way("angle", counts="the degrees that you turned the line"),
            hints=(
                "The gray side says 1. Which points want to be there?",
                "The middle of the segment holds both ●. A line cuts it off together with one end.",
                "The small arrow points to the gray side: turn it until it points along the segment, more or less.",
            ),
            answer="At 88 degrees the middle and one end of the segment are on the gray side.",
            solution={"angle": 88.0},
        ),
        Rung(
            "One head, none of the switches on: four of four right, whichever of the ways to read you choose.",
            uses=("angle", "w_q"),
            score=size(*HEAD, "queries", counts="the sum of |numbers| in the weights"),
            hints=(
                "Look at the segment: where are both ● in all that you try?",
                "What is read of two different bits is an average of what is read of equal ones.",
                "A straight line that has the middle of a segment on one side has an end of it there, too.",
            ),
            answer=(
                "What is read of an unequal pair is an average of what is read of (0, 0) and of (1, 1): it lies on "
                "the segment between them. A line with both ends on one side has all of the segment there."
            ),
            proof=T1,
        ),
        Rung(
            "The second head alone, read by pooling queries: four of four, with a margin of 1 or more and weights as "
            "small as you can.",
            score=size(*HEAD, "queries", "w_o_2", counts="the sum of |numbers| in all weights of both heads"),
            hints=(
                "Start from *second head* or *max − min*. Which numbers does its answer not need?",
                "Each head's query leans to one bit. What one finds minus what the other finds is large where the bits "
                "differ.",
                "Put numbers to 0 one by one. Then make the readout longer and others smaller, or the other way round.",
            ),
            answer="One number of W_V for each bit, two queries that lean apart, and a minus in W_O of head 2.",
            solution={
                "second_head": True,
                "w_q": [[0, 0.8], [0, -0.9]],
                "w_k": [[0, 0.1], [0, -1.8]],
                "w_v": [[-0.4, 0], [2.9, 0]],
                "queries": [[0.5, 0], [-0.7, 0]],
                "w_o_2": [[-1, 0], [0, 0]],
                "angle": 0.0,
                "length": 1.6,
                "bias": -1.0,
            },
        ),
        Rung(
            "Let the *scores* see the places, with no other switch on: four of four right.",
            uses=("position_in_scores", "w_q"),
            score=size(*HEAD, "queries", "positions", counts="the sum of |numbers| in the weights"),
            hints=(
                "Turn it on, and move the positions. What do the two ● do?",
                "They part, and where are they still?",
                "Places in the scores change *how much* each bit counts, and not what it hands over.",
            ),
            answer=(
                "Places in the scores go into the weights of the average, which may depend on anything in Theorem 1. "
                "The two mixed pairs are averages with other weights, of the same two vectors: still on the segment."
            ),
            proof=T1,
        ),
        Rung(
            "Positions in the *values* alone, reading row 1: four of four, with a margin of 1 or more.",
            score=size(*HEAD, "positions", counts="the sum of |numbers| in the weights and positions"),
            hints=(
                "Start from *position*. Its values know the place, and not the bit.",
                "Row 1 tells how much it looks at itself: that is one thing for equal bits and another for different "
                "ones.",
                "A larger difference of the positions makes the margin wider, and the bias cuts in the middle.",
            ),
            answer="Row 1 looks at its own place more when the bits differ, and the positions make that a number.",
            solution={
                "position": True,
                "read": "row 1",
                "w_q": [[0, 0.6], [0, -0.6]],
                "w_k": [[0, 1.2], [0, -0.6]],
                "w_v": [[2, 0], [2, 0]],
                "positions": [[0, 0], [-1.6, -1.1]],
                "angle": 0.0,
                "length": 1.6,
                "bias": 0.0,
            },
        ),
        Rung(
            "A residual connection alone, reading the mean: four of four, with a margin of 0.7 or more.",
            score=size(*HEAD, counts="the sum of |numbers| in the weights"),
            hints=(
                "Start from *residual*: both rows take the largest bit away from what was there.",
                "The head has to pull against the residual, about as hard.",
                "Its margin is 0.5: what makes all four outputs larger, and in the same proportion?",
            ),
            answer="The preset's plan with a long readout, turned so that both numbers of a token count.",
            solution={
                "residual": True,
                "read": "mean",
                "w_q": [[0.7, 0], [0.9, 0]],
                "w_k": [[0, 0], [2.4, 0]],
                "w_v": [[-1, 0], [0.2, -0.8]],
                "angle": -42.0,
                "length": 2.8,
                "bias": -0.75,
            },
        ),
        Rung(
            "A residual connection, with no other switch on, reading row 1: four of four right.",
            uses=("residual", "w_q"),
            score=size(*HEAD, counts="the sum of |numbers| in the weights"),
            hints=(
                "Now one token's own bit is added. Does the other bit matter the same way whatever this one is?",
                "Compare (1, 0) with (1, 1), and (0, 1) with (0, 0): the first bit is the same in each two.",
                "Which of the two bits' values is larger for the readout? Exchange the second bit and see.",
            ),
            answer=(
                "With the first bit fixed, changing the second changes the output by a positive number times the "
                "difference of the two bits' values: in the same direction, whatever the first bit is. XOR wants "
                "opposite directions."
            ),
            proof=(
                "chapters/further/05_which_way_beats_what.html#the-table-which-way-computes-xor",
                "Which way beats what, proof (iii)",
            ),
        ),
        Rung(
            "A ReLU layer alone, read by the pooling query: four of four, with a margin of 1 or more.",
            score=size(
                *HEAD, "queries", "w_1", "w_2", counts="the sum of |numbers| in all weights, the layer's too"
            ),
            hints=(
                "Start from *ReLU layer*. It folds the segment.",
                "Keep both halves of the fold. Does the head need its queries and keys?",
                "With a bias in the layer, one unit may be 0 for all pairs but one, and another tell how many bits "
                "are 1.",
            ),
            answer="Two units fold the segment so that its ends meet. The readout cuts between them and the middle.",
            solution={
                "ffn": True,
                "w_q": [[0, 0], [0, 0]],
                "w_k": [[0, 0], [0, 0]],
                "w_v": [[-2, 0], [2, 0]],
                "queries": [[0, 0], [0, 0]],
                "w_1": [[1, -1], [0, 0], [0, 0]],
                "w_2": [[1, 0], [1, 0]],
                "angle": 180.0,
                "length": 1.0,
                "bias": 1.0,
            },
        ),
    )
