"""`make test` says which part it is in and how far: pages while it builds, tests while it tests, failures at once."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import progress

ROOT = Path(__file__).resolve().parents[2]
# As Sphinx writes them into a file.
LOG = """\
\x1b[01mRunning Sphinx v7.4.7\x1b[39;49;00m
running notebooks... [  0%] 8 of them
running notebooks... [ 12%] 07_pmi
\x1b[01mreading sources... \x1b[39;49;00m[  4%] \x1b[35mchapters/00\x1b[39;49;00m
\x1b[01mreading sources... \x1b[39;49;00m[ 50%] \x1b[35mchapters/01\x1b[39;49;00m
\x1b[01mreading sources... \x1b[39;49;00m[ 53%] \x1b[35mchapters/02\x1b[39;49;00m
\x1b[01mwriting output... \x1b[39;49;00m[100%] \x1b[32mindex\x1b[39;49;00m
"""


def words(said):
    """Lines without their times."""
    return [line.split(" (")[0] for line in said.splitlines()]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_build_tells_its_stages(capsys, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys\nprint({LOG!r}, end='')\nprint('a warning', file=sys.stderr)\nsys.exit(3)\n"
    )
    with (tmp_path / "log").open("w+") as log, (tmp_path / "errors").open("w+") as errors:
        code = progress.build([sys.executable, str(program)], log, errors, cwd=ROOT, env={})
        for file in (log, errors):
            file.seek(0)
        assert (code, log.read(), errors.read()) == (3, LOG, "a warning\n")
    assert words(capsys.readouterr().out) == [
        "Build: runs notebooks, 0 %",
        "Build: runs notebooks, 12 %",
        "Build: reads pages, 4 %",
        "Build: reads pages, 50 %",  # 53 is not yet 55
        "Build: writes pages, 100 %",
    ]


def test_a_terminal_has_one_line():
    terminal = Terminal()
    line = progress.Line(terminal)
    for percent in range(3):
        line.show("Build", percent)
    line.clear()
    said = terminal.getvalue()
    assert [part.split(" (")[0] for part in said.split("\r")[1:4]] == [f"Build, {n} %" for n in range(3)]
    assert "\n" not in said
    assert said.endswith("\r\x1b[K")


def test_parts_have_numbers(capsys):
    parts = progress.parts("Lint", "Build")
    next(parts)
    assert capsys.readouterr().out == "[1/2] Lint\n"
    next(parts)
    assert capsys.readouterr().out == "[2/2] Build\n"


@pytest.mark.parametrize("processes", [[], ["-p", "xdist.plugin", "--numprocesses", "2"]], ids=["one", "two"])
def test_what_fails_is_said_at_once(tmp_path, processes):
    """In one process and in several; how many tests are done, pytest says."""
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n\n@pytest.mark.parametrize('n', range(20))\ndef test_n(n):\n    assert n != 7\n"
        "\n\n@pytest.fixture\ndef broken():\n    raise ValueError\n\n\ndef test_error(broken):\n    pass\n"
        "\n\n@pytest.mark.skip\ndef test_none():\n    pass\n"
    )
    plugin = ["-p", "tools.progress_of_tests", "-o", "console_output_style=count", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # quicker
    command = [sys.executable, "-m", "pytest", "--rootdir", tmp_path, *plugin, *processes, tmp_path]
    said = subprocess.run(list(map(str, command)), cwd=ROOT, env=env, capture_output=True, text=True).stdout
    assert "[22/22]" in said
    during, _, after = said.partition("= ERRORS =")
    for name in ("test_n[7]", "test_error"):
        assert during.count(f"FAILED test_it.py::{name}") == 1
    assert "1 failed, 19 passed, 1 skipped, 1 error in" in after.splitlines()[-1]
