"""Source 000 as its notebook runs it, errors and all, so that what it prints can be reproduced and explained."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, real_array
from attn.softmax import softmax
from attn.xor._by_hand import XorNetwork, one_hot_pairs

W_Q = W_K = np.array([[1.0, 1.0], [1.0, -1.0]])
W_V = np.array([[1.0, 0.5], [0.5, -1.0]])

#: What the notebook prints as `sigma_qT_H`, for (0, 0), (1, 0), (0, 1), (1, 1).
SOURCE_DECODER = np.array(
    [[0.66702773, 0.33297227], [0.6966924, 0.3033076], [0.69134289, 0.30865711], [0.66702773, 0.33297227]]
)
#: What it prints as `output`.
SOURCE_OUTPUT = np.array(
    [[0.62245933, 0.37754067], [0.64053318, 0.35946682], [0.6458408, 0.3541592], [0.62245933, 0.37754067]]
)


class SourceRun(NamedTuple):
    """What source 000 computes for the four pairs, each step as it is printed.

    Attributes
    ----------
    attention : (4, 2, 2) array
        `S`: softmax down the *columns* of the scores.
    encoded, memory : (4, 2, 2) arrays
        `encoder`, and after the ReLU.
    decoder : (4, 2) array
        `sigma_qT_H`: softmax(query @ memory), so a weight for each *feature*.
    read : (4, 2) array
        `decoder_prelinear`.
    output : (4, 2) array
        Softmax of `read`.
    """

    attention: np.ndarray
    encoded: np.ndarray
    memory: np.ndarray
    decoder: np.ndarray
    read: np.ndarray
    output: np.ndarray


def source_run(query: ArrayLike | None = None, *, fixed: bool = False) -> SourceRun:
    """Run source 000's encoder and decoder on the four pairs.

    Parameters
    ----------
    query : (2,) array, optional
        The decoder's query, which the notebook draws at random. Default `SOURCE_QUERY`, recovered from what
        it prints.
    fixed : bool, optional
        Normalize rows and score tokens, memory @ query, as attention does. Default: as the notebook does.

    Returns
    -------
    run : SourceRun

    Raises
    ------
    ValueError
        If `query` does not have shape (2,).
    TypeError
        If it does not hold real numbers.
    """
    query = SOURCE_QUERY if query is None else real_array(query, "query")
    if query.shape != (2,):
        raise ValueError(f"query must have shape (2,), got {query.shape}")
    x = one_hot_pairs()
    attention = softmax(x @ W_Q @ W_K.T @ np.swapaxes(x, -1, -2), axis=-1 if fixed else -2)
    encoded = attention @ x @ W_V
    memory = np.maximum(0, encoded)
    decoder = softmax(memory @ query if fixed else query @ memory)
    read = (decoder[:, None, :] @ memory)[:, 0]
    return SourceRun(attention, encoded, memory, decoder, read, softmax(read))


def recover_query(decoder: ArrayLike = SOURCE_DECODER) -> Floats:
    """Return the decoder's query (2,) that makes source 000 print these weights.

    Parameters
    ----------
    decoder : (4, 2) array, optional
        What it prints as `sigma_qT_H` for the four pairs. Default: what it does print.

    Returns
    -------
    query : (2,) array

    Raises
    ------
    ValueError
        If `decoder` does not have shape (4, 2).
    TypeError
        If it does not hold real numbers.

    Notes
    -----
    A softmax of two scores gives their difference away: log(p / (1 − p)). That is query · (memory[:, 0] −
    memory[:, 1]), linear in the query: four equations for two unknowns, solved by least squares.
    """
    decoder = real_array(decoder, "decoder")
    if decoder.shape != (4, 2):
        raise ValueError(f"decoder must have shape (4, 2), got {decoder.shape}")
    memory = source_run(np.zeros(2)).memory
    return np.linalg.lstsq(memory[:, :, 0] - memory[:, :, 1], np.log(decoder[:, 0] / decoder[:, 1]))[0]


def source_network(*, query: ArrayLike | None = None, bias: float = 0.0) -> XorNetwork:
    """Return source 000's network as an `XorNetwork`: rows normalized, tokens scored.

    Parameters
    ----------
    query : (2,) array, optional
        Default `SOURCE_QUERY`.
    bias : float, optional
        The readout is the first number of what the decoder reads minus the second; the source has no bias,
        so every pair falls on the same side.

    Returns
    -------
    network : XorNetwork

    Raises
    ------
    ValueError
        If `query` does not have shape (2,), or a number is not finite.
    """
    query = SOURCE_QUERY if query is None else real_array(query, "query")
    return XorNetwork(
        w_q=W_Q, w_k=W_K, w_v=W_V, query=query, readout=np.array([1.0, -1.0]), bias=bias,
        ffn=True, w_1=np.eye(2), w_2=np.eye(2),
    )  # fmt: skip


def source_sum() -> Floats:
    """Return what source 000's last cell prints, (4, 2): a sum of the tokens, then a matrix. Linear, so no XOR."""
    return np.ones(2) @ one_hot_pairs() @ np.array([[2.0, 1.0], [3.0, 1.0]])


#: The query that the notebook drew, to the digits that its printout gives: about (0.4834, 0.9061).
SOURCE_QUERY = recover_query()
for _table in (SOURCE_DECODER, SOURCE_OUTPUT, SOURCE_QUERY, W_Q, W_V):
    _table.flags.writeable = False
