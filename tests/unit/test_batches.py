"""A batch is its members: each function that takes a batch gives what it gives one by one, and names the bad member.

Good members stand among odd ones: rows where nothing may be chosen, scores of any size, tables with zeros.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn import pmi, variance
from attn.attention import scaled_dot_product_attention
from attn.multihead import merge_heads, split_heads
from attn.rotary import rotate, to_layout
from attn.softmax import entropy, log_softmax, softmax, softmax_jacobian

inf, nan = np.inf, np.nan
SCORES = np.array(
    [
        [[0.0, 1.0, -2.0], [-inf, -inf, -inf]],
        [[1e300, -1e300, 0.0], [-inf, 3.0, 3.0]],
        [[-1e-300, 0.0, 1e-300], [700.0, 710.0, 720.0]],
        [[-inf, -inf, 5.0], [0.1, 0.2, 0.3]],
    ]
)
WEIGHTS = np.array(
    [
        [[0.2, 0.3, 0.5], [0.0, 0.0, 0.0]],
        [[1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3]],
        [[0.5, 0.5, 0.0], [1e-12, 0.5, 0.5]],
    ]
)
JOINTS = np.array([[[0.1, 0.7], [0.15, 0.05]], [[0.5, 0.0], [0.0, 0.5]], [[0.0, 0.0], [0.25, 0.75]]])
COUNTS = np.array([[[1.0, 7.0], [0.0, 2.0]], [[0.0, 0.0], [0.0, 3.0]], [[1e9, 1.0], [1.0, 0.0]]])
TURNED = np.sin(np.arange(36.0)).reshape(3, 2, 6) * [[[1]], [[1e-12]], [[1e12]]]

MEMBERWISE = {
    "softmax": (softmax, SCORES),
    "softmax along the first axis": (lambda x: softmax(x, axis=-2), SCORES),
    "log_softmax": (log_softmax, SCORES),
    "entropy": (entropy, WEIGHTS),
    "entropy in bits": (lambda p: entropy(p, base=2), WEIGHTS),
    "softmax_jacobian": (softmax_jacobian, WEIGHTS),
    "jacobian_norm": (variance.jacobian_norm, WEIGHTS),
    "saturation": (lambda p: np.stack(variance.saturation(p), axis=-1), WEIGHTS),
    "pmi": (pmi.pmi, JOINTS),
    "ppmi": (pmi.ppmi, JOINTS),
    "npmi": (pmi.npmi, JOINTS),
    "mutual_information": (pmi.mutual_information, JOINTS),
    "joint_from_counts": (pmi.joint_from_counts, COUNTS),
    "joint_from_counts, smoothed": (lambda counts: pmi.joint_from_counts(counts, 0.5), COUNTS),
    "split_heads": (lambda x: split_heads(x, 3), SCORES),
    "rotate": (lambda x: rotate(x, [3, 50]), TURNED),
    "rotate halves": (lambda x: rotate(x, [3, 50], layout="halves", n_rotary=4), TURNED),
    "to_layout": (lambda x: to_layout(x, "interleaved", "halves"), TURNED),
    "merge_heads": (merge_heads, np.arange(48.0).reshape(2, 4, 3, 2)),
}


@pytest.mark.parametrize(("function", "batch"), MEMBERWISE.values(), ids=MEMBERWISE)
def test_a_batch_is_its_members(function, batch):
    """Their order, and other members beside them, change nothing; float32 stays, and so does the input."""
    whole = np.asarray(function(batch))
    assert_allclose(whole, np.stack([function(member) for member in batch]), rtol=1e-14, atol=0)
    assert_allclose(np.asarray(function(batch[::-1])), whole[::-1], rtol=1e-14, atol=0)
    narrow = np.where(np.isfinite(batch), np.clip(batch, -1e30, 1e30), batch).astype(np.float32)
    kept = narrow.copy()
    found = np.asarray(function(narrow))
    assert found.dtype == np.float32
    assert_array_equal(narrow, kept)
    assert_allclose(found, np.asarray(function(narrow.astype(float))), rtol=2e-4, atol=2e-4)


def said(function, batch):
    with pytest.raises(ValueError, match=r"\w") as caught:
        function(batch)
    return str(caught.value)


def at(name, *index):
    return f"{name}[{', '.join(map(str, index))}]"


@pytest.mark.parametrize("bad", [nan, inf])
@pytest.mark.parametrize("function", [softmax, log_softmax])
def test_one_bad_score_among_good_rows_is_named(function, bad):
    for index in np.ndindex(SCORES.shape):
        batch = SCORES.copy()
        batch[index] = bad
        assert f"{bad} at {at('x', *index)}" in said(function, batch)


@pytest.mark.parametrize("function", [entropy, softmax_jacobian, variance.saturation])
def test_one_bad_row_of_weights_among_good_ones_is_named(function):
    for index in np.ndindex(WEIGHTS.shape[:2]):
        batch = WEIGHTS.copy()
        batch[index] = [0.5, 0.25, 0.0]
        assert f"0.75 at {at('sum', *index)}" in said(function, batch)
        batch[index] = [1.5, -0.5, 0.0]
        assert f"-0.5 at {at('p', *index, 1)}" in said(function, batch)


@pytest.mark.parametrize("function", [pmi.pmi, pmi.ppmi, pmi.npmi, pmi.mutual_information])
def test_one_bad_table_among_good_ones_is_named(function):
    for place in range(len(JOINTS)):
        batch = JOINTS.copy()
        batch[place] = 0.125
        assert f"0.5 at {at('sum', place)}" in said(function, batch)
        batch[place, 1, 0] = -1
        assert f"-1.0 at {at('joint', place, 1, 0)}" in said(function, batch)
        counts = COUNTS.copy()
        counts[place] = 0
        assert "zero" in said(pmi.joint_from_counts, counts)


@pytest.mark.parametrize("place", range(3))
def test_attention_names_the_bad_member(place):
    """And one score too many is found wherever it stands, above and below."""
    rng = np.random.default_rng(0)
    given = {
        "q": rng.normal(size=(3, 4, 3)),
        "k": rng.normal(size=(3, 5, 3)),
        "v": rng.normal(size=(3, 5, 2)),
    }
    for name, x in given.items():
        wrong = x.copy()
        wrong[place, 1, 0] = nan
        told = said(lambda wrong, name=name: scaled_dot_product_attention(**(given | {name: wrong})), wrong)
        assert f"nan at {at(name, place, 1, 0)}" in told
    for large in (1e200, -1e200):
        q, k = given["q"].copy(), given["k"].copy()
        q[place, 3], k[place, 4] = 1e200, large
        assert "float64" in said(lambda q, k=k: scaled_dot_product_attention(q, k, given["v"]), q)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 6, 7])
def test_scores_drawn_in_pieces_are_those_of_the_same_draws(n, monkeypatch):
    """Three at a time: below, at and above the end of a piece."""
    monkeypatch.setattr(variance, "_AT_ONCE", 14)
    law = {"var_q": 4.0, "var_k": 0.25, "mean_q": 1.0, "mean_k": -2.0, "correlation": 0.6, "scale": 0.5}
    found = variance.sample_scores(np.random.default_rng(5), n, 4, **law)
    rng, expected = np.random.default_rng(5), []
    for start in range(0, n, 3):
        size = min(3, n - start)
        x = rng.standard_normal((size, 4))
        z = rng.standard_normal((size, 4))
        for one, two in zip(x, z, strict=True):
            q, k = 1 + 2 * one, -2 + 0.5 * (0.6 * one + 0.8 * two)
            expected.append(0.5 * sum(q * k))
    assert_allclose(found, expected, rtol=1e-12)


def test_a_head_wider_than_a_piece_is_drawn_one_by_one(monkeypatch):
    monkeypatch.setattr(variance, "_AT_ONCE", 2)
    found = variance.sample_scores(np.random.default_rng(5), 3, 4)
    rng = np.random.default_rng(5)
    assert_allclose(found, [np.multiply(*rng.standard_normal((2, 1, 4))).sum() for _ in range(3)])


LOOSE = {
    np.float64: 1e-6,
    np.float32: np.sqrt(np.finfo(np.float32).eps),
    np.float16: np.sqrt(np.finfo(np.float16).eps),
}


@pytest.mark.parametrize("dtype", LOOSE)
@pytest.mark.parametrize("sign", [-1, 1])
def test_sums_may_be_off_by_half_the_digits_and_no_more(dtype, sign):
    near, off = (1 + sign * share * LOOSE[dtype] for share in (0.9, 1.2))
    steps = np.array([near, off], dtype=dtype).astype(float) - 1
    if dtype is np.float16:  # its numbers are too far apart for 0.9 and 1.2: the two next to the tolerance
        grid = 1 + sign * np.arange(1, 80) * float(np.finfo(dtype).eps) / (1 if sign > 0 else 2)
        inside = np.abs(grid - 1) <= LOOSE[dtype]
        near, off = grid[inside][-1], grid[~inside][0]
    else:
        assert abs(steps[0]) < LOOSE[dtype] < abs(steps[1])
    for function, good, bad in (
        (entropy, np.array([near, 0], dtype), np.array([off, 0], dtype)),
        (pmi.pmi, np.array([[near, 0]], dtype), np.array([[off, 0]], dtype)),
    ):
        function(good)
        with pytest.raises(ValueError, match="must sum to 1"):
            function(bad)


def test_rows_of_zeros_pass_and_rows_of_almost_zero_do_not():
    assert entropy([0.0, 0.0]) == 0
    with pytest.raises(ValueError, match="must sum to 1"):
        entropy([1e-9, 0.0])
