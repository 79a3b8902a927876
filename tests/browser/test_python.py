"""Python in the page: the notebooks' own outputs, the readers' presses, and what a cell may not do."""

import html
import json
import re

import nbformat
import pytest

from bookext.run import cells_of
from tests.browser import book
from tests.tiers import SLOW
from tools.environment import ROOT

NOTEBOOKS = {
    path.relative_to(ROOT).as_posix(): cells_of(path) for path in sorted((ROOT / "chapters").rglob("*.ipynb"))
}
PAGE = "chapters/03_masking"
WAIT = 150_000  # ms: Python starts on a busy machine
DONE = """n => /^(Ran|Your code|Stopped|A cell before|Python ended)/.test(
  document.querySelector(`.abh-cell-${n} .abh-ran-says`)?.textContent ?? "")"""
FORGET = """n => {
  const says = document.querySelector(`.abh-cell-${n} .abh-ran-says`);
  if (says) says.textContent = "…";
}"""
OPEN = """() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  for (const part of document.querySelectorAll(".toggle-hidden")) part.querySelector(".toggle-button").click();
}"""
#: Runs a page's cells in order in its worker, without the page: what each shows and how it ends.
RUN = """async ({ base, cells }) => {
  const manifest = await (await fetch(`${base}manifest.json`)).json();
  const worker = new Worker(`${base}worker.js`);
  const ends = cells.map(() => ({ shown: [] }));
  await new Promise((done, fail) => {
    const ask = (run) => worker.postMessage({ run, code: cells[run], name: `cell ${run}` });
    worker.onmessage = ({ data }) => {
      if (data.failed) fail(new Error(data.failed));
      if (data.ready) ask(0);
      if (data.out) ends[data.run].shown.push(data.out);
      if (!data.done) return;
      Object.assign(ends[data.run], data.done);
      if (data.run + 1 < cells.length) ask(data.run + 1);
      else done();
    };
    worker.postMessage({ start: manifest });
  });
  worker.terminate();
  return ends;
}"""


@pytest.fixture(scope="module")
def page(chromium, site):
    """One visit for all presses: to start Python takes longer than they do."""
    tab = chromium.new_page(viewport={"width": 1280, "height": 900})
    heard = []
    tab.on("pageerror", lambda error: heard.append(str(error)))
    tab.goto(f"{site}{PAGE}.html")
    yield tab
    tab.evaluate("localStorage.clear()")
    tab.close()
    assert not heard


def folder(tab):
    """Where the page's Python is, seen from its root."""
    return re.search(r'import\("\.\./(_static/python/\w+/)page\.js"\)', tab.content())[1]


def number_of(code, kind=""):
    """The index of the first cell of PAGE whose code has these words."""
    cells = json.loads(
        next((book.folder() / "_static/python/cells").glob("chapters-03_masking.*.json")).read_text()
    )
    return next(cell["index"] for cell in cells if code in cell["code"] and cell["kind"] == kind)


def press(tab, cell, kind="run", *, wait=True):
    tab.evaluate(OPEN)
    tab.evaluate(FORGET, cell)
    tab.locator(f'.abh-run[data-cell="{cell}"] [data-python="{kind}"]').click()
    if wait:
        tab.wait_for_function(DONE, arg=cell, timeout=WAIT)
        return tab.locator(f".abh-cell-{cell} .abh-ran").inner_text()
    return None


def write(tab, cell, text):
    if not tab.locator(f".abh-cell-{cell} textarea").count():
        press(tab, cell, "edit", wait=False)
    tab.locator(f".abh-cell-{cell} textarea").fill(text)


def stored(cell):
    """What a notebook keeps of a cell's output, as the page would show it: [kind, text] each, text joined."""
    found = []
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            found.append(["text", output.text])
        elif "text/html" in data:
            found.append(["html", data["text/html"]])
        elif "image/png" in data:  # a figure, too
            found.append(["picture", ""])
        else:
            found.append(["text", data["text/plain"] + "\n"])
    return joined(found)


