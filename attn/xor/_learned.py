"""XOR learned by gradient: source 002's task, its model in NumPy, and every derivative by hand (chapter 6).

Four tokens a, b, c, d: a and d are all +1 or all −1, b and c are noise. The noise token b asks, and the answer is
a XOR d. Callers see samples as `(n, 4, d)`; `attn.xor._backward` computes with `(4, d, n)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, Ints, check_finite, real_array, whole_number
from attn.xor._backward import forward, loss_and_gradient

LOSSES = ("log-probability", "probability")


def noise_token_batch(rng: np.random.Generator, n: int, d: int) -> tuple[Floats, Ints]:
    """Draw source 002's data: tokens a, b, c, d, of which a and d say the answer and b and c are noise.

    Parameters
    ----------
    rng : numpy.random.Generator
    n : int
        Number of samples, 1 or more.
    d : int
        Numbers in a token, 1 or more.

    Returns
    -------
    x : (n, 4, d) array
        Tokens 0 and 3 are all +1 or all −1, each with probability one half; tokens 1 and 2 are uniform in [−1, 1).
    y : (n,) array of int
        1 where tokens 0 and 3 differ, else 0.

    Raises
    ------
    TypeError
        If `n` or `d` is not a whole number.
    ValueError
        If `n` or `d` is below 1.
    """
    x, y = draw(rng, whole_number(n, "n", 1), whole_number(d, "d", 1))
    return np.ascontiguousarray(x.transpose(2, 0, 1)), y


def all_cases(x: ArrayLike) -> tuple[Floats, Ints]:
    """Give each draw of noise all four cases: (n, 4, d) -> (4n, 4, d) and the four answers, n times.

    Parameters
    ----------
    x : (n, 4, d) array
        Only its noise, tokens 1 and 2, is kept.

    Returns
    -------
    x : (4 * n, 4, d) array
        Draw i stands in rows 4i … 4i + 3, with (a, d) = (−1, −1), (1, −1), (−1, 1), (1, 1). On such a sample theorem 2
        holds to the letter: an additive vote is right at most three times in four.
    y : (4 * n,) array of int
        0, 1, 1, 0, n times.

    Raises
    ------
    ValueError
        If `x` does not have shape (n, 4, d).
    """
    out = np.repeat(_samples(x), 4, axis=0)
    out[:, 0] = np.tile([-1.0, 1, -1, 1], len(out) // 4)[:, None]
    out[:, 3] = np.tile([-1.0, -1, 1, 1], len(out) // 4)[:, None]
    return out, np.tile([0, 1, 1, 0], len(out) // 4)


class XorForward(NamedTuple):
    """What `XorModel.forward` returns: `weights` (n, n_heads, 4), `read` (n, width) and `logits` (n, 2)."""

    weights: np.ndarray
    read: np.ndarray
    logits: np.ndarray


@dataclass(frozen=True, eq=False)
class XorModel:
    r"""The noise token asks the four tokens with each head; a readout decides from what the heads bring.

    Head h: softmax((x_b W_Q + b_Q) (x W_K)ᵀ / √d_k) x. The tokens are their own values, as in source 002.
    The heads side by side go through a linear readout to two logits, or through a ReLU layer first. Without heads the
    readout sees the noise token alone: the baseline.

    Parameters
    ----------
    params : mapping of str to array
        `w_q`, `w_k` (n_heads, d, d_k) and optionally `b_q` (n_heads, d_k); none of these for the baseline. Then
        `w_o` (n_heads * d, 2), `b_o` (2,); or `w_1` (n_heads * d, hidden), `b_1` (hidden,), `w_2` (hidden, 2),
        `b_2` (2,). The baseline reads d numbers.

    Raises
    ------
    ValueError
        If a parameter is missing, unknown, not finite, or of a shape that does not fit; the message says which.
    """

    params: Mapping[str, np.ndarray]

    def __post_init__(self) -> None:
        params = {name: real_array(value, name) for name, value in self.params.items()}
        heads = {"w_q", "w_k", *({"b_q"} & set(params))} if "w_q" in params else set()
        readout = {"w_1", "b_1", "w_2", "b_2"} if "w_1" in params else {"w_o", "b_o"}
        if set(params) != heads | readout:
            raise ValueError(f"parameters must be {sorted(heads | readout)}, got {sorted(params)}")
        if heads and (params["w_q"].ndim != 3 or 0 in params["w_q"].shape):
            raise ValueError(
                f"w_q must have shape (n_heads, d, d_k), each 1 or more, got {params['w_q'].shape}"
            )
        first = params["w_1" if "w_1" in params else "w_o"]
        if first.ndim != 2 or 0 in first.shape:
            raise ValueError(f"the readout's first matrix must have shape (width, out), got {first.shape}")
        n_heads, d, d_k = params["w_q"].shape if heads else (1, len(first), None)
        hidden = first.shape[1]
        expected = {"w_q": (n_heads, d, d_k), "w_k": (n_heads, d, d_k), "b_q": (n_heads, d_k)}
        expected |= {"w_o": (n_heads * d, 2), "b_o": (2,)}
        expected |= {"w_1": (n_heads * d, hidden), "b_1": (hidden,), "w_2": (hidden, 2), "b_2": (2,)}
        for name, value in params.items():
            if value.shape != expected[name]:
                raise ValueError(f"{name} must have shape {expected[name]}, got {value.shape}")
            check_finite(value, name)
        object.__setattr__(self, "params", params)

    @classmethod
    def init(
        cls,
        rng: np.random.Generator,
        d: int = 4,
        *,
        n_heads: int = 1,
        query_bias: bool = False,
        hidden: int | None = None,
        d_k: int = 3,
    ) -> XorModel:
        """Draw the parameters of one of the variants.

        Parameters
        ----------
        rng : numpy.random.Generator
        d : int
            Numbers in a token.
        n_heads : int
            0 is the baseline, which reads the noise token alone.
        query_bias : bool
            Whether each head has a constant in its query, drawn with variance 1. It lets a head ask for something
            that does not depend on the noise.
        hidden : int, optional
            Units of a ReLU layer after the attention. Default None: the readout is linear.
        d_k : int
            Numbers in a query; 3 in source 002.

        Notes
        -----
        Matrices are normal with variance 1 / (numbers that go in), 2 / (numbers that go in) before the ReLU; the
        biases of the readout start at 0.

        Raises
        ------
        ValueError
            If a size is too small, or the baseline is to have a query bias.
        TypeError
            If a size is not a whole number.
        """
        d, d_k = whole_number(d, "d", 1), whole_number(d_k, "d_k", 1)
        n_heads = whole_number(n_heads, "n_heads", 0)
        params = {}
        if n_heads:
            for name in ("w_q", "w_k"):
                params[name] = rng.normal(scale=d**-0.5, size=(n_heads, d, d_k))
            if query_bias:
                params["b_q"] = rng.normal(size=(n_heads, d_k))
        elif query_bias:
            raise ValueError("the baseline (n_heads = 0) asks nothing, so it has no query bias")
        width = max(n_heads, 1) * d
        if hidden is None:
            params["w_o"] = rng.normal(scale=width**-0.5, size=(width, 2))
            params["b_o"] = np.zeros(2)
        else:
            hidden = whole_number(hidden, "hidden", 1)
            params["w_1"] = rng.normal(scale=(2 / width) ** 0.5, size=(width, hidden))
            params["b_1"] = np.zeros(hidden)
            params["w_2"] = rng.normal(scale=hidden**-0.5, size=(hidden, 2))
            params["b_2"] = np.zeros(2)
        return cls(params)

    @property
    def n_heads(self) -> int:
        """How many heads there are; 0 for the baseline."""
        return len(self.params["w_q"]) if "w_q" in self.params else 0

    @property
    def d(self) -> int:
        """Numbers in a token."""
        first = self.params["w_1" if "w_1" in self.params else "w_o"]
        return len(first) // max(self.n_heads, 1)

    def forward(self, x: np.ndarray) -> XorForward:
        """Return the `XorForward` of samples x (n, 4, d): attention weights, what the readout gets, two logits.

        Raises
        ------
        ValueError
            If the shape does not fit, or an entry is not finite.
        """
        state = forward(self.params, self._inside(x))
        weights = np.zeros((0, 4, len(x))) if state.weights is None else state.weights
        return XorForward(weights.transpose(2, 0, 1), state.read.T, state.logits.T)

    def predict(self, x: np.ndarray) -> Ints:
        """Return the answer with the larger logit for each sample of x (n, 4, d): (n,) of 0 and 1.

        Raises
        ------
        ValueError
            As `forward`.
        """
        return self.forward(x).logits.argmax(axis=-1)

    def accuracy(self, x: np.ndarray, y: ArrayLike) -> float:
        """Return the share of samples x (n, 4, d) whose prediction is y (n,).

        Raises
        ------
        ValueError
            As `forward`; or if `y` does not hold n times 0 or 1.
        """
        return float(np.mean(self.predict(x) == _answers(y, len(x))))

    def loss_and_gradient(
        self, x: np.ndarray, y: ArrayLike, loss: str = "log-probability"
    ) -> tuple[float, dict[str, np.ndarray]]:
        r"""Return the mean loss over samples and its derivative with respect to every parameter.

        Parameters
        ----------
        x : (n, 4, d) array
        y : (n,) array of 0 and 1
        loss : {"log-probability", "probability"}
            −log p(y), in nats; or source 002's −p(y), which `nll_loss` computes if it is handed probabilities.

        Returns
        -------
        loss : float
        gradient : dict of str to array
            The names and shapes of `params`.

        Raises
        ------
        ValueError
            If a shape does not fit, `y` holds anything but 0 and 1, or there is no such loss.
        """
        return loss_and_gradient(self.params, self._inside(x), _answers(y, len(x)), known_loss(loss))

    def _inside(self, x: ArrayLike) -> Floats:
        x = _samples(x)
        if x.shape[-1] != self.d:
            raise ValueError(f"x must have shape (n, 4, d) with d = {self.d}, got {x.shape}")
        return np.ascontiguousarray(x.transpose(1, 2, 0))


# Inside --------------------------------------------------------------------------------------------------------------


def draw(rng: np.random.Generator, n: int, d: int) -> tuple[Floats, Ints]:
    """Return samples as (4, d, n) and their answers (n,)."""
    x = np.empty((4, d, n))
    x[1:3] = rng.uniform(-1, 1, (2, d, n))
    bits = rng.integers(0, 2, (2, n))
    x[0::3] = (2.0 * bits - 1)[:, None]
    return x, bits[0] ^ bits[1]


def _samples(x: ArrayLike) -> Floats:
    x = real_array(x, "x")
    if x.ndim != 3 or x.shape[1] != 4 or 0 in x.shape:
        raise ValueError(f"x must have shape (n, 4, d), got {x.shape}")
    check_finite(x, "x")
    return x.astype(np.float64, copy=False)


def _answers(y: ArrayLike, n: int) -> Ints:
    y = np.asarray(y)
    if y.shape != (n,) or not np.isin(y, (0, 1)).all():
        raise ValueError(f"y must hold {n} times 0 or 1, got shape {y.shape}")
    return y.astype(np.intp)


def known_loss(loss: str) -> str:
    """Return `loss` if it is one of `LOSSES`; else raise a ValueError that names them."""
    if loss not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {loss!r}")
    return loss
