"""The forward pass of chapter 6's model and its derivative by hand, with the samples on the last axis: x is (4, d, n).

Each sum over tokens, dimensions or heads is then one long vector operation, which makes training quick.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from attn._arrays import Floats, Ints

ASKS = 1  # the token that asks: b, which is noise


class State(NamedTuple):
    """The forward pass with all that its derivative needs; attention's parts are None for the baseline."""

    q: np.ndarray | None  # (n_heads, d_k, n), scaled
    weights: np.ndarray | None  # (n_heads, 4, n)
    read: np.ndarray  # (n_heads * d, n)
    hidden: np.ndarray | None  # (hidden, n), after the ReLU
    logits: np.ndarray  # (2, n)


def forward(params: Mapping[str, np.ndarray], x: Floats) -> State:
    """Return the `State` of samples x (4, d, n)."""
    q = weights = hidden = None
    read = x[ASKS]
    if "w_q" in params:
        w_q, w_k = params["w_q"], params["w_k"]
        q = np.matmul(w_q.transpose(0, 2, 1), x[ASKS])
        if "b_q" in params:
            q += params["b_q"][:, :, None]
        q *= w_q.shape[2] ** -0.5
        # q · (x_t W_K) = (W_K q) · x_t: one vector per head and sample instead of four keys.
        asked = np.matmul(w_k, q)
        weights = (asked[:, None] * x).sum(axis=2)
        weights -= weights.max(axis=1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=1, keepdims=True)
        read = (weights[:, :, None] * x).sum(axis=1).reshape(-1, x.shape[-1])
    if "w_1" in params:
        hidden = params["w_1"].T @ read + params["b_1"][:, None]
        np.maximum(hidden, 0, out=hidden)
        logits = params["w_2"].T @ hidden + params["b_2"][:, None]
    else:
        logits = params["w_o"].T @ read + params["b_o"][:, None]
    return State(q, weights, read, hidden, logits)


def loss_and_gradient(
    params: Mapping[str, np.ndarray], x: Floats, y: Ints, loss: str
) -> tuple[float, dict[str, np.ndarray]]:
    """Return the mean loss and a dict of its derivatives; y (n,) are indices, `loss` one of two known names."""
    state, n, index = forward(params, x), x.shape[-1], np.arange(x.shape[-1])
    shifted = state.logits - state.logits.max(axis=0)
    e = np.exp(shifted)
    total = e.sum(axis=0)
    d_logits = e / total  # softmax; from here on it becomes the derivative of the loss, in place
    if loss == "log-probability":
        value = (np.log(total) - shifted[y, index]).mean()
        d_logits[y, index] -= 1  # p − 1 at the right answer, p at the other
    else:
        p = d_logits[y, index]
        value = -p.mean()
        d_logits[y, index] -= 1
        d_logits *= p  # the same times p(y): nothing is left of it where the model is surely wrong
    d_logits /= n

    gradient = {}
    if state.hidden is not None:
        gradient["w_2"], gradient["b_2"] = state.hidden @ d_logits.T, d_logits.sum(axis=1)
        d_hidden = params["w_2"] @ d_logits
        d_hidden *= state.hidden > 0
        gradient["w_1"], gradient["b_1"] = state.read @ d_hidden.T, d_hidden.sum(axis=1)
        d_read = params["w_1"] @ d_hidden
    else:
        gradient["w_o"], gradient["b_o"] = state.read @ d_logits.T, d_logits.sum(axis=1)
        d_read = params["w_o"] @ d_logits
    if state.q is not None and state.weights is not None:
        gradient |= _attention_gradient(params, x, state.q, state.weights, d_read)
    return float(value), gradient


def _attention_gradient(
    params: Mapping[str, np.ndarray], x: Floats, q: Floats, weights: Floats, d_read: Floats
) -> dict[str, np.ndarray]:
    w_q, w_k = params["w_q"], params["w_k"]
    n_heads, d, d_k = w_q.shape
    d_weights = (d_read.reshape(n_heads, 1, d, -1) * x).sum(axis=2)
    # Softmax's Jacobian: a score matters as far as its token is better than the average token.
    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=1, keepdims=True))
    d_asked = (d_scores[:, :, None] * x).sum(axis=1)
    d_q = np.matmul(w_k.transpose(0, 2, 1), d_asked)
    d_q *= d_k**-0.5
    gradient = {"w_q": np.matmul(x[ASKS], d_q.transpose(0, 2, 1))}
    gradient["w_k"] = np.matmul(d_asked, q.transpose(0, 2, 1))
    if "b_q" in params:
        gradient["b_q"] = d_q.sum(axis=2)
    return gradient
