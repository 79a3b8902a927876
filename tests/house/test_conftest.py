"""The rules of tests/conftest.py: where CI is set, nothing is skipped in silence; and what each run leaves out."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import further

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = ROOT / "tests" / "conftest.py"
SKIPS = {
    "in a test": "import pytest\n\ndef test_it():\n    pytest.skip('no browser here')\n",
    "by a mark": "import pytest\n\n@pytest.mark.skip(reason='no browser here')\ndef test_it():\n    pass\n",
    "in a fixture": (
        "import pytest\n\n@pytest.fixture\ndef page():\n    pytest.skip('no browser here')\n\n"
        "def test_it(page):\n    pass\n"
    ),
    "of a module": "import pytest\n\npytest.skip('no browser here', allow_module_level=True)\n",
}


def run(folder, text, ci, *arguments, plugins=(), **more):
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "test_it.py").write_text(text)
    env = {
        name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")
    }
    for kind in ("ATTN_ALL", "ATTN_QUICK"):
        env.pop(kind, None)
    env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"} | (
        {"CI": "true"} if ci else {}
    )
    options = [part for plugin in plugins for part in ("-p", plugin)]
    options += ["-o", "markers=further: asked elsewhere\nfull: asked elsewhere", "--rootdir", folder]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, *(arguments or [folder])]
    env |= more
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


FURTHER = """\
import pytest

@pytest.mark.parametrize("n", [0, 1, *(pytest.param(n, marks=pytest.mark.further) for n in (2, 3, 4))])
def test_n(n):
    pass

def test_plain():
    pass

@pytest.mark.further
def test_other():
    pass
"""
SAID = "further tests: make test ALL=1"


@pytest.mark.parametrize("processes", [0, 2])
def test_a_plain_run_leaves_the_further_tests_out_and_says_how_many(tmp_path, processes):
    """Just before pytest's last line, in one process as in several, where each collects them all."""
    plugins, arguments = (["xdist.plugin"], ["--numprocesses", "2"]) if processes else ([], [])
    answer = run(tmp_path, FURTHER, True, tmp_path, *arguments, plugins=plugins)
    *_, said, last = answer.stdout.splitlines()
    assert answer.returncode == 0
    assert said == f"4 {SAID}"
    assert "3 passed" in last


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (["test_it.py"], 3),
        (["test_it.py::test_n"], 5),
        (["./test_it.py::test_n[3]"], 1),
        (["test_it.py::test_other"], 1),
    ],
)
def test_a_test_that_is_named_runs_with_all_its_values(tmp_path, arguments, passed):
    answer = run(tmp_path, FURTHER, True, *arguments)
    assert f"{passed} passed" in answer.stdout.splitlines()[-1], answer.stdout


def test_all_of_them_run_where_that_is_asked(tmp_path):
    answer = run(tmp_path, FURTHER, True, tmp_path, ATTN_ALL="1")
    assert "7 passed" in answer.stdout.splitlines()[-1]
    assert SAID not in answer.stdout


QUICK = """\
import pytest

@pytest.mark.parametrize("n", range(16))
def test_n(n):
    pass

@pytest.mark.full
def test_long():
    pass

@pytest.mark.further
def test_other():
    pass
"""


@pytest.mark.parametrize(("folder", "passed"), [("tests/browser", 1), ("tests/unit", 16)])
def test_a_quick_run_asks_each_test_with_some_of_its_values(tmp_path, folder, passed):
    inner = tmp_path / folder
    inner.mkdir(parents=True)
    (tmp_path / "tests" / "__init__.py").touch()
    shutil.copy(ROOT / "tests" / "further.py", tmp_path / "tests")
    (inner / "test_its_own.py").write_text(QUICK)
    more = {"ATTN_QUICK": "1", "PYTHONPATH": str(tmp_path)}
    answer = run(tmp_path, "", True, tmp_path, **more)
    *_, more_, further_, last = answer.stdout.splitlines()
    assert answer.returncode == 0, answer.stdout
    assert more_ == f"{17 - passed} more tests: make test FULL=1"
    assert further_ == f"1 {SAID}"
    assert f"{passed} passed" in last
    named = run(tmp_path, "", True, f"{folder}/test_its_own.py::test_n", **more)
    assert "16 passed" in named.stdout.splitlines()[-1], "who names a test has all of it"


