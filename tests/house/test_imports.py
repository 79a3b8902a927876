"""Who may import whom. Chapters -> explore, plots, check -> maths modules -> NumPy, and nothing the other way."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "attn"
EXTRAS = {"plots", "explore", "check"}  # all other modules of attn are maths
HOUSE = {"attn", "bookext", "tools", "tests", "chapters"}

# Beside the standard library: what a part may import when it is itself imported, and what in a function as well.
AT_ONCE = {
    "maths": {"numpy", "attn.maths"},
    "plots": {"numpy", "matplotlib", "attn.maths", "attn.plots"},
    "check": {"numpy", "hypothesis", "attn.maths", "attn.check"},
    "explore": {"numpy", "anywidget", "ipywidgets", "traitlets", "attn.maths", "attn.explore"},
}
LATER = {
    "maths": set(),
    "plots": set(),
    "check": set(),
    "explore": {"attn.plots", "matplotlib", "IPython"},  # a fallback picture, drawn when it is asked for
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
    "server",
]


def files(folder, pattern):
    return [path for path in sorted(folder.rglob(pattern)) if ".ipynb_checkpoints" not in path.parts]


def part_of(module):
    """`attn.masks` is maths, `attn.explore.masking` is explore; `attn` itself counts as maths."""
    second = (module.split(".") + [""])[1]
    return second if second in EXTRAS else "maths"


def imports(path, root=ROOT):
    """Yield (module, at_once, line) for each import in a file, relative ones resolved."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = path.relative_to(root).with_suffix("").parts[:-1]
    inner = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from attn import plots` imports attn.plots
            modules = [f"{base}.{alias.name}" if base == "attn" else base for alias in node.names]
        else:
            continue
        for module in modules:
            yield module, node not in inner, node.lineno


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
        ("explore/masking.py", "from ._base import Explorable\nfrom ..masks import causal_mask", 0),
        ("explore/masking.py", "from attn import plots", 1),
        ("explore/masking.py", "def f():\n    from attn import plots", 0),
        ("explore/masking.py", "import bookext", 1),
    ],
)
def test_the_rule_bites(tmp_path, name, text, bad):
    path = tmp_path / "attn" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert len(list(offences(path, tmp_path))) == bad


@pytest.mark.parametrize("folder", ["attn", "bookext", "tools"])
def test_nothing_imports_tests_or_chapters(folder):
    found = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in files(ROOT / folder, "*.py")
        for module, _, _ in imports(path)
        if module.split(".")[0]
        in {"tests", "chapters"} | ({"bookext", "tools"} if folder == "attn" else set())
    ]
    assert found == []


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
    maths = [f"attn.{path.stem}" for path in sorted(PACKAGE.glob("*.py")) if path.stem not in EXTRAS]
    names = ["attn", *(name for name in maths if name != "attn.__init__")]
    answer = subprocess.run(
        [sys.executable, "-c", NUMPY_ALONE, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.stdout == "fine\n", answer.stderr
    # The guard itself works:
    answer = subprocess.run([sys.executable, "-c", NUMPY_ALONE, "pytest"], capture_output=True, text=True)
    assert "refused: pytest" in answer.stderr


# ES modules: view -> draw -> core and number -> nothing

JS = PACKAGE / "explore" / "js"
JS_IMPORT = re.compile(
    r"""^\s*(?:import\s*(?:[\w*{][^"'`;]*?\bfrom\s*)?|export\s*[*{][^"'`;]*?\bfrom\s*)["']([^"']+)["']""",
    re.MULTILINE,
)
JS_DYNAMIC = re.compile(r"\bimport\s*\(|\brequire\s*\(|\bimportScripts\b")
JS_OUTSIDE = re.compile(r"""["'`(](?:https?:)?//(?!www\.w3\.org/)[^\s"'`)]+""")


def js_offences(name, text):
    below = {"core.js": set(), "number.js": set(), "draw.js": {"./core.js", "./number.js"}}
    allowed = below.get(name, {"./core.js", "./number.js", "./draw.js"})
    yield from (f"{name} may not import {found}" for found in JS_IMPORT.findall(text) if found not in allowed)
    yield from (f"{name}: {found.strip()} is not allowed" for found in JS_DYNAMIC.findall(text))
    yield from (f"{name} reaches outside: {found[1:]}" for found in JS_OUTSIDE.findall(text))


@pytest.mark.parametrize("path", files(JS, "*.js"), ids=lambda path: path.name)
def test_js_imports_downward_only(path):
    assert list(js_offences(path.name, path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("name", "text", "bad"),
    [
        ("core.js", "export const softmax = (x) => x;\n// as in './draw.js'", 0),
        ("core.js", 'export const label = "from here";\nexport const text = `import "it"`;', 0),
        ("core.js", 'import { a } from "./draw.js";', 1),
        ("draw.js", 'import {\n  a,\n  b,\n} from "./core.js";', 0),
        ("draw.js", 'import { a } from "./masking.js";', 1),
        ("number.js", 'import { a } from "./core.js";', 1),
        ("masking.js", 'import * as draw from "./draw.js";\nimport { softmax } from "./core.js";', 0),
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
    for name in ("attn", "bookext", "chapters", "tests", "tools")
    for kind in ("*.py", "*.ipynb")
    for path in files(ROOT / name, kind)
]


def test_no_module_is_called_utils():
    assert [path for path in SOURCES if path.stem in {"utils", "util", "helpers", "common", "misc"}] == []


def test_nothing_edits_the_search_path():
    edit = re.compile(r"sys\.path(?:\.|\s*(?:\[.*\]\s*)?\+?=[^=])|site\.add" + "sitedir")
    assert [path for path in SOURCES if edit.search(python_text(path))] == []
