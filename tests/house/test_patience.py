"""No test fails by being slow: none waits for less than 30 s, sleeps for a condition, or looks at a clock.

What must be fast is measured by `make bench`. What must not happen is looked for after a definite later event
(`probe.settled()`), not after a pause.
"""

import ast
import re
from pathlib import Path

import pytest
import yaml

from tools import notebooks

ROOT = Path(__file__).resolve().parents[2]
LEAST = 30  # seconds
FILES = [path for folder in ("tests", "tools/chapter") for path in sorted((ROOT / folder).rglob("*"))]
PYTHON = [path for path in FILES if path.name.endswith((".py", ".py.txt"))]
SCRIPTS = [path for path in FILES if path.suffix in (".js", ".mjs")]

# Who counts in seconds, and the place of the time among its arguments; all others that know a `timeout` are the
# browser's, and count in milliseconds.
SECONDS = {
    "run": None, "call": None, "check_call": None, "check_output": None, "Popen": None, "communicate": 1,
    "wait": 0, "join": None, "get": 1, "result": 0, "acquire": 1, "urlopen": 2, "HTTPConnection": None,
    "HTTPSConnection": None, "create_connection": 1, "settimeout": 0, "setdefaulttimeout": 0, "wait_for": 1,
    "NotebookClient": None, "SimpleNamespace": None, "as_completed": 1, "WebDriverWait": 1,
}  # fmt: skip
SLEEPS = {"sleep", "wait_for_timeout", "waitForTimeout"}
CLOCKS = {
    "perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "thread_time", "time_ns", "timeit",
    "default_timer", "monotonic_ns", "elapsed",
}  # fmt: skip
# In a page: a clock, and a timer of a certain length but for the one that lets all others go first.
SCRIPT_CLOCK = re.compile(
    r"\bperformance\s*\.\s*(?:now|mark|measure)\b|\bDate\s*\.\s*now\b|\bnew Date\(\)|timeStamp"
)
SCRIPT_SLEEP = re.compile(r"\bsetTimeout\((?:[^()]|\([^()]*\))*,\s*([\d_.e]+)\s*\)")
NESTED = 5  # ms: a timer that is set by a timer waits 4


