"""The picture in docs/house.md is the house, and what the mathematics and the commands need.

Each arrow is an import between two rooms, and each import has its arrow.

The picture itself says what the rooms are: the first line of a box is the room's folder or files. A file belongs to the
room that names it most closely.
"""

import json
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

from tests.house.repository import tracked

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/house.md"
BOX = re.compile(r'^\s*(\w+)\["([^"<]+)', re.MULTILINE)
ARROW = re.compile(r"^\s*(\w+) --> (\w+(?: & \w+)*)\s*$", re.MULTILINE)
JS_IMPORT = re.compile(r"""^(?:import|export)\b[^"'`;]*?["'](\.[^"']+)["']""", re.MULTILINE)
FREE = "tests"  # a test may import anything; nothing imports a test


def picture(text):
    """The rooms of the picture, id -> paths, and its arrows (from, to)."""
    (drawn,) = re.findall(r"^```mermaid\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    rooms = {name: [path.strip() for path in paths.split(",")] for name, paths in BOX.findall(drawn)}
    return rooms, {(start, end) for start, ends in ARROW.findall(drawn) for end in ends.split(" & ")}


def room_of(path, rooms):
    """The room of a file, by the longest of the paths in boxes that it lies in; None if there is none."""
    found = [
        (len(place), name)
        for name, places in rooms.items()
        for place in places
        if PurePosixPath(path).is_relative_to(place)
    ]
    return max(found)[1] if found else None


def imported():
    """(importing file, imported file) of all Python, notebooks and JavaScript of the house."""
    command = [sys.executable, "-m", "ruff", "analyze", "graph"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    yield from ((path, other) for path, others in json.loads(done.stdout).items() for other in others)
    for path in code_files(".js"):
        for address in JS_IMPORT.findall((ROOT / path).read_text(encoding="utf-8")):
            target = (ROOT / path).parent.joinpath(address).resolve()
            yield path, target.relative_to(ROOT).as_posix()


def code_files(*kinds):
    paths = [path.relative_to(ROOT).as_posix() for path in tracked()]
    return [path for path in paths if path.endswith(kinds or (".py", ".js", ".ipynb"))]


ROOMS, ARROWS = picture((ROOT / PAGE).read_text(encoding="utf-8"))


def test_rooms_are_where_the_picture_says():
    places = [place for places in ROOMS.values() for place in places]
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert len(set(places)) == len(places)


def test_each_file_has_a_room():
    assert [path for path in code_files() if room_of(path, ROOMS) is None] == []


def test_each_import_has_its_arrow_and_each_arrow_an_import():
    """None of them leads to a test."""
    found = {}
    for path, other in imported():
        here, there = room_of(path, ROOMS), room_of(other, ROOMS)
        if here not in (there, FREE):
            found.setdefault((here, there), path)
    missing = {arrow: path for arrow, path in found.items() if arrow not in ARROWS}
    assert missing == {}, "imports that the picture does not have"
    assert set(found) == ARROWS


def test_no_module_is_called_utils_and_nothing_edits_the_search_path():
    names = {"utils", "util", "helpers", "common", "misc"}
    assert [path for path in code_files() if PurePosixPath(path).stem in names] == []
    edit = re.compile(r"sys\.path(?:\.|\s*(?:\[.*\]\s*)?\+?=[^=])|site\.add" + "sitedir")
    files = code_files(".py", ".ipynb")
    assert [path for path in files if edit.search((ROOT / path).read_text(encoding="utf-8"))] == []


def test_lines_of_javascript_fit():
    """oxfmt breaks code, and leaves strings and comments as they are."""
    long = [
        f"{path}:{number}"
        for path in code_files(".js")
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert long == []


def test_numbers_become_text_in_one_module():
    """Beside it a number is cut to some decimals only for a place in a picture, an attribute that nobody reads."""
    calls = re.compile(r"toLocaleString|toPrecision|Intl\.")
    views = [path for path in code_files() if path.startswith("attn/explore/js/")]
    assert [path for path in views if calls.search((ROOT / path).read_text(encoding="utf-8"))] == [
        "attn/explore/js/number.js"
    ]


MORE_THAN_NUMPY = ("attn.check", "attn.explore", "attn.plots", "attn.show.plots", "attn.show.stills")
NUMPY_ALONE = """
import importlib, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {"attn", "numpy"} and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"refused: {name}", name=name)

sys.meta_path.insert(0, Refuse())
for name in sys.argv[1:]:
    importlib.import_module(name)
print("fine")
"""


def test_what_runs_before_the_setup_needs_python_alone():
    """The list of commands, what it imports for them, and what the workflow runs; -S leaves all packages out."""
    for code in (["-m", "tools"], ["-c", "import tools.sentences, tools.server"]):
        answer = subprocess.run([sys.executable, "-S", *code], cwd=ROOT, capture_output=True, text=True)
        assert answer.returncode == 0, answer.stderr


def test_attn_needs_numpy_alone():
    paths = (path.relative_to(ROOT).with_suffix("").parts for path in sorted((ROOT / "attn").rglob("*.py")))
    names = [".".join(parts).removesuffix(".__init__") for parts in paths]
    names = [name for name in names if not name.startswith(MORE_THAN_NUMPY)]
    assert {"attn.attention", "attn.corpus", "attn.practice.worksheets", "attn.show"} <= set(names)
    answer = subprocess.run(
        [sys.executable, "-c", NUMPY_ALONE, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.stdout == "fine\n", answer.stderr
