"""The checkers of two leak detectors (chapter 3). Tokens count from 0 in all messages."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import check_finite
from attn.check._engine import checks
from attn.check._exercise import Result
from attn.masks import causal_mask, sliding_window_mask
from attn.practice.mistakes import masking as say
from attn.softmax import softmax

# Small attention functions of which it is known who can move whom ---------------------------------------------------

# No two features of a token cancel, so that adding the same to both moves every score.
TOKENS = np.array([[0.5, 1.0], [1.0, -0.5], [-0.5, 1.5], [1.5, 0.5]])


@dataclass(frozen=True)
class Kind:
    """One kind of attention on tokens x (n, 2)."""

    label: str
    function: Callable
    """function(x, start) -> output (n, d_out); `start` holds the tokens before anyone changed them."""
    truth: Callable
    """truth(n) -> (n, n), True at [i, j] iff changing token j can move output i."""


class Attend:
    """A kind of attention, to be called with all tokens (n, 2)."""

    def __init__(self, kind: Kind, start: np.ndarray) -> None:
        self.kind, self.start = kind, start

    def __call__(self, x: ArrayLike) -> np.ndarray:
        x = np.array(x, dtype=np.float64)
        if x.shape != self.start.shape:
            raise ValueError(
                f"attend takes all tokens, an array of shape {self.start.shape}, got shape {x.shape}"
            )
        check_finite(x, "x")
        return self.kind.function(x, self.start)

    def __repr__(self) -> str:
        return self.kind.label


def _scores(x):
    return x @ x.T / np.sqrt(2)


def _under(mask):
    """Attention with q = k = v = x under a mask."""
    return lambda x, start: softmax(np.where(mask(len(x)), _scores(x), -np.inf)) @ x


def _everything(n):
    return np.ones((n, n), dtype=bool)


def _window(n):
    return sliding_window_mask(n, 2)


def _previous(n):
    return np.eye(n, k=-1, dtype=bool)


def _causal_and_one(n):
    """Causal, but output 0 sees the last token."""
    mask = causal_mask(n)
    mask[0, n - 1] = True
    return mask


def _masked_after(x, start):
    return (softmax(_scores(x)) * causal_mask(len(x))) @ x


def _faint(x, start):
    output = _under(causal_mask)(x, start)
    output[0] += 0.01 * x[-1]
    return output


KINDS = (
    Kind("attention without a mask", _under(_everything), _everything),
    Kind("causal attention", _under(causal_mask), causal_mask),
    Kind("attention in a window of 2", _under(_window), _window),
    Kind("a copy of the token before", lambda x, start: _previous(len(x)) @ x, _previous),
    Kind("attention masked after the softmax, not renormalized", _masked_after, _everything),
    Kind("causal attention, but output 0 sees the last token", _under(_causal_and_one), _causal_and_one),
    Kind("causal attention, but 0.01 of the last token is added to output 0", _faint, _causal_and_one),
    Kind(
        "causal attention to the second feature",
        lambda x, start: _under(causal_mask)(x[:, 1:], start),
        causal_mask,
    ),
    Kind(
        "causal attention to the first feature",
        lambda x, start: _under(causal_mask)(x[:, :1], start),
        causal_mask,
    ),
    Kind(
        "a sum of the past that notices smaller features only",
        lambda x, start: causal_mask(len(x)) @ np.minimum(x, start),
        causal_mask,
    ),
    Kind(
        "a sum of the past that notices larger features only",
        lambda x, start: causal_mask(len(x)) @ np.maximum(x, start),
        causal_mask,
    ),
)


# Leaks --------------------------------------------------------------------------------------------------------------


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
    return Attend(kind, x), x.copy()


def _build_leaks(draw):
    kind = draw.choice(KINDS)
    return _case(kind, np.array(draw.some(1, 4, lambda: draw.choice(TOKENS))))


@checks(
    right=lambda attend, x: attend.kind.truth(len(x)),
    build=_build_leaks,
    fixed=tuple(_case(kind, TOKENS[:n]) for n in (3, 4) for kind in KINDS),
    says=lambda i, j, got, right, attend, x: (
        f"You say that changing token {j} moves output {i}, but whatever token {j} is, it does not."
        if got == "True"
        else f"Changing token {j} can move output {i}, but you say that it does not."
    ),
    mistakes={
        "Is it transposed? The row i is the output that moves, the column j the token that was changed.": (
            lambda attend, x: _both_ways(attend, x).T
        ),
        "Is it inverted? True means that the output moves.": lambda attend, x: ~_both_ways(attend, x),
        _ONE_WAY: (
            lambda attend, x: _moved(attend, x, (1.0,)),
            lambda attend, x: _moved(attend, x, (-1.0,)),
        ),
        _ONE_FEATURE: (
            lambda attend, x: _moved(attend, x, ([1.0, 0.0], [-1.0, 0.0])),
            lambda attend, x: _moved(attend, x, ([1.0, 0.0],)),
            lambda attend, x: _moved(attend, x, ([0.0, 1.0], [0.0, -1.0])),
            lambda attend, x: _moved(attend, x, ([0.0, 1.0],)),
        ),
        "Is the threshold too coarse? A leak of a hundredth is a leak; rounding is about 1e-16.": (
            lambda attend, x: _moved(attend, x, (1.0, -1.0), tolerance=0.05)
        ),
        "Nothing ever moves in your answer. Is the change lost in the tolerance (np.allclose ignores 1e-5 of "
        "the value), or is the token changed at all?": (
            lambda attend, x: np.zeros((len(x), len(x)), dtype=bool)
        ),
        "Is the diagonal set by hand? An output need not depend on its own token: measure it too.": (
            lambda attend, x: _both_ways(attend, x) | np.eye(len(x), dtype=bool)
        ),
        "Is a token's effect on its own output left out? It counts: changing token i may move output i.": (
            lambda attend, x: _both_ways(attend, x) & ~np.eye(len(x), dtype=bool)
        ),
        "Do you report only the effect of later tokens? Earlier ones count too.": (
            lambda attend, x: np.triu(_both_ways(attend, x), 1)
        ),
        "Your answer is the causal triangle whatever attend does: call it and compare.": (
            lambda attend, x: np.tril(np.ones((len(x), len(x)), dtype=bool))
        ),
        "Everything moves in your answer. Is one token changed at a time, starting from a fresh copy of x?": (
            lambda attend, x: np.ones((len(x), len(x)), dtype=bool)
        ),
    },
)
def leaks(function: Callable) -> Result:
    """Check f(attend, x) -> bool (n, n): True at [i, j] iff changing token j can move output i.

    `attend` maps x (n, d) to an output (n, d_out). f may call it as often as it likes.
    """


# Leaks and what is hidden in error --------------------------------------------------------------------------------


def _says_audit(i, j, got, right, attend, x, mask):
    may = "may look at" if mask[i, j] else "may not look at"
    can = "can" if attend.kind.truth(len(x))[i, j] else "can't"
    return (
        f"Entry [{i}, {j}] is {got}; it should be {right}: token {i} {may} token {j}, and changing token {j} {can} "
        f"move output {i}."
    )


def _measured(attend, x, mask):
    return _both_ways(attend, x).astype(int) - mask


_MASKS = (
    causal_mask,
    lambda n: sliding_window_mask(n, 2),
    lambda n: np.ones((n, n), dtype=bool),
    lambda n: causal_mask(n, offset=-1),
    lambda n: causal_mask(n, offset=1),
)


def _audited(kind, n, mask):
    return *_case(kind, TOKENS[:n]), mask(n)


@checks(
    right=lambda attend, x, mask: attend.kind.truth(len(x)).astype(int) - mask,
    build=lambda draw: _audited(draw.choice(KINDS), draw.whole(1, 4), draw.choice(_MASKS)),
    fixed=tuple(_audited(kind, 4, mask) for kind in KINDS for mask in _MASKS[:4]),
    says=_says_audit,
    mistakes={
        "Only leaks are reported. A mask that hides too much passes that test: −1 where a token may look and "
        "nothing moves.": lambda attend, x, mask: np.maximum(_measured(attend, x, mask), 0),
        "Only what is hidden in error is reported: 1 where something moves that may not.": (
            lambda attend, x, mask: np.minimum(_measured(attend, x, mask), 0)
        ),
        "Both faults look the same in your answer: a leak is 1, a token hidden in error −1.": (
            lambda attend, x, mask: np.abs(_measured(attend, x, mask))
        ),
        "Is the sign turned around? A leak is 1, a token hidden in error −1.": (
            lambda attend, x, mask: -_measured(attend, x, mask)
        ),
        "Is the mask not used? That says what moves, not whether it may.": (
            lambda attend, x, mask: _both_ways(attend, x).astype(int)
        ),
        "Is what moves transposed? Row i is the output that moves, column j the token that was changed.": (
            lambda attend, x, mask: _both_ways(attend, x).T.astype(int) - mask
        ),
        say.TRANSPOSED: lambda attend, x, mask: _both_ways(attend, x).astype(int) - mask.T,
        say.INVERTED: (lambda attend, x, mask: _both_ways(attend, x).astype(int) - ~mask),
        "Only the effect of later tokens is reported. A mask can be wrong below the diagonal too.": (
            lambda attend, x, mask: np.triu(_measured(attend, x, mask), 1)
        ),
        _ONE_WAY: lambda attend, x, mask: _moved(attend, x, (1.0,)).astype(int) - mask,
        _ONE_FEATURE: lambda attend, x, mask: _moved(attend, x, ([1.0, 0.0], [-1.0, 0.0])).astype(int) - mask,
        "Nothing is ever wrong in your answer. Is the change lost in the tolerance, or is nothing changed at all?": (
            lambda attend, x, mask: np.zeros(mask.shape)
        ),
    },
)
def mask_audit(function: Callable) -> Result:
    """Check f(attend, x, mask) -> (n, n) of −1, 0 and 1: what `attend` does, held against the mask that it should have.

    1 at [i, j] if changing token j can move output i though the mask hides j from i, a leak; −1 if it can't though
    i may look at j, a token hidden in error; else 0. `attend` maps x (n, d) to an output (n, d_out).
    """
