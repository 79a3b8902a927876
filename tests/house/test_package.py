"""The package as people install it: what is in the wheel, and what it asks for.

That NumPy is enough, test_house.py asks; the unit tests of an installed package are a job of the workflow.
"""

import email.parser
import subprocess
import sys
import zipfile
from pathlib import Path

from packaging.requirements import Requirement

from tests.house.repository import ROOT, tracked


def test_the_wheel_is_the_package_and_no_more(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (told,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        told = email.parser.Parser().parsestr(archive.read(told).decode("utf-8"))
    package = {path.relative_to(ROOT).as_posix() for path in tracked() if path.is_relative_to(ROOT / "attn")}
    assert {name for name in names if ".dist-info/" not in name} == package
    assert {".py", ".js", ".css", ".txt", ".json", ".npz"} <= {Path(name).suffix for name in package}
    assert "attn/py.typed" in package
    assert told["Name"] == "attention-by-hand"
    asked = [Requirement(text) for text in told.get_all("Requires-Dist")]
    assert [one.name for one in asked if one.marker is None] == ["numpy"]
    assert set(told.get_all("Provides-Extra")) == {"explore", "plots", "check"}
    assert {one.name for one in asked} == {"numpy", "matplotlib", "anywidget", "ipywidgets", "hypothesis"}
