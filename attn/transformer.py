"""A whole transformer, small enough to look into: embedding, layers of attention and feed-forward, unembedding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, check_finite, finite_number, real_array, working_dtype
from attn.masks import causal_mask
from attn.multihead import MultiHeadAttention

#: What a normalization, a feed-forward or an attention is to a block: a function of the stream, (..., n, d_model).
Part = Callable[[Any], Any]
NORMS = (None, "pre", "post")


def layer_norm(
    x: ArrayLike, gain: ArrayLike | None = None, bias: ArrayLike | None = None, eps: float = 1e-5
) -> Floats:
    r"""Bring each token to mean 0 and variance 1: (x − mean) / √(variance + eps) · gain + bias.

    Parameters
    ----------
    x : (..., d_model) array
        Mean and variance are taken over the last axis, for each token alone; the variance divides by d_model.
    gain, bias : (d_model,) arrays, optional
        Default: 1 and 0.
    eps : float, 0 or more
        Under the root.

    Returns
    -------
    normed : (..., d_model) array
        In the common float dtype of the arrays; float16 is computed in float32.

    Raises
    ------
    ValueError
        If the shapes do not fit, `x` is not finite, or `eps` is negative.
    TypeError
        If an array does not hold real numbers.

    References
    ----------
    Ba, Kiros and Hinton (2016), Layer normalization.
    """
    stream, dtype, eps = *_tokens(x), _eps(eps)
    away = stream - stream.mean(axis=-1, keepdims=True)
    return _gained(away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + eps), dtype, gain, bias)


def rms_norm(x: ArrayLike, gain: ArrayLike | None = None, eps: float = 1e-6) -> Floats:
    r"""Bring each token's mean square to 1: x / √(mean of x² + eps) · gain. The mean stays where it points.

    Parameters
    ----------
    x : (..., d_model) array
    gain : (d_model,) array, optional
        Default: 1.
    eps : float, 0 or more
        Under the root.

    Returns
    -------
    normed : (..., d_model) array
        In the common float dtype of the arrays; float16 is computed in float32.

    Raises
    ------
    ValueError
        If the shapes do not fit, `x` is not finite, or `eps` is negative.
    TypeError
        If an array does not hold real numbers.

    References
    ----------
    Zhang and Sennrich (2019), Root mean square layer normalization.
    """
    stream, dtype, eps = *_tokens(x), _eps(eps)
    return _gained(stream / np.sqrt((stream**2).mean(axis=-1, keepdims=True) + eps), dtype, gain, None)


def pre_norm_block(x: ArrayLike, part: Part, norm: Part = layer_norm) -> Floats:
    """Return x + part(norm(x)): the stream itself is not normalized, what the part reads is.

    Parameters
    ----------
    x : (..., n, d_model) array
    part : function
        Attention or feed-forward, from (..., n, d_model) to the same shape.
    norm : function, optional
        Default `layer_norm`.

    Returns
    -------
    x : (..., n, d_model) array

    References
    ----------
    Xiong et al. (2020), On layer normalization in the transformer architecture.
    """
    x = real_array(x, "x")
    return x + part(norm(x))


def post_norm_block(x: ArrayLike, part: Part, norm: Part = layer_norm) -> Floats:
    """Return norm(x + part(x)), as the first transformer had it: the sum is normalized.

    Parameters
    ----------
    x : (..., n, d_model) array
    part : function
        Attention or feed-forward, from (..., n, d_model) to the same shape.
    norm : function, optional
        Default `layer_norm`.

    Returns
    -------
    x : (..., n, d_model) array

    References
    ----------
    Vaswani et al. (2017), section 3.1.
    """
    x = real_array(x, "x")
    return norm(x + part(x))


@dataclass(frozen=True, eq=False)
class Layer:
    r"""One layer: attention, then perhaps a feed-forward, each added to the stream.

    Parameters
    ----------
    w_q, w_k : (n_heads, d_model, d_k) arrays
    w_v : (n_heads, d_model, d_v) array
    w_o : (n_heads * d_v, d_model) array
    b_q, b_k, b_v, b_o : arrays, optional
        As in `MultiHeadAttention`.
    w_1, b_1, w_2, b_2 : (d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,) arrays, optional
        The feed-forward max(0, x w_1 + b_1) w_2 + b_2. Without `w_1` and `w_2` there is none.
    residual : bool
        Whether what a part says is added to the stream, or takes its place.
    norm : {None, "pre", "post"}
        Whether the stream is normalized before each part reads it, after each sum, or not at all.
    norm_1, norm_2 : functions
        The normalizations of the attention and of the feed-forward, `layer_norm` by default.
    scale : float, optional
        What scores are multiplied by. Default 1/√d_k.

    Raises
    ------
    ValueError
        If the shapes do not fit, one of `w_1` and `w_2` is missing, or there is no such `norm`.
    TypeError
        If an array does not hold real numbers.

    References
    ----------
    Vaswani et al. (2017), section 3; Elhage et al. (2021) for a head as two products.
    """

    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    w_o: np.ndarray
    b_q: np.ndarray | None = None
    b_k: np.ndarray | None = None
    b_v: np.ndarray | None = None
    b_o: np.ndarray | None = None
    w_1: np.ndarray | None = None
    b_1: np.ndarray | None = None
    w_2: np.ndarray | None = None
    b_2: np.ndarray | None = None
    residual: bool = True
    norm: str | None = None
    norm_1: Part = layer_norm
    norm_2: Part = layer_norm
    scale: float | None = None

    def __post_init__(self) -> None:
        attention = MultiHeadAttention(
            self.w_q, self.w_k, self.w_v, self.w_o, self.b_q, self.b_k, self.b_v, self.b_o
        )
        for name in ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"):
            object.__setattr__(self, name, getattr(attention, name))
        d_model = self.d_model
        if self.w_o.shape[-1] != d_model:
            raise ValueError(f"w_o must lead back to d_model = {d_model}, got shape {self.w_o.shape}")
        if self.norm not in NORMS:
            raise ValueError(f"norm must be one of {', '.join(map(repr, NORMS))}, got {self.norm!r}")
        if self.scale is not None:
            object.__setattr__(self, "scale", finite_number(self.scale, "scale"))
        if (self.w_1 is None) != (self.w_2 is None):
            raise ValueError("a feed-forward needs both w_1 and w_2, got one of them")
        if self.w_1 is None and not (self.b_1 is None and self.b_2 is None):
            raise ValueError("b_1 and b_2 belong to a feed-forward, but w_1 and w_2 are missing")
        if self.w_1 is not None:
            d_ff = np.shape(self.w_1)[-1] if np.ndim(self.w_1) == 2 else 0
            wanted = {"w_1": (d_model, d_ff), "b_1": (d_ff,), "w_2": (d_ff, d_model), "b_2": (d_model,)}
            for name, shape in wanted.items():
                if getattr(self, name) is not None:
                    object.__setattr__(self, name, _shaped(getattr(self, name), name, shape))

    def __call__(self, x: ArrayLike, mask: ArrayLike | None = None) -> tuple[Floats, Floats]:
        """Return the stream after this layer, and what its heads looked at.

        Parameters
        ----------
        x : (..., n, d_model) array
        mask : array, optional
            As `MultiHeadAttention` takes it: (n, n) of bool, True = may look.

        Returns
        -------
        x : (..., n, d_model) array
        weights : (..., n_heads, n, n) array

        Raises
        ------
        ValueError, TypeError
            As `MultiHeadAttention`.
        """
        seen: list[Floats] = []

        def attend(stream: Floats) -> Floats:
            output, weights = self.attention(stream, mask=mask)
            seen.append(weights)
            return output

        x = self._block(real_array(x, "x"), attend, self.norm_1)
        if self.w_1 is not None:
            x = self._block(x, self.feed_forward, self.norm_2)
        return x, seen[0]

    def _block(self, x: Floats, part: Part, norm: Part) -> Floats:
        if not self.residual:
            whole = part(norm(x) if self.norm == "pre" else x)
            return norm(whole) if self.norm == "post" else whole
        if self.norm == "pre":
            return pre_norm_block(x, part, norm)
        return post_norm_block(x, part, norm if self.norm == "post" else _as_it_is)

    def feed_forward(self, x: ArrayLike) -> Floats:
        """Return max(0, x w_1 + b_1) w_2 + b_2, (..., n, d_model): each token for itself.

        Raises
        ------
        ValueError
            If this layer has no feed-forward.
        """
        if self.w_1 is None or self.w_2 is None:
            raise ValueError("this layer has no feed-forward: it was given no w_1 and w_2")
        x = real_array(x, "x")
        given = [array for array in (x, self.w_1, self.b_1, self.w_2, self.b_2) if array is not None]
        dtype = np.result_type(*given)
        hidden = x.astype(working_dtype(dtype), copy=False) @ self.w_1
        hidden = np.maximum(0, hidden if self.b_1 is None else hidden + self.b_1)
        output = hidden @ self.w_2
        return (output if self.b_2 is None else output + self.b_2).astype(dtype, copy=False)

    @property
    def attention(self) -> MultiHeadAttention:
        """The heads alone, with the layer's scale."""
        factor = 1.0 if self.scale is None else self.scale * math.sqrt(self.w_q.shape[-1])
        return MultiHeadAttention(
            self.w_q * factor,
            self.w_k,
            self.w_v,
            self.w_o,
            None if self.b_q is None else self.b_q * factor,
            self.b_k,
            self.b_v,
            self.b_o,
        )

    @property
    def d_model(self) -> int:
        """How many numbers a token has."""
        return self.w_q.shape[1]

    @property
    def n_heads(self) -> int:
        """How many heads there are."""
        return len(self.w_q)

    @property
    def w_qk(self) -> Floats:
        """Who looks at whom, W_Q W_Kᵀ of each head: (n_heads, d_model, d_model), before the scale."""
        return self.w_q @ np.swapaxes(self.w_k, 1, 2)

    @property
    def w_ov(self) -> Floats:
        """What is moved, W_V W_O of each head: (n_heads, d_model, d_model)."""
        return self.w_v @ self.w_o.reshape(self.n_heads, -1, self.d_model)

    @classmethod
    def from_products(cls, w_qk: ArrayLike, w_ov: ArrayLike, *, scale: float = 1.0, **others: Any) -> Layer:
        """Return a layer from the two products that say what its heads do, in place of their four factors.

        Parameters
        ----------
        w_qk : (n_heads, d_model, d_model) array
            Row a, column b: the score that direction a gives to direction b. One head may come as (d_model, d_model).
        w_ov : (n_heads, d_model, d_model) array
            Row a: what is written where direction a is seen.
        scale : float
            What scores are multiplied by: 1, since products have no d_k.
        **others
            As for `Layer`.

        Returns
        -------
        layer : Layer
            With w_q = w_qk, w_k the identity, w_v = w_ov, and w_o one identity below the other.

        Raises
        ------
        ValueError
            If the two are not square and of one shape.
        TypeError
            If an array does not hold real numbers.
        """
        w_qk, w_ov = real_array(w_qk, "w_qk"), real_array(w_ov, "w_ov")
        if w_qk.shape != w_ov.shape or w_qk.ndim not in (2, 3) or w_qk.shape[-1] != w_qk.shape[-2]:
            raise ValueError(
                f"w_qk and w_ov must both have shape (n_heads, d_model, d_model), got {w_qk.shape} and {w_ov.shape}"
            )
        w_qk, w_ov = (w.reshape(-1, *w.shape[-2:]) for w in (w_qk, w_ov))
        n_heads, d_model, _ = w_qk.shape
        same = np.eye(d_model, dtype=np.result_type(w_qk, w_ov))
        return cls(
            w_qk, np.tile(same, (n_heads, 1, 1)), w_ov, np.tile(same, (n_heads, 1)), scale=scale, **others
        )


