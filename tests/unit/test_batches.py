"""A batch is its members: each function that takes a batch gives what it gives one by one, and names the bad member.

Good members stand among odd ones: rows where nothing may be chosen, scores of any size, tables with zeros.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn import pmi, variance
from attn.attention import scaled_dot_product_attention
from attn.multihead import MultiHeadAttention, merge_heads, split_heads
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
    "saturation": (lambda p: np.stack(variance.saturation(p)).T, WEIGHTS),
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
    whole = np.asarray(function(batch))
    alone = [np.asarray(function(member)) for member in batch]
    if function is MEMBERWISE["saturation"][0]:
        whole = whole.swapaxes(0, 1)
    assert_allclose(whole, np.stack(alone), rtol=1e-14, atol=0)
    # Their order, and other members beside them, change nothing.
    turned = np.asarray(function(batch[::-1]))
    if function is MEMBERWISE["saturation"][0]:
        turned = turned.swapaxes(0, 1)
    assert_allclose(turned, whole[::-1], rtol=1e-14, atol=0)


@pytest.mark.parametrize(("function", "batch"), MEMBERWISE.values(), ids=MEMBERWISE)
def test_float32_stays_float32_and_the_input_stays_what_it_was(function, batch):
    narrow = np.where(np.isfinite(batch), np.clip(batch, -1e30, 1e30), batch).astype(np.float32)
    kept = narrow.copy()
    found = np.asarray(function(narrow))
    assert found.dtype == np.float32
    assert_array_equal(narrow, kept)
    assert_allclose(found, np.asarray(function(narrow.astype(float))), rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("bad", [nan, inf])
@pytest.mark.parametrize("function", [softmax, log_softmax])
def test_one_bad_score_among_good_rows_is_named(function, bad):
    for index in np.ndindex(SCORES.shape):
        batch = SCORES.copy()
        batch[index] = bad
        with pytest.raises(ValueError, match=r"^x must not hold NaN or \+inf, got ") as caught:
            function(batch)
        assert str(caught.value).endswith(f"got {bad} at x[{', '.join(map(str, index))}]")


@pytest.mark.parametrize("function", [entropy, softmax_jacobian, variance.saturation])
def test_one_bad_row_of_weights_among_good_ones_is_named(function):
    for index in np.ndindex(WEIGHTS.shape[:2]):
        batch = WEIGHTS.copy()
        batch[index] = [0.5, 0.25, 0.0]
        with pytest.raises(ValueError, match="must sum to 1 along axis 2") as caught:
            function(batch)
        assert str(caught.value).endswith(f"got 0.75 at sum[{index[0]}, {index[1]}]")
        batch[index] = [1.5, -0.5, 0.0]
        with pytest.raises(ValueError, match="0 or more") as caught:
            function(batch)
        assert str(caught.value).endswith(f"got -0.5 at p[{index[0]}, {index[1]}, 1]")


@pytest.mark.parametrize("function", [pmi.pmi, pmi.ppmi, pmi.npmi, pmi.mutual_information])
def test_one_bad_table_among_good_ones_is_named(function):
    for place in range(len(JOINTS)):
        batch = JOINTS.copy()
        batch[place] = 0.125
        with pytest.raises(ValueError, match=rf"got a sum of 0\.5 at sum\[{place}\]"):
            function(batch)
        batch[place, 1, 0] = -1
        with pytest.raises(ValueError, match=rf"got -1\.0 at joint\[{place}, 1, 0\]"):
            function(batch)
        counts = COUNTS.copy()
        counts[place] = 0
        with pytest.raises(ValueError, match="must not all be zero"):
            pmi.joint_from_counts(counts)


def attention_batch(seed=0):
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 4, 3)), rng.normal(size=(3, 5, 3)), rng.normal(size=(3, 5, 2))
    mask = rng.random((3, 4, 5)) < 0.6
    mask[1, 2] = False  # one query of one member may look at nothing
    return q, k, v, mask


def test_attention_member_by_member():
    q, k, v, mask = attention_batch()
    for hidden in (None, mask, np.where(mask, 0.5, -inf)):
        output, weights = scaled_dot_product_attention(q, k, v, hidden)
        for b in range(3):
            alone = scaled_dot_product_attention(q[b], k[b], v[b], None if hidden is None else hidden[b])
            assert_allclose(output[b], alone[0], rtol=1e-13)
            assert_allclose(weights[b], alone[1], rtol=1e-13)
        assert (output[1, 2] == 0).all() == (hidden is not None)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_attention_names_the_bad_member(name, place):
    given = dict(zip(("q", "k", "v"), attention_batch()[:3], strict=True))
    given[name][place, 1, 0] = nan
    with pytest.raises(ValueError, match=rf"^{name} must be finite, got nan at {name}\[{place}, 1, 0\]$"):
        scaled_dot_product_attention(**given)


def test_one_score_too_many_in_a_batch_is_an_error():
    q, k, v, _ = attention_batch()
    for place in range(3):
        large_q, large_k = q.copy(), k.copy()
        large_q[place, 3], large_k[place, 4] = 1e200, 1e200
        with pytest.raises(ValueError, match="overflow float64"):
            scaled_dot_product_attention(large_q, large_k, v)
        large_k[place, 4] = -1e200
        with pytest.raises(ValueError, match="overflow float64"):
            scaled_dot_product_attention(large_q, large_k, v)


def test_heads_member_by_member():
    rng = np.random.default_rng(1)
    heads = MultiHeadAttention(*rng.normal(size=(3, 2, 4, 3)), rng.normal(size=(6, 5)), b_q=np.ones((2, 3)))
    x, other = rng.normal(size=(3, 4, 4)), rng.normal(size=(3, 6, 4))
    mask = rng.random((3, 4, 6)) < 0.7
    output, weights = heads(x, other, mask)
    shares = heads.shares(x, other, mask)
    for b in range(3):
        alone = heads(x[b], other[b], mask[b])
        assert_allclose(output[b], alone[0], rtol=1e-12)
        assert_allclose(weights[b], alone[1], rtol=1e-12)
        assert_allclose(shares[b], heads.shares(x[b], other[b], mask[b]), rtol=1e-12)


# Chunks ------------------------------------------------------------------------------------------------------------


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


def test_a_piece_has_a_million_entries():
    """So that an experiment of any length fits into memory, and a short one is not cut up."""
    assert variance._AT_ONCE == 2**20


# Tolerances, from both sides -----------------------------------------------------------------------------------------

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
