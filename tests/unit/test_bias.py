"""Biases by offset: slopes and buckets by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from attn.bias import alibi_bias, alibi_slopes, t5_bucket


def test_where_the_paper_and_its_code_disagree_there_is_no_default():
    for n_heads in range(1, 70):
        sentence, code = alibi_slopes(n_heads, "sentence"), alibi_slopes(n_heads, "code")
        assert sentence.shape == code.shape == (n_heads,)
        assert len(set(code)) == n_heads
        if n_heads & (n_heads - 1):
            assert np.abs(sentence - code).max() > 1e-3
            with pytest.raises(ValueError, match=f"{n_heads} is no power of two"):
                alibi_slopes(n_heads)
        else:
            assert_array_equal(sentence, alibi_slopes(n_heads))
            assert_array_equal(code, alibi_slopes(n_heads))


def test_a_bias_by_hand():
    bias = alibi_bias(2, 3, [1.0, 0.5])
    assert_array_equal(bias, [[[0, -1, -2], [-1, 0, -1]], [[0, -0.5, -1], [-0.5, 0, -0.5]]])
    assert_array_equal(alibi_bias(1, 3, [2], offset=2), [[[-4, -2, 0]]])
    assert alibi_bias(0, 3, [1, 2]).shape == (2, 0, 3)
    assert alibi_bias(2, 2, np.ones(3, np.float32)).dtype == np.float32


@given(st.integers(0, 8), st.integers(0, 8), st.integers(-5, 5))
def test_a_bias_is_its_definition(n_q, n_k, offset):
    slopes = alibi_slopes(4)
    bias = alibi_bias(n_q, n_k, slopes, offset=offset)
    assert bias.shape == (4, n_q, n_k)
    for h, i, j in np.ndindex(bias.shape):
        assert bias[h, i, j] == -slopes[h] * abs(i + offset - j)


def test_buckets_by_hand():
    assert_array_equal(
        t5_bucket([0, -1, -15, -16, -17, -18, -19], bidirectional=False), [0, 1, 15, 16, 16, 16, 17]
    )
    assert_array_equal(t5_bucket([0, -7, -8, 7, 8, 1, -1]), [0, 7, 8, 23, 24, 17, 1])
    assert_array_equal(t5_bucket([1, 5, 1000], bidirectional=False), [0, 0, 0])
    assert t5_bucket(np.array([-128], np.int8))[0] == 15  # −128 has room in 8 bits, 128 has not
    assert t5_bucket(-3).shape == ()
    assert t5_bucket([[-3], [4]]).shape == (2, 1)
    assert t5_bucket([]).shape == (0,)


def test_no_logarithm_is_rounded():
    """10/5 is 32^(1/5), 20/5 its square and 80/5 its fourth power: rounded logarithms fall a digit below."""
    distances = np.array([10, 20, 80])
    found = t5_bucket(-distances, n_buckets=10, max_distance=160, bidirectional=False)
    assert_array_equal(found, [6, 7, 9])
    assert_array_equal(5 + np.floor(np.log(distances / 5) / np.log(160 / 5) * 5), [5, 6, 8])
    assert_array_equal(t5_bucket([-16, -32, -64, -128, -15, -31, -63]), [10, 12, 14, 15, 9, 11, 13])


@pytest.mark.parametrize(("both", "least", "used"), [(True, 4, {0, 1, 3}), (False, 2, {0, 1})])
def test_the_fewest_buckets(both, least, used):
    assert set(t5_bucket(np.arange(-9, 10), n_buckets=least, bidirectional=both)) == used
