"""A plugin of pytest, `-p tools.progress_of_tests`: which test fails is said at once, beside how many are done."""

import pytest


class Failures:
    """Says what fails, in one process or for several."""

    def __init__(self, terminal):
        self.terminal = terminal

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.terminal.write_line(f"FAILED {report.nodeid}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # a process of xdist's reports to the one that prints
        config.pluginmanager.register(
            Failures(config.pluginmanager.get_plugin("terminalreporter")), "failures"
        )