class Run(NamedTuple):
    """What a transformer did with some tokens.

    Attributes
    ----------
    logits : (n, n_vocab) array
        Before the softmax; row i is about the token after token i, if that is what it was made for.
    weights : list of (n, n) arrays
        One a layer and head, those of layer 1 first; rows are queries.
    stream : list of (n, d_model) arrays
        Before the first layer and after each.
    """

    logits: Floats
    weights: list[Floats]
    stream: list[Floats]


@dataclass(frozen=True, eq=False)
class Transformer:
    r"""From tokens to logits: look up, add the places, pass the layers, read out.

    Parameters
    ----------
    embedding : (n_vocab, d_model) array
        A row for each token.
    layers : sequence of Layer
    unembedding : (d_model, n_vocab) array, optional
        Default: the transpose of `embedding`, shared with it.
    places : (n_places, d_model) array, optional
        Row i is added to the token at place i. Without it the tokens carry no place.
    b_u : (n_vocab,) array, optional
        Added to the logits.
    norm : function, optional
        What the stream passes before it is read out.
    causal : bool
        Whether a token may look only at itself and what came before.

    Raises
    ------
    ValueError
        If the shapes do not fit; the message states them.
    TypeError
        If an array does not hold real numbers, or `layers` something else than a Layer.
    """

    embedding: np.ndarray
    layers: Sequence[Layer]
    unembedding: np.ndarray | None = None
    places: np.ndarray | None = None
    b_u: np.ndarray | None = None
    norm: Part | None = None
    causal: bool = True

    def __post_init__(self) -> None:
        embedding = real_array(self.embedding, "embedding")
        if embedding.ndim != 2 or 0 in embedding.shape:
            raise ValueError(f"embedding must have shape (n_vocab, d_model), got {embedding.shape}")
        n_vocab, d_model = embedding.shape
        object.__setattr__(self, "embedding", _shaped(embedding, "embedding", (n_vocab, d_model)))
        if not isinstance(self.layers, Sequence) or isinstance(self.layers, str):
            raise TypeError(f"layers must be a list of Layers, got {type(self.layers).__name__}")
        object.__setattr__(self, "layers", tuple(self.layers))
        for index, layer in enumerate(self.layers):
            if not isinstance(layer, Layer):
                raise TypeError(f"layers must hold Layers, got {type(layer).__name__} at layers[{index}]")
            if layer.d_model != d_model:
                raise ValueError(
                    f"layers[{index}] has d_model = {layer.d_model}, but embedding has shape {embedding.shape}"
                )
        unembedding = embedding.T if self.unembedding is None else self.unembedding
        object.__setattr__(self, "unembedding", _shaped(unembedding, "unembedding", (d_model, n_vocab)))
        if self.places is not None:
            places = real_array(self.places, "places")
            n_places = len(places) if places.ndim else 0
            object.__setattr__(self, "places", _shaped(places, "places", (n_places, d_model)))
        if self.b_u is not None:
            object.__setattr__(self, "b_u", _shaped(self.b_u, "b_u", (n_vocab,)))

    def __call__(self, tokens: ArrayLike) -> Run:
        """Run the tokens through.

        Parameters
        ----------
        tokens : (n,) or (..., n) array of int
            0 … n_vocab − 1. Leading axes are sentences of one length, and stay in front of what is returned.

        Returns
        -------
        run : Run

        Raises
        ------
        ValueError
            If there is no such token, or there are more tokens than places.
        TypeError
            If the tokens are not whole numbers.
        """
        tokens = np.asarray(tokens)
        n_vocab = len(self.embedding)
        if not np.issubdtype(tokens.dtype, np.integer):
            raise TypeError(f"tokens must be whole numbers, got an array of dtype {tokens.dtype}")
        if tokens.ndim < 1 or not tokens.size:
            raise ValueError(f"tokens must have shape (..., n), n 1 or more, got {tokens.shape}")
        if tokens.min() < 0 or tokens.max() >= n_vocab:
            raise ValueError(f"tokens must be 0 to {n_vocab - 1}, got {tokens.min()} to {tokens.max()}")
        n = tokens.shape[-1]
        x = self.embedding[tokens]
        if self.places is not None:
            if n > len(self.places):
                raise ValueError(f"there are {len(self.places)} places, got {n} tokens")
            x = x + self.places[:n]
        mask = causal_mask(n) if self.causal else None
        stream, weights = [x], []
        for layer in self.layers:
            x, looked = layer(x, mask)
            stream.append(x)
            weights += list(np.moveaxis(looked, -3, 0))
        read = (x if self.norm is None else self.norm(x)) @ self.unembedding
        return Run(read if self.b_u is None else read + self.b_u, weights, stream)