def test_a_quick_run_asks_every_test_and_takes_turns():
    """Each test at least once, what is asked with few values too; and not always the first value."""
    each = [
        [f"tests/browser/test_a.py::test_{n}[{k}]" for k in range(size)]
        for n, size in enumerate(range(7, 60))
    ]
    kept = further.quick(itertools.chain(*each))
    counts = [sum(name in kept for name in names) for names in each]
    assert counts == [-(-len(names) // further.ONE_IN[r"^tests/browser/"]) for names in each]
    first = [next(k for k, name in enumerate(names) if name in kept) for names in each]
    assert len(set(first)) > 4
    assert further.quick(
        names := ["tests/claims/test_a.py::test[1]", "tests/claims/test_a.py::test[2]"]
    ) == set(names)


def test_a_quick_run_asks_for_each_of_a_few_things():
    """Each width, each hand and each of two figures, whatever the pages are."""
    pages = [f"chapters/{n:02}.html" for n in range(30)]
    names = [
        f"tests/browser/test_a.py::test[{page}-{width}-{hand}]"
        for page, width, hand in itertools.product(pages, (360, 390, 1280), ("Mouse", "Finger"))
    ]
    kept = further.quick(names)
    assert {name.split("-")[1] for name in kept} == {"360", "390", "1280"}
    assert {name.split("-")[2] for name in kept} == {"Mouse]", "Finger]"}
    assert len(kept) < len(names) / 12
    assert further.quick(f"tests/browser/test_b.py::test[{n}]" for n in "abcdef") == {
        f"tests/browser/test_b.py::test[{n}]" for n in "abcdef"
    }


def test_values_are_divided():
    """Each value is there, in its place; those that are not asked in each run have the mark."""

    def divided(found):
        return [(one.values[0], "further") if hasattr(one, "marks") else (one, "") for one in found]

    assert divided(further.some(range(4), lambda n: n > 1)) == [
        (0, "further"),
        (1, "further"),
        (2, ""),
        (3, ""),
    ]
    assert divided(further.every(3, "abcd", also="b")) == [("a", ""), ("b", ""), ("c", "further"), ("d", "")]
    ((one, mark),) = ((pair.values, pair.marks) for pair in further.every(2, [(1, 2), (3, 4)])[1:])
    assert one == (3, 4)
    assert [found.name for found in mark] == ["further"]


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


def test_what_takes_longest_goes_first(tmp_path):
    """By its place, not by how many tests it has, as xdist would; in one process of xdist's the order is seen."""
    counts = {"tests/unit/test_a.py": 3, "tests/claims/test_b.py": 2, "tests/house/test_chapter.py": 1}
    for file, count in counts.items():
        (tmp_path / file).parent.mkdir(parents=True)
        tests = "".join(f"def test_{n}():\n    pass\n\n\n" for n in range(count))
        (tmp_path / file).write_text(tests)
    shutil.copy(CONFTEST, tmp_path / "tests" / "conftest.py")
    options = ["-p", "xdist.plugin", "--numprocesses", "1", "--dist", "loadscope", "--import-mode=importlib"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *options]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("ATTN_QUICK", None)
    command += ["--rootdir", str(tmp_path), str(tmp_path / "tests")]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    files = re.findall(r"PASSED (\S+?)::", done.stdout)
    assert list(dict.fromkeys(files)) == list(counts)[::-1], done.stdout + done.stderr
    assert len(files) == 6


@pytest.mark.parametrize(
    "scope",
    [
        "index.html",
        "chapters/04_x.html",
        "chapters/further/04_x.html",
        "chapters/practice/04_x.html",
        "webkit",
    ],
)
def test_pages_with_figures_and_engines_go_before_all_others(scope):
    from tests.conftest import long

    others = ["chapters/teaching/04_x.html", "tests/house/test_chapter.py", "tests/unit/test_a.py"]
    assert all(long(scope) < long(other) for other in others)


def test_only_dress_changes_a_tabs_medium():
    """A tab that a test leaves on paper would have no buttons for the next test that is given it."""
    callers = {
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(r"\bemulate_media\(", path.read_text(encoding="utf-8"))
        and path.name != Path(__file__).name
    }
    assert callers == {"conftest.py"}
