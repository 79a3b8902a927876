"""`says` writes numbers as the page does, and refuses what can't be so."""

import numpy as np
import pytest

from attn.says import says


@pytest.mark.parametrize(
    ("template", "values", "line"),
    [
        ("At {} it is {:.2f}.", (-8, -0.125), "At −8 it is −0.13."),
        ("{} of {} pairs", (np.int64(12000), 1e6), "12,000 of 1,000,000 pairs"),
        ("{:.1f} and {:+.1f}", (12345.65625, 3), "12,345.7 and +3.0"),
        ("{:.0%} of the runs, {:.1%}", (0.125, 0.1234), "13 % of the runs, 12.3 %"),
        ("{:.3f} · {} = {:.3f}", (0.5, [1, -2], np.array([0.5, -1])), "0.500 · (1, −2) = (0.500, −1.000)"),
        ("it {} with {}", ("grows", np.float32(4)), "it grows with 4"),
        ("{1} before {0}", (1, 2), "2 before 1"),
        ("{:.1e}", (-0.00012,), "−1.2e−04"),
        ("{} and {:.0f} bytes", (2**40, 2**40 + 0.4), "1,099,511,627,776 and 1,099,511,627,776 bytes"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_on_the_page(template, values, line, capsys):
    says(template, *values)
    assert capsys.readouterr().out == f"{line}\n"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: says("Both are below {}.", 0, when=False), AssertionError, "any more: Both are below 0."),
        (lambda: says("They are equal.", when=np.array([True, False])), AssertionError, "They are equal."),
        (lambda: says("{} and {}", 1), ValueError, "a place number 2, but 1 values"),
        (lambda: says("{}", 1, 2), ValueError, r"no place for \[2\]"),
        (lambda: says("{}", 0.25), ValueError, "how 0.25 is rounded"),
        (lambda: says("{}", True), TypeError, "got True"),
        (lambda: says("{:.2f}", None), TypeError, "got None"),
        (lambda: says("{:.2f}", np.nan), ValueError, "got nan"),
    ],
)
def test_what_can_not_be_so_is_refused(call, error, words, capsys):
    with pytest.raises(error, match=words):
        call()
    assert capsys.readouterr().out == ""
