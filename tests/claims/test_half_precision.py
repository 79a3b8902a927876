"""The page on half precision: its bfloat16 is rounded as defined."""

from fractions import Fraction

import numpy as np
import pytest

from tests.claims.pages import page_cells

PAGE = "chapters/further/03_half_precision"


@pytest.fixture(scope="module")
def page():
    """The names that the page's cells leave behind."""
    names = {}
    for cell in page_cells(PAGE):
        tags = cell["metadata"].get("tags", [])
        if cell["cell_type"] == "code" and cell["id"] != "ties" and "says" not in tags:
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
