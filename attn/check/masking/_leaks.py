"""The checker of a leak detector. Tokens count from 0 in all messages."""

import numpy as np

from attn.check._engine import run
from attn.check._exercise import Exercise, Mistake
from attn.check.masking._attends import KINDS, TOKENS, Attend


def leaks(function):
    """Check f(attend, x) -> bool (n, n): True at [i, j] iff changing token j can move output i.

    `attend` maps x (n, d) to an output (n, d_out). f may call it as often as it likes.
    """
    return run(_LEAKS, function)


def _judge_leaks(answer, expected, attend, x):
    for i, j in np.argwhere(answer != expected):
        if answer[i, j]:
            return (
                f"You say that changing token {j} moves output {i}, but whatever token {j} is, it does not."
            )
        return f"Changing token {j} can move output {i}, but you say that it does not."
    return None


def _moved(attend, x, change, tolerance=1e-9):
    """What a learner might write: change one token at a time, compare the outputs."""
    before = attend(x)
    answer = np.zeros((len(x), len(x)), dtype=bool)
    for j in range(len(x)):
        for delta in change:
            other = x.copy()
            other[j] = other[j] + delta
            answer[:, j] |= np.abs(attend(other) - before).max(axis=-1) > tolerance
    return answer


def _both_ways(attend, x):
    return _moved(attend, x, (1.0, -1.0))


_ONE_WAY = "Do you change the token in one direction only? Some attend answers only to the other: try x + δ and x − δ."
_ONE_FEATURE = (
    "Do you change only one feature of the token? Another may be the one that counts: change them all."
)


def _case(kind, x):
    return {"attend": Attend(kind, x), "x": x.copy()}


def _build_leaks(draw):
    kind = draw.choice(KINDS)
    return _case(kind, np.array(draw.some(1, 4, lambda: draw.choice(TOKENS))))


_LEAKS = Exercise(
    usage="leaks(attend, x)",
    right=lambda attend, x: attend.kind.truth(len(x)),
    build=_build_leaks,
    fixed=tuple(_case(kind, TOKENS[:n]) for n in (3, 4) for kind in KINDS),
    judge=_judge_leaks,
    shape="(n, n)",
    mistakes=(
        Mistake(
            lambda attend, x: _both_ways(attend, x).T,
            "Is it transposed? The row i is the output that moves, the column j the token that was changed.",
        ),
        Mistake(
            lambda attend, x: ~_both_ways(attend, x), "Is it inverted? True means that the output moves."
        ),
        Mistake(lambda attend, x: _moved(attend, x, (1.0,)), _ONE_WAY),
        Mistake(lambda attend, x: _moved(attend, x, (-1.0,)), _ONE_WAY),
        Mistake(lambda attend, x: _moved(attend, x, ([1.0, 0.0], [-1.0, 0.0])), _ONE_FEATURE),
        Mistake(lambda attend, x: _moved(attend, x, ([1.0, 0.0],)), _ONE_FEATURE),
        Mistake(lambda attend, x: _moved(attend, x, ([0.0, 1.0], [0.0, -1.0])), _ONE_FEATURE),
        Mistake(lambda attend, x: _moved(attend, x, ([0.0, 1.0],)), _ONE_FEATURE),
        Mistake(
            lambda attend, x: _moved(attend, x, (1.0, -1.0), tolerance=0.05),
            "Is the threshold too coarse? A leak of a hundredth is a leak; rounding is about 1e-16.",
        ),
        Mistake(
            lambda attend, x: np.zeros((len(x), len(x)), dtype=bool),
            "Nothing ever moves in your answer. Is the change lost in the tolerance (np.allclose ignores 1e-5 of "
            "the value), or is the token changed at all?",
        ),
        Mistake(
            lambda attend, x: _both_ways(attend, x) | np.eye(len(x), dtype=bool),
            "Is the diagonal set by hand? An output need not depend on its own token: measure it too.",
        ),
        Mistake(
            lambda attend, x: _both_ways(attend, x) & ~np.eye(len(x), dtype=bool),
            "Is a token's effect on its own output left out? It counts: changing token i may move output i.",
        ),
        Mistake(
            lambda attend, x: np.triu(_both_ways(attend, x), 1),
            "Do you report only the effect of later tokens? Earlier ones count too.",
        ),
        Mistake(
            lambda attend, x: np.tril(np.ones((len(x), len(x)), dtype=bool)),
            "Your answer is the causal triangle whatever attend does: call it and compare.",
        ),
        Mistake(
            lambda attend, x: np.ones((len(x), len(x)), dtype=bool),
            "Everything moves in your answer. Is one token changed at a time, starting from a fresh copy of x?",
        ),
    ),
)
