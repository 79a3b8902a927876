"""A sentence that prints itself: the page's own words, with the numbers that its own variables give.

The last cells of a page (tagged ``says``, hidden in the book) call :func:`says` for each sentence that states a
number or a direction. One test compares what they print with what is stored, another finds each printed line in the
page's text. A synonym may differ there; two numbers exchanged, a lost sign, a digit that moved or *less* for *more* is
an error where it stands. ``make notebooks`` puts a number that moved into the text.
"""

import re
import string
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


class _Written(string.Formatter):
    """Numbers as the page has them: a true minus, thousands parted by commas, whole numbers bare."""

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        if left := [args[i] for i in range(len(args)) if i not in used_args]:
            raise ValueError(f"the sentence has no place for {left}: one pair of braces a value")

    def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
        if isinstance(key, int) and key >= len(args):
            raise ValueError(f"the sentence has a place number {key + 1}, but {len(args)} values came")
        return super().get_value(key, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, str):
            return format(value, format_spec)
        if isinstance(value, np.ndarray | list | tuple):
            return f"({', '.join(self.format_field(one, format_spec) for one in value)})"
        if isinstance(value, bool | np.bool_) or not isinstance(
            value, int | float | np.integer | np.floating
        ):
            raise TypeError(f"a sentence takes numbers, words and rows of numbers, got {value!r}")
        if not np.isfinite(value):
            raise ValueError(f"a sentence takes finite numbers, got {value!r}")
        if not format_spec and not float(value).is_integer():
            raise ValueError(f"say how {value!r} is rounded: {{:.2f}}")
        if not format_spec:
            return f"{int(value):,}".replace("-", "−")
        if form := re.fullmatch(r"([+]?)\.(\d+)([f%])", format_spec):
            return _rounded(float(value), *form.groups())
        return format(value, format_spec).replace("-", "−")


def _rounded(value: float, sign: str, decimals: str, kind: str) -> str:
    """A number with so many decimals, a tie away from zero as everywhere in the book; of percent, its hundredfold."""
    digits = 12 if abs(value) < 1e9 else 17  # of twelve digits, a tie is one on each machine
    exact = Decimal(f"{value:.{digits}g}") * (100 if kind == "%" else 1)
    text = f"{exact.quantize(Decimal(1).scaleb(-int(decimals)), ROUND_HALF_UP):{sign},f}"
    return text.replace("-", "−") + (" %" if kind == "%" else "")


def says(template: str, *values: Any, when: ArrayLike = True) -> None:
    """Print a sentence of this page with its numbers, or raise if it isn't so.

    Parameters
    ----------
    template : str
        The sentence as the page has it, with ``{:.2f}`` and the like where a number or a word is computed.
    *values : numbers, words, or rows of numbers
        What goes into the braces, in their order. ``{}`` takes a word or a whole number; any other number says how it
        is rounded. A row comes out as ``(1, −2)``. Units are those of the sentence.
    when : bool or array of bool, optional
        What else the sentence says: a comparison, a direction. All of it must be true.

    Raises
    ------
    AssertionError
        If `when` is false, or false anywhere; the message has the sentence.
    ValueError
        If values and braces don't match, a number is not finite, or doesn't say how it is rounded.
    TypeError
        If a value is neither a number, a word, nor a row of numbers.

    Examples
    --------
    >>> says("At −8 the weight is {:.2f}, of {} pairs.", 0.0312, 12000)
    At −8 the weight is 0.03, of 12,000 pairs.
    """
    sentence = _Written().format(template, *values)
    if not np.all(when):
        raise AssertionError(f"this isn't so any more: {sentence}")
    print(sentence)
