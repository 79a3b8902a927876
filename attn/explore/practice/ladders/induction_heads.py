"""Chapter 9: a ladder on two layers that complete a pattern."""

from attn.explore.induction import SAME, Induction
from attn.explore.practice._ladder import Ladder, Rung, size, way
from attn.induction import VOCABULARY

BLOCKS = ("look", "copy", "match", "say")
BETAS = "*β*₁ and *β*₂, added"


def _set(name, **entries):
    """A block that copies words, with some entries changed: ``_set("say", A_A=0)``; the others stay."""
    block = [row[:] for row in SAME]
    for place, value in entries.items():
        row, column = place.split("_")
        block[VOCABULARY.index(row)][VOCABULARY.index(column)] = value
    return {name: block}


def _alone(name, **entries):
    """A block of zeros but for some entries."""
    return _set(name, **{f"{word}_{word}": 0 for word in VOCABULARY} | entries)


MOVED = way(*BLOCKS, counts="how far the numbers of the blocks moved, all together")


class InductionLadder(Ladder, Induction):
    """Chapter 9's puzzles, on its laboratory."""

    view = "induction_ladder"
    chapter = "9"
    climb = (
        Rung(
            "Turn layer 1's hand and change nothing else, no word either: the answer to `A 1 B 0 A` is `0`.",
            score=size("turn", counts="how far the hand is turned, in places"),
            hints=(
                "Layer 2 looks for the place that has `A` in the lane *before*, and says the word there.",
                "It should be the place of `0` that has it. How many places after the first `A` is that?",
                "The first `A` is the first word, and `0` the fourth. It need not be exact.",
            ),
            answer="Three places back is the middle of where it works; 2.6 is enough.",
            solution={"turn": 2.6},
        ),
        Rung(
            "All sixteen right, with *β*₁ + *β*₂ at 5 or less. The four blocks, the parts and the lane stay.",
            score=size("beta_1", "beta_2", counts=BETAS),
            hints=(
                "One place back, sharp: that works. Now make one of them smaller until it no longer does.",
                "Neither can be small alone. What layer 1 blurs, layer 2 can't find, however sharp it is.",
                "Try 2.5 for layer 1.",
            ),
            answer="2.5 and 2, one place back. No pair in these steps with a smaller sum gets all sixteen.",
            solution={"turn": 1.0, "beta_1": 2.5, "beta_2": 2.0},
        ),
        Rung(
            "Switch off places and mask both. Get thirteen of the sixteen right, by whatever weights.",
            uses=("causal", "places"),
            score=MOVED,
            hints=(
                "What tells `A 1 B 0 A` from `A 0 B 1 A` now?",
                "The two have the same words, and the same last word.",
                "Count the questions whose two digits differ. They come in such pairs.",
            ),
            answer=(
                "Without places and mask the last word sees the others as a heap: put them in another order, and "
                "nothing changes for it, in any layer. `A 1 B 0 A` and `A 0 B 1 A` are the same heap, and one wants 1, "
                "the other 0. There are four such pairs, with one right in each at most; with the eight questions "
                "whose digits are equal that is twelve."
            ),
            proof=(
                "chapters/further/09_the_block.html#what-each-part-is-for",
                "What each part of a block is for",
            ),
        ),
        Rung(
            "The answer in the lane *token*, where the present word stands already. All seven parts on, no LayerNorm, "
            "all sixteen right. Change as little of the blocks as you can.",
            score=MOVED,
            hints=(
                "Read the lane *token*: which word is ahead there, and by how little?",
                "What layer 2 says has to be louder than the word that stands there.",
                "Only two words are ever an answer. Raise what *say* makes of them.",
            ),
            answer="The present word has 1 in its lane and a little more from layer 2; the answer has its weight, "
            "nearly 1. At 1.1 in *say* for `0` and for `1` it is above.",
            solution={"turn": 1.0, "lane": "token"} | _set("say", **{"0_0": 1.1, "1_1": 1.1}),
        ),
        Rung(
            "No `BOS`: the first name has nothing to look back to but itself. All other parts on, no LayerNorm, all "
            "sixteen right.",
            score=MOVED,
            hints=(
                "Eight go wrong: those that ask for the first name. What does the network say to them?",
                "The first name has itself in the lane *before*. So layer 2 finds that name, and the digit after it.",
                "A name is never an answer. It may say less than a digit.",
            ),
            answer="Layer 2 looks at the first name a little more than at its digit. The name need only say a little "
            "less: 0.9 in *say* for `A` and for `B` is enough, as the two matches are nearly equal.",
            solution={"turn": 1.0, "bos": False, **_set("say", A_A=0.9, B_B=0.9)},
        ),
        Rung(
            "Ask `A 1 A 0 A`: two matches, a tie. Let the later one win: `0` ahead of all others by 0.5 or more, with "
            "all sixteen questions right as before. All seven parts on, no LayerNorm.",
            score=MOVED,
            hints=(
                "Turn the hand a little further than one place. What mixes into the lane *before*, at both places?",
                "After the first `A` it is `BOS`, after the second it is a digit.",
                "In *match*, row `A`, make `BOS` repel, and let *β*₂ do the rest.",
            ),
            answer="At 1.4 places back the place after the first `A` holds some `BOS`, the later one some `1`. A "
            "small number below 0 for `BOS`, times a large *β*₂, makes the first one lose.",
            solution={"third": "A", "turn": 1.4, "beta_1": 4.0, "beta_2": 20.0, **_set("match", A_BOS=-0.2)},
        ),
        Rung(
            "All sixteen right with small blocks: the sizes of all entries in *copy*, *match* and *say* add up to 1 or "
            "less.",
            score=size(
                "copy", "match", "say", counts="the sizes of all entries in *copy*, *match* and *say*"
            ),
            hints=(
                "Most entries do nothing here. Which words are ever asked for, and which are ever said?",
                "What *match* and *copy* lack in size, *β*₂ can make up for.",
                "Copy `A` alone. Then `B` can ask for where `A` was *not* before.",
            ),
            answer="The lane *before* knows `A` alone. `A` looks where it stands, `B` avoids it, and of the digits "
            "only the other one is left.",
            solution={
                "turn": 1.0,
                "beta_2": 20.0,
                **_alone("copy", A_A=0.1),
                **_alone("match", A_A=0.1, B_A=-0.1),
                **_alone("say", **{"0_0": 0.1, "1_1": 0.1}),
            },
        ),
        Rung(
            "One layer alone, the other switched off: fifteen of the sixteen right, by whatever weights.",
            uses=("layer_1", "layer_2"),
            score=MOVED,
            hints=(
                "Take layer 1 alone and read the lane *before*. Twelve is within reach.",
                "Take the four questions of `A` whose digits differ. How many of them do you get?",
                "Three of these four, of each name: with the other eight that would be fourteen.",
            ),
            answer=(
                "Take `A 1 B 0 A`, `A 0 B 1 A`, `B 1 A 0 A` and `B 0 A 1 A`, which want 1, 0, 0, 1. In one layer a "
                "word's score and what it hands over depend on that word and its place alone. So how far `1` is ahead "
                "of `0`, times the softmax's denominator, is one number for the order of the names plus one for the "
                "order of the digits: the two that want 1 add up to the same as the two that want 0, and at most three "
                "of the four are right. So too where `B` asks. That leaves fourteen."
            ),
            proof=(
                "chapters/09_induction_heads.html#the-wall-one-head",
                "Chapter 9, the wall",
            ),
        ),
    )