def name_of(node):
    """The last part of what is called or named: `sleep` of time.sleep."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def numbers(node, tree):
    """The numbers that an expression may be, as far as its file says: a name is looked up; None if it says nothing."""
    try:
        value = eval(compile(ast.Expression(node), "a time", "eval"), {"__builtins__": {}})
    except NameError:
        pass
    except Exception:
        return None
    else:
        found = [one for one in (value if isinstance(value, tuple | list) else [value]) if one is not None]
        return (
            found if all(isinstance(one, int | float) for one in found) else None
        )  # none at all waits forever
    if not isinstance(node, ast.Name):
        return None
    found = []
    for place in ast.walk(tree):
        given = []
        if isinstance(place, ast.Assign) and any(name_of(target) == node.id for target in place.targets):
            given = [place.value]
        elif isinstance(place, ast.For) and name_of(place.target) == node.id:
            given = [place.iter]
        elif isinstance(place, ast.FunctionDef):
            names = [argument.arg for argument in place.args.args]
            late = zip(names[len(names) - len(place.args.defaults) :], place.args.defaults, strict=True)
            only = zip(
                (argument.arg for argument in place.args.kwonlyargs), place.args.kw_defaults, strict=True
            )
            given = [value for name, value in [*late, *only] if name == node.id and value is not None]
        elif isinstance(place, ast.Call):
            given = [word.value for word in place.keywords if word.arg == node.id]
        for value in given:
            if not isinstance(value, ast.Name):
                found += numbers(value, tree) or []
    return found or None


def times(call):
    """The times of a call, each with whether it counts in seconds."""
    name = name_of(call.func)
    in_seconds = name in SECONDS
    for word in call.keywords:
        if word.arg and re.search(r"time_?out", word.arg):
            yield word.value, in_seconds or word.arg.endswith(("seconds", "execution_timeout"))
    place = SECONDS.get(name)
    method = isinstance(call.func, ast.Attribute)
    if place is not None and method and name != "get" and len(call.args) > place:
        yield call.args[place], True
    if name in ("set_default_timeout", "set_default_navigation_timeout"):
        yield call.args[0], False


def haste(text):
    """Yield (line, sentence) for each wait that is too short, each sleep and each look at a clock of a Python file."""
    tree = ast.parse(re.sub(r"@(\w+)@", r"\1", text))  # a chapter's draft has places to fill
    looped = {
        inner for loop in ast.walk(tree) if isinstance(loop, ast.While) for inner in ast.walk(loop)
    }  # between two looks at a condition it may sleep
    ends = (
        set()
    )  # the two places of a clock that end such a loop: `end = monotonic() + 60`, `while monotonic() < end`
    for node in ast.walk(tree):
        if isinstance(node, ast.While):
            ends |= set(ast.walk(node.test))
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.BinOp)
            and isinstance(node.value.op, ast.Add)
        ):
            found = numbers(node.value.right, tree)
            if found and min(found) >= LEAST:
                ends.add(node.value.left)
    notes = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }  # docstrings
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Call):
            name = name_of(node.func)
            if name in SLEEPS and node not in looped:
                yield line, f"{name}() instead of a condition"
            if name in ("monotonic", "time") and node not in ends:
                base = node.func.value if isinstance(node.func, ast.Attribute) else node.func
                if name_of(base) in ("time", "monotonic"):
                    yield line, "a clock"
            for value, in_seconds in times(node):
                found = numbers(value, tree)
                if found is None:
                    yield line, f"nothing here says how long {ast.unparse(value)} is"
                elif any(one < LEAST * (1 if in_seconds else 1000) for one in found):
                    yield line, f"a wait of {min(found):g} {'s' if in_seconds else 'ms'}"
        elif isinstance(node, ast.Name | ast.Attribute | ast.alias):
            name = node.name if isinstance(node, ast.alias) else name_of(node)
            if name in CLOCKS:
                yield line, f"{name}: a clock"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in notes:
            for inner, sentence in haste_of_script(node.value):
                yield line + inner - 1, sentence


def haste_of_script(text):
    """The same of JavaScript, in a file or in a string of a test."""
    for number, line in enumerate(text.splitlines(), 1):
        if SCRIPT_CLOCK.search(line):
            yield number, "a clock"
        if "waitForTimeout" in line:
            yield number, "waitForTimeout() instead of a condition"
        for found in SCRIPT_SLEEP.finditer(line):
            if float(found.group(1)) > NESTED:
                yield number, f"a timer of {found.group(1)} ms instead of a condition"
        for found in re.finditer(r"\btimeout: ([\d_]+)", line):
            if int(found.group(1)) < 1000 * LEAST:
                yield number, f"a wait of {found.group(1)} ms"


def test_no_test_is_in_haste():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {said}"
        for path in PYTHON + SCRIPTS
        if path != Path(__file__)  # which names what it looks for
        for line, said in (haste_of_script if path in SCRIPTS else haste)(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_files_are_found():
    names = {path.name for path in PYTHON + SCRIPTS}
    assert {"test_layout.py", "test_jupyterlab.py", "conftest.py", "probe.js", "test_NAME.py.txt"} <= names


@pytest.mark.parametrize(
    "code",
    [
        "view.wait_for_function('true', timeout=2000)",
        "view.locator('p').click(timeout=9_000)",
        "expect(view).to_have_title('t', timeout=5_000.0)",
        "context.set_default_timeout(15_000)",
        "SOON = 3_000\nview.wait_for_selector('p', timeout=SOON)",
        "for patience in (8_000, 60_000):\n    view.goto('a', timeout=patience)",
        "def reach(address, timeout=2):\n    urlopen(address, timeout=timeout)",
        "def reach(address, *, timeout=2):\n    urlopen(address, timeout=timeout)",
        "subprocess.run(['git'], timeout=10)",
        "process.wait(20)",
        "process.communicate(None, 5)",
        "thread.join(timeout=1)",
        "http.client.HTTPConnection('a', 80, timeout=5)",
        "config(nb_execution_timeout=3)",
        "view.wait_for_selector('p', timeout=from_elsewhere)",
        "view.wait_for_timeout(60_000)",
        "time.sleep(0.2)",
        "from time import sleep\nsleep(0.2)",
        "for _ in range(9):\n    sleep(1)",
        "start = time.perf_counter()",
        "from time import perf_counter as now",
        "assert time.monotonic() - start < 2",
        "end = time.monotonic() + 5\nwhile time.monotonic() < end:\n    look()",
        "before = time.time()",
        "assert response.elapsed < limit",
        "view.evaluate('() => performance.now()')",
        "view.evaluate(f'''() => {{\n  const gap = Date.now() - {start};\n}}''')",
        "view.evaluate('() => new Promise((done) => setTimeout(done, 300))')",
        "view.evaluate('() => new Promise((done) => setTimeout(() => done(), 1e3))')",
        "page = '''await page.waitForTimeout(500)'''",
        "page = '''await page.waitForSelector('p', { timeout: 500 })'''",
    ],
)
def test_haste_is_found(code):
    assert list(haste(code))


@pytest.mark.parametrize(
    "code",
    [
        "view.wait_for_function('true')",
        "view.wait_for_function('true', timeout=30_000)",
        "subprocess.run(['git'], timeout=30)",
        "subprocess.run(['git'])",
        "process.wait()",
        "process.wait(60)",
        "environment.get('timeout', 2)",
        "', '.join(names)",
        "end = time.monotonic() + 60\nwhile time.monotonic() < end:\n    time.sleep(0.2)",
        "def wait(seconds=60):\n    end = time.monotonic() + seconds\n    while time.monotonic() < end: look()",
        "view.evaluate('() => new Promise((done) => setTimeout(done))')",
        "view.evaluate('() => new Promise((done) => setTimeout(done, 5))')",
        '"""Not time.sleep(2), nor performance.now()."""',
        "table.time(3)",
    ],
)
def test_patience_is_left_alone(code):
    assert list(haste(code)) == []


def test_what_runs_a_notebook_is_patient():
    """The longest cells take 6 s where nothing else runs: they have minutes, in the build and when run anew."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert min(config["execute"]["timeout"], notebooks.CELL_SECONDS) >= 4 * LEAST
