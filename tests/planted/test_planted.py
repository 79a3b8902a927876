"""Each bug of bugs.toml, planted in a copy of the book, is caught by the tests that are meant for it.

The real files are only read. That a test run looks at the copy, not at the installed package, is asserted from
the line that tests/conftest.py prints; and the copy without a bug passes such tests, so that a failure means
something (that they pass in the book itself is seen in the same run). `make test` plants some, by the day's lot;
`make test ALL=1` plants all.
"""

import re

import pytest

from tests import tiers
from tests.planted.planting import BUGS, copy_book, plant, run_tests


@tiers.SLOW
def test_without_a_bug_the_tests_pass(tmp_path):
    tests = sorted({test for bug in BUGS[::10] for test in bug["tests"]})
    code, output = run_tests(copy_book(tmp_path), tests)
    assert code == 0, output


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug["name"])
def test_the_bug_is_caught(bug, tmp_path):
    plant(bug, copy_book(tmp_path))
    code, output = run_tests(tmp_path, bug["tests"])
    # A bug that keeps the tests from starting has not been caught by them.
    assert code == 1, f"not caught (pytest's exit code is {code}):\n{output}"
    assert re.search(r"\b1 failed\b", output), output
