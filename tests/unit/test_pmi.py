"""attn.pmi: by hand, invariances, extremes, bad input."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attn.pmi import cooccurrence_counts, joint_from_counts, mutual_information, npmi, pmi, ppmi

JOINT = np.array([[0.1, 0.7], [0.15, 0.05]])
inf = np.inf
MEASURES = [pmi, ppmi, npmi, mutual_information]


@pytest.fixture(autouse=True)
def _no_warning():
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        yield


def test_by_hand():
    ratio = [[1 / 2, 7 / 6], [3, 1 / 3]]
    assert_allclose(pmi(JOINT), np.log2(ratio), rtol=1e-14)
    assert_allclose(pmi(JOINT, math.e), np.log(ratio), rtol=1e-14)
    assert_allclose(ppmi(JOINT), np.log2([[1, 7 / 6], [3, 1]]), rtol=1e-14)
    assert_allclose(npmi(JOINT), np.log(ratio) / -np.log(JOINT), rtol=1e-14)
    assert_allclose(mutual_information(JOINT), (JOINT * np.log2(ratio)).sum(), rtol=1e-14)


@given(
    st.lists(st.integers(1, 1000), min_size=1, max_size=6),
    st.lists(st.integers(1, 1000), min_size=1, max_size=6),
)
def test_independent_words_tell_nothing(rows, columns):
    joint = joint_from_counts(np.outer(rows, columns))
    assert_allclose(pmi(joint), 0, atol=1e-12)
    assert_allclose(npmi(joint)[joint < 1], 0, atol=1e-12)
    assert 0 <= mutual_information(joint) < 1e-12


def test_zeros_give_minus_infinity_without_a_warning():
    joint = np.array([[0.25, 0.55], [0.0, 0.2]])
    assert_array_equal(np.isneginf(pmi(joint)), joint == 0)
    assert_array_equal(ppmi(joint)[1, 0], 0)
    assert_array_equal(npmi(joint)[1, 0], -1)
    assert mutual_information(joint) == pytest.approx(0.094448, abs=1e-6)
    empty = np.array([[0.5, 0.0, 0.5], [0.0, 0.0, 0.0]])  # a row and a column that never come
    assert_array_equal(pmi(empty), [[0, -inf, 0], [-inf, -inf, -inf]])
    assert_array_equal(npmi(empty), [[0, -1, 0], [-1, -1, -1]])
    assert mutual_information(empty) == 0


@pytest.mark.parametrize("base", [2, math.e, 10, 3.7, 1.01])
def test_each_base(base):
    assert_allclose(pmi(JOINT, base) * np.log(base), pmi(JOINT, math.e), rtol=1e-13)
    assert_allclose(ppmi(JOINT, base) * np.log(base), ppmi(JOINT, math.e), rtol=1e-13)
    assert_allclose(mutual_information(JOINT, base) * np.log(base), mutual_information(JOINT, math.e))
    assert_array_equal(npmi(JOINT, base), npmi(JOINT))


def test_small_probabilities_do_not_underflow():
    joint = np.diag([1e-200, 1 - 1e-200])
    assert_allclose(pmi(joint)[0, 0], 200 * np.log2(10))
    tiny = np.full((2, 2), 1e-300)
    tiny[1, 1] = 1
    assert np.isfinite(pmi(tiny)).all()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_dtypes_are_kept(measure, dtype):
    joint = JOINT.astype(dtype)
    joint.flags.writeable = False
    got = measure(joint)
    assert got.dtype == dtype
    assert_allclose(got, measure(JOINT), rtol=20 * np.finfo(dtype).eps, atol=20 * np.finfo(dtype).eps)


def loops(tokens, window):
    words = sorted(set(tokens))
    counts = np.zeros((len(words), len(words)), dtype=int)
    for here, one in enumerate(tokens):
        for there, other in enumerate(tokens):
            if here != there and abs(here - there) <= window:
                counts[words.index(one), words.index(other)] += 1
    return counts, words


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), st.integers(1, 15))
def test_counts_equal_the_loops(tokens, window):
    counts, words = cooccurrence_counts(tokens, window)
    right, names = loops(tokens, window)
    assert words == names
    assert_array_equal(counts, right)
    assert_array_equal(counts, counts.T)
    backwards, _ = cooccurrence_counts(tokens[::-1], window)
    assert_array_equal(backwards, counts)


def test_numbers_are_words_too():
    counts, words = cooccurrence_counts(np.array([3, 1, 3]), 1)
    assert list(words) == [1, 3]
    assert_array_equal(counts, [[0, 2], [2, 0]])


def test_joint_from_counts():
    assert_allclose(joint_from_counts([[10, 70], [15, 5]]), JOINT, rtol=1e-15)
    assert_allclose(joint_from_counts([[1, 0], [0, 1]], 1), [[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
    assert_allclose(joint_from_counts(np.ones((3, 2, 2))).sum(axis=(1, 2)), 1)
    assert joint_from_counts(np.ones((2, 2), np.float32)).dtype == np.float32
