"""Where CI is set, no test is skipped in silence; and each run asks every test, and in time every value of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


def run(folder, ci):
    """What pytest says of a skip, under the rules of tests/conftest.py."""
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "__init__.py").touch()
    shutil.copy(ROOT / "tests" / "tiers.py", folder / "tests")
    (folder / "test_it.py").write_text(SKIPPED)
    env = {
        name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")
    }
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    env |= {"CI": "true"} if ci else {}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", folder, folder]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_a_skip_fails_in_ci_and_is_a_skip_elsewhere(tmp_path):
    answer = run(tmp_path, ci=True)
    assert answer.returncode in (1, 2)
    assert "which CI counts as a failure" in answer.stdout
    assert "no browser here" in answer.stdout
    answer = run(tmp_path, ci=False)
    assert answer.returncode == 0
    assert "1 skipped" in answer.stdout


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
