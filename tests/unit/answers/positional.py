"""Answers to chapter 1's exercises and to rotated scores: right ones; wrong ones with a word of their hint."""

import math

import numpy as np

from attn.positional import shift_matrix, sinusoidal_encoding
from tests.unit.answers.rotary_positions import turned

BASE = 10000


def by_loops(n_positions, d_model, base=BASE):
    return [
        [(math.cos if c % 2 else math.sin)(pos / base ** (2 * (c // 2) / d_model)) for c in range(d_model)]
        for pos in range(n_positions)
    ]


def waves(frequency, first=0, even=np.sin, odd=np.cos):
    """An encoding with frequency(column, d_model)."""

    def encode(n_positions, d_model):
        j = np.arange(d_model)
        angle = np.arange(first, first + n_positions)[:, None] * frequency(j, d_model)
        return np.where(j % 2, odd(angle), even(angle))

    return encode


def pairs(c, d):
    return BASE ** (-2 * (c // 2) / d)


def moved_on(encoding, angle, sign=-1):
    """Each pair turned by angle(i)."""
    moved = np.array(encoding)
    for i in range(moved.shape[1] // 2):
        s, c = encoding[:, 2 * i], encoding[:, 2 * i + 1]
        moved[:, 2 * i] = s * np.cos(angle(i)) + c * np.sin(angle(i))
        moved[:, 2 * i + 1] = c * np.cos(angle(i)) + sign * s * np.sin(angle(i))
    return moved


def shifting(angle=lambda offset, i, d: offset * BASE ** (-2 * i / d), **how):
    return lambda encoding, offset: moved_on(encoding, lambda i: angle(offset, i, encoding.shape[1]), **how)


def by_complex_numbers(encoding, offset):
    d_model = encoding.shape[1]
    z = encoding[:, 1::2] + 1j * encoding[:, 0::2]
    z = z * np.exp(1j * offset * BASE ** (-np.arange(0, d_model, 2) / d_model))
    return np.stack([z.imag, z.real], axis=-1).reshape(encoding.shape)


def as_halves(encoding, offset):
    there = np.arange(encoding.shape[1]).reshape(2, -1).T.ravel()
    return shifting()(encoding[:, there], offset)[:, np.argsort(there)]


def into_integers(n_positions, d_model):
    return np.array(by_loops(n_positions, d_model)).astype(int)


def reading(closeness, best=np.argmax, n=1000):
    """The position whose row is closest: closeness(rows, row), by default up to 999."""
    return lambda row: int(best(closeness(sinusoidal_encoding(n, len(row)), row)))


def products(rows, row):
    return rows @ row


def turning(q, k, p, j, **how):
    """Chapter 1 turns with the clock, chapter 8 against it."""
    return turned(q, -np.array(p), **how) @ turned(k, -np.array(j), **how).T


def with_encodings(q, k, p, j):
    q, k = (x + sinusoidal_encoding(max(at) + 1, x.shape[1])[at] for x, at in ((q, p), (k, j)))
    return q @ k.T


RIGHT = {
    "sinusoidal": [by_loops],
    "shifted": [by_complex_numbers],
    "read_position": [reading(products)],
    "rotary_scores": [turning],
}

WRONG = {
    "sinusoidal": [
        (waves(lambda c, d: BASE ** (-2 * c / d)), "exponent is doubled.*2i / d_model"),  # source 003
        (waves(lambda c, d: BASE ** (-(c // 2) / d)), "exponent is half.*2i / d_model"),
        (waves(lambda c, d: BASE ** (-c / d)), "frequency"),
        (
            waves(pairs, even=np.cos, odd=np.sin),
            "Sine and cosine are swapped: the even dimensions are sines, the odd ones cosines",
        ),
        (waves(pairs, odd=np.sin), "only sines.*odd dimensions are cosines"),
        (waves(pairs, even=np.cos), "only cosines.*even dimensions are sines"),
        (waves(pairs, first=1), "position.*start at 1.*first word stands at position 0"),
        (lambda n, d: np.hstack([waves(pairs)(n, d)[:, i::2] for i in (0, 1)]), "sines"),
        (lambda n, d: waves(pairs)(n, d).T, "transposed.*positions are rows.*dimensions are columns"),
        (
            waves(lambda c, d: np.exp(-2 * (c // 2) * np.log10(BASE) / d)),
            r"logarithm.*exp\(−\(2i / d_model\) · ln\(10000\)\)",
        ),
        (waves(lambda c, d: pairs(c, d) * np.pi / 180), "degrees"),
        (waves(lambda c, d: 2 * np.pi * pairs(c, d)), "2π.*fastest pair turns by 1 rad"),
        (waves(lambda c, d: 1 / pairs(c, d)), "grow"),
        (waves(lambda c, d: 1), "frequenc"),
        (
            waves(lambda c, d: BASE ** (-(c // 2) / max(d / 2 - 1, 1))),
            "exactly 1/10000.*divides by d_model/2 − 1.*divides 2i by d_model",
        ),
        (
            waves(lambda c, d: np.where(c < 2, np.inf, d / (2 * BASE * np.maximum(c // 2, 1)))),
            r"power.*10000 \*\* \(2i / d_model\)",
        ),
        (into_integers, "integer"),
    ],
    "shifted": [
        (
            lambda encoding, offset: encoding @ shift_matrix(offset, encoding.shape[1]),
            r"other way.*sin·cos\(ωo\) \+ cos·sin\(ωo\)",
        ),
        (shifting(sign=1), r"sign.*cos\(a \+ b\) = cos a cos b − sin a sin b has"),
        (lambda e, o: e + sinusoidal_encoding(abs(o) + 1, e.shape[1])[abs(o)], "turn"),
        (lambda e, o: e + o, "added"),
        (lambda e, o: e[(np.arange(len(e)) + o) % len(e)], "roll"),
        (lambda e, o: e, "offset"),
        (lambda e, o: shifting()(sinusoidal_encoding(*e.shape), o), "positions 0, 1, 2"),
        (shifting(lambda offset, i, d: offset), "angle"),
        (
            shifting(lambda offset, i, d: offset * BASE ** (-4 * i / d)),
            r"exponent.*offset · 10000 \*\* \(−2i / d_model\)",
        ),
        (shifting(lambda offset, i, d: offset * BASE ** (-2 * i / d) * np.pi / 180), "degrees"),
        (as_halves, "half"),
    ],
    "read_position": [
        (lambda row: np.round(np.arctan2(row[0], row[1]) % (2 * np.pi)), r"clock.*every 6\.28 positions"),
        (lambda row: round(np.angle(row[1] + 1j * row[0])), "arctan2"),
        (lambda row: int(np.abs(np.sin(np.arange(1000.0)) - row[0]).argmin()), "first number"),
        (lambda row: 1 + reading(products)(row), "One too many.*first position"),
        (lambda row: reading(products)(row) - 1, "One too few.*first position"),
        (reading(products, n=100), "999"),
        (reading(products, np.argmin), "position least like.*largest inner product"),
    ],
    "rotary_scores": [
        (lambda q, k, p, j: q @ k.T, "turned"),
        (
            lambda q, k, p, j: turning(q, k, p, 0 * j),
            "Only the queries are turned: then a score depends on where the query stands",
        ),
        (
            lambda q, k, p, j: turning(q, k, 0 * p, j),
            "Only the keys are turned: then a score depends on where the key stands",
        ),
        (lambda q, k, p, j: turning(q, k, -p, -j), r"offset 3 gives what offset −3.*becomes a cos \+ b sin"),
        (lambda q, k, p, j: turning(q, k, p, -j), r"the \*sum\* of the positions"),
        (lambda *case: turning(*case, omega=lambda i, d: 1), r"frequency.*10000 \*\* \(−2i / d\)"),
        (
            lambda *case: turning(*case, omega=lambda i, d: 10.0 ** (-16 * i / d)),
            r"exponent.*10000 \*\* \(−2i / d\)",
        ),
        (lambda q, k, p, j: turning(q, k, p * np.pi / 180, j * np.pi / 180), "degrees"),
        (lambda *case: turning(*case, pair=lambda i, d: (i, i + d // 2)), "half"),
        (with_encodings, "added"),
        (lambda q, k, p, j: turning(q, k, range(len(q)), range(len(k))), "positions 0, 1, 2"),
        (lambda q, k, p, j: turning(q, k, p, j) / q.shape[1] ** 0.5, r"Divided by √d\?.*scale"),
        (lambda q, k, p, j: turning(q, k, p, j + (np.arange(len(j)) == 0)), "position"),
    ],
}
