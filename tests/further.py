"""Further tests: a plain run leaves them out, and says how many; `make test ALL=1` asks them, and so does the workflow.

A plain run asks each question of each sort of thing, and each thing what is its own. What it would only ask again, of
a page or a figure that is made as another one is, goes here. How they are left out: tests/conftest.py.
"""

import os

import pytest

FURTHER = pytest.mark.further
ALL = bool(os.environ.get("ATTN_ALL"))


def some(values, asked):
    """Values of a parameter, or tuples of several parameters: those that `asked` refuses are for the further tests."""
    return [value if asked(value) else _further(value) for value in values]


def every(step, values, also=()):
    """Values of a parameter: every `step`-th and those in `also` in each run, the others for the further tests."""
    return [
        value if place % step == 0 or value in also else _further(value) for place, value in enumerate(values)
    ]


def cover(values, sorts):
    """Of some values those that have, together, all sorts: sorts(value) is a set. The first come first."""
    seen, found = set(), []
    for value in values:
        if new := sorts(value) - seen:
            seen |= new
            found.append(value)
    return found


def _further(value):
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=FURTHER)
