"""What source 003 prints about positions, reproduced; its error is named and pinned.

Source 003 encodes "Hello World" with d_model 4 and puts the *dimension* index into the exponent 2i/d_model, where the
paper counts *pairs*. So its exponents are 0, 1/2, 1, 3/2 instead of 0, 0, 1/2, 1/2: doubled. The heads that it goes on
with belong to chapter 4.
"""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from attn.positional import sinusoidal_encoding

E = np.array([[1, 2, 3, 4], [2, 3, 4, 5]], dtype=np.float64)
ENCODINGS = [[0.0, 1.0, 0.0, 1.0], [0.84147098, 0.99995, 0.0001, 1.0]]
EIGHTH = 0.5e-8  # NumPy prints eight decimals


def doubled_exponent(n_positions, d_model, base=10000):
    """What source 003 computes: sine and cosine of pos / base ** (2 · dimension / d_model)."""
    return np.array(
        [
            [(math.cos if i % 2 else math.sin)(pos / base ** (2 * i / d_model)) for i in range(d_model)]
            for pos in range(n_positions)
        ]
    )


def test_the_printed_encodings():
    assert_allclose(doubled_exponent(2, 4), ENCODINGS, rtol=0, atol=EIGHTH)


def test_the_papers_exponent_gives_other_numbers():
    assert_allclose(sinusoidal_encoding(2, 4)[1], [0.8415, 0.5403, 0.0100, 0.99995], rtol=0, atol=5e-5)
    world = (E + sinusoidal_encoding(2, 4))[1]
    assert_allclose(world, [2.8415, 3.5403, 4.0100, 5.99995], rtol=0, atol=5e-5)
    # Position 0 and the first dimension can't tell the two apart.
    assert_array_equal(sinusoidal_encoding(2, 4)[0], doubled_exponent(2, 4)[0])
    assert sinusoidal_encoding(2, 4)[1, 0] == doubled_exponent(2, 4)[1, 0]


def test_with_the_doubled_exponent_the_inner_product_moves():
    """Positions 3 apart, the first from 0 to 60: 0.72 to 2.00. With the paper's exponent it stays at 0.0096."""
    ours, theirs = sinusoidal_encoding(64, 4), doubled_exponent(64, 4)
    moving = (theirs[:61] * theirs[3:]).sum(axis=1)
    assert_allclose([moving.min(), moving.max()], [0.72, 2.00], atol=5e-3)
    still = (ours[:61] * ours[3:]).sum(axis=1)
    assert_allclose(still, math.cos(3) + math.cos(0.03), atol=1e-14)
    assert_allclose(still, 0.0096, atol=5e-5)


def test_whole_numbers_as_embeddings_would_lose_the_encoding():
    """The source copies the dtype of its embeddings: it works because they are float64."""
    kept = np.zeros_like(E.astype(np.int64))
    kept[...] = doubled_exponent(2, 4)
    assert_array_equal(kept, [[0, 1, 0, 1], [0, 0, 0, 0]])
