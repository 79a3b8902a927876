"""Where 200 runs of each network of chapter 6 end: recorded, since they take longer than a page may.

`python -m research.xor_runs` makes the file; tests repeat a sample of its runs with `train`.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attn._arrays import Floats
from attn.xor._learned import LOSSES, known_loss

#: The networks, by what `train` is told of them.
RUN_VARIANTS = {
    "one head, no query bias": {"n_heads": 1, "query_bias": False},
    "two heads, no query bias": {"n_heads": 2, "query_bias": False},
    "one head": {"n_heads": 1},
    "two heads": {"n_heads": 2},
    "four heads": {"n_heads": 4},
    "one head, ReLU": {"n_heads": 1, "hidden": 8},
}
#: Networks that were run on the log loss with the first step size alone.
RUN_ONCE = {"one head, ReLU, no query bias": {"n_heads": 1, "hidden": 8, "query_bias": False}}
#: The step sizes that Adam starts with.
RUN_RATES = (0.1, 0.03, 0.01)
CASES = 2000  # 500 draws of noise with all four cases each: what an accuracy is a share of
FILE = Path(__file__).resolve().parent.parent / "data" / "xor_runs.npz"


class Ends(NamedTuple):
    """Where runs end, by seed: the seeds are 0, 1, … 199.

    Attributes
    ----------
    accuracy : (200,) array
        On 500 draws of noise that training does not see, all four cases each.
    loss : (200,) array
        Mean −ln p(y) on the same samples, in nats, whatever loss was trained on.
    """

    accuracy: np.ndarray
    loss: np.ndarray


def recorded_runs(variant: str, *, loss: str = "log-probability", learning_rate: float = 0.1) -> Ends:
    """Return where 1,000 steps of `train` end from the seeds 0 … 199.

    Parameters
    ----------
    variant : str
        One of `RUN_VARIANTS`, or of `RUN_ONCE` with the other arguments as they are.
    loss : {"log-probability", "probability"}
        What was trained on.
    learning_rate : float
        One of `RUN_RATES`.

    Returns
    -------
    ends : Ends

    Raises
    ------
    ValueError
        If there is no such network, loss or step size on record.
    """
    known = RUN_VARIANTS | RUN_ONCE
    if variant not in known:
        raise ValueError(f"variant must be one of {', '.join(map(repr, known))}, got {variant!r}")
    if learning_rate not in RUN_RATES:
        raise ValueError(
            f"learning_rate must be one of {', '.join(map(str, RUN_RATES))}, got {learning_rate}"
        )
    which = LOSSES.index(known_loss(loss)), RUN_RATES.index(learning_rate)
    if variant in RUN_ONCE and which != (0, 0):
        raise ValueError(
            f"{variant!r} is on record with {LOSSES[0]!r} and {RUN_RATES[0]} alone, got {loss!r} and {learning_rate}"
        )
    right, mean_loss = (_file()[f"{what}: {variant}"][which] for what in ("right", "loss"))
    return Ends(right / CASES, mean_loss.astype(float))


def recorded_rescue() -> Floats:
    """Return the accuracies, (200,), of two heads trained on −p(y), then 1,000 steps more on −ln p(y)."""
    return _file()["right: freed"] / CASES


def recorded_source_002(loss: str = "probability") -> tuple[Floats, Floats]:
    """Return what source 002's own loop reaches after each of its ten epochs of 3,000 steps, one sample at a time.

    Parameters
    ----------
    loss : {"probability", "log-probability"}
        The source's, or the one that it meant to have.

    Returns
    -------
    printed : (10, 200) array
        The accuracy on 100 fresh samples that the source prints, for each seed.
    accuracy : (10, 200) array
        On the 500 draws with all four cases.

    Raises
    ------
    ValueError
        If there is no such loss.
    """
    printed, right = (_file()[f"source 002 {what}: {known_loss(loss)}"] for what in ("prints", "right"))
    return printed / 100, right / CASES


@cache
def _file() -> dict[str, Any]:
    with np.load(FILE) as arrays:
        return {name: arrays[name] for name in arrays}
