"""The checkers of the exercises on positions: right answers of every style pass, known wrong ones get their hint."""

import math

import numpy as np
import pytest

from attn.positional import shift_matrix, sinusoidal_encoding
from tests.unit.checkers import assert_hint, assert_passes

BASE = 10000


def by_loops(n_positions, d_model):
    rows = []
    for pos in range(n_positions):
        row = []
        for i in range(d_model // 2):
            angle = pos / BASE ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return rows


def by_exp_and_log(n_positions, d_model):
    omega = np.exp(-np.arange(0, d_model, 2) * np.log(BASE) / d_model)
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2] = np.sin(np.arange(n_positions)[:, None] * omega)
    encoding[:, 1::2] = np.cos(np.arange(n_positions)[:, None] * omega)
    return encoding


def by_phase(n_positions, d_model):
    """A cosine is a sine a quarter turn ahead."""
    column = np.arange(d_model)
    angle = np.arange(n_positions)[:, None] / BASE ** (2 * (column // 2) / d_model)
    return np.sin(angle + (column % 2) * np.pi / 2)


def by_complex_numbers(encoding, offset):
    d_model = encoding.shape[1]
    z = encoding[:, 1::2] + 1j * encoding[:, 0::2]
    z = z * np.exp(1j * offset * BASE ** (-np.arange(0, d_model, 2) / d_model))
    return np.stack([z.imag, z.real], axis=-1).reshape(encoding.shape)


def by_rotation(encoding, offset):
    turn = offset / BASE ** (np.arange(0, encoding.shape[1], 2) / encoding.shape[1])
    s, c = encoding[:, 0::2], encoding[:, 1::2]
    out = np.zeros_like(encoding)
    out[:, 0::2] = s * np.cos(turn) + c * np.sin(turn)
    out[:, 1::2] = c * np.cos(turn) - s * np.sin(turn)
    return out


def by_least_squares(encoding, offset):
    """Learn the matrix from known positions, then use it."""
    known = sinusoidal_encoding(60, encoding.shape[1])
    start, end = (known[10:40], known[10 + offset : 40 + offset])
    return encoding @ np.linalg.lstsq(start, end, rcond=None)[0]


RIGHT = {
    "sinusoidal": [
        by_loops,
        by_exp_and_log,
        by_phase,
        lambda n, d: by_exp_and_log(n, d).astype(np.float32),
        sinusoidal_encoding,
    ],
    "shifted": [
        by_complex_numbers,
        by_rotation,
        by_least_squares,
        lambda encoding, offset: encoding @ shift_matrix(offset, encoding.shape[1]).T,
    ],
    "read_position": [
        lambda row: int(np.argmax(sinusoidal_encoding(1000, len(row)) @ row)),
        lambda row: np.argmin(np.linalg.norm(sinusoidal_encoding(1000, len(row)) - row, axis=1)),
    ],
}


@pytest.mark.parametrize(
    ("name", "function"), [(name, function) for name, functions in RIGHT.items() for function in functions]
)
def test_right_answers_pass(name, function, capsys):
    assert_passes(name, function, capsys)


def waves(frequency, first=0):
    def encode(n_positions, d_model):
        j = np.arange(d_model)
        angle = np.arange(first, first + n_positions)[:, None] * frequency(j, d_model)
        return np.where(j % 2, np.cos(angle), np.sin(angle))

    return encode


def in_degrees(n_positions, d_model):
    column = np.arange(d_model)
    angle = np.arange(n_positions)[:, None] / BASE ** (2 * (column // 2) / d_model) * np.pi / 180
    return np.where(column % 2, np.cos(angle), np.sin(angle))


def into_integers(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model), dtype=int)
    encoding[:] = sinusoidal_encoding(n_positions, d_model)
    return encoding


def in_place(encoding, offset):
    encoding[:, 0::2], encoding[:, 1::2] = (
        by_rotation(encoding, offset)[:, 0::2],
        by_rotation(encoding, offset)[:, 1::2],
    )
    return encoding


WRONG = {
    "the source's doubled exponent": (
        "sinusoidal",
        lambda n, d: [
            [(math.cos if i % 2 else math.sin)(p / BASE ** (2 * i / d)) for i in range(d)] for p in range(n)
        ],
        ["i counts pairs, not dimensions", "dimension 1"],
    ),
    "sine and cosine swapped": (
        "sinusoidal",
        lambda n, d: sinusoidal_encoding(n, d).reshape(n, d // 2, 2)[:, :, ::-1].reshape(n, d),
        ["swapped"],
    ),
    "log10 for ln": (
        "sinusoidal",
        waves(lambda j, d: np.exp(-2 * (j // 2) * np.log10(BASE) / d)),
        ["wrong logarithm"],
    ),
    "no ln at all": ("sinusoidal", waves(lambda j, d: np.exp(-2 * (j // 2) / d * BASE)), ["wrong logarithm"]),
    "positions from 1": (
        "sinusoidal",
        lambda n, d: sinusoidal_encoding(n + 1, d)[1:],
        ["start at 1", "Position 0, dimension 0 is 0.8415; it should be sin(0 / 1) = 0"],
    ),
    "degrees": ("sinusoidal", in_degrees, ["degrees"]),
    "dimension for pair": ("sinusoidal", waves(lambda j, d: BASE ** (-j / d)), ["frequency of its own"]),
    "all sines first": (
        "sinusoidal",
        lambda n, d: np.hstack([sinusoidal_encoding(n, d)[:, i::2] for i in (0, 1)]),
        ["All sines come first"],
    ),
    "the minus is lost": ("sinusoidal", waves(lambda j, d: BASE ** (2 * (j // 2) / d)), ["grow"]),
    "base 1000": ("sinusoidal", lambda n, d: sinusoidal_encoding(n, d, 1000), ["it should be"]),
    "whole numbers": ("sinusoidal", into_integers, ["integer dtype"]),
    "one row": ("sinusoidal", lambda n, d: sinusoidal_encoding(n, d)[-1], ["shape (2,)", "(1, 2)"]),
    "a tuple": ("sinusoidal", lambda n, d: (0, 1), ["tuple of 2"]),
    "NaN": ("sinusoidal", lambda n, d: np.full((n, d), np.nan), ["NaN"]),
    "the wrong way": (
        "shifted",
        lambda encoding, offset: encoding @ shift_matrix(offset, encoding.shape[1]),
        ["the other way", "should become position 1"],
    ),
    "encodings added": (
        "shifted",
        lambda encoding, offset: (
            encoding + sinusoidal_encoding(abs(offset) + 1, encoding.shape[1])[abs(offset)]
        ),
        ["they turn"],
    ),
    "one angle for all": (
        "shifted",
        lambda e, o: e @ np.kron(np.eye(e.shape[1] // 2), shift_matrix(o, 2)).T,
        ["same angle"],
    ),
    "writes into its input": ("shifted", in_place, ["changed its input encoding"]),
    "first clock only": (
        "read_position",
        lambda row: np.round(np.arctan2(row[0], row[1]) % (2 * np.pi)),
        ["fastest clock"],
    ),
    "too few": (
        "read_position",
        lambda row: int(np.argmax(sinusoidal_encoding(100, len(row)) @ row)),
        ["too few positions", "this is position"],
    ),
    "from 1": (
        "read_position",
        lambda row: 1 + int(np.argmax(sinusoidal_encoding(1000, len(row)) @ row)),
        ["One too many", "It says position 1, but this is position 0"],
    ),
}


@pytest.mark.parametrize(("name", "function", "words"), WRONG.values(), ids=WRONG)
def test_wrong_answers_get_their_hint(name, function, words, capsys):
    assert_hint(name, function, words, capsys, lines=6, characters=900)
