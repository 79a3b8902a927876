"""How the book writes a number: one rule for pictures, pages, worksheets and checkers.

* A whole number is bare, 0 has no sign, and minus is U+2212.
* Any other number has two decimals, or as many as are asked for. It is rounded by its exact value, a tie away from
  zero: 0.125 is 0.13. What rounds to zero keeps its sign: −0.00 is a little below 0.
* From a million on it is a number and a power of ten, with no zeros at its end: −1e8, 1.23e6.
* A weight, beyond that, is not rounded to 0 or 1: <.01 and >.99 stand for what is close to them.

``explore/js/number.js`` is the same rule for the page; a test compares the two on a million numbers. Python's own
formats send a tie to the even digit and JavaScript's away from zero, so neither is used here as it stands.
"""

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from math import isfinite, isnan

#: A letter with an index, as a label has it: d_k and σ_q, but not the end of a name.
INDEXED = re.compile(r"(?<!\w)([dσμ])_([a-z])(?!\w)")
LARGE = 1e6  # from here on as a power of ten
WHOLE = 1e-12  # a weight this near to 1 is 1: so far rounding takes a softmax

_EXACT = Context(
    prec=400, rounding=ROUND_HALF_UP
)  # no double has more digits than that before the 100th decimal


def number(value: float, decimals: int = 2) -> str:
    """Return a number as text: two decimals, whole numbers bare, a true minus."""
    value = float(value)
    if isnan(value):
        return "NaN"
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    size = Decimal(abs(value))
    if abs(value) >= LARGE:
        text = _power_of_ten(_significant(size, decimals + 1))
    elif value.is_integer():
        text = str(int(size))
    else:
        text = str(size.quantize(Decimal(1).scaleb(-decimals), context=_EXACT))
    return f"−{text}" if value < 0 else text


def weight(value: float, most: int = 2) -> str:
    """Return an attention weight, or a sum of weights, as text: never 0 or 1 unless it is.

    One that ends after `most` decimals has them all: with three, 0.125 and 0.875 still sum to one.
    """
    if abs(value - 1) < WHOLE:
        return "1"
    if 0 < value < 0.01:
        return "<.01"
    if 0.99 < value < 1:
        return ">.99"
    whole = 0 < value < 1 and _ends(value, most) and not _ends(value, 2)
    return number(value, most if whole else 2)


def _ends(value: float, decimals: int) -> bool:
    return abs(value * 10**decimals - round(value * 10**decimals)) < 1e-9


def grouped(value: float) -> str:
    """Return a number as a menu has it, its thousands parted by commas: 10,000."""
    whole, point, rest = number(value).partition(".")
    return f"{int(whole):,}{point}{rest}" if whole.isdigit() else whole + point + rest


def significant(value: float, digits: int = 4) -> str:
    """Return a number with so many digits, and no zeros at its end, as Python spells it: −inf is -inf.

    For the cases that checkers show: their numbers are of any size, and people paste them into Python.
    """
    value = float(value)
    if not isfinite(value):
        return str(value)
    if value == 0:
        return "0"
    size = _significant(Decimal(abs(value)), digits)
    plain = -5 < size.adjusted() < digits
    text = f"{size.normalize(_EXACT):f}" if plain else _power_of_ten(size)
    return f"-{text}" if value < 0 else text


def _significant(size: Decimal, digits: int) -> Decimal:
    return size.quantize(Decimal(1).scaleb(size.adjusted() - digits + 1), context=_EXACT)


def _power_of_ten(size: Decimal) -> str:
    head = size.scaleb(-size.adjusted(), _EXACT).normalize(_EXACT)
    return f"{head:f}e{size.adjusted()}"
