"""Order without turning: numbers that are added to the scores, one for each offset, by a rule or learned.

An offset is the key's position minus the query's, o = j − i, with its sign, as in `attn.rotary`.
"""

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Floats, Ints, check_finite, first_entry, one_of, real_array, whole_number

RULES = ("sentence", "code")


def alibi_slopes(n_heads: int, rule: str | None = None) -> Floats:
    r"""Return how steeply each head's bias falls with the distance: m_h = 2^(−8 h / n_heads), h = 1 … n_heads.

    Parameters
    ----------
    n_heads : int
        1 or more. For a power of two the paper's sentence and its code agree.
    rule : {"sentence", "code"}, optional
        Which of them to follow for another number of heads. The sentence has a geometric sequence that starts
        at 2^(−8/n_heads), with the same number as its ratio, and can be read for any number of heads. The code takes
        the slopes of the next smaller power of two, and after them every second one of the next larger. A model
        must be run with the slopes that it was trained with, so there is no default.

    Returns
    -------
    slopes : (n_heads,) array of float64
        In nats a position: at an equal score, a key one step further away gets e^(−m) of the weight. The division by
        the sum of the row does not change that.

    Raises
    ------
    ValueError
        If `n_heads` is below 1; if it is no power of two and no `rule` is given; or there is no such rule.
    TypeError
        If `n_heads` is not a whole number.

    References
    ----------
    Press, Smith and Lewis (2022), ALiBi, section 3, cited at second hand; their code, `get_slopes` in
    fairseq/models/transformer.py of attention_with_linear_biases, was opened.
    """
    n_heads = whole_number(n_heads, "n_heads", 1)
    if rule is not None:
        one_of(rule, "rule", RULES)
    smaller = 1 << (n_heads.bit_length() - 1)
    if rule is None and smaller != n_heads:
        raise ValueError(
            f"n_heads = {n_heads} is no power of two, and there the ALiBi paper's sentence and its code give other "
            "slopes: say rule='sentence' or rule='code', the one that the model was trained with"
        )
    if rule == "sentence" or smaller == n_heads:
        return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)
    between = 2.0 ** (-8 * np.arange(1, 2 * smaller + 1, 2) / (2 * smaller))
    return np.concatenate([alibi_slopes(smaller), between[: n_heads - smaller]])


def alibi_bias(n_q: int, n_k: int, slopes: ArrayLike, *, offset: int = 0) -> Floats:
    r"""Return what ALiBi adds to the scores, −m_h |i + offset − j|: 0 at the query's own place, less further away.

    Parameters
    ----------
    n_q, n_k : int
        Numbers of queries and keys, 0 or more.
    slopes : (n_heads,) array
        0 or more, in nats a position: those of `alibi_slopes`.
    offset : int, optional
        How many keys come before query 0, as in `causal_mask`. With a cache the queries are the last `n_q` of `n_k`
        tokens: then `offset = n_k - n_q`. Left at 0, a newest query would be taken for the first token, and look
        most at the oldest key.

    Returns
    -------
    bias : (n_heads, n_q, n_k) array
        To be added to the scaled scores, as a floating mask: it hides nothing. The paper hides the keys that come
        after the query, `alibi_bias(…) + to_additive(causal_mask(…))`; where they are seen, they count by
        their distance as well.

    Raises
    ------
    ValueError
        If `n_q` or `n_k` is negative, or `slopes` has another shape, is negative or not finite.
    TypeError
        If a count is not whole, or `slopes` does not hold real numbers.

    References
    ----------
    Press, Smith and Lewis (2022), ALiBi, section 3, cited at second hand. Their code adds m_h j, without the
    query's i: a softmax does not see a number that is the same along a row.
    """
    n_q, n_k = whole_number(n_q, "n_q", 0), whole_number(n_k, "n_k", 0)
    offset = whole_number(offset, "offset")
    slopes = real_array(slopes, "slopes")
    if slopes.ndim != 1:
        raise ValueError(f"slopes must have shape (n_heads,), got shape {slopes.shape}")
    check_finite(slopes, "slopes")
    if (slopes < 0).any():
        raise ValueError(
            f"slopes must be 0 or more, as the bias subtracts them, got {first_entry(slopes, slopes < 0, 'slopes')}"
        )
    distance = np.abs(np.arange(n_q)[:, None] + offset - np.arange(n_k))
    return -slopes[:, None, None] * distance.astype(slopes.dtype)


