"""The page on half precision: its bfloat16 is rounded as defined; overflow, masks that are added, sums that stop."""

from fractions import Fraction

import numpy as np
import pytest

from attn.attention import scaled_dot_product_attention
from tests.claims.pages import page_cells

PAGE = "chapters/further/03_half_precision"


@pytest.fixture(scope="module")
def page():
    """The names that the page's cells leave behind."""
    names = {}
    for cell in page_cells(PAGE):
        if cell["cell_type"] == "code" and cell["id"] != "ties":
            exec("".join(cell["source"]), names)
    return names


def by_definition(x, digits, smallest, largest):
    """The nearest of the numbers m · 2^e with so many binary digits; a tie goes to the even m. Exact fractions."""
    x = Fraction(float(x))
    if x == 0:
        return 0.0
    e = smallest
    while abs(x) >= Fraction(2) ** (e + digits):
        e += 1
    while e > smallest and abs(x) < Fraction(2) ** (e + digits - 1):
        e -= 1
    rounded = round(x / Fraction(2) ** e) * Fraction(2) ** e  # round() takes ties to even
    return float(rounded) if abs(rounded) <= largest else float(np.copysign(np.inf, float(x)))


def test_bfloat16_is_the_nearest_of_its_numbers(page):
    rng = np.random.default_rng(0)
    bits = rng.integers(2**32, size=1500, dtype=np.uint64).astype(np.uint32).view(np.float32)
    ties = [1 + k / 256 for k in range(1, 40)] + [3.39e38, 3.4e38, -3.4e38, 65504, 0.0, 1e-40]
    largest = Fraction(2) ** 128 - Fraction(2) ** 120
    for x in np.concatenate([bits[np.isfinite(bits)], np.array(ties, np.float32)]):
        assert page["bf16"](x) == by_definition(x, 8, -133, largest), x
    assert page["bf16"](np.float32(np.inf)) == np.inf


def test_float16_ends_at_65504(page):
    q, k = page["q"], page["k"]
    assert float(np.finfo(np.float16).max) == 65504
    assert (q[0].astype(float) @ k[0].astype(float)) == 65536
    assert np.isinf(page["after"]).all()
    assert np.isnan(page["weights_after"]).all()
    assert page["before"].tolist() == [[8192, -8192]]
    assert float(page["bf16"](65536.0)) == 65536
    assert np.linalg.norm(q.astype(float)) == 256


def test_attn_computes_float16_in_float32():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 5, 64)).astype(np.float16) * 4
    output, weights = scaled_dot_product_attention(q, k, v)
    wide = scaled_dot_product_attention(*(x.astype(np.float32) for x in (q, k, v)))
    assert output.dtype == weights.dtype == np.float16
    assert (output == wide[0].astype(np.float16)).all()
    assert (weights == wide[1].astype(np.float16)).all()


def test_two_lowest_numbers_add_to_minus_infinity(page):
    low = {"float16": np.finfo(np.float16).min, "float32": np.finfo(np.float32).min}
    with np.errstate(over="ignore"):
        assert all(low + low == -np.inf for low in low.values())
        lowest = page["bf16"](-3.39e38)
        assert np.isfinite(lowest)
        assert page["bf16"](lowest + lowest) == -np.inf
        hidden = np.float16(low["float16"]) + np.array([15.9, -15.9, -16, -40], np.float16)
    assert hidden.tolist() == [-65504, -65504, -np.inf, -np.inf]
    seen = np.exp(page["added"].astype(float) - page["added"].max(axis=1, keepdims=True))
    np.testing.assert_allclose((seen / seen.sum(axis=1, keepdims=True))[0], [1 / 3, 0, 1 / 3, 1 / 3])
    assert (seen[2:] > 0).tolist() == [[False, False, True, False], [False, False, True, True]]
    assert len(set(page["once"][0])) == 1  # once: a row of padding is uniform, over what it may not see too
    assert np.isfinite(page["once"]).all()


def test_a_running_sum_of_ones_stops(page):
    assert [page["running"](round_, 4096) for round_ in page["types"].values()] == [2048, 256, 4096]
    assert np.ones(4096, np.float16).sum() == np.ones((2, 4096), np.float16).sum(axis=-1)[0] == 4096
    assert (np.ones((4096, 2), np.float16).sum(axis=0) == 2048).all()
    rows = np.random.default_rng(0).normal(size=(500, 4096)).astype(np.float16)
    assert (rows.sum(axis=-1) == rows.sum(axis=-1, dtype=np.float32).astype(np.float16)).all()


def test_where_the_bits_go(page):
    half, single = np.finfo(np.float16), np.finfo(np.float32)
    assert (half.nexp, half.nmant, single.nexp, single.nmant) == (5, 10, 8, 23)
    bf16 = page["bf16"]
    x = np.arange(8, 16, 1 / 16)
    assert (bf16(x) == x).all()
    assert len(np.unique(bf16(np.linspace(8, 16, 100_000, endpoint=False)))) == len(x) + 1  # and 16
    assert (bf16(x).view(np.uint32) & 0xFFFF == 0).all()  # the first half of a float32
    near = np.array([65504, np.nextafter(np.float16(65504), np.float16(0))], float)
    assert near[0] - near[1] == 32
    with np.errstate(over="ignore"):
        assert np.array(-1e9).astype(np.float16) == -np.inf


def test_ties_are_as_frequent_with_other_seeds(page):
    """The page has 90 and 44 of 3,000 in bfloat16, 11 and 6 in float16: four standard errors around that."""
    rng, n = np.random.default_rng(2026), 1000
    seen = np.zeros(4)
    for _ in range(n):
        logits = 3 * rng.normal(size=32_000).astype(np.float32)
        for i, rounded in enumerate((page["bf16"](logits), logits.astype(np.float16))):
            seen[2 * i] += (rounded == rounded.max()).sum() > 1
            seen[2 * i + 1] += rounded.argmax() != logits.argmax()
    stated = np.array([90, 44, 11, 6]) / 3000
    assert (np.abs(seen / n - stated) < 4 * np.sqrt(stated * (1 / n + 1 / 3000))).all(), seen
