"""A plugin of pytest: which tests run which lines of the package, and how long each takes.

``-p tools.mutate.record`` with ``ATTN_MUTATE_MAP=FILE`` in the environment writes that file. A mutant is then shown to
the tests that run its line, the quick ones first. What runs while the package is imported belongs to no test.
"""

import json
import os
import time
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[2]
COVER = coverage.Coverage(data_file=None, config_file=False, source=[str(ROOT / "attn")], messages=False)
SECONDS = {}
COVER.start()  # before the package is imported


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    COVER.switch_context(item.nodeid)
    start = time.process_time()
    try:
        return (yield)
    finally:
        SECONDS[item.nodeid] = round(time.process_time() - start, 3)
        COVER.switch_context("")


def pytest_sessionfinish():
    COVER.stop()
    data = COVER.get_data()
    tests = list(SECONDS)
    number = {name: index for index, name in enumerate(tests)}
    lines = {}
    for path in sorted(data.measured_files()):
        found = data.contexts_by_lineno(path)
        lines[Path(path).relative_to(ROOT).as_posix()] = {
            line: sorted(number[name] for name in names if name in number)
            for line, names in sorted(found.items())
            if any(name in number for name in names)
        }
    Path(os.environ["ATTN_MUTATE_MAP"]).write_text(
        json.dumps({"tests": tests, "seconds": list(SECONDS.values()), "lines": lines}), encoding="utf-8"
    )
