"""The picture in docs/house.md is the house, and what the mathematics and the commands need.

Each arrow is an import between two rooms, and each import has its arrow.

The picture itself says what the rooms are: the first line of a box is the room's folder or files. A file belongs to the
room that names it most closely.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from tests.house.repository import tracked

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/house.md"
BOX = re.compile(r'^\s*(\w+)\["([^"<]+)', re.MULTILINE)
ARROW = re.compile(r"^\s*(\w+) (-->|-\.->) (\w+(?: & \w+)*)\s*$", re.MULTILINE)
JS_IMPORT = re.compile(r"""^(?:import|export)\b[^"'`;]*?["'](\.[^"']+)["']""", re.MULTILINE)
FREE = "tests"  # a test may import anything; nothing imports a test


def picture(text):
    """The rooms of the picture, id -> paths, and its arrows (from, to): of all imports, and of those in functions."""
    (drawn,) = re.findall(r"^```mermaid\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    rooms = {name: [path.strip() for path in paths.split(",")] for name, paths in BOX.findall(drawn)}
    arrows = {"-->": set(), "-.->": set()}
    for start, kind, ends in ARROW.findall(drawn):
        arrows[kind] |= {(start, end) for end in ends.split(" & ")}
    return rooms, arrows["-->"], arrows["-.->"]


def room_of(path, rooms):
    """The room of a file, by the longest of the paths in boxes that it lies in; None if there is none."""
    found = [
        (len(place), name)
        for name, places in rooms.items()
        for place in places
        if PurePosixPath(path).is_relative_to(place)
    ]
    return max(found)[1] if found else None


def code_of(path, root):
    """A file's Python: a notebook's cells one below the other."""
    text = (root / path).read_text(encoding="utf-8")
    if path.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    return text


def imported(text, package):
    """Yield (module, names taken from it, whether later, line) for each import, relative ones resolved.

    `package` is the file's folder, as a tuple of names. Later is what a function imports when it is called, and what
    only a checker of types reads.
    """
    tree = ast.parse(text)
    inner = {node for part in ast.walk(tree) if runs_later(part) for node in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, [], node in inner, node.lineno
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base, [alias.name for alias in node.names], node in inner, node.lineno


def runs_later(node):
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def python_imports(path, root):
    """(path of the imported file, whether it is imported in a function), for what lies in the house."""
    for base, names, later, _ in imported(code_of(path, root), PurePosixPath(path).parent.parts):
        for name in [f"{base}.{name}" for name in names] or [base]:
            if target := file_of(name, root):
                yield target, later


def file_of(name, root):
    """The file that an import of a dotted name runs last: of `attn.masks.causal_mask` it is attn/masks.py."""
    parts = name.split(".")
    while parts:
        for path in ("/".join(parts) + ".py", "/".join([*parts, "__init__.py"])):
            if (root / path).is_file():
                return path
        parts.pop()
    return None


def js_imports(path, root):
    for address in JS_IMPORT.findall((root / path).read_text(encoding="utf-8")):
        target = (root / path).parent.joinpath(address).resolve()
        yield target.relative_to(root.resolve()).as_posix(), False


def built(paths, rooms, root=ROOT):
    """The arrows that the imports of these files make, at once and in functions alone, with a file for each."""
    at_once, later = {}, {}
    for path in paths:
        here = room_of(path, rooms)
        for target, inner in (js_imports if path.endswith(".js") else python_imports)(path, root):
            there = room_of(target, rooms)
            if here not in (there, FREE):
                (later if inner else at_once).setdefault((here, there), path)
    return at_once, {arrow: path for arrow, path in later.items() if arrow not in at_once}


def code_files():
    paths = [path.relative_to(ROOT).as_posix() for path in tracked()]
    return [path for path in paths if path.endswith((".py", ".js", ".ipynb"))]


ROOMS, AT_ONCE, LATER = picture((ROOT / PAGE).read_text(encoding="utf-8"))


def test_rooms_are_where_the_picture_says():
    places = [place for places in ROOMS.values() for place in places]
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert len(set(places)) == len(places)


def test_each_file_has_a_room():
    assert [path for path in code_files() if room_of(path, ROOMS) is None] == []


@pytest.fixture(scope="module")
def found():
    return built(code_files(), ROOMS)


def test_each_import_has_its_arrow_and_each_arrow_an_import(found):
    at_once, later = found
    missing = {arrow: path for arrow, path in {**later, **at_once}.items() if arrow not in AT_ONCE | LATER}
    assert missing == {}, "imports that the picture does not have"
    assert set(at_once) == AT_ONCE
    assert set(later) == LATER


def test_nothing_imports_a_test(found):
    at_once, later = found
    assert {arrow: path for arrow, path in {**at_once, **later}.items() if arrow[1] == FREE} == {}


def test_no_module_is_called_utils_and_nothing_edits_the_search_path():
    names = {"utils", "util", "helpers", "common", "misc"}
    assert [path for path in code_files() if PurePosixPath(path).stem in names] == []
    edit = re.compile(r"sys\.path(?:\.|\s*(?:\[.*\]\s*)?\+?=[^=])|site\.add" + "sitedir")
    found = [path for path in code_files() if not path.endswith(".js") and edit.search(code_of(path, ROOT))]
    assert found == []


def test_lines_of_javascript_fit():
    """oxfmt breaks code, and leaves strings and comments as they are."""
    long = [
        f"{path}:{number}"
        for path in code_files()
        if path.endswith(".js")
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


BEFORE_SETUP = ["__init__", "__main__", "commands", "drafts", "environment", "find_engines"]
BEFORE_SETUP += ["progress", "pythons", "sentences", "server"]
MORE_THAN_NUMPY = ("attn.check", "attn.explore", "attn.plots", "attn.show.plots", "attn.show.stills")


@pytest.mark.parametrize("name", BEFORE_SETUP)
def test_what_runs_before_the_setup_needs_python_alone(name):
    text = (ROOT / "tools" / f"{name}.py").read_text(encoding="utf-8")
    at_once = {base.split(".")[0] for base, _, later, _ in imported(text, ("tools",)) if not later}
    assert at_once <= sys.stdlib_module_names | {"tools", "ledger"}


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


def test_attn_needs_numpy_alone():
    paths = (path.relative_to(ROOT).with_suffix("").parts for path in sorted((ROOT / "attn").rglob("*.py")))
    names = [".".join(parts).removesuffix(".__init__") for parts in paths]
    names = [name for name in names if not name.startswith(MORE_THAN_NUMPY)]
    assert {"attn.attention", "attn.corpus", "attn.practice.worksheets", "attn.show"} <= set(names)
    answer = subprocess.run(
        [sys.executable, "-c", NUMPY_ALONE, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.stdout == "fine\n", answer.stderr