def t5_bucket(
    offset: ArrayLike, *, n_buckets: int = 32, max_distance: int = 128, bidirectional: bool = True
) -> Ints:
    r"""Return which learned number T5 adds for an offset: near ones have their own, far ones share, in powers.

    Parameters
    ----------
    offset : (...) array of int
        The key's position minus the query's, j − i: negative looks back.
    n_buckets : int, optional
        How many numbers a head learns: 2 or more, and with `bidirectional` even and 4 or more.
    max_distance : int, optional
        From here on all share the last bucket, and mostly from before it. More than the distances that have a bucket of
        their own.
    bidirectional : bool, optional
        True: half of the buckets are for keys that come after the query. False, for a decoder: those all have
        bucket 0, and a causal mask should hide them.

    Returns
    -------
    bucket : (...) array of int
        0 … n_buckets − 1. Of the m buckets of one direction the first e = m // 2 have a distance each. From r = e on,
        distance r is in bucket e + ⌊(m − e) log(r/e) / log(max_distance/e)⌋, m − 1 at most. Keys ahead have m more;
        bucket m itself stays empty, as nothing is ahead by 0. Computed with whole numbers, so that no logarithm is
        rounded.

    Raises
    ------
    ValueError
        If the numbers of buckets or the largest distance do not fit.
    TypeError
        If an argument does not hold whole numbers, or `bidirectional` is not True or False.

    References
    ----------
    Raffel et al. (2020), as chapter 1 cites it; the rule is that of `_relative_position_bucket` in
    T5's code, read in its copy in Transformers.
    """
    offset = np.asarray(offset)
    if offset.size == 0 and offset.dtype == np.float64:
        offset = offset.astype(np.int64)  # NumPy makes an empty list float64
    if not np.issubdtype(offset.dtype, np.integer):
        raise TypeError(f"offset must hold whole numbers, got an array of dtype {offset.dtype}")
    if not isinstance(bidirectional, (bool, np.bool_)):
        raise TypeError(f"bidirectional must be True or False, got {bidirectional!r}")
    n_buckets = whole_number(n_buckets, "n_buckets", 4 if bidirectional else 2)
    if bidirectional and n_buckets % 2:
        raise ValueError(f"n_buckets must be even, half for each direction, got {n_buckets}")
    max_distance = whole_number(max_distance, "max_distance", 1)
    one_way = n_buckets // 2 if bidirectional else n_buckets
    exact = one_way // 2
    if max_distance <= exact:
        raise ValueError(
            f"max_distance must be above {exact}, the distances that have a bucket of their own, got {max_distance}"
        )
    offset = offset.astype(np.int64)
    distance = np.abs(offset) if bidirectional else np.maximum(-offset, 0)
    bucket = np.searchsorted(_first_distances(one_way, exact, max_distance), distance, side="right")
    return bucket + one_way * (offset > 0) if bidirectional else bucket


def _first_distances(one_way: int, exact: int, max_distance: int) -> Ints:
    """Return the smallest distance of each bucket but bucket 0, which begins with 0."""
    shared = one_way - exact
    first = list(range(1, exact + 1))
    for step in range(1, shared):
        # the smallest r with (r / exact)^shared ≥ (max_distance / exact)^step, in whole numbers
        goal = max_distance**step * exact ** (shared - step)
        low, high = exact, max_distance
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if middle**shared >= goal else (middle + 1, high)
        first.append(low)
    return np.array(first)
