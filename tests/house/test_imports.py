"""Who may import whom. Chapters -> explore, plots, check, worksheets -> maths -> NumPy, and nothing the other way."""

import ast
import json
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.house.imported import imported

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attn"
PARTS = {"plots", "stills", "explore", "check", "worksheets"}  # all other modules of attn are maths
MORE_THAN_NUMPY = {"plots", "stills", "explore", "check"}
HOUSE = ["attn", "bookext", "ledger", "tests", "tools"]

# Beside the standard library: what a part may import when it is itself imported, and what in a function as well.
AT_ONCE = {
    "maths": {"numpy", "attn.maths"},
    "plots": {"numpy", "matplotlib", "attn.maths", "attn.plots"},
    "stills": {"numpy", "matplotlib", "attn.maths", "attn.stills"},
    "check": {"numpy", "hypothesis", "attn.maths", "attn.check"},
    "worksheets": {"numpy", "attn.maths", "attn.worksheets"},
    "explore": {"numpy", "anywidget", "ipywidgets", "traitlets", "attn.maths", "attn.explore"},
}
LATER = {
    "maths": set(),
    "plots": {"attn.stills", "matplotlib_inline"},  # with which the book's build draws
    "stills": {"PIL"},
    "check": set(),
    "worksheets": set(),
    "explore": {
        "attn.plots",
        "attn.stills",
        "matplotlib",
        "IPython",
    },  # a fallback picture, drawn when it is asked for
}
# These run before the set-up, so with the standard library alone.
BEFORE_SETUP = [
    "__init__",
    "__main__",
    "commands",
    "drafts",
    "environment",
    "find_engines",
    "progress",
    "pythons",
    "server",
]


def files(folder, pattern):
    return [path for path in sorted(folder.rglob(pattern)) if ".ipynb_checkpoints" not in path.parts]


def part_of(module):
    """`attn.masks` is maths, `attn.explore.masking` is explore; `attn` itself counts as maths."""
    second = (module.split(".") + [""])[1]
    return second if second in PARTS else "maths"


def imports(path, root=ROOT):
    """Yield (module, at_once, line) for each import in a file, relative ones resolved."""
    text = path.read_text(encoding="utf-8")
    for base, names, later, line in imported(text, path.relative_to(root).parent.parts):
        # `from attn import plots` imports attn.plots
        ours = base.split(".")[0] in HOUSE
        for module in [f"{base}.{name}" for name in names] if names and ours else [base]:
            yield module, not later, line


def offences(path, root=ROOT):
    """Sentences about the imports of one file of attn that the rules above forbid."""
    own = ".".join(path.relative_to(root).with_suffix("").parts)
    part = part_of(own)
    for module, at_once, line in imports(path, root):
        top = module.split(".")[0]
        if top in sys.stdlib_module_names:
            continue
        name = f"attn.{part_of(module)}" if top == "attn" else top
        if name not in AT_ONCE[part] | (set() if at_once else LATER[part]):
            yield f"{own}, line {line}: {part} may not import {module}"


@pytest.mark.parametrize("path", files(PACKAGE, "*.py"), ids=lambda path: str(path.relative_to(ROOT)))
def test_attn_imports_downward_only(path):
    assert list(offences(path)) == []


@pytest.mark.parametrize(
    ("name", "text", "bad"),
    [
        ("masks.py", "import numpy\nfrom attn.softmax import softmax\nfrom . import attention", 0),
        ("masks.py", "import matplotlib.pyplot", 1),
        ("masks.py", "def f():\n    from attn import plots", 1),
        ("masks.py", "from .explore import Masking", 1),
        ("plots.py", "import attn.explore", 1),
        ("check.py", "import tests.unit", 1),
        ("masks.py", "from attn.worksheets import sheet", 1),
        ("worksheets/x.py", "from attn.check import self_attention", 1),
        ("explore/masking.py", "from ._base import Explorable\nfrom ..masks import causal_mask", 0),
        ("explore/masking.py", "from attn import plots", 1),
        ("explore/masking.py", "def f():\n    from attn import plots", 0),
        ("explore/masking.py", "import bookext", 1),
        ("explore/masking.py", "if TYPE_CHECKING:\n    from matplotlib.figure import Figure", 0),
        ("explore/masking.py", "if True:\n    from matplotlib.figure import Figure", 1),
        ("masks.py", "if TYPE_CHECKING:\n    from matplotlib.figure import Figure", 1),
    ],
)
def test_the_rule_bites(tmp_path, name, text, bad):
    path = tmp_path / "attn" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert len(list(offences(path, tmp_path))) == bad


