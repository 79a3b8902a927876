"""The theorems of chapter 1: attacked inside their conditions, broken just outside each of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding
from tests.falsify.attack import TINY, each_breaks, one_by_one

PAPER = angular_frequencies(8)
WIDER = np.arange(201)[:, None] * 10000.0 ** (-2 * np.arange(8) / 8)  # the exponent doubled


def waves(p, frequencies):
    """Sines and cosines of any frequencies at any places, whole numbers or not."""
    angle = np.multiply.outer(np.asarray(p, dtype=float), frequencies)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(*angle.shape[:-1], -1)


def turned(x, p, frequencies):
    """Each pair of x turned by p times its frequency."""
    a, b, angle = x[..., 0::2], x[..., 1::2], p * np.asarray(frequencies)
    pairs = [a * np.cos(angle) + b * np.sin(angle), b * np.cos(angle) - a * np.sin(angle)]
    return np.stack(pairs, axis=-1).reshape(x.shape)


def best_error(table):
    """What the best matrix from each row to the next leaves."""
    here, there = table[:-1], table[1:]
    return np.abs(here @ np.linalg.lstsq(here, there, rcond=None)[0] - there).max()


def test_what_is_attacked_is_the_books():
    assert_allclose(waves(np.arange(40), PAPER), sinusoidal_encoding(40, 8), atol=1e-12)
    x = np.random.default_rng(0).normal(size=8)
    assert_allclose(turned(x, 5, PAPER), shift_matrix(5, 8) @ x, atol=1e-12)


# One matrix for every position -------------------------------------------------------------------------------------


def test_one_matrix():
    """Any place, any offset of either sign, any frequencies: three pairs."""

    def violation(x):
        p, offset, frequencies = 20 * x[0], 5 * x[1], x[2:]
        moved = turned(waves(p, frequencies), offset, frequencies)
        return np.abs(moved - waves(p + offset, frequencies)).max()

    assert one_by_one(violation, lambda rng: rng.normal(size=5)).violation <= TINY
    p, columns = np.arange(201), np.arange(4)
    assert best_error(waves(p, PAPER)) < 1e-9
    doubled = p[:, None] * 10000.0 ** (-2 * columns / 4)
    words = np.random.default_rng(0).normal(size=(201, 8))
    outside = {
        "a sine and a cosine of one angle": np.where(columns % 2 == 0, np.sin(doubled), np.cos(doubled)),
        "in wider encodings too": np.where(np.arange(8) % 2 == 0, np.sin(WIDER), np.cos(WIDER)),
        "no sine alone": waves(p, [1.0, 0.3])[:, :3],
        "places that count on": waves(np.minimum(p, 100), PAPER),
        "no words added": waves(p, PAPER) + words,
        "angles in proportion to the place": 10 * waves(np.sqrt(p), PAPER),
    }
    assert each_breaks({dropped: best_error(table) for dropped, table in outside.items()})


# The inner product knows the distance alone ------------------------------------------------------------------------


def moves(encode, seed=0):
    """How far the inner product of two places moves when both go on by the same step."""
    rng = np.random.default_rng(seed)
    p, q, step = rng.integers(0, 60, size=(3, 500))
    here = (encode(p) * encode(q)).sum(axis=-1)
    return np.abs(here - (encode(p + step) * encode(q + step)).sum(axis=-1)).max()


def test_distance_alone():
    """Not which way, either."""

    def violation(x):
        p, q, step, frequencies = 20 * x[0], 20 * x[1], 20 * x[2], x[3:]
        one = waves(p, frequencies) @ waves(q, frequencies)
        two = waves(p + step, frequencies) @ waves(q + step, frequencies)
        three = waves(q, frequencies) @ waves(p, frequencies)
        return max(abs(one - two), abs(one - np.cos(frequencies * (p - q)).sum()), abs(one - three))

    assert one_by_one(violation, lambda rng: rng.normal(size=6)).violation <= TINY
    doubled = 10000.0 ** (-2 * np.arange(4) / 4)
    word, w = np.random.default_rng(1).normal(size=(2, 8, 8))
    turn = np.eye(8)
    turn[:2, :2] = 3 * np.array([[0.6, 0.8], [-0.8, 0.6]])
    assert moves(lambda p: waves(p, PAPER)) < 1e-9
    assert moves(lambda p: waves(p, PAPER) @ turn) < 1e-9  # inside: a matrix that turns or stretches a pair
    outside = {
        "pairs": lambda p: waves(p, doubled)[..., [0, 3, 4, 7]],
        "sines as loud as cosines": lambda p: waves(p, PAPER) * np.tile([2.0, 1], 4),
        "no word added": lambda p: waves(p, PAPER) + word[0],
        "no other matrix in between": lambda p: waves(p, PAPER) @ w,
    }
    assert each_breaks({dropped: moves(encode) for dropped, encode in outside.items()})


# Positions that repeat ---------------------------------------------------------------------------------------------


def test_positions_repeat():
    p = np.arange(1, 1_000_001)
    angle = np.abs((p + np.pi) % (2 * np.pi) - np.pi)
    assert angle.min() > 1e-7  # inside: a million whole steps of 1 radian come back to no start
    assert_allclose(
        waves(0, [2 * np.pi / 44]), waves(44, [2 * np.pi / 44]), atol=1e-12
    )  # a rational share of a turn
    assert_allclose(waves(0, [1.0]), waves(2 * np.pi, [1.0]), atol=1e-12)  # a place between two words
    assert (waves(0, [1.0]).round(3) == waves(710, [1.0]).round(3)).all()  # numbers that are rounded
    assert np.float16(2048) == np.float16(2049)  # places that are


# Rotated queries and keys ------------------------------------------------------------------------------------------


def moved_score(first, second, step, q, k, frequencies=PAPER, turn_q=turned, turn_k=turned):
    def score(p, j):
        return turn_q(q, p, frequencies) @ turn_k(k, j, frequencies)

    return abs(score(first, second) - score(first + step, second + step))


def test_rotation_leaves_the_offset():
    def violation(x):
        x = np.clip(x, -10, 10)  # larger numbers would show rounding, and nothing else
        first, second, step = 20 * x[:3]
        return moved_score(first, second, step, x[3:7], x[7:11], frequencies=x[11:13])

    assert one_by_one(violation, lambda rng: rng.normal(size=13)).violation <= TINY
    q, k = np.random.default_rng(3).normal(size=(2, 8))

    def added(x, p, frequencies):
        return x + waves(p, frequencies)

    keys = {
        "keys are turned, too": lambda x, p, frequencies: x,
        "the same way round": lambda x, p, frequencies: turned(x, -p, frequencies),
        "at the same speed": lambda x, p, frequencies: turned(x, p, 2 * frequencies),
    }
    outside = {dropped: moved_score(3, 5, 7, q, k, turn_k=turn) for dropped, turn in keys.items()}
    outside["turned, not added"] = moved_score(3, 5, 7, q, k, turn_q=added, turn_k=added)
    seven, thirteen = (turned(q, 10, PAPER) @ turned(k, j, PAPER) for j in (7, 13))
    outside["the offset with its sign, not the distance"] = abs(seven - thirteen)
    assert each_breaks(outside)
    assert moved_score(3, 5, 7, q, k) < 1e-9


# Must a shift be a rotation? ---------------------------------------------------------------------------------------


def form_of_one_length(xs):
    """The symmetric form M with xᵀ M x = 1 for all x that is nearest to 0, and how far off it is."""
    d = xs.shape[1]
    upper = np.triu_indices(d)
    products = xs[:, upper[0]] * xs[:, upper[1]] * np.where(upper[0] == upper[1], 1, 2)
    entries, *_ = np.linalg.lstsq(products, np.ones(len(xs)), rcond=None)
    form = np.zeros((d, d))
    form[upper] = entries
    form = np.maximum(form, form.T) + np.minimum(form, form.T) - np.diag(entries[upper[0] == upper[1]])
    return form, np.abs(np.einsum("ni,ij,nj->n", xs, form, xs) - 1).max()


def orbit(a, x, n=40):
    xs = [x]
    for _ in range(n - 1):
        xs.append(a @ xs[-1])
    return np.array(xs)


def test_one_length_and_one_matrix():
    """No basis gives all encodings one length if an eigenvalue is off the unit circle and they span the space."""
    rng, passed = np.random.default_rng(4), 0
    for size in (1.0, 1.02, 0.98, 1.1, 0.9, 0.7):
        for _ in range(20):
            angles = rng.uniform(0.3, 2.8, size=2)
            blocks = np.zeros((4, 4))
            for i, (angle, r) in enumerate(zip(angles, (1, size), strict=True)):
                c, s = np.cos(angle), np.sin(angle)
                blocks[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = r * np.array([[c, s], [-s, c]])
            form, off = form_of_one_length(orbit(blocks, np.array([1.0, 0, 1, 0])))
            has_one = off < 1e-6 and np.linalg.eigvalsh(form).min() > 1e-6
            assert has_one == (size == 1)
            passed += has_one
    assert passed == 20  # the conditions can be met
    jordan = np.array([[1.0, 1], [0, 1]])  # size 1, but no basis of eigenvectors
    xs = orbit(jordan, np.array([0.0, 1]))
    form, off = form_of_one_length(xs)
    assert off > 1e-6 or np.linalg.eigvalsh(form).min() < 1e-6
    flat = orbit(np.diag([1.0, 0.5]), np.array([1.0, 0]))  # outside: encodings that don't span the space
    assert_allclose(np.linalg.norm(flat, axis=1), 1)
    grows = orbit(np.diag([2.0, 1]), np.array([1.0, 1]))  # outside: more than one length
    assert np.ptp(np.linalg.norm(grows, axis=1)) > 1


@pytest.mark.parametrize("angle", [1.0, 0.37, 2.2])
def test_a_shift_need_not_be_a_rotation(angle):
    """Constant length, full rank in R⁵, one matrix, and not orthogonal; and a reflection in R¹."""
    p = np.arange(60) * angle
    u = np.transpose([np.cos(p), np.sin(p), np.cos(2 * p), np.sin(2 * p), np.ones(60)])
    form = np.diag([1.5, 0.5, 1, 1, 1])
    form[2, 4] = form[4, 2] = -0.25
    assert np.linalg.eigvalsh(form).min() > 0.1
    xs = u @ np.linalg.cholesky(form)
    assert_allclose((xs**2).sum(axis=1), 3)
    assert np.linalg.matrix_rank(xs) == 5
    a = np.linalg.lstsq(xs[:-1], xs[1:], rcond=None)[0].T
    assert_allclose(xs[:-1] @ a.T, xs[1:], atol=1e-9)
    assert np.abs(a @ a.T - np.eye(5)).max() > 0.1
    assert_allclose(np.abs(np.linalg.eigvals(a)), 1, atol=1e-9)
    mirror = orbit(np.array([[-1.0]]), np.array([1.0]))[:, 0]
    assert_allclose(mirror[:4], [1, -1, 1, -1])
    assert np.linalg.det([[-1.0]]) < 0  # so no real half step B with B² = A: det B² is not below 0
