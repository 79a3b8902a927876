"""Small attention functions of which it is known who can move whom: the test pieces of `check.leaks`."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import check_finite
from attn.masks import causal_mask, sliding_window_mask
from attn.softmax import softmax

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