def _as_it_is(x: Floats) -> Floats:
    return x


def _tokens(x: ArrayLike) -> tuple[Floats, np.dtype]:
    """Return the stream in the dtype to compute in, and the dtype that it came in."""
    x = real_array(x, "x")
    if x.ndim < 1 or not x.shape[-1]:
        raise ValueError(f"x must have shape (..., d_model), d_model 1 or more, got {x.shape}")
    check_finite(x, "x")
    return x.astype(working_dtype(x.dtype), copy=False), x.dtype


def _eps(eps: float) -> float:
    eps = finite_number(eps, "eps")
    if eps < 0:
        raise ValueError(f"eps must be 0 or more, got {eps}")
    return eps


def _gained(x: Floats, dtype: np.dtype, gain: ArrayLike | None, bias: ArrayLike | None) -> Floats:
    for name, given in (("gain", gain), ("bias", bias)):
        if given is not None:
            array = _shaped(given, name, x.shape[-1:])
            dtype = np.result_type(dtype, array)
            x = x * array if name == "gain" else x + array
    return x.astype(dtype, copy=False)


def _shaped(array: ArrayLike, name: str, shape: tuple[int, ...]) -> Floats:
    """Return `array` if it has this shape and is finite."""
    array = real_array(array, name)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    check_finite(array, name)
    return array
