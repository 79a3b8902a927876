"""The two-token network of source 000, its softmax mended: weights set by hand, and a switch for each way out."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, check_finite, real_array, whole_number
from attn.softmax import softmax

#: The four pairs of bits, in the order of source 000.
BITS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
#: What is wanted for each of them.
XOR = np.array([0, 1, 1, 0])
for _table in (BITS, XOR):
    _table.flags.writeable = False

#: An output this near to zero lies on the line, and on neither side of it. Without it, a network whose four
#: outputs are all zero could be right four times by the luck of rounding.
ON_THE_LINE = 1e-9
READS = ("decoder", "mean", "row 1", "both rows")


def one_hot_pairs() -> Floats:
    """Return the four pairs as tokens, (4, 2, 2) floats: bit 0 is [1, 0], bit 1 is [0, 1], as in source 000."""
    return np.stack([1 - BITS, BITS], axis=-1).astype(np.float64)


class XorState(NamedTuple):
    """All that one forward pass gives; `...` is the batch of networks, then the batch of inputs.

    Attributes
    ----------
    attention : (..., 2, 2) array
        S, rows are queries.
    hidden : (..., 2, 2) array
        H: a row for each token, after the residual connection and the ReLU layer where these are on.
    decoder : (..., 2) array
        What share of each row is read: the first pooling query's weights; [½, ½] for the mean, [1, 0] for
        row 1, NaN for both rows.
    decoder_2 : (..., 2) array
        The second pooling query's weights, also while it is switched off.
    read : (..., 2) array
        What the readout sees; (..., 4) for both rows.
    output : (...,) array
        Readout · read + bias. Above zero says 1, below zero says 0.
    """

    attention: np.ndarray
    hidden: np.ndarray
    decoder: np.ndarray
    decoder_2: np.ndarray
    read: np.ndarray
    output: np.ndarray


#: Shape of each array of a network, without the batch axes.
SHAPES = {
    "w_q": (2, 2), "w_k": (2, 2), "w_v": (2, 2), "query": (2,), "readout": (2,), "bias": (),
    "query_2": (2,), "w_o_2": (2, 2), "positions": (2, 2), "w_1": (2, 2), "b_1": (2,), "w_2": (2, 2),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class XorNetwork:
    """Two tokens, one self-attention head, a reading, an affine readout; and a switch for each way out.

    S = softmax(x W_Q (x W_K)ᵀ), H = S x W_V, read = softmax(H query) H, output = readout · read + bias.
    Scores are not scaled, as in source 000.

    Parameters
    ----------
    w_q, w_k, w_v : (2, 2) arrays
    query : (2,) array
        The pooling query: what it looks for in the rows of H. Source 000 calls this part its decoder, and so do
        `read` and the state; it is not the decoder of a transformer.
    readout : (2,) array
        (4,) where both rows are read.
    bias : float
    second_head : bool
        A second pooling query: `query_2` (2,) reads H too, and what it reads is added through `w_o_2` (2, 2):
        read = read_1 + read_2 @ w_o_2.
    position : bool
        `positions` (2, 2), a row for each place, is added to the tokens that make the values.
    position_in_scores : bool
        `positions` is added to the tokens that make the queries and keys.
    residual : bool
        The tokens, as the values see them, are added to the attention's output.
    ffn : bool
        A ReLU layer on each row of H after the attention: max(0, H @ w_1 + b_1) @ w_2.
    read : {"decoder", "mean", "row 1", "both rows"}
        What the readout sees: the pooling query's mixture of the rows of H, their mean, the first of them, or both
        side by side.

    Raises
    ------
    ValueError
        If a shape does not fit, a weight is not finite, or there is no such way to read.

    Notes
    -----
    All arrays may have the same leading batch axes, to run many networks at once.
    """

    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    query: np.ndarray
    readout: np.ndarray
    bias: float | np.ndarray = 0.0
    second_head: bool = False
    query_2: np.ndarray | None = None
    w_o_2: np.ndarray | None = None
    position: bool = False
    position_in_scores: bool = False
    positions: np.ndarray | None = None
    residual: bool = False
    ffn: bool = False
    w_1: np.ndarray | None = None
    b_1: np.ndarray | None = None
    w_2: np.ndarray | None = None
    read: str = "decoder"

    def __post_init__(self) -> None:
        if self.read not in READS:
            raise ValueError(f"read must be one of {', '.join(map(repr, READS))}, got {self.read!r}")
        batch = np.shape(self.bias)
        for name, shape in SHAPES.items():
            core = (4,) if name == "readout" and self.read == "both rows" else shape
            value = getattr(self, name)
            value = np.zeros(batch + core) if value is None else real_array(value, name)
            if value.shape != batch + core:
                raise ValueError(f"{name} must have shape {batch + core}, got {value.shape}")
            check_finite(value, name)
            object.__setattr__(self, name, value if value.ndim else float(value))

    def __call__(self, x: ArrayLike | None = None) -> XorState:
        """Run the network.

        Parameters
        ----------
        x : (..., 2, 2) array, optional
            Pairs of tokens. Default the four pairs, `one_hot_pairs()`.

        Returns
        -------
        state : XorState

        Raises
        ------
        ValueError
            If the last two axes of `x` are not (2, 2), or an entry is not finite.
        """
        x = one_hot_pairs() if x is None else real_array(x, "x")
        if x.shape[-2:] != (2, 2):
            raise ValueError(f"x must have shape (..., 2, 2), got {x.shape}")
        check_finite(x, "x")
        weights = {name: self._over(name, x.ndim - 2) for name in SHAPES}
        placed = x + weights["positions"] if self.position or self.position_in_scores else x
        seen, valued = (placed if on else x for on in (self.position_in_scores, self.position))
        q, k, v = seen @ weights["w_q"], seen @ weights["w_k"], valued @ weights["w_v"]
        attention = softmax(q @ np.swapaxes(k, -1, -2))
        hidden = attention @ v
        if self.residual:
            hidden = valued + hidden
        if self.ffn:
            hidden = np.maximum(0, hidden @ weights["w_1"] + weights["b_1"][..., None, :]) @ weights["w_2"]
        decoder, decoder_2 = (
            softmax((hidden @ weights[name][..., None])[..., 0]) for name in ("query", "query_2")
        )
        if self.read != "decoder":
            share = {"mean": [0.5, 0.5], "row 1": [1.0, 0.0], "both rows": [np.nan, np.nan]}[self.read]
            decoder = np.broadcast_to(share, decoder.shape)
        if self.read == "both rows":
            read = hidden.reshape(*hidden.shape[:-2], 4)
        else:
            read = (decoder[..., None, :] @ hidden)[..., 0, :]
            if self.second_head:
                read = read + (decoder_2[..., None, :] @ hidden @ weights["w_o_2"])[..., 0, :]
        output = (read * weights["readout"]).sum(axis=-1) + weights["bias"]
        return XorState(attention, hidden, decoder, decoder_2, read, output)

    def __getitem__(self, index: Any) -> XorNetwork:
        """One network of a batch."""
        arrays = {name: getattr(self, name)[index] for name in SHAPES}
        return XorNetwork(**{field.name: getattr(self, field.name) for field in fields(self)} | arrays)

    def _over(self, name: str, n_axes: int) -> Floats:
        """The weights, with room for `n_axes` axes of inputs between the batch and the matrix."""
        value, batch = np.asarray(getattr(self, name)), np.ndim(self.bias)
        return value.reshape(value.shape[:batch] + (1,) * n_axes + value.shape[batch:])


def _signed(outputs: ArrayLike) -> Floats:
    outputs = real_array(outputs, "outputs")
    if outputs.shape[-1:] != (4,):
        raise ValueError(f"outputs must have shape (..., 4), one for each pair of bits, got {outputs.shape}")
    return outputs * (2 * XOR - 1)


def accuracy(outputs: ArrayLike) -> Floats:
    """Return the share of the four pairs whose output is on the right side of zero: 0, 0.25, … 1.

    Parameters
    ----------
    outputs : (..., 4) array
        In the order of `BITS`.

    Returns
    -------
    accuracy : (...) array
        An output within 1e-9 of zero is on neither side.

    Raises
    ------
    ValueError
        If the last axis of `outputs` is not four long.
    """
    return (_signed(outputs) > ON_THE_LINE).mean(axis=-1)


def margin(outputs: ArrayLike) -> Floats:
    """Return how far the worst of the four outputs is on its right side of zero; negative if it is wrong.

    Parameters
    ----------
    outputs : (..., 4) array
        In the order of `BITS`.

    Returns
    -------
    margin : (...) array
        In units of the output.

    Raises
    ------
    ValueError
        If the last axis of `outputs` is not four long.
    """
    return _signed(outputs).min(axis=-1)


# ---------------------------------------------------------------- weights set by hand


def _given(**weights: Any) -> XorNetwork:
    """A network from plain lists."""
    return XorNetwork(**weights)


#: The starting point: source 000's W_Q and W_K; bit 1 is worth (1.5, 1.5) and bit 0 (−1.5, −1.5); the pooling query
#: leans toward bit 1. What it reads of the four pairs lies on the segment from (−1.5, −1.5) to (1.5, 1.5).
#: Three are right.
ROPE = _given(
    w_q=[[1, 1], [1, -1]], w_k=[[1, 1], [1, -1]], w_v=[[-1.5, -1.5], [1.5, 1.5]],
    query=[0.3, 0.3], readout=[1, 1], bias=-0.7, query_2=[-0.3, -0.3], w_o_2=[[0, 1], [-1, 0]],
)  # fmt: skip


def _changed(network: XorNetwork, **changes: Any) -> XorNetwork:
    return _given(**{field.name: getattr(network, field.name) for field in fields(network)} | changes)


#: For each way out a network that computes XOR, as far from `ROPE` as it must be and no further.
WAYS_OUT = {
    # A second head seeks bit 0, and what it reads is turned by 90°: the middle leaves the line.
    "second head": _changed(ROPE, second_head=True, readout=[1, 0]),
    # … or subtracted: largest minus smallest.
    "max − min": _changed(ROPE, second_head=True, readout=[1, 0], w_o_2=[[-1, 0], [0, -1]]),
    # Values that know places but not bits: row 1 tells how much it looks at itself, ½ or 0.881.
    "position": _changed(
        ROPE, position=True, read="row 1", w_v=[[2, 2], [2, 2]], positions=[[0, 0], [-1, -1]],
        readout=[1, 0],
    ),
    # Both rows seek bit 1, and take it away from what was there: mean − largest.
    "residual": _changed(
        ROPE, residual=True, read="mean", w_q=[[3, 0], [3, 0]], w_k=[[0, 0], [3, 0]],
        w_v=[[-1, 0], [0, -1]], readout=[2, 0], bias=-0.5,
    ),
    # Both rows hold the mean, and two ReLUs take its absolute value: 1.5 at the ends of the segment, 0 in its middle.
    "ffn": _changed(
        ROPE, ffn=True, w_q=[[0, 0], [0, 0]], w_k=[[0, 0], [0, 0]], w_1=[[1, -1], [0, 0]],
        w_2=[[1, 0], [1, 0]], readout=[-1, 0], bias=0.75,
    ),
}  # fmt: skip

#: Reads the rows side by side: by their places, row 1 seeks bit 1 and row 2 seeks bit 0. Then subtract.
BOTH_ROWS = _given(
    w_q=[[3, 0], [3, 0]], w_k=[[-1, 0], [1, 0]], w_v=[[-1, 0], [1, 0]], query=[0, 0],
    position_in_scores=True, positions=[[0, 0], [-1, -1]], read="both rows", readout=[1, 0, -1, 0], bias=-1,
)  # fmt: skip

#: Breaks Theorem 2 where its asker may hold a bit: row 1 asks with the same query for both bits, finds the largest bit
#: with where it stands (+½ in place 1, −½ in place 2), and the residual connection adds 1 if its own bit is 0.
ASKER = _changed(
    ROPE, residual=True, position=True, read="row 1", w_q=[[3, 0], [3, 0]], w_k=[[0, 0], [3, 0]],
    w_v=[[0, 0], [1, 0]], positions=[[0, 0.5], [0, -0.5]], readout=[2, 0], bias=-2.5,
)  # fmt: skip


# ---------------------------------------------------------------- search


class Search(NamedTuple):
    """What a random search found.

    Attributes
    ----------
    networks : XorNetwork
        All that were tried: its arrays have a batch axis of length n, and `networks[i]` is one of them.
    accuracy, margin : (n,) arrays
    best : XorNetwork
        The one with the largest margin among those with the largest accuracy.
    """

    networks: XorNetwork
    accuracy: np.ndarray
    margin: np.ndarray
    best: XorNetwork


def random_search(rng: np.random.Generator, n: int, *, scale: float = 3.0, **switches: Any) -> Search:
    """Try random networks, and return how well each computes XOR.

    Parameters
    ----------
    rng : numpy.random.Generator
    n : int, 1 or more
    scale : float, optional
        Weights are uniform in [−scale, scale].
    **switches
        Of `XorNetwork`: `second_head`, `position`, `position_in_scores`, `residual`, `ffn`, `read`.

    Returns
    -------
    search : Search

    Raises
    ------
    ValueError
        If `n` is below 1, or there is no such way to read.
    TypeError
        If `n` is not a whole number, or there is no such switch.

    Notes
    -----
    The bias is drawn between the smallest and the largest of the four outputs, since no other can cut them
    apart. So a network counts as found only if its own random readout solves XOR, not if some readout would.
    """
    n = whole_number(n, "n", 1)
    wide = {"readout": (4,)} if switches.get("read") == "both rows" else {}
    weights = {
        name: rng.uniform(-scale, scale, (n, *shape))
        for name, shape in (SHAPES | wide).items()
        if name != "bias"
    }
    outputs = _given(**weights, bias=np.zeros(n), **switches)().output
    cut = outputs.min(axis=-1) + rng.random(n) * np.ptp(outputs, axis=-1)
    networks = _given(**weights, bias=-cut, **switches)
    outputs = outputs - cut[:, None]
    found, apart = accuracy(outputs), margin(outputs)
    best = int(np.lexsort((apart, found))[-1])
    return Search(networks, found, apart, networks[best])
