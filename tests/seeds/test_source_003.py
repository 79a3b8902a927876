"""What source 003 prints about positions, reproduced. What its error does, the chapter prints.

Source 003 encodes "Hello World" with d_model 4 and puts the *dimension* index into the exponent 2i/d_model, where the
paper counts *pairs*. So its exponents are 0, 1/2, 1, 3/2 instead of 0, 0, 1/2, 1/2: doubled. The heads that it goes on
with belong to chapter 4.
"""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

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


def test_whole_numbers_as_embeddings_would_lose_the_encoding():
    """The source copies the dtype of its embeddings: it works because they are float64."""
    kept = np.zeros_like(E.astype(np.int64))
    kept[...] = doubled_exponent(2, 4)
    assert_array_equal(kept, [[0, 1, 0, 1], [0, 0, 0, 0]])
