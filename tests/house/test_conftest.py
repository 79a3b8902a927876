"""The rules of tests/conftest.py: where CI is set, nothing is skipped in silence; and what each run leaves out."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiers

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = ROOT / "tests" / "conftest.py"
SKIPPED = """\
import pytest

@pytest.fixture
def page():
    pytest.skip('no browser here')

def test_it(page):
    pass
"""


def run(folder, text, ci, *arguments, plugins=(), **more):
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "__init__.py").touch()
    shutil.copy(ROOT / "tests" / "tiers.py", folder / "tests")
    (folder / "test_it.py").write_text(text)
    env = {
        name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")
    }
    env.pop("ATTN_ALL", None)
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    env |= {"CI": "true"} if ci else {}
    options = [part for plugin in plugins for part in ("-p", plugin)]
    options += ["-o", "markers=slow: asked at night", "--rootdir", folder]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, *(arguments or [folder])]
    env |= more
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_a_skip_fails_in_ci_and_is_a_skip_elsewhere(tmp_path):
    answer = run(tmp_path, SKIPPED, ci=True)
    assert answer.returncode in (1, 2)
    assert "which CI counts as a failure" in answer.stdout
    assert "no browser here" in answer.stdout
    answer = run(tmp_path, SKIPPED, ci=False)
    assert answer.returncode == 0
    assert "1 skipped" in answer.stdout


MANY = """\
import pytest

@pytest.mark.parametrize("n", range(48))
def test_n(n):
    pass

@pytest.mark.slow
def test_long():
    pass
"""


@pytest.fixture
def browser_tests(tmp_path):
    """A folder with a file of browser tests, and a function that runs pytest there: what it printed, in lines."""
    inner = tmp_path / "tests" / "browser"
    inner.mkdir(parents=True)
    (inner / "test_its_own.py").write_text(MANY)

    def asked(*arguments, **more):
        answer = run(tmp_path, "", True, *(arguments or [tmp_path]), ATTN_LOT="2026-11-24", **more)
        assert answer.returncode == 0, answer.stdout
        return answer.stdout.splitlines()

    return asked


def test_a_run_asks_some_values_and_says_how_many_it_left_out(browser_tests):
    *_, said, last = browser_tests()
    assert said == "47 tests for the night (make test ALL=1); ATTN_LOT=2026-11-24 draws these again"
    assert "2 passed" in last


@pytest.mark.parametrize(
    ("arguments", "more", "passed"),
    [
        (["tests/browser/test_its_own.py::test_n"], {}, 48),
        (["tests/browser/test_its_own.py::test_n[3]"], {}, 1),
        (["tests/browser/test_its_own.py::test_long"], {}, 1),
        (["tests", "-k", "test_n"], {}, 48),
        (["tests"], {"ATTN_ALL": "1"}, 49),
    ],
)
def test_what_is_named_is_asked_whole_and_all_of_them_at_night(browser_tests, arguments, more, passed):
    assert f"{passed} passed" in browser_tests(*arguments, **more)[-1]


def test_each_test_is_asked_and_in_time_each_value():
    """Each test, with the most values that a run asks; other days draw other ones, until all were asked."""
    each = [
        [f"tests/browser/test_a.py::test_{n}[{k}]" for k in range(size)]
        for n, size in enumerate(range(7, 60))
    ]
    names, most = [name for values in each for name in values], tiers.MOST[r"^tests/browser/"]
    kept = tiers.asked(names, "1")
    assert [sum(name in kept for name in values) for values in each] == [most] * len(each)
    assert kept == tiers.asked(names, "1") != tiers.asked(names, "2")
    assert set().union(*(tiers.asked(names, f"{day}") for day in range(365))) == set(names)
    two = ["tests/claims/test_a.py::test[1]", "tests/claims/test_a.py::test[2]"]
    assert tiers.asked(two, "1") == set(two)