@pytest.mark.parametrize("folder", ["attn", "bookext", "ledger", "tools"])
def test_nothing_imports_tests_or_chapters(folder):
    others = {"bookext", "ledger", "tools"} - {folder}
    below = {"attn": others, "ledger": others, "bookext": set(), "tools": set()}
    found = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in files(ROOT / folder, "*.py")
        for module, _, _ in imports(path)
        if module.split(".")[0] in {"tests", "chapters"} | below[folder]
    ]
    assert found == []


@pytest.mark.parametrize("path", files(ROOT / "bookext", "*.py"), ids=lambda path: path.name)
def test_pages_are_made_from_no_file_of_the_tests(path):
    """What pages and tests both read is the ledger's."""
    names = [node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_text(node)]
    assert [name for name in names if re.match(r"(\./)?tests(/\S*)?$", name)] == []


def circle(root):
    """A list of modules of the house that each need the next, the last being the first again; None if there is none."""
    paths = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in HOUSE
        for path in files(root / folder, "*.py")
    }
    needs = {}
    for name, path in paths.items():
        for module, _, _ in imports(path, root):
            while module and module not in paths:
                module = module.rpartition(".")[0]
            if module and module != name:
                needs.setdefault(name, set()).add(module)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_no_modules_need_each_other():
    """Not in a function either."""
    assert circle(ROOT) is None