def told(shown):
    """What the page was told of a cell's output, in the same form."""
    found = []
    for out in shown:
        kind = next(kind for kind in ("text", "html", "figure") if kind in out)
        picture = kind == "html" and out["html"].startswith(
            ('<div class="abh-still', '<div class="abh-ran-plot')
        )
        found.append(["picture", ""] if picture or kind == "figure" else [kind, out[kind]])
    return joined(found)


def joined(parts):
    found = []
    for kind, text in parts:
        if found and kind == found[-1][0] == "text":
            found[-1][1] += text
        else:
            found.append([kind, text])
    return [[kind, html.unescape(text).rstrip()] for kind, text in found]


#: What differs by version, and why: notebook -> (the page's, the stored one).
DIFFERS = {
    "chapters/further/03_minus_infinity.ipynb": ("int32", "int64"),  # the page's Python has 32 bits
}


@pytest.mark.parametrize(
    "notebook", [name for name, cells in NOTEBOOKS.items() if any(cell["kind"] != "figure" for cell in cells)]
)
def test_the_page_computes_what_the_notebook_stores(notebook, chromium, site):
    """The page's Python and NumPy are older than the lock's: each output is the same, by nbval's rule."""
    told_apart = [cell["index"] for cell in NOTEBOOKS[notebook] if cell["kind"] != "figure"]
    cells = [nbformat.read(ROOT / notebook, 4).cells[index] for index in told_apart]
    tab = chromium.new_page()
    tab.set_default_timeout(600_000)
    tab.goto(f"{site}{PAGE}.html")
    ends = tab.evaluate(RUN, {"base": f"{site}{folder(tab)}", "cells": [cell.source for cell in cells]})
    tab.close()
    ours, theirs = DIFFERS.get(notebook, ("", ""))
    shown = [
        [[kind, text.replace(ours, theirs) if ours else text] for kind, text in told(end["shown"])]
        for end in ends
    ]
    wrong = [
        (cell.source[:80], end.get("whole") or here, stored(cell))
        for cell, end, here in zip(cells, ends, shown, strict=True)
        if "raises-exception" not in cell.metadata.get("tags", [])
        and "nbval-ignore-output" not in cell.metadata.get("tags", [])
        and (end.get("error") or here != stored(cell))
    ]
    assert not wrong


#: Checks every answer of a table, right ones and wrong ones, and prints what each checker says.
ANSWERS = """
import contextlib, importlib, io
from attn import check

def verdicts(file):
    module = importlib.import_module(f"tests.unit.answers.{file}")
    for name in sorted({*module.RIGHT, *module.WRONG}):
        rows = [*module.RIGHT.get(name, []), *(function for function, _ in module.WRONG.get(name, []))]
        for function in rows:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                getattr(check, name)(function)
            yield said.getvalue()
"""
FOLDER = ROOT / "tests" / "unit"


@SLOW
@pytest.mark.parametrize("file", sorted(path.stem for path in (FOLDER / "answers").glob("*.py")))
def test_each_checker_says_in_the_page_what_it_says_here(file, chromium, site):
    """Right and wrong answers, sentence by sentence, though the page's hypothesis is another release."""
    here = {}
    exec(ANSWERS, here)  # noqa: S102 - the same lines as in the page
    expected = list(here["verdicts"](file))
    files = {
        f"tests/unit/{name}": (FOLDER / name).read_text(encoding="utf-8")
        for name in ("leaks.py", f"answers/{file}.py")
    }
    write_files = (
        f"import pathlib, site\nfor name, text in {files!r}.items():\n"
        "    path = pathlib.Path(site.getsitepackages()[0], name)\n"
        "    path.parent.mkdir(parents=True, exist_ok=True)\n    path.write_text(text)\n" + ANSWERS
    )
    ask = f"found = list(verdicts({file!r}))\nlen(found)"
    show = [f"print(found[{place}], end='')" for place in range(len(expected))]
    tab = chromium.new_page()
    tab.set_default_timeout(600_000)
    tab.goto(f"{site}{PAGE}.html")
    ends = tab.evaluate(RUN, {"base": f"{site}{folder(tab)}", "cells": [write_files, ask, *show]})
    tab.close()
    assert not [end["whole"] for end in ends if end.get("error")]
    # The page's Python has 32 bits: a whole number that NumPy makes is int32 there.
    said = ["".join(out["text"] for out in end["shown"]).replace("int32", "int64") for end in ends[2:]]
    assert [pair for pair in zip(said, expected, strict=True) if pair[0] != pair[1]] == []


