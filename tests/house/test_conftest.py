"""The rule of tests/conftest.py: where CI is set, nothing is skipped in silence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
SKIPS = {
    "in a test": "import pytest\n\ndef test_it():\n    pytest.skip('no browser here')\n",
    "by a mark": "import pytest\n\n@pytest.mark.skip(reason='no browser here')\ndef test_it():\n    pass\n",
    "in a fixture": (
        "import pytest\n\n@pytest.fixture\ndef page():\n    pytest.skip('no browser here')\n\n"
        "def test_it(page):\n    pass\n"
    ),
    "of a module": "import pytest\n\npytest.skip('no browser here', allow_module_level=True)\n",
}


def run(folder, text, ci):
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "test_it.py").write_text(text)
    env = {
        name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")
    }
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"} | (
        {"CI": "true"} if ci else {}
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", folder, folder]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("where", SKIPS)
def test_a_skip_fails_in_ci(tmp_path, where):
    answer = run(tmp_path, SKIPS[where], ci=True)
    assert answer.returncode in (1, 2)
    assert "which CI counts as a failure" in answer.stdout
    assert "no browser here" in answer.stdout


def test_a_skip_is_a_skip_elsewhere(tmp_path):
    answer = run(tmp_path, SKIPS["in a fixture"], ci=False)
    assert answer.returncode == 0
    assert "1 skipped" in answer.stdout


def test_an_expected_failure_stays_one(tmp_path):
    text = "import pytest\n\n@pytest.mark.xfail\ndef test_it():\n    assert False\n"
    answer = run(tmp_path, text, ci=True)
    assert answer.returncode == 0
    assert "1 xfailed" in answer.stdout


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("tests/browser/test_a.py::test[a/01_x.html]", "tests/browser/test_b.py::test[a/01_x.html-360]", True),
        ("tests/browser/test_a.py::test[a/01_x.html]", "tests/browser/test_a.py::test[a/02_y.html]", False),
        ("tests/browser/test_a.py::test[Masking]", "tests/browser/test_a.py::test[XorLab]", False),
        ("tests/browser/test_a.py::test[1280-True]", "tests/browser/test_a.py::test[360-False]", True),
        ("chapters/01_x.ipynb::Cell 0", "chapters/01_x.ipynb::Cell 1", True),
        ("tests/unit/test_a.py::test[1]", "tests/unit/test_a.py::test[2]", True),
        ("tests/planted/test_planted.py::test[1]", "tests/planted/test_planted.py::test[2]", False),
    ],
)  # fmt: skip
def test_what_runs_in_one_process(one, other, together):
    from tests.conftest import scope

    assert (scope(one) == scope(other)) == together
