"""The claims of the chapter on positions that no other test shows, on more cases than the page has room for."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attn.attention import scaled_dot_product_attention
from attn.masks import causal_mask
from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding


def notebook_encoding(n_positions, d_model, base=10000):
    i = np.arange(d_model)
    angle = np.arange(n_positions)[:, None] / base ** (2 * i / d_model)
    return np.where(i % 2 == 0, np.sin(angle), np.cos(angle))


def best_guess(encoding):
    return encoding[:-1] @ np.linalg.lstsq(encoding[:-1], encoding[1:], rcond=None)[0]


def similarity(steps, d_model, base=10000.0):
    return sum(np.cos(steps * omega) for omega in angular_frequencies(d_model, base)) / (d_model / 2)


def test_by_hand():
    words = np.array([[1, 2, 3, 4], [2, 3, 4, 5]])
    assert_array_equal(words[0] + sinusoidal_encoding(2, 4)[0], [1, 3, 3, 5])
    assert_allclose(words[1] + sinusoidal_encoding(2, 4)[1], [2.8415, 3.5403, 4.0100, 5.99995], atol=5e-5)


def test_a_causal_mask_breaks_the_symmetry():
    rng = np.random.default_rng(5)
    for _ in range(20):
        x = rng.normal(size=(3, 4))
        swap = [2, 1, 0]
        one, other = (scaled_dot_product_attention(y, y, y, causal_mask(3))[0][1] for y in (x, x[swap]))
        assert np.abs(one - other).max() > 1e-6


def test_the_number_of_the_figure():
    encoding = sinusoidal_encoding(64, 4)
    still = (encoding[:61] * encoding[3:]).sum(axis=1)
    assert_allclose(still, 0.0096, atol=5e-5)
    assert np.ptp(still) < 1e-14
    theirs = notebook_encoding(64, 4)
    moving = (theirs[:61] * theirs[3:]).sum(axis=1)
    assert_allclose([moving.min(), moving.max()], [0.72, 2.00], atol=5e-3)


def test_what_the_doubled_exponent_loses():
    """The best matrix leaves 0.86; the lost term of dimension 0 alone is sin 1 = 0.84."""
    table = notebook_encoding(201, 4)
    errors = np.abs(best_guess(table) - table[1:]).max(axis=0)
    assert_allclose(errors.max(), 0.86, atol=5e-3)
    assert errors.argmax() == 0
    assert_allclose(math.sin(1), 0.84, atol=5e-3)
    assert np.abs(best_guess(sinusoidal_encoding(201, 4)) - sinusoidal_encoding(201, 4)[1:]).max() < 1e-12


def test_the_doubled_exponent_in_wider_encodings():
    """The error does not go away with more dimensions, as long as the fast waves have no partner."""
    for d_model in (4, 8):
        table = notebook_encoding(201, d_model)
        assert np.abs(best_guess(table) - table[1:]).max() > 0.1


def test_nearer_is_not_always_more_alike():
    assert_allclose(similarity(np.array([1, 3, 6]), 4), [0.770, 0.005, 0.979], atol=5e-4)
    curve = similarity(np.arange(101), 512)
    assert (np.diff(curve[:44]) < 0).all()
    assert curve[44] > curve[43]


def test_how_far_but_not_which_way():
    encoding = sinusoidal_encoding(60, 32)
    gram = encoding @ encoding.T
    assert_allclose(gram[30, 31:60], gram[30, 29:0:-1], atol=1e-12)


@pytest.mark.parametrize("steps", [1, 3, -2])
def test_turned_keys_make_a_head_that_looks_aside(steps):
    encoding = sinusoidal_encoding(40, 64)
    scores = encoding @ (encoding @ shift_matrix(steps, 64).T).T
    inside = np.arange(max(0, steps), 40 + min(0, steps))
    assert_array_equal(scores.argmax(axis=1)[inside], inside - steps)


def test_where_the_wavelengths_end():
    last = [2 * np.pi / angular_frequencies(d_model)[-1] for d_model in (4, 8, 512)]
    assert [round(x) for x in last] == [628, 6283, 60611]
    assert round(2 * np.pi * 10000) == 62832
    # tensor2tensor divides by the number of pairs minus one: its last wavelength is 2π · 10000.
    increment = math.log(10000) / (256 - 1)
    assert_allclose(2 * np.pi / math.exp(-255 * increment), 2 * np.pi * 10000)


def test_most_clocks_stand_still():
    wavelength = 2 * np.pi / angular_frequencies(512)
    assert round(100 * (wavelength > 128).mean()) == 67
    assert round(100 * (wavelength > 20 * 128).mean()) == 34
    table = sinusoidal_encoding(128, 512)
    energy = np.cumsum(np.linalg.svd(table, compute_uv=False) ** 2)
    assert np.searchsorted(energy / energy[-1], 0.99) + 1 == 39
    assert_allclose((table @ table.T).min() / 256, 0.41, atol=5e-3)


def test_no_two_positions_are_the_same_but_some_nearly():
    """The first clock: 44 steps are 7 turns and 0.018 radians, 710 steps are 113 turns and 0.00006."""
    for steps, turns, rest in [(44, 7, 0.018), (710, 113, 0.00006)]:
        assert_allclose(abs(steps - turns * 2 * math.pi), rest, rtol=0.05)
    # Among all steps up to 1,000 none is nearer than 710: it is a convergent of 2π.
    nearest = min(range(1, 1001), key=lambda n: abs(math.remainder(n, 2 * math.pi)))
    assert nearest == 710
    assert Fraction(math.pi).limit_denominator(120) == Fraction(355, 113)


@pytest.mark.parametrize(
    ("base", "found"),
    [(10, [19, 101, 77_553]), (100, [6, 377, 270_617]), (1000, [6, 993, 532_890]), (10000, [6, 6, 596_274])],
)
def test_the_first_distance_that_is_more_alike_than_a_neighbor(base, found):
    steps = np.arange(1, 1_000_001)
    for d_model, expected in zip((4, 8, 16), found, strict=True):
        alike = similarity(steps, d_model, base)
        assert np.flatnonzero(alike[1:] >= alike[0])[0] + 2 == expected


def test_from_16_dimensions_on_there_is_room():
    """No distance up to 50,000 is more alike than a neighbor."""
    steps = np.arange(1, 50_001)
    for base in (10, 100, 1000, 10000):
        for d_model in (16, 32, 64):
            alike = similarity(steps, d_model, base)
            assert (alike[1:] < alike[0]).all()


def test_the_order_of_the_columns():
    table = sinusoidal_encoding(50, 16)
    order = np.r_[0:16:2, 1:16:2]
    assert_allclose(table[:, order] @ table[:, order].T, table @ table.T, atol=1e-12)


def test_concatenating_is_adding_after_a_matrix_each():
    rng = np.random.default_rng(0)
    x, p, w_x, w_p = rng.normal(size=(5, 8)), sinusoidal_encoding(5, 8), *rng.normal(size=(2, 8, 3))
    assert_allclose(np.hstack([x, p]) @ np.vstack([w_x, w_p]), x @ w_x + p @ w_p)


def test_the_lengths_of_words_and_places():
    rng = np.random.default_rng(0)
    words = rng.normal(size=(1000, 512)) / np.sqrt(512)
    assert_allclose(np.linalg.norm(words, axis=1).mean(), 1, atol=0.01)
    assert_allclose(np.linalg.norm(sinusoidal_encoding(9, 512), axis=1), 16)


def test_rotated_scores_depend_on_distance_alone():
    rng = np.random.default_rng(0)
    table = sinusoidal_encoding(100, 8)
    for _ in range(20):
        q, k = rng.normal(size=(2, 8))
        rotated = [(shift_matrix(p, 8) @ q) @ (shift_matrix(p + 3, 8) @ k) for p in (0, 10, 50)]
        added = [(q + table[p]) @ (k + table[p + 3]) for p in (0, 10, 50)]
        assert_allclose(rotated, rotated[0], atol=1e-12)
        assert_allclose(rotated[0], q @ (shift_matrix(3, 8) @ k), atol=1e-12)
        assert np.ptp(added) > 0.01


def test_a_lone_sine_can_not_be_shifted():
    cut = sinusoidal_encoding(201, 4, base=10.0)[:, :3]
    errors = np.abs(best_guess(cut) - cut[1:]).max(axis=0)
    assert (errors[:2] < 1e-12).all()
    assert errors[2] > 0.3


def test_positions_in_short_floats():
    assert np.finfo(np.float16).nmant + 1 == 11  # the first binary digit is not stored
    count = np.arange(4096)
    assert (count[2048::2].astype(np.float16) == count[2048::2]).all()
    assert np.flatnonzero(count.astype(np.float16)[1:] == count.astype(np.float16)[:-1])[0] == 2048

    # bfloat16 keeps 8 binary digits: 256 and 257 are the same number.
    def to_bfloat16(n):
        bits = np.float32(n).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)

    assert to_bfloat16(255) != to_bfloat16(256)
    assert to_bfloat16(256) == to_bfloat16(257)


def test_angles_in_short_floats():
    omega = angular_frequencies(64)

    def error(dtype, n):
        pos = np.arange(n - 100, n)[:, None]
        rounded = (pos.astype(dtype) * omega.astype(dtype)).astype(float)
        return np.abs(np.sin(rounded) - np.sin(pos * omega)).max()

    assert error(np.float16, 2000) > 0.5
    assert error(np.float16, 500) > 0.1
    assert error(np.float32, 1000) < 1e-4
    assert 1e-3 < error(np.float32, 100_000) < 1e-2


def test_running_the_cell_twice_adds_twice():
    words = np.array([[1.0, 2, 3, 4], [2, 3, 4, 5]])
    twice = words + sinusoidal_encoding(2, 4) + sinusoidal_encoding(2, 4)
    assert_allclose(twice - words, 2 * sinusoidal_encoding(2, 4))


def test_the_exercises_by_hand():
    encoding = sinusoidal_encoding(4, 4)
    assert_allclose(encoding[2], [0.9093, -0.4161, 0.0200, 0.9998], atol=6e-5)
    assert_allclose([encoding[0] @ encoding[2], encoding[1] @ encoding[3]], 0.5837, atol=5e-5)
    base = (1000 / (2 * math.pi)) ** 2
    assert round(base) == 25330
    assert_allclose(2 * np.pi / angular_frequencies(4, base)[1], 1000)
    assert_allclose(
        2 * np.pi / angular_frequencies(4)[1], 100 * 2 * np.pi
    )  # base 10,000: 100 turns of the fast clock
    likeness = [similarity(np.array([steps]), 4).item() for steps in (728 - 100, 1)]
    assert_allclose(likeness, [0.975, 0.770], atol=5e-4)


def test_how_large_the_query_matrix_must_be():
    """A head that looks one word back needs a large W_Q: divided by the root, the encodings alone are too alike."""
    for n, plain in ((8, 0.20), (64, 0.06)):
        place = sinusoidal_encoding(n, 64)
        for factor, low, high in ((1, plain - 0.005, plain + 0.005), (16, 0.8, 0.83)):
            e = np.exp(factor * (place @ (place @ shift_matrix(1, 64).T).T) / math.sqrt(64))
            weights = e / e.sum(axis=1, keepdims=True)
            assert low < np.diag(weights, -1).mean() < high
            assert (weights[1:].argmax(axis=1) == np.arange(n - 1)).all()
            assert weights[0].argmax() == 0  # it has none before it


def test_a_distant_position_can_have_less_than_half_of_a_products_own():
    """In 512 dimensions, where a position's product with itself is 256."""
    e = sinusoidal_encoding(128, 512)
    product = e @ e.T
    assert_allclose(np.diag(product), 512 / 2)
    assert product.min() < 256 / 2


@pytest.mark.parametrize("turns", [0.51, 0.75, 0.9, 1.1, 2.4, 2.9])
def test_more_than_half_a_turn_a_step_looks_like_a_slower_clock(turns):
    """No whole number of steps tells the two apart; the slower one may turn the same way or back."""
    steps, slower = np.arange(50), turns - round(turns)
    for wave in (np.sin, np.cos):
        assert_allclose(wave(2 * np.pi * turns * steps), wave(2 * np.pi * slower * steps), atol=1e-11)
    assert abs(slower) <= 0.5 < turns
