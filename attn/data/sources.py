"""The numbers printed in two public notebooks, sources 001 and 004, for chapters 2 and 3 to reproduce.

Both encode "MY NAME IS ABIR": four tokens, d_k = d_v = 8, one head, a causal mask. Their q, k and v are
unseeded draws from the standard normal distribution, printed to eight decimals, so whatever is computed from
them here agrees with what they print up to that rounding (a few 1e-8). The arrays are read-only: copy one to
change it.
"""

import json
from dataclasses import dataclass
from importlib import resources

import numpy as np

TOKENS = ("MY", "NAME", "IS", "ABIR")


@dataclass(frozen=True, eq=False)
class Source:
    """What one notebook prints, arrays of float64.

    Attributes
    ----------
    q, k, v : (4, 8) arrays
        Queries, keys and values.
    qk : (4, 4) array
        q kᵀ, without scaling.
    scaled : (4, 4) array
        q kᵀ/√d_k.
    attention : (4, 4) array
        The weights: softmax of the scaled scores under the causal mask.
    new_v : (4, 8) array
        The output, attention @ v.
    var_q, var_k, var_qk, var_scaled : float
        Population variances (ddof = 0) of all entries of q, k, qk and scaled.
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    qk: np.ndarray
    scaled: np.ndarray
    attention: np.ndarray
    new_v: np.ndarray
    var_q: float
    var_k: float
    var_qk: float
    var_scaled: float


def _source(name: str) -> Source:
    """Read what one prints, into arrays that can't be written to."""
    printed = json.loads((resources.files(__package__) / "sources.json").read_text(encoding="utf-8"))[name]
    for field, value in printed.items():
        if isinstance(value, list):
            printed[field] = np.array(value, dtype=np.float64)
            printed[field].flags.writeable = False
    return Source(**printed)


SOURCE_001, SOURCE_004 = _source("001"), _source("004")
