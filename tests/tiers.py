"""Which tests a run asks: `make test` what each change must pass, `make test ALL=1` everything, as each night.

Where many pages or figures are asked the same, `make test` asks some of them, of each question other ones, by a lot
that changes by the day: in time all are asked. A few tests that take long as a whole are left to the night.
"""

import os
import re
import zlib
from collections import defaultdict

import pytest

SLOW = pytest.mark.slow  # takes ten seconds or more: for the night
ALL = bool(os.environ.get("ATTN_ALL"))
#: Of the values that a test is asked with, a run takes at most so many, by its file; of others all.
MOST = {
    r"^tests/browser/test_python": 1,  # to start Python and run a page takes half a minute
    r"^tests/browser/": 2,
    r"^tests/planted/": 4,
    r"^tests/unit/test_every_checker\.py::test_wrong_answers": 12,
    r"^tests/unit/test_three_ways\.py": 6,
    r"^tests/unit/test_(by_hand|emblems|every_checker|explore|figures|ladders|reports)\.py": 2,
    r"^tests/unit/test_(small_figures|stills|worksheet|xor_by_hand)\.py": 2,
    r"^tests/claims/test_learning_xor\.py": 6,
}
FEW = 2


def asked(names, lot):
    """Of the names of tests those that a run asks: each test with some of its values, by a lot.

    What can be only two things, a pointer or a color scheme, is each of them once.
    """
    together, kept = defaultdict(list), set()
    for name in names:
        together[name.partition("[")[0]].append(name)
    for test, each in together.items():
        most = next((most for file, most in MOST.items() if re.search(file, test)), len(each))
        drawn = sorted(each, key=lambda name: zlib.crc32(f"{lot} {name}".encode()))
        kept.update(drawn[:most])
        axes = zip(*(name.partition("[")[2].rstrip("]").split("-") for name in drawn), strict=False)
        for axis in axes:
            if len(set(axis)) <= FEW:
                shown = {level for name, level in zip(drawn, axis, strict=True) if name in kept}
                for name, level in zip(drawn, axis, strict=True):
                    if level not in shown:
                        shown.add(level)
                        kept.add(name)
    return kept
