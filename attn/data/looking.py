"""A query that learns to look at one key, for every scale and many step sizes (chapter 2)."""

import json
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

import numpy as np

from attn._arrays import Floats, one_of
from attn.softmax import softmax

#: What the scores are multiplied by, for heads of d_k entries.
SCALES = {
    "none": lambda d_k: 1.0,
    "÷ √d_k": lambda d_k: d_k**-0.5,
    "÷ d_k": lambda d_k: 1 / d_k,
}
N_QUERIES, N_KEYS, SEED = 200, 8, 7


class Runs(NamedTuple):
    """What 200 queries have come to, for one optimizer, head size and scale.

    Attributes
    ----------
    step_sizes : (n_sizes,) array
    steps : (n_checkpoints,) array
        After how many steps was looked.
    learned : (n_checkpoints, n_sizes) array of int
        How many of the queries gave key 1 more than 0.9.
    low : (n_checkpoints, n_sizes) array of int
        How many gave it less than 0.01.
    """

    step_sizes: np.ndarray
    steps: np.ndarray
    learned: np.ndarray
    low: np.ndarray


def start(d_k: int, n_queries: int = N_QUERIES) -> tuple[Floats, Floats]:
    """Draw the queries and keys that all runs of a head size begin with, from a fixed seed.

    Parameters
    ----------
    d_k : int
    n_queries : int, optional
        Default 200.

    Returns
    -------
    q : (n_queries, d_k) array
    k : (n_queries, 8, d_k) array
        Standard normal entries, as q has.
    """
    rng = np.random.default_rng(SEED)
    return rng.normal(size=(n_queries, d_k)), rng.normal(size=(n_queries, N_KEYS, d_k))


def slope(weights: Floats, loss: str = "distance") -> Floats:
    """Return the derivative of a loss of the weights by the scores; weights of (1, 0, …) have none.

    Parameters
    ----------
    weights : (..., n) array
        What softmax returned.
    loss : {"distance", "log"}, optional
        Half the squared distance to (1, 0, …), the default, or minus the logarithm of the first weight.

    Returns
    -------
    d_scores : (..., n) array
        J (weights − (1, 0, …)) for the distance, with softmax's Jacobian J (`attn.softmax.softmax_jacobian`);
        weights − (1, 0, …) for the logarithm, whose own derivative undoes J.

    Raises
    ------
    ValueError
        For any other loss.
    """
    one_of(loss, "loss", ("distance", "log"))
    error = weights - np.eye(weights.shape[-1])[0]
    if loss == "log":
        return error
    return weights * (error - (weights * error).sum(axis=-1, keepdims=True))


def descend(
    d_k: int, scale: float, step_sizes: Sequence[float], steps: Sequence[int], loss: str = "distance"
) -> Floats:
    r"""Let each query learn to look at key 1 by plain gradient descent, once for each step size.

    A query moves along its keys, q ← q − η · scale · Kᵀ d_s, so its scores s = scale · K q move by
    −η · scale² · K Kᵀ d_s. Eight scores are followed here, which is the same and quicker.

    Parameters
    ----------
    d_k : int
    scale : float
    step_sizes : sequence of float
    steps : sequence of int
        After how many steps to look, rising.
    loss : {"distance", "log"}, optional
        As for `slope`.

    Returns
    -------
    weights : (len(steps), len(step_sizes), 200) array
        What each query gives key 1.

    Raises
    ------
    ValueError
        If there are no `steps`, or a step size makes the scores infinite.
    """
    q, k = start(d_k)
    scores = np.broadcast_to(scale * (k @ q[:, :, None])[..., 0], (len(step_sizes), *k.shape[:2])).copy()
    gram = scale**2 * (k @ k.swapaxes(1, 2))
    eta, seen = np.asarray(step_sizes, dtype=float)[:, None, None], []
    for step in range(1, max(steps) + 1):
        scores -= eta * (gram @ slope(softmax(scores), loss)[..., None])[..., 0]
        if step in steps:
            seen.append(softmax(scores)[..., 0])
    return np.array(seen)


def recorded(optimizer: str, d_k: int, scale: str) -> Runs:
    """Return the `Runs` that `python -m research.step_sizes` has stored.

    Parameters
    ----------
    optimizer : {"plain", "Adam"}
    d_k : {16, 64, 256}
    scale : one of `SCALES`

    Returns
    -------
    Runs

    Raises
    ------
    KeyError
        If there is no such run on record.
    """
    text = (resources.files(__package__) / "step_sizes.json").read_text(encoding="utf-8")
    stored = json.loads(text)[optimizer]
    row = stored["runs"][f"{d_k}, {scale}"]
    return Runs(*(np.array(x) for x in (stored["step_sizes"], stored["steps"], row["learned"], row["low"])))