def test_nothing_comes_before_a_press(page):
    asked = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert page.locator(".abh-run").count() > 10
    assert not [name for name in asked if "/_static/python/" in name]


def test_a_cell_runs_after_those_before_it(page):
    cell = number_of("masked = np.where")
    press(page, cell, wait=False)
    assert "Stopped" in press(page, cell)  # while Python starts
    text = press(page, cell)
    assert "0.42" in text
    assert "weights" in text
    assert page.locator(f".abh-cell-{number_of('before = softmax')} .abh-ran").count() == 0


def test_an_exercise_is_checked_in_the_notebooks_words_and_counts(page):
    exercise, solution = (number_of("def inputs_and_targets", kind) for kind in ("exercise", "solution"))
    assert "passed" in press(page, solution)
    assert "inputs_and_targets" not in (page.evaluate("localStorage['attention-by-hand:practice'] ?? ''"))
    assert "not solved yet" in press(page, exercise)
    check = "\n\n\ncheck.inputs_and_targets(inputs_and_targets)"
    rolled = "def inputs_and_targets(tokens):\n    return np.stack([tokens, np.roll(tokens, -1)])" + check
    write(page, exercise, rolled)
    assert "np.roll brings the first token round" in press(page, exercise)
    write(page, exercise, rolled.replace("[tokens, np.roll(tokens, -1)]", "[tokens[:-1], tokens[1:]]"))
    assert "It counts in Practice" in press(page, exercise)
    kept = json.loads(page.evaluate("localStorage['attention-by-hand:practice']"))
    assert kept["exercises"]["inputs_and_targets"]["passed"]


def test_a_figure_and_its_python_move_together(page):
    figure, after = number_of("lab = Masking"), number_of("heard = []")
    slider = page.locator(f".abh-cell-{figure} input[type=range]").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert "move together" in press(page, figure)
    model = f"document.querySelector('.abh-cell-{figure} .abh-slot').abhModel"
    heard = (
        "print('at first', lab.nudge)\nlab.observe(lambda change: print('heard', change['new']), 'nudge')\n"
    )
    write(page, after, f"{heard}lab.nudge = -2.0")
    assert "at first 0.1" in press(page, after), "what was moved before Python was there"
    assert page.evaluate(f"{model}.get('nudge')") == -2
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("heard -1.9").wait_for()
    write(page, after, "print(round(lab.nudge, 1), lab.weights[3].round(2))")
    assert "-1.9 [" in press(page, after)


def test_what_is_changed_is_kept_until_reset_and_can_be_taken_away(page):
    cell = number_of("others = ~np.eye")
    write(page, cell, "print('mine')")
    assert "mine" in press(page, cell)
    page.reload()
    area = page.locator(f".abh-cell-{cell} textarea")
    area.wait_for()
    assert area.input_value() == "print('mine')"
    page.evaluate(OPEN)
    with page.expect_download() as taken:
        press(page, cell, "notebook", wait=False)
    notebook = nbformat.read(taken.value.path(), 4)
    assert notebook.cells[cell].source == "print('mine')"
    press(page, cell, "reset", wait=False)
    page.locator(f".abh-cell-{cell} .abh-code-editor").wait_for(state="detached")
    page.reload()
    page.wait_for_timeout(500)
    assert not page.locator(f".abh-cell-{cell} textarea").count()