def test_a_circle_is_found(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.py").write_text("def f():\n    from tools import b\n")
    (tmp_path / "tools" / "b.py").write_text("import attn\nfrom tools.c import x\n")
    (tmp_path / "tools" / "c.py").write_text("import tools.b\n")
    assert set(circle(tmp_path)) == {"tools.b", "tools.c"}


@pytest.mark.parametrize("path", files(ROOT / "tests", "*.py"), ids=lambda path: str(path.relative_to(ROOT)))
def test_what_tests_share_is_in_no_file_of_tests(path):
    """It is in a module beside them, whose name says what it is about."""
    found = {module for module, _, _ in imports(path) if re.search(r"(^|\.)test_\w+", module)}
    assert {module for module in found if module.startswith("tests.")} == set()


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("name", BEFORE_SETUP)
def test_what_runs_before_the_setup_needs_python_alone(name):
    allowed = sys.stdlib_module_names | {"tools"}
    path = ROOT / "tools" / f"{name}.py"
    found = [
        module for module, at_once, _ in imports(path) if at_once and module.split(".")[0] not in allowed
    ]
    assert found == []


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
    paths = [
        path for path in sorted(PACKAGE.iterdir()) if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    names = {path.stem for path in paths} - MORE_THAN_NUMPY - {"__init__"}
    assert names >= {"attention", "xor", "worksheets"}
    names = ["attn", *(f"attn.{name}" for name in sorted(names)), "attn.worksheets.__main__"]
    answer = subprocess.run(
        [sys.executable, "-c", NUMPY_ALONE, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.stdout == "fine\n", answer.stderr
    # The guard itself works:
    answer = subprocess.run([sys.executable, "-c", NUMPY_ALONE, "pytest"], capture_output=True, text=True)
    assert "refused: pytest" in answer.stderr


# ES modules: view -> draw/ and numbers of several -> core and number -> nothing; draw/ names what stands below each

JS = PACKAGE / "explore" / "js"
JS_IMPORT = re.compile(
    r"""^\s*(?:import\s*(?:[\w*{][^"'`;]*?\bfrom\s*)?|export\s*[*{][^"'`;]*?\bfrom\s*)["']([^"']+)["']""",
    re.MULTILINE,
)
JS_DYNAMIC = re.compile(r"\bimport\s*\(|\brequire\s*\(|\bimportScripts\b")
JS_OUTSIDE = re.compile(r"""["'`(](?:https?:)?//(?!www\.w3\.org/)[^\s"'`)]+""")


#: The rooms of draw/, each with the rooms that it may import.
BELOW = {
    "elements": set(),
    "hand": set(),
    "kept": set(),
    "motion": set(),
    "steady": set(),
    "practice": {"controls", "elements", "kept"},
    "goals": {"elements"},
    "controls": {"elements", "hand"},
    "matrix": {"elements"},
    "tokens": {"elements"},
    "question": {"elements", "kept"},
    "share": {"controls", "elements"},
    "charts": {"elements", "matrix"},
    "plane": {"elements", "hand", "motion"},
    "painter": {"controls", "elements", "hand", "matrix"},
    "clocks": {"elements", "matrix"},
    "arcs": {"elements"},
    "dial": {"elements", "hand"},
    "field": {"elements"},
    "letters": {"elements", "hand"},
    "glasses": {"matrix"},
    "lanes": {"elements"},
    "dock": {"controls", "elements", "hand", "matrix"},
    "reorder": {"elements", "hand", "motion"},
    "figure": {"elements", "question", "share", "steady"},
    "pieces": {"elements"},
    "small": {"charts", "controls", "elements", "figure", "matrix", "pieces"},
    "sentences": {"elements", "hand"},
    "by_hand": {"controls", "elements", "figure", "kept", "matrix", "slips"},
    "slips": set(),
    "ladder": {"controls", "elements", "kept", "steady"},
}


def js_offences(name, text):
    """What a module below ``js/``, "draw/plane.js" say, imports though it may not, or loads from elsewhere."""
    if name in ("core.js", "number.js"):
        allowed = set()
    elif name == "two_layers.js":  # numbers that several figures have in common
        allowed = {"./core.js"}
    elif name.startswith("draw/"):
        below = BELOW[name.removeprefix("draw/").removesuffix(".js")]
        allowed = {"../core.js", "../number.js"} | {f"./{room}.js" for room in below}
    else:
        up = "../" if name.startswith(("small/", "by_hand/", "ladders/")) else "./"
        allowed = {f"{up}core.js", f"{up}number.js", f"{up}two_layers.js"} | {
            f"{up}draw/{room}.js" for room in BELOW
        }
        if name.startswith("ladders/"):  # a ladder stands on the figure of its chapter
            allowed |= {f"../{path.name}" for path in JS.glob("*.js")}
    yield from (f"{name} may not import {found}" for found in JS_IMPORT.findall(text) if found not in allowed)
    yield from (f"{name}: {found.strip()} is not allowed" for found in JS_DYNAMIC.findall(text))
    yield from (f"{name} reaches outside: {found[1:]}" for found in JS_OUTSIDE.findall(text))


def js_name(path):
    return path.relative_to(JS).as_posix()


@pytest.mark.parametrize("path", files(JS, "*.js"), ids=js_name)
def test_js_imports_downward_only(path):
    assert list(js_offences(js_name(path), path.read_text(encoding="utf-8"))) == []


def test_the_rooms_of_draw_are_listed():
    assert set(BELOW) == {path.stem for path in (JS / "draw").iterdir()}
    assert all(TopologicalSorter(BELOW).static_order())  # a circle raises


@pytest.mark.parametrize(
    ("name", "text", "bad"),
    [
        ("core.js", "export const softmax = (x) => x;\n// as in './draw/plane.js'", 0),
        ("core.js", 'export const label = "from here";\nexport const text = `import "it"`;', 0),
        ("core.js", 'import { a } from "./draw/plane.js";', 1),
        ("ladders/one.js", 'import { default as figure } from "../xor.js";', 0),
        ("xor.js", 'import { default as figure } from "./pmi.js";', 1),
        (
            "draw/plane.js",
            'import {\n  a,\n  b,\n} from "../core.js";\nimport { h } from "./elements.js";',
            0,
        ),
        ("draw/plane.js", 'import { a } from "../masking.js";', 1),
        ("draw/plane.js", 'import { a } from "./dock.js";', 1),
        ("draw/elements.js", 'import { a } from "./plane.js";', 1),
        ("number.js", 'import { a } from "./core.js";', 1),
        ("masking.js", 'import * as plane from "./draw/plane.js";\nimport { softmax } from "./core.js";', 0),
        ("masking.js", 'import "https://cdn.example/x.js";', 2),
        ("masking.js", 'export { a } from "./predict.js";', 1),
        ("masking.js", 'const d3 = await import("./core.js");', 1),
        ("masking.js", 'el.createElementNS("http://www.w3.org/2000/svg", "svg");', 0),
    ],
)
def test_the_js_rule_bites(name, text, bad):
    assert len(list(js_offences(name, text))) == bad


# Two habits that this house does without


def python_text(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


SOURCES = [
    path
    for name in ("attn", "bookext", "chapters", "ledger", "tests", "tools")
    for kind in ("*.py", "*.ipynb")
    for path in files(ROOT / name, kind)
]


def test_no_module_is_called_utils():
    assert [path for path in SOURCES if path.stem in {"utils", "util", "helpers", "common", "misc"}] == []


def test_nothing_edits_the_search_path():
    edit = re.compile(r"sys\.path(?:\.|\s*(?:\[.*\]\s*)?\+?=[^=])|site\.add" + "sitedir")
    assert [path for path in SOURCES if edit.search(python_text(path))] == []
