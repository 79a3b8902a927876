"""How numbers are written: the rule, word for word, and that Python and the page agree on a million of them."""

import numpy as np
import pytest

from attn._numbers import grouped, number, significant, weight
from attn.check._cases import show as show_case
from attn.explore._base import module_source
from attn.practice.worksheets import show
from attn.show import plots
from tests import tiers
from tests.unit.node import answer

INF = float("inf")

# Written by hand from the rule: value, as a number, as a weight.
TABLE = [
    (0.0, "0", "0"),
    (-0.0, "0", "0"),
    (1.0, "1", "1"),
    (-2.0, "−2", "−2"),
    (12.0, "12", "12"),
    (12.5, "12.50", "12.50"),
    (0.5, "0.50", "0.50"),
    (1.74, "1.74", "1.74"),
    (1.24, "1.24", "1.24"),
    (2.0, "2", "2"),
    # ties go away from zero, to even and odd digits alike
    (0.125, "0.13", "0.13"),
    (0.375, "0.38", "0.38"),
    (-0.125, "−0.13", "−0.13"),
    (2.625, "2.63", "2.63"),
    # they look like ties, but the binary number is a little less, or a little more
    (1.005, "1.00", "1.00"),
    (0.025, "0.03", "0.03"),
    (0.045, "0.04" if 0.045 < 45 / 1000 else "0.04", "0.04"),
    (0.004, "0.00", "<.01"),
    (-0.004, "−0.00", "−0.00"),
    (1e-12, "0.00", "<.01"),
    (5e-324, "0.00", "<.01"),
    (0.01, "0.01", "0.01"),
    (0.99, "0.99", "0.99"),
    (0.991, "0.99", ">.99"),
    (0.996, "1.00", ">.99"),
    (1 - 1e-11, "1.00", ">.99"),
    (1 - 1e-13, "1.00", "1"),
    (1 + 1e-13, "1.00", "1"),
    (1.004, "1.00", "1.00"),
    (-1e8, "−1e8", "−1e8"),
    (-1e9, "−1e9", "−1e9"),
    (123456.0, "123456", "123456"),
    (999999.0, "999999", "999999"),
    (1e6, "1e6", "1e6"),
    (1234567.0, "1.23e6", "1.23e6"),
    (1235000.0, "1.24e6", "1.24e6"),
    (9999999.0, "1e7", "1e7"),
    (1e300, "1e300", "1e300"),
    (INF, "∞", "∞"),
    (-INF, "−∞", "−∞"),
    (float("nan"), "NaN", "NaN"),
]


@pytest.mark.parametrize(("value", "as_number", "as_weight"), TABLE)
def test_the_rule_in_python(value, as_number, as_weight):
    assert (number(value), weight(value)) == (as_number, as_weight)
    assert (plots.number(value), plots.number(value, weight=True)) == (as_number, as_weight)


def in_node(values, decimals=2, most=2):
    """(as a number, as a weight) of numbers, as number.js writes them; JSON loses none of their bits."""
    code = f"values.map((value) => [number(value, {decimals}), weightText(value, {most})])"
    return list(map(tuple, answer(module_source("number"), code, values=values)))


def many():
    """A million numbers: of every size, near the borders, and ties."""
    rng = np.random.default_rng(13)
    sizes = 10.0 ** rng.uniform(-14, 12, 300_000) * rng.choice([-1, 1], 300_000)
    ties = rng.integers(-(10**6), 10**6, 250_000) / 8  # every fourth of them ends in 125, 375, 625 or 875
    halves = rng.integers(-(10**8), 10**8, 100_000) / 100 + 0.005  # what looks like a tie in decimals
    weights = rng.uniform(-0.1, 2, 250_000)
    near = rng.choice([0, 0.01, 0.99, 1, 1e6, -1e6, 1e8, 9.995e6], 50_000) + rng.normal(
        size=50_000
    ) * 10.0 ** rng.integers(-17, 1, 50_000)
    large = np.floor(10.0 ** rng.uniform(6, 22, 50_000)) * rng.choice([-1, 1], 50_000)
    edges = [value for value, *_ in TABLE]
    return np.concatenate([edges, sizes, ties, halves, weights, near, large])


def test_python_and_javascript_agree_on_a_million_numbers():
    values = many()
    assert len(values) > 1_000_000
    values = (values if tiers.ALL else values[::20]).tolist()
    for value, theirs in zip(values, in_node(values), strict=True):
        assert theirs == (number(value), weight(value)), repr(value)


