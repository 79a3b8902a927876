"""The same explorable in JupyterLab, in a real browser: keys reach it, Python sees it, Python moves it. One start."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from attn.explore import FirstTouch, Masking
from bookext.explorables import model_of
from tests import tiers
from tests.browser import book
from tests.browser.chromium_hands import Mouse
from tests.browser.gestures import aim, cell_follows, grip_follows, open_up, painter_paints
from tests.lab.running import Notebook, own_folders, running
from tools.find_chromium import FLAGS, find_chromium

pytestmark = [pytest.mark.lab, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
PROBE = ROOT / "tests" / "browser" / "probe.js"
CELLS = [
    "from attn.explore import Masking\n\nseen = []\nfigure = Masking()\n"
    "figure.observe(lambda change: seen.append(change.new), names='nudge')\nfigure",
    "print('seen', seen[-1], 'nudge', figure.nudge)",
    "figure.nudge = -2.0\nfigure.order = 'after'",
    "import json\nprint('weights', type(figure.weights).__name__, json.dumps(figure.weights.tolist()))",
    "from attn.explore import TrainingReplay, XorLab\nfrom attn.xor import train\n\nlab = XorLab(opened=True)\nlab",
    "replay = TrainingReplay({'two heads': train(0, n_steps=60, record_every=20)})\nreplay",
    "lab.second_head = True\nprint('angle', lab.angle, 'record', replay.record)",
    "from ipywidgets import VBox\n\nfrom attn.explore import FirstTouch\n\ntouch = FirstTouch()\n"
    "VBox([touch, FirstTouch()])",
    "print('hand', json.dumps([touch.k, touch.angle, touch.length, figure.preset, figure.mask, figure.q]))",
]


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab of its own, with one notebook: yields its address."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    notebook = {
        "cells": [{**cell, "id": f"cell-{index}", "source": source} for index, source in enumerate(CELLS)],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    root = tmp_path / "root"
    root.mkdir()
    (root / "figure.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    quiet = ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.extension_manager=readonly"]
    command = [sys.executable, "-m", "jupyterlab", *quiet, f"--ServerApp.root_dir={root}"]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    folders = own_folders(tmp_path)
    with running(command, root, tmp_path / "lab.log", **folders, PYTHONPATH=path) as address:
        yield f"{address}/lab/tree/figure.ipynb"


@tiers.SLOW
def test_the_same_explorable_in_jupyterlab(lab):
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium, Chrome or Edge: see `python -m tools.find_chromium`")
    # A thread of its own: Playwright runs once in each, and the browser tests may have theirs in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(use_the_notebook, lab, path).result()


def use_the_notebook(lab, path):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=180_000)
        page = browser.new_page(viewport={"width": 1200, "height": 1400})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.add_init_script(path=PROBE)
        page.goto(lab, timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        # Its kernel answers, and all cells stand; before that, keys go nowhere.
        page.wait_for_function(
            """count => document.querySelector(".jp-StatusBar-Left")?.textContent.includes("| Idle") &&
              document.querySelectorAll(".jp-Notebook .jp-CodeCell").length === count""",
            arg=len(CELLS),
            timeout=60_000,
        )
        notebook = Notebook(page)
        notebook.run(0)
        page.wait_for_selector('[data-explorable="Masking"][data-ready="1"]', timeout=60_000)
        root = page.locator('[data-explorable="Masking"]')

        # Arrow keys reach the slider, and what they set reaches observe() in Python.
        slider = root.locator('input[name="nudge"]')
        slider.focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        assert float(slider.input_value()) == 0.5, "JupyterLab took the arrow keys"
        notebook.run_until(1, r"seen (\S+) nudge (\S+)", ("0.5", "0.5"))

        # A trait that Python sets moves the picture, the inputs too.
        notebook.run(2)
        page.wait_for_function("document.querySelector('input[name=nudge]').value === '-2'", timeout=60_000)
        assert root.locator('input[name="order"][value="after"]').is_checked()

        # `weights` is a NumPy array, and what is drawn.
        notebook.run(3)
        kind, numbers = notebook.printed(3, r"weights (\w+) (\[.*\])")
        assert kind == "ndarray"
        shown = root.evaluate("root => probe.drawn(root).matrices.find((matrix) => matrix.name === 'weights')")
        drawn = np.array(shown["values"]).reshape(shown["shape"])
        np.testing.assert_allclose(drawn, np.array(json.loads(numbers)), rtol=1e-12, atol=1e-12)

        # The figures of chapter 5, the second of which carries recorded runs.
        for index, name, key in ((4, "XorLab", "angle"), (5, "TrainingReplay", "record")):
            notebook.run(index)
            page.wait_for_selector(f'[data-explorable="{name}"][data-ready="1"]', timeout=60_000)
            page.locator(f'[data-explorable="{name}"] input[name="{key}"]').press("ArrowRight")
        notebook.run_until(6, r"angle (\S+) record (\S+)", ("131.0", "1"))
        assert page.locator('[data-explorable="XorLab"] input[name="second_head"]').is_checked()
        hold_the_figures(page, notebook)
        assert errors == []
        browser.close()


STAYS = """() => [document.querySelector(".jp-WindowedPanel-outer, .jp-Notebook").scrollTop, String(getSelection()),
  [...document.querySelectorAll(".jp-Notebook .jp-Cell")].map((cell) => cell.className.match(/jp-mod-\\w+/g)).join()]"""


def hold_the_figures(page, notebook):
    """A mouse drags a grip and a number and paints a mask: the notebook neither scrolls nor selects; Python has it."""
    notebook.run(7)
    page.wait_for_selector('[data-explorable="FirstTouch"][data-ready="1"]', timeout=60_000)
    hand = Mouse(page)
    names = page.evaluate("probe.roots().map((root) => root.dataset.explorable)")
    touch, masking = (
        book.Figure(names.index(kind.__name__), kind, model_of(kind().get_state())) for kind in (FirstTouch, Masking)
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
    # One more drag that stays where it ends.
    grip = aim(hand, touch, "grip", "angle")
    hand.swipe((grip["x"], grip["y"]), (grip["x"] - 50, grip["y"] - 20))
    assert said == []
    ids = page.evaluate("[...document.querySelectorAll('.abh [id]')].map((node) => node.id)")
    assert len(set(ids)) == len(ids) > 1, "a figure would draw another one's picture"
    states = [hand.ask("read", figure.index)["state"] for figure in (touch, masking)]
    hand.leave()
    notebook.run(8)
    k, angle, length, preset, mask, q = json.loads(notebook.printed(8, r"hand (.*)")[0])
    wanted = {"angle": angle, "length": length, "preset": preset}
    wanted |= {f"k.{i}.{c}": value for i, row in enumerate(k) for c, value in enumerate(row)}
    assert states[0] == pytest.approx(states[0] | {key: wanted[key] for key in wanted if key in states[0]})
    wanted |= {f"mask.{i}.{j}": value for i, row in enumerate(mask) for j, value in enumerate(row)}
    wanted |= {f"q.{i}.{c}": value for i, row in enumerate(q) for c, value in enumerate(row)}
    assert preset == "custom"
    assert states[1] == states[1] | {key: wanted[key] for key in wanted if key in states[1] and key[0] in "pmq"}
