"""What all tests share: one fixture, one report line, which tests a run asks, and that CI skips nothing."""

import datetime
import os
import re
from pathlib import Path

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy: threads beyond the cores wait for each other

import hypothesis
import numpy as np
import pytest

import attn

ROOT = Path(__file__).resolve().parent.parent
#: The lot by which values are drawn: of the day, in all processes of a run the same.
LOT = os.environ.setdefault("ATTN_LOT", datetime.date.today().isoformat())
# No name but this machine's own address resolves: a page can't reach anything else.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
os.environ.pop("ATTN_RESULTS", None)  # tests that are run from a reader's JupyterLab leave her answers alone

# The same cases in each run, on each machine: a failure is there again when you look for it. None fails by being slow.
hypothesis.settings.register_profile(
    "book",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("book")


@pytest.fixture(scope="session")
def book_html():
    """The folder of the built book. `make test` builds it once, before pytest starts several processes."""
    named = os.environ.get("ATTN_BOOK_HTML")
    folder = Path(named) if named else ROOT / "_build" / "html"
    if not (folder / "index.html").is_file():
        pytest.skip("the book is not built: run `make book` first")
    return folder


@pytest.fixture(scope="session")
def site(book_html):
    """The address of the built book on this machine."""
    from tools.server import serving

    with serving(book_html) as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of this process."""
    from playwright.sync_api import sync_playwright

    from tools.find_chromium import FLAGS, find_chromium

    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium, Chrome or Edge: see `python -m tools.find_chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, ALONE], timeout=180_000)
        yield browser
        browser.close()


def scope(nodeid):
    """Which tests stand together, and run in one process: those of a page, of a notebook, of an engine, of a file.

    Planted bugs go one by one, and so do tests of a class of figures alone.
    """
    file, _, test = nodeid.rpartition("::")
    if file.startswith("tests/browser/"):
        page = re.search(r"[\w/-]+\.html", test)
        return page.group() if page else nodeid if re.search(r"\[[A-Z]", test) else file
    if file.startswith("tests/engines/") and (engine := re.search(r"\[(firefox|webkit)", test)):
        return engine[1]  # it starts once
    return nodeid if file.startswith("tests/planted/") else file


# What takes longest goes first, so that no process has a page before it when the others are done: a chapter's page
# takes up to a minute and a half, a planted bug or a file of mathematics less.
LONG = [
    r"^(firefox|webkit)$|^(index|chapters/((further|practice)/)?\d\w*)\.html",
    r"^tests/lab|test_planted\.py::",
    r"^tests/(browser|falsify|claims)|test_three_ways\.py$",
]


def long(scope):
    """The place of a scope among the long ones, or behind them."""
    return next((place for place, pattern in enumerate(LONG) if re.search(pattern, scope)), len(LONG))


def named(item, arguments):
    """Whether a command names a test, or its function: tests/unit/test_a.py::test_it."""
    names = [argument.removeprefix("./").replace(os.sep, "/") for argument in arguments if "::" in argument]
    return any(item.nodeid == name or item.nodeid.startswith((f"{name}[", f"{name}::")) for name in names)


class Left:
    """Leaves out the tests that a run does not ask (tests/tiers.py), and counts them."""

    def __init__(self):
        self.count = 0

    def pytest_collection_modifyitems(self, config, items):
        if os.environ.get("ATTN_ALL") or config.option.keyword:  # -k names what to ask
            return
        from tests import tiers

        quick = [item.nodeid for item in items if not item.get_closest_marker("slow")]
        asked = tiers.asked(quick, LOT)
        out = [item for item in items if item.nodeid not in asked and not named(item, config.args)]
        self.count = len(out)
        if hasattr(config, "workeroutput"):
            config.workeroutput["left"] = self.count
        if out:
            config.hook.pytest_deselected(items=out)
            left = set(out)
            items[:] = [item for item in items if item not in left]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        """Each process of xdist's collects the same tests, and tells how many it left out."""
        self.count = max(self.count, getattr(node, "workeroutput", {}).get("left", 0))

    def pytest_terminal_summary(self, terminalreporter):
        if self.count:
            terminalreporter.write_line(
                f"{self.count:,} tests for the night (make test ALL=1); ATTN_LOT={LOT} draws these again"
            )


def pytest_configure(config):
    config.pluginmanager.register(Left(), "left")


def pytest_collection_modifyitems(items):
    """The tests of one scope stand together."""
    places = {}
    for item in items:
        places.setdefault(scope(item.nodeid), len(places))
    items.sort(key=lambda item: (long(scope(item.nodeid)), places[scope(item.nodeid)]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False  # not by the number of tests: their order above is by time

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return scope(nodeid)

    return Scheduling(config, log)


def pytest_report_header():
    # Says which copy of the package is tested; tests/planted relies on it.
    return f"attn: {Path(attn.__file__).parent}, numpy {np.__version__}"


def _forbid_skip(report):
    # A part that is missing must not look like a part that works.
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped, which CI counts as a failure: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _forbid_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _forbid_skip((yield))
