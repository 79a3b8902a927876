"""The claims of the chapter on positions that no other test shows, on more cases than the page has room for."""

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


def test_a_causal_mask_breaks_the_symmetry():
    rng = np.random.default_rng(5)
    for _ in range(20):
        x = rng.normal(size=(3, 4))
        swap = [2, 1, 0]
        one, other = (scaled_dot_product_attention(y, y, y, causal_mask(3))[0][1] for y in (x, x[swap]))
        assert np.abs(one - other).max() > 1e-6


def test_the_doubled_exponent_in_wider_encodings():
    """The error does not go away with more dimensions, as long as the fast waves have no partner."""
    for d_model in (4, 8):
        table = notebook_encoding(201, d_model)
        assert np.abs(best_guess(table) - table[1:]).max() > 0.1


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


def test_from_16_dimensions_on_there_is_room():
    """No distance up to 50,000 is more alike than a neighbor."""
    steps = np.arange(1, 50_001)
    for base in (10, 100, 1000, 10000):
        for d_model in (16, 32, 64):
            alike = similarity(steps, d_model, base)
            assert (alike[1:] < alike[0]).all()


def test_concatenating_is_adding_after_a_matrix_each():
    rng = np.random.default_rng(0)
    x, p, w_x, w_p = rng.normal(size=(5, 8)), sinusoidal_encoding(5, 8), *rng.normal(size=(2, 8, 3))
    assert_allclose(np.hstack([x, p]) @ np.vstack([w_x, w_p]), x @ w_x + p @ w_p)


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


@pytest.mark.parametrize("turns", [0.51, 0.75, 0.9, 1.1, 2.4, 2.9])
def test_more_than_half_a_turn_a_step_looks_like_a_slower_clock(turns):
    """No whole number of steps tells the two apart; the slower one may turn the same way or back."""
    steps, slower = np.arange(50), turns - round(turns)
    for wave in (np.sin, np.cos):
        assert_allclose(wave(2 * np.pi * turns * steps), wave(2 * np.pi * slower * steps), atol=1e-11)
    assert abs(slower) <= 0.5 < turns
