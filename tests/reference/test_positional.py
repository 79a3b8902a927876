"""The encoding and its shift against PyTorch's golden vectors (made by make_positional.py)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn.positional import angular_frequencies, shift_matrix, sinusoidal_encoding
from tests.reference.golden import Golden

NAMES, GOLDEN = Golden("positional").cases("settings"), Golden("positional").arrays


@pytest.mark.parametrize("name", NAMES)
def test_encoding(name):
    n, d_model, base = GOLDEN[f"{name}/settings"]
    encoding = sinusoidal_encoding(np.int64(n), np.int32(d_model), base)
    assert_allclose(encoding, GOLDEN[f"{name}/encoding"], rtol=0, atol=1e-13)
    assert_allclose(angular_frequencies(int(d_model), base), GOLDEN[f"{name}/frequencies"], rtol=1e-14)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("offset", [3, -7, 0.5])
def test_shift(name, offset):
    n, d_model, base = GOLDEN[f"{name}/settings"]
    shifted = sinusoidal_encoding(int(n), int(d_model), base) @ shift_matrix(offset, int(d_model), base).T
    assert_allclose(shifted, GOLDEN[f"{name}/shifted/{offset:g}"], rtol=0, atol=1e-13)


def test_far_out():
    far = GOLDEN["far/positions"].astype(int)
    encoding = sinusoidal_encoding(far.max() + 1, 64)[far]
    assert_allclose(encoding, GOLDEN["far/encoding"], rtol=0, atol=1e-11)
