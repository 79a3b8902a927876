"""The package as people install it: what is in the wheel and the sdist, what it asks for, and that it works alone.

Everything is built and installed without the network: hatchling comes from the lock, and what the package needs is
linked from this environment into an empty one.
"""

import email.parser
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.house.repository import tracked
from tools import installed

ROOT = Path(__file__).resolve().parents[2]
NAME = "attention-by-hand"


def build(source, folder, *what):
    command = [sys.executable, "-m", "hatchling", "build", "--directory", folder, *what]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The paths of the sdist and the wheel."""
    wheel, sdist = build(ROOT, tmp_path_factory.mktemp("dist"))
    assert (sdist.suffixes[-2:], wheel.suffix) == ([".tar", ".gz"], ".whl")
    return sdist, wheel


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return email.parser.Parser().parsestr(archive.read(name).decode("utf-8"))


def belonging(folder):
    """Files of a folder that are, or would be, in the repository, by their paths in it."""
    names = (path.relative_to(ROOT).as_posix() for path in tracked())
    return {name for name in names if name.startswith(folder)}


def test_the_wheel_is_the_package_and_no_more(built):
    _, wheel = built
    names = names_in(wheel)
    assert names == belonging("attn/")
    kinds = {Path(name).suffix for name in names}
    assert {".py", ".js", ".css", ".txt", ".json", ".npz"} <= kinds
    assert "attn/py.typed" in names


def test_the_sdist_makes_the_same_wheel(built, tmp_path):
    sdist, wheel = built
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (top,) = tmp_path.iterdir()
    beside = {path.name for path in top.iterdir()} - {"attn"}
    assert beside == {".gitignore", "LICENSE", "LICENSE-text", "PKG-INFO", "README.md", "pyproject.toml"}
    (again,) = build(top, tmp_path / "dist", "--target", "wheel")
    assert names_in(again) == names_in(wheel)
    assert metadata(again).items() == metadata(wheel).items()


def test_what_the_package_asks_for(built):
    told = metadata(built[1])
    assert told["Name"] == NAME
    asked = [Requirement(text) for text in told.get_all("Requires-Dist")]
    assert [one.name for one in asked if one.marker is None] == ["numpy"]
    assert set(told.get_all("Provides-Extra")) == {"explore", "plots", "check"}
    assert {one.name for one in asked} == {"numpy", "matplotlib", "anywidget", "ipywidgets", "hypothesis"}


def closure(names):
    """These distributions, and all that they need here."""
    found, todo = {}, list(names)
    while todo:
        name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if name not in found:
            found[name] = importlib.metadata.distribution(name)
            asked = [Requirement(text) for text in found[name].requires or []]
            todo += [one.name for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found.values()


@pytest.fixture
def empty(tmp_path, built):
    """Make an environment that holds these distributions and the wheel: empty(*names) -> its Python."""

    def make(*names, extra=""):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
        python = tmp_path / "venv" / "bin" / "python"
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        answer = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True)
        site = Path(answer.stdout.strip())
        for distribution in closure(names):
            tops = {path.parts[0] for path in distribution.files} - {"..", "__pycache__"}
            for top in tops:
                source = Path(distribution.locate_file(top)).resolve()
                if top.endswith(".dist-info"):
                    shutil.copytree(source, site / top)  # uv does not see one that is a link
                elif not (site / top).exists():
                    (site / top).symlink_to(source)
        # Without an index, this fails if the wheel asks for anything that is not there.
        wheel = f"{NAME}{extra} @ {built[1].as_uri()}"
        uv = [sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-index", "--no-config"]
        done = subprocess.run([*uv, "--python", python, wheel], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return python

    return make


ALONE = """
import pkgutil, sys
import attn, attn.corpus, attn.looking, attn.show, attn.practice.worksheets, attn.xor
assert len(attn.corpus.book()) > 1000
assert attn.xor.ways_table() and attn.xor.recorded_rescue().shape == (200,)
assert attn.looking.recorded("plain", 16, "none").learned.any()
assert "<table>" in attn.practice.worksheets.page("3", [7])
for name in ("matplotlib", "anywidget", "hypothesis"):
    try:
        __import__(name)
    except ModuleNotFoundError:
        continue
    raise AssertionError(f"{name} is here: this environment is not empty")
print(attn.__file__)
"""


def test_numpy_is_enough(empty, tmp_path):
    """In an environment with NumPy alone, the wheel installs, and its mathematics, its data and its worksheets work."""
    python = empty("numpy")
    done = subprocess.run([python, "-I", "-c", ALONE], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(tmp_path / "venv")


FIGURES = """
import sys
import attn.check, attn.explore
for name in attn.explore.__all__:
    kind = getattr(attn.explore, name)
    if kind is attn.explore.Explorable or name in ("Predict", "TrainingReplay"):
        continue  # these need something to show
    figure = kind()
    assert "export default" in figure._esm and len(figure._css) > 1000
    assert figure.png().startswith(b"\\x89PNG")
    print(name)
"""


@pytest.mark.slow
def test_the_extras_are_enough_for_figures_and_checkers(empty, tmp_path):
    import attn.explore

    python = empty("anywidget", "ipywidgets", "matplotlib", "hypothesis", extra="[explore,check]")
    done = subprocess.run([python, "-I", "-c", FIGURES], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = set(done.stdout.split())
    assert shown == set(attn.explore.__all__) - {"Explorable", "Predict", "TrainingReplay"}


@pytest.mark.slow
def test_the_unit_tests_pass_on_the_installed_package(empty, capfd):
    """In an environment that has pytest and hypothesis beside, and in a folder away from the repository.

    The workflow runs all of them on the newest Python; here the two files are left out that take as long as the rest.
    """
    python = empty("numpy", "pytest", "hypothesis")
    assert installed.run(python, "--ignore", "test_variance.py", "--ignore", "test_xor_learned.py") == 0
    assert str(python.parent.parent) in capfd.readouterr().out
