"""Chapter 0: a ladder on the queries, keys and values of three words."""

from attn.explore.practice._ladder import Ladder, Rung, changed, size
from attn.explore.self_attention import SelfAttention

THE, CAT, SAT = range(3)


QUERY = size(f"q.{SAT}", counts="the sum of |numbers| in the query of `sat`")
QUERIES = size("q", counts="the sum of |numbers| in all queries")


class AttentionLadder(Ladder, SelfAttention):
    """Chapter 0's puzzles, on its laboratory."""

    view = "attention_ladder"
    chapter = "0"
    climb = (
        Rung(
            "Move nothing but the query of `sat`: let it give `cat` more than .95.",
            score=QUERY,
            hints=(
                "A score is a sum of products. Which query has a large product with the key of `cat` and small ones "
                "with the others?",
                "The keys of `cat` and `sat` differ in their first number alone. What must the query's first number "
                "be?",
                "First make `sat` lose against `cat` (first number), then `the` (both numbers).",
            ),
            answer="A query (2.9, 0.9): its first number parts `cat` from `sat`, and both together part it from `the`.",
            solution={"q": [[1, 0], [-1, 2], [2.9, 0.9]]},
        ),
        Rung(
            "Move nothing but the query of `sat`, with numbers of at most 2 in size: let it give `cat` more than .9.",
            score=QUERY,
            hints=(
                "A weight depends on how far a score leads the others.",
                "Let one of the numbers be as large as it may. Which of them parts `cat` from its hardest rival?",
                "With 2 as the first number `sat` is beaten. How much of the second does `the` need?",
            ),
            answer="A query (2, 1.1).",
            solution={"q": [[1, 0], [-1, 2], [2, 1.1]]},
        ),
        Rung(
            "A ring, by queries alone: `the` looks at `cat`, `cat` at `sat`, and `sat` at `the`, each with more "
            "than .9.",
            score=QUERIES,
            hints=(
                "Three separate tasks: a query works for its own row alone.",
                "For each word: a direction in which the wanted key lies farther out than both others.",
                "To look at `the`, ask downward, where only its key lies. `cat` lies to the right and up, `sat` to "
                "the left and up.",
            ),
            answer="Right and up for `cat`, left and up for `sat`, straight down for `the`.",
            solution={"q": [[2.3, 0.8], [-2.3, 0.8], [0, -2.1]]},
        ),
        Rung(
            "Bring the output of `sat` to the origin, 0.05 away at most in each number, by its query alone.",
            score=QUERY,
            hints=(
                "The output is the average of the values (2, 2), (−2, −1) and (2, −2). Which weights average them "
                "to 0?",
                "The first numbers ask for half of the weight on `cat`. The second ones split the other half.",
                "The weights are 3/8, 1/2 and 1/8. The logs of their ratios, times √2, are differences of dot products "
                "*q*·*k*.",
            ),
            answer="The weights have to be 3/8, 1/2 and 1/8, and a query (1, −0.3) gives nearly these.",
            solution={"q": [[1, 0], [-1, 2], [1, -0.3]]},
        ),
        Rung(
            "Bring the first number of the output of `sat` above 2, and move no value.",
            uses=("q", "k"),
            score=size("q", "k", counts="the sum of |numbers| in queries and keys"),
            hints=(
                "How far to the right is the value of `the`? And that of `sat`?",
                "Let the weight of `cat` go toward 0. What does the output come close to?",
                "Look at the shape that the three values span. Can an average leave it?",
            ),
            answer=(
                "The output is an average: weights that are not negative and sum to one. So its first number lies "
                "between the least, −2, and the largest, 2, of the values' first numbers: inside their hull."
            ),
            proof=("chapters/00_attention.html#what-attention-notices-and-what-it-doesn-t", "Chapter 0"),
        ),
        Rung(
            "By keys alone: `sat` weighs all three words alike (to .005), and no two keys are the same.",
            score=changed("k", counts="the count of numbers changed in the keys"),
            hints=(
                "The query of `sat` is (2, 0). Which part of a key does it see?",
                "All scores have to be the same, whatever the second numbers are.",
                "Two of the first numbers have to follow the third.",
            ),
            answer=(
                "The query (2, 0) sees the first numbers alone: with 0 for all of them the scores are equal. The "
                "second numbers may differ, but those of `cat` and `sat` were the same, so one of these moves too."
            ),
            solution={"k": [[0, -1], [0, 1], [0, 0]]},
        ),
        Rung(
            "One vector for two jobs: with each word's key the same as its query, let each word give more weight to "
            "some other word than to itself.",
            uses=("q", "k"),
            score=QUERIES,
            hints=(
                "Set keys := queries, and look at the word with the longest vector.",
                "The score of a word with itself is the square of its length. What is the largest score that another "
                "word can have with it?",
                "A product of two vectors is at most the product of their lengths.",
            ),
            answer=(
                "Take the word with the longest vector *a*. Another word's vector *b* has the product *a·b* ≤ |*a*| "
                "|*b*| ≤ |*a*|², which is the longest word's score with itself. So that word gives nobody more than "
                "itself."
            ),
            proof=(
                "chapters/00_attention.html#why-three",
                "Chapter 0, why three",
            ),
        ),
    )
