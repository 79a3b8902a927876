"""nbval, given the build's run of a notebook, fails where a cell stores something else."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_cache import get_cache

from bookext import stale
from tools import nbval_of_build

ROOT = Path(__file__).resolve().parents[2]
SHOW = "from IPython.display import HTML, SVG, Image, display\n"
PICTURE = f"{SHOW}Image(b'\\x89PNG\\r\\n\\x1a\\n1', format='png', width=1, height=1)"


def text(outputs):
    outputs[-1]["text"] += "!"


def stream(outputs):
    outputs[0]["name"] = "stderr" if outputs[0]["name"] == "stdout" else "stdout"


def shown(kind):
    def change(outputs):
        outputs[-1]["data"][kind] = outputs[-1]["data"][kind].replace("1", "2")

    return change


def gone(outputs):
    outputs.pop()


def more(outputs):
    outputs.append(nbformat.v4.new_output("stream", name="stdout", text="more\n"))


# What a cell does, and what else somebody might have stored of it.
CELLS = [
    ("print(1)\nprint(2)", text),
    ("print(1)", stream),
    ("import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)", text),
    ("1 + 0", shown("text/plain")),
    (PICTURE, shown("image/png")),
    ("nothing = None", more),
    ("1 / 0", gone),  # its tag says that it raises
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A notebook that was run as the build does, stored as it ran (`right`) and with every cell changed (`wrong`)."""
    folder = tmp_path_factory.mktemp("notebooks")
    cells = [nbformat.v4.new_code_cell(code, id=f"cell-{number}") for number, (code, _) in enumerate(CELLS)]
    cells[-1].metadata["tags"] = ["raises-exception"]
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    for name in ("right", "other"):  # a single notebook is left to Sphinx
        nbformat.write(book, folder / f"{name}.ipynb")
        book.cells.append(nbformat.v4.new_code_cell("2", id="another"))
    config = SimpleNamespace(
        nb_execution_mode="cache", nb_execution_cache_path=str(folder / "cache"), nb_execution_timeout=300
    )
    env = SimpleNamespace(doc2path=lambda name: folder / name)
    stale.run_together(SimpleNamespace(config=config), env, ["right.ipynb", "other.ipynb"])
    book = nbformat.read(folder / "right.ipynb", as_version=4)
    cache = get_cache(folder / "cache")
    run = cache.get_cache_bundle(cache.match_cache_notebook(book).pk).nb
    for cell, ran in zip(book.cells, run.cells, strict=True):
        cell.update(outputs=ran.outputs, execution_count=ran.execution_count)
    nbformat.write(book, folder / "right.ipynb")
    for cell, (_, change) in zip(book.cells, CELLS, strict=True):
        change(cell.outputs)
    nbformat.write(book, folder / "wrong.ipynb")
    (folder / "here.py").write_text(
        f"from bookext import stale\nstale.folder = lambda source: {str(folder / 'cache')!r}\n"
    )
    return folder


def verdicts(folder, *options):
    """What pytest says of each cell of the two notebooks; and all that it prints."""
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "JUPYTER_PREFER_ENV_PATH": "1"}
    env["PYTHONPATH"] = os.pathsep.join([str(folder), str(ROOT)])
    options = ["-p", "nbval.plugin", *options, "-p", "no:cacheprovider", "-rA", "--rootdir", folder]
    command = [sys.executable, "-m", "pytest", *options, "right.ipynb", "wrong.ipynb"]
    done = subprocess.run(list(map(str, command)), cwd=folder, env=env, capture_output=True, text=True)
    found = re.findall(r"^(PASSED|FAILED|ERROR) (\w+)\.ipynb::Cell (\d+)", done.stdout, re.MULTILINE)
    assert len(found) == 2 * len(CELLS), done.stdout + done.stderr
    return {(name, int(cell)): word for word, name, cell in found}, done.stdout


@pytest.fixture(scope="module")
def of_build(folder):
    return verdicts(folder, "-p", "here", "-p", "tools.nbval_of_build")


def test_each_change_of_an_output_fails(of_build):
    found, said = of_build
    right = {word for (name, _), word in found.items() if name == "right"}
    passed = [cell for (name, cell), word in found.items() if name == "wrong" and word == "PASSED"]
    assert right == {"PASSED"}
    assert [CELLS[cell][0] for cell in passed] == [PICTURE]  # PNG differs from one matplotlib to the next
    assert "print(1)\nprint(2)" in said  # which cell it is


def test_code_that_did_not_run_is_refused(folder, tmp_path):
    """Changed since the build, or new; a cell that is not the next of the run; one that the build left out."""
    book = nbformat.read(folder / "right.ipynb", as_version=4)
    book.cells[3].source += "\nprint(4)"
    nbformat.write(book, tmp_path / "changed.ipynb")
    with pytest.raises(LookupError, match="has not run .*changed.ipynb as it is now"):
        nbval_of_build.record(tmp_path / "changed.ipynb", folder / "cache")
    run = nbval_of_build.record(folder / "right.ipynb", folder / "cache")
    run.execute_cell_input(CELLS[0][0])
    with pytest.raises(AssertionError, match="another cell"):
        run.execute_cell_input(CELLS[3][0])
    run.cells[1].execution_count = None
    with pytest.raises(AssertionError, match="did not run"):
        run.execute_cell_input(CELLS[1][0])