@pytest.mark.parametrize("decimals", [0, 1, 3, 4])
def test_they_agree_with_other_decimals(decimals):
    values = many()[::50].tolist()
    for value, (theirs, _) in zip(values, in_node(values, decimals), strict=True):
        assert theirs == number(value, decimals), repr(value)


def test_a_weight_between_two_hundredths_is_written_out():
    wanted = {
        0.125: "0.125",
        0.875 + 1e-16: "0.875",
        0.13125: "0.13",
        0.25: "0.25",
        0.3: "0.30",
        1 / 3: "0.33",
        2.0: "2",
    }
    assert [weight(value, 3) for value in wanted] == list(wanted.values())
    values = [*wanted, *many()[::50].tolist(), *(np.arange(2001) / 2000).tolist()]
    for value, (_, theirs) in zip(values, in_node(values, most=3), strict=True):
        assert theirs == weight(value, 3), repr(value)
    for hundredths in np.arange(1.5, 99, 0.5):
        assert float(weight(hundredths / 100, 3)) + float(weight(1 - hundredths / 100, 3)) == pytest.approx(
            1, abs=1e-12
        )


def test_as_many_decimals_as_needed():
    """Probabilities have two decimals to four; what a reader typed, up to four."""
    wanted = [
        (0.2, 2, 4, "0.20"), (0.125, 2, 4, "0.125"), (1.0, 2, 4, "1.00"), (0.0, 2, 4, "0.00"), (1 / 3, 2, 4, "0.3333"),
        (0.30000000000000004, 2, 4, "0.30"), (-0.255, 0, 4, "−0.255"), (1000.0, 0, 4, "1000"), (6.8, 0, 2, "6.8"),
    ]  # fmt: skip
    calls = ", ".join(f"needed({value!r}, {least}, {most})" for value, least, most, _ in wanted)
    assert answer(module_source("number"), f"[{calls}]") == [text for *_, text in wanted]


def test_three_digits_of_any_size():
    wanted = {0.000123: "0.00012", 0.5: "0.50", 2.0: "2", 12.34: "12.34", 99.96: "100", 1024.4: "1024"}
    calls = ", ".join(f"digits({value!r})" for value in wanted)
    assert answer(module_source("number"), f"[{calls}]") == list(wanted.values())


def test_thousands_are_parted_alike():
    wanted = {0: "0", 10: "10", 999: "999", 1000: "1,000", 20000: "20,000", 500000: "500,000"}
    calls = ", ".join(f"grouped({value})" for value in wanted)
    assert answer(module_source("number"), f"[{calls}]") == list(wanted.values())
    assert [grouped(value) for value in wanted] == list(wanted.values())
    assert [grouped(value) for value in (2.5, 1234.5)] == ["2.50", "1,234.50"]


def test_rounding_is_that_of_the_exact_value():
    """By whole numbers, without decimals: n hundredths, where 2n − 1 ≤ 200 |x| < 2n + 1 holds for the exact value."""
    for value in many()[:400_000:7]:
        if value.is_integer() or abs(value) >= 1e6:
            continue
        above, below = float(value).as_integer_ratio()
        n = int(number(value).lstrip("−").replace(".", ""))
        assert (2 * n - 1) * below <= 200 * abs(above) < (2 * n + 1) * below, repr(value)


def test_a_worksheet_wipes_the_dust_off():
    shown = [show(value) for value in (3, 2.0000000004, -4.0, 0.125, -2.5, 0.1 + 0.2)]
    assert shown == ["3", "2", "−4", "0.13", "−2.50", "0.30"]


DIGITS = [
    (0.0, "0"), (-0.0, "0"), (1 / 3, "0.3333"), (-2 / 3, "-0.6667"), (0.5, "0.5"), (2.0, "2"), (1000.0, "1000"),
    (12345.0, "1.235e4"), (12355.0, "1.236e4"), (99995.0, "1e5"), (9999.4, "9999"), (9999.6, "1e4"), (1e-9, "1e-9"),
    (0.0001234, "0.0001234"), (0.00001234, "1.234e-5"), (1e300, "1e300"), (-INF, "-inf"), (INF, "inf"),
    (float("nan"), "nan"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), DIGITS)
def test_a_checker_shows_four_digits_that_python_reads(value, text):
    assert significant(value) == show_case(value) == text
    assert float(text) == pytest.approx(value, rel=6e-4, nan_ok=True)