def test_what_goes_wrong_is_told_and_the_page_lives_on(page):
    cell = number_of("others = ~np.eye")
    for code, words in {
        "x = 1\ny = nothing": "name 'nothing' is not defined (line 2)",
        "def f(:\n    pass": "SyntaxError",
        "import torch": "A page has NumPy",
        "input()": "write the value into the code",
        "import calendar, colorsys\ncolorsys.rgb_to_hsv(1, 0, 0)": "(0.0, 1.0, 1)",  # not here at first
        "np.fft.fft([1, 0]).real": "array([1., 1.])",
        "from hypothesis import given, strategies as st\n@given(st.integers())\ndef small(x): assert x < 9\nsmall()": (
            "AssertionError (line 3)"  # most of hypothesis comes with the checkers, the rest when it is asked for
        ),
        "np.testing.assert_allclose([1, 2], [1, 3])": "Not equal to tolerance",
        "from attn.check import *\nimport inspect, attn.check, attn.softmax\nattn.check.decoder_mask is decoder_mask": (
            "True"
        ),
        "inspect.getsource(attn.softmax.softmax)": "def softmax",
        "def f(n): return f(n + 1)\nf(0)": "calls itself without an end",
        "a = [np.empty(10**8) for _ in range(10**4)]": "a page has room",
        "print('x' * 10**6)": "more characters",
        "import js\njs.document.body.innerHTML = ''": "document",
        "import js\njs.fetch('/')": "Error",
        "import builtins\nfor name in list(vars(builtins)):\n"
        "    if name not in ('__import__', 'delattr'): delattr(builtins, name)": "",
        "1 + 1": "2",
    }.items():
        write(page, cell, code)
        assert words in press(page, cell)
    write(page, cell, "x = 1\ny = nothing")
    press(page, cell)
    assert page.locator(".abh-wrong-line").inner_text().strip() == "y = nothing"
    first = number_of("import numpy")
    write(page, first, "x = 1\n\n1 / 0")
    write(page, cell, "print('innocent')\nx\nx")
    assert "(line 3 of the cell that begins “x = 1”)" in press(page, cell)
    assert page.locator(".abh-wrong-line").all_inner_texts() == ["1 / 0\n"]
    page.locator(f".abh-cell-{first} [data-python=reset]").click()
    write(page, cell, "while True: pass")
    page.locator(".abh-wrong-line").wait_for(state="detached")
    press(page, cell, wait=False)
    page.locator(".abh-run [data-stops]").wait_for()
    page.wait_for_timeout(300)
    assert "Stopped" in press(page, cell)
    write(page, cell, "len(q)")
    assert "4" in press(page, cell)
    page.locator(".abh-slot input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".abh-touched").count()


def test_markup_that_a_cell_makes_can_do_nothing(page):
    cell = number_of("others = ~np.eye")
    write(
        page,
        cell,
        "from IPython.display import HTML, display\n"
        "display(HTML('<img src=x onerror=alert(1)><script>document.title = 1</script><b onclick=alert(3)>bold</b>"
        '<a href=javascript:alert(4)>link</a><p style="position: fixed">there</p><iframe></iframe>\'))',
    )
    press(page, cell)
    assert page.locator(f".abh-cell-{cell} .abh-ran-shown").inner_html() == "<b>bold</b><p>there</p>"


def test_lines_in_order_run_in_an_editor_of_their_own(chromium, site):
    tab = chromium.new_page(viewport={"width": 390, "height": 844})
    tab.goto(f"{site}chapters/practice/03_masking.html")
    root = tab.locator('[data-explorable="CodeInOrder"]').first
    root.scroll_into_view_if_needed()
    slot = root.locator("xpath=ancestor::*[contains(@class, 'abh-slot')]")
    slot.evaluate(
        "slot => { const { lines, wrong } = slot.abhModel.get('task'); const right = lines.map((_, k) => k)"
        ".filter((k) => !wrong.includes(k)); slot.abhModel.set('order', [...right, lines.length, ...wrong]); }"
    )
    assert root.locator('[data-python="try"]').is_hidden()
    root.locator('[data-action="check"]').click()
    root.locator('[data-python="try"]').click()
    tab.wait_for_function(
        "() => /^Ran here/.test(document.querySelector('.abh-tried .abh-ran-says')?.textContent ?? '')",
        timeout=WAIT,
    )
    assert "def " in tab.locator(".abh-tried textarea").input_value()
    assert tab.locator(".abh-tried .abh-ran-error").count() == 0
    tab.close()
