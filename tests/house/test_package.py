"""The package as people install it: what is in the wheel and the sdist, and what it asks for.

That NumPy is enough, test_house.py asks; the unit tests of an installed wheel are a job of the workflow.
"""

import email.parser
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.house.repository import tracked

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
