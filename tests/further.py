"""Which tests a run asks: a quick one, a full one, or all. How the others are left out: tests/conftest.py.

A full run (`make test FULL=1`, and `.ci/run`) asks each question of each sort of thing, and each thing what is its own.
What it would only ask again, of a page or a figure that is made as another one is, is a further test, which
`make test ALL=1` asks, and so does the workflow. A quick run (`make test`) asks each question as well, but where many
pages or figures are asked the same, only some of them: of each question other ones. A few tests that take long as a
whole it leaves to the full run.
"""

import os
import re
import zlib
from collections import defaultdict

import pytest

FURTHER = pytest.mark.further
FULL = pytest.mark.full  # takes ten seconds or more: not for a quick run
ALL = bool(os.environ.get("ATTN_ALL"))
QUICK = bool(os.environ.get("ATTN_QUICK"))
#: Of the values that a test is asked with, a quick run takes one in so many, by its file.
ONE_IN = {
    r"^tests/browser/": 24,
    r"^tests/planted/": 4,
    r"^tests/unit/test_(explore|every_checker|by_hand|ladders)\.py": 6,
}
FEW = 6


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


def quick(names):
    """Of the names of tests those that a quick run asks: each test with some of its values.

    By lot, which is the same each time. What can be only a few things, a width or a hand, is each of them once.
    """
    together, kept = defaultdict(list), set()
    for name in names:
        together[name.partition("[")[0]].append(name)
    for test, each in together.items():
        one_in = next((step for file, step in ONE_IN.items() if re.search(file, test)), 1)
        drawn = sorted(each, key=lambda name: zlib.crc32(name.encode()))
        kept.update(drawn[: -(-len(each) // one_in)])
        axes = zip(*(name.partition("[")[2].rstrip("]").split("-") for name in drawn), strict=False)
        for axis in axes:
            if len(set(axis)) <= FEW:
                shown = {level for name, level in zip(drawn, axis, strict=True) if name in kept}
                for name, level in zip(drawn, axis, strict=True):
                    if level not in shown:
                        shown.add(level)
                        kept.add(name)
    return kept


def _further(value):
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=FURTHER)
