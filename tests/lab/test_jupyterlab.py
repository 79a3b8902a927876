"""Figures in JupyterLab, in a real browser: hands hold them, and Python has it. By keys: test_readers_day.py."""

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest

from attn.explore import FirstTouch, Masking
from bookext.explorables import model_of
from tests import tiers
from tests.browser import book
from tests.browser.chromium_hands import Mouse
from tests.browser.gestures import aim, cell_follows, grip_follows, open_up, painter_paints
from tests.lab.running import IDLE, Notebook, own_folders, running
from tools.lab.__main__ import QUIET

pytestmark = [pytest.mark.lab, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
PROBE = ROOT / "tests" / "browser" / "probe.js"
CELLS = [
    "import json\nfrom attn.explore import FirstTouch, Masking\n\nfigure = Masking()\nfigure",
    "from ipywidgets import VBox\n\ntouch = FirstTouch()\nVBox([touch, FirstTouch()])",
    "print('hand', json.dumps([touch.k, touch.angle, touch.length, figure.preset, figure.mask, figure.q]))",
]


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab of its own, with one notebook: yields its address."""
    root = tmp_path / "root"
    root.mkdir()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(notebook, root / "figure.ipynb")
    command = [sys.executable, "-m", "jupyterlab", *QUIET, f"--ServerApp.root_dir={root}"]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    folders = own_folders(tmp_path)
    with running(command, root, tmp_path / "lab.log", **folders, PYTHONPATH=path) as address:
        yield f"{address}/lab/tree/figure.ipynb"


@tiers.SLOW
def test_the_same_explorable_in_jupyterlab(chromium, lab):
    page = chromium.new_page(viewport={"width": 1200, "height": 1400})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(path=PROBE)
    page.goto(lab, timeout=60_000)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    # Its kernel answers, and all cells stand; before that, keys go nowhere.
    page.wait_for_function(IDLE, timeout=60_000)
    stand = "count => document.querySelectorAll('.jp-Notebook .jp-CodeCell').length === count"
    page.wait_for_function(stand, arg=len(CELLS), timeout=60_000)
    notebook = Notebook(page)
    page.evaluate("location.hash = '#state=Masking&nudge=2'")  # no figure here has an address
    for index, name in enumerate(("Masking", "FirstTouch")):
        notebook.run(index)
        page.wait_for_selector(f'[data-explorable="{name}"][data-ready="1"]', timeout=60_000)
    hold_the_figures(page, notebook)
    page.close()
    assert errors == []


STAYS = """() => [document.querySelector(".jp-WindowedPanel-outer, .jp-Notebook").scrollTop, String(getSelection()),
  [...document.querySelectorAll(".jp-Notebook .jp-Cell")].map((cell) => cell.className.match(/jp-mod-\\w+/g)).join()]"""


def hold_the_figures(page, notebook):
    """A mouse drags a grip and a number and paints a mask: the notebook neither scrolls nor selects; Python has it."""
    hand = Mouse(page)
    names = page.evaluate("probe.roots().map((root) => root.dataset.explorable)")
    touch, masking = (
        book.Figure(names.index(kind.__name__), kind, model_of(kind().get_state()))
        for kind in (FirstTouch, Masking)
    )
    said = []
    for question, figure, sort, key in (
        (grip_follows, touch, "grip", "angle"),
        (grip_follows, touch, "grip", "k.1"),
        (painter_paints, masking, "painter", "mask"),
        (cell_follows, masking, "cell", "q.1.0"),
    ):
        open_up(hand, figure)
        aim(hand, figure, sort, key)
        before = page.evaluate(STAYS)
        said += question(hand, figure, key)
        after = page.evaluate(STAYS)
        if after != before:
            said.append(f"{figure}, {key}: the notebook is {after}, and was {before}")
    page.locator('[data-explorable="Masking"] [data-action="share"]').click()
    offers = page.locator('[data-explorable="Masking"] .abh-share button')
    assert offers.all_inner_texts() == ["Copy as NumPy", "Lecture steps"]
    # One more drag that stays where it ends.
    grip = aim(hand, touch, "grip", "angle")
    hand.swipe((grip["x"], grip["y"]), (grip["x"] - 50, grip["y"] - 20))
    assert said == []
    ids = page.evaluate("[...document.querySelectorAll('.abh [id]')].map((node) => node.id)")
    assert len(set(ids)) == len(ids) > 1, "a figure would draw another one's picture"
    states = [hand.ask("read", figure.index)["state"] for figure in (touch, masking)]
    hand.leave()
    notebook.run(2)
    k, angle, length, preset, mask, q = json.loads(notebook.printed(2, r"hand (.*)")[0])
    wanted = {"angle": angle, "length": length, "preset": preset}
    wanted |= {f"k.{i}.{c}": value for i, row in enumerate(k) for c, value in enumerate(row)}
    assert states[0] == pytest.approx(states[0] | {key: wanted[key] for key in wanted if key in states[0]})
    wanted |= {f"mask.{i}.{j}": value for i, row in enumerate(mask) for j, value in enumerate(row)}
    wanted |= {f"q.{i}.{c}": value for i, row in enumerate(q) for c, value in enumerate(row)}
    assert preset == "custom"
    assert states[1]["nudge"] == 0
    assert states[1] == states[1] | {
        key: wanted[key] for key in wanted if key in states[1] and key[0] in "pmq"
    }
