"""A plugin of pytest, `-p tools.progress_of_tests`: how many tests are done, and at once which fail."""

import pytest

from tools.progress import Line


class Tests:
    """Counts the tests that are done, in one process or in several."""

    def __init__(self, line):
        self.line, self.total, self.done, self.failed = line, 0, 0, set()

    def pytest_collection_finish(self, session):
        self.total = self.total or len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        self.total = len(ids)

    def pytest_runtest_logreport(self, report):
        if report.failed and report.nodeid not in self.failed:
            self.failed.add(report.nodeid)
            self.line.say(f"FAILED {report.nodeid}")

    def pytest_runtest_logfinish(self, nodeid, location):
        self.done += 1
        percent = 100 * self.done // max(1, self.total)
        failed = f", {len(self.failed)} failed" if self.failed else ""
        self.line.show("Tests", percent, f": {self.done} of {self.total}, {percent} %{failed}")
        if self.done == self.total:
            self.line.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report, config):
        kind, _, word = yield
        return kind, "", word  # no dot nor letter; the sum at the end is as always


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # a process of xdist's reports to the one that prints
        config.pluginmanager.register(Tests(Line()), "progress")
        config.pluginmanager.get_plugin("terminalreporter").showfspath = False
